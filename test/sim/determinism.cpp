// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The same options give the same run, to the last event.
#include "helpers.h"

#include <cstdlib>
#include <memory>
#include <optional>
#include <set>

namespace TEFF_NAMESPACE::sim {
namespace {

/// What threads do with each other, all at once: locks that park, timers, spinning, memory, wake-ups, time.
void do_everything() {
  struct shared_state {
    platform::lock guard;
    alignas(cache_line_bytes) platform::atomic<std::uint32_t> turn{0};
    alignas(cache_line_bytes) platform::atomic<std::uint64_t> sum{0};
    std::uint64_t plain = 0;
  };
  const auto shared = std::make_unique<shared_state>();
  constexpr unsigned processors = 5;
  run_on_each(processors, [&](unsigned me) {
    for (unsigned round = 0; round < 8; ++round) {
      {
        platform::lock_guard guard(shared->guard);
        ++shared->plain;
        platform::charge(shared->plain * 7 % 90);
      }
      void* const block = platform::system_allocate(24 + 40 * me);
      auto& word = *new (block) platform::atomic<std::uint32_t>(0);
      shared->sum.fetch_add(word.exchange(1, platform::relaxed), platform::relaxed);
      platform::park_until(word, 1, platform::now_ns() + 100 * me, "a timer");
      platform::system_release(block, 24 + 40 * me);
      platform::spin_until(shared->turn, [&](std::uint32_t turn) { return turn % processors == me; }, "its turn");
      shared->turn.fetch_add(1, platform::acq_rel);
      platform::wake_all(shared->turn);
      platform::progress();
    }
  });
  EXPECT_EQ(shared->plain, processors * 8);
}

/// Leaves holes of many sizes in the heap for as long as it lives, so that the next run gets other addresses.
class heap_noise {
 public:
  explicit heap_noise(std::uint64_t seed) {
    platform::random draw(seed);
    for (int i = 0; i < 500; ++i) kept_.push_back(std::make_unique<char[]>(1 + draw.below(500)));
    for (std::size_t i = 0; i < kept_.size(); i += 1 + draw.below(3)) kept_[i].reset();
  }

 private:
  std::vector<std::unique_ptr<char[]>> kept_;
};

class determinism : public testing::TestWithParam<strategy> {};

TEST_P(determinism, the_same_seed_gives_the_same_run_whatever_the_heap_looks_like) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const outcome first = simulate(with(GetParam(), seed), do_everything);
    ASSERT_TRUE(first.ok()) << first.report;
    for (std::uint64_t again = 0; again < 3; ++again) {
      const heap_noise noise(seed * 3 + again);
      const outcome second = simulate(with(GetParam(), seed), do_everything);
      ASSERT_EQ(first.hash, second.hash) << "seed " << seed;
      ASSERT_EQ(first.events, second.events);
      ASSERT_EQ(first.time_ns, second.time_ns);
    }
  }
}

TEST_P(determinism, different_seeds_give_different_runs) {
  std::set<std::uint64_t> hashes;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    options wanted = with(GetParam(), seed);
    wanted.machine.access_jitter = 20;
    hashes.insert(simulate(wanted, do_everything).hash);
  }
  EXPECT_EQ(hashes.size(), 50u);
}

TEST_P(determinism, recorded_choices_replay_the_run) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    options wanted = with(GetParam(), seed);
    wanted.machine.access_jitter = 20;
    wanted.record = true;
    const outcome recorded = simulate(wanted, do_everything);
    wanted.strategy = strategy::replay;
    wanted.replay = recorded.choices;
    const outcome replayed = simulate(wanted, do_everything);
    ASSERT_FALSE(replayed.diverged) << "seed " << seed;
    ASSERT_EQ(recorded.hash, replayed.hash) << "seed " << seed;
    ASSERT_EQ(recorded.choices, replayed.choices);
  }
}

INSTANTIATE_TEST_SUITE_P(of, determinism, testing::Values(strategy::virtual_time, strategy::random, strategy::pct));

TEST(replay, says_if_the_choices_belong_to_another_program) {
  options wanted = with(strategy::replay, 1);
  wanted.replay.assign(100, 77);
  const outcome replayed = simulate(wanted, do_everything);
  EXPECT_TRUE(replayed.ok()) << replayed.report;
  EXPECT_TRUE(replayed.diverged);
}

TEST(replay, goes_on_by_virtual_time_when_the_choices_end) {
  const outcome by_time = simulate(with(strategy::virtual_time, 1), do_everything);
  EXPECT_EQ(simulate(with(strategy::replay, 1), do_everything).hash, by_time.hash);
}

TEST(determinism, does_not_depend_on_whether_the_heap_gives_out_an_address_twice) {
  const auto hash_of_run = [](bool twice) {
    constexpr unsigned rounds = 20;
    std::vector<std::optional<padded<std::uint32_t>>> heap(rounds);
    return simulate({},
                    [&] {
                      for (unsigned i = 0; i < rounds; ++i) {
                        auto& shared = heap[twice ? 0 : i].emplace();
                        run_on_each(3, [&](unsigned) { shared.word.fetch_add(1, platform::relaxed); });
                      }
                    })
        .hash;
  };
  EXPECT_EQ(hash_of_run(true), hash_of_run(false));
}

TEST(determinism, holds_across_processes_and_compilers) {
  // Found by running it. A change of these numbers says that the simulated times or schedules of programs changed: mean it.
  options by_time = with(strategy::virtual_time, 1);
  by_time.machine.system_allocation = 40;
  by_time.machine.system_release = 20;
  by_time.machine.page_touch = 1'500;
  EXPECT_EQ(simulate(by_time, do_everything).hash, 13043726941698195578u);
  // As before the system's memory cost anything.
  by_time.machine.system_allocation = by_time.machine.system_release = by_time.machine.page_touch = 0;
  EXPECT_EQ(simulate(by_time, do_everything).hash, 9764477989854028076u);
  EXPECT_EQ(simulate(with(strategy::random, 1), do_everything).hash, 14129934262217559975u);
  EXPECT_EQ(simulate(with(strategy::pct, 1), do_everything).hash, 4267935160760926653u);
}

}  // namespace
}  // namespace TEFF_NAMESPACE::sim
