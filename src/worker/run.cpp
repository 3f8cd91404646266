// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A run of a team: its begin, who finds its end, and what it tells.
#include "platform/tuning.h"
#include "worker/team.h"

#include <utility>

namespace TEFF_NAMESPACE::workers {

run_result team_base::run() {
  // acquire: pairs with the release of who ran it before; what that left is visible.
  if (is_inside() || running_.exchange(true, platform::acq_rel)) return run_result::nested;
  const platform::uncancelled as_long_as_it_runs;
  take_exception();  // of a run that could not end
  set_stuck(false);
  turns_at_ = turn_ = 0;
  // relaxed: the workers see these by [run].
  result_.store(run_result::finished, platform::relaxed);
  stop_.store(false, platform::relaxed);
  left_.store(0, platform::relaxed);
  watchdog_.begin_run();
  signal_stack_.lend();
  taking_part_.open();

  auto* const outer = static_cast<worker*>(platform::current());
  platform::ledger* const outer_account = platform::ledger_here();  // of the worker whose task calls this
  const account_part outer_part = outer_account != nullptr ? outer_account->going_on() : account_part::outside_runs;
  stand_for(members_[0].get());
  {
    const platform::no_jump_across as_worker(
        "teff: a task left the run of its team by longjmp, and the team without a worker: let the task return, and jump when run "
        "has\n");
    carry(*members_[0]);
  }
  stand_for(outer);
  platform::bind_ledger(outer_account);
  if (outer_account != nullptr) outer_account->enter(outer_part);

  const char* const what = "the caller of run: the other workers to leave";
  // Who leaves last has seen the end, and with it how many take part.
  const auto all_have_left = [this](std::uint32_t left) { return taking_part_.is_over() && left == taking_part_.count(); };
  platform::spin_until_for(left_, all_have_left, tuning::idle_spin_rounds, what);
  // [left]
  for (std::uint32_t left; !all_have_left(left = left_.load(platform::acquire));) platform::park(left_, left, what);
  members_[0]->account.was(account_part::parked);  // the caller waited for the others
  termination_.await_closers();
  // A foreign thread may be on its way out of make_ready for a fiber that has finished since.
  {
    platform::lock_guard guard(outside_lock_);
  }
  watchdog_.end_run();
  signal_stack_.take_back();
  next_initial_ = 0;
  const run_result result = result_.load(platform::relaxed);  // relaxed: ordered by [left]
  if (result == run_result::stuck) {
    set_stuck(true);
    explanation_ = watchdog_.explain_end(explanation_text_);
    platform::say({"teff: ", explanation_});
  }
  running_.store(false, platform::release);  // release: for the next to run it
  return result;
}

std::exception_ptr team_base::take_exception() {
  exception_kept_.store(false, platform::relaxed);  // relaxed: between runs
  return std::exchange(first_exception_, nullptr);
}

/// The last to arrive asks. Returns: whether nothing can go on, and no kept worker has a turn left.
bool team_base::is_stuck() {
  platform::lock_guard guard(outside_lock_);
  // While somebody may come nothing stays as it is read.
  if (!taking_part_.all_take_part()) {
    if (idle_->all_asleep() && live() != 0 && !termination_.has_open_source() && !timers_.pending()) taking_part_.call_all();
    return false;
  }
  const std::uint32_t wakes = idle_->wake_count();
  if (!idle_->all_asleep() || give_turn() || !is_quiet()) return false;
  const bool hopeless = watchdog_.nobody_can_help();
  if (!hopeless) watchdog_.expect_outsider();
  return hopeless && idle_->wake_count() == wakes;
}

bool team_base::is_quiet() {
  return taking_part_.all_take_part() && idle_->all_asleep() && live() != 0 && !termination_.has_open_source() &&
         !timers_.pending();
}

void team_base::declare_stop(run_result why) {
  // Two workers may find the end at once, if one was woken and announced again while the other counted: they find the same.
  // relaxed: ordered by stop_, which is released.
  result_.store(why, platform::relaxed);
  taking_part_.close();
  stop_.store(true, platform::release);
  idle_->wake_root();  // who leaves wakes others
}

/// Effect: the time account begins anew. Pre: no run is going on, or has begun.
void team_base::restart_account() {
  account_since_ = platform::account_now();
  for (const auto& each : members_) each->account.restart(account_since_);
  platform::restart_resources();
}

team_totals team_base::totals(std::uint64_t now) const {
  team_totals totals;
  const task_costs* const costs = costs_.load(platform::acquire);  // [costs]
  totals_.add_account_to(totals, account_since_, now, costs != nullptr ? *costs : task_costs{});
  totals_.add_to(totals);
  totals.peak_fibers = all.peak();
  add_pool_totals(totals);
  run_totals::complete(totals);
  return totals;
}

void team_base::reset_totals() {
  restart_account();
  totals_.reset();
  all.reset_peak();
  reset_pool_totals();
}

}  // namespace TEFF_NAMESPACE::workers
