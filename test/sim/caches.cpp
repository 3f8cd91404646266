// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the program's memory costs where a machine states how large its caches are, and that it costs nothing elsewhere.
#include "sim/caches.h"

#include "helpers.h"
#include "sim/machines.h"

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <utility>

namespace TEFF_NAMESPACE::sim {
namespace {

using platform::to_read;
using platform::to_write;

/// Two domains of two processors; an own cache has two blocks, a domain's eight. No cost is a sum of others.
machine_description with_caches() {
  machine_description machine;
  machine.cycles_per_ns = 1;
  machine.plain_hit = 3;
  machine.level[0] = {2, 75, sharing(platform::level::cache), 200};
  machine.level[1] = {4, 301, 0, 350};
  machine.own_cache_kib = 1;
  machine.domain_cache_kib = 4;
  machine.domain_hit = 41;
  machine.domain_next_line = 5;
  machine.memory_next_line = 9;
  machine.memory_occupancy = 0;
  machine.put_or_get = machine.clock_read = machine.thread_start = machine.wake_latency = 0;
  return machine;
}

class cache_costs : public testing::Test {
 protected:
  void SetUp() override { model.reset(machine, 4); }

  /// Returns: what an access of lines of a block takes, which begins when nothing else goes on.
  std::uint64_t access(unsigned by, std::size_t block, bool writes, unsigned lines = 1) {
    const place at = place_in(machine, by, machine.processors());
    const block_number number = model.touch(memory + block * bytes_of_block);
    if (model.hit(number, writes, at)) return 0;
    clock += 1'000'000;
    return model.serve(number, writes, lines, at, clock, from) - clock;
  }
  std::uint64_t read(unsigned by, std::size_t block, unsigned lines = 1) { return access(by, block, false, lines); }
  std::uint64_t write(unsigned by, std::size_t block, unsigned lines = 1) { return access(by, block, true, lines); }

  machine_description machine = with_caches();
  caches model;
  alignas(bytes_of_block) std::byte memory[64 * bytes_of_block];
  std::uint64_t clock = 0;
  line_origins from;
};

TEST_F(cache_costs, are_those_of_where_a_block_is) {
  EXPECT_EQ(write(0, 0), 200u) << "nobody has it: from the memory beside who touches it first";
  EXPECT_EQ(write(0, 0), 0u) << "its own cache has it";
  EXPECT_EQ(read(1, 0), 75u) << "what 0 wrote is in its cache alone";
  EXPECT_EQ(read(1, 0), 0u);
  EXPECT_EQ(read(2, 0), 301u) << "a cache of the other domain is nearer than its memory";
  EXPECT_EQ(read(3, 0), 41u) << "the domain's cache has it by now";
  EXPECT_EQ(write(3, 0), 301u) << "0 and 1 have it still";
  EXPECT_EQ(write(3, 0), 0u);
  EXPECT_EQ(read(0, 0), 301u) << "3 took it away";
}

TEST_F(cache_costs, of_what_no_cache_has_are_those_of_the_memory_where_it_is_at_home) {
  read(0, 0);
  for (std::size_t i = 1; i <= 8; ++i) read(0, i);  // eight blocks: the domain's cache has room for no more
  EXPECT_EQ(read(2, 0), 350u) << "at home beside 0";
  for (std::size_t i = 9; i <= 16; ++i) read(2, i);
  EXPECT_EQ(read(0, 0), 200u);
  EXPECT_EQ(read(0, 16), 301u) << "of two others' caches and a memory the cache is the nearest";
}

TEST_F(cache_costs, follow_the_capacities) {
  read(0, 0);
  read(0, 1);
  EXPECT_EQ(read(0, 0), 0u);
  read(0, 2);
  EXPECT_EQ(read(0, 0), 0u) << "1 was used longest ago";
  EXPECT_EQ(read(0, 1), 41u) << "and the domain's cache has it still";
  EXPECT_EQ(read(0, 2), 41u);
}

TEST_F(cache_costs, keep_what_was_written_when_a_cache_makes_room) {
  write(0, 0);
  read(0, 1);
  read(0, 2);  // 0's own cache has 0 no more
  EXPECT_EQ(read(1, 0), 41u) << "the domain's cache has what was written";
  write(0, 3);
  EXPECT_EQ(read(2, 3), 301u) << "memory is out of date, and would be no nearer";
}

TEST_F(cache_costs, of_memory_that_is_nearer_than_the_only_cache_are_the_memorys) {
  machine.level[1].transfer = 350;
  machine.level[0].transfer = 250;
  machine.domain_cache_kib = 0;  // each processor has its own caches alone
  machine.level[0].shares = 0;
  model.reset(machine, 4);
  read(0, 0);
  EXPECT_EQ(read(1, 0), 200u) << "the other processor's cache would take 250";
  write(0, 1);
  EXPECT_EQ(read(1, 1), 250u) << "memory is out of date";
  EXPECT_EQ(from.domain + from.others, 1u);
}

TEST_F(cache_costs, of_a_domain_of_several_cores_are_the_same_for_each_of_them) {
  machine.levels = 3;
  machine.level[2] = {8, 301, 0, 350};
  machine.level[1] = {4, 75, sharing(platform::level::cache), 200};
  machine.level[0] = {2, 20, sharing(platform::level::core), 200};
  model.reset(machine, 8);
  write(3, 0);
  EXPECT_EQ(read(1, 0), 75u) << "the cache of another core, though the domain is numbered by this one's first processor";
  write(3, 1);
  EXPECT_EQ(read(2, 1), 20u);
  EXPECT_EQ(write(2, 1), 20u) << "from the other processor of its core alone";
}

TEST_F(cache_costs, of_further_lines_are_less) {
  EXPECT_EQ(read(0, 0, 8), 200u + 7 * 9);
  EXPECT_EQ(read(1, 0, 8), 41u + 7 * 5);
  EXPECT_EQ(read(2, 0, 3), 301u + 2 * 9);
  EXPECT_EQ(write(2, 0, 3), 301u + 2 * 9) << "copies are taken away while they are on their way";
}

TEST_F(cache_costs, are_counted_by_where_lines_come_from) {
  read(0, 0, 8);
  read(1, 0, 4);
  read(2, 0, 2);
  for (std::size_t i = 1; i <= 8; ++i) {
    read(0, i);
    read(1, i);
    read(2, i + 8);
  }
  from = {};
  read(2, 0, 7);
  EXPECT_EQ(from.memory, 7u) << "no cache has it any more";
  EXPECT_EQ(from.far_memory, 7u);
  read(0, 16, 6);
  EXPECT_EQ(from.others, 6u);
  read(1, 6, 5);
  EXPECT_EQ(from.domain, 5u);
  read(3, 20, 3);
  EXPECT_EQ(from.memory, 10u);
  EXPECT_EQ(from.far_memory, 7u) << "the nearest memory";
}

TEST_F(cache_costs, of_a_memory_that_is_busy_begin_later) {
  machine.memory_occupancy = 50;
  model.reset(machine, 4);
  const auto serve = [&](unsigned by, std::size_t block, unsigned lines) {
    const block_number number = model.touch(memory + block * bytes_of_block);
    return model.serve(number, false, lines, place_in(machine, by, 4), 1'000, from);
  };
  EXPECT_EQ(serve(0, 0, 2), 1'209u);
  EXPECT_EQ(serve(1, 1, 1), 1'300u) << "behind two lines of 0";
  EXPECT_EQ(serve(2, 2, 1), 1'200u) << "another memory";
  EXPECT_EQ(serve(0, 3, 1), 1'350u) << "behind those, and not behind their way";
}

TEST_F(cache_costs, begin_anew_for_memory_that_was_given_back) {
  write(0, 0);
  write(0, 1);
  model.forget(memory, bytes_of_block);
  EXPECT_EQ(write(2, 0), 200u) << "another block, at home beside 2";
  EXPECT_EQ(write(0, 1), 0u) << "only what was given back";
  model.forget(memory + 40 * bytes_of_block, bytes_of_block);  // which nobody touched
  write(0, 2);
  model.forget(memory + 2 * bytes_of_block + 8, 0);
  EXPECT_EQ(write(0, 2), 0u) << "nothing was given back";
}

/// As the caches are meant, by lists of what each one has.
class plain_caches {
 public:
  explicit plain_caches(std::size_t blocks) : room_(blocks) {}
  bool has(std::size_t block) const { return std::find(kept_.begin(), kept_.end(), block) != kept_.end(); }
  void use(std::size_t block) {
    kept_.remove(block);
    kept_.push_front(block);
    if (kept_.size() > room_) kept_.pop_back();
  }
  void remove(std::size_t block) { kept_.remove(block); }

 private:
  std::size_t room_;
  std::list<std::size_t> kept_;
};

/// Caches of one set each are exact: whether an access is a hit is what lists say, over many accesses by all.
TEST_F(cache_costs, are_hits_exactly_where_plain_lists_have_the_block) {
  machine.own_cache_kib = 4;
  machine.domain_cache_kib = 8;
  machine.level[1].transfer = 150;  // nearer than any memory
  model.reset(machine, 4);
  std::vector<plain_caches> own(4, plain_caches(8)), domains(2, plain_caches(16));
  platform::random draw(3);
  for (int step = 0; step < 50'000; ++step) {
    const unsigned by = draw.below(4), domain = by / 2;
    const std::size_t block = draw.below(40);
    const bool writes = draw.below(4) == 0;
    bool others = own[by ^ 1].has(block) || domains[1 - domain].has(block);
    for (unsigned far = 0; far < 2; ++far) others |= own[(1 - domain) * 2 + far].has(block);
    const bool hit = own[by].has(block) && !(writes && others);
    const line_origins before = from;
    const std::uint64_t cost = access(by, block, writes);
    ASSERT_EQ(cost == 0, hit) << "step " << step;
    if (!own[by].has(block)) {
      const bool cached = domains[domain].has(block) || others;
      ASSERT_EQ(from.memory - before.memory, cached ? 0u : 1u) << "step " << step;
      ASSERT_EQ(from.domain + from.others - before.domain - before.others, cached ? 1u : 0u) << "step " << step;
    }
    // A hit of the own cache is none of the domain's; what comes from elsewhere is kept in both, or was there already.
    if (!own[by].has(block)) domains[domain].use(block);
    own[by].use(block);
    if (!writes) continue;
    for (unsigned each = 0; each < 4; ++each) {
      if (each != by) own[each].remove(block);
    }
    domains[1 - domain].remove(block);
  }
}

options four_on(const machine_description& machine) {
  options wanted;
  wanted.processors_at_most = 4;
  wanted.machine = machine;
  return wanted;
}

std::uint64_t time_of(const std::function<void()>& work) {
  const std::uint64_t before = platform::now_ns();
  work();
  return platform::now_ns() - before;
}

TEST(touches_of_programs, cost_blocks_and_lines) {
  alignas(bytes_of_block) static std::byte memory[4 * bytes_of_block];
  const outcome ended = simulate(four_on(with_caches()), [] {
    EXPECT_EQ(time_of([] { platform::touch_program(memory, 0, to_write); }), 0u) << "of no bytes";
    EXPECT_EQ(time_of([] { platform::touch_program(memory + 60, 4, to_write); }), 200u) << "up to the end of a line";
    EXPECT_EQ(time_of([] { platform::touch_program(memory + 60, 5, to_write); }), 6u) << "two lines, and the block is there";
    EXPECT_EQ(time_of([] { platform::touch_program(memory + 448, 65, to_read); }), 3u + 200)
        << "the end of one block, the begin of one";
    const line_origins from = platform::touch_program(memory, 2 * bytes_of_block, to_read);
    EXPECT_EQ(from.own, 16u);
    EXPECT_EQ(from.memory, 0u);
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
}

/// Threads that touch much of the same memory, whatever the host has around it.
outcome run_of_touches(const machine_description& machine, std::byte* memory, std::uint64_t variation = 0) {
  options wanted = four_on(machine);
  wanted.variation = variation;
  return simulate(wanted, [memory] {
    run_on_each(4, [memory](unsigned me) {
      for (unsigned round = 0; round < 50; ++round) {
        platform::touch_program(memory + (me + round) % 7 * bytes_of_block * 3, 2'000, round % 3 == 0 ? to_write : to_read);
        platform::charge(17 * me);
      }
    });
  });
}

TEST(touches_of_programs, of_memory_that_begins_at_a_block_are_the_same_wherever_it_lies) {
  std::vector<std::byte> host(64 * bytes_of_block);
  auto* const begin =
      reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(host.data()) / bytes_of_block + 1) * bytes_of_block);
  const outcome first = run_of_touches(with_caches(), begin), second = run_of_touches(with_caches(), begin + 5 * bytes_of_block);
  ASSERT_TRUE(first.ok()) << first.report;
  EXPECT_EQ(first.hash, second.hash);
  EXPECT_EQ(first.time_ns, second.time_ns);
  EXPECT_NE(first.hash, run_of_touches(with_caches(), begin, 3).hash) << "costs vary";
}

TEST(touches_of_programs, are_nothing_where_no_capacity_is_stated) {
  alignas(bytes_of_block) static std::byte memory[32 * bytes_of_block];
  machine_description without = with_caches();
  without.own_cache_kib = 0;
  const outcome ended = run_of_touches(without, memory);
  std::uint64_t charged = 0;
  for (unsigned round = 0; round < 50; ++round) charged += 17 * 3;
  EXPECT_EQ(ended.time_ns, charged) << "the last one's charges";
  platform::touch_program(memory, 100, to_write);  // outside of all simulations
  platform::forget_program(memory, 100);
  options at_random = with(strategy::random, 1);
  at_random.machine = with_caches();
  at_random.processors_at_most = 4;
  EXPECT_EQ(simulate(at_random, [] { platform::touch_program(memory, 100, to_write); }).time_ns, 0u);
}

TEST(touches_of_programs, of_much_memory_are_no_livelock) {
  std::vector<std::byte> much(1'000 * bytes_of_block);
  options wanted = four_on(with_caches());
  wanted.steps_without_progress_at_most = 2'000;
  const outcome ended = simulate(wanted, [&] {
    for (int round = 0; round < 3; ++round) platform::touch_program(much.data(), much.size(), to_read);
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
}

}  // namespace
}  // namespace TEFF_NAMESPACE::sim
