// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/sites.h"

#include "helpers.h"

#include <gtest/gtest.h>

namespace teff::report {
namespace {

constexpr double ms = 1e6;

/// One call on two threads, which work all of 10 ms.
program_site busy_region() {
  return {"a.c:1 (f)",
          "",
          {{"calls", 1},
           {"members", 2},
           {"elapsed_ns", 10 * ms},
           {"capacity_ns", 20 * ms},
           {"own_ns", 20 * ms},
           {"longest_own_ns", 10 * ms},
           {"part_own_work", 20 * ms}},
          "",
          ""};
}

/// One of the two works half of the time.
program_site half_idle_region() {
  program_site made = busy_region();
  made.numbers["own_ns"] = made.numbers["part_own_work"] = 15 * ms;
  made.numbers["part_parked"] = 5 * ms;
  return made;
}

program_site tasks_of(double number, double each_ns) {
  const double sum = number * each_ns, is_short = each_ns < 100'000 ? 1 : 0;
  return {"a.c:2 (f)",
          "a.c:1 (f)",
          {{"tasks", number},
           {"measured", number},
           {"time_ns", sum},
           {"short_tasks", is_short * number},
           {"short_time_ns", is_short * sum},
           {"longest_ns", each_ns},
           {"squares_ns2", sum * each_ns}},
          "",
          ""};
}

std::string causes_of(const program_sites& of) {
  std::string causes;
  for (const finding& each : findings(of)) causes += (causes.empty() ? "" : " ") + each.cause;
  return causes;
}

TEST(sites, a_busy_region_has_no_cause) {
  EXPECT_EQ(causes_of({{busy_region()}, {}, {}, {}, ""}), "");
  program_site region = busy_region();
  region.numbers["tasks"] = 100;
  region.numbers["overhead_ns"] = 100 * 100;
  EXPECT_EQ(causes_of({{region}, {tasks_of(100, 200'000)}, {}, {}, ""}), "");
}

TEST(sites, fine_tasks_and_the_grain_that_pays) {
  program_site region = busy_region();
  region.numbers["tasks"] = 100'000;
  region.numbers["overhead_ns"] = 100'000 * 50;
  program_sites all{{region}, {tasks_of(100'000, 100)}, {}, {}, ""};
  ASSERT_EQ(causes_of(all), "too_fine");
  EXPECT_EQ(
      findings(all)[0].text,
      "a.c:2 (f) is too fine here: 100 ns of work in a task beside 50.0 ns of overhead; tasks of 1.00 us would keep that at 5 "
      "%: put the work of 10 into one, or, where each makes two, end the recursion 4 levels earlier");
  all.tasks[0].numbers["iterations"] = 300'000;
  EXPECT_TRUE(contains(findings(all)[0].text, "grainsize(30) instead of 3 iterations in a task"));
  // Four times the overhead, and few of them.
  EXPECT_EQ(causes_of({{region}, {tasks_of(100'000, 200)}, {}, {}, ""}), "");
  EXPECT_EQ(causes_of({{region}, {tasks_of(99, 100)}, {}, {}, ""}), "");
}

/// Two kinds of fine tasks in a region, half of them each, some of which were measured.
program_sites sampled(double own_ns, double each_ns, double other_ns) {
  program_site region = busy_region(), one = tasks_of(500'000, each_ns), other = tasks_of(500'000, other_ns);
  region.numbers["tasks"] = 1'000'000;
  region.numbers["own_ns"] = own_ns;
  other.at = "a.c:3 (f)";
  one.numbers["measured"] = other.numbers["measured"] = 10'000;
  return {{region}, {one, other}, {}, {}, ""};
}

double mean_of(const program_site& task) { return task["time_ns"] / task["tasks"]; }
double spread_of(const program_site& task) { return task["squares_ns2"] / task["tasks"] / mean_of(task) / mean_of(task); }

TEST(sites, very_fine_tasks_take_what_their_region_works) {
  for (const double told_ns : {5.0, 60.0}) {
    program_sites all = sampled(33 * ms, told_ns, 2 * told_ns);
    all.regions[0].numbers["own_outside_tasks_ns"] = 3 * ms;
    fit_fine_tasks(all);
    EXPECT_NEAR(mean_of(all.tasks[0]), 20, 0.1);
    EXPECT_NEAR(mean_of(all.tasks[1]), 40, 0.1);
    EXPECT_NEAR(all.tasks[1]["short_time_ns"], 20 * ms, 1);
    EXPECT_NEAR(spread_of(all.tasks[1]), 1, 0.01);
  }
}

TEST(sites, only_times_are_mended_that_measuring_makes_uncertain) {
  program_sites all = sampled(60 * ms, 20, 60);
  all.tasks[1].numbers["measured"] = all.tasks[1]["tasks"];  // all were
  all.tasks[0].numbers["time_ns"] += 10 * ms;                // of one long task
  fit_fine_tasks(all);
  EXPECT_NEAR(all.tasks[0]["short_time_ns"], 20 * ms, 1);
  EXPECT_NEAR(all.tasks[0]["time_ns"], 30 * ms, 1);
  EXPECT_NEAR(mean_of(all.tasks[1]), 60, 0.1);

  const auto stays = [](program_sites some, const char* why) {
    const double before = mean_of(some.tasks[0]);
    fit_fine_tasks(some);
    EXPECT_EQ(mean_of(some.tasks[0]), before) << why;
  };
  stays(sampled(2'000 * ms, 20, 40), "long tasks were not met");
  stays(sampled(2'000 * ms, 1'000, 2'000), "they are not so fine");
  program_sites others = sampled(15 * ms, 20, 40);
  others.regions[0].numbers["tasks"] = 1'100'000;
  stays(others, "some have no line");
  others = sampled(15 * ms, 20, 40);
  others.tasks[1].numbers["measured"] = 0;
  stays(others, "some were not measured");
  others = sampled(15 * ms, 20, 40);
  others.regions[0].numbers["part_inner_regions"] = 1 * ms;
  stays(others, "regions lie inside");
}

TEST(sites, what_makes_threads_idle) {
  program_site region = half_idle_region();
  region.numbers["tasks"] = 3;
  program_sites all{{region}, {tasks_of(3, 5 * ms)}, {}, {}, ""};
  EXPECT_EQ(causes_of(all), "too_few_tasks");
  EXPECT_EQ(
      findings(all)[0].text,
      "a.c:1 (f) has too few tasks: 3 for 2 threads in a call; in the mean 1.5 of them had something to do, and 25 % of their "
      "time was idle");
  all.regions[0].numbers["long_tasks_ns"] = all.regions[0].numbers["longest_task_ns"] = 9.9 * ms;
  all.regions[0].numbers["tasks"] = 20;
  all.regions[0].longest_at = "a.c:3 (g)";
  ASSERT_EQ(causes_of(all), "long_task");
  EXPECT_EQ(findings(all)[0].at, "a.c:3 (g)");
  all.regions[0].numbers["tasks"] = 3;
  all.regions[0].numbers["long_tasks_ns"] = 6 * ms;  // the others are about as long
  EXPECT_EQ(causes_of(all), "too_few_tasks");
  all.regions[0].numbers["tasks"] = 0;
  all.regions[0].numbers["long_tasks_ns"] = 0;
  EXPECT_EQ(causes_of(all), "uneven");
  all.regions[0].numbers["capacity_ns"] *= 1.2;
  EXPECT_EQ(causes_of(all), "uneven");
  all.regions[0].numbers["capacity_ns"] *= 1.2;
  EXPECT_EQ(causes_of(all), "") << "most of the idle time is before and behind the work";
  all.regions[0].numbers["capacity_ns"] /= 1.44;
  all.regions[0].numbers["longest_own_ns"] = 7.5 * ms;
  EXPECT_EQ(causes_of(all), "") << "the work is even: they came late";
}

TEST(sites, beside_fine_tasks_a_long_one_is_told) {
  program_site region = half_idle_region();
  region.numbers["tasks"] = 1'001;
  region.numbers["overhead_ns"] = 1'001 * 1'000;
  program_sites all{{region}, {tasks_of(1'000, 1'000)}, {}, {}, ""};
  EXPECT_EQ(causes_of(all), "too_fine") << "and not too_few_tasks";
  all.regions[0].numbers["long_tasks_ns"] = 9 * ms;
  EXPECT_EQ(causes_of(all), "long_task too_fine");
  all.regions[0].numbers["long_tasks_ns"] = 0;
  all.regions[0].numbers["chains_ns"] = 10 * ms;
  EXPECT_EQ(causes_of(all), "dependence_chain too_fine");
}

TEST(sites, one_thread_that_makes_tasks_slowly) {
  program_site region = half_idle_region();  // the member with most works for 10 ms
  region.numbers["tasks"] = 50;
  region.numbers["own_outside_tasks_ns"] = 5 * ms;
  program_sites all{{region}, {tasks_of(50, 0.2 * ms)}, {}, {}, ""};
  ASSERT_EQ(causes_of(all), "slow_creation");
  EXPECT_EQ(
      findings(all)[0].text,
      "a.c:1 (f) makes its tasks too slowly: 5.00 ms of the 10.0 ms of a call one thread works outside of tasks, and 25 % of "
      "the threads' time was idle; more threads do not help, having tasks do some of that work does");
  all.regions[0].numbers["own_outside_tasks_ns"] = 4.9 * ms;
  EXPECT_EQ(causes_of(all), "too_few_tasks") << "half of the time it does not work alone";
  all.regions[0].numbers["own_outside_tasks_ns"] = 5 * ms;
  all.regions[0].numbers["longest_own_ns"] = 4.9 * ms;
  EXPECT_EQ(causes_of(all), "slow_creation") << "others did hardly anything";
  all.regions[0].numbers["longest_own_ns"] = 4.7 * ms;
  EXPECT_EQ(causes_of(all), "too_few_tasks") << "no thread alone had as much";
  all.regions[0].numbers["longest_own_ns"] = 10 * ms;
  all.tasks.clear();
  EXPECT_EQ(causes_of(all), "slow_creation") << "whatever is known of its tasks";
}

TEST(sites, many_tasks_are_not_too_few) {
  program_site region = half_idle_region();
  region.numbers["tasks"] = 2'000;
  const program_sites all{{region}, {}, {}, {}, ""};
  ASSERT_EQ(causes_of(all), "too_few_tasks");
  EXPECT_TRUE(contains(findings(all)[0].text, "has too few tasks: 2000 for 2 threads in a call"));
  region.numbers["tasks"] = 2'001;
  EXPECT_EQ(causes_of({{region}, {}, {}, {}, ""}), "");
}

TEST(sites, a_chain_of_tasks_that_depend_on_one_another) {
  program_site region = half_idle_region();  // with 15 ms of work
  region.numbers["tasks"] = 50;
  region.numbers["chains_ns"] = region.numbers["longest_chain_ns"] = 10 * ms;
  region.chain_at = "a.c:3 (g)";
  program_sites all{{region}, {tasks_of(50, 0.3 * ms)}, {}, {}, ""};
  ASSERT_EQ(causes_of(all), "dependence_chain");
  EXPECT_EQ(findings(all)[0].text,
            "a.c:3 (g) is the end of a dependence chain: it takes 10.0 ms of the 10.0 ms of the region a.c:1 (f), and there was "
            "work for "
            "1.5 of 2 threads meanwhile, and 25 % of their time was idle; more threads do not help, shorter tasks on the chain, "
            "or fewer "
            "dependences, do");
  EXPECT_TRUE(contains(site_lines(all)[0], "imbalance 1.33, a dependence chain of 10.0 ms; "));
  all.regions[0].numbers["chains_ns"] = 8.6 * ms;  // work for 1.75 threads explains a half of 25 %
  EXPECT_EQ(causes_of(all), "dependence_chain");
  all.regions[0].numbers["chains_ns"] = 8.5 * ms;
  EXPECT_EQ(causes_of(all), "too_few_tasks");
  all.regions[0].numbers["chains_ns"] = 10 * ms;
  all.regions[0].numbers["long_tasks_ns"] = 7 * ms;  // the chain is hardly more than one task
  EXPECT_EQ(causes_of(all), "long_task");
  all.regions[0] = busy_region();  // nobody waits for it
  all.regions[0].numbers["tasks"] = 50;
  all.regions[0].numbers["chains_ns"] = 10 * ms;
  EXPECT_EQ(causes_of(all), "");
}

TEST(sites, threads_that_wait_for_one_without_a_processor_are_not_idle) {
  program_site region = half_idle_region();
  region.numbers["own_ns"] = region.numbers["part_own_work"] = 10 * ms;
  region.numbers["part_without_processor"] = 5 * ms;
  EXPECT_EQ(causes_of({{region}, {}, {}, {}, ""}), "");
  region.numbers["part_without_processor"] = 0;
  region.numbers["part_parked"] = 10 * ms;
  EXPECT_EQ(causes_of({{region}, {}, {}, {}, ""}), "uneven");
}

TEST(sites, who_is_in_a_region_inside_is_not_idle) {
  program_site region = half_idle_region();
  region.numbers["part_own_work"] = ms;
  region.numbers["part_inner_regions"] = 14 * ms;
  region.numbers["part_parked"] = 5 * ms;
  region.numbers["tasks"] = 20;
  EXPECT_EQ(causes_of({{region}, {}, {}, {}, ""}), "too_few_tasks");
  region.numbers["part_inner_regions"] = 16 * ms;
  region.numbers["part_parked"] = 3 * ms;
  EXPECT_EQ(causes_of({{region}, {}, {}, {}, ""}), "");
}

/// Both threads work for half of the time, and wait for each other for the rest, one after the other.
program_site even_region() {
  program_site made = half_idle_region();
  made.numbers["own_ns"] = made.numbers["part_own_work"] = 10 * ms;
  made.numbers["longest_own_ns"] = 5 * ms;
  made.numbers["part_parked"] = 10 * ms;
  return made;
}

program_site wait_at(const char* at, double kind, double waits, double ns) {
  return {at, "a.c:1 (f)", {{"waits", waits}, {"time_ns", ns}, {"longest_ns", ms}, {"kind", kind}}, "", ""};
}

TEST(sites, phases_that_are_uneven_between_barriers) {
  program_sites all{{even_region()}, {}, {}, {wait_at("a.c:5 (f)", 0, 10, 8 * ms)}, ""};
  ASSERT_EQ(causes_of(all), "barrier");
  EXPECT_EQ(findings(all)[0].text,
            "a.c:5 (f): threads wait for one another at this barrier, 40 % of their time in the region a.c:1 (f) (10 waits, the "
            "longest 1.00 ms), with 500 us of own work of each from one to the next; 50 % of the threads' time was idle; longer "
            "phases, shared more evenly, as by schedule(dynamic), or nowait where a phase needs nothing of the one before, help");
  all.barriers.push_back(wait_at("a.c:6 (f)", 0, 10, 1 * ms));
  EXPECT_TRUE(contains(findings(all)[0].text, "longest 1.00 ms), and 45 % at all its barriers, with 250 us of own work"));
  all.barriers[0].numbers["time_ns"] = 3 * ms;
  EXPECT_EQ(causes_of(all), "") << "what else makes them idle is more";
  all.barriers[0].numbers["time_ns"] = 8 * ms;
  all.regions[0].numbers["longest_own_ns"] = 7.5 * ms;
  EXPECT_EQ(causes_of(all), "uneven");
  all.regions[0].numbers["longest_own_ns"] = 5 * ms;
  all.regions[0].numbers["tasks"] = 3;
  EXPECT_EQ(causes_of(all), "too_few_tasks") << "at a barrier they wait for tasks";
  all.regions[0] = busy_region();
  EXPECT_EQ(causes_of(all), "") << "the threads are busy";
}

TEST(sites, barriers_at_which_little_time_passes_have_no_line) {
  const auto lines_with = [](double ns) {
    const program_sites all{{even_region()}, {}, {wait_at("a.c:5 (f)", 5, 1, ns)}, {wait_at("a.c:6 (f)", 0, 1, ns)}, ""};
    return joined(site_lines(all));
  };
  EXPECT_TRUE(contains(lines_with(0.2 * ms), "barrier a.c:6 (f) in a.c:1 (f): 1 wait of 200 us in all"));
  EXPECT_FALSE(contains(lines_with(0.19 * ms), "a.c:6 (f)"));
  EXPECT_TRUE(contains(lines_with(0.19 * ms), "doacross sink a.c:5 (f) in a.c:1 (f): 1 wait of 190 us in all"));
}

TEST(sites, turns_that_are_waited_for) {
  program_sites all{{even_region()}, {}, {wait_at("a.c:5 (f)", 4, 10, 8 * ms)}, {}, ""};
  ASSERT_EQ(causes_of(all), "lock");
  EXPECT_EQ(findings(all)[0].text,
            "a.c:5 (f): this ordered construct holds the region a.c:1 (f) up: threads waited for it 40 % of their time there (10 "
            "waits, the longest 1.00 ms)");
  all.locks[0].numbers["kind"] = 5;
  EXPECT_TRUE(contains(findings(all)[0].text, "a.c:5 (f): this doacross sink holds the region"));
  EXPECT_EQ(site_lines(all)[1], "doacross sink a.c:5 (f) in a.c:1 (f): 10 waits of 8.00 ms in all, the longest 1.00 ms");
  all.locks[0].at = other_places;
  all.locks[0].in = "";
  EXPECT_EQ(site_lines(all)[1], "locks and turns at other places in any region: 10 waits of 8.00 ms in all, the longest 1.00 ms");
}

TEST(sites, a_mean_of_few_says_so) {
  program_sites all{{busy_region()}, {tasks_of(100, 200'000)}, {}, {}, ""};
  EXPECT_TRUE(contains(site_lines(all)[1], "100 tasks of 200 us in the mean, spread"));
  all.tasks[0].numbers["measured"] = 30;
  EXPECT_TRUE(contains(site_lines(all)[1], "100 tasks of 200 us in the mean, spread"));
  all.tasks[0].numbers["measured"] = 29;
  EXPECT_TRUE(contains(site_lines(all)[1], "100 tasks of 200 us in the mean of the 29 that were measured, spread"));
}

TEST(sites, locks_that_are_waited_for) {
  const program_site lock{"a.c:4 (f)", "a.c:1 (f)", {{"waits", 7}, {"time_ns", 2 * ms}, {"longest_ns", ms}, {"kind", 1}}, "", ""};
  const program_sites all{{busy_region()}, {}, {lock}, {}, ""};
  ASSERT_EQ(causes_of(all), "lock");
  EXPECT_EQ(
      findings(all)[0].text,
      "a.c:4 (f): this critical section holds the region a.c:1 (f) up: threads waited for it 10 % of their time there (7 waits, "
      "the longest 1.00 ms)");
  program_site free = lock;
  free.numbers["time_ns"] = 1.9 * ms;
  EXPECT_EQ(causes_of({{busy_region()}, {}, {free}, {}, ""}), "");
}

TEST(sites, lines_begin_with_the_region_and_what_is_in_it) {
  program_site region = busy_region(), other = busy_region();
  other.at = "b.c:1 (g)";
  other.numbers["capacity_ns"] = 40 * ms;
  region.numbers["tasks"] = 2;
  const auto lines = site_lines({{region, other}, {tasks_of(2, 3 * ms)}, {}, {}, "a remark"});
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_TRUE(lines[0].starts_with("region b.c:1 (g): "));
  EXPECT_EQ(lines[1],
            "region a.c:1 (f): 1 call of 10.0 ms in the mean on 2 threads, 2 tasks, own work 20.0 ms, imbalance 1.00; 100.0 % "
            "own_work");
  EXPECT_EQ(lines[2], "task a.c:2 (f) in a.c:1 (f): 2 tasks of 3.00 ms in the mean, spread 0.00 ns, the longest 3.00 ms");
  EXPECT_EQ(lines[3], "a remark");
}

TEST(sites, what_has_no_region_with_a_line_has_its_own) {
  program_site task = tasks_of(3, 3 * ms), lost = task, outer = task;
  task.in = "b.c:9 (g)";
  task.numbers["measured"] = 0;
  lost.at = other_places;
  lost.in = outer.in = "";
  program_sites all{{busy_region()}, {task, lost, outer}, {}, {}, ""};
  all.regions[0].numbers["tasks"] = 9;
  auto lines = site_lines(all);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[1], "task a.c:2 (f) in b.c:9 (g) (not over): 3 tasks, not measured");
  EXPECT_TRUE(lines[2].starts_with("task a.c:2 (f) outside of regions: 3 tasks of 3.00 ms in the mean")) << lines[2];
  EXPECT_TRUE(lines[3].starts_with("task other places in any region: 3 tasks of 3.00 ms in the mean")) << lines[3];
  all.regions[0].at = other_places;
  lines = site_lines(all);
  EXPECT_EQ(lines[1], "task a.c:2 (f) in b.c:9 (g) (not over, or among other places): 3 tasks, not measured");
}

TEST(sites, nothing_is_said_of_places_that_were_not_told_apart) {
  program_site region = half_idle_region();
  region.numbers["tasks"] = 3;
  EXPECT_EQ(causes_of({{region}, {}, {}, {}, ""}), "too_few_tasks");
  region.at = other_places;
  EXPECT_EQ(causes_of({{region}, {}, {}, {}, ""}), "");
}

}  // namespace
}  // namespace teff::report
