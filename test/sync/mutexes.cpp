// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// mutex: exclusion, order, hand-over, deadlines, from tasks and foreign threads.
#include "scene.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <new>

namespace TEFF_NAMESPACE::testing_sync {
namespace {

TEST(mutexes, exclude) {
  for (const wait_policy policy : {wait_policy::block, wait_policy::spin, wait_policy::spin_then_block}) {
    for (const unsigned workers : {1u, 2u, 8u}) {
      in_a_task({.workers = workers}, some_seeds, [&](context& here) {
        mutex guarded(policy);
        unsigned inside = 0, sum = 0;
        task_group group;
        for (unsigned child = 0; child < 8; ++child) {
          group.put(here, [&](context&) {
            for (unsigned round = 0; round < 5; ++round) {
              std::lock_guard guard(guarded);
              EXPECT_EQ(inside++, 0u);
              ++sum;
              --inside;
            }
          });
        }
        group.wait(here);
        EXPECT_EQ(sum, 40u);
      });
    }
  }
}

TEST(mutexes, are_kept_over_waits_that_suspend) {
  in_a_task_on_every_pool(some_seeds, [](context& here) {
    mutex guarded;
    unsigned inside = 0;
    task_group group;
    for (unsigned child = 0; child < 4; ++child) {
      group.put(here, [&](context& own) {
        std::lock_guard guard(guarded);
        EXPECT_EQ(inside++, 0u);
        task_group inner;
        for (unsigned next = 0; next < 3; ++next) inner.put(own, [] {});
        inner.wait(own);
        --inside;
      });
    }
    group.wait(here);
  });
}

TEST(mutexes, foreign_threads_take_part) {
  testing_runtime::on_this_side(8, [] {
    mutex guarded;
    unsigned sum = 0;
    const auto work = [&] {
      for (unsigned round = 0; round < 10; ++round) {
        std::lock_guard guard(guarded);
        ++sum;
      }
    };
    team tested({.workers = 2});
    for (unsigned task = 0; task < 3; ++task) tested.init([&](context&) { work(); });
    {
      foreign_thread one(work), two(work);
      tested.run();
    }
    EXPECT_EQ(sum, 50u);
  });
}

/// Two tasks of one worker that nobody waits for run in one frame, one after the other.
TEST(mutexes, are_not_held_by_the_task_that_comes_after_their_owner) {
  alignas(recursive_mutex) std::byte memory[sizeof(recursive_mutex)];
  const auto body = [&] {
    auto* const left = ::new (memory) recursive_mutex;  // held for ever, so never destroyed
    team tested({.pool = "sq4", .workers = 1});
    tested.init([&](context&) { left->lock(); });
    tested.init([&](context& here) {
      EXPECT_FALSE(left->is_held_by_caller());
      EXPECT_FALSE(left->try_lock());
      task_group others;
      for (unsigned child = 0; child < 2; ++child) others.put(here, [&] { EXPECT_FALSE(left->try_lock()); });
      others.wait(here);
    });
    tested.run();
  };
  testing_runtime::on_this_side(1, body);
}

TEST(mutexes, are_held_by_one_of_those_that_run_on_one_stack) {
  in_a_task({.pool = "dq1", .workers = 1}, some_seeds, [](context& here) {
    recursive_mutex own;
    own.lock();
    task_group group;
    unsigned refused = 0;
    for (unsigned child = 0; child < 3; ++child) {
      group.put(here, [&] {
        if (!own.try_lock()) ++refused;
      });
    }
    group.wait(here);
    EXPECT_EQ(refused, 3u);
    own.lock();
    own.unlock();
    own.unlock();
  });
}

TEST(mutexes, deadlines_pass_and_do_not_take_the_mutex_with_them) {
  in_a_task({.workers = 2}, some_seeds, [](context& here) {
    mutex guarded;
    guarded.lock();
    task_group group;
    group.put(here, [&](context&) { EXPECT_FALSE(guarded.try_lock_until(platform::now_ns() + 1000)); });
    group.wait(here);
    EXPECT_TRUE(guarded.is_held_by_caller());
    group.put(here, [&](context&) {
      EXPECT_TRUE(guarded.try_lock_until(platform::now_ns() + 100'000'000'000));
      guarded.unlock();
    });
    guarded.unlock();
    group.wait(here);
    EXPECT_TRUE(guarded.try_lock());
    guarded.unlock();
  });
}

/// Counted by those that refer to it, under its own mutex: the last one destroys it, as soon as it has unlocked.
struct shared_thing {
  mutex guarded;
  unsigned references;
  explicit shared_thing(unsigned references) : references(references) {}
};

/// Memory that shows what is written to it while it belongs to nobody.
class watched_memory {
 public:
  shared_thing* make(unsigned references) { return ::new (memory_) shared_thing(references); }
  void drop(shared_thing& dropped) {
    bool last;
    {
      const std::lock_guard guard(dropped.guarded);
      last = --dropped.references == 0;
    }
    if (!last) return;
    dropped.~shared_thing();
    std::memset(memory_, mark, sizeof memory_);
  }
  bool is_untouched() const {
    return std::all_of(std::begin(memory_), std::end(memory_), [](unsigned char each) { return each == mark; });
  }

 private:
  static constexpr unsigned char mark = 0xA5;
  alignas(shared_thing) unsigned char memory_[sizeof(shared_thing)];
};

TEST(mutexes, are_destroyed_by_who_unlocks_them_last) {
#ifdef TEFF_SIMULATED
  constexpr std::uint64_t seeds = 5'000;
#else
  constexpr std::uint64_t seeds = 200;
#endif
  constexpr unsigned threads = 3;
  watched_memory place;
  for (std::uint64_t seed = 1; seed <= seeds && !::testing::Test::HasFailure(); ++seed) {
    shared_thing* const thing = place.make(threads);
    const auto drop_all = [&] {
      const auto drop = [&] { place.drop(*thing); };
      const foreign_thread one(drop), two(drop), three(drop);
    };
#ifdef TEFF_SIMULATED
    sim::options simulated;
    simulated.strategy = sim::strategy::random;
    simulated.seed = seed;
    const sim::outcome ended = sim::simulate(simulated, drop_all);
    EXPECT_TRUE(ended.ok()) << ended.report;
#else
    drop_all();
#endif
    EXPECT_TRUE(place.is_untouched()) << "written after its end, seed " << seed;
  }
}

TEST(mutexes_death, unlocking_what_is_not_held_is_said) {
  EXPECT_DEATH(mutex().unlock(), "unlocked by the task or thread that locked it");
}

void unlock_what_the_task_before_locked() {
  mutex left;
  team tested({.pool = "sq4", .workers = 1});
  tested.init([&](context&) { left.lock(); });
  tested.init([&](context&) { left.unlock(); });
  tested.run();
}

/// The first task of another team, perhaps in the same place.
void unlock_what_a_task_of_another_team_locked() {
  mutex left;
  for (const bool locks : {true, false}) {
    team tested({.pool = "sq4", .workers = 1});
    tested.init([&](context&) {
      if (locks) left.lock();
      else left.unlock();
    });
    tested.run();
  }
}

TEST(mutexes_death, unlocking_what_a_task_of_another_team_locked_is_said) {
  EXPECT_DEATH(testing_runtime::on_this_side(1, unlock_what_a_task_of_another_team_locked),
               "unlocked by the task or thread that locked it");
}

TEST(mutexes_death, unlocking_what_the_task_before_locked_is_said) {
  EXPECT_DEATH(testing_runtime::on_this_side(1, unlock_what_the_task_before_locked),
               "unlocked by the task or thread that locked it");
}

void unlock_what_another_task_holds() {
  mutex held;
  event locked, never;
  team tested({.pool = "sq4", .workers = 1});
  tested.init([&](context&) {
    held.lock();
    locked.set();
    never.wait();
  });
  tested.init([&](context&) {
    locked.wait();
    held.unlock();
  });
  tested.run();
}

TEST(mutexes_death, unlocking_what_another_task_holds_is_said) {
  EXPECT_DEATH(testing_runtime::on_this_side(1, unlock_what_another_task_holds), "unlocked by the task or thread that locked it");
}

TEST(mutexes_death, destroying_a_held_one_is_said) {
  EXPECT_DEATH(
      {
        mutex held;
        held.lock();
      },
      "must not be destroyed while it is held");
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_sync
