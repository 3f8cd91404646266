// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// blocking: another thread carries the worker, whatever lies in its private queue.
#include "refusal.h"
#include "scene.h"

#include "teff/sync_times.hpp"
#include "worker/team.h"

#include <array>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::testing_sync {
namespace {

/// A word that a thread may wait for.
struct flag {
  platform::atomic<std::uint32_t> word{0};
  void set() {
    word.store(1, platform::release);
    platform::wake_all(word);
  }
  void wait() {
    while (word.load(platform::acquire) == 0) platform::park(word, 0, "a planted blocking call");
  }
};

TEST(blocking, the_private_tasks_of_the_worker_run_meanwhile) {
  in_a_task_on_every_pool(some_seeds, [](context& here) {
    flag done;
    // Private to the worker on pools with private queues: nobody else could take it.
    here.put([&](context&) { done.set(); });
    blocking([&] { done.wait(); });
    EXPECT_EQ(&here.current(), platform::current());
  });
}

TEST(blocking, many_at_once_on_one_worker) {
  in_a_task({.workers = 1}, some_seeds, [](context& here) {
    flag all;
    platform::atomic<unsigned> inside{0};
    task_group group;
    for (unsigned child = 0; child < 4; ++child) {
      group.put(here, [&] {
        blocking([&] {
          if (inside.fetch_add(1, platform::acq_rel) == 3) all.set();
          all.wait();
        });
      });
    }
    group.wait(here);
    EXPECT_EQ(inside.load(platform::relaxed), 4u);
  });
}

TEST(blocking, returns_and_rethrows) {
  in_a_task({.workers = 2}, some_seeds, [](context&) {
    EXPECT_EQ(blocking([] { return 42; }), 42);
    EXPECT_THROW(blocking([] { throw std::runtime_error("planted"); }), std::runtime_error);
  });
}

TEST(blocking, is_no_task_inside) {
  in_a_task({.workers = 2}, 1, [](context&) {
#ifdef TEFF_SIMULATED
    EXPECT_NE(blocking([] { return sentence_of([] { task_group().put([] {}); }); }), "");
#else
    EXPECT_EQ(blocking([] { return async([] { return 42; }).get(); }), 42) << "the default team's, as any thread's";
#endif
    EXPECT_NE(blocking([] { return sentence_of([] { pin stays; }); }), "");
  });
  EXPECT_NE(sentence_of([] { blocking([] {}); }), "");
  EXPECT_NE(sentence_of([] { pin stays; }), "");
}

TEST(blocking, the_callers_context_is_of_no_use_inside) {
  in_a_task_on_every_pool(some_seeds, [](context& here) {
    const std::string refused = "the function that blocking calls is no task";
    platform::atomic<unsigned> runs{0};
    event go;
    task_group group;
    group.put(here, [&] { go.wait(); });
    auto other = async(here, [&] { go.wait(); });
    const auto run = [&] { runs.fetch_add(1, platform::relaxed); };
    const std::array<char, 1000> large{};
    const auto run_large = [&, large] { runs.fetch_add(1 + static_cast<unsigned>(large[0]), platform::relaxed); };
    task_graph graph;
    graph.add([&](context&) { run(); });
    const auto expect_refused = [&](const std::function<void()>& action) {
      EXPECT_EQ(sentence_of(action).substr(0, refused.size()), refused);
    };
    blocking([&] {
      expect_refused([&] { group.put(here, run); });
      expect_refused([&] { group.put(here, run_large); });
      expect_refused([&] { here.put([&](context&) { run(); }); });
      expect_refused([&] { async(here, run); });
      expect_refused([&] { group.wait(here); });
      expect_refused([&] { other.get(here); });
      expect_refused([&] { graph.run(here); });
      expect_refused([&] { pin stays(here); });
      go.set();
    });
    EXPECT_EQ(&here.current(), platform::current());
    group.wait(here);
    other.get(here);
    EXPECT_EQ(runs.load(platform::relaxed), 0u);
    graph.run(here);
    group.put(here, run);
    group.wait(here);
    EXPECT_EQ(runs.load(platform::relaxed), 2u);
  });
}

/// How many are inside of something, and the most that ever were.
class occupancy {
 public:
  void enter() {
    const unsigned now = inside_.fetch_add(1, platform::relaxed) + 1;
    for (unsigned seen = most_.load(platform::relaxed); seen < now && !most_.compare_exchange(seen, now, platform::relaxed);) {
    }
  }
  void leave() { inside_.fetch_sub(1, platform::relaxed); }
  unsigned most() const { return most_.load(platform::relaxed); }

 private:
  platform::atomic<unsigned> inside_{0}, most_{0};
};

TEST(blocking, no_more_calls_are_under_way_than_the_setting_allows) {
  for (const unsigned allowed : {1u, 3u}) {
    testing_runtime::on_this_side(12, [allowed] {
      constexpr unsigned calls = 40;
      team tested({.workers = 2, .settings = {"outside=" + std::to_string(allowed)}});
      occupancy of;
      platform::atomic<unsigned> runs{0};
      for (unsigned task = 0; task < calls; ++task) {
        tested.init([&](context&) {
          blocking([&] {
            of.enter();
            for (int turn = 0; turn < 20; ++turn) platform::pause();
            of.leave();
          });
          runs.fetch_add(1, platform::relaxed);
        });
      }
      tested.run();
      EXPECT_EQ(runs.load(platform::relaxed), calls);
      EXPECT_LE(of.most(), allowed);
      EXPECT_EQ(tested.stats().value("calls_outside"), calls);
    });
  }
}

TEST(blocking, a_worker_whose_task_waits_for_its_turn_does_other_work) {
  testing_runtime::on_this_side(8, [] {
    team tested({.workers = 1, .settings = {"outside=1"}});
    event first_inside, let_go;
    std::vector<int> order;
    tested.init([&](context& here) {
      task_group all;
      all.put(here, [&] {
        blocking([&] {
          first_inside.set();
          let_go.wait();
        });
        order.push_back(1);
      });
      all.put(here, [&] {
        first_inside.wait();
        task_group both;
        both.put([&] {
          blocking([&] {});
          order.push_back(2);
        });
        both.put([&] {  // which the second call does not keep from running
          order.push_back(0);
          let_go.set();
        });
        both.wait();
      });
      all.wait(here);
    });
    tested.run();
    ASSERT_EQ(order.size(), 3u);
    EXPECT_EQ(order[0], 0);
  });
}

#ifdef TEFF_SIMULATED

TEST(blocking, spare_threads_that_nobody_needs_end) {
  testing_runtime::on_this_side(12, [] {
    constexpr std::uint32_t calls = 6;
    team tested({.workers = 2});
    platform::atomic<std::uint32_t> arrived{0};
    std::size_t before = 0, after = 0;
    tested.init([&](context& here) {
      auto& inside = static_cast<workers::member&>(here.current()).team;
      {
        task_group all;
        for (unsigned task = 0; task < calls; ++task) {
          all.put(here, [&] {
            blocking([&] {  // all at once
              if (arrived.fetch_add(1, platform::acq_rel) + 1 == calls) platform::wake_all(arrived);
              for (std::uint32_t seen; (seen = arrived.load(platform::acquire)) < calls;)
                platform::park(arrived, seen, "a planted blocking call: the others");
            });
          });
        }
        all.wait(here);
      }
      before = inside.spare_threads();
      this_task::sleep_for(std::chrono::seconds(12));
      after = inside.spare_threads();
      blocking([] {});  // which needs one again
      EXPECT_GE(inside.spare_threads(), 1u);
    });
    tested.run();
    EXPECT_GE(before, calls - 2) << "but for the threads of the workers";
    EXPECT_LE(after, 2u) << "all but those that carry the workers now";
  });
}

#else

/// Returns: how many threads this process has.
std::size_t threads_of_process() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator("/proc/self/task")) ++count;
  return count;
}

TEST(blocking, many_short_calls_share_few_threads) {
  constexpr unsigned calls = 3'000, allowed = 8, workers = 4;
  const std::size_t before = threads_of_process();
  team tested({.workers = workers, .settings = {"outside=" + std::to_string(allowed)}});
  platform::atomic<std::size_t> most{0};
  tested.init([&](context& here) {
    task_group all;
    for (unsigned task = 0; task < calls; ++task) {
      all.put(here, [&] {
        blocking([&] {
          const std::size_t now = threads_of_process();
          std::size_t seen = most.load(platform::relaxed);
          while (seen < now && !most.compare_exchange(seen, now, platform::relaxed)) {
          }
        });
      });
    }
    all.wait(here);
  });
  tested.run();
  EXPECT_EQ(tested.stats().value("calls_outside"), calls);
  // The workers' threads, their stand-ins, those in calls; and the one of timers or the sanitizer.
  EXPECT_LE(most.load(platform::relaxed), before + 2 * workers + allowed + 2);
}

#endif

TEST(blocking, a_team_runs_again_after_its_threads_gave_their_workers_away) {
  testing_runtime::on_this_side(12, [] {
    team tested({.workers = 2});
    platform::atomic<unsigned> runs{0};
    for (unsigned round = 1; round <= 4; ++round) {
      for (unsigned task = 0; task < 3; ++task) {
        tested.init([&](context&) { blocking([&] { runs.fetch_add(1, platform::relaxed); }); });
      }
      tested.run();
      EXPECT_EQ(runs.load(platform::relaxed), 3 * round);
    }
    EXPECT_EQ(tested.stats().value("calls_outside"), 12u);
  });
}

TEST(blocking, without_a_further_thread_the_worker_waits_with_its_task) {
  testing_runtime::on_this_side(8, platform::faults{.threads_until_refusal = 1}, [] {
    team tested({.workers = 2});
    unsigned runs = 0;
    tested.init([&](context&) { blocking([&] { ++runs; }); });
    tested.run();
    EXPECT_EQ(runs, 1u);
    EXPECT_EQ(tested.stats().value("calls_outside"), 0u);
  });
}

TEST(blocking, without_a_further_stack_the_worker_waits_with_its_task) {
  for (const unsigned workers : {1u, 2u}) {
    testing_runtime::on_this_side(8, [workers] {
      team tested({.workers = workers});
      unsigned runs = 0;
      tested.init([&](context&) {
        const planted_refusal none(0);
        blocking([&] { ++runs; });
        blocking([&] { ++runs; });
      });
      tested.run();
      EXPECT_EQ(runs, 2u);
      EXPECT_EQ(tested.stats().value("calls_outside"), 0u);
      tested.init([&](context&) { blocking([&] { ++runs; }); });
      tested.run();
      EXPECT_EQ(runs, 3u);
      EXPECT_EQ(tested.stats().value("calls_outside"), 1u);
    });
  }
}

/// Each of the team's threads has a stack for its loop or not: fibers go on, and are given away, from both kinds.
TEST(blocking, from_workers_some_of_which_began_without_a_stack) {
  for (const std::int64_t given : {0, 1, 2}) {
    in_a_task_given(given, {.pool = "sq1", .workers = 3}, some_seeds, [](context& here) {
      task_group group;
      for (unsigned child = 0; child < 6; ++child) {
        group.put(here, [] {
          flag done;
          blocking([&] { done.set(); });
          EXPECT_NE(done.word.load(platform::acquire), 0u);
        });
      }
      group.wait(here);
    });
  }
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_sync
