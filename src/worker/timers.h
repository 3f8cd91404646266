// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fiber/timer.h"
#include "platform/platform.h"

#include <span>
#include <vector>

namespace TEFF_NAMESPACE::workers {

/// The timers of a team: a heap by deadline and a thread that sleeps until the nearest one; started at the first timer.
///
/// Threads: any. Cost: a lock, O(log timers); a system call if the timer is the nearest.
class timers {
 public:
  timers() = default;
  timers(const timers&) = delete;
  timers& operator=(const timers&) = delete;

  /// Effect: the thread runs at these places of the machine; none: where who makes the first timer may. Borrows them. Pre: there
  /// is no timer yet.
  void confine(std::span<const unsigned> places) { places_ = places; }
  /// Effect: calls added.fire(added) on the timers' thread once the deadline has passed, unless cancelled before. Returns: false
  /// if there is no thread or no memory for it. Borrows: the timer, until it has fired or cancel has returned.
  bool add(fibers::timer& added) noexcept;
  /// Post: the timer will not fire, and is not firing now.
  void cancel(fibers::timer& gone) noexcept;
  /// Whether something that ends a wait may still fire.
  // seq_cst: one order with add, and with the words of workers that a verdict has read before.
  bool pending() const { return pending_.load(platform::seq_cst) != 0; }
  /// Effect: ends the thread. Pre: none is pending.
  void stop();

 private:
  static void thread_main(void* self);
  void watch();
  fibers::timer* take_due(std::uint64_t now);
  std::uint64_t nearest_deadline();
  void nudge();
  void exchange(fibers::timer& one, fibers::timer& other) TEFF_REQUIRES(lock_);
  void rise(fibers::timer& moved) TEFF_REQUIRES(lock_);
  void sink(fibers::timer& moved) TEFF_REQUIRES(lock_);
  void take_out(fibers::timer& gone) TEFF_REQUIRES(lock_);

  std::span<const unsigned> places_;
  platform::lock lock_;
  std::vector<fibers::timer*> heap_;  ///< under the lock; the nearest deadline first
  platform::atomic<fibers::timer*> firing_{nullptr};
  platform::atomic<std::uint32_t> pending_{0};  ///< those that end waits, in the heap or firing
  platform::atomic<std::uint32_t> changes_{0};  ///< the thread's word: a nearer deadline, or the end
  platform::atomic<bool> stop_{false};
  platform::thread thread_;
};

}  // namespace TEFF_NAMESPACE::workers
