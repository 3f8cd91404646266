// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sync/sleep.h"

#include <algorithm>

namespace TEFF_NAMESPACE::sync {

namespace {

/// What one sleeper alone waits for, and nobody ends but its timer.
class alarm final : public object {
 public:
  alarm() : object(wait_policy::block) {}

  void wait_until(std::uint64_t deadline_ns) TEFF_NOT_ANALYSED {
    lock_.acquire();
    waiter self;
    wait_here<rules>(self, deadline_ns);
  }

  const char* kind() const noexcept override { return "its time to wake"; }
};

}  // namespace

void sleep_until(std::uint64_t deadline_ns) {
  if (deadline_ns <= platform::now_ns()) return;
  // "For ever" is a deadline, too: a sleeper is nobody's deadlock.
  alarm().wait_until(std::min(deadline_ns, no_deadline - 1));
}

}  // namespace TEFF_NAMESPACE::sync
