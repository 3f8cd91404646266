// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sync/job.h"

#include "fiber/carrier.h"

namespace teff::inline TEFF_PLATFORM::sync {

namespace {

/// What an owner waits for, as reports see it.
struct other_part final : fibers::awaited {
  other_part(job& of, const task& itself) : of(of), itself(itself) {}
  const char* kind() const noexcept override { return "the other part of a join"; }
  bool only_tasks_end_it() const noexcept override { return true; }
  const void* seen_as() const noexcept override { return &of; }
  bool has_unbegun() const noexcept override { return !of.begun(); }
  bool take_unbegun(worker& current, task& taken) const override {
    if (!of.take_back(current, itself, false)) return false;
    taken = itself;
    return true;
  }

  job& of;
  const task& itself;
};

}  // namespace

void job::begin(worker& current, const char* label) {
  worker_head& own = head(current);
  own.created.add_alone(1, platform::relaxed);  // [created], before it finishes
  begun_.store(true, platform::relaxed);
  full_frame& frame = *own.here->frame->full();
  frame.group = this;
  frame.begin(label);
}

void job::end(context& here) {
  here.frame->full()->group = nullptr;
  // [job] release. If the owner does not sleep, it may see `done` and leave: the job is no longer ours.
  if ((word_.fetch_or(done, platform::acq_rel) & sleeps) == 0) return;
  fibers::fiber& owner = *waiter_;
  owner.home.make_ready_where_it_waited(owner);
}

bool job::take_back(worker& current, task self, bool can_suspend) {
  return !begun() && current.operations->take_back(current, self, can_suspend);
}

/// On another stack, unless there is none: the owner's is out of use.
void job::fall_asleep(void* pointer) {
  auto& self = *static_cast<job*>(pointer);
  fibers::fiber& owner = *self.waiter_;
  // [job] release: waiter_ is visible to who ends the job.
  const std::uint32_t before = self.word_.fetch_or(sleeps, platform::acq_rel);
  // It ended while the owner was on its way: nobody else wakes it.
  if ((before & done) != 0) owner.home.make_ready(owner);
}

/// Effect: undoes fall_asleep. Returns: false if the job is done, and its owner made ready.
bool job::stay_awake(void* pointer) {
  std::uint32_t expected = sleeps;
  // If it is done, its runner makes the owner ready.
  return static_cast<job*>(pointer)->word_.compare_exchange(expected, 0, platform::acq_rel);  // [job]
}

void job::wait(worker& first, task self) {
  worker* current = &first;
  context& here = *current->here;  // the fiber's: it follows the fiber from worker to worker
  const other_part awaited(*this, self);
  while (!finished()) {
    waiter_ = current->carrier->waiter();
    current->carrier->suspend(awaited, &fall_asleep, this, &stay_awake);
    current = &here.current();
  }
}

}  // namespace teff::inline TEFF_PLATFORM::sync
