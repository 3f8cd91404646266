// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A wait runs children of its own group in place, and no other's: on its stack another group's child would stand above whatever
/// the waiting task holds.
#include "scene.h"

#include <mutex>

namespace TEFF_NAMESPACE::testing_sync {
namespace {

constexpr unsigned seeds_around_others = 5;

/// What a thread of control is in the middle of.
struct awaiting {
  const context* who = nullptr;
  bool own_children = false;
};

/// Effect: children of another group before, between and behind those of the group that is waited for.
template <class Spawn>
void spawn_around(Spawn spawn, task_group& own, platform::atomic<unsigned>& runs) {
  for (unsigned child = 0; child < 3; ++child) {
    spawn();
    own.put([&runs] { runs.fetch_add(1, platform::relaxed); });
    spawn();
  }
}

TEST(other_groups, have_no_child_run_in_place) {
  in_a_task_on_every_pool(seeds_around_others, [](context& here) {
    task_group own, others;
    platform::atomic<unsigned> own_runs{0}, other_runs{0};
    awaiting root{&here};
    const auto other_child = [&](context& child) {
      // A waiting task has not returned from its wait: on its own thread of control nothing but its children may run.
      if (&child == root.who) {
        EXPECT_FALSE(root.own_children) << "a wait for one group ran another's child";
      }
      other_runs.fetch_add(1, platform::relaxed);
    };
    spawn_around([&] { others.put(other_child); }, own, own_runs);
    root.own_children = true;
    own.wait(here);
    root.own_children = false;
    EXPECT_EQ(own_runs.load(platform::relaxed), 3u);
    others.wait(here);
    EXPECT_EQ(other_runs.load(platform::relaxed), 6u);
  });
}

TEST(other_groups, may_want_what_the_waiter_holds) {
  in_a_task_on_every_pool(seeds_around_others, [](context& here) {
    mutex held;
    unsigned inside = 0;
    platform::atomic<unsigned> own_runs{0};
    task_group own, others;
    const auto want_it = [&] {
      const std::lock_guard guard(held);
      EXPECT_EQ(inside++, 0u) << "two are inside";
      --inside;
    };
    {
      const std::lock_guard guard(held);
      EXPECT_EQ(inside++, 0u);
      spawn_around([&] { others.put(want_it); }, own, own_runs);
      own.wait(here);
      --inside;
    }
    others.wait(here);
    EXPECT_EQ(own_runs.load(platform::relaxed), 3u);
  });
}

TEST(other_groups, of_futures_have_no_task_run_in_place) {
  in_a_task_on_every_pool(seeds_around_others, [](context& here) {
    awaiting root{&here};
    const auto other = [&](context& child) {
      if (&child == root.who) {
        EXPECT_FALSE(root.own_children) << "a wait for one future ran another's task";
      }
    };
    auto before = async(here, other);
    auto own = async(here, [] { return 42; });
    auto behind = async(here, other);
    root.own_children = true;
    EXPECT_EQ(own.get(here), 42);
    root.own_children = false;
    before.get(here);
    behind.get(here);
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_sync
