// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/keeper.h"

#include "platform/ends.h"
#include "runtime/environment.h"
#include "runtime/make_team.h"
#include "runtime/task_cost.h"

#include <cstdlib>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace TEFF_NAMESPACE::runtime {

constinit platform::atomic<keeper*> keeper::newest_{nullptr};

keeper& keeper::of_this_process() {
  for (;;) {
    // acquire: pairs with the exchange below: who finds a keeper sees it as it was made.
    keeper* seen = newest_.load(platform::acquire);
    if (seen != nullptr && seen->made_in_ == platform::process_generation()) return *seen;
    // One of the parent process stays reachable: it is no leak. Its lock may be held for ever, so nothing of it is touched.
    std::unique_ptr<keeper> made(new keeper(seen));
    if (newest_.compare_exchange(seen, made.get(), platform::acq_rel)) return *made.release();  // release: for the load above
  }
}

entrance& keeper::enter() {
  const platform::uncancelled while_it_is_made;
  platform::lock_guard guard(lock_);
  if (open_ == nullptr) open_ = make();
  ++visits_;
  ++visits_begun_;
  return *open_;
}

void keeper::leave() {
  platform::lock_guard guard(lock_);
  --visits_;
}

std::unique_ptr<entrance> keeper::make() {
  std::vector<std::string> complaints;
  variables given = teff_variables();
  // Each team reads these itself, and says the same.
  std::erase_if(given, [](const auto& each) { return each.first == "TEFF_DISPLAY" || each.first == "TEFF_WATCHDOG"; });
  const wishes wanted = understand_environment(given, complaints);
  for (const std::string& each : complaints) platform::say("teff: " + each + "\n");
  team_plan plan;
  if (std::string wrong = understand(wanted.team, plan); !wrong.empty()) throw usage_error(wrong);
  auto team = make_team(wanted.team, plan);
  tell_refused_threads(*team, plan);
  auto made = std::make_unique<entrance>(std::move(team));
  says_stats_ = wanted.stats;
  memory_ = wanted.team.memory;
  if (says_stats_) made->team().expect_costs(costs_of_tasks(memory_));  // the end of the process is no time to measure that
  std::atexit(
      &end_at_exit);  // before the destructors of static objects that are older than this call, and when the library is closed
  return made;
}

namespace {

std::string text_of(const statistics& counted) {
  std::string text = "teff: the default team, " + std::to_string(counted.tasks_by_worker.size()) + " workers:";
  for (const counter_value& each : counted.counters) {
    if (each.value != 0) text += " " + std::string(each.name) + " " + std::to_string(each.value) + ",";
  }
  for (const time_part& each : counted.account) {
    if (const std::uint64_t ns = counted.spent(each.name); ns != 0)
      text += " " + std::string(each.name) + "_ns " + std::to_string(ns) + ",";
  }
  return text + " peak_fibers " + std::to_string(counted.peak_fibers) + "\n";
}

}  // namespace

std::optional<std::uint64_t> keeper::visits_if_none_goes_on() noexcept {
  // acquire: as in of_this_process.
  keeper* const seen = newest_.load(platform::acquire);
  if (seen == nullptr || seen->made_in_ != platform::process_generation()) return 0;
  platform::lock_guard guard(seen->lock_);
  if (seen->visits_ != 0) return std::nullopt;
  return seen->visits_begun_;
}

bool keeper::end() {
  std::unique_ptr<entrance> ended;
  std::string text;
  {
    platform::lock_guard guard(lock_);
    if (visits_ != 0 || (open_ != nullptr && open_->owns_this_thread())) return false;
    if (open_ == nullptr) return true;
    // No call goes on, so the counts are exact. Where memory is refused for them, nothing has happened.
    if (says_stats_) text = text_of(detail::statistics_of(open_->team(), platform::account_now()));
    ended = std::move(open_);
  }
  ended.reset();
  platform::say(text);
  return true;
}

statistics keeper::stats() {
  platform::lock_guard guard(lock_);
  if (open_ == nullptr) return {};
  const std::uint64_t now = platform::account_now();
  open_->team().expect_costs(costs_of_tasks(memory_));
  return detail::statistics_of(open_->team(), now);
}

/// Calls that are going on belong to threads that the process will end, or to a task that calls exit: their team is left to the
/// system.
void keeper::end_at_exit() {
  // acquire: pairs with the exchange in of_this_process.
  keeper* const last = newest_.load(platform::acquire);
  if (last->made_in_ != platform::process_generation()) return;
  try {
    last->end();
  } catch (const std::bad_alloc&) {
    return;  // nothing has happened: the team is left to the system
  }
}

}  // namespace TEFF_NAMESPACE::runtime
