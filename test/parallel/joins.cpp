// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// join: each function once, whatever happens to the others, on every pool.
#include "scene.h"

#include "platform/sanitizers.h"
#include "test/support/workers.h"

#include <any>
#include <memory>
#include <stdexcept>

namespace TEFF_NAMESPACE::testing_parallel {
namespace {

unsigned fib(context& here, unsigned n) {
  if (n < 2) return n;
  const auto [one_before, two_before] =
      join(here, [n](context& own) { return fib(own, n - 1); }, [n](context& own) { return fib(own, n - 2); });
  return one_before + two_before;
}

unsigned fib_without_context(unsigned n) {
  if (n < 2) return n;
  const auto [one_before, two_before] =
      join([n] { return fib_without_context(n - 1); }, [n] { return fib_without_context(n - 2); });
  return one_before + two_before;
}

TEST(joins, of_joins_give_the_results_of_all) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    EXPECT_EQ(fib(here, 9), 34u);
    EXPECT_EQ(fib_without_context(7), 13u);
  });
  in_a_task_on_64_workers(2, [](context& here) { EXPECT_EQ(fib(here, 12), 144u); });
}

TEST(joins, return_what_each_function_returns) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    platform::atomic<unsigned> calls{0};
    const int number = 7;
    auto [text, nothing, pointer, copy, last] = join(
        here, [] { return std::string("text"); }, [&] { calls.fetch_add(1, platform::relaxed); },
        [](context&) { return std::make_unique<int>(3); }, [&]() -> const int& { return number; },
        [](context& own) { return own.worker_id(); });
    static_assert(std::is_same_v<decltype(nothing), std::monostate>);
    static_assert(std::is_same_v<decltype(copy), int>);
    EXPECT_EQ(text, "text");
    EXPECT_EQ(*pointer, 3);
    EXPECT_EQ(copy, 7);
    EXPECT_LT(last, 8u);
    const auto add_one = [&] { calls.fetch_add(1, platform::relaxed); };
    static_assert(std::is_void_v<decltype(join(here, add_one, add_one))>);
    join(here, add_one, add_one, add_one, add_one);
    join(here, add_one);
    EXPECT_EQ(calls.load(platform::relaxed), 6u);
  });
}

platform::atomic<unsigned> calls_of_functions{0};
void function_without_context() { calls_of_functions.fetch_add(1, platform::relaxed); }
void function_with_context(context&) { calls_of_functions.fetch_add(1, platform::relaxed); }
int seven() { return 7; }
unsigned own_worker(context& here) { return here.worker_id(); }

TEST(joins, take_functions_by_their_names) {
  in_a_task({.workers = 2}, few_seeds, [](context& here) {
    calls_of_functions.store(0, platform::relaxed);
    static_assert(std::is_void_v<decltype(join(here, function_without_context, function_with_context))>);
    join(here, function_without_context, function_with_context);
    join(function_with_context, &function_without_context);
    EXPECT_EQ(calls_of_functions.load(platform::relaxed), 4u);
    const auto [number, worker] = join(here, seven, own_worker);
    EXPECT_EQ(number, 7);
    EXPECT_LT(worker, 2u);
    EXPECT_EQ(std::get<1>(join(function_without_context, seven)), 7);
  });
}

/// A type that takes whatever it is given for its constructor: the function that makes one, too.
struct greedy {
  template <class Whatever>
  explicit greedy(Whatever) : made_of_something_else(true) {}
  explicit greedy(int number) : number(number) {}
  int number = 0;
  bool made_of_something_else = false;
};

TEST(joins, return_what_could_be_made_of_anything) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    const auto [one, two, three] =
        join(here, [] { return std::any(1); }, [] { return std::any(std::string("two")); }, [] { return greedy(3); });
    EXPECT_EQ(std::any_cast<int>(one), 1);
    EXPECT_EQ(std::any_cast<std::string>(two), "two");
    EXPECT_EQ(three.number, 3);
    EXPECT_FALSE(three.made_of_something_else);
  });
}

TEST(joins, alone_run_their_functions_in_order) {
  for (const char* pool : {"sq1", "dq5", "dq8", "rq1"}) {
    in_a_task({.pool = pool, .workers = 1}, 1, [](context& here) {
      std::string order;
      join(here, [&] { order += 'a'; }, [&] { order += 'b'; }, [&] { order += 'c'; }, [&] { order += 'd'; });
      EXPECT_EQ(order, "abcd");
    });
  }
}

/// Throws its number when it is called.
struct failing {
  int number;
  void operator()() const { throw number; }
};

/// Returns: what `action` throws, if it is a number.
template <class Action>
int number_thrown_by(Action action) {
  try {
    action();
  } catch (int number) {
    return number;
  }
  return 0;
}

TEST(joins, rethrow_the_exception_of_the_first_function_in_their_order) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    const auto nothing = [] {};
    EXPECT_EQ(number_thrown_by([&] { join(here, failing{1}, failing{2}, failing{3}); }), 1);
    EXPECT_EQ(number_thrown_by([&] { join(here, nothing, failing{2}, failing{3}); }), 2);
    EXPECT_EQ(number_thrown_by([&] { join(here, nothing, nothing, failing{3}); }), 3);
    EXPECT_EQ(number_thrown_by([&] { join(here, [] { return std::string(100, 'x'); }, failing{2}); }), 2);
    EXPECT_EQ(number_thrown_by([&] { join(here, failing{1}, [] { return std::string(100, 'x'); }); }), 1);
  });
}

TEST(joins, leave_out_what_nobody_has_begun_when_one_throws) {
  for (const std::string& pool : pool_names()) {
    SCOPED_TRACE(pool);
    in_a_task({.pool = pool, .workers = 1}, 1, [](context& here) {
      int calls = 0;
      EXPECT_EQ(number_thrown_by([&] { join(here, failing{1}, [&] { ++calls; }, [&] { ++calls; }); }), 1);
      EXPECT_EQ(calls, 0);
      EXPECT_EQ(number_thrown_by([&] { join(here, [&] { ++calls; }, failing{2}, [&] { calls += 10; }); }), 2);
      // Where a pool's waiters suspend at once, all that was offered has begun by the time that anything is waited for.
      EXPECT_EQ(calls % 10, 1);
      EXPECT_EQ(number_thrown_by([&] { parallel_for(here, 0, 64, [&](int i) { i == 0 ? throw 3 : ++calls; }, {.grain = 1}); }),
                3);
      EXPECT_LE(calls, 11);
    });
  }
}

/// What the second function uses is destroyed as soon as the exception of the first one is on its way.
TEST(joins, await_what_was_stolen_before_an_exception_leaves) {
  in_a_task_on_every_pool(2 * few_seeds, [](context& here) {
    for (int round = 0; round < 5; ++round) {
      platform::atomic<bool> destroyed{false}, used_late{false};
      EXPECT_EQ(number_thrown_by([&] {
                  struct guard {
                    platform::atomic<bool>& destroyed;
                    ~guard() { destroyed.store(true, platform::relaxed); }
                  } used{destroyed};
                  join(here, failing{1}, [&](context& own) {
                    for (int step = 0; step < 3; ++step) {
                      this_task::charge(100);
                      fib(own, 3);
                      if (destroyed.load(platform::relaxed)) used_late.store(true, platform::relaxed);
                    }
                  });
                }),
                1);
      EXPECT_FALSE(used_late.load(platform::relaxed));
    }
  });
}

TEST(joins, whose_second_function_runs_already_when_the_first_one_throws) {
  // One function waits for the other to begin, so a second worker has it when the exception comes.
  for (const char* pool : {"sq1", "sq3", "sq4", "dq5", "dq2", "rq2"}) {
    SCOPED_TRACE(pool);
    in_a_task({.pool = pool, .workers = 3}, 2 * few_seeds, [](context& here) {
      event begun, thrown;
      bool ended = false;
      EXPECT_EQ(number_thrown_by([&] {
                  join(
                      here,
                      [&] {
                        begun.wait();
                        struct at_the_end {
                          event& of;
                          ~at_the_end() { of.set(); }
                        } throws{thrown};
                        throw 1;
                      },
                      [&] {
                        begun.set();
                        thrown.wait();
                        ended = true;
                      });
                }),
                1);
      EXPECT_TRUE(ended);
    });
  }
}

/// The first function waits, so that its worker runs other tasks, whose forked tasks lie above this one's in the queue when it
/// goes on.
TEST(joins, whose_first_function_blocks_in_between) {
  in_a_task_on_every_pool(2 * few_seeds, [](context& here) {
    constexpr unsigned chains = 4, length = 4;
    platform::atomic<unsigned> calls{0};
    teff::mutex contended;
    std::function<unsigned(context&, unsigned)> chain = [&](context& own, unsigned left) -> unsigned {
      if (left == 0) return 0;
      const auto [below, one] = join(
          own,
          [&](context& next) {
            contended.lock();
            next.put([](context&) {});
            task_group inside;
            inside.put(next, [&] { calls.fetch_add(1, platform::relaxed); });
            inside.put(next, [&] { calls.fetch_add(1, platform::relaxed); });
            contended.unlock();
            inside.wait(next);
            return chain(next, left - 1);
          },
          [&] { return 1u; });
      EXPECT_EQ(&own.current(), platform::current());
      return below + one;
    };
    task_group all;
    for (unsigned i = 0; i < chains; ++i) all.put(here, [&](context& own) { EXPECT_EQ(chain(own, length), length); });
    all.wait(here);
    EXPECT_EQ(calls.load(platform::relaxed), 2 * chains * length);
  });
}

TEST(joins, inside_a_catch_block_keep_its_exception) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    try {
      throw std::runtime_error("planted");
    } catch (...) {
      EXPECT_EQ(number_thrown_by([&] { join(here, [](context& own) { fib(own, 4); }, failing{5}); }), 5);
      EXPECT_THROW(throw, std::runtime_error);
    }
  });
}

TEST(joins, that_recurse_deeply_go_on_on_further_stacks) {
#if defined(TEFF_THREAD_SANITIZER)
  static constexpr unsigned depth = 2'000;
#else
  static constexpr unsigned depth = 50'000;
#endif
  for (const std::string& pool : pool_names()) {
    SCOPED_TRACE(pool);
    in_a_task({.pool = pool, .workers = 2}, 1, [](context& here) {
      std::function<unsigned(context&, unsigned)> descend = [&](context& own, unsigned left) -> unsigned {
        if (left == 0) return 0;
        const auto [deeper, one] = join(own, [&](context& next) { return descend(next, left - 1); }, [] { return 1u; });
        return deeper + one;
      };
      // On a stack of the usual size: the first one is as large as a thread's.
      const auto [deep, nothing] = join(here, [](context&) { return 0u; }, [&](context& own) { return descend(own, depth); });
      EXPECT_EQ(deep + nothing, depth);
    });
  }
}

TEST(joins, without_memory_for_a_task_run_it_at_once) {
  const auto body = [] {
    team on({.pool = "dq5", .workers = 2});
    on.init([](context& here) {
      const testing_support::memory_runs_out planted(0);
      EXPECT_EQ(fib(here, 8), 21u);
    });
    on.run();
  };
  testing_runtime::on_this_side(3, body);
}

TEST(joins, run_what_nobody_has_taken_as_a_task_of_its_own_to_locks) {
  for (const char* pool : {"teff", "dq5"}) {
    in_a_task({.pool = pool, .workers = 1}, 1, [](context& here) {
      recursive_mutex held;
      held.lock();
      bool by_first = false, by_second = true;
      join(
          here,
          [&] {
            by_first = held.try_lock();
            if (by_first) held.unlock();
          },
          [&] { by_second = held.try_lock(); });
      EXPECT_TRUE(by_first);
      EXPECT_FALSE(by_second);
      EXPECT_TRUE(held.try_lock());  // the caller is who it was
      held.unlock();
      held.unlock();
    });
  }
}

TEST(joins, run_one_after_the_other_tasks_that_locks_tell_apart) {
  for (const char* pool : {"teff", "dq5"}) {
    in_a_task({.pool = pool, .workers = 1}, 1, [](context& here) {
      // Never destroyed: nobody is left who could unlock it.
      alignas(recursive_mutex) std::byte place[sizeof(recursive_mutex)];
      auto& left_locked = *::new (place) recursive_mutex;
      unsigned locked = 0;
      for (unsigned time = 0; time < 3; ++time) join(here, [] {}, [&] { locked += left_locked.try_lock() ? 1 : 0; });
      EXPECT_EQ(locked, 1u);
    });
  }
}

TEST(joins, count_as_tasks_whoever_runs_them) {
  for (const std::string& pool : pool_names()) {
    for (const unsigned workers : {1u, 3u}) {
      SCOPED_TRACE(pool + " on " + std::to_string(workers));
      testing_runtime::on_this_side(workers + 4, [&] {
        team counted({.pool = pool, .workers = workers});
        for (unsigned run = 1; run <= 2; ++run) {
          counted.init([](context& here) { EXPECT_EQ(fib(here, 6), 8u); });
          counted.run();
          // fib(6) makes 25 calls, 12 of which join.
          EXPECT_EQ(counted.stats().value("puts"), 12u);
          EXPECT_EQ(counted.stats().value("tasks_run"), 13u);
          if (workers == 1 && pool == "teff") {
            EXPECT_EQ(counted.stats().value("in_place_runs"), 12u);
          }
          counted.reset_stats();
        }
      });
    }
  }
}

#ifndef TEFF_SIMULATED
/// Most of a recursion's joins touch nothing that another worker reads or writes; alone, none does.
TEST(joins, of_a_recursion_share_and_take_back_seldom) {
  if (!platform::fence_everywhere()) GTEST_SKIP() << "every join publishes here";
  for (const unsigned workers : {1u, 2u}) {
    team counted({.workers = workers});
    counted.init([](context& here) { EXPECT_EQ(fib(here, 28), 317'811u); });
    counted.run();
    const statistics seen = counted.stats();
    const auto rare = seen.value("publications") + seen.value("reclaims") + seen.value("forced");
    EXPECT_LE(rare * 100, workers == 1 ? 0 : seen.value("puts")) << seen.value("puts") << " tasks, " << workers << " workers";
  }
}
#endif

#ifdef TEFF_SIMULATED
/// Tasks that are put beside a forked one lie above it when the join looks for that: for a moment nobody else sees the newest,
/// just as the other worker may be about to sleep.
TEST(joins, do_not_hide_what_was_put_beside_them) {
  for (unsigned pauses = 0; pauses < 50; ++pauses) {
    SCOPED_TRACE(pauses);
    in_a_task({.pool = "teff", .workers = 2}, 200, [pauses](context& here) {
      platform::atomic<std::uint32_t> ran{0};
      const auto await = [&ran](unsigned count) {
        while (ran.load(platform::acquire) < count) platform::pause();
      };
      const auto count = [&ran](context&) { ran.fetch_add(1, platform::acq_rel); };
      join(
          here,
          [&](context& own) {
            own.put(count);
            own.put(count);
            await(1);
            for (unsigned each = 0; each < pauses; ++each) platform::pause();
          },
          [] {});
      await(2);  // it runs somewhere else: this worker puts and takes nothing
    });
    if (HasFailure()) return;
  }
}
#endif

TEST(joins, call_the_functions_that_they_are_given_not_copies) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    struct counting {
      int calls = 0;
      int operator()() { return ++calls; }
    } first, second, third;
    for (int time = 1; time <= 2; ++time) {
      const auto [one, two, three] = join(here, first, second, std::move(third));
      EXPECT_EQ(one, time);
      EXPECT_EQ(two, time);
      EXPECT_GE(three, 1);
    }
    EXPECT_EQ(first.calls, 2);
    EXPECT_EQ(second.calls, 2);
  });
}

TEST(joins, and_groups_with_unfinished_tasks_may_leave_their_scope_together) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    platform::atomic<unsigned> runs{0};
    EXPECT_EQ(number_thrown_by([&] {
                task_group left_behind;
                for (int child = 0; child < 4; ++child) left_behind.put(here, [&] { runs.fetch_add(1, platform::relaxed); });
                join(here, failing{1}, [&](context& own) { left_behind.put(own, [] {}); });
              }),
              1);
    EXPECT_EQ(runs.load(platform::relaxed), 4u);
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_parallel
