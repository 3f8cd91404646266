// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tasks that are set aside: what they find unchanged when they go on, on every pool.
#include "setting_aside.h"

#include "pool/catalogue.h"
#include "test/support/sides.h"
#include "test/sync/scene.h"

#include <cfenv>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::testing_fiber {
namespace {

using testing_sync::in_a_task;
using testing_sync::in_a_task_on_every_pool;

constexpr unsigned few_seeds = 10;

/// Effect: as many tasks, which wait for one another's switches as it comes.
void in_each_of(unsigned tasks, context& here, const std::function<void(context&, unsigned)>& body) {
  task_group group;
  for (unsigned task = 0; task < tasks; ++task) group.put(here, [&body, task](context& own) { body(own, task); });
  group.wait(here);
}

TEST(fibers, go_on_where_they_were) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    in_each_of(6, here, [](context& own, unsigned task) {
      for (unsigned turn = 0; turn < 4; ++turn) {
        const unsigned before = task * 10 + turn;
        EXPECT_TRUE(step_aside(own));
        EXPECT_EQ(task * 10 + turn, before);
        EXPECT_EQ(&own.current(), platform::current());
      }
    });
  });
}

TEST(fibers, throw_after_they_were_set_aside) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    platform::atomic<unsigned> caught{0};
    in_each_of(6, here, [&](context& own, unsigned task) {
      try {
        step_aside(own);
        if (task % 2 == 0) throw static_cast<int>(task);
      } catch (int number) {
        EXPECT_EQ(number, static_cast<int>(task));
        caught.fetch_add(1, platform::relaxed);
      }
    });
    EXPECT_EQ(caught.load(platform::relaxed), 3u);
  });
}

/// Set aside while an exception unwinds the stack above: it counts for its own task alone.
struct notes_uncaught {
  context& here;
  ~notes_uncaught() {
    EXPECT_EQ(std::uncaught_exceptions(), 1);
    step_aside(here);
    EXPECT_EQ(std::uncaught_exceptions(), 1);
  }
};

TEST(fibers, keep_their_exceptions_to_themselves) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    in_each_of(6, here, [](context& own, unsigned task) {
      EXPECT_EQ(std::uncaught_exceptions(), 0);
      try {
        const notes_uncaught guard{own};
        throw static_cast<int>(task);
      } catch (int) {
        step_aside(own);
        EXPECT_EQ(std::uncaught_exceptions(), 0);
        try {
          throw;
        } catch (int again) {
          EXPECT_EQ(again, static_cast<int>(task));
        }
      }
      EXPECT_EQ(std::current_exception(), nullptr);
    });
  });
}

TEST(fibers, keep_their_rounding_to_themselves) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    const int usual = std::fegetround();
    in_each_of(6, here, [usual](context& own, unsigned task) {
      EXPECT_EQ(std::fegetround(), usual) << "a task begins as its thread does";
      const int chosen = task % 2 == 0 ? FE_UPWARD : FE_TOWARDZERO;
      std::fesetround(chosen);
      for (unsigned turn = 0; turn < 3; ++turn) {
        step_aside(own);
        EXPECT_EQ(std::fegetround(), chosen) << "a task goes on with what it chose";
      }
      std::fesetround(usual);
    });
  });
}

std::vector<std::string> in_small_blocks(const std::string& pool) {
  return pool == "dq8" || pool == "sdq1" ? std::vector<std::string>{"block=4"} : std::vector<std::string>{};
}

TEST(fibers, leave_the_pools_order_as_it_is) {
  pool::for_each_pool([]<class Pool>(const pool::entry& each) {
    if (each.alone == pool::order::none) return;
    // Twelve tasks, enough for several blocks, run while another waits: in the order in which one worker runs what it put.
    constexpr int tasks = 12;
    std::vector<int> ran, expected;
    for (int task = 0; task < tasks; ++task) expected.push_back(each.alone == pool::order::fifo ? task : tasks - 1 - task);
    testing_support::on_this_side([&] {
      ran.clear();
      team tested({.pool = each.name, .workers = 1, .settings = in_small_blocks(each.name)});
      tested.init([&](context& here) {
        event all_ran;
        for (int task = 0; task < tasks; ++task) {
          here.put([&, task](context&) {
            ran.push_back(task);
            if (ran.size() == tasks) all_ran.set();
          });
        }
        all_ran.wait();
        EXPECT_EQ(ran, expected) << each.name;
      });
      tested.run();
    });
    EXPECT_EQ(ran, expected) << each.name;
  });
}

TEST(fibers, gather_and_go_on_in_any_order) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    constexpr unsigned tasks = 40;
    gathering place(tasks);
    platform::atomic<unsigned> came{0};
    in_each_of(tasks, here, [&](context& own, unsigned) {
      came.fetch_add(1, platform::relaxed);
      place.join(own);
      EXPECT_EQ(came.load(platform::relaxed), tasks);
    });
  });
}

#ifndef TEFF_SIMULATED
void wake_twice() {
  team tested({.workers = 1});
  tested.init([](context& here) {
    const by_hand why;
    const auto wakes_twice = [](void* pointer) {
      auto& left = *static_cast<fibers::fiber*>(pointer);
      left.home.make_ready(left);
      left.home.make_ready(left);
    };
    here.current().carrier->suspend(why, wakes_twice, here.current().carrier->running());
  });
  tested.run();
}

TEST(fibers_death, a_fiber_that_is_woken_twice_is_said) { EXPECT_DEATH(wake_twice(), "a fiber was woken twice"); }
#endif

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_fiber
