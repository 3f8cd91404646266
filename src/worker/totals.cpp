// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a team counts, and the end of a run, which is found by that: idle/README.md has the proofs.
#include "worker/team.h"

namespace TEFF_NAMESPACE::workers {

std::uint64_t team_base::sum_finished() const {
  std::uint64_t sum = 0;
  for (const auto& each : members_) sum += each->finished.load(platform::acquire);  // [finished]
  return sum;
}

std::uint64_t team_base::sum_created() const {
  // relaxed: what those that finished created is visible by [finished], which the caller has read before.
  std::uint64_t sum = outside_created_.load(platform::acquire);
  for (const auto& each : members_) sum += each->created.load(platform::relaxed);
  return sum;
}

std::uint64_t team_base::joined_by(const member& of) {
  return of.joined.value() + static_cast<const queue::lane*>(of.tasks)->joined();
}

std::uint64_t team_base::sum_joined() const {
  std::uint64_t sum = 0;
  for (const auto& each : members_) sum += joined_by(*each);
  return sum;
}

bool team_base::all_finished() const {
  // acquire: pairs with who closes a source: what came by it is counted.
  if (open_sources_.load(platform::acquire) != 0) return false;
  const std::uint64_t finished = sum_finished();
  return finished == sum_created();
}

bool team_base::is_quiet() {
  if (!idle_->all_asleep()) return false;
  const std::uint64_t finished = sum_finished();
  return finished != sum_created() && open_sources_.load(platform::seq_cst) == 0 && !timers_.pending();
}

bool team_base::is_stuck() {
  platform::lock_guard guard(outside_lock_);
  const std::uint32_t wakes = idle_->wake_count();
  if (!idle_->all_asleep() || give_turn() || !is_quiet()) return false;
  const bool hopeless = watchdog_.nobody_can_help();
  if (!hopeless) watchdog_.expect_outsider();
  return hopeless && idle_->wake_count() == wakes;
}

void team_base::declare_stop(run_result why) {
  // Two workers may find the end at once, if one was woken and announced again while the other counted: they find the same.
  // relaxed: ordered by stop_, which is released.
  result_.store(why, platform::relaxed);
  stop_.store(true, platform::release);
  idle_->wake_all();
}

team_totals team_base::totals() const {
  using enum trace::counter;
  team_totals totals;
  auto& sums = totals.counters;
  for (const auto& each : members_) {
    for (unsigned which = 0; which < trace::counter_count; ++which)
      sums[which] += each->stats.value(static_cast<trace::counter>(which));
    const std::uint64_t joined = joined_by(*each);
    // relaxed: statistics.
    const std::uint64_t run = each->finished.load(platform::relaxed) - finished_before_[each->id] + joined;
    sums[static_cast<unsigned>(tasks_run)] += run;
    // relaxed: statistics.
    sums[static_cast<unsigned>(puts)] += each->created.load(platform::relaxed) - created_before_[each->id] + joined;
    sums[static_cast<unsigned>(in_place_runs)] += joined;
    totals.tasks_by_worker.push_back(run);
  }
  sums[static_cast<unsigned>(inits)] = inits_.value();
  sums[static_cast<unsigned>(injections)] = injections_.load(platform::relaxed);  // relaxed: statistics
  totals.peak_fibers = all.peak();
  add_pool_totals(totals);
  const auto of = [&](trace::counter which) { return sums[static_cast<unsigned>(which)]; };
  const std::uint64_t otherwise = of(run_first) + of(in_place_for_memory) + of(in_place_runs) + of(steals_got) + of(injections);
  sums[static_cast<unsigned>(local_gets)] = of(tasks_run) > otherwise ? of(tasks_run) - otherwise : 0;
  return totals;
}

void team_base::reset_totals() {
  for (const auto& each : members_) {
    each->stats.clear();
    each->joined.clear();
    static_cast<queue::lane*>(each->tasks)->clear_joined();
    // relaxed: statistics.
    finished_before_[each->id] = each->finished.load(platform::relaxed);
    created_before_[each->id] = each->created.load(platform::relaxed);
  }
  inits_.clear();
  all.reset_peak();
  injections_.store(0, platform::relaxed);  // relaxed: statistics
  reset_pool_totals();
}

}  // namespace TEFF_NAMESPACE::workers
