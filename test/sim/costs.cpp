// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The cost model: who holds a line, what an access takes, what happens when a number of the machine changes.
#include "helpers.h"

#include "sim/lines.h"

#include <algorithm>

namespace TEFF_NAMESPACE::sim {
namespace {

/// Virtual time of so many processors adding a hundred times each, to one line or each to its own.
std::uint64_t time_of_adding(unsigned processors, bool one_line, const machine_description& machine = {}) {
  options wanted;
  wanted.processors_at_most = processors;
  wanted.machine = machine;
  wanted.machine.thread_start = 1;
  std::vector<padded<std::uint64_t>> words(processors);
  const outcome ended = simulate(wanted, [&] {
    run_on_each(processors, [&](unsigned me) {
      for (int i = 0; i < 100; ++i) words[one_line ? 0 : me].word.fetch_add(1, platform::relaxed);
    });
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
  return ended.time_ns;
}

TEST(costs, a_hot_line_serialises_and_own_lines_do_not) {
  const std::uint64_t eight = time_of_adding(8, true), sixty_four = time_of_adding(64, true);
  EXPECT_GE(sixty_four, 8 * eight);
  EXPECT_GE(sixty_four, 64u * 100 * (75 + 20) / 3);
  EXPECT_LE(time_of_adding(64, false), 2 * time_of_adding(8, false));
}

/// Virtual time of two processors that take turns on one line.
std::uint64_t time_of_ping_pong(unsigned other_place, unsigned remote_transfer) {
  options wanted;
  wanted.processors_at_most = 16;
  wanted.machine.level[1].transfer = remote_transfer;
  const outcome ended = simulate(wanted, [&] {
    struct game {
      padded<std::uint32_t> ball;
      void play(std::uint32_t me) {
        for (int i = 0; i < 200; ++i) {
          platform::spin_until(ball.word, [me](std::uint32_t owner) { return owner == me; }, "the ball");
          ball.word.store(1 - me, platform::release);
        }
      }
    } here;
    platform::thread other;
    ASSERT_TRUE(other.start([](void* g) { static_cast<game*>(g)->play(1); }, &here, {&other_place, 1}));
    here.play(0);
    other.join();
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
  return ended.time_ns;
}

TEST(costs, a_farther_second_domain_slows_down_who_talks_to_it_and_nobody_else) {
  EXPECT_GT(time_of_ping_pong(8, 1200), 2 * time_of_ping_pong(8, 300));
  EXPECT_EQ(time_of_ping_pong(7, 1200), time_of_ping_pong(7, 300));
  EXPECT_LT(time_of_ping_pong(7, 300), time_of_ping_pong(8, 300));
}

TEST(costs, charge_is_time_and_nothing_else) {
  const outcome ended = simulate({}, [] { platform::charge(3'000'000); });
  EXPECT_EQ(ended.time_ns, 1'000'000u);
  EXPECT_EQ(ended.events, 1u);
}

TEST(costs, statistics_are_free_and_no_events) {
  const outcome ended = simulate({}, [] {
    platform::statistic counted;
    for (int i = 0; i < 1000; ++i) counted.add(2);
    EXPECT_EQ(counted.value(), 2000u);
  });
  EXPECT_EQ(ended.events, 0u);
  EXPECT_EQ(ended.time_ns, 0u);
}

TEST(costs, the_machine_is_as_described) {
  options wanted;
  wanted.processors_at_most = 20;
  wanted.machine.level[0].width = 8;
  simulate(wanted, [] {
    const platform::topology& machine = platform::machine();
    EXPECT_EQ(machine.usable_processors, 20u);
    ASSERT_EQ(machine.places.size(), 20u);
    using platform::level;
    EXPECT_EQ(machine.places[7].part(level::cache), 0u);
    EXPECT_EQ(machine.places[19].part(level::cache), 2u);
    EXPECT_EQ(machine.count(level::cache), 3u);
    EXPECT_EQ(machine.count(level::core), 20u);
    EXPECT_EQ(nearest_common(machine.places[8], machine.places[15]), level::cache);
    EXPECT_EQ(nearest_common(machine.places[7], machine.places[8]), level::package);
  });
}

/// Two domains of two places.
class line_costs : public testing::Test {
 protected:
  std::uint64_t serve(operation what, unsigned by, std::uint64_t clock) {
    return model.serve(line, what, place_in(machine, by, 4), clock);
  }

  void SetUp() override {
    machine.level[0].width = 2;
    model.reset(machine);
  }

  machine_description machine;
  lines model;
  padded<int> word;
  line_number line = 0;
};

TEST_F(line_costs, follow_the_holders) {
  line = model.touch(&word);
  EXPECT_EQ(serve(operation::store, 0, 0), 4u);                  // first touch
  EXPECT_EQ(serve(operation::read_modify_write, 0, 100), 124u);  // own line
  EXPECT_EQ(serve(operation::load, 1, 1000), 1075u);             // from the same domain
  EXPECT_EQ(serve(operation::load, 1, 2000), 2004u);             // held now
  EXPECT_EQ(serve(operation::load, 2, 3000), 3300u);             // from the other domain
  EXPECT_EQ(serve(operation::load, 3, 4000), 4075u);             // its neighbour has it: the nearest counts
  EXPECT_EQ(serve(operation::store, 0, 5000), 5300u);            // taken from the farthest
  EXPECT_EQ(serve(operation::load, 0, 6000), 6004u);
  EXPECT_EQ(serve(operation::load, 3, 7000), 7300u);  // lost its copy
}

TEST_F(line_costs, transfers_queue_and_copies_of_an_unmodified_line_hardly_do) {
  line = model.touch(&word);
  serve(operation::store, 0, 0);
  EXPECT_EQ(serve(operation::load, 2, 100), 400u);
  EXPECT_EQ(serve(operation::load, 3, 100), 475u);   // waits for the modified line, then gets a copy of the copy
  EXPECT_EQ(serve(operation::load, 1, 100), 485u);   // waits 10 cycles for the one before it
  EXPECT_EQ(serve(operation::store, 2, 100), 720u);  // 10 more, and 300 to take it away from everybody
}

TEST_F(line_costs, numbers_follow_first_touch) {
  std::vector<padded<int>> many(5000);
  for (std::size_t i = 0; i < many.size(); ++i) ASSERT_EQ(model.touch(&many[many.size() - 1 - i]), i);
  ASSERT_EQ(model.touch(&many[4999]), 0u);
  EXPECT_EQ(model.find(&word), no_line);
  model.forget(&many[4999]);
  EXPECT_EQ(model.touch(&many[4999]), 5000u);
  model.reset(machine);
  EXPECT_EQ(model.find(&many[17]), no_line);
  EXPECT_EQ(model.touch(&many[17]), 0u);
}

TEST(holder_sets, agree_with_a_plain_set) {
  platform::random draw(5);
  holder_set::overflow large;
  holder_set tested;
  std::vector<bool> expected(places_at_most, false);
  for (int step = 0; step < 20'000; ++step) {
    const unsigned place = draw.below(places_at_most);
    ASSERT_EQ(tested.contains(place, large), expected[place]);
    if (draw.below(200) == 0) {
      tested.become_only(place);
      expected.assign(places_at_most, false);
    } else if (expected[place] || draw.below(3) == 0) {
      // Down to few, and up again.
      const auto first = std::find(expected.begin() + place, expected.end(), true);
      if (first == expected.end()) continue;
      tested.remove(static_cast<unsigned>(first - expected.begin()), large);
      *first = false;
      continue;
    } else {
      tested.add(place, large);
    }
    expected[place] = true;
    if (step % 100 == 0) {
      std::vector<bool> visited(places_at_most, false);
      tested.for_each(large, [&](unsigned each) { visited[each] = true; });
      ASSERT_EQ(visited, expected);
    }
    const unsigned first = draw.below(places_at_most), end = first + draw.below(places_at_most - first) + 1;
    const auto members = std::count(expected.begin() + first, expected.begin() + end, true);
    ASSERT_EQ(tested.count_in({first, end}, large), static_cast<unsigned>(members));
    ASSERT_EQ(tested.is_only(place), std::count(expected.begin(), expected.end(), true) == 1);
  }
  EXPECT_EQ(large.size(), 1u);
}

}  // namespace
}  // namespace TEFF_NAMESPACE::sim
