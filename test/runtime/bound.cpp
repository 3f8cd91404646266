// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The bound on waiting tasks of the default pool: a task that puts more of them lets them run first, and nothing gets stuck by
/// it.
#include "helpers.h"

#include "platform/tuning.h"
#include "teff/parallel.hpp"

#include <csignal>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <string>
#include <unistd.h>

namespace TEFF_NAMESPACE {
namespace {

using testing_runtime::on_this_side;

/// Of one worker.
unsigned bound() { return tuning::live_tasks_per_worker; }
/// What thieves have moved, and creators that go on, come on top of it.
constexpr unsigned beside = 64;
/// Tasks beyond it that wait, each on a fiber of its own.
constexpr unsigned waiting = 64;

#ifdef TEFF_SIMULATED
constexpr unsigned many = 1'500;
constexpr unsigned worker_counts[] = {1, 2, 8};
#else
constexpr unsigned many = 300'000;
constexpr unsigned worker_counts[] = {1, 2, 8};
#endif

/// Effect: runs the body as the only initial task of a team. Returns: what was counted.
statistics ran(unsigned workers, const std::function<void(context&)>& body) {
  team on({.workers = workers});
  on.init([&](context& here) { body(here); });
  on.run();
  return on.stats();
}

TEST(bound, a_loop_that_puts_without_end_holds_few_tasks) {
  for (const unsigned workers : worker_counts) {
    on_this_side(workers, [workers] {
      platform::atomic<unsigned> runs{0};
      const statistics seen = ran(workers, [&](context& here) {
        for (unsigned i = 0; i < many; ++i) here.put([&](context&) { runs.fetch_add(1, platform::relaxed); });
      });
      EXPECT_EQ(runs.load(platform::relaxed), many);
      EXPECT_LE(seen.peak_live_tasks, workers * (bound() + beside));
      EXPECT_EQ(seen.value("beyond_bound"), 0u);
      if (workers == 1) {
        EXPECT_EQ(seen.value("run_first"), many - bound());
      }
    });
  }
}

TEST(bound, tasks_of_a_group_are_bounded_too_and_all_waited_for) {
  for (const unsigned workers : worker_counts) {
    on_this_side(workers, [workers] {
      platform::atomic<unsigned> runs{0};
      const statistics seen = ran(workers, [&](context& here) {
        task_group all;
        for (unsigned i = 0; i < 3 * bound(); ++i) all.put(here, [&] { runs.fetch_add(1, platform::relaxed); });
        all.wait(here);
        EXPECT_EQ(runs.load(platform::relaxed), 3 * bound());
      });
      EXPECT_LE(seen.peak_live_tasks, workers * (bound() + beside));
    });
  }
}

TEST(bound, a_creator_may_hold_what_its_children_lock) {
  for (const unsigned workers : worker_counts) {
    on_this_side(workers, [workers] {
      mutex locked;
      unsigned runs = 0;
      const statistics seen = ran(workers, [&](context& here) {
        const std::lock_guard held(locked);
        for (unsigned i = 0; i < bound() + waiting; ++i) {
          here.put([&](context&) {
            const std::lock_guard own(locked);
            ++runs;
          });
        }
      });
      EXPECT_EQ(runs, bound() + waiting);
      EXPECT_EQ(seen.value("beyond_bound"), 0u);
      if (workers == 1) {
        EXPECT_EQ(seen.value("run_first"), waiting);
      }
    });
  }
}

TEST(bound, a_scope_without_suspension_goes_beyond_it) {
  on_this_side(1, [] {
    unsigned runs = 0, runs_in_scope = 0;
    const statistics seen = ran(1, [&](context& here) {
      const no_suspend scope(here);
      for (unsigned i = 0; i < 3 * bound(); ++i) here.put([&](context&) { ++runs; });
      runs_in_scope = runs;
    });
    EXPECT_EQ(runs_in_scope, 0u);
    EXPECT_EQ(runs, 3 * bound());
    EXPECT_EQ(seen.value("beyond_bound"), 2 * bound());
    EXPECT_EQ(seen.value("run_first"), 0u);
  });
}

/// Each task goes on from where it was, with the numbers that it had, on whatever worker.
TEST(bound, a_creator_goes_on_where_it_was) {
  for (const unsigned workers : worker_counts) {
    on_this_side(workers, [workers] {
      constexpr unsigned creators = 4;
      platform::atomic<unsigned> runs{0};
      unsigned reached[creators] = {};
      ran(workers, [&](context& here) {
        task_group all;
        for (unsigned id = 0; id < creators; ++id) {
          all.put(here, [&, id](context& own) {
            for (; reached[id] < 2 * bound(); ++reached[id]) {
              own.put([&](context&) { runs.fetch_add(1, platform::relaxed); });
              EXPECT_EQ(&own.current(), platform::current());
            }
          });
        }
        all.wait(here);
      });
      for (const unsigned each : reached) EXPECT_EQ(each, 2 * bound());
      EXPECT_EQ(runs.load(platform::relaxed), creators * 2 * bound());
    });
  }
}

/// A tree of tasks that is put where the bound is reached already: each task runs before its creator goes on.
TEST(bound, beyond_it_the_order_is_that_of_the_serial_program) {
  on_this_side(1, [] {
    std::string order;
    const auto grow = [&](auto& self, context& here, const std::string& name) -> void {
      order += name + ' ';
      if (name.size() == 3) return;
      for (const char* child : {"a", "b"}) here.put([&, next = name + child](context& own) { self(self, own, next); });
    };
    const statistics seen = ran(1, [&](context& here) {
      for (unsigned i = 0; i < bound(); ++i) here.put([](context&) {});
      grow(grow, here, "r");
    });
    EXPECT_EQ(order, "r ra raa rab rb rba rbb ");
    EXPECT_EQ(seen.value("run_first"), 6u);
  });
}

/// A pinned creator is set aside like any other, and goes on where it was, whatever other workers have time for.
TEST(bound, a_pinned_creator_stays) {
  for (const unsigned workers : worker_counts) {
    on_this_side(workers, [workers] {
      unsigned elsewhere = 0;
      const statistics seen = ran(workers, [&](context& here) {
        const pin stays(here);
        const unsigned begun_on = here.worker_id();
        for (unsigned i = 0; i < 2 * bound(); ++i) {
          here.put([](context&) {});
          elsewhere += here.worker_id() != begun_on;
        }
      });
      EXPECT_EQ(elsewhere, 0u);
      EXPECT_EQ(seen.value("beyond_bound"), 0u);
    });
  }
}

/// The forked task of a join is a task like any other: at the bound it runs first.
TEST(bound, a_join_at_it_gives_its_results) {
  for (const unsigned workers : worker_counts) {
    on_this_side(workers, [workers] {
      const statistics seen = ran(workers, [&](context& here) {
        for (unsigned i = 0; i < bound(); ++i) here.put([](context&) {});
        for (int time = 0; time < 3; ++time) {
          const auto [one, two] = join(here, [&] { return time; }, [&] { return time + 1; });
          EXPECT_EQ(one, time);
          EXPECT_EQ(two, time + 1);
        }
      });
      if (workers == 1) {
        EXPECT_EQ(seen.value("run_first"), 3u);
      }
    });
  }
}

#ifndef TEFF_SIMULATED
/// A program that puts for ever is the same, only longer. One worker allocates here what the others release.
TEST(bound, memory_stays_where_it_is) {
  for (const unsigned workers : worker_counts) {
    const statistics seen = ran(workers, [&](context& here) {
      for (unsigned i = 0; i < 2 * many; ++i) here.put([](context&) {});
    });
    EXPECT_LE(seen.peak_bytes, 10u << 20) << workers << " workers";
    EXPECT_LE(seen.peak_fibers, 4 * workers) << workers << " workers";
  }
}

/// Puts a task that puts itself, or puts others in a loop, for ever. Somebody presses Ctrl-C when many have run, if few wait
/// then.
[[noreturn]] void put_for_ever(unsigned workers, bool in_a_loop) {
  std::signal(SIGINT, SIG_DFL);  // who was started in the background may have inherited that it is ignored
  platform::atomic<unsigned> runs{0};
  team on({.workers = workers});
  const auto count = [&] {
    if (runs.fetch_add(1, platform::relaxed) + 1 != many) return;
    if (on.stats().peak_live_tasks > workers * (bound() + beside)) std::_Exit(1);
    kill(getpid(), SIGINT);
  };
  std::function<void(context&)> chain = [&](context& here) {
    count();
    here.put(std::ref(chain));
  };
  if (in_a_loop)
    on.init([&](context& here) {
      for (;;) here.put([&](context&) { count(); });
    });
  else on.init(std::ref(chain));
  on.run();
  std::_Exit(2);
}

TEST(bound_death, who_puts_for_ever_holds_few_tasks_and_can_be_interrupted) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const unsigned workers : worker_counts) {
    for (const bool in_a_loop : {false, true})
      EXPECT_EXIT(put_for_ever(workers, in_a_loop), ::testing::KilledBySignal(SIGINT), "^$") << workers << " workers";
  }
}
#endif

}  // namespace
}  // namespace TEFF_NAMESPACE
