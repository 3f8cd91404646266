// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The search through all schedules: that it misses none and runs none twice, by numbers derived by hand.
#include "helpers.h"

#include "sim/exhaustive.h"

#include <map>
#include <set>
#include <string>

namespace TEFF_NAMESPACE::sim {
namespace {

/// Effect: runs all schedules of processors that do `accesses[i]` additions each. Returns: how often each order of them came.
std::map<std::string, int> orders_of(const std::vector<unsigned>& accesses, options wanted = {}) {
  std::map<std::string, int> seen;
  std::string order;
  const exploration found = explore(wanted, [&] {
    order.clear();
    padded<std::uint32_t> word;
    run_on_each(static_cast<unsigned>(accesses.size()), [&](unsigned me) {
      for (unsigned i = 0; i < accesses[me]; ++i) {
        word.word.fetch_add(1, platform::relaxed);
        order += static_cast<char>('a' + me);
      }
    });
    ++seen[order];
  });
  EXPECT_EQ(found.failure, "");
  EXPECT_TRUE(found.complete);
  return seen;
}

/// Pre: no order may come twice.
std::size_t count_of(const std::vector<unsigned>& accesses, options wanted = {}) {
  const auto seen = orders_of(accesses, wanted);
  for (const auto& [order, times] : seen) EXPECT_EQ(times, 1) << order;
  return seen.size();
}

TEST(exhaustive, runs_each_interleaving_once) {
  EXPECT_EQ(count_of({2, 2}), 6u);         // 4! / (2! · 2!)
  EXPECT_EQ(count_of({1, 3}), 4u);         // 4! / (1! · 3!)
  EXPECT_EQ(count_of({5, 5}), 252u);       // 10! / (5! · 5!)
  EXPECT_EQ(count_of({1, 1, 1}), 6u);      // 3!
  EXPECT_EQ(count_of({2, 2, 2}), 90u);     // 6! / (2!)³
  EXPECT_EQ(count_of({3, 3, 3}), 1'680u);  // 9! / (3!)³
  EXPECT_EQ(count_of({4}), 1u);
}

TEST(exhaustive, keeps_to_a_bound_on_preemptions) {
  options wanted;
  wanted.preemptions_at_most = 0;
  // Without preemption: one processor to its end, then the other. Body and thread in either order would need the body to be left.
  EXPECT_EQ(count_of({2, 2}, wanted), 1u);
  wanted.preemptions_at_most = 1;
  // aabb, and, leaving a before its first or second access: bbaa, abba.
  EXPECT_EQ(count_of({2, 2}, wanted), 3u);
  wanted.preemptions_at_most = 2;
  // And, leaving b after its first access: baab, abab. Only baba needs three.
  EXPECT_EQ(count_of({2, 2}, wanted), 5u);
}

TEST(exhaustive, stops_at_the_number_of_schedules_that_is_allowed) {
  options wanted;
  wanted.schedules_at_most = 5;
  const exploration found = explore(wanted, [] {
    padded<std::uint32_t> word;
    run_on_each(2, [&](unsigned) {
      for (int i = 0; i < 2; ++i) word.word.fetch_add(1, platform::relaxed);
    });
  });
  EXPECT_EQ(found.schedules, 5u);
  EXPECT_FALSE(found.complete);
}

/// Two processors add one by a load and a store. Effect: sets the sum.
void add_apart(std::uint32_t& sum) {
  padded<std::uint32_t> word;
  run_on_each(2, [&](unsigned) { word.word.store(word.word.load(platform::relaxed) + 1, platform::relaxed); });
  sum = word.word.load(platform::relaxed);
}

TEST(exhaustive, finds_a_lost_update_and_its_choices_replay_it) {
  std::uint32_t sum = 0;
  const exploration found = explore({}, [&] { add_apart(sum); }, [&] { return sum == 2; });
  EXPECT_FALSE(found.complete);
  const std::size_t choices = found.failure.find("choices=");
  ASSERT_NE(choices, std::string::npos) << found.failure;
  options again = with(strategy::replay, 1);
  for (std::size_t at = choices + 7; at != std::string::npos; at = found.failure.find(',', at + 1)) {
    again.replay.push_back(static_cast<std::uint32_t>(std::stoul(found.failure.substr(at + 1))));
  }
  sum = 0;
  const outcome ended = simulate(again, [&] { add_apart(sum); });
  EXPECT_EQ(sum, 1u);
  EXPECT_FALSE(ended.diverged);
}

TEST(exhaustive, finds_every_outcome_of_store_buffering_under_sequential_consistency) {
  std::set<std::pair<unsigned, unsigned>> outcomes;
  unsigned seen[2] = {};
  const exploration found = explore({}, [&] {
    padded<std::uint32_t> words[2];
    run_on_each(2, [&](unsigned me) {
      words[me].word.store(1, platform::relaxed);
      seen[me] = words[1 - me].word.load(platform::relaxed);
    });
    outcomes.insert({seen[0], seen[1]});
  });
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(outcomes, (std::set<std::pair<unsigned, unsigned>>{{0, 1}, {1, 0}, {1, 1}}));
}

TEST(exhaustive, runs_waiting_loops_to_their_end) {
  const exploration found = explore({}, [] {
    padded<std::uint32_t> polite, spinning, parking;
    run_on_each(3, [&](unsigned me) {
      if (me == 2) {
        polite.word.store(1, platform::release);
        spinning.word.store(1, platform::release);
        parking.word.store(1, platform::release);
        platform::wake_all(parking.word);
        return;
      }
      while (polite.word.load(platform::acquire) == 0) platform::pause();
      if (me == 0) platform::spin_until(spinning.word, [](std::uint32_t value) { return value == 1; }, "the flag");
      while (me == 1 && parking.word.load(platform::acquire) == 0) platform::park(parking.word, 0, "the flag");
    });
  });
  EXPECT_EQ(found.failure, "");
  EXPECT_TRUE(found.complete);
  EXPECT_GT(found.schedules, 100u);
}

TEST(exhaustive, finds_the_deadlock_of_a_lost_wake_up) {
  options wanted;
  wanted.expects_failure = true;
  const exploration found = explore(wanted, [] {
    padded<std::uint32_t> flag, sleeps;
    run_on_each(2, [&](unsigned me) {
      if (me == 1) {
        if (flag.word.load(platform::acquire) != 0) return;
        sleeps.word.store(1, platform::release);
        platform::park(sleeps.word, 1, "the flag");
      } else {
        flag.word.store(1, platform::release);
        if (sleeps.word.exchange(0, platform::acq_rel) == 1) platform::wake_one(sleeps.word);
      }
    });
  });
  EXPECT_NE(found.failure.find("deadlock"), std::string::npos);
  EXPECT_NE(found.failure.find("choices="), std::string::npos);
}

}  // namespace
}  // namespace TEFF_NAMESPACE::sim
