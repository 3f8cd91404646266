// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/platform.h"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>

namespace TEFF_NAMESPACE::platform {
namespace {

/// One word handed back and forth: whose turn it is.
struct table_tennis {
  atomic<std::uint32_t> turn{0};
  std::uint32_t plain = 0;  ///< written by whoever has the turn
  static constexpr std::uint32_t rallies = 2000;

  void play(std::uint32_t me) {
    for (std::uint32_t i = 0; i < rallies; ++i) {
      // [turn] acquire: what the other side wrote before it gave the turn away is visible.
      while (turn.load(acquire) != me) park(turn, 1 - me, "its turn");
      ++plain;
      turn.store(1 - me, release);  // [turn] release
      wake_one(turn);
    }
  }
};

TEST(park, two_threads_wake_each_other) {
  table_tennis game;
  thread other;
  ASSERT_TRUE(other.start([](void* pointer) { static_cast<table_tennis*>(pointer)->play(1); }, &game, {}));
  game.play(0);
  other.join();
  EXPECT_EQ(game.plain, 2 * table_tennis::rallies);
}

TEST(park, returns_at_once_if_the_word_has_changed) {
  atomic<std::uint32_t> word{1};
  park(word, 0, "nothing");
  EXPECT_TRUE(park_until(word, 0, now_ns() + 1'000'000'000'000, "nothing"));
}

TEST(park, until_a_deadline_that_has_passed_returns_false) {
  atomic<std::uint32_t> word{0};
  EXPECT_FALSE(park_until(word, 0, 1, "nothing"));
}

TEST(park, until_a_deadline_ends_after_it) {
  atomic<std::uint32_t> word{0};
  const std::uint64_t deadline = now_ns() + 1'000'000;
  while (park_until(word, 0, deadline, "the deadline")) {
  }
  EXPECT_GE(now_ns(), deadline);
}

struct starting_gate {
  atomic<std::uint32_t> open{0};
  atomic<std::uint32_t> through{0};
};

void pass(void* pointer) {
  auto& gate = *static_cast<starting_gate*>(pointer);
  while (gate.open.load(acquire) == 0) park(gate.open, 0, "the gate");
  gate.through.fetch_add(1, relaxed);  // own: read after the join
}

TEST(park, wake_all_wakes_everybody) {
  starting_gate gate;
  std::array<thread, 8> threads;
  for (thread& each : threads) ASSERT_TRUE(each.start(pass, &gate, {}));
  gate.open.store(1, release);
  wake_all(gate.open);
  for (thread& each : threads) each.join();
  EXPECT_EQ(gate.through.load(relaxed), 8U);
}

TEST(spin, until_ends_when_another_thread_writes) {
  atomic<std::uint32_t> word{0};
  thread writer;
  ASSERT_TRUE(writer.start([](void* to) { static_cast<atomic<std::uint32_t>*>(to)->store(7, release); }, &word, {}));
  spin_until(word, [](std::uint32_t value) { return value == 7; }, "the writer");
  writer.join();
  EXPECT_EQ(word.load(relaxed), 7U);
}

TEST(spin, for_a_number_of_rounds_gives_up) {
  atomic<std::uint32_t> word{0};
  unsigned looks = 0;
  const auto never = [&](std::uint32_t) { return ++looks > 1000; };
  EXPECT_FALSE(spin_until_for(word, never, 10, "nothing"));
  EXPECT_EQ(looks, 10U);
  EXPECT_TRUE(spin_until_for(word, [](std::uint32_t value) { return value == 0; }, 1, "nothing"));
}

/// Two threads that each write one word and read the other's: with fences between, not both may read 0.
struct store_buffer {
  atomic<std::uint32_t> mine{0}, yours{0};
  atomic<std::uint32_t> round{0}, done{0};
  std::uint32_t seen = 0;
  static constexpr std::uint32_t rounds = 2000;
};

TEST(fence, forbids_that_both_sides_miss_each_other) {
  store_buffer shared;
  thread other;
  ASSERT_TRUE(other.start(
      [](void* pointer) {
        auto& at = *static_cast<store_buffer*>(pointer);
        for (std::uint32_t round = 1; round <= store_buffer::rounds; ++round) {
          while (at.round.load(acquire) != round) park(at.round, round - 1, "the next round");
          at.yours.store(round, relaxed);
          fence(seq_cst);
          at.seen = at.mine.load(relaxed);
          at.done.store(round, release);
          wake_one(at.done);
        }
      },
      &shared, {}));
  for (std::uint32_t round = 1; round <= store_buffer::rounds; ++round) {
    shared.round.store(round, release);
    wake_one(shared.round);
    shared.mine.store(round, relaxed);
    fence(seq_cst);
    const std::uint32_t seen = shared.yours.load(relaxed);
    while (shared.done.load(acquire) != round) park(shared.done, round - 1, "the other side");
    EXPECT_TRUE(seen == round || shared.seen == round) << "round " << round;
  }
  other.join();
}

}  // namespace
}  // namespace TEFF_NAMESPACE::platform
