// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Fibers on which no loop runs, kept for the next one.
#pragma once

#include "platform/platform.h"

#include <cstddef>

namespace TEFF_NAMESPACE {
struct worker;
}

namespace TEFF_NAMESPACE::fibers {

class host;
struct fiber;

/// Idle fibers of a team that each of its workers may take. Threads: any. Cost: a lock; none for a look into an empty list.
class idle_fibers {
 public:
  explicit idle_fibers(std::size_t at_most) : at_most_(at_most) {}

  /// Returns: one, or nullptr.
  fiber* take() noexcept;
  /// Effect: keeps an idle fiber that is in no list. Returns: false if there are enough.
  bool keep(fiber& idle) noexcept;

 private:
  const std::size_t at_most_;
  platform::lock lock_;
  platform::atomic<fiber*> first_{nullptr};  ///< written under the lock
  std::size_t count_ = 0;
};

/// Those of one worker. Of more than enough, half are left to those who would have to make some. Threads: the worker.
class kept_fibers {
 public:
  kept_fibers() = default;
  kept_fibers(const kept_fibers&) = delete;
  kept_fibers& operator=(const kept_fibers&) = delete;
  /// Effect: gives their stacks back.
  ~kept_fibers();

  /// Returns: whether there is one: of the worker's own, of those left over, or new; false if the system refuses a stack.
  bool make_sure(host& home, worker& own) { return first_ != nullptr || get_one(home, own); }
  /// Returns: one. Pre: make_sure returned true.
  fiber& take() noexcept;
  void keep(fiber& idle) noexcept;

 private:
  static constexpr unsigned at_most = 8;
  bool get_one(host& home, worker& own);

  fiber* first_ = nullptr;
  unsigned count_ = 0;
};

}  // namespace TEFF_NAMESPACE::fibers
