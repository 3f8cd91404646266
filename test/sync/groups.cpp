// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// task_group and future: what waits, waits for exactly its children, on every pool.
#include "scene.h"

#include "platform/sanitizers.h"
#include "sync/group.h"

#include <array>
#include <memory>
#include <stdexcept>
#include <utility>

namespace TEFF_NAMESPACE::testing_sync {
namespace {

unsigned fib(context& here, unsigned n) {
  if (n < 2) return n;
  unsigned one_before = 0, two_before = 0;
  task_group both;
  both.put(here, [&one_before, n](context& child) { one_before = fib(child, n - 1); });
  both.put([&two_before, n](context& child) { two_before = fib(child, n - 2); });
  both.wait();
  return one_before + two_before;
}

TEST(groups, a_wait_sees_what_all_children_did) {
  in_a_task_on_every_pool(some_seeds, [](context& here) { EXPECT_EQ(fib(here, 8), 21u); });
}

TEST(groups, a_group_is_used_again_after_a_wait) {
  in_a_task_on_every_pool(some_seeds, [](context& here) {
    task_group group;
    platform::atomic<unsigned> runs{0};
    for (unsigned round = 1; round <= 3; ++round) {
      for (unsigned child = 0; child < 5; ++child) group.put(here, [&] { runs.fetch_add(1, platform::relaxed); });
      group.wait(here);
      EXPECT_EQ(runs.load(platform::relaxed), 5 * round);
    }
  });
}

TEST(groups, children_spawn_siblings) {
  in_a_task_on_every_pool(some_seeds, [](context& here) {
    task_group group;
    platform::atomic<unsigned> runs{0};
    std::function<void(context&, unsigned)> split = [&](context& own, unsigned depth) {
      runs.fetch_add(1, platform::relaxed);
      if (depth == 0) return;
      for (unsigned child = 0; child < 2; ++child) group.put(own, [&, depth](context& next) { split(next, depth - 1); });
    };
    group.put(here, [&](context& own) { split(own, 4); });
    group.wait(here);
    EXPECT_EQ(runs.load(platform::relaxed), 31u);
  });
}

TEST(groups, others_spawn_while_one_waits) {
#ifdef TEFF_SIMULATED
  constexpr unsigned rounds = 2, seeds = 100;
#else
  constexpr unsigned rounds = 2'000, seeds = 1;
#endif
  for (const char* pool : {"sq1", "sq4", "dq8", "dq1"}) {
    in_a_task({.pool = pool, .workers = 3}, seeds, [](context& here) {
      for (unsigned round = 0; round < rounds; ++round) {
        platform::atomic<unsigned> runs{0};
        task_group group, others;
        for (unsigned other = 0; other < 2; ++other) {
          others.put(here, [&](context& own) {
            for (unsigned child = 0; child < 5; ++child) group.put(own, [&] { runs.fetch_add(1, platform::relaxed); });
          });
        }
        group.put(here, [] {});
        group.wait(here);
        others.wait(here);
        group.wait(here);
        EXPECT_EQ(runs.load(platform::relaxed), 10u);
      }
    });
  }
}

TEST(groups, the_first_exception_is_rethrown_and_all_are_counted) {
  in_a_task_on_every_pool(some_seeds, [](context& here) {
    task_group group;
    platform::atomic<unsigned> runs{0};
    for (unsigned child = 0; child < 6; ++child) {
      group.put(here, [&runs, child] {
        runs.fetch_add(1, platform::relaxed);
        if (child % 2 == 0) throw std::runtime_error("planted");
      });
    }
    EXPECT_THROW(group.wait(here), std::runtime_error);
    EXPECT_EQ(runs.load(platform::relaxed), 6u);
    EXPECT_EQ(group.exceptions(), 3u);
    EXPECT_NO_THROW(group.wait(here));
  });
}

/// Cannot be moved out of memory of its own: the copy for the pool succeeds, the move before it runs does not.
struct immovable_in_the_end {
  immovable_in_the_end() = default;
  immovable_in_the_end(const immovable_in_the_end&) = default;
  immovable_in_the_end(immovable_in_the_end&&) { throw std::runtime_error("planted"); }
  void operator()() {}
  std::array<char, 100> ballast{};
};

TEST(groups, an_exception_from_a_closure_that_is_moved_is_one_of_the_child) {
  in_a_task_on_every_pool(some_seeds, [](context& here) {
    const immovable_in_the_end closure;
    task_group group;
    for (unsigned child = 0; child < 3; ++child) group.put(here, closure);
    EXPECT_THROW(group.wait(here), std::runtime_error);
    EXPECT_EQ(group.exceptions(), 3u);
    EXPECT_NO_THROW(group.wait(here));
  });
}

/// Waits when it is destroyed, and goes on on another worker, perhaps; not if it was moved from.
class waits_at_the_end {
 public:
  explicit waits_at_the_end(platform::atomic<unsigned>& ended) : ended_(&ended) {}
  waits_at_the_end(waits_at_the_end&& other) noexcept : ended_(std::exchange(other.ended_, nullptr)) {}
  ~waits_at_the_end() {
    if (ended_ == nullptr) return;
    event passed;
    task_group inner;
    inner.put([&] { passed.set(); });
    passed.wait();
    inner.wait();
    ended_->fetch_add(1, platform::relaxed);
  }

 private:
  platform::atomic<unsigned>* ended_;
};

TEST(groups, closures_may_wait_when_they_are_destroyed) {
  in_a_task_on_every_pool(some_seeds, [](context& here) {
    platform::atomic<unsigned> ended{0};
    task_group group;
    for (unsigned child = 0; child < 20; ++child) group.put(here, [last = waits_at_the_end(ended)] {});
    group.wait(here);
    EXPECT_EQ(ended.load(platform::relaxed), 20u);
  });
}

/// Throws when it is destroyed; not if it was moved from.
template <std::size_t Ballast>
class throws_at_the_end {
 public:
  throws_at_the_end() = default;
  throws_at_the_end(throws_at_the_end&& other) noexcept : moved_from_(other.moved_from_) { other.moved_from_ = true; }
  ~throws_at_the_end() noexcept(false) {
    if (!moved_from_) throw std::runtime_error("planted");
  }
  int operator()() { return 7; }

 private:
  bool moved_from_ = false;
  std::array<char, Ballast> ballast_{};
};

TEST(groups, an_exception_from_a_closures_destructor_is_one_of_the_child) {
  in_a_task_on_every_pool(some_seeds, [](context& here) {
    task_group group;
    for (unsigned round = 0; round < 2; ++round) {
      for (unsigned child = 0; child < 3; ++child) group.put(here, throws_at_the_end<1>());
      group.put(here, throws_at_the_end<100>());
      EXPECT_THROW(group.wait(here), std::runtime_error);
      EXPECT_EQ(group.exceptions(), 4u);
    }
    group.put(here, [] {});
    EXPECT_NO_THROW(group.wait(here));
    auto small = async(here, throws_at_the_end<1>());
    EXPECT_THROW(small.get(here), std::runtime_error);
    auto large = async(throws_at_the_end<100>());
    EXPECT_THROW(large.get(), std::runtime_error);
  });
}

TEST(groups, an_exception_in_a_catch_block_that_waits_stays_its_own) {
  in_a_task_on_every_pool(some_seeds, [](context& here) {
    task_group outer;
    for (int number = 0; number < 4; ++number) {
      outer.put(here, [number](context& own) {
        try {
          throw number;
        } catch (int caught) {
          task_group inner;
          for (int child = 0; child < 2; ++child) inner.put(own, [] {});
          inner.wait(own);
          EXPECT_EQ(caught, number);
          try {
            throw;
          } catch (int again) {
            EXPECT_EQ(again, number);
          }
        }
      });
    }
    outer.wait(here);
  });
}

TEST(groups, what_was_cancelled_before_it_began_does_not_run) {
  in_a_task_on_every_pool(some_seeds, [](context& here) {
    task_group group;
    auto token = std::make_shared<int>(0);
    platform::atomic<unsigned> runs{0};
    group.cancel();
    EXPECT_TRUE(group.is_cancelled());
    for (unsigned child = 0; child < 5; ++child) group.put(here, [&runs, token] { runs.fetch_add(1, platform::relaxed); });
    group.wait(here);
    EXPECT_EQ(runs.load(platform::relaxed), 0u);
    EXPECT_EQ(token.use_count(), 1);
    group.put(here, [&] { runs.fetch_add(1, platform::relaxed); });
    group.wait(here);
    EXPECT_EQ(runs.load(platform::relaxed), 1u);
  });
}

TEST(groups, what_was_cancelled_after_its_spawn_does_not_run_either) {
  for (const std::string& pool : pool_names()) {
    SCOPED_TRACE(pool);
    in_a_task({.pool = pool, .workers = 1}, some_seeds, [](context& here) {
      task_group group;
      auto token = std::make_shared<int>(0);
      unsigned runs = 0;
      for (unsigned child = 0; child < 5; ++child) group.put(here, [&runs, token] { ++runs; });
      group.cancel();
      group.wait(here);
      EXPECT_EQ(runs, 0u) << "the one worker was here all the time";
      EXPECT_EQ(token.use_count(), 1);
    });
  }
}

TEST(groups, a_child_that_runs_sees_that_it_was_cancelled) {
  in_a_task({.pool = "sq4", .workers = 2}, some_seeds, [](context& here) {
    task_group group;
    platform::atomic<bool> begun{false};
    group.put(here, [&] {
      begun.store(true, platform::release);
      while (!group.is_cancelled()) platform::pause();
    });
    platform::spin_until(begun, [](bool yes) { return yes; }, "the child to begin");
    group.cancel();
    group.wait(here);
    EXPECT_FALSE(group.is_cancelled()) << "after a wait it is as new";
  });
}

TEST(groups, a_group_waits_when_its_scope_ends) {
  in_a_task_on_every_pool(some_seeds, [](context& here) {
    platform::atomic<unsigned> runs{0};
    {
      task_group group;
      for (unsigned child = 0; child < 5; ++child) group.put(here, [&] { runs.fetch_add(1, platform::relaxed); });
    }
    EXPECT_EQ(runs.load(platform::relaxed), 5u);
  });
}

TEST(groups, the_context_stands_for_the_worker_on_which_the_task_goes_on) {
  in_a_task_on_every_pool(some_seeds, [](context& here) {
    task_group group;
    for (unsigned child = 0; child < 6; ++child) {
      group.put(here, [](context& own) {
        task_group inner;
        for (unsigned next = 0; next < 3; ++next) inner.put(own, [] {});
        inner.wait(own);
        EXPECT_EQ(&own.current(), platform::current());
      });
    }
    group.wait(here);
    EXPECT_EQ(&here.current(), platform::current());
  });
}

TEST(groups, what_was_put_besides_is_no_child) {
  in_a_task({.pool = "sq4", .workers = 1}, some_seeds, [](context& here) {
    auto others = std::make_shared<platform::atomic<unsigned>>(0);
    for (unsigned other = 0; other < 5; ++other) here.put([others](context&) { others->fetch_add(1, platform::relaxed); });
    task_group group;
    group.put(here, [] {});
    group.wait(here);
    EXPECT_EQ(others->load(platform::relaxed), 5u) << "first in, first out: all others came before";
  });
}

TEST(groups, deep_recursion_goes_on_on_further_stacks) {
  for (const std::string& pool : pool_names()) {
#if defined(TEFF_THREAD_SANITIZER)
    constexpr unsigned depth = 2'000;  // it bears few thousand fibers
#else
    // A system call for each of so many stacks: half a second.
    const unsigned depth = pool == "teff" ? 100'000 : 20'000;
#endif
    in_a_task({.pool = pool, .workers = 2}, 1, [depth](context& here) {
      unsigned deepest = 0;
      std::function<void(context&, unsigned)> descend = [&](context& own, unsigned left) {
        if (left == 0) {
          deepest = depth;
          return;
        }
        task_group group;
        group.put(own, [&, left](context& child) { descend(child, left - 1); });
        group.wait(own);
      };
      descend(here, depth);
      EXPECT_EQ(deepest, depth);
    });
  }
}

TEST(futures, give_their_results) {
  in_a_task_on_every_pool(some_seeds, [](context& here) {
    auto number = async(here, [] { return 42; });
    auto text = async([](context&) { return std::string("text"); });
    auto pointer = async(here, [] { return std::make_unique<int>(7); });
    auto nothing = async(here, [] {});
    EXPECT_EQ(*pointer.get(here), 7);
    EXPECT_EQ(text.get(), "text");
    EXPECT_EQ(number.get(), 42);
    nothing.get();
    EXPECT_FALSE(number.valid());
  });
}

TEST(futures, rethrow_and_are_empty_afterwards) {
  in_a_task_on_every_pool(some_seeds, [](context& here) {
    auto failing = async(here, []() -> int { throw std::runtime_error("planted"); });
    EXPECT_THROW(failing.get(here), std::runtime_error);
    EXPECT_NE(sentence_of([&] { failing.get(); }), "");
    EXPECT_NE(sentence_of([&] { failing.ready(); }).find("this future has no task"), std::string::npos);
  });
}

TEST(futures, are_ready_when_their_tasks_have_ended) {
  in_a_task({.pool = "sq4", .workers = 1}, some_seeds, [](context& here) {
    auto number = async(here, [] { return 42; });
    EXPECT_FALSE(number.ready()) << "nobody else could have run it";
    auto last = async(here, [] {});
    last.get();
    EXPECT_TRUE(number.ready()) << "first in, first out";
    EXPECT_EQ(number.get(), 42);
  });
}

TEST(futures, are_waited_for_when_they_are_dropped) {
  in_a_task_on_every_pool(some_seeds, [](context& here) {
    platform::atomic<unsigned> runs{0};
    {
      auto dropped = async(here, [&] { runs.fetch_add(1, platform::relaxed); });
      dropped = async(here, [&] { runs.fetch_add(1, platform::relaxed); });
    }
    EXPECT_EQ(runs.load(platform::relaxed), 2u);
  });
}

#ifndef TEFF_SIMULATED
/// The second one comes when the first one sleeps: on one worker, nobody else runs.
void wait_both_for_one_group() {
  in_a_task({.pool = "sq4", .workers = 1}, 1, [](context& here) {
    task_group waited_for, second;
    event never;
    waited_for.put(here, [&] { never.wait(); });
    second.put(here, [&](context& own) { waited_for.wait(own); });
    waited_for.wait(here);
  });
}

TEST(groups_death, two_that_wait_for_one_group_is_said) {
  EXPECT_DEATH(wait_both_for_one_group(),
               "one task or thread at a time waits for a group: give each that waits a group of its own");
}
#endif

// The default team takes what no task spawns (test/parallel/outside.cpp); in simulation there is none.
#ifdef TEFF_SIMULATED
TEST(futures, belong_into_tasks) {
  EXPECT_NE(sentence_of([] { async([] {}); }).find("in simulation there is no default team"), std::string::npos);
}

TEST(groups, belong_into_tasks) {
  task_group group;
  EXPECT_NE(sentence_of([&] { group.put([] {}); }).find("in simulation there is no default team"), std::string::npos);
  group.wait();
}
#endif

TEST(groups, a_thread_waits_for_what_tasks_have_spawned) {
  for (const char* pool : {"sq1", "sq4", "dq5", "teff"}) {
    testing_runtime::on_this_side(6, [&] {
      team tested({.pool = pool, .workers = 2});
      task_group group;
      platform::atomic<unsigned> runs{0};
      event begun, go;
      foreign_thread waiter([&] {
        begun.wait();
        group.wait();
        EXPECT_EQ(runs.load(platform::relaxed), 3u);
        go.set();
      });
      tested.init([&](context& here) {
        for (unsigned child = 0; child < 3; ++child) group.put(here, [&] { runs.fetch_add(1, platform::relaxed); });
        begun.set();
        go.wait();
      });
      tested.run();
    });
  }
}

TEST(futures, are_taken_out_of_a_team) {
  testing_runtime::on_this_side(1, [] {
    future<int> taken_out;
    team tested({.workers = 1});
    tested.init([&](context& here) { taken_out = async(here, [] { return 42; }); });
    tested.run();
    EXPECT_TRUE(taken_out.ready());
    EXPECT_EQ(taken_out.get(), 42);
  });
}

/// Counted at the group's word, or in cells once workers have met there; by workers that have a cell of their own, and more of them
/// than there are cells.
TEST(groups, know_whether_there_are_children_that_nobody_has_begun) {
  platform::atomic<unsigned> in_cells{0};
  for (const unsigned workers : {4u, 40u}) {
    in_a_task({.workers = workers}, few_seeds, [&](context& here) {
      sync::group counted;
      task_group all;
      for (unsigned i = 0; i < 2 * workers; ++i) {
        all.put(here, [&](context& own) {
          for (unsigned child = 0; child < 4; ++child) {
            const unsigned cell = counted.add(own.current());
            if (cell != 0) in_cells.fetch_add(1, platform::relaxed);
            counted.begin(own.current(), cell);
            counted.end(cell);
          }
        });
      }
      all.wait(here);
      EXPECT_FALSE(counted.has_unbegun());
      const unsigned last = counted.add(here.current());
      EXPECT_TRUE(counted.has_unbegun());
      counted.begin(here.current(), last);
      EXPECT_FALSE(counted.has_unbegun());
      counted.end(last);
      EXPECT_TRUE(counted.finished());
    });
  }
#ifdef TEFF_SIMULATED
  EXPECT_GT(in_cells.load(platform::relaxed), 0u);
#endif
}

/// What a thread asks while it waits for a group: children that nobody here has are forgotten, but not one
/// that comes while it looks.
TEST(groups, are_left_by_a_thread_only_if_all_their_children_are_nobodys) {
  on_random_schedules(1, few_seeds, [] {
    static sync::group* of = nullptr;
    static unsigned looks = 0;
    const auto comes_and_goes = [](bool) -> std::uint64_t {
      ++looks;
      if (looks == 2) of->add();
      if (looks == 4) {
        of->begin();
        of->end();
      }
      return 1;
    };
    sync::group late;
    of = &late;
    looks = 0;
    late.add();  // nobody's
    EXPECT_FALSE(late.wait_as_thread(comes_and_goes));
    EXPECT_EQ(looks, 6u);
    EXPECT_TRUE(late.finished());

    looks = 0;
    late.add();
    const auto something_is_made = [](bool) -> std::uint64_t { return ++looks < 3 ? looks : 3; };
    EXPECT_FALSE(late.wait_as_thread(something_is_made));
    EXPECT_EQ(looks, 4u);
    EXPECT_TRUE(late.finished());
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_sync
