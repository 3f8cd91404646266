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

/// The same of a wait in which the member runs no task. It is counted for its place, if it has one.
class timed_wait {
 public:
  explicit timed_wait(activity_clock* clock, const wait_place& where = {})
      : clock_(where.kind != wait_kind::none ? clock : nullptr), where_(where), idle_(clock, activity::idle) {
    if (clock == nullptr) [[likely]]
      return;
    clock->search();
    begin_ = clock->brought_up_to();
  }
  ~timed_wait() {
    if (clock_ == nullptr) [[likely]]
      return;
    clock_->bring_up_to_date();
    clock_->count_wait(where_, clock_->brought_up_to() - begin_);
  }
  timed_wait(const timed_wait&) = delete;
  timed_wait& operator=(const timed_wait&) = delete;

 private:
  activity_clock* const clock_;
  const wait_place where_;
  const timed idle_;
  std::uint64_t begin_ = 0;
};

/// Whether that is a place of the program's. A barrier that a region's function ends with returns to who has called that: gcc
/// jumps there.
bool is_of_program(const void* caller);

/// Of one in a barrier, which the program has called from there: what the member does not spend on tasks.
class timed_barrier {
 public:
  timed_barrier(activity_clock* clock, const void* caller)
      : clock_(clock != nullptr && is_of_program(caller) ? clock : nullptr), caller_(caller), idle_(clock, activity::idle) {
    if (clock_ != nullptr) [[unlikely]]
      before_ = clock_->spent(activity::idle);
  }
  ~timed_barrier() {
    if (clock_ == nullptr) [[likely]]
      return;
    clock_->bring_up_to_date();
    clock_->count_wait({caller_, wait_kind::barrier}, clock_->spent(activity::idle) - before_);
  }
  timed_barrier(const timed_barrier&) = delete;
  timed_barrier& operator=(const timed_barrier&) = delete;

 private:
  activity_clock* const clock_;
  const void* const caller_;
  const timed idle_;
  std::uint64_t before_ = 0;
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
  explicit timed_lock_wait(const wait_place& where);
  ~timed_lock_wait();
  timed_lock_wait(const timed_lock_wait&) = delete;
  timed_lock_wait& operator=(const timed_lock_wait&) = delete;

 private:
  const wait_place where_;
  activity_clock* clock_ = nullptr;
};

}  // namespace TEFF_NAMESPACE::openmp
