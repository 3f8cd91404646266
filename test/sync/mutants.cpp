// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Steps of the objects that are left out (sync::rules) must be missed within 10,000 random schedules. Simulated only.
#include "scenarios.h"

#include <cstdio>
#include <gtest/gtest.h>

namespace TEFF_NAMESPACE::testing_sync {
namespace {

using sync::rules;

struct looks_then_queues : rules {
  static constexpr bool queues_where_it_looked = false;
};
struct waits_unmarked : rules {
  static constexpr bool marks_contended = false;
};
struct leaves_what_came_late : rules {
  static constexpr bool keeps_what_came_late = false;
};
struct unlocks_all : rules {
  static constexpr bool counts_depth = false;
};
struct gives_up_silently : rules {
  static constexpr bool admits_those_behind = false;
};
struct unlocks_then_queues : rules {
  static constexpr bool queues_before_unlocking = false;
};
struct forgets_those_behind_an_exception : rules {
  static constexpr bool hands_on_after_exception = false;
};
struct settles_once : rules {
  static constexpr bool settles_to_the_end = false;
};
struct sends_senders_away : rules {
  static constexpr bool lets_senders_follow = false;
};

template <class Scenario>
void expect_found() {
  constexpr std::uint64_t seeds_at_most = 10'000;
  const finding found = first_finding<Scenario>(seeds_at_most, true);
  EXPECT_GT(found.seed, 0u) << Scenario::name << ": not found in " << seeds_at_most << " seeds";
  std::printf("%s: found by seed %llu: %s\n", Scenario::name, static_cast<unsigned long long>(found.seed), found.what.c_str());
}

TEST(object_mutants, who_looks_and_then_queues_is_found) {
  expect_found<mutex_meeting<looks_then_queues>>();
  expect_found<shared_mutex_meeting<looks_then_queues>>();
  expect_found<semaphore_meeting<looks_then_queues>>();
  expect_found<barrier_meeting<looks_then_queues>>();
  expect_found<latch_meeting<looks_then_queues>>();
  expect_found<once_meeting<looks_then_queues>>();
  expect_found<event_meeting<looks_then_queues>>();
  expect_found<full_empty_meeting<looks_then_queues>>();
}

TEST(object_mutants, an_unmarked_mutex_is_found) { expect_found<mutex_meeting<waits_unmarked>>(); }
TEST(object_mutants, a_mutex_that_came_late_and_was_left_is_found) { expect_found<timed_mutex_meeting<leaves_what_came_late>>(); }
TEST(object_mutants, a_recursive_mutex_that_does_not_count_is_found) { expect_found<recursive_mutex_meeting<unlocks_all>>(); }
TEST(object_mutants, a_writer_that_gives_up_silently_is_found) { expect_found<shared_timed_mutex_meeting<gives_up_silently>>(); }
TEST(object_mutants, a_condition_that_unlocks_first_is_found) { expect_found<condition_meeting<unlocks_then_queues>>(); }
TEST(object_mutants, a_flag_that_forgets_who_waits_is_found) { expect_found<once_meeting<forgets_those_behind_an_exception>>(); }
TEST(object_mutants, a_cell_that_lets_one_go_is_found) { expect_found<full_empty_meeting<settles_once>>(); }
TEST(object_mutants, a_channel_that_sends_its_senders_away_is_found) { expect_found<channel_meeting<sends_senders_away>>(); }

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_sync
