// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What plain memory, puts and gets, and the system's memory cost by virtual time, and that other strategies know nothing of it.
#include "helpers.h"

#include "sim/arena.h"
#include "sim/lines.h"

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

namespace TEFF_NAMESPACE::sim {
namespace {

using platform::to_read;
using platform::to_write;

/// Costs that no sum of others gives; the system's and pages cost nothing.
machine_description plain_machine() {
  machine_description machine;
  machine.plain_hit = 3;
  machine.own_line_hit = 4;
  machine.level[0] = {2, 75, sharing(platform::level::cache)};
  machine.level[1] = {8, 300};
  machine.put_or_get = machine.system_allocation = machine.system_release = machine.page_touch = 0;
  machine.clock_read = machine.thread_start = machine.wake_latency = 0;
  machine.cycles_per_ns = 1;
  return machine;
}

options on(const machine_description& machine) {
  options wanted;
  wanted.machine = machine;
  return wanted;
}

/// Whole lines of the simulated memory.
char* lines_of_memory(std::size_t count) {
  return static_cast<char*>(platform::system_allocate(count * cache_line_bytes, cache_line_bytes));
}

std::uint64_t cycles(const std::function<void()>& work) {
  const std::uint64_t before = platform::now_ns();
  work();
  return platform::now_ns() - before;
}

TEST(touches, of_what_the_processor_holds_cost_a_hit_for_each_line) {
  simulate(on(plain_machine()), [] {
    char* const memory = lines_of_memory(4);
    EXPECT_EQ(cycles([&] { platform::touch(memory, 1, to_write); }), 3u) << "nobody holds it yet";
    EXPECT_EQ(cycles([&] { platform::touch(memory + 60, 4, to_read); }), 3u) << "up to the end of a line";
    EXPECT_EQ(cycles([&] { platform::touch(memory + 60, 5, to_read); }), 6u) << "one byte beyond it";
    EXPECT_EQ(cycles([&] { platform::touch(memory + 63, 130, to_write); }), 12u) << "the end of one, two, the begin of one";
    EXPECT_EQ(cycles([&] { platform::touch(memory, 256, to_write); }), 12u);
    EXPECT_EQ(cycles([&] { platform::touch(memory, 0, to_write); }), 0u);
  });
}

/// Effect: runs the steps one after the other, each on the processor with that number.
void in_turn(const std::vector<std::pair<unsigned, std::function<void()>>>& steps) {
  std::vector<padded<std::uint32_t>> turn(1);
  run_on_each(8, [&](unsigned me) {
    for (std::uint32_t at = 0; at < steps.size(); ++at) {
      if (steps[at].first != me) continue;
      platform::spin_until(turn[0].word, [at](std::uint32_t now) { return now == at; }, "its turn");
      steps[at].second();
      turn[0].word.store(at + 1, platform::release);
    }
  });
}

TEST(touches, of_what_another_one_holds_cost_its_transfer) {
  const outcome ended = simulate(on(plain_machine()), [] {
    char* const memory = lines_of_memory(1);
    const auto touches = [memory](unsigned by, platform::touched how, std::uint64_t expected) {
      return std::pair<unsigned, std::function<void()>>(
          by, [=] { EXPECT_EQ(cycles([&] { platform::touch(memory, 8, how); }), expected) << "by " << by; });
    };
    in_turn({touches(0, to_write, 3), touches(1, to_read, 75), touches(1, to_read, 3), touches(2, to_read, 300),
             touches(0, to_read, 3), touches(0, to_write, 300), touches(0, to_write, 3), touches(1, to_write, 75),
             touches(0, to_read, 75)});
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
}

TEST(touches, that_write_make_a_line_modified_and_keep_nobody_waiting) {
  lines model;
  model.reset(plain_machine());
  const padded<int> word;
  const line_number line = model.touch(&word);
  const auto at = [](unsigned number) { return place_in(plain_machine(), number, 8); };
  EXPECT_TRUE(model.hit(line, operation::store, at(0)));
  EXPECT_EQ(model.serve(line, operation::load, at(2), 100), 400u) << "at once";
  EXPECT_EQ(model.serve(line, operation::load, at(3), 100), 475u) << "behind the one that fetches what 0 wrote";
  EXPECT_TRUE(model.hit(line, operation::load, at(3)));
  EXPECT_FALSE(model.hit(line, operation::load, at(1)));
  EXPECT_FALSE(model.hit(line, operation::store, at(3))) << "others have copies";
}

TEST(touches, share_the_lines_of_atomics) {
  simulate(on(plain_machine()), [] {
    struct both {
      platform::atomic<std::uint32_t> word{0};
      std::uint32_t plain = 0;
    };
    auto* const shared = new (lines_of_memory(1)) both;
    in_turn({{0, [&] { platform::touch(&shared->plain, 4, to_write); }},
             {3, [&] { EXPECT_EQ(cycles([&] { shared->word.load(platform::relaxed); }), 300u); }},
             {3, [&] { EXPECT_EQ(cycles([&] { platform::touch(&shared->plain, 4, to_read); }), 3u); }},
             {0, [&] { EXPECT_EQ(cycles([&] { platform::touch(&shared->plain, 4, to_write); }), 300u); }},
             {0, [&] { EXPECT_EQ(cycles([&] { shared->word.store(1, platform::relaxed); }), 4u); }}});
  });
}

/// Where those objects lie that are not the arena's, and beside what, is the host's matter.
TEST(touches, outside_of_the_simulated_memory_cost_hits_whoever_touches) {
  const auto shared = std::make_unique<std::array<char, 256>>();
  const outcome ended = simulate(on(plain_machine()), [&] {
    auto* const begin = reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(shared.get()) + 63) & ~std::uintptr_t{63});
    in_turn({{0, [&] { EXPECT_EQ(cycles([&] { platform::touch(begin, 128, to_write); }), 6u); }},
             {3, [&] { EXPECT_EQ(cycles([&] { platform::touch(begin, 128, to_write); }), 6u); }}});
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
}

/// A processor whose clock is ahead, because it has worked, takes no line from under the hands of one that comes first.
TEST(touches, that_are_transfers_are_served_in_the_order_of_time) {
  simulate(on(plain_machine()), [] {
    char* const memory = lines_of_memory(1);
    std::uint64_t took[3] = {};
    std::vector<padded<std::uint32_t>> begun(1);
    run_on_each(3, [&](unsigned me) {
      if (me == 0) {
        platform::touch(memory, 8, to_write);
        begun[0].word.store(1, platform::release);
        return;
      }
      platform::spin_until(begun[0].word, [](std::uint32_t now) { return now == 1; }, "the line is written");
      const std::uint64_t work = me == 1 ? 50'000 : 20'000;
      // Nothing between the work and the touch, where others would come first anyway.
      took[me] = cycles([&] {
        platform::charge(work);
        platform::touch(memory, 8, to_write);
      });
      took[me] -= work;
    });
    EXPECT_EQ(took[2], 300u) << "from 0, who has it";
    EXPECT_EQ(took[1], 300u) << "from 2, who came long before";
  });
}

TEST(touches, of_a_new_page_cost_its_first_touch_once) {
  machine_description machine = plain_machine();
  machine.page_touch = 1000;
  for (int run = 0; run < 2; ++run) {
    simulate(on(machine), [] {
      constexpr std::size_t page = 4096;
      auto* const memory = static_cast<char*>(platform::system_allocate(4 * page, page));
      EXPECT_EQ(cycles([&] { platform::touch(memory + 100, 1, to_write); }), 1003u);
      EXPECT_EQ(cycles([&] { platform::touch(memory + 4000, 1, to_read); }), 3u) << "another line of it";
      EXPECT_EQ(cycles([&] { platform::touch(memory + page - 1, 2, to_write); }), 1006u) << "beyond its end";
      auto& word = *new (memory + 2 * page) platform::atomic<std::uint32_t>(0);
      EXPECT_EQ(cycles([&] { word.store(1, platform::relaxed); }), 1004u) << "an atomic lies in a page, too";
      platform::system_release(memory, 4 * page);
      auto* const again = static_cast<char*>(platform::system_allocate(4 * page, page));
      ASSERT_EQ(again, memory);
      EXPECT_EQ(cycles([&] { platform::touch(again, 1, to_write); }), 3u) << "whose the block is, is no matter";
    });
  }
}

TEST(touches, of_pages_are_told_apart_in_all_chunks_of_an_arena) {
  arena tested;
  std::vector<char*> blocks;
  for (int each = 0; each < 40; ++each) blocks.push_back(static_cast<char*>(tested.allocate(std::size_t{1} << 20, 64)));
  for (int run = 0; run < 2; ++run) {
    const std::size_t there = run == 0 ? blocks.size() : 4;  // after a reset only the first chunk is left
    for (std::size_t each = 0; each < there; ++each) {
      EXPECT_TRUE(tested.owns(blocks[each]));
      EXPECT_TRUE(tested.is_first_touch(blocks[each])) << each;
      EXPECT_FALSE(tested.is_first_touch(blocks[each] + 4095));
      EXPECT_TRUE(tested.is_first_touch(blocks[each] + 4096));
    }
    tested.reset();
  }
  const int outside = 0;
  EXPECT_FALSE(tested.owns(&outside));
  EXPECT_FALSE(tested.is_first_touch(&outside));
}

TEST(system_memory, costs_what_the_machine_says) {
  machine_description machine = plain_machine();
  machine.system_allocation = 500;
  machine.system_release = 70;
  simulate(on(machine), [] {
    void* block = nullptr;
    EXPECT_EQ(cycles([&] { block = platform::system_allocate(64); }), 500u);
    EXPECT_EQ(cycles([&] { platform::system_release(block, 64); }), 70u);
    EXPECT_EQ(cycles([&] { platform::system_release(nullptr, 64); }), 0u);
  });
}

TEST(puts_and_gets, cost_what_the_machine_says) {
  machine_description machine = plain_machine();
  machine.put_or_get = 11;
  simulate(on(machine), [] {
    EXPECT_EQ(cycles([] { platform::charge_put(); }), 11u);
    EXPECT_EQ(cycles([] { platform::charge_get(); }), 11u);
  });
}

/// Everything that costs only by virtual time, among accesses that all strategies see.
void use_everything() {
  const auto sum = std::make_unique<padded<std::uint32_t>>();
  const auto memory = lines_of_memory(8);
  run_on_each(4, [&](unsigned me) {
    for (unsigned round = 0; round < 10; ++round) {
      sum->word.fetch_add(1, platform::relaxed);
      platform::touch(memory + 64 * ((me + round) % 8), 100, round % 2 == 0 ? to_write : to_read);
      void* const block = platform::system_allocate(5000);
      platform::touch(block, 5000, to_write);
      platform::charge_put();
      platform::system_release(block, 5000);
      auto& own = *new (platform::system_allocate(64)) platform::atomic<std::uint32_t>(0);
      platform::park_until(own, 0, platform::now_ns() + 30 * me, "a timer");
      platform::progress();
    }
  });
}

machine_description dear_machine() {
  machine_description machine;
  machine.plain_hit = 900;
  machine.put_or_get = machine.system_allocation = machine.system_release = machine.page_touch = 7'000;
  return machine;
}
machine_description free_machine() {
  machine_description machine;
  machine.plain_hit = machine.put_or_get = machine.system_allocation = machine.system_release = machine.page_touch = 0;
  return machine;
}

TEST(private_costs, change_no_schedule_that_is_not_by_virtual_time) {
  for (const strategy each : {strategy::random, strategy::pct, strategy::virtual_time}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      options wanted = with(each, seed);
      wanted.record = true;
      wanted.machine = free_machine();
      const outcome without = simulate(wanted, use_everything);
      wanted.machine = dear_machine();
      const outcome dear = simulate(wanted, use_everything);
      ASSERT_TRUE(dear.ok()) << dear.report;
      ASSERT_EQ(without.hash == dear.hash, each != strategy::virtual_time);
      wanted.strategy = strategy::replay;
      wanted.replay = dear.choices;
      const outcome replayed = simulate(wanted, use_everything);
      ASSERT_EQ(replayed.hash, dear.hash);
      ASSERT_EQ(replayed.choices, dear.choices);
      ASSERT_FALSE(replayed.diverged);
    }
  }
}

TEST(private_costs, are_the_same_whatever_the_heap_looks_like) {
  std::vector<std::unique_ptr<char[]>> noise;
  std::uint64_t first = 0;
  for (std::size_t run = 0; run < 6; ++run) {
    // What is touched on the host's heap lies in other lines each time.
    std::vector<std::unique_ptr<char[]>> plain;
    for (std::size_t each = 0; each < 20; ++each) {
      for (std::size_t more = 0; more <= run * each % 5; ++more) noise.push_back(std::make_unique<char[]>(24));
      plain.push_back(std::make_unique<char[]>(24));
    }
    const outcome ended = simulate({}, [&] {
      auto* const memory = lines_of_memory(4);
      run_on_each(4, [&](unsigned me) {
        for (std::size_t each = 0; each < 20; ++each) {
          platform::touch(plain[each].get(), 24, to_write);
          platform::touch(memory + 64 * (each % 4), 40, (each + me) % 3 == 0 ? to_write : to_read);
        }
      });
    });
    ASSERT_TRUE(ended.ok()) << ended.report;
    if (run == 0) first = ended.hash;
    ASSERT_EQ(ended.hash, first) << "run " << run;
  }
}

TEST(private_costs, of_nothing_leave_everything_as_if_nothing_had_been_declared) {
  static bool declares = false;
  const auto both = [] {
    const auto sum = std::make_unique<padded<std::uint32_t>>();
    const auto memory = lines_of_memory(8);
    run_on_each(4, [&](unsigned me) {
      for (unsigned round = 0; round < 10; ++round) {
        sum->word.fetch_add(1, platform::relaxed);
        if (declares) platform::touch(memory + 64 * ((me + round) % 8), 100, to_write);
        if (declares) platform::charge_get();
      }
    });
  };
  declares = false;
  const outcome without = simulate(on(free_machine()), both);
  declares = true;
  const outcome with_all = simulate(on(free_machine()), both);
  EXPECT_EQ(with_all.hash, without.hash);
  EXPECT_EQ(with_all.time_ns, without.time_ns);
  EXPECT_EQ(with_all.events, without.events);
  EXPECT_NE(simulate({}, both).time_ns, without.time_ns);
}

}  // namespace
}  // namespace TEFF_NAMESPACE::sim
