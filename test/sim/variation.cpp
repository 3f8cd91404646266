// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs that differ a little: which costs move, how far, and that a number always gives the same run.
#include "sim/variation.h"

#include "helpers.h"
#include "sim/machine_costs.h"

#include <set>

namespace TEFF_NAMESPACE::sim {
namespace {

double moved_by(double before, double after, double parts) { return after / parts / before - 1; }

TEST(variation, every_cost_moves_by_up_to_a_hundredth_and_small_ones_do_too) {
  const machine_description plain;
  double least = 0, most = 0;
  std::set<double> hits;
  for (std::uint64_t number = 1; number <= 200; ++number) {
    const machine_description made = varied(plain, number);
    const double parts = made.cycles_per_ns / plain.cycles_per_ns;
    EXPECT_EQ(made.cycles_per_charge_unit, plain.cycles_per_charge_unit * parts);
    for (const whole_cost& each : whole_costs) {
      // As fine as a part of a cycle allows.
      const double by = moved_by(plain.*each.member, made.*each.member, parts), room = 0.5 / (plain.*each.member * parts);
      EXPECT_LE(std::abs(by), 0.01 + room) << each.name;
      least = std::min(least, by);
      most = std::max(most, by);
    }
    for (unsigned i = 0; i < plain.levels; ++i) {
      EXPECT_LE(std::abs(moved_by(plain.level[i].transfer, made.level[i].transfer, parts)), 0.0101);
      EXPECT_EQ(made.level[i].width, plain.level[i].width);
    }
    hits.insert(made.own_line_hit);
  }
  EXPECT_LT(least, -0.009);
  EXPECT_GT(most, 0.009);
  EXPECT_GT(hits.size(), 5u);  // of 4 cycles
}

TEST(variation, what_caches_cost_moves_and_what_they_hold_does_not) {
  machine_description plain;
  for (const cache_number& each : cache_numbers) plain.*each.number.member = 1'000;
  for (machine_level& each : plain.level) each.memory = 2'000;
  std::set<unsigned> hits;
  for (std::uint64_t number = 1; number <= 50; ++number) {
    const machine_description made = varied(plain, number);
    const double parts = made.cycles_per_ns / plain.cycles_per_ns;
    for (const cache_number& each : cache_numbers) {
      const unsigned now = made.*each.number.member;
      if (each.is_size) EXPECT_EQ(now, 1'000u) << each.number.name;
      else EXPECT_NEAR(now / parts, 1'000, 10.1) << each.number.name;
    }
    for (unsigned i = 0; i < plain.levels; ++i) EXPECT_NEAR(made.level[i].memory / parts, 2'000, 20.1);
    EXPECT_EQ(made.level[1].memory, made.level[0].memory) << "of equal numbers: how many memories there are does not vary";
    hits.insert(made.domain_hit);
    machine_description without = plain;
    without.own_cache_kib = 0;
    EXPECT_EQ(varied(without, number).level[1].transfer, made.level[1].transfer) << "what else there is varies as before";
  }
  EXPECT_GT(hits.size(), 30u);
}

TEST(variation, the_machine_as_described_and_what_costs_nothing_stay) {
  machine_description plain;
  EXPECT_EQ(varied(plain, as_described), plain);
  for (const whole_cost& each : whole_costs) plain.*each.member = each.least;
  const machine_description made = varied(plain, 7);
  for (const whole_cost& each : whole_costs) EXPECT_EQ(made.*each.member == 0, each.least == 0) << each.name;
}

TEST(variation, the_largest_costs_have_room) {
  machine_description plain;
  for (const whole_cost& each : whole_costs) plain.*each.member = each.most;
  for (std::uint64_t number = 1; number <= 20; ++number) {
    const machine_description made = varied(plain, number);
    const double parts = made.cycles_per_ns / plain.cycles_per_ns;
    for (const whole_cost& each : whole_costs)
      EXPECT_NEAR(made.*each.member / parts / (plain.*each.member), 1, 0.0101) << each.name;
  }
}

/// Virtual times, and the hash of all that happened, of threads that compute, take a lock and wake each other.
outcome run_with(std::uint64_t number) {
  options wanted;
  wanted.variation = number;
  const outcome ended = simulate(wanted, [] {
    platform::lock guard;
    run_on_each(4, [&](unsigned me) {
      for (unsigned round = 0; round < 20; ++round) {
        platform::charge(1'000 + 10 * me);
        const platform::lock_guard held(guard);
        platform::charge(500);
      }
    });
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
  return ended;
}

TEST(variation, a_number_is_a_run) {
  const std::uint64_t plain = run_with(as_described).time_ns;
  std::set<std::uint64_t> hashes, times;
  for (std::uint64_t number = 1; number <= 20; ++number) {
    const outcome ended = run_with(number);
    EXPECT_EQ(run_with(number).hash, ended.hash);
    hashes.insert(ended.hash);
    times.insert(ended.time_ns);
    EXPECT_NEAR(static_cast<double>(ended.time_ns) / static_cast<double>(plain), 1, 0.5);
  }
  EXPECT_EQ(hashes.size(), 20u);
  EXPECT_GT(times.size(), 10u);
}

TEST(variation, of_other_strategies_there_is_none) {
  options wanted = with(strategy::random, 5);
  const auto body = [] { run_on_each(3, [](unsigned) { platform::charge(1'000); }); };
  const std::uint64_t plain = simulate(wanted, body).hash;
  wanted.variation = 9;
  EXPECT_EQ(simulate(wanted, body).hash, plain);
}

}  // namespace
}  // namespace TEFF_NAMESPACE::sim
