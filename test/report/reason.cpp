// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/reason.h"

#include "helpers.h"

#include <gtest/gtest.h>

#include <numeric>

namespace teff::report {
namespace {

record slow_of(const std::vector<std::pair<std::string, std::vector<double>>>& parts) {
  return with_account(make_record("slow", 2, {0.1}), parts);
}
record fast_of(const std::vector<std::pair<std::string, std::vector<double>>>& parts) {
  return with_account(make_record("fast", 2, {0.05}), parts);
}

double share_in(const std::vector<cause>& causes, const std::string& part) {
  for (const cause& each : causes) {
    if (each.part == part) return each.share;
  }
  return 0;
}

TEST(reason, shares_add_up_to_the_difference) {
  const auto causes = causes_of(
      slow_of(
          {{"own_work", {40, 45}}, {"lock_wait", {30, 20}}, {"put_get", {10, 15}}, {"parked", {20, 20}}, {"stealing", {0, 0}}}),
      fast_of({{"own_work", {40, 40}}, {"lock_wait", {1, 1}}, {"put_get", {4, 5}}, {"parked", {3, 2}}, {"stealing", {2, 2}}}));
  EXPECT_NEAR(std::accumulate(causes.begin(), causes.end(), 0.0, [](double sum, const cause& each) { return sum + each.share; }),
              1, 1e-9);
  EXPECT_EQ(causes.front().part, "lock_wait");
}

TEST(reason, a_part_below_half_is_partly_the_reason_and_one_below_a_fifth_is_none) {
  const record fast = fast_of({{"put_get", {25, 25}},
                               {"lock_wait", {5, 5}},
                               {"stealing", {5, 5}},
                               {"waking", {5, 5}},
                               {"system_memory", {5, 5}},
                               {"fibers", {5, 5}}});
  const record partly = slow_of({{"put_get", {40, 40}},
                                 {"lock_wait", {15, 15}},
                                 {"stealing", {15, 15}},
                                 {"waking", {10, 10}},
                                 {"system_memory", {10, 10}},
                                 {"fibers", {10, 10}}});
  EXPECT_TRUE(contains(reason_for(partly, fast), "partly putting and getting tasks, which explains 30 % of it (put_get 80.0 ms"))
      << reason_for(partly, fast);
  EXPECT_EQ(short_reason_for(partly, fast), "partly put_get 30 %");
  const record spread = slow_of({{"put_get", {34.5, 34.5}},
                                 {"lock_wait", {14, 14}},
                                 {"stealing", {14, 14}},
                                 {"waking", {14, 14}},
                                 {"system_memory", {14, 14}},
                                 {"fibers", {9.5, 9.5}}});
  EXPECT_TRUE(contains(reason_for(spread, fast), "no single part explains a fifth of it")) << reason_for(spread, fast);
  EXPECT_EQ(short_reason_for(spread, fast), "no single part");
}

TEST(reason, where_two_parts_share_it_both_are_named) {
  const record slow = slow_of({{"own_work", {45, 45}}, {"lock_wait", {20, 20}}, {"waking", {35, 35}}});
  const record fast = fast_of({{"own_work", {25, 25}}, {"lock_wait", {2, 2}}, {"waking", {23, 23}}});
  EXPECT_EQ(reason_for(slow, fast),
            "partly the program's own work, which explains 40 % of it (own_work 90.0 ms of the workers' time against 50.0 ms, "
            "with memory), and waiting for locks, 36 % (lock_wait 40.0 ms of the workers' time against 4.00 ms)");
  record simulated = slow;
  simulated.simulated = true;
  EXPECT_FALSE(contains(reason_for(simulated, fast), "with memory"));
}

TEST(reason, idle_time_beside_an_unequal_distribution_follows_from_it) {
  const record slow = slow_of({{"own_work", {95, 5}}, {"put_get", {5, 5}}, {"parked", {0, 90}}});
  const record fast = fast_of({{"own_work", {50, 50}}, {"put_get", {5, 5}}, {"parked", {0, 0}}});
  EXPECT_EQ(causes_of(slow, fast).front().part, imbalance);
  EXPECT_TRUE(
      contains(reason_for(slow, fast), "had 95.0 % of it against 50.0 %, and others were idle for 90.0 ms meanwhile, against"))
      << reason_for(slow, fast);
}

TEST(reason, idle_time_is_never_a_cause_and_follows_from_what_grew) {
  const record slow = slow_of({{"own_work", {40, 40}},
                               {"system_memory", {30, 10}},
                               {"put_get", {10, 5}},
                               {"searching_alone", {5, 15}},
                               {"parked", {15, 30}}});
  const record fast = fast_of(
      {{"own_work", {40, 40}}, {"system_memory", {2, 2}}, {"put_get", {5, 5}}, {"searching_alone", {1, 1}}, {"parked", {2, 2}}});
  const auto causes = causes_of(slow, fast);
  EXPECT_EQ(causes.front().part, "system_memory");
  EXPECT_GT(causes.front().share, 0.8);
  for (const char* each : {"parked", "searching_alone"}) EXPECT_EQ(share_in(causes, each), 0) << each;
}

TEST(reason, idle_time_that_follows_from_nothing_is_not_given_a_reason) {
  const record slow = slow_of({{"own_work", {45, 45}}, {"parked", {55, 55}}});
  const record fast = fast_of({{"own_work", {45, 45}}, {"parked", {5, 5}}});
  EXPECT_TRUE(
      contains(reason_for(slow, fast),
               "nothing in the account explains it: the workers were idle for 110 ms against 10.0 ms, which is 100 % of it"))
      << reason_for(slow, fast);
  EXPECT_EQ(short_reason_for(slow, fast), "no single part");
}

TEST(reason, an_unequal_distribution_is_named_beside_idle_time_that_follows_from_nothing) {
  const record slow = slow_of({{"own_work", {64, 20}}, {"parked", {36, 80}}});
  const record fast = fast_of({{"own_work", {42, 42}}, {"parked", {8, 8}}});
  EXPECT_EQ(reason_for(slow, fast),
            "partly an unequal distribution of the program's own work, which explains 44 % of it (the worker with the most had "
            "76.2 % of it against 50.0 %, and others were idle for 44.0 ms meanwhile, against none); for another 56 % the "
            "workers were idle (72.0 ms against 16.0 ms), and nothing grew enough to be what they waited for");
  EXPECT_EQ(short_reason_for(slow, fast), "partly imbalance 44 %");
}

TEST(reason, idle_time_is_not_multiplied_onto_a_small_cause) {
  const record fast = fast_of({{"own_work", {40, 40}}, {"put_get", {5, 5}}, {"parked", {5, 5}}});
  const auto large = causes_of(slow_of({{"own_work", {40, 40}}, {"put_get", {11, 11}}, {"parked", {49, 49}}}), fast);
  EXPECT_NEAR(share_in(large, "put_get"), 0.36, 1e-9);  // its 12 ms, and as much for each of two workers
  EXPECT_NEAR(share_in(large, unexplained), 0.64, 1e-9);
  const auto small = causes_of(slow_of({{"own_work", {40, 40}}, {"put_get", {9.9, 9.9}}, {"parked", {50.1, 50.1}}}), fast);
  EXPECT_NEAR(share_in(small, "put_get"), 0.098, 1e-9);
  EXPECT_TRUE(contains(reason_for(slow_of({{"own_work", {40, 40}}, {"put_get", {25, 25}}, {"parked", {35, 35}}}), fast),
                       "explains 100 % of it (put_get 50.0 ms of the workers' time against 10.0 ms; for 60 % other workers were "
                       "idle meanwhile)"))
      << reason_for(slow_of({{"own_work", {40, 40}}, {"put_get", {25, 25}}, {"parked", {35, 35}}}), fast);
}

TEST(reason, no_share_that_is_shown_is_more_than_all) {
  const record slow = slow_of({{"own_work", {10, 10}}, {"lock_wait", {90, 90}}});
  const record fast = fast_of({{"own_work", {40, 40}}, {"lock_wait", {10, 10}}});
  EXPECT_GT(causes_of(slow, fast).front().share, 1);
  EXPECT_TRUE(contains(reason_for(slow, fast), "explains 100 % of it")) << reason_for(slow, fast);
  EXPECT_EQ(short_reason_for(slow, fast), "lock_wait 100 %");
}

TEST(reason, a_worker_without_a_processor_is_what_others_waited_for) {
  const record slow = slow_of({{"own_work", {40, 40}}, {"without_processor", {60, 0}}, {"parked", {0, 60}}});
  const record fast = fast_of({{"own_work", {40, 40}}, {"without_processor", {5, 0}}, {"parked", {0, 5}}});
  EXPECT_EQ(reason_for(slow, fast),
            "time in which workers with work had no processor explains 100 % of it (without_processor 60.0 ms of the workers' "
            "time against 5.00 ms; for 50 % other workers were idle meanwhile)");
}

TEST(reason, one_worker_has_no_others_that_were_idle) {
  const auto of_one = [](const std::vector<std::pair<std::string, std::vector<double>>>& parts) {
    return with_account(make_record("one", 1, {0.1}), parts);
  };
  const record fast = of_one({{"own_work", {40}}, {"put_get", {10}}, {"parked", {0}}});
  EXPECT_EQ(reason_for(of_one({{"own_work", {40}}, {"put_get", {35}}, {"parked", {25}}}), fast),
            "putting and getting tasks explains 100 % of it (put_get 35.0 ms of the workers' time against 10.0 ms; 50 % is time "
            "in which the worker searched or was parked)");
  EXPECT_EQ(reason_for(of_one({{"own_work", {40}}, {"put_get", {10}}, {"parked", {50}}}), fast),
            "nothing in the account explains it: the worker was idle for 50.0 ms against none, which is 100 % of it, and nothing "
            "else grew enough to be what it waited for");
}

TEST(reason, idle_time_beside_tasks_is_called_by_the_names_of_its_parts) {
  const record slow = slow_of({{"own_work", {40, 40}}, {"searching_beside_tasks", {30, 30}}, {"parked_beside_tasks", {30, 30}}});
  const record fast = fast_of({{"own_work", {40, 40}}, {"searching_beside_tasks", {10, 10}}, {"parked_beside_tasks", {0, 0}}});
  EXPECT_EQ(reason_for(slow, fast),
            "idle time beside tasks that the pool did not hand out explains 100 % of it (searching/parked_beside_tasks 120 ms of "
            "the workers' time against 20.0 ms)");
  EXPECT_EQ(short_reason_for(slow, fast), "searching/parked_beside_tasks 100 %");
}

TEST(reason, a_lock_is_named_whatever_else_bounds_the_fast_one) {
  record slow = slow_of({{"own_work", {30, 30}}, {"lock_wait", {70, 70}}});
  record fast = fast_of({{"own_work", {30, 30}}, {"lock_wait", {20, 20}}});
  slow.resources = {make_resource(resource::kind::lock, "lock of x", 90, 140)};
  fast.resources = {make_resource(resource::kind::lock, "lock of y", 45, 40)};
  EXPECT_TRUE(contains(reason_for(slow, fast), ". The lock of x was held 90 % of the time")) << reason_for(slow, fast);
  EXPECT_FALSE(contains(reason_for(slow, fast), "most of it for")) << "it has a sentence of its own";
  // The same lock is a reason as far as it was held for longer.
  fast.resources[0].name = "lock of x (the busiest of 3)";
  EXPECT_TRUE(contains(reason_for(slow, fast), ". The lock of x was held 90 % of the time")) << reason_for(slow, fast);
  slow.resources[0].busy_ns = 54'000'000;
  EXPECT_FALSE(contains(reason_for(slow, fast), "was held")) << reason_for(slow, fast);
  EXPECT_TRUE(contains(reason_for(slow, fast), "most of it for the lock of x")) << reason_for(slow, fast);
}

TEST(reason, a_lock_does_not_hide_a_line_that_is_busier) {
  record slow = slow_of({{"own_work", {30, 30}}, {"own_memory", {70, 70}}});
  slow.resources = {make_resource(resource::kind::lock, "lock of x", 50, 10),
                    make_resource(resource::kind::line, "the program's line 3", 95, 140)};
  ASSERT_NE(critical_resource(slow), nullptr);
  EXPECT_EQ(critical_resource(slow)->name, "the program's line 3");
  EXPECT_TRUE(contains(reason_for(slow, fast_of({{"own_work", {30, 30}}, {"own_memory", {20, 20}}})),
                       ". The program's line 3 was on its way between processors 95 % of the time"));
}

TEST(reason, a_lock_that_is_held_all_the_time_bounds_who_waits_for_its_users_too) {
  record slow = slow_of({{"own_work", {30, 30}}, {"lock_wait", {15, 10}}, {"put_get", {25, 15}}, {"searching_alone", {30, 45}}});
  const record fast =
      fast_of({{"own_work", {30, 30}}, {"lock_wait", {5, 5}}, {"put_get", {10, 10}}, {"searching_alone", {5, 5}}});
  EXPECT_EQ(causes_of(slow, fast).front().part, "put_get");
  slow.resources = {make_resource(resource::kind::lock, "lock of the central queue", 94, 25)};
  EXPECT_EQ(causes_of(slow, fast).front().part, "lock_wait");
  EXPECT_TRUE(contains(reason_for(slow, fast), "waiting for locks explains 80 % of it")) << reason_for(slow, fast);
  EXPECT_TRUE(contains(reason_for(slow, fast),
                       "The lock of the central queue was held 94 % of the time: that bounds it to 10,638 tasks per second"))
      << reason_for(slow, fast);
}

TEST(reason, the_line_that_most_waits_are_for_is_named) {
  record slow = slow_of({{"own_work", {40, 40}}, {"own_memory", {60, 60}}});
  const record fast = fast_of({{"own_work", {40, 40}}, {"own_memory", {10, 10}}});
  slow.resources = {make_resource(resource::kind::line, "the program's line 7", 40, 90, 4321)};
  EXPECT_TRUE(
      contains(reason_for(slow, fast), "most of it for the program's line 7, which went from processor to processor 4,321 times"))
      << reason_for(slow, fast);
  slow.resources[0].waited_ns = 9'000'000;
  EXPECT_FALSE(contains(reason_for(slow, fast), "line 7")) << reason_for(slow, fast);
}

TEST(reason, a_lock_is_preferred_to_its_line_and_natively_none_is_held_for_longer_than_the_run) {
  record slow = slow_of({{"own_work", {30, 30}}, {"put_get", {70, 70}}});
  slow.resources = {make_resource(resource::kind::line, "line of the lock of x", 90, 10),
                    make_resource(resource::kind::lock, "lock of x", 60, 10)};
  ASSERT_NE(critical_resource(slow), nullptr);
  EXPECT_EQ(critical_resource(slow)->name, "lock of x");
  slow.resources[1].busy_ns *= 10;  // by a sample whose holder lost its processor
  EXPECT_EQ(critical_resource(slow)->name, "line of the lock of x");
  slow.resources[0].busy_ns /= 2;
  EXPECT_EQ(critical_resource(slow), nullptr);
}

TEST(reason, the_lock_that_all_puts_and_gets_go_through_is_named) {
  record slow = slow_of({{"own_work", {30, 30}}, {"put_get", {70, 70}}});
  const record fast = fast_of({{"own_work", {30, 30}}, {"put_get", {20, 20}}});
  slow.resources = {make_resource(resource::kind::lock, "lock of the central queue", 10, 10, 2000)};
  EXPECT_TRUE(contains(reason_for(slow, fast), "; the lock of the central queue was taken 2,000 times"))
      << reason_for(slow, fast);
  slow.resources[0].uses = 899;  // of 1,000 tasks
  EXPECT_FALSE(contains(reason_for(slow, fast), "central queue"));
}

TEST(reason, natively_a_lock_that_all_tasks_go_through_is_named_beside_their_own_work) {
  record slow = slow_of({{"own_work", {70, 70}}, {"put_get", {30, 30}}});
  record fast = fast_of({{"own_work", {30, 30}}, {"put_get", {20, 20}}});
  slow.resources = {make_resource(resource::kind::lock, "lock of the central queue", 10, 10, 2000)};
  EXPECT_TRUE(contains(reason_for(slow, fast), "with memory; the lock of the central queue was taken 2,000 times"))
      << reason_for(slow, fast);
  slow.simulated = true;  // its line has a part of its own there
  EXPECT_FALSE(contains(reason_for(slow, fast), "central queue")) << reason_for(slow, fast);
  slow.simulated = false;
  fast.resources = slow.resources;
  EXPECT_FALSE(contains(reason_for(slow, fast), "central queue")) << reason_for(slow, fast);
}

TEST(reason, locks_that_are_told_together_are_called_several) {
  record slow = slow_of({{"own_work", {30, 30}}, {"lock_wait", {70, 70}}});
  slow.resources = {make_resource(resource::kind::lock, "lock of queue (several)", 0, 130)};
  EXPECT_TRUE(contains(reason_for(slow, fast_of({{"own_work", {30, 30}}, {"lock_wait", {20, 20}}})),
                       "most of it for several locks called 'lock of queue'"));
  // No one of them is what all tasks go through.
  slow.account.clear();
  slow = with_account(slow, {{"own_work", {30, 30}}, {"put_get", {70, 70}}});
  EXPECT_FALSE(contains(reason_for(slow, fast_of({{"own_work", {30, 30}}, {"put_get", {20, 20}}})), "lock"));
}

TEST(reason, waits_for_the_line_of_a_lock_are_for_the_lock) {
  record slow = slow_of({{"own_work", {30, 30}}, {"lock_wait", {70, 70}}});
  const record fast = fast_of({{"own_work", {30, 30}}, {"lock_wait", {20, 20}}});
  slow.resources = {make_resource(resource::kind::lock, "lock of x", 10, 20),
                    make_resource(resource::kind::line, "line of the lock of x", 10, 60)};
  EXPECT_TRUE(contains(reason_for(slow, fast), "most of it for the lock of x")) << reason_for(slow, fast);
}

TEST(reason, without_an_account_there_is_none) {
  EXPECT_EQ(reason_for(make_record("slow", 2, {0.1}), make_record("fast", 2, {0.05})), "the time accounts say nothing of it");
  EXPECT_EQ(short_reason_for(make_record("slow", 2, {0.1}), make_record("fast", 2, {0.05})), "-");
}

}  // namespace
}  // namespace teff::report
