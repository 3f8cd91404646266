// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/why.h"

#include "report/advice.h"
#include "report/causes.h"
#include "report/text.h"

#include <algorithm>
#include <functional>
#include <span>

namespace teff::report {

namespace {

/// A cost that narrows a gap by less is not named, and bears nothing out.
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

/// Returns: the record that this one is compared with; nullptr if there is no gap.
const record* faster_beside(const record_set& set, const record& of) {
  const record* const best = best_beside(set, of);
  return best != nullptr && median_seconds(of) && best != &of && !is_tie(*best, of) ? best : nullptr;
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
  if (share >= 1) return of.gap_without < 0 ? "turns round" : "closes";
  return share >= 0 ? format("shrinks by {:.0f} %", 100 * share) : format("grows by {:.0f} %", -100 * share);
}

std::string gap_text(double seconds) {
  if (seconds == 0) return "nothing";
  return seconds < 0 ? "-" + duration(-seconds) : duration(seconds);
}

/// Returns: the knock-out that narrows the gap most of those that are costs of this part; nullptr if there is none.
const narrowing* largest_of(const std::string& part, std::span<const narrowing> of_one) {
  const auto found = std::find_if(of_one.begin(), of_one.end(), [&](const narrowing& each) {
    const auto& parts = each.without->parts;
    return std::find(parts.begin(), parts.end(), part) != parts.end();
  });
  return found == of_one.end() ? nullptr : &*found;
}

/// Whether one part that the sentence on why names is borne out, by another knock-out than the largest of all.
std::string verdict_on(const std::string& part, std::span<const narrowing> of_one) {
  const narrowing* const own = largest_of(part, of_one);
  if (own == nullptr) return format("; no cost that was taken away is one of {}", part);
  if (own->share() < least_share) return format("; {} is not borne out: look for another reason than the one above", part);
  return format("; without {} ({}) it {}, which bears out {}", own->without->name, own->without->shown, change_of(*own), part);
}

/// `first`: the largest knock-out of all, if it is worth naming.
std::string verdict(std::span<const narrowing> of_one, const narrowing* first) {
  const std::vector<cause> causes = causes_of(*of_one[0].slow, *of_one[0].best);
  if (causes.empty()) return "";
  const std::vector<cause> named = named_causes(causes);
  if (named.empty()) return first != nullptr ? ", which the account explains by none of its parts" : "";
  // What the knock-out before it bears out comes first.
  std::string borne_out, others;
  for (const cause& each : named) {
    if (first == nullptr || largest_of(each.part, of_one) != first) others += verdict_on(each.part, of_one);
    else borne_out += (borne_out.empty() ? ", which bears out " : " and ") + each.part;
  }
  return borne_out + others;
}

/// Pre: all are of one record, the largest first; there is one.
std::string sentence_of(std::span<const narrowing> of_one) {
  const narrowing& most = of_one.front();
  const std::string names = format("  {} on {}", called(*most.slow), counted(most.slow->workers_asked, "worker"));
  if (most.share() < least_share)
    return format("{}: no single cost makes the gap to {} smaller by a fifth; without {} it {}{}.", names, called(*most.best),
                  most.without->name, change_of(most), verdict(of_one, nullptr));
  return format("{}: without {} ({}) the gap to {} {}, from {} to {}{}.", names, most.without->name, most.without->shown,
                called(*most.best), change_of(most), duration(most.gap_seconds), gap_text(most.gap_without),
                verdict(of_one, &most));
}

/// Returns: the narrowings of one record after the other.
std::vector<std::span<const narrowing>> by_record(const std::vector<narrowing>& all) {
  std::vector<std::span<const narrowing>> found;
  for (auto first = all.begin(); first != all.end();) {
    const auto last = std::find_if(first, all.end(), [&](const narrowing& each) { return each.slow != first->slow; });
    found.emplace_back(first, last);
    first = last;
  }
  return found;
}

}  // namespace

bool has_gap(const record_set& set) {
  return std::any_of(set.records.begin(), set.records.end(),
                     [&](const record& each) { return faster_beside(set, each) != nullptr; });
}

std::vector<narrowing> narrowings(const record_set& set) {
  std::vector<narrowing> all;
  for (const record& each : set.records) {
    if (const record* const best = faster_beside(set, each); best != nullptr) add_narrowings(set, each, *best, all);
  }
  return all;
}

std::vector<std::string> why_sentences(const record_set& set) {
  std::vector<std::string> lines;
  const std::vector<narrowing> all = narrowings(set);
  for (const auto each : by_record(all)) lines.push_back(sentence_of(each));
  return lines;
}

std::vector<std::vector<std::string>> why_lines(const record_set& set) {
  std::vector<std::vector<std::string>> rows = {{"pool", "memory", "workers", "without", "gap", "gap without", "narrower by"}};
  const std::vector<narrowing> all = narrowings(set);
  for (const auto of_one : by_record(all)) {
    for (const narrowing& each : of_one.first(std::min(costs_shown, of_one.size())))
      rows.push_back({each.slow->pool, each.slow->memory, std::to_string(each.slow->workers_asked), each.without->name,
                      duration(each.gap_seconds), gap_text(each.gap_without),
                      format("{:.0f} %", 100 * std::min(each.share(), 1.0))});
  }
  return rows;
}

std::string why_table(const record_set& set) {
  const auto rows = why_lines(set);
  if (rows.size() < 2) return {};
  return columns(rows, {align::left, align::left, align::right, align::left, align::right, align::right, align::right});
}

}  // namespace teff::report
