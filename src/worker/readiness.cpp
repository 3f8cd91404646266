// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a task becomes ready otherwise than by a put: from outside, when what it waited for has come, or by giving way to one that
/// it put. `loop.h` has the puts.
#include "worker/team.h"

namespace TEFF_NAMESPACE::workers {

void team_base::open_source(bool tells) {
  if (tells) tells_exceptions_.store(true, platform::relaxed);  // relaxed: who throws was put behind it
  termination_.open_source();
}

void team_base::close_source() {
  if (!is_of_this_process()) return;  // a child of fork(): who held the lock may be in its parent
  termination_.begin_closing();       // who sees the source closed sees that this thread is still here
  termination_.close_source();
  // The run may be waiting for this alone: a woken worker looks, announces again, and finds the end.
  wake_from_outside(pool::advice::wake_one);
  termination_.end_closing();
}

bool team_base::follow(pool::advice advised, worker* waker) {
  const unsigned from = waker != nullptr ? waker->id : 0;
  switch (advised.what) {
    case pool::advice::refused:
    case pool::advice::full:
    case pool::advice::wake_none:
      return true;
    case pool::advice::wake_if_every:
      if (shape_.wake != pool::wake_policy::every_put) return true;
      [[fallthrough]];
    case pool::advice::wake_one:
      if (advised.or_others) return idle_->wake_near(from, waker, advised.first, advised.end);
      return idle_->wake_one(from, waker, advised.first, advised.end);
    case pool::advice::wake_all:
      advised.end != 0 ? idle_->wake_range(advised.first, advised.end) : idle_->wake_all();
      return true;
  }
  return true;
}

bool team_base::wake_from_outside(pool::advice advised) {
  platform::lock_guard guard(outside_lock_);
  return follow(advised, nullptr);
}

bool team_base::inject(std::span<const task> ready) {
  termination_.created_outside(ready.size());
  const pool::advice advised = inject_into_pool(ready);
  if (advised == pool::advice::refused) {
    termination_.refused_outside(ready.size());
    return false;
  }
  totals_.count_injected(ready.size());
  platform::tasks_wait(static_cast<std::int64_t>(ready.size()));
  if (!wake_from_outside(advised)) taking_part_.call_another();
  return true;
}

bool team_base::make_ready(unsigned worker_id, task ready) {
  termination_.created_outside(1);
  member& receiver = *members_[worker_id];
  if (!receiver.mailbox.push(ready)) {
    termination_.refused_outside(1);
    return false;
  }
  totals_.count_injected(1);
  platform::tasks_wait(1);
  platform::lock_guard guard(outside_lock_);
  idle_->wake_that(receiver);
  return true;
}

void team_base::become_ready(fibers::fiber& woken) noexcept {
  woken.become(fibers::fiber::state::blocked, fibers::fiber::state::ready);
  await_inspection();
}

void team_base::make_ready(fibers::fiber& woken) noexcept {
  become_ready(woken);
  make_ready_anywhere(woken);
}

void team_base::make_ready_where_it_waited(fibers::fiber& woken) noexcept {
  become_ready(woken);
  auto& receiver = static_cast<member&>(woken.here.current());
  if (woken.bound || !is_inside() || !receiver.returning.offer(woken)) return make_ready_anywhere(woken);
  platform::tasks_wait(1);
  idle_->wake_that(receiver);
}

void team_base::make_ready_anywhere(fibers::fiber& woken) noexcept {
  const task again{&fibers::resume_entry, &woken};
  auto* waker = static_cast<member*>(platform::current());
  if (waker != nullptr && &waker->team != this) waker = nullptr;
  const bool pinned = woken.here.is_pinned() || woken.bound;
  member& receiver = pinned ? static_cast<member&>(woken.here.current()) : waker != nullptr ? *waker : *members_[0];
  if (waker == nullptr) {
    platform::lock_guard guard(outside_lock_);
    const pool::advice advised = pinned ? pool::advice::refused : inject_again(again);
    if (advised != pool::advice::refused) {
      platform::tasks_wait(1);
      follow(advised, nullptr);
    } else {
      make_ready_in_mailbox(receiver, woken, again);
    }
  } else if (pinned || !put_again(*waker, again)) {
    make_ready_in_mailbox(receiver, woken, again);
  }
}

/// The fiber goes on on this worker, and brings the memory for it.
void team_base::make_ready_in_mailbox(member& receiver, fibers::fiber& woken, task again) noexcept {
  if (tracks_started) goes_on_without_pool(woken);
  woken.ready_node.held = again;
  platform::tasks_wait(1);
  receiver.mailbox.push(woken.ready_node);
  idle_->wake_that(receiver);
}

void team_base::run_without_memory(member& self, task refused, borrowed_closure* borrowed) {
  self.count(trace::counter::in_place_for_memory);
  if (borrowed != nullptr) platform::tasks_wait(1);  // it was never put
  if (give_way(self, refused, borrowed)) return;
  require_room(self);
  execute_in_place(self, refused);
}

void team_base::run_without_memory(member& self, borrowed_closure& borrowed) {
  const task running{[](worker& current, void* closure) {
                       auto& own = *static_cast<borrowed_closure*>(closure);
                       own.run(current, own);
                     },
                     &borrowed};
  run_without_memory(self, running, &borrowed);
}

void team_base::execute_in_place(member& self, task refused) {
  full_frame own;
  own.what = refused;
  const task_above now(*self.here, own);
  execute(self, refused);
}

namespace {

struct its_turn : fibers::awaited {
  const char* kind() const noexcept override { return "its turn, after a task that it put"; }
  bool only_tasks_end_it() const noexcept override { return true; }
};

void go_on_anywhere(void* left) {
  auto& ready = *static_cast<fibers::fiber*>(left);
  ready.home.make_ready(ready);
}

}  // namespace

bool team_base::can_give_way(member& self) {
  fibers::fiber* const own = self.own_carrier.running();
  return own != nullptr && own->here.no_suspend_scopes == 0 && self.own_carrier.keep_one();
}

void team_base::allocated(worker& current, std::ptrdiff_t bytes) {
  auto& self = static_cast<member&>(current);
  if (!is_over_quota(self, bytes) || !can_give_way(self)) return;
  const its_turn turn;
  self.own_carrier.suspend(turn, &go_on_anywhere, self.own_carrier.running());
}

bool team_base::give_way(member& self, task first, borrowed_closure* borrowed) {
  const its_turn turn;
  fibers::fiber* const own = self.own_carrier.running();
  if (own == nullptr || own->here.no_suspend_scopes != 0) return false;
  // Whose code keeps a handle on its worker goes on where that is valid.
  void (*const go_on)(void*) =
      own->here.kept_handles != 0 ? [](void* left) { stay_ready(*static_cast<fibers::fiber*>(left)); } : &go_on_anywhere;
  if (borrowed == nullptr) return self.own_carrier.suspend_for(first, turn, go_on, own);
  borrowed->creator = own;
  borrowed->go_on = go_on;
  if (self.own_carrier.suspend_for(first, turn, [](void*) {}, own)) return true;
  borrowed->go_on = nullptr;
  return false;
}

/// Effect: the fiber goes on on this worker. Pre: as make_ready; it ran here until now.
void team_base::stay_ready(fibers::fiber& woken) {
  auto& self = *static_cast<member*>(platform::current());
  self.team.become_ready(woken);
  if (self.team.tracks_started) self.team.goes_on_without_pool(woken);
  woken.ready_node.held = {&fibers::resume_entry, &woken};
  platform::tasks_wait(1);
  self.mailbox.push(woken.ready_node);
}

}  // namespace TEFF_NAMESPACE::workers
