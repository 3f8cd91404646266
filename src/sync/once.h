// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sync/waiting.h"

namespace TEFF_NAMESPACE::sync {

/// Something that is done once, whoever comes first; the others wait for it.
///
/// No wake-up is lost: the state is looked at, and left, under the lock. If it was not done after all, the one that has waited
/// longest is told that it is its turn.
/// Fair: first come, first served, after exceptions. Cost: once done, one load.
template <class Rules = rules>
class basic_once : public object {
 public:
  explicit basic_once(wait_policy policy = default_policy()) : object(policy) {}

  /// Returns: true if the caller has to do it and then calls end; false, as soon as it is done. Threads: tasks and foreign
  /// threads. Blocks: the fiber. Pre: the caller is not doing it: it would wait for itself, which the hang report says.
  bool begin() TEFF_NOT_ANALYSED {
    // [once] acquire: what the one who did it wrote is visible.
    if (state_.load(platform::acquire) == state::done) return false;
    lock_.acquire();
    const state found = state_.load(platform::relaxed);
    bool mine = found == state::open;
    if (found == state::running) {
      waiter self;
      wait_here<Rules>(self);
      mine = self.result == your_turn;
    } else {
      if (mine) state_.store(state::running, platform::relaxed);  // relaxed: under the lock
      lock_.release();
    }
    if (mine) runner_.store(this_identity(), platform::relaxed);  // a hint for reports
    return mine;
  }

  /// Pre: begin returned true to the caller. Blocks: never.
  void end(bool done) {
    runner_.store(nullptr, platform::relaxed);  // a hint for reports
    wake_ups next;
    {
      platform::lock_guard guard(lock_);
      waiter* oldest = nullptr;
      if (done) {
        state_.store(state::done, platform::release);  // [once]
        release_all(next);
      } else if (!Rules::hands_on_after_exception || (oldest = waiters_.pop()) == nullptr) {
        state_.store(state::open, platform::relaxed);
      } else {
        oldest->result = your_turn;
        next.add(*oldest);
      }
    }
    next.deliver();
  }

  const char* kind() const noexcept override { return "the first call of call_once"; }
  const task_frame* holder() const noexcept override { return task_of(runner_.load(platform::relaxed)); }  // a hint
  bool held_outside() const noexcept override { return is_foreign(runner_.load(platform::relaxed)); }  // a hint

 private:
  enum class state : std::uint32_t { open, running, done };
  static constexpr unsigned your_turn = 1;

  platform::atomic<state> state_{state::open};
  platform::atomic<identity> runner_{nullptr};  ///< written by who does it; nobody while its turn is on the way to one
};

extern template class basic_once<rules>;
using once = basic_once<>;

}  // namespace TEFF_NAMESPACE::sync
