// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sync/job.h"

#include "fiber/carrier.h"

namespace teff::inline TEFF_PLATFORM::sync {

namespace {

/// A part of the stack, of so many, that has to be left if a job runs in place because there is no other stack.
constexpr std::size_t last_parts = 8;

/// What an owner waits for, as reports see it.
struct other_part final : fibers::awaited {
  explicit other_part(const job& of) : of(of) {}
  const char* kind() const noexcept override { return "the other part of a join"; }
  bool only_tasks_end_it() const noexcept override { return true; }
  const void* seen_as() const noexcept override { return &of; }

  const job& of;
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

/// On another stack: the owner's is out of use.
void job::fall_asleep(void* pointer) {
  auto& self = *static_cast<job*>(pointer);
  fibers::fiber& owner = *self.waiter_;
  // [job] release: waiter_ is visible to who ends the job.
  const std::uint32_t before = self.word_.fetch_or(sleeps, platform::acq_rel);
  // It ended while the owner was on its way: nobody else wakes it.
  if ((before & done) != 0) owner.home.make_ready(owner);
}

/// Effect: the job runs here although the pool or the stack speaks against it; else waits for its runner.
void job::wait_without_stack(worker& current, task self) {
  if (current.carrier->has_room(last_parts) && take_back(current, self, false)) {
    full_frame own;
    own.what = self;
    const task_above now(*current.here, own);
    current.count(trace::counter::in_place_runs);
    return current.operations->execute(current, self);  // which ends it like any runner
  }
  platform::spin_until(
      word_, [](std::uint32_t word) { return (word & done) != 0; },
      "a task without a stack to leave: the other part of its join");
}

void job::wait(worker& current, task self) {
  if (finished()) return;
  const other_part awaited(*this);
  waiter_ = current.carrier->running();
  if (!current.carrier->suspend(awaited, &fall_asleep, this)) wait_without_stack(current, self);
}

}  // namespace teff::inline TEFF_PLATFORM::sync
