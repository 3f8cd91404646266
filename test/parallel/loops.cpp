// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// parallel_for: each index once, in parts as they were asked for.
#include "scene.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace TEFF_NAMESPACE::testing_parallel {
namespace {

/// Counts how often each of some numbers came.
class tally {
 public:
  explicit tally(std::size_t numbers) : counts_(numbers) {}
  void add(std::size_t number) { counts_[number].fetch_add(1, platform::relaxed); }
  bool each_once() const {
    return std::all_of(counts_.begin(), counts_.end(), [](const auto& each) { return each.load(platform::relaxed) == 1; });
  }

 private:
  std::vector<platform::atomic<int>> counts_;
};

TEST(loops, reach_each_index_once) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    for (const unsigned size : {1u, 2u, 3u, 100u}) {
      tally all(size);
      parallel_for(here, 0, size, [&](unsigned i) { all.add(i); });
      EXPECT_TRUE(all.each_once()) << size;
    }
  });
  in_a_task_on_64_workers(1, [](context& here) {
    tally all(2'000);
    parallel_for(here, 0, 2'000, [&](int i) { all.add(static_cast<std::size_t>(i)); });
    EXPECT_TRUE(all.each_once());
  });
}

TEST(loops, with_a_grain_reach_each_index_once_in_parts_that_are_no_larger) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    for (const std::uint64_t grain :
         {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{64}, std::numeric_limits<std::uint64_t>::max()}) {
      tally all(60);
      parallel_for(here, 0, 60, [&](context&, int i) { all.add(static_cast<std::size_t>(i)); }, {.grain = grain});
      EXPECT_TRUE(all.each_once()) << grain;
    }
  });
}

TEST(loops, alone_run_in_order) {
  in_a_task({.pool = "dq5", .workers = 1}, 1, [](context& here) {
    std::vector<int> seen, expected(1000);
    std::iota(expected.begin(), expected.end(), 0);
    parallel_for(here, 0, 1000, [&](int i) { seen.push_back(i); });
    EXPECT_EQ(seen, expected);
  });
}

TEST(loops, take_any_integers_and_their_limits) {
  in_a_task({.pool = "dq5", .workers = 2}, few_seeds, [](context& here) {
    using limits = std::numeric_limits<std::int64_t>;
    platform::atomic<std::uint64_t> sum{0}, calls{0};
    const auto add = [&](auto i) {
      sum.fetch_add(static_cast<std::uint64_t>(i), platform::relaxed);
      calls.fetch_add(1, platform::relaxed);
    };
    parallel_for(here, -3, 4, add);
    parallel_for(here, limits::max() - 2, limits::max(), add);
    parallel_for(here, limits::min(), limits::min() + 2, add);
    EXPECT_EQ(calls.load(platform::relaxed), 11u);
    EXPECT_EQ(sum.load(platform::relaxed),
              static_cast<std::uint64_t>(limits::max() - 2) + static_cast<std::uint64_t>(limits::max() - 1) +
                  static_cast<std::uint64_t>(limits::min()) + static_cast<std::uint64_t>(limits::min() + 1));
    parallel_for(here, 5, 5, add);
    parallel_for(here, 5, 4, add);
    parallel_for(here, 0, std::size_t{0}, add);
    parallel_for(here, std::vector<int>(), add);
    EXPECT_EQ(calls.load(platform::relaxed), 11u);
    EXPECT_NE(sentence_of([&] { parallel_for(here, -1, std::size_t{4}, [](std::size_t) {}); }).find("below 0"),
              std::string::npos);
  });
}

TEST(loops, reach_the_elements_of_a_range) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    std::deque<int> numbers(70, 1);
    parallel_for(here, numbers, [](int& each) { ++each; });
    parallel_for(numbers, [](context&, int& each) { ++each; }, {.grain = 10});
    EXPECT_EQ(std::accumulate(numbers.begin(), numbers.end(), 0), 3 * 70);
    int array[5] = {};
    parallel_for(here, array, [](int& each) { each = 1; });
    EXPECT_EQ(std::accumulate(std::begin(array), std::end(array), 0), 5);
  });
}

TEST(loops, refuse_a_grain_of_0) {
  in_a_task({.pool = "dq5", .workers = 1}, 1, [](context& here) {
    const std::string expected = "the grain of a loop or reduction cannot be 0; allowed: 1 and more, or none at all";
    EXPECT_EQ(sentence_of([&] { parallel_for(here, 0, 10, [](int) {}, {.grain = 0}); }), expected);
    EXPECT_EQ(sentence_of([&] { parallel_for(here, 0, 0, [](int) {}, {.grain = 0}); }), expected);
  });
}

TEST(loops, hand_on_an_exception_when_all_that_had_begun_has_ended) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    for (const auto grain : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(3)}) {
      platform::atomic<int> inside{0};
      EXPECT_THROW(parallel_for(here, 0, 80,
                                [&](int i) {
                                  inside.fetch_add(1, platform::relaxed);
                                  if (i == 41) {
                                    inside.fetch_sub(1, platform::relaxed);
                                    throw std::runtime_error("planted");
                                  }
                                  this_task::charge(20);
                                  inside.fetch_sub(1, platform::relaxed);
                                },
                                {.grain = grain}),
                   std::runtime_error);
      EXPECT_EQ(inside.load(platform::relaxed), 0);
    }
  });
}

TEST(loops, inside_of_loops_and_with_bodies_that_wait) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    tally all(12 * 12);
    teff::mutex contended;
    parallel_for(here, 0u, 12u, [&](context& own, unsigned i) {
      contended.lock();
      contended.unlock();
      parallel_for(own, 0u, 12u, [&](context& inner, unsigned j) {
        task_group group;
        group.put(inner, [&] { all.add(12 * i + j); });
        group.wait(inner);
      });
    });
    EXPECT_TRUE(all.each_once());
  });
}

#ifdef TEFF_SIMULATED
TEST(loops, are_divided_further_while_others_are_hungry) {
  // The last 1/64 of the iterations takes nearly all the time: only who divides below that has anything to give away.
  const sim::outcome outcome = sim::simulate({}, [] {
    constexpr unsigned size = 640, long_ones = 10, count = 4;
    team on({.pool = "dq5", .workers = count});
    std::vector<unsigned> ran_by(size);
    on.init([&](context& here) {
      parallel_for(here, 0u, size, [&](context& own, unsigned i) {
        if (i >= size - long_ones) this_task::charge(2'000'000);
        ran_by[i] = own.worker_id();
      });
    });
    on.run();
    for (unsigned worker = 0; worker < count; ++worker) {
      EXPECT_GE(std::count(ran_by.end() - long_ones, ran_by.end(), worker), 1) << "worker " << worker;
    }
  });
  EXPECT_TRUE(outcome.ok()) << outcome.report;
}

/// Returns: how many tasks a loop made that was called with real constants, and, of a number of iterations at its end, how many
/// the worker ran that ran most of them.
struct made_by_loop {
  std::uint64_t tasks;
  long most_of_last;
};
template <class Call>
made_by_loop run_with_real_constants(unsigned workers, unsigned size, unsigned last, Call call) {
  tuning::small = false;
  std::vector<unsigned> ran_by(size);
  made_by_loop made{};
  const sim::outcome outcome = sim::simulate({}, [&] {
    team on({.pool = "dq5", .workers = workers});
    on.init([&](context& here) { call(here, [&ran_by](context& own, unsigned i) { ran_by[i] = own.worker_id(); }); });
    on.run();
    made.tasks = on.stats().value("tasks_run");
  });
  tuning::small = true;
  EXPECT_TRUE(outcome.ok()) << outcome.report;
  for (unsigned worker = 0; worker < workers; ++worker)
    made.most_of_last = std::max(made.most_of_last, static_cast<long>(std::count(ran_by.end() - last, ran_by.end(), worker)));
  return made;
}

// 33 ns each: to hand one on takes longer.
TEST(loops, hand_on_no_part_that_is_brief) {
  constexpr unsigned side = 32, size = side * side;
  const made_by_loop in_line = run_with_real_constants(8, size, 1, [](context& here, auto note) {
    parallel_for(here, 0u, size, [&](context& own, unsigned i) {
      note(own, i);
      this_task::charge(100);
    });
  });
  EXPECT_GE(in_line.tasks, 16u) << "each worker is to have something";
  EXPECT_LE(in_line.tasks, 100u);
  const made_by_loop in_blocks = run_with_real_constants(8, size, 1, [](context& here, auto note) {
    parallel_for(here, blocked_range({side, side}), [&](context& own, unsigned i, unsigned j) {
      note(own, i * side + j);
      this_task::charge(100);
    });
  });
  EXPECT_GE(in_blocks.tasks, 16u);
  EXPECT_LE(in_blocks.tasks, 100u);
}

// A grain is the user's: what has more points is offered, however brief it is.
TEST(loops, with_a_grain_hand_on_what_is_brief) {
  constexpr unsigned side = 32, size = side * side;
  const made_by_loop in_line = run_with_real_constants(8, size, 1, [](context& here, auto note) {
    parallel_for(here, 0u, size, [&](context& own, unsigned i) { this_task::charge(100), note(own, i); }, {.grain = 1});
  });
  EXPECT_GE(in_line.tasks, 200u);
  const made_by_loop in_blocks = run_with_real_constants(8, size, 1, [](context& here, auto note) {
    parallel_for(here, blocked_range({side, side}),
                 [&](context& own, unsigned i, unsigned j) { this_task::charge(100), note(own, i * side + j); }, {.grain = 1});
  });
  EXPECT_GE(in_blocks.tasks, 200u);
}

// Short iterations make all that is behind them seem to be brief.
TEST(loops, divide_long_iterations_behind_short_ones) {
  constexpr unsigned side = 64, size = side * side, last = 12;
  const made_by_loop in_line = run_with_real_constants(4, size, last, [](context& here, auto note) {
    parallel_for(here, 0u, size, [&](context& own, unsigned i) {
      note(own, i);
      this_task::charge(i >= size - last ? 2'000'000 : 20);
    });
  });
  EXPECT_LE(in_line.most_of_last, 5);
  const made_by_loop in_blocks = run_with_real_constants(4, size, last, [](context& here, auto note) {
    parallel_for(here, blocked_range({side, side}), [&](context& own, unsigned i, unsigned j) {
      note(own, i * side + j);
      this_task::charge(i * side + j >= size - last ? 2'000'000 : 20);
    });
  });
  EXPECT_LE(in_blocks.most_of_last, 5);
}

// What a loop has touched lies in the caches of the workers that did it: the next one is to be divided alike.
TEST(loops, leave_their_caller_on_its_worker) {
  const real_constants in_scope;
  constexpr int loops = 200;
  int moves = 0;
  const sim::outcome outcome = sim::simulate({}, [&moves] {
    team on({.workers = 2});
    on.init([&](context& here) {
      for (int loop = 0; loop < loops; ++loop) {
        const unsigned before = here.worker_id();
        parallel_for(here, 0, 1'000, [](int i) { this_task::charge(i == 999 ? 20'000 : 100); });
        if (here.worker_id() != before) ++moves;
      }
    });
    on.run();
    EXPECT_GE(on.stats().value("suspensions"), std::uint64_t{loops / 4}) << "the caller has to wait, or this shows nothing";
  });
  EXPECT_TRUE(outcome.ok()) << outcome.report;
  EXPECT_LE(moves, loops / 20);
}
#endif

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_parallel
