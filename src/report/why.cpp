// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/why.h"

#include "report/advice.h"
#include "report/reason.h"
#include "report/text.h"

#include <algorithm>
#include <functional>

namespace teff::report {

namespace {

/// A cost that narrows a gap by less is not named.
constexpr double least_share = 0.2;
/// Lines of the table for one record.
constexpr std::size_t costs_shown = 4;

std::string called(const record& of) { return of.pool + " with " + of.memory; }

const record* same_in(const knock_out& without, const record& of) {
  const auto found = std::find_if(without.records.begin(), without.records.end(), [&](const record& each) {
    return each.pool == of.pool && each.memory == of.memory && each.workers_asked == of.workers_asked;
  });
  return found == without.records.end() || !median_seconds(*found) ? nullptr : &*found;
}

const record* best_beside(const record_set& set, const record& of) {
  const record* best = nullptr;
  for (const record& each : set.records) {
    if (each.workers_asked == of.workers_asked && median_seconds(each) && (best == nullptr || time_of(each) < time_of(*best)))
      best = &each;
  }
  return best;
}

void add_narrowings(const record_set& set, const record& slow, const record& best, std::vector<narrowing>& all) {
  const auto begin = static_cast<std::ptrdiff_t>(all.size());
  for (const knock_out& each : set.knock_outs) {
    const record *const other = same_in(each, slow), *const fast = same_in(each, best);
    if (other != nullptr && fast != nullptr)
      all.push_back({&each, &slow, &best, time_of(slow) - time_of(best), time_of(*other) - time_of(*fast)});
  }
  std::sort(all.begin() + begin, all.end(), [](const narrowing& a, const narrowing& b) {
    return a.share() != b.share() ? a.share() > b.share() : std::less<>()(a.without, b.without);
  });
}

std::string change_of(const narrowing& of) {
  const double share = of.share();
  if (share >= 1) return of.gap_without < 0 ? "closes, and the other way round it opens" : "closes";
  return share >= 0 ? format("shrinks by {:.0f} %", 100 * share) : format("grows by {:.0f} %", -100 * share);
}

/// Whether the account names a part that the cost is in.
std::string borne_out(const narrowing& of) {
  const std::vector<cause> causes = causes_of(*of.slow, *of.best);
  if (causes.empty()) return "";
  const std::string& part = causes.front().part;
  if (part == unexplained) return ", which the account explains by none of its parts";
  const auto& parts = of.without->parts;
  return std::find(parts.begin(), parts.end(), part) != parts.end()
             ? ", which bears out " + part
             : ", of which " + part + " is no part: look for another reason than the one above";
}

std::string sentence_of(const narrowing& of) {
  const std::string names = format("  {} on {}", called(*of.slow), counted(of.slow->workers_asked, "worker"));
  if (of.share() < least_share)
    return format("{}: no single cost makes the gap to {} smaller by a fifth; the most is {} ({}).", names, called(*of.best),
                  of.without->name, change_of(of));
  return format("{}: without {} ({}) the gap to {} {}, from {} to {}{}.", names, of.without->name, of.without->shown,
                called(*of.best), change_of(of), duration(of.gap_seconds),
                of.gap_without < 0 ? "nothing" : duration(of.gap_without), borne_out(of));
}

}  // namespace

std::vector<narrowing> narrowings(const record_set& set) {
  std::vector<narrowing> all;
  for (const record& each : set.records) {
    const record* const best = best_beside(set, each);
    if (best != nullptr && median_seconds(each) && best != &each && !is_tie(*best, each)) add_narrowings(set, each, *best, all);
  }
  return all;
}

std::vector<std::string> why_sentences(const record_set& set) {
  std::vector<std::string> lines;
  const record* last = nullptr;
  for (const narrowing& each : narrowings(set)) {
    if (each.slow != last) lines.push_back(sentence_of(each));
    last = each.slow;
  }
  return lines;
}

std::vector<std::vector<std::string>> why_lines(const record_set& set) {
  std::vector<std::vector<std::string>> rows = {{"pool", "memory", "workers", "without", "gap", "gap without", "narrower by"}};
  const record* last = nullptr;
  std::size_t shown = 0;
  for (const narrowing& each : narrowings(set)) {
    shown = each.slow == last ? shown + 1 : 1;
    last = each.slow;
    if (shown > costs_shown) continue;
    const std::string without = each.gap_without < 0 ? "-" + duration(-each.gap_without) : duration(each.gap_without);
    rows.push_back({each.slow->pool, each.slow->memory, std::to_string(each.slow->workers_asked), each.without->name,
                    duration(each.gap_seconds), without, format("{:.0f} %", 100 * each.share())});
  }
  return rows;
}

std::string why_table(const record_set& set) {
  const auto rows = why_lines(set);
  if (rows.size() < 2) return {};
  return columns(rows, {align::left, align::left, align::right, align::left, align::right, align::right, align::right});
}

}  // namespace teff::report
