// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a region's opener adds up of it, when it is over: clock.h.
#include "compat/openmp/clock.h"
#include "compat/openmp/team.h"

namespace TEFF_NAMESPACE::openmp {

void activity_clock::open(const void* region) {
  plan_call(opened_, region, region != nullptr ? &regions->at({region, nullptr}) : nullptr);
  opened_.began_ns = platform::now_ns();
}

std::uint64_t activity_clock::spent(activity on) const {
  const std::uint64_t known = spent_[static_cast<unsigned>(on)].value(), since = since_.value(), ended = ended_.value();
  return on == activity::idle && ended > since ? known + ended - since : known;
}

/// A hint, as it is read while the member may stand up: then it says what was before, or what is shorter than that.
account_part activity_clock::waits_in() const {
  return account_.going_on() == account_part::parked ? account_part::parked : account_part::searching_alone;
}

void activity_clock::read_account(std::uint64_t (&parts)[account_part_count]) const {
  const account_part waits = waits_in();  // before the parts, which have it when it has changed
  std::uint64_t known = 0;
  for (unsigned which = 0; which < account_part_count; ++which) {
    parts[which] = account_.spent(static_cast<account_part>(which));
    if (which != static_cast<unsigned>(account_part::outside_runs)) known += parts[which];
  }
  parts[static_cast<unsigned>(waits)] += ends_with_.value() - std::min(ends_with_.value(), known);
  account_.apply_estimates(parts);
}

/// By the opener: the member may not have left the region's last barrier when the process ends.
void activity_clock::add_to(call_sums& sums, std::uint64_t ended_ns) {
  using numbers = region_numbers;
  const account_part waits = waits_in();  // as in read_account
  const std::uint64_t elapsed = ended_ns - first_.opened_.began_ns;
  // Tasks since it looked last, if it has not looked when its parts are read.
  const std::uint64_t looked_tasks = looked_tasks_.value(), tasks = std::max(looked_tasks, tasks_.value());
  const std::uint64_t unlooked = first_.opened_.usual_ns(tasks - looked_tasks);
  const std::uint64_t short_searches = short_searches_.value();
  const bool searches = searching_.load(platform::acquire);  // [search]
  std::uint64_t all = inner_.value(), before = 0, elsewhere = inner_.value();
  for (unsigned which = 0; which < static_cast<unsigned>(account_part::outside_runs); ++which) {
    const std::uint64_t spent = account_.spent(static_cast<account_part>(which)) - parts_before_[which];
    sums[numbers::parts + which] += kept_parts_[which].value() + spent;
    all += kept_parts_[which].value() + spent;
    before += parts_before_[which];
    elsewhere += kept_parts_[which].value();
  }
  // A search or a sleep that is not over is in no part yet, nor what went before the member came; nor tasks since it looked last.
  const std::uint64_t rest = elapsed - std::min(elapsed, all), began = first_.opened_.began_ns;
  const std::uint64_t late = std::max(came_.value(), began) - began;
  const std::uint64_t asleep = waits == account_part::parked ? rest - std::min(rest, late) : 0;
  sums[numbers::parts + static_cast<unsigned>(account_part::parked)] += asleep;
  sums[numbers::parts + static_cast<unsigned>(account_part::searching_alone)] += rest - asleep;
  ends_with_.set(before + elapsed - std::min(elapsed, late + elsewhere));
  ended_.set(ended_ns);
  sums[numbers::short_searches] += searches ? short_searches_.value() : short_searches + std::min(rest, unlooked);
  const auto looks = [&](activity on) { return kept_looks_[static_cast<unsigned>(on)].value() + looks_since(on); };
  sums[numbers::own_looks] += looks(activity::implicit) + looks(activity::task);
  sums[numbers::implicit_looks] += looks(activity::implicit);
  sums[numbers::other_looks] += looks(activity::runtime);
  sums[numbers::short_thefts] += short_thefts_.value();
  sums[numbers::idle_looks] += looks(activity::idle) - std::min(looks(activity::idle), looks_in_vain_.value());
  sums[numbers::tasks] += tasks_.value();
  sums[numbers::inner] += inner_.value();
  sums[numbers::own] += own_.value();
  sums[numbers::longest_own] = std::max(sums[numbers::longest_own], own_.value());
  sums[numbers::implicit] += implicit_.value();
  sums[numbers::overhead] += overhead_.value();
  sums[numbers::overhead_looks] += overhead_looks_.value();
  sums[numbers::lost_idle] += lost_idle_.value();
}

void activity_clock::end_region(const team& over) {
  if (region_ == nullptr) return;
  change(now_);
  const std::uint64_t elapsed = since_.value() - opened_.began_ns;
  call_sums sums = {};
  std::uint64_t long_code = 0, chain_code = 0;
  const auto raise = [&](region_numbers::which longest, std::uint64_t& code, const platform::statistic& its_ns,
                         const platform::statistic& its_code) {
    if (its_ns.value() <= sums[longest]) return;
    sums[longest] = its_ns.value();
    code = its_code.value();
  };
  for (unsigned number = 0; number < over.size; ++number) {
    activity_clock& each = *over.members[number].clock;
    each.add_to(sums, since_.value());
    raise(region_numbers::long_task, long_code, each.longest_task_, each.longest_code_);
    raise(region_numbers::chains, chain_code, each.chain_, each.chain_code_);
  }
  site<region_numbers>& of = *opened_.numbers;
  region_numbers::raise(of, region_numbers::longest_task, sums[region_numbers::long_task], long_code);
  region_numbers::raise(of, region_numbers::longest_chain, sums[region_numbers::chains], chain_code);
  add_call(opened_, over.size, elapsed, sums);
}

}  // namespace TEFF_NAMESPACE::openmp
