// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The time account in simulation: that it adds up to the last cycle, and that what costs time is named.
#include "sim/account.h"
#include "sim/instance.h"
#include "sim/sim.h"
#include "sim/simulator.h"
#include "teff/teff.hpp"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE {
namespace {

constexpr unsigned cycles_per_ns = 2;

sim::options machine_with(const std::function<void(sim::machine_description&)>& change = {}) {
  sim::options wanted;
  wanted.processors_at_most = 8;
  wanted.machine.cycles_per_ns = cycles_per_ns;
  if (change) change(wanted.machine);
  return wanted;
}

team_options team_of(const std::string& pool, unsigned workers, const std::vector<std::string>& settings = {}) {
  team_options wanted;
  wanted.pool = pool;
  wanted.workers = workers;
  wanted.settings = settings;
  return wanted;
}

/// Returns: what the team tells of a run of this task.
statistics account_of(const sim::options& machine, const team_options& wanted, const std::function<void(context&)>& first) {
  statistics told;
  const sim::outcome ended = sim::simulate(machine, [&] {
    team on(wanted);
    on.reset_stats();
    on.init([&](context& here) { first(here); });
    on.run();
    told = on.stats();
    EXPECT_FALSE(sim::instance().account().some_wait()) << "puts and gets are counted as many times";
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
  return told;
}

double share(const statistics& of, const char* part) {
  return static_cast<double>(of.spent(part)) / static_cast<double>(of.account_ns * of.tasks_by_worker.size());
}

const resource_use* resource(const statistics& of, const std::string& name) {
  const auto found =
      std::find_if(of.resources.begin(), of.resources.end(), [&](const resource_use& each) { return each.name == name; });
  return found != of.resources.end() ? &*found : nullptr;
}

void expect_exact(const statistics& of) {
  EXPECT_GT(of.account_ns, 0u);
  for (std::size_t id = 0; id < of.tasks_by_worker.size(); ++id) {
    std::uint64_t sum = 0;
    for (const time_part& each : of.account) {
      EXPECT_LE(each.ns_by_worker[id], of.account_ns) << each.name;
      sum += each.ns_by_worker[id];
    }
    EXPECT_EQ(sum, of.account_ns) << "worker " << id;
  }
}

/// Children that put children, each of which charges; joins, and tasks that wait where others are done.
void grow(context& here, unsigned depth, std::uint64_t units) {
  this_task::charge(units);
  if (depth == 0) return;
  task_group children;
  for (unsigned each = 0; each < 2; ++each) children.put(here, [=](context& child) { grow(child, depth - 1, units); });
  join(here, [&] { this_task::charge(units); }, [&] { this_task::charge(units); });
  children.wait(here);
}
std::uint64_t charges_of(unsigned depth) { return depth == 0 ? 1 : 3 + 2 * charges_of(depth - 1); }

class account_of_pool : public testing::TestWithParam<const char*> {};

TEST_P(account_of_pool, adds_up_and_has_what_was_charged) {
  constexpr unsigned depth = 5;
  constexpr std::uint64_t units = 700;
  for (const unsigned workers : {1u, 3u, 8u}) {
    SCOPED_TRACE(workers);
    const statistics seen =
        account_of(machine_with(), team_of(GetParam(), workers), [](context& here) { grow(here, depth, units); });
    expect_exact(seen);
    const std::uint64_t charged = charges_of(depth) * units / cycles_per_ns;
    EXPECT_NEAR(static_cast<double>(seen.spent("own_work")), static_cast<double>(charged), workers);  // rounded by worker
    EXPECT_GT(seen.spent("put_get"), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(every_kind, account_of_pool,
                         testing::Values("teff", "sq1", "sq3", "sq4", "dq1", "dq4", "dq5", "dq6", "dq8", "sdq1", "rq2",
                                         "centralised", "hierarchical"),
                         [](const auto& each) { return std::string(each.param); });

TEST(account, of_runs_that_begin_again_covers_what_lies_between) {
  sim::simulate(machine_with(), [] {
    team on(team_of("teff", 4));
    on.reset_stats();
    for (unsigned run = 0; run < 3; ++run) {
      platform::charge(50'000);
      on.init([](context& here) { grow(here, 3, 300); });
      on.run();
    }
    const statistics seen = on.stats();
    expect_exact(seen);
    for (const std::uint64_t ns : seen.account.back().ns_by_worker) EXPECT_GE(ns, 3 * 50'000 / cycles_per_ns);  // outside_runs
    on.reset_stats();
    EXPECT_LT(on.stats().account_ns, 1'000u);
    on.init([](context& here) { grow(here, 3, 300); });
    on.run();
    expect_exact(on.stats());
    EXPECT_NEAR(static_cast<double>(on.stats().spent("own_work")), static_cast<double>(charges_of(3) * 300 / cycles_per_ns), 4);
  });
}

TEST(account, adds_up_with_calls_outside_injectors_and_pins) {
  sim::simulate(machine_with(), [] {
    team on(team_of("teff", 3));
    on.reset_stats();
    on.init([](context& here) {
      const pin here_alone(here);
      grow(here, 3, 200);
    });
    on.init([](context& here) {
      blocking([] { platform::charge(30'000); });
      grow(here, 2, 200);
    });
    on.run();
    expect_exact(on.stats());
    EXPECT_FALSE(sim::instance().account().some_wait());
  });
}

TEST(account, is_kept_by_virtual_time_alone) {
  sim::options wanted = machine_with();
  wanted.strategy = sim::strategy::random;
  const statistics seen = account_of(wanted, team_of("dq5", 3), [](context& here) { grow(here, 3, 10); });
  EXPECT_EQ(seen.account_ns, 0u);
  EXPECT_EQ(seen.spent("own_work"), 0u);
}

// ---- what costs time is named ---------------------------------------------------------------------------------------------

/// As many tasks as wide, of the first one, each of which charges.
void many(context& here, unsigned count, std::uint64_t units) {
  task_group all;
  for (unsigned each = 0; each < count; ++each) all.put(here, [=] { this_task::charge(units); });
  all.wait(here);
}

TEST(account, names_a_lock_that_all_wait_for) {
  const auto run = [](const char* pool, const std::vector<std::string>& settings) {
    return account_of(machine_with(), team_of(pool, 8, settings), [](context& here) { grow(here, 7, 100); });
  };
  const statistics central = run("sq1", {"lock=spin"});
  EXPECT_GT(share(central, "lock_wait"), 0.3);
  const resource_use* const lock = resource(central, "lock of the central queue");
  ASSERT_NE(lock, nullptr);
  EXPECT_GT(lock->waited_ns, central.spent("lock_wait") * 9 / 10);
  EXPECT_LE(lock->busy_ns, central.account_ns);
  EXPECT_EQ(central.resources.front().name, "lock of the central queue");
  EXPECT_EQ(resource(central, "line of the lock of the central queue"), nullptr) << "the lock has it";
  const statistics apart = run("teff", {});
  EXPECT_LT(share(apart, "lock_wait"), 0.2);
  EXPECT_EQ(resource(apart, "lock of the central queue"), nullptr);
}

TEST(account, names_the_lock_that_two_workers_wait_for) {
  const auto run = [](const char* pool) {
    return account_of(machine_with(), team_of(pool, 2), [](context& here) { grow(here, 8, 5); });
  };
  const statistics one = run("sq1"), two = run("sq4");
  const resource_use* const lock = resource(one, "lock of the central queue");
  const resource_use* const head = resource(two, "lock at the head of the central queue");
  const resource_use* const tail = resource(two, "lock at the tail of the central queue");
  ASSERT_TRUE(lock != nullptr && head != nullptr && tail != nullptr);
  EXPECT_GT(share(one, "lock_wait"), 0.4);
  EXPECT_GT(lock->waited_ns, one.spent("lock_wait") * 9 / 10);
  EXPECT_GT(lock->busy_ns, one.account_ns * 4 / 10);
  EXPECT_GT(share(two, "lock_wait"), 0.2);
  EXPECT_GT(head->waited_ns + tail->waited_ns, two.spent("lock_wait") / 2);
  for (const statistics* const each : {&one, &two}) {
    for (const resource_use& some : each->resources) EXPECT_LE(some.busy_ns, each->account_ns) << some.name;
  }
}

constexpr lock_label inbox = lock_label::of(guarded::inbox);
char some[3];  // addresses of locks

TEST(account_of_locks, are_busy_until_who_waits_has_them) {
  sim::account locks;
  const auto busy = [&](std::uint64_t clock) { return locks.locks(clock).at(0).busy; };
  locks.took(some, inbox, 100);
  EXPECT_EQ(busy(130), 30u);
  locks.freed(some, 140);
  locks.left(some, 145);
  EXPECT_EQ(busy(1'000), 45u) << "the release takes time; then nobody has it";
  locks.took(some, inbox, 1'000);
  locks.comes_in_line(some, inbox);
  locks.freed(some, 1'010);
  locks.left(some, 1'012);
  EXPECT_EQ(busy(1'030), 75u) << "handed on";
  locks.took(some, inbox, 1'050);
  locks.leaves_line(some);
  locks.freed(some, 1'060);
  locks.left(some, 1'060);
  EXPECT_EQ(busy(2'000), 45u + 60u);
  locks.begin_again(2'000);
  EXPECT_TRUE(locks.locks(3'000).empty());
}

TEST(account_of_locks, of_one_label_are_told_by_the_busiest) {
  sim::account locks;
  for (unsigned which = 0; which < 3; ++which) {
    locks.took(some + which, inbox, 0);
    locks.freed(some + which, 10 * (which + 1));
    locks.left(some + which, 10 * (which + 1));
    locks.waited(some + which, inbox, which);
  }
  ASSERT_EQ(locks.locks(100).size(), 1u);
  const shared_resource found = locks.locks(100).front();
  EXPECT_EQ(found.name, "lock of the inbox (the busiest of 3)");
  EXPECT_EQ(found.busy, 30u);
  EXPECT_EQ(found.uses, 1u);
  EXPECT_EQ(found.waited, 2u);
}

TEST(account_of_locks, at_one_address_one_after_the_other_are_two) {
  sim::account locks;
  for (unsigned which = 0; which < 2; ++which) {
    locks.made(some);
    locks.took(some, inbox, 100 * which);
    locks.freed(some, 100 * which + 20);
    locks.left(some, 100 * which + 20);
  }
  const shared_resource found = locks.locks(1'000).front();
  EXPECT_EQ(found.name, "lock of the inbox (the busiest of 2)");
  EXPECT_EQ(found.busy, 20u);
}

TEST(account, tells_the_locks_of_queues_apart) {
  const statistics seen = account_of(machine_with(), team_of("dq5", 4), [](context& here) { grow(here, 6, 100); });
  for (unsigned id = 0; id < 4; ++id) EXPECT_NE(resource(seen, "lock of queue " + std::to_string(id)), nullptr) << id;
  EXPECT_EQ(resource(seen, "lock of queue 4"), nullptr);
}

TEST(account, names_slow_memory_of_the_system) {
  const auto run = [](unsigned cost) {
    team_options wanted = team_of("dq5", 4);
    wanted.memory = "bs";
    return account_of(machine_with([&](auto& machine) { machine.system_allocation = machine.system_release = cost; }), wanted,
                      [](context& here) { grow(here, 5, 500); });
  };
  EXPECT_GT(share(run(10'000), "system_memory"), 0.5);
  EXPECT_LT(share(run(0), "system_memory"), 0.1);
}

TEST(account, says_that_there_was_no_task_for_others_to_run) {
  const statistics seen = account_of(machine_with(), team_of("teff", 4), [](context&) { this_task::charge(3'000'000); });
  EXPECT_GT(share(seen, "searching_alone") + share(seen, "parked"), 0.7);
  EXPECT_LT(share(seen, "searching_beside_tasks") + share(seen, "parked_beside_tasks"), 0.01);
  EXPECT_GT(seen.value("steal_attempts"), 3u);
  EXPECT_LE(seen.spent("stealing"), seen.value("steals_got") * 1'000);  // looks in vain are searches
}

TEST(account, says_that_a_pool_hid_tasks) {
  const auto hidden = [](const char* pool) {
    const statistics seen = account_of(machine_with(), team_of(pool, 4), [](context& here) { many(here, 40, 40'000); });
    return share(seen, "searching_beside_tasks") + share(seen, "parked_beside_tasks");
  };
  EXPECT_GT(hidden("dq1"), 0.6);  // the other three queues get nothing
  EXPECT_LT(hidden("teff"), 0.2);
}

TEST(account, says_what_waking_takes) {
  const auto run = [](unsigned wake) {
    return account_of(machine_with([&](auto& machine) { machine.wake = wake; }),
                      team_of("sq1", 4, {"wait=park", "wake=every-put"}), [](context& here) { grow(here, 4, 20'000); });
  };
  EXPECT_GT(share(run(100'000), "waking"), 0.1);
  EXPECT_LT(share(run(0), "waking"), 0.01);
}

/// Each of the others sleeps when the only task ends, and is woken by who has left the run before it: nobody wakes more than two,
/// and who has found the end one more.
TEST(account, has_the_wake_ups_at_the_end_of_a_run) {
  constexpr unsigned wake = 50'000, workers = 64;
  sim::options machine = machine_with([](auto& described) { described.wake = wake; });
  machine.processors_at_most = workers;
  const statistics seen = account_of(machine, team_of("dq5", workers, {"wait=park"}), [](context&) {  // where all take part
    this_task::charge(20'000'000);  // the others are asleep
  });
  expect_exact(seen);
  EXPECT_GE(seen.value("parks"), workers - 1);
  EXPECT_GE(seen.spent("waking"), seen.value("parks") * wake / cycles_per_ns);
  const auto part = std::find_if(seen.account.begin(), seen.account.end(),
                                 [](const time_part& each) { return each.name == std::string("waking"); });
  ASSERT_NE(part, seen.account.end());
  for (const std::uint64_t ns : part->ns_by_worker) EXPECT_LT(ns, 4 * wake / cycles_per_ns);
}

/// A thread that stands in for worker 1, whose own is in a call outside, wakes the two whom that one has to wake.
TEST(account, has_the_wake_ups_at_the_end_of_a_run_by_a_thread_that_stands_in) {
  constexpr unsigned wake = 50'000, workers = 8;
  statistics seen;
  const sim::outcome ended = sim::simulate(machine_with([](auto& described) { described.wake = wake; }), [&] {
    team on(team_of("teff", workers, {"wait=park"}));
    on.reset_stats();
    on.init([](context&) { this_task::charge(200'000); });  // meanwhile worker 1 takes the other one
    on.init([](context& here) {
      EXPECT_EQ(here.worker_id(), 1u) << "else this is no test";
      blocking([] { platform::charge(20'000'000); });
    });
    on.run();
    seen = on.stats();
  });
  ASSERT_TRUE(ended.ok()) << ended.report;
  expect_exact(seen);
  EXPECT_EQ(seen.value("calls_outside"), 1u);
  EXPECT_GE(seen.value("parks"), workers);
  // The thread that comes back wakes one worker as no worker.
  EXPECT_GE(seen.spent("waking"), (seen.value("parks") - 1) * wake / cycles_per_ns);
}

TEST(account, says_how_long_woken_ones_take_to_wake) {
  const auto asleep = [](unsigned latency) {
    const statistics seen = account_of(machine_with([&](auto& machine) { machine.wake_latency = latency; }),
                                       team_of("teff", 4, {"wait=park"}), [](context& here) {
                                         this_task::charge(2'000'000);  // the others are asleep
                                         many(here, 60, 20'000);
                                       });
    expect_exact(seen);
    return seen.spent("being_woken");
  };
  EXPECT_GT(asleep(400'000), asleep(0) + 3 * 100'000);
}

struct counts {
  explicit counts(std::size_t apart) : apart(apart), words(apart * 8) {}
  std::size_t apart;
  std::vector<platform::atomic<std::uint64_t>> words;
};

TEST(account, names_a_line_that_the_program_shares) {
  const auto run = [](std::size_t apart) {
    return account_of(machine_with([](auto& machine) { machine.level[0].transfer = machine.level[1].transfer = 2'000; }),
                      team_of("dq5", 8), [apart](context& here) {
                        counts own(apart);
                        task_group all;
                        for (std::size_t each = 0; each < 8; ++each) {
                          all.put(here, [&own, each] {
                            for (unsigned round = 0; round < 200; ++round) {
                              this_task::charge(500);
                              own.words[each * own.apart].fetch_add(1, platform::relaxed);
                            }
                          });
                        }
                        all.wait(here);
                      });
  };
  const statistics together = run(1), far = run(8);
  EXPECT_GT(share(together, "own_memory"), 0.4);
  EXPECT_LT(share(far, "own_memory"), 0.2);
  ASSERT_FALSE(together.resources.empty());
  EXPECT_EQ(together.resources.front().name.find("the program's line"), 0u) << together.resources.front().name;
  EXPECT_TRUE(together.resources.front().is_line);
  EXPECT_GT(together.resources.front().busy_ns, together.account_ns / 2);
}

/// Two tasks that use the same memory, in turn, on workers of two domains.
TEST(account, of_memory_that_tasks_declare_is_theirs_and_says_where_lines_came_from) {
  constexpr std::size_t bytes = 64 << 10;
  const auto caches = [](sim::machine_description& machine) {
    machine.level[0].width = 1;
    machine.level[0].memory = machine.level[1].memory = 200;
    machine.own_cache_kib = 2 * bytes >> 10;
    machine.domain_cache_kib = 4 * bytes >> 10;
    machine.domain_hit = 40;
    machine.domain_next_line = 4;
    machine.memory_next_line = 20;
  };
  const auto run = [](const sim::options& machine) {
    alignas(512) static std::byte memory[bytes];
    return account_of(machine, team_of("dq5", 2), [](context& here) {
      this_task::touch(memory, bytes, this_task::access::write);
      this_task::touch(memory, bytes, this_task::access::read);
      const std::uint32_t first = here.worker_id();
      task_group others;
      platform::atomic<std::uint32_t> began{0};
      others.put(here, [&](context& other) {
        this_task::touch(memory, bytes, this_task::access::read);
        EXPECT_NE(other.worker_id(), first);
        began.store(1, platform::release);
      });
      platform::spin_until(began, [](std::uint32_t has) { return has == 1; }, "the other worker");
      others.wait(here);
      this_task::touch(memory, 0, this_task::access::read);
    });
  };
  constexpr std::uint64_t lines = bytes / 64;
  const statistics seen = run(machine_with(caches));
  expect_exact(seen);
  EXPECT_EQ(seen.value("lines_from_memory"), lines);
  EXPECT_EQ(seen.value("lines_from_far_memory"), 0u);
  EXPECT_EQ(seen.value("lines_from_own"), lines);
  EXPECT_EQ(seen.value("lines_from_domain") + seen.value("lines_from_others"), lines);
  EXPECT_GT(seen.spent("own_memory"), lines / 8 * (200 + 7 * 20) / cycles_per_ns);
  EXPECT_EQ(seen.spent("own_work"), 0u);
  const statistics plain = run(machine_with());
  for (const char* const name : {"lines_from_memory", "lines_from_own", "lines_from_domain", "lines_from_others"})
    EXPECT_EQ(plain.value(name), 0u) << name;
  EXPECT_LT(plain.spent("own_memory"), 2'000u) << "where no capacity is stated it takes no time";
}

TEST(account, knows_nothing_of_memory_that_is_declared_outside_of_tasks) {
  std::byte memory[100] = {};
  this_task::touch(memory, sizeof memory, this_task::access::write);
  this_task::forget(memory, sizeof memory);
  std::uint64_t took = 0;
  sim::simulate(machine_with([](auto& machine) {
                  machine.own_cache_kib = 1;
                  machine.domain_cache_kib = 1;
                  machine.level[0].memory = machine.level[1].memory = 2'000;
                }),
                [&] {
                  const std::uint64_t before = platform::now_ns();
                  this_task::touch(memory, sizeof memory, this_task::access::write);
                  took = platform::now_ns() - before;
                });
  EXPECT_GE(took, 1'000u) << "the calling thread's time";
}

TEST(account, says_that_tasks_are_too_fine) {
  const auto overhead = [](std::uint64_t units) {
    const statistics seen = account_of(machine_with(), team_of("teff", 1), [=](context& here) { many(here, 500, units); });
    return static_cast<double>(seen.spent("put_get")) / static_cast<double>(seen.spent("own_work"));
  };
  EXPECT_GT(overhead(5), 3);
  EXPECT_LT(overhead(50'000), 0.01);
}

TEST(account, says_what_stealing_takes) {
  const auto run = [](unsigned transfer) {
    return account_of(machine_with([&](auto& machine) { machine.level[0].transfer = machine.level[1].transfer = transfer; }),
                      team_of("dq5", 8), [](context& here) { grow(here, 6, 2'000); });
  };
  const statistics slow = run(5'000);
  EXPECT_GT(slow.spent("stealing"), slow.value("steals_got") * 5'000 / cycles_per_ns);
  EXPECT_LT(share(run(10), "stealing"), 0.05);
}

}  // namespace
}  // namespace TEFF_NAMESPACE
