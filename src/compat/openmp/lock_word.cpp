// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/lock_word.h"

#include "compat/openmp/forked.h"
#include "compat/openmp/tasks.h"
#include "compat/openmp/timed.h"
#include "platform/tuning.h"

namespace TEFF_NAMESPACE::openmp {

/// Who has waited leaves the lock contended: an extra wake-up when it is released is the price for never losing one.
void lock_word::acquire_slowly(wait_place where) {
  const timed_lock_wait timed_wait(where);
  const platform::lock_wait waiting(this, lock_label::of(guarded::program_object));
  const auto is_free = [](std::uint32_t word) { return word == free; };
  if (platform::spin_ever_slower_for(word_, is_free, tuning::lock_spin_rounds, "a lock") && try_acquire()) return;
  end_if_left_behind();
  share_tasks();
  while (word_.exchange(contended, platform::acquire) != free) platform::park(word_, contended, "a lock");  // [lock]
}

/// A part of waiting, as in platform::lock. Touches: only the address, as the lock may be gone.
void lock_word::wake_waiter() {
  const platform::lock_wait waiting(this, lock_label::of(guarded::program_object), false);
  platform::wake_one(word_);
}

}  // namespace TEFF_NAMESPACE::openmp
