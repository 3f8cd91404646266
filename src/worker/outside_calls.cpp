// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/outside_calls.h"

namespace TEFF_NAMESPACE::workers {

/// One that waits; lies on its task's stack.
struct outside_calls::turn final : fibers::awaited {
  turn(fibers::fiber* who) : who(who) {}
  const char* kind() const noexcept override { return "its turn: as many calls as the setting outside allows are under way"; }
  bool held_outside() const noexcept override { return true; }

  fibers::fiber* const who;
  turn* next = nullptr;
};

namespace {

void release(void* held) TEFF_NOT_ANALYSED { static_cast<platform::lock*>(held)->release(); }

}  // namespace

void outside_calls::begin_one(fibers::carrier& own) TEFF_NOT_ANALYSED {
  lock_.acquire();
  if (under_way_ < at_most_) {
    ++under_way_;
    return lock_.release();
  }
  turn mine(own.running());
  (last_ != nullptr ? last_->next : first_) = &mine;
  last_ = &mine;
  // The lock is free once the fiber has left its stack: so nobody makes it ready before.
  own.suspend(mine, &release, &lock_);
}

void outside_calls::end_one() {
  fibers::fiber* next = nullptr;
  {
    platform::lock_guard guard(lock_);
    if (first_ == nullptr) {
      --under_way_;
      return;
    }
    next = first_->who;
    first_ = first_->next;
    if (first_ == nullptr) last_ = nullptr;
  }
  next->home.make_ready(*next);
}

}  // namespace TEFF_NAMESPACE::workers
