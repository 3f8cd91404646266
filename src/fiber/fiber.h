// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/assert.h"
#include "base/cache_line.h"
#include "fiber/awaited.h"
#include "fiber/idle.h"
#include "fiber/kept.h"
#include "platform/context.h"
#include "platform/line.h"
#include "platform/platform.h"
#include "platform/stack_supply.h"
#include "queue/inbox.h"
#include "task/context.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace TEFF_NAMESPACE::fibers {

class host;
struct fiber;
struct registry_part;
struct timer;

/// A thread of control with a stack of its own, on which the worker loop and tasks run.
///
/// States: idle → running (taken for a loop) → blocked (its task waits) → ready (what it waited for came) → running …; running →
/// idle (its loop has nothing left to do). Only a running fiber's stack executes.
///
/// | field               | written by                               | read by                          |
/// |---------------------|------------------------------------------|----------------------------------|
/// | where               | who switches                             | the same                         |
/// | state               | its worker; blocked → ready by the waker | anybody, for information         |
/// | here                | its worker                               | its tasks; reports               |
/// | waits_for, since_ns | the fiber, before it is blocked          | reports                          |
/// | frame               | the loop that runs on the fiber; before  | its tasks; reports               |
/// |                     | it begins, who switches                  |                                  |
/// | begins_with_task    | who switches                             | the loop that begins             |
/// | bound               | its worker: set before it is blocked     | who makes it ready; reports      |
/// | of_a_call           | the loop that runs on the fiber          | who goes on with it              |
/// | next                | the owner of the list in which it is     | the same                         |
///
/// Lies at the upper end of its own stack.
struct fiber {
  enum class state : std::uint32_t { idle, running, blocked, ready };

  fiber(host& home, worker& first, platform::stack_piece memory, platform::atomic<fiber*>* base)
      : home(home), memory(memory), base(base), here(first) {
    here.keep_free_below(static_cast<const char*>(memory.bottom) + memory.bytes / 2);
  }

  /// Pre: the fiber is in state `from`, of which nobody else makes something at this time.
  void become(state from, state to) {
    // One writer at a time, so no read-modify-write: what the next one needs to see comes with what hands the fiber over.
    TEFF_REQUIRE(now.load(platform::relaxed) == from, "a fiber was woken twice, or is in two places at once");
    now.store(to, platform::release);
  }

  /// Whether a task that has begun on this fiber is a child of that group, or that forked task. Pre: it does not run.
  bool runs_child_of(const void* group) const {
    for (const task_frame* each = here.frame; each != nullptr; each = each->below()) {
      if (each->group() == group) return true;
    }
    return false;
  }

  host& home;
  const platform::stack_piece memory;
  platform::atomic<fiber*>* const base;  ///< where a fiber with which runs begin is while it is idle (carrier); else nullptr
  platform::context where;
  platform::atomic<state> now{state::idle};
  context here;
  full_frame frame;               ///< of what the loop runs
  bool begins_with_task = false;  ///< the loop that begins here finds its first task in the frame
  bool of_a_call = false;         ///< its loop is that of a worker on a thread outside, which may go on with it
  bool bound = false;             ///< blocked, it goes on on its worker alone, which may not have left its stack: by the mailbox
  const awaited* waits_for = nullptr;
  std::uint64_t since_ns = 0;     ///< of platform::recent_ns
  queue::inbox::node ready_node;  ///< with which it is made ready for one worker alone, or without memory
  fiber* next = nullptr;
  registry_part* listed_in = nullptr;  ///< since it was made
  fiber* registry_next = nullptr;      ///< under that part's lock
  fiber* registry_before = nullptr;
};

/// The fibers that were made for some of the workers.
struct alignas(cache_line_bytes) registry_part {
  platform::lock lock{platform::lock_kind::mutex, lock_label::of(guarded::fibers)};
  fiber* first = nullptr;
};

/// All fibers of a team, for reports, counts and the end, in some lists: at the begin of its first run all workers make theirs.
/// Threads: any, but destroy_all.
class registry {
 public:
  registry() = default;
  registry(const registry&) = delete;
  registry& operator=(const registry&) = delete;

  /// `number`: of the worker for which it was made.
  void add(fiber& made, unsigned number);
  void remove(fiber& gone);
  /// Most that existed at once since the last reset. A snapshot.
  std::size_t peak() const { return std::max(peak_.load(platform::relaxed), alive_.load(platform::relaxed)); }
  /// What exists counts for the next peak.
  void reset_peak() { peak_.store(0, platform::relaxed); }  // relaxed: a number that is told

  /// Effect: calls visitor(fiber) for each, under the lock of its list.
  template <class Visitor>
  void for_each(Visitor visitor) {
    any([&](fiber& each) { return visitor(each), false; });
  }

  /// Returns: whether the predicate holds for one of them.
  template <class Predicate>
  bool any(Predicate predicate) {
    for (registry_part& part : parts_) {
      platform::lock_guard guard(part.lock);
      for (fiber* each = part.first; each != nullptr; each = each->registry_next) {
        if (predicate(*each)) return true;
      }
    }
    return false;
  }

  /// Effect: gives all stacks back, without unwinding. Pre: no fiber runs, nobody uses the registry.
  void destroy_all();

 private:
  static constexpr unsigned part_count = 16;

  registry_part parts_[part_count];
  alignas(cache_line_bytes) platform::atomic<std::size_t> alive_{0};
  /// Most that existed before one was removed: until then there never are fewer than before, so who makes one has no need to look.
  platform::atomic<std::size_t> peak_{0};
};

/// What fibers need of their team.
class host {
 public:
  /// Effect: a blocked fiber goes on as soon as a worker has time for it. Threads: any; pre: the fiber has left its stack.
  virtual void make_ready(fiber& woken) noexcept = 0;
  /// Effect: as make_ready, and on the worker on which it waited, if that one looks for work just now: what the fiber touched
  /// lies in that processor's caches.
  virtual void make_ready_where_it_waited(fiber& woken) noexcept = 0;
  /// Effect: runs the worker loop until the run ends, on the worker that calls; may return on another one. If `has_task`, the
  /// frame of the running fiber holds a task that the loop runs first.
  virtual void loop(bool has_task) = 0;
  /// Effect: takes the task that the calling worker's loop would take next, if that can be told without waiting and without a
  /// look at other workers. Returns: whether there was one.
  virtual bool take_at_once(worker& current, task& next) = 0;
  /// Effect: the worker is idle on the stack of a task that waits, which nobody can leave for want of another one. Pre: the
  /// wait's fiber is blocked and bound, and commit was called. Post: neither, with ran_in_place.
  virtual kept_end wait_kept(worker& current, kept_wait& wait) = 0;
  /// Effect: calls call(argument), which may block and throws nothing, on the calling thread, while another one carries the
  /// worker.
  virtual void call_outside(worker& current, void (*call)(void*), void* argument) = 0;
  /// Effect: tells the pool that a fiber is set aside, whose stack its worker is about to leave, and which nobody can make ready
  /// yet. Called if tracks_started.
  virtual void left(worker& current, fiber& waiting) = 0;
  /// Timers of the team. add_timer returns false if it cannot have one; after cancel_timer it does not fire.
  virtual bool add_timer(timer& added) noexcept = 0;
  virtual void cancel_timer(timer& gone) noexcept = 0;

  /// Whether the last run could not end, so that what its blocked fibers wait for, and what their tasks hold, may be destroyed.
  // [stuck] acquire: who sees that a run has begun anew sees that it goes on.
  bool is_stuck() const noexcept { return stuck_.load(platform::acquire); }
  /// Whether that was so for some team of this process.
  static bool any_was_stuck() noexcept;

  registry all;
  idle_fibers left_over{16};                         ///< by workers that had more than enough
  bool tracks_started = false;                       ///< the pool wants to know of tasks that wait
  std::size_t stack_bytes = std::size_t{64} * 1024;  ///< of a fiber

  /// Effect: calls visitor(fiber) for each, none of which goes on meanwhile if it is blocked. Threads: any but those that carry
  /// workers.
  /// Returns: false if the system cannot do it; nothing was called then.
  ///
  /// Who makes a fiber ready changes its state and then looks at `inspected_`; who inspects sets that, then has every processor
  /// pass a fence, then looks at the states. So either the inspector sees that the fiber is ready, or the other sees that it has
  /// to wait.
  template <class Visitor>
  bool inspect(Visitor visitor) {
    platform::lock_guard guard(inspecting_);
    struct inspection {
      platform::atomic<bool>& flag;
      // relaxed: ordered by the fence that every processor passes, below.
      explicit inspection(platform::atomic<bool>& raised) : flag(raised) { flag.store(true, platform::relaxed); }
      // [inspected] release: who goes on overwrites what was read.
      ~inspection() { flag.store(false, platform::release); }
    } scope(inspected_);
    const bool possible = platform::fence_everywhere();
    if (possible) all.for_each(visitor);
    return possible;
  }

 protected:
  ~host() = default;
  void set_stuck(bool stuck) noexcept;
  /// Effect: no blocked fiber is known any more to what it waits for. Pre: the team ends: nothing of it runs, on no thread.
  void forget_waits();
  /// Effect: returns when nobody inspects. Pre: a fiber has just become ready, and nobody else knows.
  void await_inspection() const {
    platform::fence_of_compiler();
    if (inspected_.load(platform::relaxed)) [[unlikely]]
      platform::spin_until(inspected_, [](bool inspected) { return !inspected; }, "a fiber that is inspected");
  }

 private:
  platform::atomic<bool> stuck_{false};  ///< written by the caller of run, at its begin and end
  platform::lock inspecting_;
  platform::atomic<bool> inspected_{false};
};

/// Returns: a new fiber, idle, in the registry; nullptr if the system refuses a stack.
fiber* make(host& home, worker& first, std::size_t bytes, platform::atomic<fiber*>* base = nullptr) noexcept;
/// Effect: gives its stack back. Pre: idle, and in no list.
void destroy(fiber& gone) noexcept;

/// Effect: says on standard error, once, that tasks which wait keep their workers, because the system refuses stacks.
void tell_refusal() noexcept;

/// As platform::overflow_reporter: whether the calling thread runs a fiber whose guard page was touched.
bool describe_overflow(const void* touched, platform::line& to) noexcept;

/// Effect: ends the program with a sentence if something was written below a stack that has no guard page.
void check_canary(const fiber& left) noexcept;

}  // namespace TEFF_NAMESPACE::fibers
