// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/totals.h"

#include "queue/lane.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace TEFF_NAMESPACE::workers {

using enum trace::counter;

/// Returns: forked tasks that ran in place in the join of who offered them: counted neither as created nor as finished.
std::uint64_t run_totals::joined_by(const member& of) {
  return of.joined.value() + static_cast<const queue::lane*>(of.tasks)->joined();
}

void run_totals::begin() {
  finished_before_.assign(members_.size(), 0);
  created_before_.assign(members_.size(), 0);
}

std::uint64_t run_totals::progress(std::size_t workers_at_most) const {
  std::uint64_t sum = 0;
  // relaxed: whether it has changed is all that is asked.
  for (const member* each : std::span(members_).first(std::min(workers_at_most, members_.size())))
    sum += each->finished.load(platform::relaxed) + joined_by(*each) + each->stats.value(suspensions) +
           each->own_carrier.resumptions();
  return sum;
}

void run_totals::add_to(team_totals& totals) const {
  auto& sums = totals.counters;
  for (const member* each : members_) {
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
}

/// Effect: what tasks are estimated to have cost is taken off the program's own work, in which no clock has told it apart.
void run_totals::split_own_work(const member& of, const task_costs& costs, std::uint64_t (&parts)[account_part_count]) const {
  // relaxed, both: statistics.
  const std::uint64_t finished = of.finished.load(platform::relaxed) - finished_before_[of.id];
  const std::uint64_t created = of.created.load(platform::relaxed) - created_before_[of.id];
  const std::uint64_t joined = joined_by(of), in_place = std::min(of.stats.value(in_place_runs), finished);
  const auto take = [&](account_part to, std::uint64_t estimated) {
    std::uint64_t& own = parts[static_cast<unsigned>(account_part::own_work)];
    const std::uint64_t taken = std::min(own, estimated);
    own -= taken;
    parts[static_cast<unsigned>(to)] += taken;
  };
  take(account_part::put_get, (finished - in_place) * costs.put / 1000 + joined * costs.join / 1000 +
                                  in_place * costs.child / 1000 + of.account.puts.estimate(created + joined) +
                                  of.account.gets.estimate(finished - in_place));
  take(account_part::fibers, of.stats.value(suspensions) * costs.suspension / 1000);
}

/// Sums are rounded, not parts: so the parts add up to the whole.
void run_totals::add_account_to(team_totals& totals, std::uint64_t since, std::uint64_t now, const task_costs& costs) const {
  totals.account_ns = platform::account_ns(now - since);
  std::vector<const platform::ledger*> ledgers;
  for (const member* each : members_) {
    ledgers.push_back(&each->account);
    std::uint64_t spent[account_part_count];
    each->account.read(since, now, spent);
    std::uint64_t sum = 0, sum_ns = 0;
    auto& parts = totals.account.emplace_back();
    for (unsigned which = 0; which < account_part_count; ++which) {
      const std::uint64_t before = sum_ns;
      sum_ns = platform::account_ns(sum += spent[which]);
      parts[which] = sum_ns - before;
    }
    if constexpr (platform::ledger::base == account_part::own_work) {
      std::copy(parts.begin(), parts.end(), std::begin(spent));
      split_own_work(*each, costs, spent);
      std::copy(std::begin(spent), std::end(spent), parts.begin());
    }
  }
  totals.resources = platform::shared_resources(ledgers);
  // Natively some acquisitions stand for all.
  for (shared_resource& each : totals.resources) each.busy = std::min(each.busy, totals.account_ns);
  const auto comes_first = [](const shared_resource& a, const shared_resource& b) {
    return a.busy != b.busy ? a.busy > b.busy : a.name < b.name;
  };
  std::sort(totals.resources.begin(), totals.resources.end(), comes_first);
}

void run_totals::complete(team_totals& totals) {
  const auto of = [&](trace::counter which) { return totals.counters[static_cast<unsigned>(which)]; };
  const std::uint64_t otherwise = of(run_first) + of(in_place_for_memory) + of(in_place_runs) + of(steals_got) + of(injections);
  totals.counters[static_cast<unsigned>(local_gets)] = of(tasks_run) > otherwise ? of(tasks_run) - otherwise : 0;
}

void run_totals::reset() {
  for (member* each : members_) {
    each->stats.clear();
    each->joined.clear();
    static_cast<queue::lane*>(each->tasks)->clear_joined();
    // relaxed: statistics.
    finished_before_[each->id] = each->finished.load(platform::relaxed);
    created_before_[each->id] = each->created.load(platform::relaxed);
  }
  inits_.clear();
  injections_.store(0, platform::relaxed);  // relaxed: statistics
}

}  // namespace TEFF_NAMESPACE::workers
