// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/reason.h"

#include "report/text.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace teff::report {

namespace {

/// Shares below which a part is named as one of several, and below which none is named.
constexpr double whole_reason = 0.5, part_of_reason = 0.2;
/// Busy for so much of the time, a lock or line is what all wait for: a worker that has just left it is before it again.
constexpr double critical = 0.8;
/// A lock is worth to be mentioned before that.
constexpr double worth_mentioning = 0.5;
/// Of all tasks: some go from hand to hand.
constexpr double each_task = 0.9;
/// Natively some acquisitions stand for all: one whose holder lost its processor stands for too much.
constexpr double impossible = 1.2;
/// What grew has to be so much of the difference to be what idle workers waited for.
constexpr double least_to_wait_for = 0.1;

/// Of what a cause does to a program.
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
    {beside_tasks, "searching or sleeping while others had tasks waiting, which the pool did not hand out"},
    {"waking", "waking workers"},
    {"being_woken", "the time that a worker takes to run once it is woken"},
    {"system_memory", "memory from the system"},
    {"fibers", "making and changing fibers"},
    {"outside_runs", "what the program does outside of runs"},
    {imbalance, "an unequal distribution of the program's own work"},
};

constexpr const char* idle_parts[] = {"searching_alone", "parked"};
constexpr const char* parts_beside_tasks[] = {"searching_beside_tasks", "parked_beside_tasks"};
constexpr const char* own_parts[] = {"own_work", "own_memory"};

template <std::size_t Count>
bool is_one_of(const std::string& name, const char* const (&names)[Count]) {
  return std::any_of(std::begin(names), std::end(names), [&](const char* each) { return name == each; });
}

const account_part* part_of(const record& of, const std::string& name) {
  const auto found =
      std::find_if(of.account.begin(), of.account.end(), [&](const account_part& each) { return each.name == name; });
  return found == of.account.end() ? nullptr : &*found;
}

double ns_of(const record& of, const std::string& part, std::size_t worker) {
  const account_part* const found = part_of(of, part);
  return found == nullptr || worker >= found->ns_by_worker.size() ? 0 : static_cast<double>(found->ns_by_worker[worker]);
}

/// What is left of the time outside of runs: the program's own for the worker that called it, idle time for the others.
bool is_callers(std::size_t worker) { return worker == 0; }

double idle_ns(const record& of, std::size_t worker) {
  double sum = is_callers(worker) ? 0 : ns_of(of, "outside_runs", worker);
  for (const char* each : idle_parts) sum += ns_of(of, each, worker);
  return sum;
}

double own_ns(const record& of, std::size_t worker) {
  double sum = 0;
  for (const char* each : own_parts) sum += ns_of(of, each, worker);
  return sum;
}

double total_ns(const record& of, const std::string& part) {
  double sum = 0;
  if (part == beside_tasks) {
    for (const char* each : parts_beside_tasks) sum += total_ns(of, each);
    return sum;
  }
  for (std::size_t worker = 0; worker < of.workers; ++worker) {
    if (part != "outside_runs" || is_callers(worker)) sum += ns_of(of, part, worker);
  }
  return sum;
}

double total_idle_ns(const record& of) {
  double sum = 0;
  for (std::size_t worker = 0; worker < of.workers; ++worker) sum += idle_ns(of, worker);
  return sum;
}

/// Idle time of workers while the one with the most own work had still some.
double imbalance_ns(const record& of) {
  double most = 0, sum = 0;
  for (std::size_t worker = 0; worker < of.workers; ++worker) most = std::max(most, own_ns(of, worker));
  for (std::size_t worker = 0; worker < of.workers; ++worker) sum += std::min(most - own_ns(of, worker), idle_ns(of, worker));
  return sum;
}

double busy_share(const record& of, const resource& some) {
  if (of.account_ns == 0) return 0;
  const double share = static_cast<double>(some.busy_ns) / static_cast<double>(of.account_ns);
  return share > impossible ? 0 : share;
}

/// Lines of the program's have a name that says so.
bool is_programs(const resource& line) { return line.name.starts_with("the program's "); }

/// The part that waiting for a lock or line belongs to; nullptr: to several.
const char* part_of_waits(const resource& for_it) {
  if (for_it.what == resource::kind::lock) return "lock_wait";
  return is_programs(for_it) ? "own_memory" : nullptr;
}

double& share_of(std::vector<cause>& causes, const std::string& part) {
  const auto found = std::find_if(causes.begin(), causes.end(), [&](const cause& each) { return each.part == part; });
  if (found != causes.end()) return found->share;
  return causes.emplace_back(cause{part, 0}).share;
}

/// Effect: the idle time that is left goes to what grew, or stays unexplained. All in ns.
void share_out(std::vector<cause>& causes, double idle, double difference) {
  double grown = 0;
  for (const cause& each : causes) grown += std::max(each.share, 0.0);
  if (idle > 0 && grown < least_to_wait_for * difference) {
    causes.push_back({unexplained, idle});
    return;
  }
  if (grown <= 0) return;
  for (cause& each : causes) each.share += std::max(each.share, 0.0) / grown * idle;
}

/// The differences of all that is no idle time.
std::vector<cause> direct_causes(const record& slow, const record& fast) {
  const auto grown = [&](const std::string& part) { return total_ns(slow, part) - total_ns(fast, part); };
  std::vector<cause> causes;
  for (const account_part& each : slow.account) {
    if (!is_one_of(each.name, idle_parts) && !is_one_of(each.name, parts_beside_tasks))
      causes.push_back({each.name, grown(each.name)});
  }
  causes.push_back({beside_tasks, grown(beside_tasks)});
  return causes;
}

std::string text_of_part(const std::string& part) {
  const auto found = std::find_if(std::begin(texts), std::end(texts), [&](const part_text& each) { return part == each.part; });
  return found == std::end(texts) ? part : found->text;
}

std::string times_against(const record& slow, const record& fast, const std::string& part) {
  const double more = total_ns(slow, part) * 1e-9, less = total_ns(fast, part) * 1e-9;
  return format("{} {} of the workers' time against {}", part, duration(more), duration(less));
}

double busiest_share(const record& of) {
  double most = 0, sum = 0;
  for (std::size_t worker = 0; worker < of.workers; ++worker) {
    most = std::max(most, own_ns(of, worker));
    sum += own_ns(of, worker);
  }
  return sum > 0 ? most / sum : 0;
}

/// All waits for a lock or line; those for the line that a lock is in are for the lock.
double waits_for(const record& of, const resource& some) {
  auto sum = static_cast<double>(some.waited_ns);
  for (const resource& each : of.resources) {
    if (each.what == resource::kind::line && each.name == "line of the " + some.name) sum += static_cast<double>(each.waited_ns);
  }
  return sum;
}

/// The lock or line that most of the waits of this part were for, if it is most of them.
const resource* waited_for(const record& of, const std::string& part) {
  const resource* most = nullptr;
  for (const resource& each : of.resources) {
    if (part_of_waits(each) != nullptr && part == part_of_waits(each) &&
        (most == nullptr || waits_for(of, each) > waits_for(of, *most)))
      most = &each;
  }
  return most != nullptr && waits_for(of, *most) >= total_ns(of, part) / 2 ? most : nullptr;
}

/// A lock or line has a name that says which of its kind it is, or is just another one.
std::string with_article(const char* article, const std::string& name) {
  if (name.starts_with("lock ") || name.starts_with("line ")) return article + name;
  std::string made = name;
  if (article[0] == 'T' && made[0] >= 'a' && made[0] <= 'z') made[0] = static_cast<char>(made[0] - 'a' + 'A');
  return made;
}

/// The lock that about each task goes through, if there is one and it may have come from another worker.
const resource* lock_of_all_tasks(const record& of) {
  const resource* most = nullptr;
  for (const resource& each : of.resources) {
    if (each.what == resource::kind::lock && static_cast<double>(each.uses) >= each_task * static_cast<double>(of.tasks) &&
        (most == nullptr || each.uses > most->uses))
      most = &each;
  }
  return of.workers > 1 ? most : nullptr;
}

/// What the cause rests on, in figures.
std::string figures_of(const record& slow, const record& fast, const cause& of) {
  if (of.part == imbalance) {
    return format(
        "the worker with the most had {:.1f} % of it against {:.1f} %, and others were idle for {} meanwhile, against {}",
        100 * busiest_share(slow), 100 * busiest_share(fast), duration(imbalance_ns(slow) * 1e-9),
        duration(imbalance_ns(fast) * 1e-9));
  }
  if (of.part == unexplained)
    return format("{} against {}", duration(total_idle_ns(slow) * 1e-9), duration(total_idle_ns(fast) * 1e-9));
  std::string text = times_against(slow, fast, of.part);
  // What no slow path takes off is own work there.
  if (of.part == "own_work" && !slow.simulated) return text + ", with memory and whatever else ran on its processors";
  const resource* const most = waited_for(slow, of.part);
  if (most != nullptr && most->what == resource::kind::line)
    text += format(", most of it for {}, which went from processor to processor {} times", with_article("the ", most->name),
                   grouped(most->uses));
  else if (most != nullptr && critical_resource(slow) != most) text += ", most of it for " + with_article("the ", most->name);
  else if (const resource* const way = of.part == "put_get" ? lock_of_all_tasks(slow) : nullptr; way != nullptr)
    text += format("; {} was taken {} times", with_article("the ", way->name), grouped(way->uses));
  return text;
}

std::string strength(const cause& of) {
  const std::string text = text_of_part(of.part);
  if (of.share >= whole_reason) return format("{} explains {:.0f} % of it", text, 100 * std::min(of.share, 1.0));
  return format("partly {}, which explains {:.0f} % of it", text, 100 * of.share);
}

/// The second one, where the first is only a part of the reason.
std::string next_of(const record& slow, const record& fast, const std::vector<cause>& causes) {
  if (causes.size() < 2 || causes[0].share >= whole_reason || causes[1].share < part_of_reason || causes[1].part == unexplained)
    return {};
  return format(", and {}, {:.0f} % ({})", text_of_part(causes[1].part), 100 * causes[1].share,
                figures_of(slow, fast, causes[1]));
}

}  // namespace

std::vector<cause> causes_of(const record& slow, const record& fast) {
  if (slow.account_ns == 0 || fast.account_ns == 0) return {};
  std::vector<cause> causes = direct_causes(slow, fast);
  double idle = total_idle_ns(slow) - total_idle_ns(fast), difference = idle;
  for (const cause& each : causes) difference += each.share;
  if (difference <= 0) return {};
  const double unequal = std::clamp(imbalance_ns(slow) - imbalance_ns(fast), 0.0, std::max(idle, 0.0));
  idle -= unequal;
  const resource* const bound = critical_resource(slow);
  if (idle > 0 && bound != nullptr && part_of_waits(*bound) != nullptr && busy_share(slow, *bound) >= critical) {
    share_of(causes, part_of_waits(*bound)) += idle;
    idle = 0;
  }
  share_out(causes, idle, difference - unequal);
  if (unequal > 0) causes.push_back({imbalance, unequal});
  for (cause& each : causes) each.share /= difference;
  std::sort(causes.begin(), causes.end(),
            [](const cause& a, const cause& b) { return a.share != b.share ? a.share > b.share : a.part < b.part; });
  return causes;
}

const resource* critical_resource(const record& of) {
  const resource* busiest = nullptr;
  for (const resource::kind kind : {resource::kind::lock, resource::kind::line}) {
    const double least = kind == resource::kind::lock ? worth_mentioning : critical;
    for (const resource& each : of.resources) {
      if (each.what == kind && busy_share(of, each) >= least && (busiest == nullptr || each.busy_ns > busiest->busy_ns))
        busiest = &each;
    }
    if (busiest != nullptr) return busiest;
  }
  return nullptr;
}

std::string bound_sentence(const record& of, const resource& critical) {
  const bool is_lock = critical.what == resource::kind::lock;
  const double per_second = static_cast<double>(of.tasks) / (static_cast<double>(critical.busy_ns) * 1e-9);
  return format("{} was {} {:.0f} % of the time: that bounds it to {} tasks per second", with_article("The ", critical.name),
                is_lock ? "held" : "on its way between processors", 100 * std::min(busy_share(of, critical), 1.0),
                grouped(static_cast<std::uint64_t>(std::llround(per_second))));
}

std::string reason_for(const record& slow, const record& fast) {
  const std::vector<cause> causes = causes_of(slow, fast);
  if (causes.empty()) return "the time accounts say nothing of it";
  const cause& first = causes.front();
  std::string text;
  if (first.part == unexplained)
    text = format(
        "nothing in the account explains it: the workers were idle for {}, which is {:.0f} % of it, and nothing else grew enough "
        "to be what they waited for",
        figures_of(slow, fast, first), 100 * std::min(first.share, 1.0));
  else if (first.share < part_of_reason)
    text =
        format("no single part explains a fifth of it; the most is {} ({:.0f} %)", text_of_part(first.part), 100 * first.share);
  else text = strength(first) + " (" + figures_of(slow, fast, first) + ")" + next_of(slow, fast, causes);
  const resource* const bound = critical_resource(slow);
  // A lock that is as busy in the fast one bounds that, too, and is no difference.
  if (bound != nullptr && slow.tasks != 0 && critical_resource(fast) == nullptr) text += ". " + bound_sentence(slow, *bound);
  return text;
}

std::string short_reason_for(const record& slow, const record& fast) {
  const std::vector<cause> causes = causes_of(slow, fast);
  if (causes.empty()) return "-";
  const cause& first = causes.front();
  if (first.share < part_of_reason || first.part == unexplained) return "no single part";
  return format("{}{} {:.0f} %", first.share < whole_reason ? "partly " : "", first.part, 100 * std::min(first.share, 1.0));
}

}  // namespace teff::report
