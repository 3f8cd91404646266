// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Interleavings of the owner and thieves on a split deque of two slots: whatever they see is explained by one order of the
/// calls. And each step of the protocol that is left out is found.
#include "split_subject.h"

#include "sim/exhaustive.h"

namespace TEFF_NAMESPACE::queue {
namespace {

using scripts = std::vector<std::vector<call>>;

struct finding {
  std::string failure, seen;
  bool complete = false;
};

/// Effect: runs the scripts under all schedules with so many preemptions, until one is not explained.
template <class Rules>
finding explore_all(const scripts& wanted, int tasks_before, unsigned preemptions) {
  sim::options options;
  options.preemptions_at_most = preemptions;
  bool explained = true;
  finding found;
  const auto body = [&] {
    experiment<split_subject<Rules>> tried(static_cast<unsigned>(wanted.size()), platform::lock_kind::mutex, tasks_before);
    tried.run(wanted);
    explained = tried.is_explained();
    if (!explained) found.seen = text_of(tried.history());
  };
  const sim::exploration ended = sim::explore(options, body, [&] { return explained; });
  found.failure = ended.failure;
  found.complete = ended.complete;
  return found;
}

void expect_explained(const scripts& wanted, int tasks_before, unsigned preemptions) {
  const finding found = explore_all<split_rules>(wanted, tasks_before, preemptions);
  EXPECT_EQ(found.failure, "") << found.seen;
  EXPECT_TRUE(found.complete);
}

constexpr call pushes{own_push, 11}, pops{own_pop}, takes{own_take, 2}, oldest{own_oldest};
constexpr call steals{steal_some}, forces{steal_by_force}, takes_1{others_take, 1};

TEST(split_model, the_owner_with_two_calls_and_a_thief_with_one) {
  for (const int before : {1, 2, 3}) {
    for (const call& first : {pushes, pops, takes, oldest}) {
      for (const call& second : {call{own_push, 12}, pops, takes, oldest}) {
        for (const call& others : {steals, forces, takes_1}) {
          if (!HasFailure()) expect_explained({{first, second}, {others}}, before, 3);
        }
      }
    }
  }
}

TEST(split_model, the_owner_with_one_call_and_a_thief_with_two) {
  for (const int before : {1, 3}) {
    for (const call& own : {pushes, pops, takes, oldest}) {
      for (const call& first : {steals, forces, takes_1}) {
        for (const call& second : {steals, forces}) {
          if (!HasFailure()) expect_explained({{own}, {first, second}}, before, 3);
        }
      }
    }
  }
}

TEST(split_model, the_owner_and_two_thieves_with_one_call_each) {
  for (const int before : {1, 2, 4}) {
    for (const call& own : {pushes, pops, takes, oldest}) {
      for (const call& first : {steals, forces, takes_1}) {
        for (const call& second : {steals, forces}) {
          if (!HasFailure()) expect_explained({{own}, {first}, {second}}, before, 2);
        }
      }
    }
  }
}

/// A word that came back with other tasks under it would be seen here: the owner empties and fills the public part between a
/// thief's two looks.
TEST(split_model, the_owner_comes_and_goes_while_a_thief_steals) {
  for (const int before : {1, 2, 3}) {
    expect_explained({{pops, pops, pushes, {own_push, 12}, {own_push, 13}, pops}, {steals}}, before, 2);
    expect_explained({{pops, pushes, pops, {own_push, 12}, pops, {own_push, 13}}, {steals, forces}}, before, 2);
    expect_explained({{oldest, pushes, oldest, {own_push, 12}, pops, {own_push, 13}}, {steals, forces}}, before, 2);
  }
}

struct looks_before_it_pops : split_rules {
  static constexpr bool pops_before_it_looks = false;
};
struct takes_back_by_a_store : split_rules {
  static constexpr bool takes_back_by_comparison = false;
};
struct believes_its_first_look : split_rules {
  static constexpr bool looks_when_closed = false;
};
struct closes_it_for_thieves_alone : split_rules {
  static constexpr bool stops_the_owner = false;
};
struct steals_by_a_store : split_rules {
  static constexpr bool steals_by_comparison = false;
};
struct takes_back_downwards : split_rules {
  static constexpr bool takes_back_upwards = false;
};

/// Of several private tasks who forces gives half away, while the owner pops above it.
TEST(split_model, the_owner_pops_of_several_private_tasks_beside_a_force) {
  for (const int before : {4, 5}) expect_explained({{pops, pops, pops}, {forces}}, before, 3);
  EXPECT_NE(explore_all<closes_it_for_thieves_alone>({{pops, pops, pops}, {forces}}, 5, 3).failure, "");
}

TEST(split_model, finds_what_is_left_out) {
  EXPECT_NE(explore_all<looks_before_it_pops>({{pops, pops}, {forces}}, 3, 3).failure, "");
  EXPECT_NE(explore_all<takes_back_by_a_store>({{pops}, {steals}}, 1, 3).failure, "");
  EXPECT_NE(explore_all<believes_its_first_look>({{pops, pops}, {forces}}, 3, 3).failure, "");
  EXPECT_NE(explore_all<steals_by_a_store>({{pops}, {steals}}, 1, 3).failure, "");
  EXPECT_NE(explore_all<steals_by_a_store>({{oldest}, {steals}}, 1, 3).failure, "");
}

/// While a thief steals two of four public tasks, the owner takes all back, runs three, and publishes as many new ones.
template <class Rules>
std::string found_while_public_tasks_change() {
  constexpr int numbers = 9;
  int times[numbers + 1] = {};
  const auto body = [&] {
    std::fill(std::begin(times), std::end(times), 0);
    platform::atomic<std::uint32_t> requests{0};
    split_deque<Rules> tested(true, requests, 8), thiefs(true, requests, 8);
    const auto push = [&](std::uintptr_t number) {
      if (tested.push(numbered(number)) == pushed::full) tested.push_slow(numbered(number));
    };
    const auto drain = [&](split_deque<Rules>& from) {
      task taken;
      std::uint32_t reclaimed = 0;
      while (from.pop(taken) || from.pop_slow(taken, reclaimed)) ++times[number_of(taken)];
    };
    for (std::uintptr_t number = 1; number <= 4; ++number) push(number);
    tested.publish(true);
    run_on_each(2, [&](unsigned me) {
      task taken;
      std::uint32_t count = 2, reclaimed = 0;
      if (me == 1) {
        if (tested.steal(thiefs, taken, count) != steal_result::got) return;
        ++times[number_of(taken)];
        return drain(thiefs);
      }
      for (int turn = 0; turn < 3 && (tested.pop(taken) || tested.pop_slow(taken, reclaimed)); ++turn) ++times[number_of(taken)];
      for (std::uintptr_t number = 5; number <= 7; ++number) push(number);
      tested.publish(true);
    });
    drain(tested);
  };
  sim::options options;
  options.preemptions_at_most = 2;
  return sim::explore(options, body, [&] { return std::all_of(times + 1, times + 8, [](int each) { return each == 1; }); })
      .failure;
}

TEST(split_model, a_word_that_comes_back_would_be_found) {
  EXPECT_EQ(found_while_public_tasks_change<split_rules>(), "");
  EXPECT_NE(found_while_public_tasks_change<takes_back_downwards>(), "");
}

struct numbers_laps_without_a_gap : split_rules {
  static constexpr bool numbers_laps_apart = false;
};
struct trusts_its_first_look : split_rules {
  static constexpr bool looks_again_where_it_saw_nothing = false;
};

/// A thief looks at a deque of which all was stolen up to the lap's end; meanwhile the owner fills the next lap to its end.
template <class Rules>
std::string found_where_laps_meet() {
  int times[5] = {};
  const auto body = [&] {
    std::fill(std::begin(times), std::end(times), 0);
    platform::atomic<std::uint32_t> requests{0};
    split_deque<Rules> tested(true, requests, 2), thiefs(true, requests, 2);
    const auto push = [&](std::uintptr_t number) {
      if (tested.push(numbered(number)) == pushed::full) tested.push_slow(numbered(number));
    };
    const auto steal = [&] {
      task taken;
      std::uint32_t count = 1;
      if (tested.steal(thiefs, taken, count) == steal_result::got) ++times[number_of(taken)];
    };
    for (std::uintptr_t number = 1; number <= 2; ++number) push(number);
    tested.publish(true);
    for (int turn = 0; turn < 2; ++turn) steal();
    run_on_each(2, [&](unsigned me) {
      if (me == 0) return steal();
      for (std::uintptr_t number = 3; number <= 4; ++number) push(number);
      tested.publish(true);
    });
    task taken;
    std::uint32_t reclaimed = 0;
    while (tested.pop(taken) || tested.pop_slow(taken, reclaimed)) ++times[number_of(taken)];
  };
  sim::options options;
  options.preemptions_at_most = 3;
  return sim::explore(options, body, [&] { return std::all_of(times + 1, times + 5, [](int each) { return each == 1; }); })
      .failure;
}

/// Somebody looks, steals and takes by name while the owner, who has two tasks, of which so many are public, begins a lap: they
/// are there all the time.
template <class Rules>
std::string found_beside_a_lap(std::uint32_t public_ones) {
  bool right = true;
  const auto body = [&] {
    right = true;
    platform::atomic<std::uint32_t> requests{0};
    split_deque<Rules> tested(true, requests, 8, 1'000, 6 - public_ones), thiefs(true, requests, 2);
    const auto push = [&](std::uintptr_t number) {
      if (tested.push(numbered(number)) == pushed::full) tested.push_slow(numbered(number));
    };
    for (std::uintptr_t number = 1; number <= 2 + public_ones; ++number) {
      push(number);
      if (number == public_ones) tested.publish(true);
    }
    task taken;
    std::uint32_t reclaimed = 0;
    while (tested.length() > 2) {
      if (!tested.pop(taken)) tested.pop_slow(taken, reclaimed);
    }
    run_on_each(2, [&](unsigned me) {
      if (me == 0) {
        for (std::uintptr_t number = 11; number <= 13; ++number) push(number);
        return;
      }
      using contents = typename split_deque<Rules>::contents;
      if (tested.look() == contents::nothing) right = false;
      task stolen;
      std::uint32_t count = 1;
      if (public_ones != 0 && tested.steal(thiefs, stolen, count) == steal_result::empty) right = false;
    });
  };
  sim::options options;
  options.preemptions_at_most = 3;
  return sim::explore(options, body, [&] { return right; }).failure;
}

TEST(split_model, a_number_that_is_a_top_in_two_laps_would_be_found) {
  EXPECT_EQ(found_where_laps_meet<split_rules>(), "");
  EXPECT_NE(found_where_laps_meet<numbers_laps_without_a_gap>(), "");
}

TEST(split_model, who_looks_beside_the_begin_of_a_lap_does_not_take_it_for_empty) {
  for (const std::uint32_t public_ones : {0, 1}) EXPECT_EQ(found_beside_a_lap<split_rules>(public_ones), "");
  EXPECT_NE(found_beside_a_lap<trusts_its_first_look>(0), "");
}

}  // namespace
}  // namespace TEFF_NAMESPACE::queue
