// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/guest.h"

#include "worker/team.h"

#include <algorithm>
#include <span>
#include <utility>

namespace TEFF_NAMESPACE::workers {

/// Returns: a worker to carry, if it sleeps: of the first ones that whose thread went to sleep on the caller's processor, else
/// worker 0 (idle/README.md, *Where a woken worker starts*).
member& team_base::to_be_carried() const {
  constexpr unsigned looked_at = 8;  // an empty call takes as long as looks at some tens that are in other caches
  const std::uint64_t here = platform::processor_here();
  const std::span first(members_.data(), std::min(looked_at, taking_part_.called_first()));
  const auto found = std::ranges::find_if(first, [here](const auto& each) {
    // relaxed: a hint, as whether it is asleep is decided by borrow.
    return each->word.load(platform::relaxed) == sleepers::asleep && each->home_slept_on.value() == here;
  });
  return found != first.end() ? **found : *members_[0];
}

bool team_base::run_on_caller(const task& root, guest& caller) {
  // A task of another team would wait as a fiber. Pools that keep track of what has begun have to give the task out themselves;
  // workers that are pinned run nothing elsewhere.
  if (platform::current() != nullptr || tracks_started || shape_.pin != pool::pinning::none) return false;
  // relaxed, both: hints, so that a call of a busy team looks no further; the exchange and borrow decide.
  if (has_guest_.load(platform::relaxed) || idle_->sleeping().load(platform::relaxed) == 0) return false;
  member& lent = to_be_carried();
  caller.outside_with_it = termination_.from_outside() + 1;  // before the sums
  // relaxed: a hint, as whether it is asleep is decided by borrow.
  if (lent.word.load(platform::relaxed) != sleepers::asleep || termination_.live(taking_part_) != 0) return false;
  // [guest] acquire: the last one has given its worker back, and what there is one of for all guests.
  if (has_guest_.exchange(true, platform::acquire)) return false;
  if (!idle_->borrow(lent)) {
    has_guest_.store(false, platform::release);  // [guest]
    return false;
  }

  caller.loan = lent.own_carrier.lend();
  become(&lent);
  lent.searches.store(false, platform::relaxed);  // relaxed: for samples; its thread sleeps in a search
  signal_stack_of_calls_.lend();
  // A worker whose own thread has no stack for a fiber runs tasks on that thread alone.
  fibers::fiber* const base = caller.loan.running != nullptr ? lent.own_carrier.take_base_of_calls() : nullptr;
  if (base == nullptr) {
    give_back(lent, caller);
    return false;
  }
  lent.carried_by = &caller;
  lent.special = worker_head::is_on_a_caller;
  caller.carries.store(&lent, platform::relaxed);  // relaxed: seen by way of the task
  termination_.created_outside(1);
  totals_.count_injected(1);
  fibers::thread_stack own;
  {
    const platform::no_jump_across as_worker(
        "teff: a task left the call in which it ran by longjmp, and its team without a worker: let it return, and jump then\n");
    if (lent.own_carrier.carry_call(own, *base, root) == fibers::carried::ended) give_back(lent, caller);
  }
  if (caller.has_a_call) calls_.end_one();  // this thread has come back from it
  return true;
}

void team_base::end_on_caller(guest& caller) {
  auto& self = *static_cast<member*>(platform::current());
  caller.over.store(true, platform::release);
  // relaxed: a worker that has just been given back is woken in vain.
  member* const carried = caller.carries.load(platform::relaxed);
  if (carried != nullptr && carried != &self) idle_->wake_that(*carried);
}

/// Effect: the worker's own thread has it again, and the calling one stands for none; another one may carry a worker. Threads:
/// the guest, which carries it.
void team_base::give_back(member& lent, guest& caller) {
  lent.own_carrier.take_back(caller.loan);
  lent.carried_by = nullptr;
  lent.special = 0;
  caller.carries.store(nullptr, platform::relaxed);  // relaxed: a hint
  lent.searches.store(true, platform::relaxed);      // relaxed: likewise
  become(nullptr);
  lent.account.enter(account_part::parked);
  signal_stack_of_calls_.take_back();
  idle_->give_back(lent, caller.leaves_asleep);
  has_guest_.store(false, platform::release);  // [guest]
}

void team_base::go_on_elsewhere(member& self) {
  struct : fibers::awaited {
    const char* kind() const noexcept override { return "a thread of the team, to go on there"; }
    bool only_tasks_end_it() const noexcept override { return true; }
  } a_thread;
  require_own_process();
  guest* const caller = self.carried_by;
  const fibers::fiber* const own = self.own_carrier.running();
  if (caller == nullptr || self.pinned != 0 || own == nullptr || own->here.no_suspend_scopes != 0 || own->here.kept_handles != 0)
    return;
  fibers::departure away = self.own_carrier.depart(a_thread);
  give_back(self, *caller);
  away.come_back();
}

void guest::end_loop(worker& current, void*) {
  if (current.discarding()) return;
  auto& self = static_cast<member&>(current);
  self.ends_loop = false;
  if (self.carried_by != nullptr && self.own_carrier.keep_one()) self.own_carrier.begin_anew();
  // It is no task of the program's, and counted when it returns.
  self.created.add_alone(1, platform::relaxed);  // [created]
  self.team.go_on_elsewhere(self);
}

bool guest::must_go_on(const task& found) {
  if (found.entry != &fibers::resume_entry) return false;
  const auto& ready = *static_cast<const fibers::fiber*>(found.argument);
  return ready.bound || ready.here.is_pinned() || ready.here.kept_handles != 0;
}

bool guest::may_go_on(member& self, const fibers::fiber& ready) {
  if (ready.of_a_call || must_go_on({&fibers::resume_entry, const_cast<fibers::fiber*>(&ready)})) return true;
  // A forked task: who forked it waits for it, and so does the call.
  if (ready.frame.group == nullptr || ready.frame.what.entry == &run_child) return false;
  if (!std::exchange(self.ends_loop, true)) {
    self.end_of_loop.held = {&end_loop, nullptr};
    platform::tasks_wait(1);
    self.mailbox.push(self.end_of_loop);
  }
  return true;
}

}  // namespace TEFF_NAMESPACE::workers
