// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"

#include <cstdint>

namespace TEFF_NAMESPACE::pool::parts {

/// The lock of a run queue: first come, first served, as the paper has it, where each worker has a processor of its own.
/// Considered: that order on fewer processors, too: whoever is next has none, and all wait for the system's clock (measured, 8
///   workers on 2 processors: 100 µs a task instead of 0.6).
class TEFF_CAPABILITY("lock") queue_lock {
 public:
  using place = platform::fifo_lock::place;

  explicit queue_lock(bool in_line) : is_in_line_(in_line) {
    line_.name(lock_label::of(guarded::run_queue));
    any_.name(lock_label::of(guarded::run_queue));
  }

  void acquire(place& own) TEFF_ACQUIRE() TEFF_NOT_ANALYSED { is_in_line_ ? line_.acquire(own) : any_.acquire(); }
  void release(place& own) TEFF_RELEASE() TEFF_NOT_ANALYSED { is_in_line_ ? line_.release(own) : any_.release(); }
  std::uint64_t waits() const { return line_.waits() + any_.waits(); }
  /// Pre: nobody uses the lock.
  void reset_waits() {
    line_.reset_waits();
    any_.reset_waits();
  }

 private:
  const bool is_in_line_;
  platform::fifo_lock line_;
  platform::lock any_;
};

}  // namespace TEFF_NAMESPACE::pool::parts
