// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sync/mutex.h"

#include "base/assert.h"

namespace teff::inline TEFF_PLATFORM::sync {

mutex::~mutex() {
  TEFF_REQUIRE(word_.load(platform::acquire) == free, "a mutex must not be destroyed while it is held: unlock it first");
}

void mutex::refuse_unlock() const {
  TEFF_REQUIRE(false, "a mutex is unlocked by the task or thread that locked it, once");
  __builtin_unreachable();
}

bool mutex::lock_slow(std::uint64_t deadline_ns) TEFF_NOT_ANALYSED {
  lock_.acquire();
  // From free to held, or from held to contended: the word changes under the list's lock, but for a free one and by its owner.
  for (std::uint32_t found = word_.load(platform::relaxed); found != contended;) {
    const std::uint32_t wanted = found == free ? held : contended;
    if (!word_.compare_exchange(found, wanted, platform::acquire)) continue;
    if (wanted == contended) break;
    owner_.store(this_identity(), platform::relaxed);
    lock_.release();
    return true;
  }
  waiter self;
  self.who = this_identity();
  waiters_.push(self);
  return wait(*this, lock_, waiters_, self, policy_, deadline_ns);
}

void mutex::unlock_slow() {
  wake_up next;
  {
    platform::lock_guard guard(lock_);
    waiter* oldest = waiters_.pop();
    if (oldest == nullptr) {
      // Those who waited gave up at their deadlines.
      word_.store(free, platform::release);
      return;
    }
    owner_.store(oldest->who, platform::relaxed);  // before the new owner goes on
    if (waiters_.empty()) word_.store(held, platform::relaxed);
    next = wake_up(*oldest);  // [mutex] by [wait]: what this owner wrote is visible to the next
  }
  next.deliver();
}

}  // namespace teff::inline TEFF_PLATFORM::sync
