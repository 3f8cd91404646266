// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Scopes in which a member's time goes into something else (clock.h).
#pragma once

#include "compat/openmp/clock.h"

namespace TEFF_NAMESPACE::openmp {

/// Effect: for a scope, a member's time goes into something. `clock` may be nullptr: then nothing is measured.
class timed {
 public:
  [[gnu::always_inline]] timed(activity_clock* clock, activity on) : clock_(clock) {
    if (clock_ != nullptr) [[unlikely]]
      before_ = clock_->change(on);
  }
  [[gnu::always_inline]] ~timed() {
    if (clock_ != nullptr) [[unlikely]]
      clock_->change(before_);
  }
  timed(const timed&) = delete;
  timed& operator=(const timed&) = delete;

 private:
  activity_clock* const clock_;
  activity before_ = activity::implicit;
};

/// The same of a wait of a member's. What it does not spend on tasks meanwhile is counted for that place, if it is one.
class timed_wait {
 public:
  explicit timed_wait(activity_clock* clock, const wait_place& where = {})
      : clock_(where.kind != wait_kind::none ? clock : nullptr), where_(where), idle_(clock, activity::idle) {
    if (clock_ != nullptr) [[unlikely]]
      before_ = clock_->spent(activity::idle);
  }
  ~timed_wait() {
    if (clock_ == nullptr) [[likely]]
      return;
    clock_->bring_up_to_date();
    clock_->count_wait(where_, clock_->spent(activity::idle) - before_);
  }
  timed_wait(const timed_wait&) = delete;
  timed_wait& operator=(const timed_wait&) = delete;

 private:
  activity_clock* const clock_;
  const wait_place where_;
  const timed idle_;
  std::uint64_t before_ = 0;
};

/// Effect: a member in such a wait has found no task, and searches until one begins, or the wait is over.
inline void tell_search(activity_clock* clock) {
  if (clock != nullptr) [[unlikely]]
    clock->search();
}

/// Returns: the place of a barrier that returns there; none, if that is no code of the program's. One that a region's function
/// ends with returns to who has called that: gcc jumps there.
wait_place barrier_at(const void* caller);

/// As timed, of what is done for each task.
class timed_briefly {
 public:
  [[gnu::always_inline]] timed_briefly(activity_clock* clock, activity on) : clock_(clock) {
    if (clock_ != nullptr) [[unlikely]]
      before_ = clock_->pass(on);
  }
  [[gnu::always_inline]] ~timed_briefly() {
    if (clock_ != nullptr) [[unlikely]]
      clock_->pass(before_);
  }
  timed_briefly(const timed_briefly&) = delete;
  timed_briefly& operator=(const timed_briefly&) = delete;

 private:
  activity_clock* const clock_;
  activity before_ = activity::implicit;
};

/// For a scope, in which the calling thread waits for a lock.
class timed_lock_wait {
 public:
  explicit timed_lock_wait(const wait_place& where);
  ~timed_lock_wait();
  timed_lock_wait(const timed_lock_wait&) = delete;
  timed_lock_wait& operator=(const timed_lock_wait&) = delete;

 private:
  const wait_place where_;
  activity_clock* clock_ = nullptr;
};

}  // namespace TEFF_NAMESPACE::openmp
