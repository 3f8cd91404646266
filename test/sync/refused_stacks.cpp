// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Stacks that the system refuses: a program comes to its end, right or with a sentence, and never spins for ever.
#include "refusal.h"
#include "scene.h"

#include "fiber/carrier.h"
#include "platform/sanitizers.h"

#ifndef TEFF_SIMULATED
#include "test/support/address_space.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#endif

namespace TEFF_NAMESPACE::testing_sync {
namespace {

constexpr std::size_t any_number = ~std::size_t{0};

/// Effect: calls the body, in simulation under some random schedules. Tasks that wait for ever keep what they own.
void with_tasks_left(unsigned workers, const std::function<void()>& body, unsigned seeds = 5) {
  on_random_schedules(workers + 2, seeds, body, any_number);
}

/// Returns: why the run cannot end; empty if it ended.
std::string explanation_of(team& tested) {
  try {
    tested.run();
  } catch (const deadlock_error& stuck) {
    return stuck.what();
  }
  return {};
}

/// Effect: each worker has the stack that it begins a run with, which it keeps: one that began late might find that tasks of
/// another one have taken it, and one that a run does not need does not come.
void give_each_worker_its_stack(team& tested) {
  platform::atomic<unsigned> came{0};
  for (unsigned each = 0; each < tested.workers(); ++each) {
    tested.init([&](context&) {
      came.fetch_add(1, platform::relaxed);
      while (came.load(platform::relaxed) != tested.workers()) platform::pause();
    });
  }
  tested.run();
}

enum class waits_by { group, join };

/// A task for each level, each of which waits for the next one.
void descend(context& here, waits_by how, unsigned left, unsigned& deepest) {
  if (left == 0) {
    deepest = 1;
    return;
  }
  if (how == waits_by::join) {
    return join(here, [] {}, [&, left](context& next) { descend(next, how, left - 1, deepest); });
  }
  task_group group;
  group.put(here, [&, left](context& next) { descend(next, how, left - 1, deepest); });
  group.wait(here);
}

unsigned fib(context& here, waits_by how, unsigned n) {
  if (n < 2) return n;
  unsigned one_before = 0, two_before = 0;
  const auto first = [&one_before, how, n](context& next) { one_before = fib(next, how, n - 1); };
  const auto second = [&two_before, how, n](context& next) { two_before = fib(next, how, n - 2); };
  if (how == waits_by::join) {
    join(here, first, second);
  } else {
    task_group both;
    both.put(here, first);
    both.put(here, second);
    both.wait(here);
  }
  return one_before + two_before;
}

/// As descend, and uses up a stack as large as a thread's soon.
void descend_in_large_steps(context& here, waits_by how, unsigned left, unsigned& deepest) {
  char step[64 * 1024];
  // Of an array whose address nobody else knows a compiler keeps what is touched alone.
  asm volatile("" : : "r"(step) : "memory");
  if (left == 0) {
    deepest = 1;
  } else if (how == waits_by::join) {
    join(here, [] {}, [&, left](context& next) { descend_in_large_steps(next, how, left - 1, deepest); });
  } else {
    task_group group;
    group.put(here, [&, left](context& next) { descend_in_large_steps(next, how, left - 1, deepest); });
    group.wait(here);
  }
}

/// No stack is to be had but those that the workers begin with, and these are used up: nobody can go on, and the run says so.
TEST(refused_stacks, end_a_run_that_cannot_go_on_by_a_sentence) {
  for (const std::string& pool : pool_names()) {
    for (const unsigned workers : {1u, 2u}) {
      for (const waits_by how : {waits_by::group, waits_by::join}) {
        SCOPED_TRACE(pool + " on " + std::to_string(workers) + (how == waits_by::join ? ", join" : ", group"));
        with_tasks_left(workers, [&] {
          std::string sentence;
          {
            team_options options{.pool = pool, .workers = workers};
            options.settings = {"stack=8M"};
            team tested(options);
            give_each_worker_its_stack(tested);
            unsigned deepest = 0;
            tested.init([&](context& here) { descend_in_large_steps(here, how, 1'000, deepest); });
            const planted_refusal refusal(0);
            sentence = explanation_of(tested);
            EXPECT_EQ(deepest, 0u);
          }
          EXPECT_NE(sentence.find("the run cannot end"), std::string::npos) << sentence;
          EXPECT_NE(sentence.find("the system refused stacks"), std::string::npos) << sentence;
        });
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

/// Few stacks are enough for a program that waits for children alone and whose tree is not deep.
TEST(refused_stacks, leave_results_right) {
  for (const std::string& pool : pool_names()) {
    for (const unsigned workers : {1u, 2u, 4u}) {
      for (const waits_by how : {waits_by::group, waits_by::join}) {
        for (const std::int64_t more : {0, 1, 3}) {
          SCOPED_TRACE(pool + " on " + std::to_string(workers) + ", " + std::to_string(more) + " further stacks" +
                       (how == waits_by::join ? ", join" : ", group"));
          in_a_task({.pool = pool, .workers = workers}, 3, [&](context& here) {
            const planted_refusal refusal(more);
            EXPECT_EQ(fib(here, how, 12), 144u);
          });
          if (::testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

/// The same where nobody can be sure that the run cannot go on: a source of tasks is open, a task sleeps, or waits for an event.
TEST(refused_stacks, leave_results_right_while_others_might_help) {
  for (const std::string& pool : pool_names()) {
    for (const waits_by how : {waits_by::group, waits_by::join}) {
      for (const std::int64_t more : {0, 1, 3, 4}) {
        const bool sleeps = more == 4;
        // Each of the two that wait for `done` may keep a worker, and one has to do.
        const unsigned workers = sleeps ? 3 : 2;
        SCOPED_TRACE(pool + ", " + std::to_string(more) + " further stacks" + (how == waits_by::join ? ", join" : ", group"));
        with_tasks_left(
            workers,
            [&] {
              team tested({.pool = pool, .workers = workers});
              event opened, done;
              const foreign_thread holds_a_source([&] {
                injector source(tested);
                opened.set();
                done.wait();
              });
              unsigned sum = 0;
              tested.init([&](context& here) {
                task_group beside, late;
                if (sleeps) {
                  beside.put(here, [&] {
                    while (!done.is_set()) this_task::sleep_for(std::chrono::microseconds(100));
                  });
                }
                opened.wait();
                const planted_refusal refusal(more);
                late.put(here, [&](context& own) { sum = fib(own, how, 9); });
                beside.put(here, [&] { done.wait(); });
                late.wait(here);
                planted_refusal::end();
                done.set();
                beside.wait(here);
              });
              tested.run();
              EXPECT_EQ(sum, 34u);
            },
            100);  // without turns: seed 39, on sq3
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

/// Who keeps its worker at an object goes on like anybody else when the object lets it.
TEST(refused_stacks, keep_workers_at_objects_until_they_are_let_go) {
  for (const std::string& pool : pool_names()) {
    SCOPED_TRACE(pool);
    in_a_task({.pool = pool, .workers = 3}, 10, [](context& here) {
      const planted_refusal refusal(0);
      task_group group;
      mutex exclusive;
      unsigned sum = 0;
      for (unsigned child = 0; child < 20; ++child) {
        group.put(here, [&] {
          exclusive.lock();
          ++sum;
          exclusive.unlock();
        });
      }
      group.wait(here);
      EXPECT_EQ(sum, 20u);
    });
    if (::testing::Test::HasFailure()) return;
  }
}

/// The kept task waits for what a task does that it has just put: another worker has to find that, also where pools keep tasks to
/// who put them and wake nobody.
TEST(refused_stacks, leave_what_a_kept_worker_has_put_to_the_others) {
  for (const std::string& pool : pool_names()) {
    if (pool == "dq1" || pool == "dq3") continue;  // without any exchange of tasks
    SCOPED_TRACE(pool);
    bool seen = false;
    with_tasks_left(2, [&] {
      team tested({.pool = pool, .workers = 2});
      give_each_worker_its_stack(tested);
      event done;
      tested.init([&](context& here) {
        task_group group;
        group.put(here, [&] { done.set(); });
        done.wait();
        seen = true;
        group.wait(here);
      });
      const planted_refusal refusal(0);
      EXPECT_EQ(explanation_of(tested), "");
    });
    EXPECT_TRUE(seen);
    if (::testing::Test::HasFailure()) return;
  }
}

/// A worker without even a first stack ends the wait of a task of the other one, and then needs that task. Where only the
/// former looks, it cannot go on with it.
TEST(refused_stacks, leave_no_fiber_with_a_worker_that_cannot_run_it) {
  for (const std::string& pool : pool_names()) {
    SCOPED_TRACE(pool);
    const auto once = [&] {
      team tested({.pool = pool, .workers = 2});
      platform::atomic<unsigned> begun{0}, ended{0};
      mutex guard;
      condition_variable let_go;
      event done;
      platform::atomic<bool> waits{false};
      const auto body = [&](context& here) {
        begun.fetch_add(1, platform::acq_rel);
        platform::spin_until(begun, [](unsigned all) { return all == 2; }, "both workers");
        planted_refusal::end();  // who has one may have more
        if (here.current().carrier->running() != nullptr) {
          guard.lock();
          waits.store(true, platform::release);
          let_go.wait(guard);
          guard.unlock();
          done.set();
        } else {
          platform::spin_until(waits, [](bool now) { return now; }, "the other task");
          guard.lock();  // which the other one lets go when it waits
          guard.unlock();
          let_go.notify_one();
          done.wait();
        }
        ended.fetch_add(1, platform::relaxed);
      };
      tested.init(body);
      tested.init(body);
      const planted_refusal refusal(1);
      EXPECT_EQ(explanation_of(tested), "");
      EXPECT_EQ(ended.load(platform::relaxed), 2u);
    };
    on_random_schedules(4, 10, once);
    if (::testing::Test::HasFailure()) return;
  }
}

/// The same beside a third worker, which makes the fiber ready and could run it: the one without a stack leaves it to that, as
/// the one on which it waited spins for what it does.
TEST(refused_stacks, leave_a_fiber_to_who_can_run_it) {
  for (const char* const pool : {"sq1", "dq2", "teff"}) {
    SCOPED_TRACE(pool);
    const auto once = [&] {
      team tested({.pool = pool, .workers = 3});
      platform::atomic<unsigned> begun{0}, with_stack{0};
      platform::atomic<bool> first_waits{false}, second_spins{false}, went_on{false};
      event let_go, done;
      const auto body = [&](context& here) {
        begun.fetch_add(1, platform::acq_rel);
        platform::spin_until(begun, [](unsigned all) { return all == 3; }, "all workers");
        planted_refusal::end();
        if (here.current().carrier->running() == nullptr) {
          platform::spin_until(second_spins, [](bool now) { return now; }, "the spinning task");
          return done.wait();  // and looks while the fiber is made ready
        }
        if (with_stack.fetch_add(1, platform::acq_rel) == 0) {
          first_waits.store(true, platform::release);
          let_go.wait();
          went_on.store(true, platform::release);
          done.set();
        } else {
          platform::spin_until(first_waits, [](bool now) { return now; }, "the first task");
          here.put([&](context&) {
            second_spins.store(true, platform::release);
            platform::spin_until(went_on, [](bool now) { return now; }, "the fiber");
          });
          platform::spin_until(second_spins, [](bool now) { return now; }, "the spinning task");
          let_go.set();
        }
      };
      for (unsigned each = 0; each < 3; ++each) tested.init(body);
      const planted_refusal refusal(2);
      EXPECT_EQ(explanation_of(tested), "");
      EXPECT_TRUE(went_on.load(platform::relaxed));
    };
    on_random_schedules(5, 60, once);
    if (::testing::Test::HasFailure()) return;
  }
}

/// The child needs what its parent holds: each keeps a worker, or both the one that there is.
TEST(refused_stacks, at_objects_end_a_run_that_cannot_go_on_by_a_sentence) {
  for (const std::string& pool : pool_names()) {
    for (const unsigned workers : {1u, 2u}) {
      SCOPED_TRACE(pool + " on " + std::to_string(workers));
      with_tasks_left(workers, [&] {
        std::string sentence;
        {
          mutex held;
          team tested({.pool = pool, .workers = workers});
          give_each_worker_its_stack(tested);
          tested.init([&](context& here) {
            held.lock();
            task_group group;
            group.put(here, [&] { held.lock(); });
            group.wait(here);
          });
          const planted_refusal refusal(0);
          sentence = explanation_of(tested);
        }
        EXPECT_NE(sentence.find("the run cannot end"), std::string::npos) << sentence;
        EXPECT_NE(sentence.find("the system refused stacks"), std::string::npos) << sentence;
      });
      if (::testing::Test::HasFailure()) return;
    }
  }
}

// A sanitizer's shadow needs more address space than that.
#if !defined(TEFF_SIMULATED) && !defined(TEFF_THREAD_SANITIZER) && !defined(TEFF_ADDRESS_SANITIZER)

constexpr int right = 0, said = 3, wrong = 4;

/// The address space is used up by stacks, and memory with it.
[[noreturn]] void descend_under_a_limit(const std::string& pool, unsigned workers, waits_by how) {
  testing_support::leave_address_space_of(std::uint64_t{32} << 20);
  alarm(60);  // a spin for ever is a failure, not a test that hangs
  unsigned deepest = 0;
  try {
    team tested({.pool = pool, .workers = workers});
    tested.init([&](context& here) { descend(here, how, 300'000, deepest); });
    tested.run();
  } catch (const deadlock_error&) {
    std::_Exit(said);
  } catch (const std::bad_alloc&) {
    std::_Exit(said);
  }
  if (deepest != 1) std::_Exit(wrong);
  std::fputs("it came to its end", stderr);  // on stacks that tests before have left
  std::_Exit(right);
}

/// Where neither memory for a task nor a stack is left, the program is ended.
bool is_right_or_said(int status) {
  if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGABRT;
  return WEXITSTATUS(status) == right || WEXITSTATUS(status) == said;
}

TEST(refused_stacks_death, a_used_up_address_space_ends_right_or_by_a_sentence) {
  for (const std::string& pool : pool_names()) {
    for (const unsigned workers : {1u, 2u}) {
      for (const waits_by how : {waits_by::group, waits_by::join}) {
        SCOPED_TRACE(pool + " on " + std::to_string(workers) + (how == waits_by::join ? ", join" : ", group"));
        EXPECT_EXIT(descend_under_a_limit(pool, workers, how), is_right_or_said,
                    "teff: the (run cannot end|system refused memory)|^it came to its end$");
      }
    }
  }
}

#endif

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_sync
