// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/reason.h"

#include "report/text.h"

#include <algorithm>
#include <iterator>

namespace teff::report {

namespace {

/// Of all tasks: some go from hand to hand.
constexpr double each_task = 0.9;
/// Idle time that is less of a share is not worth a word.
constexpr double least_told = 0.1;

/// What a part is called within a sentence.
struct part_text {
  const char* part;
  const char* text;
};
constexpr part_text texts[] = {
    {"own_work", "the program's own work"},
    {"own_memory", "the program's accesses to its memory"},
    {"put_get", "putting and getting tasks"},
    {"lock_wait", "waiting for locks"},
    {"stealing", "stealing"},
    {beside_tasks, "idle time beside tasks that the pool did not hand out"},
    {"waking", "waking workers"},
    {"being_woken", "the time from a wake-up until the worker runs"},
    {"system_memory", "memory from the system"},
    {"without_processor", "time in which workers with work had no processor"},
    {"fibers", "making fibers and changing between them"},
    {"outside_runs", "what the program does outside of runs"},
    {imbalance, "an unequal distribution of the program's own work"},
};

std::string text_of_part(const std::string& part) {
  const auto found = std::find_if(std::begin(texts), std::end(texts), [&](const part_text& each) { return part == each.part; });
  return found == std::end(texts) ? part : found->text;
}

std::string ns_text(double ns) { return ns == 0 ? "none" : duration(ns * 1e-9); }

/// What other parts took less would make it more than the whole.
double shown_percent(double share) { return 100 * std::min(share, 1.0); }

/// All waits for a lock or line; those for the line that a lock is in are for the lock.
double waits_for(const record& of, const resource& some) {
  auto sum = static_cast<double>(some.waited_ns);
  for (const resource& each : of.resources) sum += is_line_of(each, some) ? static_cast<double>(each.waited_ns) : 0;
  return sum;
}

/// The lock or line that most of the waits of this part were for, if it is most of them.
const resource* waited_for(const record& of, const std::string& part) {
  const resource* most = nullptr;
  for (const resource& each : of.resources) {
    const bool is_of_part = part_of_waits(each) != nullptr && part == part_of_waits(each);
    if (is_of_part && (most == nullptr || waits_for(of, each) > waits_for(of, *most))) most = &each;
  }
  return most != nullptr && waits_for(of, *most) >= total_ns(of, part) / 2 ? most : nullptr;
}

/// The lock that about each task goes through, if there is one and it may have come from another worker.
const resource* lock_of_all_tasks(const record& of) {
  const resource* most = nullptr;
  for (const resource& each : of.resources) {
    if (each.what == resource::kind::lock && is_one(each) &&
        static_cast<double>(each.uses) >= each_task * static_cast<double>(of.tasks) &&
        (most == nullptr || each.uses > most->uses))
      most = &each;
  }
  return of.workers > 1 ? most : nullptr;
}

/// What the waits of a part were for. Of a lock that has its own sentence that is known.
std::string address_of(const record& slow, const record& fast, const std::string& part, const resource* bound) {
  const resource* const most = waited_for(slow, part);
  if (most != nullptr && most->what == resource::kind::line)
    return format(", most of it for {}, which went from processor to processor {} times", named_within(*most),
                  grouped(most->uses));
  if (most != nullptr) return most == bound ? "" : ", most of it for " + named_within(*most);
  // Natively lines of the cache that go to and fro with a lock and with the tasks behind it are in their own work.
  const bool may_have_way = part == "put_get" || (part == "own_work" && !slow.simulated && lock_of_all_tasks(fast) == nullptr);
  const resource* const way = may_have_way ? lock_of_all_tasks(slow) : nullptr;
  return way == nullptr ? "" : format("; {} was taken {} times", named_within(*way), grouped(way->uses));
}

/// How much of the cause is idle time. One worker waits for nobody: its own idle time is called so.
std::string idle_text(const record& slow, double idle) {
  const double percent = shown_percent(idle);
  return slow.workers == 1 ? format("; {:.0f} % is time in which the worker searched or was parked", percent)
                           : format("; for {:.0f} % other workers were idle meanwhile", percent);
}

/// What the cause rests on, in figures.
std::string figures_of(const record& slow, const record& fast, const cause& of) {
  if (of.part == imbalance)
    return format(
        "the worker with the most had {:.1f} % of it against {:.1f} %, and others were idle for {} meanwhile, against {}",
        100 * busiest_share(slow), 100 * busiest_share(fast), ns_text(imbalance_ns(slow)), ns_text(imbalance_ns(fast)));
  std::string text = format("{} {} of the workers' time against {}", of.part, ns_text(total_ns(slow, of.part)),
                            ns_text(total_ns(fast, of.part)));
  // What no slow path takes off is own work there.
  if (of.part == "own_work" && !slow.simulated) text += ", with memory";
  text += address_of(slow, fast, of.part, bound_beside(slow, fast));
  return of.idle >= least_told ? text + idle_text(slow, of.idle) : text;
}

std::string strength(const cause& of) {
  const std::string text = text_of_part(of.part);
  if (of.share >= whole_reason) return format("{} explains {:.0f} % of it", text, shown_percent(of.share));
  return format("partly {}, which explains {:.0f} % of it", text, 100 * of.share);
}

/// The parts that are named, each with its figures.
std::string explained(const record& slow, const record& fast, const std::vector<cause>& named) {
  std::string text = strength(named[0]) + " (" + figures_of(slow, fast, named[0]) + ")";
  if (named.size() > 1)
    text +=
        format(", and {}, {:.0f} % ({})", text_of_part(named[1].part), 100 * named[1].share, figures_of(slow, fast, named[1]));
  return text;
}

const cause* find(const std::vector<cause>& causes, const char* part) {
  const auto found = std::find_if(causes.begin(), causes.end(), [&](const cause& each) { return each.part == part; });
  return found == causes.end() ? nullptr : &*found;
}

/// How long the workers were idle beside what follows from an unequal distribution.
std::string idle_figures(const record& slow, const record& fast, const std::vector<cause>& causes) {
  const cause* const unequal = find(causes, imbalance);
  const double idle_slow = total_idle_ns(slow), idle_fast = total_idle_ns(fast);
  const double of_unequal = unequal == nullptr ? 0 : std::max(imbalance_ns(slow) - imbalance_ns(fast), 0.0);
  return format("{} against {}", ns_text(std::max(idle_slow - of_unequal, idle_fast)), ns_text(idle_fast));
}

std::string largest_of(const std::vector<cause>& causes) {
  const auto first = std::find_if(causes.begin(), causes.end(), [](const cause& each) { return each.part != unexplained; });
  return format("no single part explains a fifth of it; the most is {} ({:.0f} %)", text_of_part(first->part),
                100 * first->share);
}

/// What is said of idle time that follows from nothing; `named`: whether something else is.
std::string unexplained_text(const record& slow, const record& fast, const std::vector<cause>& causes, const cause& rest,
                             bool named) {
  const std::string figures = idle_figures(slow, fast, causes);
  const char *const idle = slow.workers == 1 ? "worker was idle" : "workers were idle", *const waited = slow.workers == 1
                                                                                                            ? "it waited for"
                                                                                                            : "they waited for";
  if (named)
    return format("; for another {:.0f} % the {} ({}), and nothing grew enough to be what {}", shown_percent(rest.share), idle,
                  figures, waited);
  return format(
      "nothing in the account explains it: the {} for {}, which is {:.0f} % of it, and nothing else grew enough to be what {}",
      idle, figures, shown_percent(rest.share), waited);
}

}  // namespace

std::string reason_for(const record& slow, const record& fast) {
  const std::vector<cause> causes = causes_of(slow, fast);
  if (causes.empty()) return "the time accounts say nothing of it";
  const std::vector<cause> named = named_causes(causes);
  const cause* const rest = find(causes, unexplained);
  const bool has_rest = rest != nullptr && rest->share >= (named.empty() ? whole_reason : part_of_reason);
  std::string text;
  if (!named.empty()) text = explained(slow, fast, named);
  else if (!has_rest) text = largest_of(causes);
  if (has_rest) text += unexplained_text(slow, fast, causes, *rest, !named.empty());
  const resource* const bound = bound_beside(slow, fast);
  return bound == nullptr ? text : text + ". " + bound_sentence(slow, *bound);
}

std::string short_reason_for(const record& slow, const record& fast) {
  const std::vector<cause> causes = causes_of(slow, fast), named = named_causes(causes);
  if (causes.empty()) return "-";
  if (named.empty()) return "no single part";
  const cause& first = named.front();
  return format("{}{} {:.0f} %", first.share < whole_reason ? "partly " : "", first.part, shown_percent(first.share));
}

}  // namespace teff::report
