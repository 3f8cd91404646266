// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a task becomes ready otherwise than by a put: from outside, when what it waited for has come, or by giving way to one that it
/// put. `loop.h` has the puts.
#include "worker/team.h"

namespace teff::inline TEFF_PLATFORM::workers {

void team_base::open_source() { open_sources_.fetch_add(1, platform::acq_rel); }

void team_base::close_source() {
  if (!is_of_this_process()) return;  // a child of fork(): who held the lock may be in its parent
  closing_.fetch_add(1, platform::relaxed);  // ordered by [source]
  // [source] release: who sees the source closed sees what came through it, and that this thread is still here.
  open_sources_.fetch_sub(1, platform::acq_rel);
  // The run may be waiting for this alone: a woken worker looks, announces again, and finds the end.
  wake_from_outside();
  // [closed] release: from here on the team may be gone.
  closing_.fetch_sub(1, platform::release);
}

void team_base::wake_from_outside() {
  platform::lock_guard guard(outside_lock_);
  idle_->wake_one(0, nullptr);
}

bool team_base::inject(task ready) {
  outside_created_.fetch_add(1, platform::release);  // before it can be taken: created is never less than finished
  if (!inject_into_pool(ready)) {
    outside_created_.fetch_sub(1, platform::release);
    return false;
  }
  injections_.fetch_add(1, platform::relaxed);
  wake_from_outside();
  return true;
}

bool team_base::make_ready(unsigned worker_id, task ready) {
  outside_created_.fetch_add(1, platform::release);
  member& receiver = *members_[worker_id];
  if (!receiver.mailbox.push(ready)) {
    outside_created_.fetch_sub(1, platform::release);
    return false;
  }
  injections_.fetch_add(1, platform::relaxed);
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
    if (!pinned && inject_into_pool(again)) idle_->wake_one(0, nullptr);
    else make_ready_in_mailbox(receiver, woken, again);
  } else if (pinned || !put_again(*waker, again)) {
    make_ready_in_mailbox(receiver, woken, again);
  }
}

/// The fiber goes on on this worker, and brings the memory for it.
void team_base::make_ready_in_mailbox(member& receiver, fibers::fiber& woken, task again) noexcept {
  woken.ready_node.held = again;
  receiver.mailbox.push(woken.ready_node);
  idle_->wake_that(receiver);
}

void team_base::run_without_memory(member& self, task refused) {
  self.count(trace::counter::in_place_for_memory);
  if (give_way(self, refused)) return;
  require_room(self);
  execute_in_place(self, refused);
}

void team_base::run_without_memory(member& self, lent_closure& lent) {
  self.count(trace::counter::in_place_for_memory);
  const task running{[](worker& current, void* closure) {
                       auto& own = *static_cast<lent_closure*>(closure);
                       own.run(current, own);
                     },
                     &lent};
  if (give_way(self, running, &lent)) return;
  require_room(self);
  execute_in_place(self, running);
}

void team_base::execute_in_place(member& self, task refused) {
  full_frame own;
  own.what = refused;
  const task_above now(*self.here, own);
  execute(self, refused);
}

bool team_base::give_way(member& self, task first, lent_closure* lent) {
  struct : fibers::awaited {
    const char* kind() const noexcept override { return "its turn, after a task that it put"; }
    bool only_tasks_end_it() const noexcept override { return true; }
  } turn;
  fibers::fiber* const own = self.own_carrier.running();
  if (own == nullptr || own->here.no_suspend_scopes != 0) return false;
  // Whose code keeps a handle on its worker goes on where that is valid.
  void (*const go_on)(void*) = own->here.kept_handles != 0
                                   ? [](void* left) { stay_ready(*static_cast<fibers::fiber*>(left)); }
                                   : [](void* left) {
                                       auto& ready = *static_cast<fibers::fiber*>(left);
                                       ready.home.make_ready(ready);
                                     };
  if (lent == nullptr) return self.own_carrier.suspend_for(first, turn, go_on, own);
  lent->creator = own;
  lent->go_on = go_on;
  if (self.own_carrier.suspend_for(first, turn, [](void*) {}, own)) return true;
  lent->go_on = nullptr;
  return false;
}

/// Effect: the fiber goes on on this worker. Pre: as make_ready; it ran here until now.
void team_base::stay_ready(fibers::fiber& woken) {
  auto& self = *static_cast<member*>(platform::current());
  self.team.become_ready(woken);
  woken.ready_node.held = {&fibers::resume_entry, &woken};
  self.mailbox.push(woken.ready_node);
}

}  // namespace teff::inline TEFF_PLATFORM::workers
