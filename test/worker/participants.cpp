// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Who takes part in a run of workers that come by need: no more than it keeps busy, all that it needs, and whoever has something
/// to do that nobody else may. Steps of that which are left out are found. Simulated only.
#include "schedules.h"

#include "pool/catalogue.h"
#include "teff/group.hpp"
#include "teff/sync.hpp"

#include <cstdint>
#include <cstdio>
#include <functional>
#include <gtest/gtest.h>
#include <new>
#include <numeric>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::conformance {
namespace {

constexpr std::uint64_t schedules_of_a_scene = 3'000, schedules_of_a_step_left_out = 100'000;
constexpr unsigned workers_each = 2, all_workers = 6;

/// Three domains of two workers, or what the machine has: a run begins with the first.
template <class Rules = workers::rules>
workers::team_of<pool::split_deques<>, Rules> in_domains(unsigned workers_of_team = all_workers,
                                                         pool::domain_grid domains = {all_workers / workers_each, workers_each}) {
  const workers::team_shape shape{.workers = workers_of_team,
                                  .seed = 1,
                                  .pin = {},
                                  .argument_bytes = 64,
                                  .wake = {},
                                  .wait = pool::wait_policy::park,
                                  .domains = domains};
  pool::settings set;
  set.domains = domains;
  return workers::team_of<pool::split_deques<>, Rules>(
      shape, set,
      [](unsigned workers, std::size_t task_block_bytes) { return runtime::make_memory("dlf", workers, task_block_bytes, 64); },
      [](const pool::environment& from) { return pool::split_deques<>(from); });
}

/// Tasks that keep their workers until so many have begun.
struct meeting {
  platform::atomic<std::uint32_t> begun{0};
  void meet(std::uint32_t wanted) {
    const std::uint32_t now = begun.fetch_add(1, platform::acq_rel) + 1;
    if (now == wanted) return platform::wake_all(begun);
    for (std::uint32_t seen = now; seen < wanted; seen = begun.load(platform::acquire))
      platform::park(begun, seen, "a task: the others to begin");
  }
};

/// Effect: a run of as many tasks as there are workers, each of which waits for all others.
void run_that_needs_all(workers::team_base& on, std::string& wrong) {
  meeting all;
  script tasks;
  for (unsigned other = 1; other < all_workers; ++other) tasks.add([&](worker&) { all.meet(all_workers); });
  step& root = tasks.add([&](worker& current) {
    for (unsigned other = 0; other + 1 < all_workers; ++other) put(current, tasks[other]);
    all.meet(all_workers);
  });
  on.init(root.as_task());
  run_once(on, tasks, wrong);
}

/// Every worker is needed at once; twice, as the second run finds workers that are on their way from the first one.
struct all_needed {
  template <class Pool, class Rules>
  static void play(std::string& wrong) {
    auto on = in_domains<Rules>();
    for (unsigned run = 0; run < 2 && wrong.empty(); ++run) run_that_needs_all(on, wrong);
  }
};

/// Runs of a few tasks, one after the other: each ends, and no task of the next one runs before or after it.
struct short_runs {
  template <class Pool, class Rules>
  static void play(std::string& wrong) {
    auto on = in_domains<Rules>();
    for (unsigned run = 0; run < 3 && wrong.empty(); ++run) {
      script tasks;
      on.init(tasks.add_tree(3, 2).as_task());
      run_once(on, tasks, wrong);
    }
  }
};

/// A task for a worker that takes no part, before the run, between two and in one.
struct bound_to_an_absent_one {
  template <class Pool, class Rules>
  static void play(std::string& wrong) {
    auto on = in_domains<Rules>();
    for (unsigned run = 0; run < 2 && wrong.empty(); ++run) {
      unsigned ran_on = 0;
      script tasks;
      meeting both;
      step& bound = tasks.add([&](worker& current) {
        ran_on = current.id;
        both.meet(2);
      });
      step& root = tasks.add_tree(2, 2);
      step& waits = tasks.add([&](worker&) { both.meet(2); });  // so nobody finds that all sleep
      on.init(waits.as_task());
      on.init(root.as_task());
      if (run == 0) {
        run_beside(on, tasks, wrong, [&] { on.make_ready(all_workers - 1, bound.as_task()); });
      } else {
        on.open_source();
        on.make_ready(all_workers - 1, bound.as_task());
        on.close_source();
        run_once(on, tasks, wrong);
      }
      if (wrong.empty() && ran_on != all_workers - 1) wrong = "a bound task ran on worker " + std::to_string(ran_on);
    }
  }
};

/// Initial tasks of all workers, each of which waits for all others.
struct initial_for_all {
  template <class Pool, class Rules>
  static void play(std::string& wrong) {
    auto on = in_domains<Rules>();
    meeting all;
    script tasks;
    for (unsigned each = 0; each < all_workers; ++each)
      on.init(each, tasks.add([&](worker&) { all.meet(all_workers); }).as_task());
    run_once(on, tasks, wrong);
  }
};

/// All that take part are kept by their tasks; what is injected wants one more.
struct injected_beside_long_tasks {
  template <class Pool, class Rules>
  static void play(std::string& wrong) {
    auto on = in_domains<Rules>();
    meeting all;
    script tasks;
    step& injected = tasks.add([&](worker&) { all.meet(workers_each + 1); });
    step& other = tasks.add([&](worker&) { all.meet(workers_each + 1); });
    step& root = tasks.add([&](worker& current) {
      put(current, other);
      all.meet(workers_each + 1);
    });
    on.init(root.as_task());
    run_beside(on, tasks, wrong, [&] { on.inject(injected.as_task()); });
  }
};

/// Runs with pauses between them, shorter, as long and longer than a watch goes on without one.
struct runs_with_pauses {
  template <class Pool, class Rules>
  static void play(std::string& wrong) {
    auto on = in_domains<Rules>();
    for (unsigned run = 0; run < 6 && wrong.empty(); ++run) {
      run_that_needs_all(on, wrong);
      for (unsigned step = 0; step < 2 * run; ++step) platform::charge(500);
    }
  }
};

/// Two calls for one worker, the second of which its thread finds when it has given the worker to another thread, for a call
/// outside of the team: then the worker is the other thread's.
struct called_again_while_outside {
  template <class Pool, class Rules>
  static void play(std::string& wrong) {
    auto on = in_domains<Rules>();
    script tasks;
    platform::atomic<std::uint32_t> carried{0};
    const auto alone = [&](worker& current) {
      if (current.id != all_workers - 1) wrong = "a bound task ran elsewhere";
      if (carried.fetch_add(1, platform::acq_rel) != 0) wrong = "two threads carry one worker";
      platform::pause();
      carried.fetch_sub(1, platform::acq_rel);
    };
    step& outside = tasks.add([&](worker& current) { on.call_outside(current, [](void*) { platform::pause(); }, nullptr); });
    step& first = tasks.add(alone);
    step& second = tasks.add(alone);
    on.init(tasks.add_tree(2, 2).as_task());
    run_beside(on, tasks, wrong, [&] {
      on.make_ready(all_workers - 1, outside.as_task());
      on.make_ready(all_workers - 1, first.as_task());
      on.make_ready(all_workers - 1, second.as_task());
    });
  }
};

/// A task holds a mutex and waits for its child, which wants it: no run ends so, whoever takes part.
struct stands_still {
  template <class Pool, class Rules>
  static void play(std::string& wrong) {
    auto* const held = new mutex;  // for ever
    auto* const children = new task_group;
    auto on = in_domains<Rules>();
    script tasks;
    step& root = tasks.add([&](worker& current) {
      held->lock();
      children->put(*current.here, [held] { held->lock(); });
      children->wait(*current.here);
    });
    on.init(root.as_task());
    if (on.run() != workers::run_result::stuck) wrong = "a run that stands still is not told to be stuck";
  }
};

/// The system refuses stacks while tasks wait for their children: workers are kept, and run what they may; with others to come.
struct without_stacks {
  template <class Pool, class Rules>
  static void play(std::string& wrong) {
    auto on = in_domains<Rules>();
    script tasks;
    platform::atomic<std::uint32_t> sum{0};
    std::function<void(context&, unsigned)> tree = [&](context& here, unsigned levels) {
      if (levels == 0) {
        sum.fetch_add(1, platform::acq_rel);
        return platform::wake_all(sum);
      }
      task_group children;
      for (unsigned child = 0; child < 2; ++child) children.put(here, [&, levels](context& below) { tree(below, levels - 1); });
      children.wait(here);
    };
    step& root = tasks.add([&](worker& current) {
      platform::planted_faults().allocations_until_refusal = 4;
      tree(*current.here, 4);
      platform::planted_faults().allocations_until_refusal = -1;
    });
    on.init(root.as_task());
    // As long as the source is open nobody finds that nothing goes on.
    run_beside(on, tasks, wrong, [&] {
      for (std::uint32_t seen; (seen = sum.load(platform::acquire)) < 16;) platform::park(sum, seen, "a thread: the leaves");
    });
    if (wrong.empty() && sum.load(platform::acquire) != 16) wrong = "not each of 16 leaves ran once";
  }
};

/// A team cannot be made, behind its threads: these end.
struct cannot_be_made {
  template <class Pool, class Rules>
  static void play(std::string& wrong) {
    const workers::team_shape shape{
        .workers = all_workers, .seed = 1, .pin = {}, .argument_bytes = 64, .wake = {}, .wait = pool::wait_policy::park};
    try {
      workers::team_of<pool::split_deques<>, Rules> on(
          shape, pool::settings{},
          [](unsigned workers, std::size_t task_block_bytes) {
            return runtime::make_memory("dlf", workers, task_block_bytes, 64);
          },
          [](const pool::environment&) -> pool::split_deques<> { throw std::bad_alloc(); });
      wrong = "a team without a pool was made";
    } catch (const std::bad_alloc&) {
    }
  }
};

template <class Scenario, class Rules = workers::rules>
finding found(std::uint64_t schedules) {
  return first_finding<Scenario, pool::split_deques<>, Rules>(schedules);
}

template <class Scenario>
void expect_no_finding(std::uint64_t schedules = schedules_of_a_scene) {
  const finding first = found<Scenario>(schedules);
  EXPECT_EQ(first.schedule, 0u) << first.what;
}

template <class Scenario, class Rules>
void expect_fault_found() {
  const finding first = found<Scenario, Rules>(schedules_of_a_step_left_out);
  EXPECT_NE(first.schedule, 0u) << "not found";
  std::printf("found by schedule %llu: %s\n", static_cast<unsigned long long>(first.schedule), first.what.c_str());
}

TEST(participants, come_until_all_do_whom_a_run_needs) { expect_no_finding<all_needed>(); }
TEST(participants, come_into_runs_that_follow_one_another) { expect_no_finding<short_runs>(); }
TEST(participants, come_for_what_they_alone_may_take) { expect_no_finding<bound_to_an_absent_one>(); }
TEST(participants, come_for_initial_tasks) { expect_no_finding<initial_for_all>(); }
TEST(participants, come_for_what_is_injected_beside_long_tasks) { expect_no_finding<injected_beside_long_tasks>(); }

TEST(participants, come_into_runs_with_pauses_between_them) { expect_no_finding<runs_with_pauses>(); }
TEST(participants, are_carried_by_one_thread_each) { expect_no_finding<called_again_while_outside>(); }
TEST(participants, are_all_asked_before_a_run_is_called_stuck) { expect_no_finding<stands_still>(300); }  // each says so
TEST(participants, come_beside_workers_without_stacks) { expect_no_finding<without_stacks>(); }
TEST(participants, end_with_a_team_that_cannot_be_made) { expect_no_finding<cannot_be_made>(); }

struct forgets_others : workers::rules {
  static constexpr bool sees_to_others = false;
};
TEST(participants, that_nobody_sees_to_are_missed) { expect_fault_found<all_needed, forgets_others>(); }

/// Two packages of three domains of two.
constexpr unsigned of_a_package = 6, of_packages = 12;

sim::options machine_of_packages() {
  sim::options wanted;
  wanted.machine.levels = 3;
  wanted.machine.level = {{{workers_each, 75, sim::sharing(platform::level::cache)},
                           {of_a_package, 300, sim::sharing(platform::level::package)},
                           {of_packages, 500}}};
  wanted.processors_at_most = of_packages;
  return wanted;
}

/// Returns: how many tasks the workers of the second package ran, of those of the last run; `fill` makes those of each run of a
/// team and returns the first of them.
template <class Fill>
std::uint64_t ran_far_away(Fill fill, unsigned runs = 1) {
  std::uint64_t ran = 0;
  tuning::small = false;
  const sim::outcome ended = sim::simulate(machine_of_packages(), [&] {
    auto on = in_domains<>(of_packages, {});
    for (unsigned run = 0; run < runs; ++run) {
      const std::uint64_t before = ran;
      script tasks;
      on.init(fill(tasks, run).as_task());
      on.run();
      const std::vector<std::uint64_t> by_worker = on.totals().tasks_by_worker;
      for (unsigned id = of_a_package; id < of_packages; ++id) ran += by_worker[id];
      for (unsigned id = 0; id < of_a_package; ++id) EXPECT_GT(by_worker[id], 0u) << "the package has time to come";
      ran -= before;
    }
  });
  tuning::small = true;
  EXPECT_TRUE(ended.ok()) << ended.report;
  return ran;
}

/// A tree of so many levels, of tasks of so many cycles.
step& add_tree(script& tasks, unsigned levels, std::uint64_t cycles) {
  std::vector<step*> children;
  for (unsigned child = 0; levels > 1 && child < 2; ++child) children.push_back(&add_tree(tasks, levels - 1, cycles));
  return tasks.add([children, cycles](worker& current) {
    for (step* each : children) put(current, *each);
    platform::charge(cycles);
  });
}

/// One task that puts one of 3 us for each other worker of the package, again and again: they have ended
/// when it puts the next ones.
step& add_waves(script& tasks, unsigned waves) {
  std::vector<step*> all;
  for (unsigned each = 0; each < waves * (of_a_package - 1); ++each)
    all.push_back(&tasks.add([](worker&) { platform::charge(9'000); }));
  return tasks.add([all](worker& current) {
    for (std::size_t next = 0; next < all.size(); ++next) {
      put(current, *all[next]);
      if (next % (of_a_package - 1) == of_a_package - 2) platform::charge(18'000);
    }
  });
}

TEST(participants, of_another_package_come_at_once_where_nobody_looks_in_vain) {
  EXPECT_GT(ran_far_away([](script& tasks, unsigned) -> step& { return add_tree(tasks, 9, 15'000); }), 100u);  // 2.5 ms of work
}

TEST(participants, of_another_package_stay_away_where_thieves_look_in_vain) {
  EXPECT_EQ(ran_far_away([](script& tasks, unsigned) -> step& { return add_waves(tasks, 30); }), 0u);  // 0.2 ms
}

TEST(participants, of_another_package_come_later_than_others_for_short_tasks) {
  EXPECT_EQ(ran_far_away([](script& tasks, unsigned) -> step& { return add_tree(tasks, 14, 600); }), 0u);  // 0.8 ms
}

/// The one that watched the first run at its end is of the second package, and naps on into the next one.
TEST(participants, of_another_package_leave_the_watch_of_the_next_run_to_nearer_ones) {
  const auto long_run_first = [](script& tasks, unsigned run) -> step& { return add_tree(tasks, run == 0 ? 14 : 13, 600); };
  EXPECT_EQ(ran_far_away(long_run_first, 2), 0u);
}

/// Returns: how many tasks each worker ran: a tree of so many levels, of tasks of so many cycles, with the values of real runs.
std::vector<std::uint64_t> shares(unsigned levels, std::uint64_t cycles) {
  std::vector<std::uint64_t> ran;
  sim::options options;
  options.processors_at_most = all_workers;
  tuning::small = false;
  const sim::outcome ended = sim::simulate(options, [&] {
    auto on = in_domains<>();
    script tasks;
    on.init(add_tree(tasks, levels, cycles).as_task());
    on.run();
    ran = on.totals().tasks_by_worker;
  });
  tuning::small = true;
  EXPECT_TRUE(ended.ok()) << ended.report;
  return ran;
}

TEST(participants, of_short_runs_are_the_first_domain) {
  const std::vector<std::uint64_t> ran = shares(5, 300);  // 31 tasks, 3 us
  ASSERT_EQ(ran.size(), all_workers);
  EXPECT_EQ(std::accumulate(ran.begin(), ran.begin() + workers_each, std::uint64_t{0}), 31u);
}

/// Returns: the searches of a run of one task.
std::uint64_t searches_of_one_task(unsigned workers_of_team) {
  std::uint64_t searches = 0;
  sim::options options;
  options.processors_at_most = workers_of_team;
  tuning::small = false;
  const sim::outcome ended = sim::simulate(options, [&] {
    auto on = some_workers<pool::split_deques<>, workers::rules>(workers_of_team);
    script tasks;
    on.init(tasks.add([](worker&) { platform::charge(1'000'000); }).as_task());
    on.run();
    searches = on.totals().counters[static_cast<unsigned>(trace::counter::searches)];
  });
  tuning::small = true;
  EXPECT_TRUE(ended.ok()) << ended.report;
  return searches;
}

TEST(participants, search_once_each_where_there_is_one_task) {
  EXPECT_EQ(searches_of_one_task(1), 1u);
  EXPECT_EQ(searches_of_one_task(2), 2u);
}

/// What is injected beside two long tasks begins at once, and not when somebody looks whether the run wants more.
TEST(participants, come_at_once_for_what_is_injected) {
  std::uint64_t injected_at = 0, ran_at = 0;
  sim::options options;
  options.processors_at_most = all_workers + 1;
  tuning::small = false;
  const sim::outcome ended = sim::simulate(options, [&] {
    auto on = in_domains<>();
    script tasks;
    step& injected = tasks.add([&](worker&) { ran_at = platform::now_ns(); });
    for (unsigned each = 0; each < workers_each; ++each)
      on.init(tasks.add([](worker&) { platform::charge(3'000'000); }).as_task());
    std::string wrong;
    run_beside(on, tasks, wrong, [&] {
      platform::charge(30'000);
      injected_at = platform::now_ns();
      on.inject(injected.as_task());
    });
    EXPECT_EQ(wrong, "");
  });
  tuning::small = true;
  EXPECT_TRUE(ended.ok()) << ended.report;
  EXPECT_LT(ran_at - injected_at, 12'000u);  // the first look that may want more is 30 us behind the begin
}

TEST(participants, of_long_runs_are_all) {
  const std::vector<std::uint64_t> ran = shares(10, 30'000);  // 1,023 tasks, 10 ms
  ASSERT_EQ(ran.size(), all_workers);
  for (const std::uint64_t each : ran) EXPECT_GT(each, 100u);
}

TEST(participants, of_runs_of_short_tasks_come_later) {
  const std::vector<std::uint64_t> ran = shares(10, 300);  // 1,023 tasks, 100 us
  ASSERT_EQ(ran.size(), all_workers);
  EXPECT_EQ(std::accumulate(ran.begin(), ran.begin() + workers_each, std::uint64_t{0}), 1'023u);
}

}  // namespace
}  // namespace TEFF_NAMESPACE::conformance
