// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/region_calls.h"

#include "compat/openmp/clock.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace TEFF_NAMESPACE::openmp {

namespace {

using numbers = region_numbers;

/// Whether the next call is measured, of a region that had so many. A product in place of the mixing would not do: regions come
/// in turn, and their calls would be met by the turn. Steele, Lea, Flood (2014), splitmix64.
bool is_chosen(std::uint64_t number, std::uint64_t calls) {
  std::uint64_t bits = number * 0x9E3779B97F4A7C15;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
  return (bits ^ (bits >> 31)) % std::min(calls / 2, calls_one_in) == 0;
}

constexpr unsigned number_of(account_part part) { return numbers::parts + static_cast<unsigned>(part); }

/// Parts of the account that nobody tells apart in a pause: the members' *divided* time. All others are known, as are searches
/// in vain, and thefts in them; but looks at others' queues that bring nothing, before such a search begins, are divided,
/// whatever they saw.
constexpr unsigned divided[] = {number_of(account_part::own_work), number_of(account_part::put_get),
                                number_of(account_part::searching_alone), number_of(account_part::stealing)};

/// What is known of the calls of a region that were only counted by those that stand for them: as much of their divided time.
class typical_call {
 public:
  explicit typical_call(const site<numbers>& of) : of_(of), look_ns_(static_cast<double>(look_ns())) {
    const double looks = raw(numbers::own_looks) + raw(numbers::other_looks) + raw(numbers::idle_looks);
    const auto counted = static_cast<double>(of[numbers::counted_tasks]);
    if (counted != 0 && looks != 0) {
      // By so much longer were those with looks, for as many tasks.
      double longer = -static_cast<double>(of[numbers::counted_divided]) * raw(numbers::tasks) / counted;
      for (const unsigned part : divided) longer += raw(part);
      longer -= raw(number_of(account_part::searching_alone)) - raw(numbers::short_searches);
      longer -= raw(number_of(account_part::stealing)) - raw(numbers::short_thefts);
      look_ns_ = std::clamp(longer / looks, look_ns_, look_at_most * look_ns_);
    }
    for (const unsigned part : divided) time_ += without_looks(part);
  }

  /// Returns: what there is of that in so much divided time.
  double in(double time, unsigned number) const { return time_ > 0 ? time / time_ * without_looks(number) : 0; }
  /// Returns: how much there is of that for so many tasks.
  double time_of(double tasks) const { return time_ * tasks / std::max(1.0, raw(numbers::tasks)); }

 private:
  double raw(unsigned number) const { return static_cast<double>(of_.numbers[numbers::sampled + number].value()); }
  double without(unsigned number, numbers::which looks) const { return std::max(0.0, raw(number) - look_ns_ * raw(looks)); }
  double without_looks(unsigned number) const;

  const site<numbers>& of_;
  double look_ns_, time_ = 0;
};

double typical_call::without_looks(unsigned number) const {
  switch (number) {
    case numbers::own:
    case number_of(account_part::own_work):
      return without(number, numbers::own_looks);
    case numbers::longest_own:
      return raw(number) * without(numbers::own, numbers::own_looks) / std::max(1.0, raw(numbers::own));
    case numbers::implicit:
      return without(number, numbers::implicit_looks);
    case numbers::overhead:
      return without(number, numbers::overhead_looks);
    case number_of(account_part::put_get):
      return without(number, numbers::other_looks);
    case number_of(account_part::searching_alone):
      return without(numbers::short_searches, numbers::idle_looks);
    case number_of(account_part::stealing):
      return raw(numbers::short_thefts);
    case numbers::lost_idle:  // that of others is known
    case numbers::short_searches:
    case numbers::short_thefts:
    case numbers::own_looks:
    case numbers::implicit_looks:
    case numbers::overhead_looks:
    case numbers::other_looks:
    case numbers::idle_looks:
      return 0;
    default:
      return raw(number);
  }
}

/// Effect: says what there is of everything for measured_first tasks.
void describe_usual(region_call& next) {
  const typical_call typical(*next.numbers);
  const double time = typical.time_of(measured_first);
  const auto set = [&](auto kind, double ns) { next.usual[static_cast<unsigned>(kind)] = static_cast<std::uint64_t>(ns); };
  const double own = typical.in(time, numbers::own), implicit = std::min(own, typical.in(time, numbers::implicit));
  set(activity::implicit, implicit);
  set(activity::task, own - implicit);
  set(activity::runtime, typical.in(time, numbers::overhead));
  set(activity::idle, typical.in(time, number_of(account_part::searching_alone)));
  set(thieving, typical.in(time, number_of(account_part::stealing)));
}

/// Whether what is measured takes much of the call's time. If so, it has tasks.
bool is_brief(std::uint64_t elapsed, const call_sums& sums) {
  return !platform::clock_is_free && elapsed < brief_ns && sums[numbers::inner] == 0 && sums[numbers::tasks] != 0 &&
         sums[numbers::own] + sums[numbers::overhead] < fine_ns * sums[numbers::tasks];
}

/// Effect: of the sums of a call that was only counted, what is known stays; the rest is told by others.
void forget_divided(site<numbers>& to, call_sums& sums) {
  std::uint64_t& searching = sums[number_of(account_part::searching_alone)];
  std::uint64_t& stealing = sums[number_of(account_part::stealing)];
  const std::uint64_t in_vain = searching - std::min(searching, sums[numbers::short_searches]);
  const std::uint64_t behind_those = stealing - std::min(stealing, sums[numbers::short_thefts]);
  const std::uint64_t lost_idle = sums[numbers::lost_idle];
  std::uint64_t time = 0;
  for (const unsigned part : divided) time += std::exchange(sums[part], 0);
  to[numbers::counted_divided].add(time - in_vain - behind_those);
  std::fill(sums + numbers::tasks + 1, sums + numbers::parts, 0);
  searching = in_vain;
  stealing = behind_those;
  sums[numbers::lost_idle] = lost_idle;
}

}  // namespace

void plan_call(region_call& next, const void* region, site<numbers>* of) {
  next.region = region;
  next.numbers = of;
  ++next.number;
  next.stands_for = 1;
  next.unlike_ns = never_unlike_ns;
  std::fill(std::begin(next.usual), std::end(next.usual), 0);
  next.first_tasks = of != nullptr && (*of)[numbers::last_tasks].value() >= many_tasks ? measured_again : measured_first;
  const std::uint64_t brief = of != nullptr ? (*of)[numbers::brief_calls].value() : 0;
  next.is_typical = brief >= calls_warming;
  if (brief < calls_first) return;
  next.unlike_ns = excess_times * (*of)[numbers::last_elapsed].value() + tick_ns;
  next.stands_for = is_chosen(next.number, brief) ? 1 + (*of)[numbers::unmeasured_calls].value() : 0;
  describe_usual(next);
}

void add_call(const region_call& over, unsigned members, std::uint64_t elapsed, call_sums& sums) {
  site<numbers>& to = *over.numbers;
  auto& brief = to[numbers::brief_calls];
  sums[numbers::calls] = 1;
  sums[numbers::members] = members;
  sums[numbers::elapsed] = elapsed;
  sums[numbers::capacity] = elapsed * members;
  to[numbers::last_tasks].set(sums[numbers::tasks] / members);
  const bool is_measured = over.is_measured(elapsed, sums);
  if (!is_measured) {
    forget_divided(to, sums);
    to[numbers::counted_tasks].add(sums[numbers::tasks]);
    to[numbers::unmeasured_calls].add(1);
  }
  for (unsigned number = 0; number < numbers::of_call; ++number) to.numbers[number].add(sums[number]);
  if (!is_measured) return brief.add(1);
  if (over.stands_for != 0) {
    const std::uint64_t stands_for = over.is_typical && !over.is_unlike(elapsed, sums) ? over.stands_for : 0;
    for (unsigned number = 0; number < numbers::of_call; ++number)
      to.numbers[numbers::sampled + number].add(stands_for * sums[number]);
    to[numbers::unmeasured_calls].clear();
  }
  if (over.stands_for == 0) return brief.set(calls_first);  // a quarter of the next ones are measured: they may have changed
  // One may have lost its processor; if calls have changed, a few more tell.
  auto& last = to[numbers::last_elapsed];
  const bool is_longer = over.is_unlike(elapsed, sums) && last.value() != 0;
  last.set(is_longer ? std::min(elapsed, excess_times * last.value()) : elapsed);
  const std::uint64_t so_far = is_longer ? std::min(brief.value(), calls_first) : brief.value() + 1;
  brief.set(is_brief(elapsed, sums) ? so_far : 0);
}

/// Of those that were only counted, what those had that stand for them.
void estimate(site<numbers>& all, const site<numbers>& measured) {
  all.region = measured.region;
  for (unsigned number = 0; number < numbers::count; ++number) all.numbers[number].set(measured.numbers[number].value());
  const typical_call typical(measured);
  const auto add = [&](unsigned number) {
    const auto time = static_cast<double>(measured[numbers::counted_divided]);
    all.numbers[number].add(static_cast<std::uint64_t>(typical.in(time, number)));
  };
  for (unsigned number = numbers::tasks + 1; number < numbers::parts; ++number) add(number);
  for (const unsigned part : divided) add(part);
}

}  // namespace TEFF_NAMESPACE::openmp
