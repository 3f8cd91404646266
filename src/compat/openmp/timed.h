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

/// The same of a wait in which the member runs no task.
class timed_wait {
 public:
  explicit timed_wait(activity_clock* clock) : idle_(clock, activity::idle) {
    if (clock != nullptr) [[unlikely]]
      clock->search();
  }

 private:
  const timed idle_;
};

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
  explicit timed_lock_wait(const lock_place& where);
  ~timed_lock_wait();
  timed_lock_wait(const timed_lock_wait&) = delete;
  timed_lock_wait& operator=(const timed_lock_wait&) = delete;

 private:
  const lock_place where_;
  activity_clock* clock_ = nullptr;
};

}  // namespace TEFF_NAMESPACE::openmp
