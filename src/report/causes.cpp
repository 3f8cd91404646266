// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/causes.h"

#include "report/bounds.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace teff::report {

namespace {

/// Busy for so much of the time, a lock or line is what all wait for: a worker that has just left it is before it again.
constexpr double critical = 0.8;
/// A cause has to be so much of the difference by itself to be what idle workers waited for.
constexpr double least_to_wait_for = 0.1;

constexpr const char* idle_parts[] = {"searching_alone", "parked"};
constexpr const char* parts_beside_tasks[] = {"searching_beside_tasks", "parked_beside_tasks"};
constexpr const char* own_parts[] = {"own_work", "own_memory"};

template <std::size_t Count>
bool is_one_of(const std::string& name, const char* const (&names)[Count]) {
  return std::any_of(std::begin(names), std::end(names), [&](const char* each) { return name == each; });
}

double ns_of(const record& of, const std::string& part, std::size_t worker) {
  const auto found =
      std::find_if(of.account.begin(), of.account.end(), [&](const account_part& each) { return each.name == part; });
  if (found == of.account.end() || worker >= found->ns_by_worker.size()) return 0;
  return static_cast<double>(found->ns_by_worker[worker]);
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

double most_own_ns(const record& of) {
  double most = 0;
  for (std::size_t worker = 0; worker < of.workers; ++worker) most = std::max(most, own_ns(of, worker));
  return most;
}

cause& cause_of(std::vector<cause>& causes, const std::string& part) {
  const auto found = std::find_if(causes.begin(), causes.end(), [&](const cause& each) { return each.part == part; });
  return found != causes.end() ? *found : causes.emplace_back(cause{part});
}

void add_idle(cause& to, double ns) {
  to.share += ns;
  to.idle += ns;
}

/// Effect: the idle time that is left goes to what grew, or stays unexplained. If there is less of it in the slow record, what
/// grew took its place. All in ns.
void share_out(std::vector<cause>& causes, double idle, double difference, unsigned workers) {
  const double least = idle > 0 ? least_to_wait_for * difference : 0;
  const auto is_waited_for = [&](const cause& each) { return each.share > 0 && each.share >= least; };
  double grown = 0;
  for (const cause& each : causes) grown += is_waited_for(each) ? each.share : 0;
  const double follows = std::min(idle, workers * grown);
  for (cause& each : causes) {
    if (is_waited_for(each)) add_idle(each, each.share / grown * follows);
  }
  if (idle > follows) causes.push_back({unexplained, idle - follows, idle - follows});
}

/// The differences of all that is no idle time, in ns.
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

}  // namespace

double total_ns(const record& of, const std::string& part) {
  double sum = 0;
  if (part == imbalance) return imbalance_ns(of);
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

double imbalance_ns(const record& of) {
  const double most = most_own_ns(of);
  double sum = 0;
  for (std::size_t worker = 0; worker < of.workers; ++worker) sum += std::min(most - own_ns(of, worker), idle_ns(of, worker));
  return sum;
}

double busiest_share(const record& of) {
  double sum = 0;
  for (std::size_t worker = 0; worker < of.workers; ++worker) sum += own_ns(of, worker);
  return sum > 0 ? most_own_ns(of) / sum : 0;
}

std::vector<cause> causes_of(const record& slow, const record& fast) {
  if (slow.account_ns == 0 || fast.account_ns == 0) return {};
  std::vector<cause> causes = direct_causes(slow, fast);
  double idle = total_idle_ns(slow) - total_idle_ns(fast), difference = idle;
  for (const cause& each : causes) difference += each.share;
  if (difference <= 0) return {};
  const double unequal = std::clamp(imbalance_ns(slow) - imbalance_ns(fast), 0.0, std::max(idle, 0.0));
  idle -= unequal;
  const resource* const bound = bound_beside(slow, fast);
  if (idle > 0 && bound != nullptr && part_of_waits(*bound) != nullptr && busy_share(slow, *bound) >= critical) {
    add_idle(cause_of(causes, part_of_waits(*bound)), idle);
    idle = 0;
  }
  share_out(causes, idle, difference - unequal, slow.workers);
  if (unequal > 0) causes.push_back({imbalance, unequal, unequal});
  for (cause& each : causes) {
    each.share /= difference;
    each.idle /= difference;
  }
  std::sort(causes.begin(), causes.end(),
            [](const cause& a, const cause& b) { return a.share != b.share ? a.share > b.share : a.part < b.part; });
  return causes;
}

std::vector<cause> named_causes(const std::vector<cause>& all) {
  std::vector<cause> named;
  for (const cause& each : all) {
    if (each.part == unexplained) continue;
    if (each.share < part_of_reason || named.size() == 2) break;
    if (!named.empty() && named.front().share >= whole_reason) break;
    named.push_back(each);
  }
  return named;
}

}  // namespace teff::report
