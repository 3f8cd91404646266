// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/bounds.h"

#include "report/text.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace teff::report {

namespace {

/// A lock leaves workers time for their own work, which others need not wait for; a line on its way is in nobody's cache, and
/// many lines are on their way for half of a run that they do not bound.
constexpr double least_of_lock = 0.5, least_of_line = 0.8;
/// Of the time of a run: what seems to be busy for longer was extrapolated from a sample that stands for too much.
constexpr double impossible = 1.2;
/// Of the difference of two records: what grew by less is no reason for it.
constexpr double least_growth = 0.2;

/// What a name is followed by where there are more with the same label.
constexpr std::string_view of_several = " (the busiest of ", told_together = " (several)";

std::string_view label_of(const resource& some) { return std::string_view(some.name).substr(0, some.name.find(of_several)); }

double least_of(const resource& some) { return some.what == resource::kind::lock ? least_of_lock : least_of_line; }

double busy_as_told(const record& of, const resource& some) {
  return of.account_ns == 0 ? 0 : static_cast<double>(some.busy_ns) / static_cast<double>(of.account_ns);
}

/// Of several with that label: there is one.
double busy_ns_of_same(const record& of, const resource& some) {
  const auto same = std::find_if(of.resources.begin(), of.resources.end(), [&](const resource& each) {
    return each.what == some.what && label_of(each) == label_of(some);
  });
  return same == of.resources.end() ? 0 : static_cast<double>(same->busy_ns);
}

/// Some have names that say which of their kind they are, others are called by what they are.
bool needs_article(const resource& some) { return some.name.starts_with("lock ") || some.name.starts_with("line "); }

}  // namespace

double busy_share(const record& of, const resource& some) {
  const double share = busy_as_told(of, some);
  return share > impossible ? 0 : std::min(share, 1.0);
}

bool bounds(const record& of, const resource& some) { return busy_share(of, some) >= least_of(some); }

bool is_line_of(const resource& line, const resource& lock) {
  return line.what == resource::kind::line && lock.what == resource::kind::lock &&
         label_of(line) == "line of the " + std::string(label_of(lock));
}

std::vector<const resource*> bounds_of(const record& of) {
  std::vector<const resource*> found;
  for (const resource& each : of.resources) {
    const auto is_its_lock = [&](const resource& lock) { return is_line_of(each, lock) && bounds(of, lock); };
    if (bounds(of, each) && std::none_of(of.resources.begin(), of.resources.end(), is_its_lock)) found.push_back(&each);
  }
  // By time and place, as std::stable_sort would: clang warns of what libstdc++ does inside of that one.
  std::sort(found.begin(), found.end(),
            [](const resource* a, const resource* b) { return a->busy_ns != b->busy_ns ? a->busy_ns > b->busy_ns : a < b; });
  return found;
}

const resource* critical_resource(const record& of) {
  const std::vector<const resource*> all = bounds_of(of);
  return all.empty() ? nullptr : all.front();
}

const resource* bound_beside(const record& slow, const record& fast) {
  const double difference = static_cast<double>(slow.account_ns) - static_cast<double>(fast.account_ns);
  for (const resource* each : bounds_of(slow)) {
    const double more = static_cast<double>(each->busy_ns) - busy_ns_of_same(fast, *each);
    if (difference > 0 && more >= least_growth * difference) return each;
  }
  return nullptr;
}

const char* part_of_waits(const resource& for_it) {
  if (for_it.what == resource::kind::lock) return "lock_wait";
  return for_it.name.starts_with("the program's ") ? "own_memory" : nullptr;
}

bool is_one(const resource& some) { return !some.name.ends_with(told_together); }

std::string named_within(const resource& some) {
  if (!is_one(some)) return "several locks called '" + some.name.substr(0, some.name.size() - told_together.size()) + "'";
  return (needs_article(some) ? "the " : "") + some.name;
}

std::string named_first(const resource& some) {
  std::string made = named_within(some);
  if (made[0] >= 'a' && made[0] <= 'z') made[0] = static_cast<char>(made[0] - 'a' + 'A');
  return made;
}

std::string bound_sentence(const record& of, const resource& some) {
  const bool is_lock = some.what == resource::kind::lock;
  std::string text = format("{} was {} {:.0f} % of the time", named_first(some),
                            is_lock ? "held" : "on its way between processors", 100 * busy_share(of, some));
  if (of.tasks == 0) return text;
  const double per_second = static_cast<double>(of.tasks) / (static_cast<double>(some.busy_ns) * 1e-9);
  return text + format(": that bounds it to {} tasks per second", grouped(static_cast<std::uint64_t>(std::llround(per_second))));
}

}  // namespace teff::report
