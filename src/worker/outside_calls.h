// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fiber/carrier.h"
#include "platform/platform.h"

namespace TEFF_NAMESPACE::workers {

/// The calls outside of a team that are under way, each of which holds a thread: so many at the most. Those beyond wait for their
/// turn, first come, first served, while their workers do other work.
///
/// Invariants: somebody waits only if `at_most` are under way; the one that ends hands its place on. So as long as one of the
///   calls returns, each has its turn. If all of them wait for something that one which has no turn yet would do, none ever has: the
///   watchdog's report names those that wait.
/// Threads: any. Cost: a lock.
class outside_calls {
 public:
  explicit outside_calls(unsigned at_most) : at_most_(at_most) {}
  outside_calls(const outside_calls&) = delete;
  outside_calls& operator=(const outside_calls&) = delete;

  /// Effect: returns when the calling task may begin its call; on another worker, perhaps. Blocks: the fiber.
  void begin_one(fibers::carrier& own);
  /// Effect: another one may begin. Called when the thread is free again.
  void end_one();

 private:
  struct turn;

  const unsigned at_most_;
  platform::lock lock_;
  unsigned under_way_ = 0;  ///< under the lock
  turn* first_ = nullptr;   ///< those that wait, under the lock
  turn* last_ = nullptr;    ///< under the lock
};

}  // namespace TEFF_NAMESPACE::workers
