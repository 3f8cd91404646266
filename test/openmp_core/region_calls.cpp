// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which calls of a region are measured, and what is told of those that are not.
#include "compat/openmp/region_calls.h"

#include "compat/openmp/clock.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <vector>

namespace TEFF_NAMESPACE::openmp {
namespace {

using numbers = region_numbers;
constexpr unsigned own_work = numbers::parts + static_cast<unsigned>(account_part::own_work);
constexpr unsigned searching = numbers::parts + static_cast<unsigned>(account_part::searching_alone);
constexpr unsigned stealing = numbers::parts + static_cast<unsigned>(account_part::stealing);
constexpr unsigned lost = numbers::parts + static_cast<unsigned>(account_part::without_processor);
constexpr unsigned members = 2;

/// What a call is like: of 200 tasks of 1 us by two members, who search for a tenth of their time.
struct taken {
  std::uint64_t elapsed = 111'000, own = 200'000, tasks = 200, inner = 0, looks = 0, lost = 0, in_vain = 0, stolen = 0;
  std::uint64_t stolen_behind_that = 0;  ///< by thefts that ended a search in vain
};

/// A region that is called.
class called {
 public:
  /// Returns: how many calls the next one stands for, which begins. `next`: the team's.
  std::uint64_t begin(region_call& next) {
    plan_call(next, this, &numbers_);
    return next.stands_for;
  }
  void end(const region_call& over, const taken& of) {
    call_sums sums = {};
    sums[numbers::tasks] = of.tasks;
    sums[numbers::inner] = of.inner;
    sums[lost] = of.lost;
    if (over.is_measured(of.elapsed, sums)) {
      sums[numbers::own] = sums[own_work] = of.own;
      sums[numbers::short_thefts] = of.stolen;
      sums[stealing] = of.stolen + of.stolen_behind_that;
      sums[searching] = of.elapsed * members - of.own - of.lost - sums[stealing];
      sums[numbers::short_searches] = sums[searching] - of.in_vain;
      sums[numbers::own_looks] = of.looks;
    } else {
      sums[stealing] = of.stolen_behind_that;
      sums[own_work] = of.elapsed * members - of.lost - of.in_vain - sums[stealing];
      sums[searching] = of.in_vain;
    }
    add_call(over, members, of.elapsed, sums);
  }
  /// Returns: the same, of one that is over, and was as that says.
  std::uint64_t call(const taken& of, region_call& next) {
    begin(next);
    end(next, of);
    return next.stands_for;
  }
  std::uint64_t call(const taken& of) { return call(of, call_); }
  /// Effect: a call that is only counted was as that says. Returns: how many usual ones came before it.
  unsigned call_until_counted(const taken& of, region_call& next) {
    for (unsigned others = 0;; ++others) {
      if (begin(next) == 0) {
        end(next, of);
        return others;
      }
      end(next, {});
    }
  }
  unsigned call_until_counted(const taken& of) { return call_until_counted(of, call_); }
  std::uint64_t told(unsigned number) const {
    site<numbers> all;
    estimate(all, numbers_);
    return all.numbers[number].value();
  }
  std::uint64_t unmeasured() const { return numbers_[numbers::unmeasured_calls]; }

 private:
  site<numbers> numbers_;
  region_call call_;
};

void expect_near(std::uint64_t is, std::uint64_t wanted, double share) {
  EXPECT_NEAR(static_cast<double>(is), static_cast<double>(wanted), share * static_cast<double>(wanted));
}

TEST(region_calls, some_stand_for_all) {
  called region;
  constexpr std::uint64_t calls = 20'000;
  std::uint64_t measured = 0, stood_for = 0;
  for (std::uint64_t number = 0; number < calls; ++number) {
    const std::uint64_t stands_for = region.call({});
    if (number < calls_first) {
      EXPECT_EQ(stands_for, 1);
    }
    measured += stands_for != 0;
    stood_for += stands_for;
    if (number == 1'000) {
      EXPECT_LT(measured, 50);
    }
  }
  EXPECT_EQ(stood_for + region.unmeasured(), calls);
  EXPECT_GT(measured, calls / calls_one_in * 3 / 4);
  EXPECT_LT(measured, calls / calls_one_in * 3 / 2);
  EXPECT_EQ(region.told(numbers::calls), calls);
  EXPECT_EQ(region.told(numbers::tasks), 200 * calls);
  EXPECT_EQ(region.told(numbers::capacity), 222'000 * calls);
  expect_near(region.told(numbers::own), 200'000 * calls, 1e-6);
  expect_near(region.told(own_work), 200'000 * calls, 1e-6);
  expect_near(region.told(searching), 22'000 * calls, 1e-6);
}

TEST(region_calls, have_thefts_by_those_that_were_measured) {
  called region;
  constexpr std::uint64_t calls = 20'000;
  for (std::uint64_t number = 0; number < calls; ++number) region.call({.stolen = 5'000});
  expect_near(region.told(stealing), 5'000 * calls, 1e-6);
  expect_near(region.told(searching), 17'000 * calls, 1e-6);
  expect_near(region.told(own_work), 200'000 * calls, 1e-6);
}

TEST(region_calls, have_fewer_measured_tasks_behind_one_with_many) {
  called region;
  region_call next;
  const auto first_tasks = [&] {
    region.begin(next);
    return next.first_tasks;
  };
  EXPECT_EQ(first_tasks(), measured_first);
  constexpr std::uint64_t many = std::uint64_t{many_tasks} * members;
  region.end(next, {.tasks = many - 1});
  EXPECT_EQ(first_tasks(), measured_first);
  region.end(next, {.tasks = many});
  EXPECT_EQ(first_tasks(), measured_again);
  region.end(next, {});
  EXPECT_EQ(first_tasks(), measured_first);
  region.end(next, {.tasks = many});
  EXPECT_EQ(first_tasks(), measured_again);
  plan_call(next, nullptr, nullptr);
  EXPECT_EQ(next.first_tasks, measured_first);
}

TEST(region_calls, are_met_by_chance_if_regions_come_in_turn) {
  for (const unsigned regions : {2U, 8U, 11U, 55U, 64U}) {
    std::vector<called> in_turn(regions);
    std::vector<unsigned> measured(regions);
    region_call next;
    constexpr unsigned calls = 4'000;
    for (unsigned round = 0; round < calls; ++round)
      for (unsigned region = 0; region < regions; ++region) {
        measured[region] += in_turn[region].begin(next) != 0;
        in_turn[region].end(next, {});
      }
    for (const unsigned each : measured) {
      EXPECT_GT(each, calls / calls_one_in / 2) << regions;
      EXPECT_LT(each, calls / calls_one_in * 5 / 2) << regions;
    }
  }
}

TEST(region_calls, differ_and_are_told_of_as_a_whole) {
  std::mt19937 random(1);
  called region;
  std::uint64_t own = 0, capacity = 0;
  for (unsigned call = 0; call < 20'000; ++call) {
    // One in ten is ten times as long; who waits does so for up to half of the time.
    const std::uint64_t times = random() % 10 == 0 ? 10 : 1;
    taken of{.elapsed = 100'000 * times, .own = (100'000 + random() % 100'000) * times, .tasks = 200 * times};
    own += of.own;
    capacity += of.elapsed * members;
    region.call(of);
  }
  expect_near(region.told(numbers::own), own, 0.05);
  expect_near(region.told(searching), capacity - own, 0.15);
  EXPECT_EQ(region.told(numbers::capacity), capacity);
}

constexpr std::uint64_t calls_some_with_much = 3'000;

/// Now and then a call has `much` of something, twenty times as long as a call takes; one that stands for others, too. `check`
/// gets the region, and how much that was in all.
void try_calls_with_much_of(std::uint64_t taken::* much, const std::function<void(const called&, std::uint64_t)>& check) {
  std::mt19937 random(1);
  called region;
  region_call next;
  std::uint64_t much_in_all = 0;
  bool has_typical = false;
  for (unsigned call = 0; call < calls_some_with_much; ++call) {
    taken of{};
    const bool stands_for_others = region.begin(next) > 1;
    if (random() % 50 == 0 || (stands_for_others && !has_typical)) {
      has_typical = has_typical || stands_for_others;
      of.*much = 2'000'000;
      of.elapsed += of.*much / members;
      much_in_all += of.*much;
    }
    region.end(next, of);
  }
  ASSERT_TRUE(has_typical);
  expect_near(region.told(numbers::own), 200'000 * calls_some_with_much, 1e-3);
  check(region, much_in_all);
}

TEST(region_calls, are_not_told_by_those_in_which_a_processor_was_lost) {
  try_calls_with_much_of(&taken::lost, [](const called& region, std::uint64_t lost_in_all) {
    EXPECT_EQ(region.told(lost), lost_in_all);
    expect_near(region.told(searching), 22'000 * calls_some_with_much, 1e-3);
  });
}

TEST(region_calls, are_not_told_by_searches_in_vain_of_others) {
  try_calls_with_much_of(&taken::in_vain, [](const called& region, std::uint64_t in_vain) {
    expect_near(region.told(searching), 22'000 * calls_some_with_much + in_vain, 1e-3);
  });
}

/// Who steals may lose its processor meanwhile.
TEST(region_calls, are_not_told_by_thefts_behind_searches_in_vain_of_others) {
  try_calls_with_much_of(&taken::stolen_behind_that, [](const called& region, std::uint64_t stolen) {
    EXPECT_EQ(region.told(stealing), stolen);
    expect_near(region.told(searching), 22'000 * calls_some_with_much, 1e-3);
  });
}

/// One opens a region inside, where nobody looks what goes on.
TEST(region_calls, with_regions_inside_stand_for_themselves) {
  called region;
  constexpr std::uint64_t calls = 1'000, inner = 500'000;
  for (unsigned call = 0; call < calls; ++call) region.call({});
  const unsigned others = calls + region.call_until_counted({.elapsed = inner, .own = inner, .inner = inner});
  expect_near(region.told(numbers::own), 200'000 * others + inner, 1e-6);
  EXPECT_EQ(region.told(numbers::inner), inner);
}

/// That one is measured does not make them longer.
TEST(region_calls, are_as_long_as_they_were_behind_one_that_was_measured_and_took_much_longer) {
  called region;
  for (unsigned call = 0; call < 1'000; ++call) region.call({});
  region_call next;
  next.number = 1'000;
  while (region.begin(next) == 0) region.end(next, {});
  region.end(next, {.elapsed = brief_ns - 1});
  for (unsigned call = 0; call < 10; ++call) {
    region.begin(next);
    EXPECT_LT(next.unlike_ns, tick_ns + brief_ns) << call;
    region.end(next, {});
  }
}

/// In the first ones there is little but idle time.
TEST(region_calls, that_come_first_stand_for_themselves) {
  called region;
  std::uint64_t own = 0;
  for (unsigned call = 0; call < 60; ++call) {
    taken of{};
    if (call < calls_warming) of.elapsed *= 10;
    own += of.own;
    region.call(of);
  }
  expect_near(region.told(numbers::own), own, 1e-3);
}

TEST(region_calls, that_take_much_longer_stand_for_themselves) {
  called region;
  constexpr unsigned calls = 1'000;
  for (unsigned call = 0; call < calls; ++call) region.call({});
  constexpr std::uint64_t longer = 1'000'000'000;
  const unsigned others = calls + region.call_until_counted({.elapsed = longer, .own = 0});
  expect_near(region.told(numbers::own), 200'000 * others, 1e-6);
  expect_near(region.told(searching), 22'000 * others + members * longer, 1e-6);
}

TEST(region_calls, are_looked_at_sooner_behind_one_that_took_much_longer) {
  region_call next;
  unsigned measured = 0;
  constexpr unsigned regions = 50, calls = 30;
  for (unsigned number = 0; number < regions; ++number) {
    called region;
    for (unsigned before = 0; before < 500; ++before) region.call({}, next);
    region.call_until_counted({.elapsed = 1'000'000'000, .own = 0}, next);
    for (unsigned behind = 0; behind < calls; ++behind) measured += region.call({}, next) != 0;
  }
  EXPECT_GT(measured, 3 * regions * calls / calls_one_in);
}

TEST(region_calls, are_all_measured_if_that_takes_little_of_their_time) {
  const taken kinds[] = {{.elapsed = 1'110'000, .own = 2'000'000},
                         {.elapsed = brief_ns, .own = brief_ns, .tasks = 20'000},
                         {.own = 100'000, .tasks = 0},
                         {.inner = 1'000}};
  for (const taken& of : kinds) {
    called region;
    for (unsigned call = 0; call < 1'000; ++call) ASSERT_EQ(region.call(of), 1) << of.elapsed;
    EXPECT_EQ(region.told(numbers::own), 1'000 * of.own);
  }
}

/// They are so when they change, too, and no more when they have changed back.
TEST(region_calls, may_change) {
  called region;
  for (unsigned call = 0; call < 1'000; ++call) region.call({});
  const taken coarse{.elapsed = 1'110'000, .own = 2'000'000};
  while (region.call(coarse) == 0) {}
  for (unsigned call = 0; call < 100; ++call) ASSERT_EQ(region.call(coarse), 1);
  for (unsigned call = 0; call < calls_first; ++call) ASSERT_EQ(region.call({}), 1);
  unsigned measured = 0;
  for (unsigned call = 0; call < 1'000; ++call) measured += region.call({}) != 0;
  EXPECT_LT(measured, 100);
}

/// Where looks at the clock take twice what they take alone, calls that are measured are longer by that. No other is.
TEST(region_calls, are_told_without_what_looks_took_in_others) {
  measure_look();
  ASSERT_GT(look_ns(), 0);
  // So many that tasks are fine: under a sanitizer one takes half a microsecond and more.
  const std::uint64_t looks = 100'000 / look_ns(), take = 2 * look_ns() * looks;
  ASSERT_GT(looks, 0);
  called region;
  constexpr unsigned calls = 10'000;
  std::uint64_t looked = 0, measured = 0;
  region_call next;
  for (unsigned call = 0; call < calls; ++call) {
    taken of{};
    if (region.begin(next) != 0) {
      of.looks = looks;
      of.own += take;
      of.stolen_behind_that = take;  // known of each call, so no look had it
      of.elapsed += 2 * take / members;
      looked += take;
      ++measured;
    }
    region.end(next, of);
  }
  ASSERT_LT(measured, calls / 10);
  // What was measured has them: they are taken off where it is written.
  expect_near(region.told(numbers::own), 200'000 * calls + looked, 1e-3);
  EXPECT_EQ(region.told(numbers::own_looks), looked / take * looks);
}

}  // namespace
}  // namespace TEFF_NAMESPACE::openmp
