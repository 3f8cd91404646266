// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Idea: each way that a task may go is gone some hundred times by tasks that do nothing, and what the same program takes without
/// tasks is taken off. Of each time, of that program's as well, the least of some rounds: nothing else happened in it. (Of a
/// difference the least would be that of the round in which most happened beside the program without tasks.) Rounds are short, so
/// that some of them are over before another thread wants the processor, also where a sanitizer makes them slow.
#include "runtime/task_cost.h"

#include "runtime/make_team.h"
#include "teff/teff.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

namespace TEFF_NAMESPACE::runtime {

namespace {

using workers::task_costs;

constexpr unsigned managers_at_most = 64;
struct kept {
  platform::atomic<bool> is_known{false};  ///< [kept] release by who has written the costs, acquire by who reads them
  platform::atomic<bool> is_written{false};
  task_costs costs;
};
constinit kept known[managers_at_most];
constexpr task_costs nothing_known;

/// Which Fibonacci number: some 370 calls that call, many times what a look at the clock takes.
constexpr unsigned number = 13;

[[gnu::noinline]] std::uint64_t serial(unsigned n) { return n < 2 ? n : serial(n - 1) + serial(n - 2); }

[[gnu::noinline]] std::uint64_t by_joins(context& here, unsigned n) {
  if (n < 2) return n;
  std::uint64_t one = 0, other = 0;
  join(
      here, [&, n](context& child) { one = by_joins(child, n - 1); }, [&, n](context& child) { other = by_joins(child, n - 2); });
  return one + other;
}

[[gnu::noinline]] std::uint64_t by_groups(context& here, unsigned n) {
  if (n < 2) return n;
  std::uint64_t one = 0, other = 0;
  task_group children;
  children.put(here, [&, n](context& child) { one = by_groups(child, n - 1); });
  children.put(here, [&, n](context& child) { other = by_groups(child, n - 2); });
  children.wait(here);
  return one + other;
}

constexpr std::uint64_t calls_that_call(unsigned n) { return n < 2 ? 0 : 1 + calls_that_call(n - 1) + calls_that_call(n - 2); }

/// What one worker takes for each of so many, in thousandths of ns: the clock, but for calls of the system for memory, which
/// are another part.
class stopwatch {
 public:
  explicit stopwatch(worker& current) : current_(current), memory_(current.account.memory()), begin_(platform::now_ns()) {}
  std::uint64_t each_of(std::uint64_t count) const {
    const std::uint64_t spent = platform::now_ns() - begin_, memory = current_.account.memory() - memory_;
    return (spent > memory ? spent - memory : 0) * 1000 / count;
  }

 private:
  worker& current_;
  std::uint64_t memory_, begin_;
};

constexpr std::uint64_t puts = 200, waits = 20;

/// What a round takes, of each, in thousandths of ns. `calls`: of those of the program without tasks.
struct times {
  std::uint64_t put, calls, joins, groups, suspensions;
};

/// Tasks are taken the newest first: the last one to run is put first.
void put_empty_ones(context& here, times& found) {
  const stopwatch since(here.current());
  here.put([since, &found](context&) { found.put = since.each_of(puts); });
  for (std::uint64_t each = 0; each < puts; ++each) here.put([](context&) {});
}

/// One worker throughout: there is no other one.
void nest(context& here, times& found) {
  volatile std::uint64_t sink = 0;
  constexpr std::uint64_t calls = calls_that_call(number);
  const stopwatch without(here.current());
  sink = serial(number);
  found.calls = without.each_of(calls);
  const stopwatch joins(here.current());
  sink = by_joins(here, number);
  found.joins = joins.each_of(calls);
  const stopwatch groups(here.current());
  sink = by_groups(here, number);
  found.groups = groups.each_of(calls);
  static_cast<void>(sink);
  const stopwatch suspensions(here.current());
  for (std::uint64_t each = 0; each < waits; ++each) {
    // Without a stack to go on with, who sets the event would never run.
    if (fibers::carrier& own = *here.current().carrier; own.running() == nullptr || !own.keep_one()) return;
    event happened(false, wait_policy::block);
    here.put([&happened](context&) { happened.set(); });
    happened.wait();
  }
  found.suspensions = suspensions.each_of(waits);
}

/// A time of 0 is none: less passed than the system took for memory meanwhile.
void take_least(std::uint64_t& of, std::uint64_t now) {
  if (now != 0) of = of == 0 ? now : std::min(of, now);
}
std::uint64_t above(std::uint64_t time, std::uint64_t base) { return time > base ? time - base : 0; }

task_costs measure(const std::string& memory) {
  constexpr unsigned rounds = 20;
  team_options alone;
  alone.workers = 1;
  alone.memory = memory;
  team_plan plan;
  if (!understand(alone, plan).empty()) return {};
  plan.shape.watchdog_ns = 0;
  const auto one = make_unseen_team(alone, plan);
  times least{};
  for (unsigned round = 0; round < rounds; ++round) {
    times found{};
    if (!one->init(detail::make_outside_task([&found](context& here) { nest(here, found); }))) return {};
    one->run();
    if (!one->init(detail::make_outside_task([&found](context& here) { put_empty_ones(here, found); }))) return {};
    one->run();
    for (std::uint64_t times::* const each : {&times::put, &times::calls, &times::joins, &times::groups, &times::suspensions})
      take_least(least.*each, found.*each);
  }
  task_costs of;
  of.put = least.put;
  of.join = above(least.joins, least.calls);
  of.child = above(least.groups, least.calls) / 2;
  of.suspension = above(least.suspensions, least.put);
  return of;
}

}  // namespace

const task_costs& costs_of_tasks(const std::string& memory) {
  if (platform::clock_is_free) return nothing_known;
  const auto lines = list_managers();
  const auto named = std::find_if(lines.begin(), lines.end(), [&](const catalogue_line& each) { return memory == each.name; });
  const auto at = static_cast<std::size_t>(named - lines.begin());
  if (named == lines.end() || at >= managers_at_most) return nothing_known;
  kept& its = known[at];
  if (its.is_known.load(platform::acquire)) return its.costs;  // [kept]
  const platform::faults& planted = platform::planted_faults();
  if (platform::current() != nullptr || planted.allocations_until_refusal >= 0 || planted.threads_until_refusal >= 0)
    return nothing_known;
  try {
    const task_costs found = measure(memory);
    // relaxed: it elects one who writes. Who comes second goes without until that one has.
    if (its.is_written.exchange(true, platform::relaxed)) return nothing_known;
    its.costs = found;
    its.is_known.store(true, platform::release);  // [kept]
    return its.costs;
  } catch (const std::bad_alloc&) {
    return nothing_known;
  }
}

}  // namespace TEFF_NAMESPACE::runtime
