// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/account.h"

#include "report/bounds.h"
#include "report/text.h"

#include <algorithm>

namespace teff::report {

namespace {

constexpr std::size_t resources_shown = 8;

std::string percent(double share) { return share > 0 && share < 0.0005 ? "<0.1" : format("{:.1f}", 100 * share); }

std::string share_text(const std::optional<double>& share) { return share ? percent(*share) : "-"; }

std::string swept_text(const record& of) { return of.swept ? format("{:g}", *of.swept) : "-"; }

/// What stands below parts wherever they are printed.
constexpr const char* how_exact =
    "Simulated parts are exact; measured ones are, but for put_get and fibers, which are estimated by what empty tasks cost, and "
    "own_work, which is what they leave; without_processor is a lower bound.\n";

/// A record with an account: all that have one have the same parts.
const record* with_account(const record_set& set) {
  const auto found = std::find_if(set.records.begin(), set.records.end(),
                                  [](const record& each) { return each.account_ns != 0 && !each.account.empty(); });
  return found != set.records.end() ? &*found : nullptr;
}

/// Natively it is extrapolated, and may say nothing.
std::string busy_text(const record& of, const resource& some) {
  const double share = busy_share(of, some);
  return share == 0 && some.busy_ns != 0 ? "-" : percent(share);
}

std::string resource_table(const record& of) {
  if (of.resources.empty()) return {};
  std::vector<std::vector<std::string>> rows = {{"lock or line", "busy %", "uses", "ns each", "waited, all workers"}};
  for (std::size_t i = 0; i < std::min(of.resources.size(), resources_shown); ++i) {
    const resource& each = of.resources[i];
    const double mean = each.uses != 0 ? static_cast<double>(each.busy_ns) / static_cast<double>(each.uses) : 0;
    rows.push_back({each.name, busy_text(of, each), grouped(each.uses), format("{:.0f}", mean),
                    duration(static_cast<double>(each.waited_ns) * 1e-9)});
  }
  return "\n" + columns(rows, {align::left, align::right, align::right, align::right, align::right});
}

}  // namespace

std::string in_words(std::string part) {
  std::replace(part.begin(), part.end(), '_', ' ');
  return part;
}

std::string account_table(const record_set& set) {
  const record* const some = with_account(set);
  if (some == nullptr) return {};
  std::vector<std::vector<std::string>> rows = {{"pool", "memory", "workers"}};
  if (!set.sweep.empty()) rows[0].push_back(set.sweep);
  for (const account_part& each : some->account) rows[0].push_back(in_words(each.name));
  for (const record& each : set.records) {
    rows.push_back({each.pool, each.memory, std::to_string(each.workers)});
    if (!set.sweep.empty()) rows.back().push_back(swept_text(each));
    for (const account_part& part : some->account) rows.back().push_back(share_text(each.share(part.name)));
  }
  std::vector<align> alignment(rows[0].size(), align::right);
  alignment[0] = alignment[1] = align::left;
  std::string text = "Shares of workers x elapsed time, in percent:\n" + columns(rows, alignment) + "\n";
  for (const account_part& each : some->account) text += in_words(each.name) + ": " + each.what + "\n";
  text += how_exact;
  for (const record& each : set.records) {
    for (const std::string& sentence : critical_resources(each))
      text += format("{} with {}, {}{}: {}\n", each.pool, each.memory, counted(each.workers, "worker"),
                     set.sweep.empty() ? "" : format(", {} = {}", set.sweep, swept_text(each)), sentence);
  }
  return text;
}

std::string account_of(const record& of) {
  if (of.account_ns == 0 || of.account.empty()) return {};
  std::vector<std::vector<std::string>> rows = {{"part of the time", "all %"}};
  const std::size_t workers = of.account.front().ns_by_worker.size();
  for (std::size_t i = 0; i < workers; ++i) rows[0].push_back(format("worker {} %", i));
  rows[0].push_back("what");
  for (const account_part& each : of.account) {
    rows.push_back({each.name, share_text(of.share(each.name))});
    for (const std::uint64_t ns : each.ns_by_worker)
      rows.back().push_back(percent(static_cast<double>(ns) / static_cast<double>(of.account_ns)));
    rows.back().push_back(each.what);
  }
  std::vector<align> alignment(rows[0].size(), align::right);
  alignment.front() = alignment.back() = align::left;
  return columns(rows, alignment) + how_exact + resource_table(of);
}

std::vector<std::string> critical_resources(const record& of) {
  std::vector<std::string> sentences;
  for (const resource* each : bounds_of(of)) {
    const std::string name = named_first(*each);
    sentences.push_back(named_within(*each) + bound_sentence(of, *each).substr(name.size()));
  }
  return sentences;
}

}  // namespace teff::report
