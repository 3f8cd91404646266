// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The contract of a pool: where ready tasks wait, and who gets them.
///
/// A pool never sleeps, never runs a task and never wakes anybody: it *advises*, and the worker loop acts. It counts what only
/// it can see (steals, publications); everything else is counted by the loop.
///
/// | operation            | who calls                      | effect                                                             |
/// |----------------------|--------------------------------|--------------------------------------------------------------------|
/// | traits               |                                | a constant: what the pool is (pool_traits)                         |
/// | init(w, task)        | anybody, before the run, one   | adds an initial task on behalf of worker w                         |
/// |                      | at a time                      |                                                                    |
/// | put(w, task)         | worker w, from a running task  | adds a task; the task is copied. What makes a task that waited go  |
/// |                      | or between two                 | on is put like any other, also by those who end the wait (but see  |
/// |                      |                                | traits.returns_fibers). put(w, task, put_step): see there          |
/// | inject(tasks)        | any other thread, at any time  | adds all of these tasks, or none, for workers that find their own  |
/// |                      |                                | queues empty                                                       |
/// | get(w, out, reach)   | worker w                       | takes a task, from others too: ownership passes to the caller      |
/// | take(w, wanted, out, | worker w, also while its task  | takes a task for which wanted(task) holds. A task that waits asks  |
/// | reach)               | waits                          | so for its own unstarted children; if there is none, it is set     |
/// |                      |                                | aside                                                              |
/// | statistics()         | anybody                        | what was counted; exact while nobody uses the pool                 |
/// | reset_statistics()   | anybody, while nobody uses the | all of that starts again from now                                  |
/// |                      | pool                           |                                                                    |
///
/// get answers `empty` only if it saw no task that w may take and no race was lost; only `empty`, confirmed after the worker
/// announced that it sleeps, may park it. `retry` means: a race was lost, look again. take never answers `retry`; it may miss a
/// task that another worker moves from one queue to another meanwhile, and find it in the next look. Both may
/// advise, whatever they answer: by looking they may have made tasks visible.
///
/// Optional, found by `requires`:
///   share(w)     makes all tasks that w keeps where no other worker's take finds them, by force neither, public; advises. For a
///   worker
///                that is about to wait for something that one of these tasks may have to bring about. A pool that keeps stolen
///                tasks so must have it: else OpenMP programs may stand still on it
///   close(w)     gives back memory that the pool keeps although it has no task; called once, last
///   lane(w)      the owner's end of w's tasks, of a type that public headers have in line: push, pop, pop_if_newest
///   (queue/split_deque.h).
///                They push there first, and put what that did not take (put_step)
///
/// For pools that keep an order, a place or a quota of tasks that have *begun*. Each has a word for that (task/frame.h, started),
/// which the pool sets when it forks it, or when it gives it (get: w.here->own), and which stays its own while it waits, goes on,
/// and moves to other workers. It is empty if a task began without that (memory was refused). Found by `requires`; who has one
/// has `unblocked`:
///   fork(w, parent, child)   the running task makes another one, which begins on w at once; the parent is set aside for it:
///   blocked, and
///                            unblocked
///   blocked(w, who)          it is set aside, and leaves w; nobody can make it go on yet
///   unblocked(w, who, again) it may go on: `again` makes it, and is got like any task. In place of put. Advises. w is nullptr if
///   no worker
///                            of the team says so. An empty `again`: it goes on without the pool, because only one worker can run
///                            it
///   finished(w, who)         it has ended, on w
///   allocated(w, who, bytes) it has so much more memory, or, if negative, less. Returns: whether it is to give way to others
///
/// Catalogue row × operations. All rows use those of the first table unless the last column says otherwise; rows from atp to
/// space-efficient are planned and stand here because the contract was drawn up for all of them.
///
/// | rows                      | init   | put            | get: own, then …                  | beyond                           |
/// |---------------------------|--------|----------------|-----------------------------------|----------------------------------|
/// | sq1, sq2                  | shared | shared         | –                                 |                                  |
/// | sq3, sq4                  | shared | shared         | –                                 | waits suspend (no in-place run)  |
/// | dq1, dq3                  | own    | own            | inbox only                        | put advises no waking            |
/// | dq2, dq7                  | own    | own            | working end of a victim           |                                  |
/// | dq4                       | own    | own, 1 of 2    | the victim's free one of two      | retry when both locks are taken  |
/// | dq5, dq6                  | own    | own            | opposite end of a victim          |                                  |
/// | dq8                       | own    | private        | own public, a victim's public     | publishes in put and get; share  |
/// | sdq1                      | own    | private        | central                           | publishes in put; share          |
/// | rq1, rq2, rq3             | random | random         | all queues in random order        |                                  |
/// | atp, atp2                 | own    | own forest     | largest tree of a victim          | publishes in put and get         |
/// | q, l                      | turn   | turn           | what kept workers have            | advises one worker; share; q:    |
/// |                           |        |                |                                   | waits suspend                    |
/// | cq                        | shared | shared         | –                                 | advises the own domain first     |
/// | ws                        | own    | own            | a chunk of a victim's oldest      | likewise                         |
/// | mts                       | domain | domain         | a chunk by the domain's first     | likewise; retry while the first  |
/// |                           |        |                |                                   | steals                           |
/// | original, lifo            | shared | shared         | –                                 | fork; waits suspend              |
/// | space-efficient           | shared | shared         | leftmost in depth-first order     | fork to allocated                |
/// | centralised               | shared | shared         | –                                 | blocked to unblocked; waits      |
/// |                           |        |                |                                   | suspend                          |
/// | distributed               | turn   | turn           | –                                 | likewise; advises one            |
/// | hierarchical              | root   | root or leaf   | up the tree, a share per level    | likewise, and finished; inject   |
/// |                           |        |                |                                   | at root or leaf; advises a range |
/// | teff                      | own    | private        | up to half of a victim's public   | publishes in put and get; force, |
/// |                           |        |                |                                   | lane                             |
///
/// Put facts that advise: the pool says what the insertion found, and the team's wake-up policy decides.
#pragma once

#include "mem/memory.h"
#include "pool/answers.h"
#include "pool/settings.h"
#include "task/frame.h"
#include "task/worker.h"

#include "pool/worker_places.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace TEFF_NAMESPACE::pool {

/// Names of settings (settings.cpp has all).
class setting_names {
 public:
  constexpr setting_names(std::initializer_list<const char*> names) { add(names.begin(), names.size()); }
  /// Those of a queue, and some more.
  template <std::size_t Count>
  constexpr setting_names(const std::array<const char*, Count>& of_queue, std::initializer_list<const char*> more) {
    add(of_queue.data(), Count);
    add(more.begin(), more.size());
  }
  constexpr const char* const* begin() const { return names_; }
  constexpr const char* const* end() const { return names_ + count_; }

 private:
  constexpr void add(const char* const* names, std::size_t count) {
    for (std::size_t each = 0; each < count; ++each) names_[count_++] = names[each];
  }

  const char* names_[12] = {};
  std::size_t count_ = 0;
};

/// What a pool is: constants that the team, the decorators and the command line read.
struct pool_traits {
  /// The settings that it reads; the team has its own beside them (team_settings).
  setting_names uses;
  /// Returns: bytes of the blocks that the pool asks its memory for (kind task). nullptr: it asks for none.
  std::size_t (*task_block_bytes)(const settings& set) = nullptr;
  /// What a worker has put nobody else finds.
  bool keeps_to_owners = false;
  /// Published as one whose waiting tasks block at once: they run no children on their own stack.
  bool suspends_waiters = false;
  /// A fiber that waited for its children goes on, past the pool, on the worker on which it waited, if that one looks for work
  /// (the published pools get all that is ready).
  bool returns_fibers = false;
  /// A task that waits, and can be set aside, looks for its children where `reach::own` of take does, and no further: they are
  /// not brought from queues that the pool would not have its worker look at.
  bool waits_at_home = false;
  /// `reach::force` finds what `reach::whole` does not, and has puts look from then on who sleeps. Where no task is alive they do
  /// so without it.
  bool looks_by_force = false;
  /// take with `reach::passing` may miss what `whole` does not.
  bool looks_in_passing = false;
  /// Workers take part in a run when there is work for them, and not all from its begin (the published pools). Of pools whose
  /// advice names nobody, and in which each worker may find all tasks.
  bool workers_come_by_need = false;
  /// What the setting `pin` is if it is not set.
  pinning pin = pinning::none;
  /// A put answers `full` while tuning::live_tasks_per_worker tasks of its worker wait, but for those put_step::beyond.
  bool bounded = false;

  constexpr std::size_t block_bytes(const settings& set) const {
    return task_block_bytes != nullptr ? task_block_bytes(set) : sizeof(task);
  }
};

/// What a pool counts.
struct pool_statistics {
  std::uint64_t peak_live_tasks = 0;  ///< most tasks that waited at once: the sum of each queue's own peak
  std::uint64_t lock_waits = 0;       ///< how often somebody had to wait for a lock of a queue of tasks
  std::size_t array_bytes = 0;        ///< that the pool allocated at its initialisation
  std::uint64_t overflows = 0;        ///< arrays that it linked on later
};

/// What a pool is built from. Everything in it outlives the pool.
struct environment {
  unsigned workers;
  mem::memory& memory;
  const settings& set;
  const worker_places& places;
  std::uint64_t seed = 1;  ///< of everything that the pool draws with generators of its own
  /// Not 0 while a worker sleeps or is about to: for pools whose puts look at it. It goes up before such a worker's last look.
  const platform::atomic<std::uint32_t>* sleepers = nullptr;
  bool waits_are_tied = false;  ///< a task that waits is not set aside: its worker runs nothing but descendants of it
  /// Workers with this number or a larger one have put nothing, so that thieves may leave them out. It goes up before the first
  /// put of such a worker.
  const platform::atomic<std::uint32_t>* end_of_active = nullptr;
};

/// Wanted: this one task, which is there once at most.
struct exactly {
  task only;
  bool operator()(const task& candidate) const { return candidate == only; }
};

template <class Pool>
concept task_pool =
    std::constructible_from<Pool, const environment&> && requires(Pool pool, const Pool& idle, worker& current, task ready) {
      { Pool::traits } -> std::convertible_to<const pool_traits&>;
      { pool.init(current, ready) } -> std::same_as<advice>;
      { pool.put(current, ready) } -> std::same_as<advice>;
      { pool.inject(std::span<const task>(&ready, 1)) } -> std::same_as<advice>;
      { pool.get(current, ready, reach::whole) } -> std::same_as<get_result>;
      { pool.take(current, exactly{}, ready, reach::whole) } -> std::same_as<get_result>;
      { idle.statistics() } -> std::same_as<pool_statistics>;
      { pool.reset_statistics() };
    };

/// Whether a put may answer `full`, and knows steps.
template <class Pool>
inline constexpr bool has_bound = Pool::traits.bounded;
/// Whether public headers have the pool's private path in line.
template <class Pool>
concept has_lane = requires(Pool pool, worker& current) { pool.lane(current); };
/// Whether the pool keeps track of tasks that have begun, and of what about them.
template <class Pool>
concept tracks_started = requires(Pool pool, worker& current, started& who, task again) {
  { pool.unblocked(&current, who, again) } -> std::same_as<advice>;
};
template <class Pool>
concept forks = tracks_started<Pool> && requires(Pool pool, worker& current, started& who) { pool.fork(current, who, who); };
template <class Pool>
concept follows_waits =
    tracks_started<Pool> && requires(Pool pool, worker& current, started& who) { pool.blocked(current, who); };
template <class Pool>
concept follows_ends =
    tracks_started<Pool> && requires(Pool pool, worker& current, started& who) { pool.finished(current, who); };
template <class Pool>
concept has_quota = tracks_started<Pool> && requires(Pool pool, worker& current, started& who) {
  { pool.allocated(current, who, std::ptrdiff_t{}) } -> std::same_as<bool>;
};
template <class Pool>
concept shares = requires(Pool pool, worker& current) {
  { pool.share(current) } -> std::same_as<advice>;
};
template <class Pool>
concept closes = requires(Pool pool, worker& last) { pool.close(last); };

}  // namespace TEFF_NAMESPACE::pool
