// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/program.h"

#include "report/record.h"
#include "report/text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace teff::report {

namespace {

constexpr double tie = 1.15;
constexpr double bytes_per_megabyte = 1e6;
constexpr const char* unknown = "-";
constexpr std::size_t findings_at_most = 3;  ///< of one runtime, in a comparison

bool is_measured(const program_record& of) { return of.failure.empty() && !of.seconds.empty(); }

double busy_processors(const program_record& of) {
  const double seconds = median(of.seconds);
  return seconds > 0 ? median(of.processor_seconds) / seconds : 0;
}

/// Whether the medians differ by more than chance: by more than 15 %, and the middle halves of the runs lie apart.
bool is_faster(const program_record& fast, const program_record& slow) {
  return median(slow.seconds) > tie * median(fast.seconds) && quantile(fast.seconds, 0.75) < quantile(slow.seconds, 0.25);
}

const char* output_text(sameness of) {
  switch (of) {
    case sameness::same:
      return "same";
    case sameness::differs:
      return "differs";
    case sameness::varies:
      return "varies";
    default:
      return unknown;
  }
}

std::string statistic(const program_record& of, const char* name) {
  const auto found = of.statistics.find(name);
  return found == of.statistics.end() ? unknown : found->second;
}

/// Returns: a count without the words that may follow it.
std::string count_in(const program_record& of, const char* name) {
  const std::string text = statistic(of, name);
  return text.substr(0, text.find(' '));
}

/// Returns: such a count, of what is named with an s, with that name: "1 task", "10,100 tasks".
std::string counted_in(const program_record& of, const std::string& noun) {
  const std::string count = count_in(of, (noun + "s").c_str());
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), number);
  const bool is_number = error == std::errc() && end == count.data() + count.size();
  return is_number ? counted(number, noun) : count + " " + noun + "s";
}

std::vector<std::string> cells_of(const program_comparison& all, const program_record& of) {
  if (!is_measured(of)) return {of.runtime, unknown, unknown, unknown, unknown, unknown, unknown, of.failure};
  const auto speedup = speedup_over_stock(all, of);
  return {of.runtime,
          duration(median(of.seconds)),
          format("{:.0f} %", 100 * spread(of.seconds)),
          speedup ? format("{:.2f}", *speedup) : unknown,
          duration(median(of.processor_seconds)),
          format("{:.2f}", busy_processors(of)),
          of.peak_bytes == 0 ? unknown : three_digits(static_cast<double>(of.peak_bytes) / bytes_per_megabyte) + " MB",
          output_text(of.output)};
}

bool has_stock(const program_comparison& of) { return !of.records.empty() && of.records.front().runtime == stock_runtime; }

bool has_threads(const program_comparison& of) { return !of.records.empty() && of.records.front().threads != 0; }

/// Returns: the cells of a line, behind the first of them the number of threads, if several are compared.
std::vector<std::string> line_of(const program_comparison& all, const program_record& of) {
  std::vector<std::string> cells = cells_of(all, of);
  if (has_threads(all)) cells.insert(cells.begin() + 1, std::to_string(of.threads));
  return cells;
}

/// Returns: a comparison for each number of threads.
std::vector<program_comparison> by_threads(const program_comparison& of) {
  std::vector<program_comparison> parts;
  for (const program_record& each : of.records) {
    if (parts.empty() || parts.back().records.front().threads != each.threads)
      parts.push_back({of.command, of.usable_processors, of.commit, {}});
    parts.back().records.push_back(each);
  }
  return parts;
}

/// Why one runtime is faster than another: the figure that shows it most, if it shows it beyond noise.
std::string reason(const program_record& fast, const program_record& slow) {
  const double fast_work = median(fast.processor_seconds), slow_work = median(slow.processor_seconds);
  if (slow_work > tie * fast_work)
    return format("it took {} of processor time instead of {}", duration(fast_work), duration(slow_work));
  if (busy_processors(fast) > tie * busy_processors(slow))
    return format("it kept {:.2f} processors busy instead of {:.2f}", busy_processors(fast), busy_processors(slow));
  return "neither processor time nor busy processors show why";
}

/// Returns: the fastest runtime that is not `but`; nullptr if there is none.
const program_record* fastest(const program_comparison& of, const program_record* but) {
  const program_record* best = nullptr;
  for (const program_record& each : of.records) {
    if (is_measured(each) && &each != but && (best == nullptr || median(each.seconds) < median(best->seconds))) best = &each;
  }
  return best;
}

std::string best_of(const program_comparison& of) {
  const program_record* const best = fastest(of, nullptr);
  if (best == nullptr) return "no run ended well";
  const program_record& stock = of.records.front();
  const program_record* const second = fastest(of, best);
  if (!is_measured(stock))
    return format("best: {}; the stock runtime failed, so there is nothing to compare it with", best->runtime);
  if (second == nullptr) return "no pool ended well, so there is nothing to compare the stock runtime with";
  if (best == &stock && is_faster(stock, *second))
    return format("best: {}, the stock runtime: {}", stock.runtime, reason(stock, *second));
  if (best == &stock || !is_faster(*best, stock)) return "no difference beyond noise between the best pool and the stock runtime";
  const bool shared = second != &stock && !is_faster(*best, *second);
  return format("best: {}{}, {:.2f} times as fast as the stock runtime: {}", best->runtime,
                shared ? format(" (no difference beyond noise to {})", second->runtime) : std::string(),
                median(stock.seconds) / median(best->seconds), reason(*best, stock));
}

/// Returns: what the numbers of threads make of one runtime; empty: nothing is known.
std::string scaling_of(const program_comparison& of, const std::string& runtime) {
  std::vector<std::string> words;
  const program_record* first = nullptr;
  for (const program_record& each : of.records) {
    if (each.runtime != runtime || !is_measured(each) || median(each.seconds) <= 0) continue;
    if (first != nullptr) words.push_back(format("{:.2f} with {}", median(first->seconds) / median(each.seconds), each.threads));
    else first = &each;
  }
  if (words.empty()) return {};
  return format("{}: times as fast as with {}: {}", runtime, counted(first->threads, "thread"), joined(words));
}

/// Effect: adds what was counted on one runtime: its tasks, the account of its threads' time, and what holds the program back.
void add_counted(const program_record& of, std::vector<std::string>& lines) {
  if (of.statistics.empty()) return;
  const bool has_regions = of.statistics.contains("regions");
  lines.push_back(format("{}: {}, {}, idle {}{}", of.runtime, counted_in(of, "task"), counted_in(of, "steal"),
                         statistic(of, "idle"), has_regions ? ", " + counted_in(of, "region") : ""));
  if (of.statistics.contains("time")) lines.push_back(format("{}: its threads' time: {}", of.runtime, statistic(of, "time")));
  const std::vector<finding> found = findings(of.sites);
  for (std::size_t i = 0; i < std::min(found.size(), findings_at_most); ++i)
    lines.push_back(format("{}: {}", of.runtime, found[i].text));
  if (found.size() > findings_at_most)
    lines.push_back(format("{}: and {} more; 'teff run --stats' has them all", of.runtime, found.size() - findings_at_most));
}

/// Returns: the sentences about one run that nothing is compared with.
std::vector<std::string> advice_of_run(const program_record& of) {
  std::vector<std::string> lines;
  if (!of.failure.empty()) lines.push_back(format("{} failed: {}", of.runtime, of.failure));
  for (const finding& each : findings(of.sites)) lines.push_back(each.text);
  return lines;
}

/// Returns: the sentences about runtimes with one number of threads.
std::vector<std::string> advice_of_one(const program_comparison& of) {
  std::vector<std::string> lines = {best_of(of)};
  for (const program_record& each : of.records) {
    if (!each.failure.empty()) lines.push_back(format("{} failed: {}", each.runtime, each.failure));
    else if (each.output == sameness::differs)
      lines.push_back(format("{}: the output differs from the stock runtime's", each.runtime));
  }
  if (!of.records.empty() && of.records.front().output == sameness::varies)
    lines.push_back("the output is not the same in all runs on the stock runtime: it says nothing about the pools");
  for (const program_record& each : of.records) add_counted(each, lines);
  return lines;
}

}  // namespace

const program_record& stock_beside(const program_comparison& of, const program_record& some) {
  return *std::find_if(of.records.begin(), of.records.end(),
                       [&](const program_record& each) { return each.threads == some.threads; });
}

std::optional<double> speedup_over_stock(const program_comparison& of, const program_record& some) {
  if (!is_measured(some) || !has_stock(of)) return std::nullopt;
  const program_record& stock = stock_beside(of, some);
  if (!is_measured(stock)) return std::nullopt;
  const double seconds = median(some.seconds);
  return seconds > 0 ? std::optional<double>(median(stock.seconds) / seconds) : std::nullopt;
}

std::string table(const program_comparison& of) {
  std::vector<std::vector<std::string>> rows = {
      {"runtime", "median", "spread", "speed-up", "processor time", "processors", "memory", "output"}};
  std::vector<align> alignment(rows.front().size(), align::right);
  alignment.front() = alignment.back() = align::left;
  if (has_threads(of)) {
    rows.front().insert(rows.front().begin() + 1, "threads");
    alignment.insert(alignment.begin() + 1, align::right);
  }
  for (const program_record& each : of.records) rows.push_back(line_of(of, each));
  return columns(rows, alignment);
}

std::string settings_line(const program_comparison& of) {
  std::string line;
  for (const program_record& some : of.records) {
    if (some.threads != of.records.front().threads) break;  // the others have the same
    for (const std::string& each : some.settings) {
      if (&each != &some.settings.front()) line += ", " + each;
      else line += (line.empty() ? "settings: " : "; ") + some.runtime + " " + each;
    }
  }
  return line;
}

std::vector<std::string> advice(const program_comparison& of) {
  if (of.records.empty()) return {};
  if (!has_stock(of)) return advice_of_run(of.records.front());
  if (!has_threads(of)) return advice_of_one(of);
  std::vector<std::string> lines;
  for (const program_comparison& part : by_threads(of)) {
    for (const std::string& each : advice_of_one(part))
      lines.push_back(format("{}: {}", counted(part.records.front().threads, "thread"), each));
  }
  for (const program_record& each : of.records) {
    if (each.threads != of.records.front().threads) break;
    if (const std::string text = scaling_of(of, each.runtime); !text.empty()) lines.push_back(text);
  }
  return lines;
}

}  // namespace teff::report
