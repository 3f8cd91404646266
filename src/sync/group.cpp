// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sync/group.h"

#include "fiber/carrier.h"

#include <utility>

namespace teff::inline TEFF_PLATFORM::sync {

void group::end() {
  const std::uint64_t before = word_.fetch_sub(one_unfinished, platform::acq_rel);
  // If the waiter does not sleep, it may have seen the last child finish and gone on: the group is no longer ours.
  if (unfinished(before) != 1 || (before & waiter_sleeps) == 0) return;
  fibers::fiber& waiter = *waiter_;
  waiter.home.make_ready(waiter);
}

void group::keep_exception() noexcept {
  if (exceptions_.fetch_add(1, platform::relaxed) == 0) first_exception_ = std::current_exception();
}

std::exception_ptr group::take_exception() { return std::exchange(first_exception_, nullptr); }

std::uint64_t group::take_exception_count() { return exceptions_.exchange(0, platform::relaxed); }

bool group::run_one_in_place(worker& current, bool can_suspend) {
  if (unstarted(word_.load(platform::relaxed)) == 0 || !current.carrier->has_room(can_suspend ? 2 : 8)) return false;
  task_frame own;
  if (!current.operations->take_child(current, this, own.what, can_suspend)) return false;
  context& here = *current.here;
  own.below = here.frame;
  here.frame = &own;
  current.count(trace::counter::in_place_runs);
  current.operations->execute(current, own.what);
  here.frame = own.below;
  return true;
}

/// On another stack: the waiter's is out of use.
void group::fall_asleep(void* pointer) {
  auto& self = *static_cast<group*>(pointer);
  fibers::fiber& waiter = *self.waiter_;
  // [group] release: waiter_ is visible to who ends the last child.
  const std::uint64_t before = self.word_.fetch_or(waiter_sleeps, platform::acq_rel);
  // The last child ended while the waiter was on its way: nobody else wakes it.
  if (unfinished(before) == 0) waiter.home.make_ready(waiter);
}

/// Effect: a child runs here although the pool or the stack speaks against it; else waits until something has changed.
void group::wait_without_stack(worker& current) {
  const std::uint64_t seen = word_.load(platform::acquire);
  if (unfinished(seen) == 0 || run_one_in_place(current, false)) return;
  platform::spin_until(
      word_, [seen](std::uint64_t word) { return word != seen; }, "a task without a stack to leave: its children");
}

void group::wait(worker& first) {
  worker* current = &first;
  context& here = *current->here;  // the fiber's: it follows the fiber from worker to worker
  while (!finished()) {
    if (!run_one_in_place(*current, true)) {
      waiter_ = current->carrier->running();
      if (current->carrier->suspend(*this, &fall_asleep, this)) word_.fetch_sub(waiter_sleeps, platform::relaxed);
      else wait_without_stack(*current);
    }
    current = &here.current();
  }
}

}  // namespace teff::inline TEFF_PLATFORM::sync
