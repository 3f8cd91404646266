// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Objects at which tasks and foreign threads wait for one another. They have the names and requirements of the standard
/// library's.
///
/// A task that has to wait is set aside, and its worker does other work; a thread that is no worker parks. It may go on on
/// another worker: docs/howto/wait-and-lock.md. Each object may be given a wait_policy when it is made; else set_default_policy's
/// holds.
/// Threads: every operation: tasks of any team, and foreign threads, unless something else is said.
/// Errors: a number that an object cannot be made for: usage_error. What breaks an object's rules later (to unlock what another
///   locked, to destroy what is held or waited at) ends the program with a sentence.
/// Times: a duration that is not above 0, and a time that has passed, mean: do not wait. Any clock will do; when it goes slower
///   than the system's, the wait begins again, last in the order.
#pragma once

#include "teff/detail/cpp20.hpp"
#if __cplusplus >= 202002L

#include "teff/detail/layout.hpp"
#include "teff/sync_times.hpp"

#include "sync/barrier.h"
#include "sync/channel.h"
#include "sync/condition.h"
#include "sync/event.h"
#include "sync/full_empty.h"
#include "sync/mutex.h"
#include "sync/once.h"
#include "sync/semaphore.h"
#include "sync/shared_mutex.h"
#include "sync/sleep.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>

namespace TEFF_NAMESPACE {

namespace this_task {

/// Effect: returns when the time has passed; at once if it is not above 0. A task is set aside meanwhile, its worker does other
/// work, and it goes on as soon as a worker has time for it, possibly on another thread. A thread that is no worker sleeps. Times
/// of more than a century do not pass. Errors: none; if the system has no memory or thread for a timer, the worker sleeps with
/// its task. Cost: a timer of the team, O(log of those that are pending), and being set aside; the team's first timer starts a
/// thread.
template <class Rep, class Period>
void sleep_for(const std::chrono::duration<Rep, Period>& time) {
  sync::sleep_until(detail::deadline_after(time));
}
/// The same until `when` has passed on its clock.
template <class Clock, class Duration>
void sleep_until(const std::chrono::time_point<Clock, Duration>& when) {
  detail::wait_until(when, [](std::uint64_t deadline_ns) {
    sync::sleep_until(deadline_ns);
    return false;  // the clock has the last word
  });
}

}  // namespace this_task

using sync::default_policy;
using sync::set_default_policy;
using sync::wait_policy;

namespace detail {
struct nothing_to_do {
  void operator()() const noexcept {}
};
}  // namespace detail

/// Lockable; the timed ones TimedLockable, the shared ones SharedLockable. The first to come is the first served; of shared ones,
/// readers that come together go together.
using sync::mutex;
using sync::recursive_mutex;
using sync::shared_mutex;
using timed_mutex = detail::timed<sync::mutex>;
using recursive_timed_mutex = detail::timed<sync::recursive_mutex>;
using shared_timed_mutex = detail::timed_shared<sync::shared_mutex>;

enum class cv_status { no_timeout, timeout };

/// Where tasks and threads wait until a condition holds; for every lock that has lock and unlock.
///
/// Pre of the end: nobody is in a wait any more (std's may be gone earlier). No wait ends without a notify or its time, but for
/// one until a time of a clock that goes slower than the system's: that may end early, as if by a notify.
class condition_variable {
 public:
  explicit condition_variable(wait_policy policy = default_policy()) : state_(policy) {}

  /// Effect: unlocks `held`, waits for a notify, locks it again. Pre: the caller holds it. Errors: what escapes from its unlock,
  /// as from that of a std::unique_lock which holds nothing; then there was no wait. Blocks: the fiber. Fair: notify_one ends
  /// the longest wait.
  template <class Lock>
  void wait(Lock& held) {
    state_.wait_until_ns(held, sync::no_deadline);
  }
  template <class Lock, class Predicate>
  void wait(Lock& held, Predicate holds) {
    while (!holds()) wait(held);
  }
  template <class Lock, class Rep, class Period>
  cv_status wait_for(Lock& held, const std::chrono::duration<Rep, Period>& time) {
    return status(state_.wait_until_ns(held, detail::deadline_after(time)));
  }
  template <class Lock, class Clock, class Duration>
  cv_status wait_until(Lock& held, const std::chrono::time_point<Clock, Duration>& when) {
    // Not begun again if that clock goes slower: a notify in between would find nobody.
    return status(state_.wait_until_ns(held, detail::deadline_at(when)) || detail::deadline_at(when) != sync::has_passed);
  }
  /// Returns: what the predicate says at the end.
  template <class Lock, class Rep, class Period, class Predicate>
  bool wait_for(Lock& held, const std::chrono::duration<Rep, Period>& time, Predicate holds) {
    const std::uint64_t deadline_ns = detail::deadline_after(time);
    while (!holds()) {
      if (!state_.wait_until_ns(held, deadline_ns)) return holds();
    }
    return true;
  }
  template <class Lock, class Clock, class Duration, class Predicate>
  bool wait_until(Lock& held, const std::chrono::time_point<Clock, Duration>& when, Predicate holds) {
    while (!holds()) {
      if (wait_until(held, when) == cv_status::timeout) return holds();
    }
    return true;
  }
  void notify_one() noexcept { state_.notify_one(); }
  void notify_all() noexcept { state_.notify_all(); }

 private:
  static cv_status status(bool notified) { return notified ? cv_status::no_timeout : cv_status::timeout; }

  sync::condition state_;
};
using condition_variable_any = condition_variable;

/// Units that are taken one by one. Fair: first come, first served.
template <std::ptrdiff_t LeastMaxValue = std::numeric_limits<std::ptrdiff_t>::max()>
class counting_semaphore {
  static_assert(LeastMaxValue >= 0);

 public:
  /// Errors: usage_error unless 0 ≤ desired ≤ max().
  explicit counting_semaphore(std::ptrdiff_t desired, wait_policy policy = default_policy())
      : state_(detail::checked("a semaphore", desired, 0, LeastMaxValue), LeastMaxValue, policy) {}
  static constexpr std::ptrdiff_t max() noexcept { return LeastMaxValue; }

  void release(std::ptrdiff_t update = 1) { state_.release(update); }
  /// Blocks: the fiber, until there is a unit.
  void acquire() { state_.acquire_until(sync::no_deadline); }
  [[nodiscard]] bool try_acquire() { return state_.acquire_until(sync::has_passed); }
  template <class Rep, class Period>
  [[nodiscard]] bool try_acquire_for(const std::chrono::duration<Rep, Period>& time) {
    return state_.acquire_until(detail::deadline_after(time));
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool try_acquire_until(const std::chrono::time_point<Clock, Duration>& when) {
    return detail::wait_until(when, [this](std::uint64_t deadline_ns) { return state_.acquire_until(deadline_ns); });
  }

 private:
  sync::semaphore state_;
};
using binary_semaphore = counting_semaphore<1>;

/// Tasks that wait for one another, phase by phase. Who arrives last calls the completion function before anybody goes on.
template <class CompletionFunction = detail::nothing_to_do>
class barrier {
  static_assert(std::is_nothrow_invocable_v<CompletionFunction&>,
                "the completion function is called without arguments and is noexcept");

 public:
  class arrival_token {
    friend class barrier;
    explicit arrival_token(std::uint64_t phase) : phase_(phase) {}
    std::uint64_t phase_;
  };

  /// Errors: usage_error unless expected > 0.
  explicit barrier(std::ptrdiff_t expected, CompletionFunction completion = CompletionFunction(),
                   wait_policy policy = default_policy())
      : state_(detail::checked("a barrier", expected, 1), policy), completion_(std::move(completion)) {}
  static constexpr std::ptrdiff_t max() noexcept { return std::numeric_limits<std::ptrdiff_t>::max(); }

  /// Pre: so many are still expected in this phase. Blocks: only if the completion function does.
  [[nodiscard]] arrival_token arrive(std::ptrdiff_t update = 1) { return arrival_token(arrive(update, 0)); }
  /// Effect: returns when the phase of the arrival has ended. Blocks: the fiber.
  void wait(arrival_token&& arrival) { state_.wait(arrival.phase_); }
  void arrive_and_wait() { wait(arrive()); }
  /// Effect: arrives, and is not expected in later phases.
  void arrive_and_drop() { arrive(1, 1); }

 private:
  std::uint64_t arrive(std::ptrdiff_t update, std::ptrdiff_t dropped) {
    const auto made = state_.arrive(update, dropped);
    if (made.last) {
      completion_();
      state_.complete();
    }
    return made.phase;
  }

  sync::basic_barrier<> state_;
  CompletionFunction completion_;
};

/// A count that goes down to 0 once.
class latch {
 public:
  /// Errors: usage_error unless expected ≥ 0.
  explicit latch(std::ptrdiff_t expected, wait_policy policy = default_policy())
      : state_(detail::checked("a latch", expected, 0), policy) {}
  static constexpr std::ptrdiff_t max() noexcept { return std::numeric_limits<std::ptrdiff_t>::max(); }

  /// Pre: there is so much left.
  void count_down(std::ptrdiff_t update = 1) { state_.count_down(update); }
  [[nodiscard]] bool try_wait() { return state_.wait_until(sync::has_passed); }
  /// Effect: returns when the count is 0. Blocks: the fiber.
  void wait() { state_.wait_until(sync::no_deadline); }
  void arrive_and_wait(std::ptrdiff_t update = 1) {
    count_down(update);
    wait();
  }

 private:
  sync::basic_latch<> state_;
};

/// Something that is done once by call_once.
class once_flag {
 public:
  explicit once_flag(wait_policy policy = default_policy()) : state_(policy) {}

 private:
  template <class Function, class... Arguments>
  friend void call_once(once_flag& flag, Function&& function, Arguments&&... arguments);
  sync::once state_;
};

/// Effect: calls function(arguments…) if no call for this flag has returned yet; else returns when one has. If the function
/// throws, the caller gets the exception, and the next caller, or the one that waits longest, tries again. Blocks: the fiber.
template <class Function, class... Arguments>
void call_once(once_flag& flag, Function&& function, Arguments&&... arguments) {
  if (!flag.state_.begin()) return;
  struct ending {
    sync::once& of;
    bool done = false;
    ~ending() { of.end(done); }
  } this_call{flag.state_};
  std::invoke(std::forward<Function>(function), std::forward<Arguments>(arguments)...);
  this_call.done = true;
}

/// Something that has happened or not: set lets all go until reset.
class event {
 public:
  explicit event(bool set = false, wait_policy policy = default_policy()) : state_(set, policy) {}

  void set() { state_.set(); }
  void reset() { state_.reset(); }
  bool is_set() { return state_.is_set(); }
  /// Blocks: the fiber, until it is set.
  void wait() { state_.wait(); }
  /// Returns: false if the time passed first.
  template <class Rep, class Period>
  [[nodiscard]] bool wait_for(const std::chrono::duration<Rep, Period>& time) {
    return state_.wait_until(detail::deadline_after(time));
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool wait_until(const std::chrono::time_point<Clock, Duration>& when) {
    return detail::wait_until(when, [this](std::uint64_t deadline_ns) { return state_.wait_until(deadline_ns); });
  }

 private:
  sync::event state_;
};

/// A value with a mark, full or empty, for which readers and writers wait: readFE, readFF, writeEF, writeF, fill, empty (see its
/// header). Pre: T is made by T{}, and moving one does not throw.
template <class T>
using full_empty = sync::basic_full_empty<T>;

/// A bounded queue of values with an end: send, try_send, receive, try_receive, close (see its header).
template <class T>
class channel : public sync::basic_channel<T> {
 public:
  /// Errors: usage_error unless capacity > 0; std::bad_alloc.
  explicit channel(std::size_t capacity, wait_policy policy = default_policy())
      : sync::basic_channel<T>(checked_capacity(capacity), policy) {}

 private:
  static std::size_t checked_capacity(std::size_t capacity) {
    if (capacity == 0) [[unlikely]]
      detail::refuse_number("a channel", 0, 1, detail::any_number);
    return capacity;
  }
};

namespace detail {
inline constexpr std::uint32_t sync_layout =
    layout_of<sync::object, sync::waiter, mutex, recursive_mutex, shared_mutex, condition_variable, counting_semaphore<>,
              barrier<nothing_to_do>, latch, once_flag, event, full_empty<void*>, channel<void*>>();
[[gnu::visibility("hidden")]] inline const bool has_the_librarys_sync_objects =
    require_layout(layout_part::sync_objects, sync_layout);
}  // namespace detail

}  // namespace TEFF_NAMESPACE

#endif
