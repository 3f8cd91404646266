// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Closures that lie in the slots of a split deque: they come along wherever their tasks go, and before these are public they have
/// memory of their own.
#include "split_subject.h"
#include "task/worker.h"
#include "test/support/sides.h"

#include <cstdlib>
#include <cstring>

namespace TEFF_NAMESPACE::queue {
namespace {

using testing_support::on_this_side;

constexpr unsigned tasks = 40;

struct closure {
  std::uint32_t number;
  std::uint64_t check;
};
static_assert(sizeof(closure) == closure_room_bytes);

unsigned runs[tasks + 1], blocks_out;

constexpr std::uint64_t check_of(std::uint32_t number) { return 0x9E3779B97F4A7C15u * number; }

void run(worker&, void* room) {
  closure own;
  std::memcpy(&own, room, sizeof own);
  ASSERT_LE(own.number, tasks);
  EXPECT_EQ(own.check, check_of(own.number));
  ++runs[own.number];
}

void release(worker&, void* block) {
  --blocks_out;
  std::free(block);
}

/// A worker whose argument blocks are malloc's.
struct runner {
  runner() { operations.release_argument = &release; }
  void execute(const task& taken) { taken.entry(own, taken.argument); }
  worker_operations operations{};
  worker own{operations, 0, 0};
};

/// Two deques, of which the first one's owner pushes tasks 1, 2, … with closures.
struct pair_of_deques {
  pair_of_deques() {
    std::fill(std::begin(runs), std::end(runs), 0u);
    blocks_out = 0;
  }
  auto blocks() {
    return [this]() -> void* {
      if (left == 0) return nullptr;
      --left;
      ++blocks_out;
      return std::malloc(sizeof(moved_closure));
    };
  }
  void push(std::uint32_t number) {
    const auto make = [&](void* room) { ::new (room) closure{number, check_of(number)}; };
    pushed how = owners.push_made(&run, make);
    if (how == pushed::full) {
      // As a put does, which then takes a block.
      void* const block = std::malloc(sizeof(moved_closure));
      ++blocks_out;
      auto* const moved = ::new (block) moved_closure{&run, {}};
      make(moved->room);
      how = owners.push_slow({&run_moved, moved});
    }
    ASSERT_NE(how, pushed::full);
    if (how == pushed::asked && owners.is_still_wanted()) owners.publish(false, blocks());
  }
  void run_all() {
    task taken;
    std::uint32_t reclaimed = 0;
    while (owners.pop(taken) || owners.pop_slow(taken, reclaimed)) by.execute(taken);
    while (thiefs.pop(taken)) by.execute(taken);
  }
  void expect_each_once(std::uint32_t pushed_ones) {
    for (std::uint32_t number = 1; number <= pushed_ones; ++number) EXPECT_EQ(runs[number], 1u) << number;
    EXPECT_EQ(blocks_out, 0u);
  }

  platform::atomic<std::uint32_t> requests{0};
  split_deque<> owners{true, requests, 4}, thiefs{true, requests, 4};
  runner by;
  unsigned left = 1'000;
};

TEST(split_closures, come_along_when_the_ring_grows) {
  on_this_side([] {
    pair_of_deques both;
    for (std::uint32_t number = 1; number <= tasks; ++number) both.push(number);
    EXPECT_GT(both.owners.overflows(), 2u);
    both.run_all();
    both.expect_each_once(tasks);
  });
}

TEST(split_closures, come_along_where_laps_end) {
  on_this_side([] {
    pair_of_deques both;
    task taken;
    for (std::uint32_t number = 1; number <= tasks; ++number) {
      both.push(number);
      std::uint32_t count = 1;
      if (both.owners.length() > 1 && both.owners.steal(both.thiefs, taken, count) == steal_result::got) both.by.execute(taken);
    }
    EXPECT_LT(both.owners.overflows(), 2u);
    both.run_all();
    both.expect_each_once(tasks);
  });
}

TEST(split_closures, have_memory_of_their_own_when_they_are_public) {
  for (const bool by_force : {false, true}) {
    on_this_side([&] {
      pair_of_deques both;
      for (std::uint32_t number = 1; number <= 9; ++number) both.push(number);
      const unsigned before = blocks_out;
      const std::uint32_t given = by_force ? both.owners.force(both.blocks()) : both.owners.publish(false, both.blocks());
      EXPECT_EQ(given, 4u);
      EXPECT_GE(blocks_out, before + 3);  // some may have had none in their slots
      task taken;
      std::uint32_t count = 32;
      ASSERT_EQ(both.owners.steal(both.thiefs, taken, count), steal_result::got);
      both.push(10);  // over what a thief of a slot would still read
      both.by.execute(taken);
      both.run_all();
      both.expect_each_once(10);
    });
  }
}

TEST(split_closures, stay_private_where_their_blocks_are_refused) {
  for (const bool by_force : {false, true}) {
    on_this_side([&] {
      pair_of_deques both;
      both.push(1);
      both.left = 0;
      for (std::uint32_t number = 2; number <= 3; ++number) both.push(number);
      EXPECT_EQ(both.owners.public_estimate(), 1u);
      EXPECT_EQ(by_force ? both.owners.force(both.blocks()) : both.owners.publish(false, both.blocks()), 0u);
      both.left = 1;
      EXPECT_EQ(both.owners.publish(true, both.blocks()), 1u);
      both.run_all();
      both.expect_each_once(3);
    });
  }
}

TEST(split_closures, come_along_when_one_is_taken_from_the_middle) {
  on_this_side([] {
    pair_of_deques both;
    for (std::uint32_t number = 1; number <= 6; ++number) both.push(number);
    const auto is_third = [](const task& candidate) {
      closure seen;
      if (candidate.entry != &run) return false;
      std::memcpy(&seen, candidate.argument, sizeof seen);
      return seen.number == 3;
    };
    task taken;
    ASSERT_TRUE(both.owners.take_private_if(is_third, taken));
    both.by.execute(taken);
    EXPECT_EQ(runs[3], 1u);
    both.run_all();
    both.expect_each_once(6);
  });
}

TEST(split_closures, a_popped_one_that_is_kept_outlasts_the_next_push) {
  on_this_side([] {
    pair_of_deques both;
    for (std::uint32_t number = 1; number <= 3; ++number) both.push(number);
    task taken;
    ASSERT_TRUE(both.owners.pop(taken));
    both.left = 0;
    EXPECT_FALSE(both.owners.keep(taken, both.blocks()));
    both.left = 1;
    EXPECT_TRUE(both.owners.keep(taken, both.blocks()));
    both.push(4);
    both.by.execute(taken);
    EXPECT_EQ(runs[3], 1u);
    both.run_all();
    both.expect_each_once(4);
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::queue
