// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sync/forked_task.h"

#include "fiber/carrier.h"

namespace TEFF_NAMESPACE::sync {

namespace {

/// What an owner waits for, as reports see it.
struct other_part final : fibers::awaited {
  other_part(forked_task& of, const task& itself) : of(of), itself(itself) {}
  const char* kind() const noexcept override { return "the other part of a join"; }
  bool only_tasks_end_it() const noexcept override { return true; }
  const void* seen_as() const noexcept override { return &of; }
  bool has_unbegun() const noexcept override { return !of.begun(); }
  bool take_unbegun(worker& current, task& taken) const override {
    if (!of.take_back(current, itself, false)) return false;
    taken = itself;
    return true;
  }

  forked_task& of;
  const task& itself;
};

}  // namespace

void forked_task::begin(worker& current, const char* label) {
  const platform::account_mark here(account_part::put_get);
  worker_head& own = head(current);
  own.created.add_alone(1, platform::relaxed);  // [created], before it finishes
  begun_.store(true, platform::relaxed);
  full_frame& frame = *own.here->frame->full();
  frame.group = this;
  frame.begin(label);
}

void forked_task::end(context& here) {
  const platform::account_mark joining(account_part::put_get);
  here.frame->full()->group = nullptr;
  // [forked] release. If the owner does not sleep, it may see `done` and leave: the forked task is no longer ours.
  if ((word_.fetch_or(done, platform::acq_rel) & sleeps) == 0) return;
  fibers::fiber& owner = *waiter_;
  owner.home.make_ready_where_it_waited(owner);
}

bool forked_task::take_back(worker& current, task self, bool can_suspend) {
  return !begun() && current.operations->take_back(current, self, can_suspend);
}

/// On another stack, unless there is none: the owner's is out of use.
void forked_task::fall_asleep(void* pointer) {
  auto& self = *static_cast<forked_task*>(pointer);
  fibers::fiber& owner = *self.waiter_;
  // [forked] release: waiter_ is visible to who ends the forked task.
  const std::uint32_t before = self.word_.fetch_or(sleeps, platform::acq_rel);
  // It ended while the owner was on its way: nobody else wakes it.
  if ((before & done) != 0) owner.home.make_ready(owner);
}

/// Effect: undoes fall_asleep. Returns: false if the forked task is done, and its owner made ready.
bool forked_task::stay_awake(void* pointer) {
  std::uint32_t expected = sleeps;
  // If it is done, its runner makes the owner ready.
  return static_cast<forked_task*>(pointer)->word_.compare_exchange(expected, 0, platform::acq_rel);  // [forked]
}

void forked_task::wait(worker& first, task self) {
  const platform::account_mark joining(account_part::put_get);
  worker* current = &first;
  context& here = *current->here;  // the fiber's: it follows the fiber from worker to worker
  const other_part awaited(*this, self);
  while (!finished()) {
    waiter_ = current->carrier->waiter();
    current->carrier->suspend(awaited, &fall_asleep, this, &stay_awake);
    current = &here.current();
  }
}

}  // namespace TEFF_NAMESPACE::sync
