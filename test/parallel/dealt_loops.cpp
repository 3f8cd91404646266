// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops that are dealt out by iterations, in even parts, or from a queue.
#include "scene.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <stop_token>
#include <vector>

namespace TEFF_NAMESPACE::testing_parallel {
namespace {

constexpr loop_by ways[] = {loop_by::each, loop_by::even, loop_by::queue};

/// How often each of some numbers came.
class dealt_tally {
 public:
  explicit dealt_tally(std::size_t numbers) : counts_(numbers) {}
  void add(std::size_t number) { counts_[number].fetch_add(1, platform::relaxed); }
  bool each_once() const {
    return std::all_of(counts_.begin(), counts_.end(), [](const auto& each) { return each.load(platform::relaxed) == 1; });
  }
  unsigned sum() const {
    return std::accumulate(counts_.begin(), counts_.end(), 0u,
                           [](unsigned sum, const auto& each) { return sum + each.load(platform::relaxed); });
  }

 private:
  std::vector<platform::atomic<unsigned>> counts_;
};

TEST(dealt_loops, reach_each_index_once) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    for (const loop_by by : ways) {
      for (const unsigned size : {1u, 2u, 3u, 40u}) {
        dealt_tally all(size);
        parallel_for(here, 0u, size, [&](unsigned i) { all.add(i); }, {.by = by});
        EXPECT_TRUE(all.each_once()) << size << " by " << static_cast<int>(by);
      }
      dealt_tally points(4 * 6);
      parallel_for(here, blocked_range({4u, 6u}), [&](context&, unsigned i, unsigned j) { points.add(6 * i + j); }, {.by = by});
      EXPECT_TRUE(points.each_once()) << "points by " << static_cast<int>(by);
      parallel_for(here, 7, 7, [](int) { FAIL(); }, {.by = by});
    }
  });
  in_a_task_on_64_workers(1, [](context& here) {
    for (const loop_by by : ways) {
      dealt_tally all(300);
      parallel_for(here, 0u, 300u, [&](unsigned i) { all.add(i); }, {.by = by});
      EXPECT_TRUE(all.each_once());
    }
  });
}

/// Returns: tasks that a loop makes.
std::uint64_t tasks_of_loop(const std::string& pool, unsigned workers, unsigned size, const loop_options& options) {
  std::uint64_t tasks = 0;
  testing_sync::on_random_schedules(workers + 4, 1, [&] {
    team on({.pool = pool, .workers = workers});
    on.init([&](context& here) { parallel_for(here, 0u, size, [](unsigned) {}, options); });
    on.run();
    const auto by_worker = on.stats().tasks_by_worker;
    tasks = std::accumulate(by_worker.begin(), by_worker.end(), std::uint64_t{0}) - 1;
  });
  return tasks;
}

TEST(dealt_loops, have_as_many_tasks_as_is_said) {
  for (const std::string& pool : pool_names()) {
    for (const unsigned workers : {1u, 3u, 8u}) {
      SCOPED_TRACE(pool + " on " + std::to_string(workers));
      EXPECT_EQ(tasks_of_loop(pool, workers, 100, {.by = loop_by::each}), 100u);
      EXPECT_EQ(tasks_of_loop(pool, workers, 100, {.grain = 7, .by = loop_by::each}), 15u);
      EXPECT_EQ(tasks_of_loop(pool, workers, 100, {.by = loop_by::even}), workers);
      EXPECT_EQ(tasks_of_loop(pool, workers, 2, {.by = loop_by::even}), std::min(workers, 2u));
      EXPECT_EQ(tasks_of_loop(pool, workers, 100, {.by = loop_by::queue}), workers);
    }
  }
}

/// Returns: how long the parts of a loop are, the longest first. Parts are seen where a body gets blocks of slices.
std::vector<std::uint64_t> parts_of_loop(unsigned workers, unsigned size, const loop_options& options) {
  std::vector<std::uint64_t> parts;
  in_a_task({.pool = "dq5", .workers = workers}, 1, [&](context& here) {
    teff::mutex free;
    parallel_for(
        here, blocked_range({size, 1u}),
        [&](const blocked_range<unsigned, 2>& part) {
          free.lock();
          parts.push_back(part.size(0));
          free.unlock();
        },
        options);
  });
  std::sort(parts.begin(), parts.end(), std::greater<>());
  return parts;
}

TEST(dealt_loops, even_parts_differ_by_one_at_the_most) {
  EXPECT_EQ(parts_of_loop(4, 10, {.by = loop_by::even}), (std::vector<std::uint64_t>{3, 3, 2, 2}));
  EXPECT_EQ(parts_of_loop(3, 9, {.by = loop_by::even}), (std::vector<std::uint64_t>{3, 3, 3}));
  EXPECT_EQ(parts_of_loop(8, 3, {.by = loop_by::even}), (std::vector<std::uint64_t>{1, 1, 1}));
}

TEST(dealt_loops, each_taker_gets_its_share_of_what_is_left) {
  EXPECT_EQ(parts_of_loop(4, 100, {.by = loop_by::queue}),
            (std::vector<std::uint64_t>{25, 19, 14, 11, 8, 6, 5, 3, 3, 2, 1, 1, 1, 1}));
  EXPECT_EQ(parts_of_loop(4, 100, {.grain = 10, .by = loop_by::queue}),
            (std::vector<std::uint64_t>{25, 19, 14, 11, 10, 10, 10, 1}));
  EXPECT_EQ(parts_of_loop(1, 100, {.by = loop_by::queue}), (std::vector<std::uint64_t>{100}));
}

TEST(dealt_loops, by_iterations_have_parts_of_the_grain) {
  EXPECT_EQ(parts_of_loop(3, 5, {.by = loop_by::each}), (std::vector<std::uint64_t>{1, 1, 1, 1, 1}));
}

TEST(dealt_loops, hand_on_an_exception_and_leave_out_what_had_not_begun) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    for (const loop_by by : ways) {
      platform::atomic<int> inside{0};
      EXPECT_THROW(parallel_for(here, 0, 60,
                                [&](int i) {
                                  inside.fetch_add(1, platform::relaxed);
                                  if (i == 21) {
                                    inside.fetch_sub(1, platform::relaxed);
                                    throw std::runtime_error("planted");
                                  }
                                  this_task::charge(20);
                                  inside.fetch_sub(1, platform::relaxed);
                                },
                                {.by = by}),
                   std::runtime_error);
      EXPECT_EQ(inside.load(platform::relaxed), 0);
    }
  });
  in_a_task({.pool = "sq4", .workers = 1}, 1, [](context& here) {
    for (const loop_by by : ways) {
      dealt_tally all(50);
      const auto fail = [&](int i) {
        all.add(static_cast<std::size_t>(i));
        throw std::runtime_error("planted");
      };
      EXPECT_THROW(parallel_for(here, 0, 50, fail, {.by = by}), std::runtime_error);
      EXPECT_EQ(all.sum(), 1u) << "one worker: the first one throws, and no other begins";
    }
  });
}

#ifdef TEFF_SIMULATED
TEST(dealt_loops, from_a_queue_nothing_is_taken_after_an_exception) {
  in_a_task({.pool = "dq5", .workers = 2}, few_seeds, [](context& here) {
    dealt_tally all(100);
    const auto body = [&](unsigned i) {
      all.add(i);
      this_task::charge(i == 0 ? 100'000 : 50'000);
      if (i == 0) throw std::runtime_error("planted");
    };
    EXPECT_THROW(parallel_for(here, 0u, 100u, body, {.by = loop_by::queue}), std::runtime_error);
    EXPECT_LE(all.sum(), 1u + 25u) << "who had taken a quarter may end it";
  });
}
#endif

TEST(dealt_loops, end_when_they_are_stopped) {
  in_a_task({.pool = "teff", .workers = 1}, 1, [](context& here) {
    for (const loop_by by : ways) {
      std::stop_source stop;
      dealt_tally all(100);
      const auto body = [&](unsigned i) {
        all.add(i);
        if (all.sum() == 5) stop.request_stop();
      };
      parallel_for(here, 0u, 100u, body, {.stop = stop, .by = by});
      EXPECT_EQ(all.sum(), 5u) << static_cast<int>(by);
    }
  });
}

TEST(dealt_loops, over_points_end_when_they_are_stopped) {
  in_a_task({.pool = "teff", .workers = 1}, 1, [](context& here) {
    for (const loop_by by : ways) {
      std::stop_source stop;
      dealt_tally all(5 * 20), boxes(2 * 3 * 20);
      const auto body = [&](unsigned i, unsigned j) {
        all.add(20 * i + j);
        if (all.sum() == 5) stop.request_stop();
      };
      parallel_for(here, blocked_range({5u, 20u}), body, {.stop = stop, .by = by});
      EXPECT_EQ(all.sum(), 5u) << static_cast<int>(by);
      const std::stop_source never;
      const auto count = [&](unsigned i, unsigned j, unsigned k) { boxes.add(i + 2 * j + 6 * k); };
      parallel_for(here, blocked_range({2u, 3u, 20u}), count, {.stop = never, .by = by});
      EXPECT_TRUE(boxes.each_once()) << static_cast<int>(by);
    }
  });
}

/// Returns: tasks that a loop by iterations makes, whose first one to run does that.
std::uint64_t tasks_of_ended_loop(const stop_condition& stop, const std::function<void()>& end) {
#ifdef TEFF_SIMULATED
  constexpr unsigned size = 5'000;
#else
  constexpr unsigned size = 1'000'000;
#endif
  std::uint64_t tasks = 0;
  testing_sync::on_random_schedules(5, 1, [&] {
    team on({.pool = "teff", .workers = 1});
    on.init([&](context& here) {
      try {
        parallel_for(here, 0u, size, [&](unsigned) { end(); }, {.stop = stop, .by = loop_by::each});
      } catch (const std::runtime_error&) {  // planted
      }
    });
    on.run();
    tasks = on.stats().tasks_by_worker[0] - 1;
  });
  EXPECT_LT(tasks, size / 2);
  return tasks;
}

TEST(dealt_loops, by_iterations_make_no_further_tasks_when_they_have_ended) {
  struct answer {
    platform::atomic<bool> given{false};
    bool stop_requested() const { return given.load(platform::relaxed); }
  } stop;
  EXPECT_GT(tasks_of_ended_loop(stop, [&] { stop.given.store(true, platform::relaxed); }), 0u);
  EXPECT_EQ(tasks_of_ended_loop(stop, [] { FAIL(); }), 0u) << "it was stopped before it began";
  EXPECT_GT(tasks_of_ended_loop({}, [] { throw std::runtime_error("planted"); }), 0u);
}

TEST(dealt_loops, inside_of_each_other_and_with_bodies_that_wait) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    for (const loop_by by : ways) {
      dealt_tally all(6 * 6);
      parallel_for(here, 0u, 6u,
                   [&](context& own, unsigned i) {
                     parallel_for(own, 0u, 6u,
                                  [&](context& inner, unsigned j) {
                                    task_group group;
                                    group.put(inner, [&] { all.add(6 * i + j); });
                                    group.wait(inner);
                                  },
                                  {.by = by});
                   },
                   {.by = by});
      EXPECT_TRUE(all.each_once());
    }
  });
}

TEST(dealt_loops, refuse_what_does_not_go_together) {
  in_a_task({.pool = "dq5", .workers = 1}, 1, [](context& here) {
    const auto sentence = [&](const loop_options& options) {
      return sentence_of([&] { parallel_for(here, 0, 10, [](int) {}, options); });
    };
    EXPECT_NE(sentence({.grain = 5, .by = loop_by::even}).find("by even parts cannot have the grain 5"), std::string::npos);
    EXPECT_NE(sentence({.by = static_cast<loop_by>(7)}).find("'7'; allowed: halves, each, even, queue"), std::string::npos);
    EXPECT_NE(sentence({.grain = 0, .by = loop_by::each}).find("cannot be 0"), std::string::npos);
    const std::string of_reduction =
        sentence_of([&] { parallel_reduce(here, 0, 10, 0, [](int i) { return i; }, std::plus<>(), {.by = loop_by::each}); });
    EXPECT_NE(of_reduction.find("only loops can be dealt out"), std::string::npos);
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_parallel
