// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The contract of a pool: where ready tasks wait, and who gets them.
///
/// A pool never sleeps, never runs a task and never wakes anybody: it *advises*, and the worker loop acts. It counts what only
/// it can see (steals, publications); everything else is counted by the loop.
///
/// | operation            | who calls                      | effect                                                             |
/// |----------------------|--------------------------------|--------------------------------------------------------------------|
/// | init(w, task)        | anybody, before the run, one   | adds an initial task on behalf of worker w                         |
/// |                      | at a time                      |                                                                    |
/// | put(w, task)         | worker w, from a running task  | adds a task; the task is copied. What makes a task that waited go  |
/// |                      | or between two                 | on is put like any other, also by those who end the wait (but see  |
/// |                      |                                | lets_fibers_return)                                                |
/// | inject(task)         | any other thread, at any time  | adds a task that some worker finds when its own queue is empty     |
/// | get(w, out)          | worker w                       | takes a task, stealing included: ownership passes to the caller    |
/// | take_back(w, task)   | worker w                       | takes exactly that unstarted task, or fails                        |
/// | get_if(w, wanted, out)| worker w, also while its task | takes a task for which wanted(task) holds; may be slow. A task     |
/// |                      | waits                          | that waits asks so for its own unstarted children; if none is      |
/// |                      |                                | found, it is set aside                                             |
///
/// get answers `empty` only if it saw no task that w may take and no race was lost; only `empty`, confirmed after the worker
/// announced that it sleeps, may park it. `retry` means: a race was lost, look again.
///
/// Optional, found by `requires` where they exist (the table says who needs some of them):
///   get_at_once(w, out)  the task that get would give now, if that can be told without waiting for a lock and without a look at
///                        other workers' queues; false else, which says nothing
///   array_bytes(), overflows()  memory that the pool allocated at its initialisation, and arrays that it linked on later
///   waiters_suspend_at_once  a constant: true if the pool is published as one whose waiting tasks block at once, instead of
///                        running their unstarted children on their own stack (sq3, sq4; false for all others so far)
///   lets_fibers_return   a constant: true if a fiber that waited for its children goes on, past the pool, on the worker on which it
///                        waited, if that one looks for work (teff; the published pools get all that is ready)
///   close(w)             gives back memory that the pool keeps although it has no task; called once, last
///   begin_put(w, task), end_put(w, task, begun)  put in two steps, for pools that mostly need the first: the second is called if `begun`
///                        is not Pool::put_done, and advises; Pool::put_nothing: nothing was put yet
///   is_full(w)           whether a task that runs on w should let the next one that it puts run before it goes on; then
///   live_tasks_at_most() is how many tasks wait at most, but for those that go on with a fiber or are put beyond the bound
///   in_line, tasks_of(w) a constant: true if public headers have the private path of the pool in line: they push to tasks_of(w)
///                        in place of begin_put, and pop from it what they pushed
///   share(w)             makes all tasks that w keeps where no other worker's get_if, or get_if_by_force, finds them public;
///                        advises. For a worker that is about to wait for something that one of these tasks may have to bring
///                        about. A pool that keeps stolen tasks so must have it: else OpenMP programs may stand still on it
///   get_by_force(w, out) as get, for a worker to which get answered `empty` after it announced its sleep: spares no cost
///   get_if_by_force(w, wanted, out)  as get_if, for a task that cannot be set aside and found nothing
///   get_end_if(w, wanted, out, force)  as get_if, but looks only at the ends of queues: for who asks again and again
///   owes_wake_up(w)      once after a get_if, get_end_if or take_back: tasks came into view meanwhile, and somebody sleeps
///   fork(w, parent, child)  child first, parent right behind it in the order
///   block / unblock(w, task)  a blocked task keeps a place
///   allocated(w, bytes)  quota; may ask for preemption
///
/// Catalogue row × operations. All rows use init, put, inject, get, take_back and get_if unless the last column says otherwise;
/// rows from atp on are planned and stand here because the contract was drawn up for all of them.
///
/// | rows                      | init   | put            | get: own, then …                  | beyond the common six            |
/// |---------------------------|--------|----------------|-----------------------------------|----------------------------------|
/// | sq1, sq2                  | shared | shared         | –                                 | get_at_once                      |
/// | sq3, sq4                  | shared | shared         | –                                 | waits suspend (no in-place run)  |
/// | dq1, dq3                  | own    | own            | inbox only                        | put advises no waking,           |
/// |                           |        |                |                                   | get_at_once                      |
/// | dq2, dq7                  | own    | own            | working end of a victim           | get_at_once                      |
/// | dq4                       | own    | own, 1 of 2    | the victim's free one of two      | retry when both locks are taken  |
/// | dq5, dq6                  | own    | own            | opposite end of a victim          | dq5: get_at_once                 |
/// | dq8                       | own    | private        | own public, a victim's public     | publishes in put and get, share, |
/// |                           |        |                |                                   | get_at_once                      |
/// | sdq1                      | own    | private        | central                           | publishes in put, share,         |
/// |                           |        |                |                                   | get_at_once                      |
/// | rq1, rq2, rq3             | random | random         | all queues in random order        |                                  |
/// | atp, atp2                 | own    | own forest     | largest tree of a victim          | publishes in put and get         |
/// | q, l                      | turn   | turn           | –                                 | q: waits suspend                 |
/// | cq                        | shared | shared         | –                                 |                                  |
/// | ws                        | own    | own            | oldest of a victim                |                                  |
/// | mts                       | domain | domain         | a chunk by the domain's first     | retry while the first steals     |
/// | original, lifo            | shared | shared         | –                                 | fork; waits suspend              |
/// | space-efficient           | shared | shared         | leftmost in depth-first order     | fork, block, unblock, allocated  |
/// | run queues: centralised   | shared | shared         | –                                 | block, unblock                   |
/// | run queues: distributed   | turn   | turn           | –                                 | block, unblock                   |
/// | run queues: hierarchical  | root   | root or leaf   | up the tree, a share per level    | block, unblock; inject at root   |
/// | teff                      | own    | private        | up to half of a victim's public   | publishes in put and get; force, |
/// |                           |        |                |                                   | get_at_once                      |
///
/// Put facts that advise: the pool says what the insertion found, and the team's wake-up policy decides.
#pragma once

#include "mem/memory.h"
#include "pool/settings.h"
#include "task/worker.h"

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>

namespace teff::inline TEFF_PLATFORM::pool {

/// What a pool advises after it took a task.
enum class advice : std::uint8_t {
  refused,        ///< there was no memory: the pool is unchanged and the task still the caller's
  wake_none,      ///< nobody else may take it
  wake_if_every,  ///< others may take it, but the queue had tasks before: wake one if the policy is 'every put', or OpenMP's
  wake_one,       ///< others may take it, and the queue was empty before
  wake_all,
};

enum class get_result : std::uint8_t {
  got,
  got_and_wake_one,  ///< got, and there is more that others may take which they could not see before
  empty,
  retry,
};

/// What a pool is built from. Everything in it outlives the pool.
struct environment {
  unsigned workers;
  mem::memory& memory;
  const settings& set;
  std::span<const unsigned> domain_of_worker;
  std::uint64_t seed = 1;  ///< of everything that the pool draws with generators of its own
  /// Not 0 while a worker sleeps or is about to: for pools whose puts look at it. It goes up before such a worker's last look.
  const platform::atomic<std::uint32_t>* sleepers = nullptr;
};

namespace detail {
/// Stands for any predicate in the concept.
struct any_task {
  bool operator()(const task&) const { return true; }
};
}  // namespace detail

template <class Pool>
concept task_pool = std::constructible_from<Pool, const environment&> &&
                    requires(Pool pool, const Pool& idle, const settings& set, worker& current, task ready) {
                      /// Bytes of the blocks that the pool asks its memory for (kind task).
                      { Pool::task_block_bytes(set) } -> std::same_as<std::size_t>;
                      { pool.init(current, ready) } -> std::same_as<advice>;
                      { pool.put(current, ready) } -> std::same_as<advice>;
                      { pool.inject(ready) } -> std::same_as<advice>;
                      { pool.get(current, ready) } -> std::same_as<get_result>;
                      { pool.take_back(current, ready) } -> std::same_as<bool>;
                      { pool.get_if(current, detail::any_task{}, ready) } -> std::same_as<bool>;
                      /// Most tasks that waited at once: the sum of each queue's own peak. Exact while nobody uses the pool.
                      { idle.peak_live_tasks() } -> std::same_as<std::uint64_t>;
                      /// How often somebody had to wait for a lock of a queue of tasks. Exact while nobody uses the pool.
                      { idle.lock_waits() } -> std::same_as<std::uint64_t>;
                      /// Effect: both start again from now. Pre: nobody uses the pool.
                      { pool.reset_statistics() };
                    };

/// Whether the pool can say at once what its get would give.
template <class Pool>
inline constexpr bool tells_at_once = requires(Pool pool, worker& current, task& next) {
  { pool.get_at_once(current, next) } -> std::same_as<bool>;
};

/// Whether public headers have the pool's private path in line.
template <class Pool>
inline constexpr bool is_in_line = requires { requires Pool::in_line; };

/// Whether the pool is published as one whose waiting tasks block at once: they run no children on their own stack.
template <class Pool>
inline constexpr bool waiters_suspend_at_once = requires { requires Pool::waiters_suspend_at_once; };

/// Whether fibers that waited for their children may go on, past the pool, on the worker on which they waited.
template <class Pool>
inline constexpr bool lets_fibers_return = requires { requires Pool::lets_fibers_return; };

}  // namespace teff::inline TEFF_PLATFORM::pool
