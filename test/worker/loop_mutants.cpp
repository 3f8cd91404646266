// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Steps of the idle protocol that are left out (workers::rules) must be missed within 10,000 random schedules; with all of them
/// nothing may be found in as many. Simulated only.
#include "schedules.h"

#include "teff/teff.hpp"

#include "pool/catalogue.h"
#include "sync/group.h"

#include <cstdint>
#include <cstdio>
#include <gtest/gtest.h>
#include <string>

namespace TEFF_NAMESPACE::conformance {
namespace {

constexpr std::uint64_t schedules_of_the_whole = 10'000;
/// The search ends with the first finding, so a generous limit costs nothing: how rare one is changes with each line of the loop.
constexpr std::uint64_t schedules_of_a_mutant = 1'000'000;

struct lost_wake_up : workers::rules {
  static constexpr bool confirms_after_announcing = false;
};
struct early_termination : workers::rules {
  static constexpr bool counts_before_stopping = false;
};
struct forgotten_return : workers::rules {
  static constexpr bool gives_on_who_returned = false;
};
struct swallowed_wake_up : workers::rules {
  static constexpr bool passes_on_when_returned_to = false;
};

/// A task waits for its child, which another worker has; an injected task comes to the first worker while it looks for work, and
/// the waiting task comes back to it.
struct coming_back {
  template <class Pool, class Rules>
  static void play(std::string& wrong) {
    script tasks;
    step& injected = tasks.add();
    step& root = tasks.add([&](worker& current) {
      context& here = *current.here;
      task_group children;
      for (int child = 0; child < 2; ++child) children.put(here, [] { platform::charge(100); });
      children.wait(here);
    });
    auto on = some_workers<Pool, Rules>();
    on.init(root.as_task());
    run_beside(on, tasks, wrong, [&] {
      platform::charge(500);
      on.inject(injected.as_task());
    });
  }
};

/// A task waits for another one, which then waits for an injected task with its thread. So does the first one when it goes on: the
/// third worker has to run the injected task.
struct coming_back_and_injection {
  template <class Pool, class Rules>
  static void play(std::string& wrong) {
    script tasks;
    platform::atomic<std::uint32_t> ran{0};
    const auto wait_with_thread = [&ran] {
      while (ran.load(platform::acquire) == 0) platform::park(ran, 0, "a task: the injected one");
    };
    step& injected = tasks.add([&](worker&) {
      ran.store(1, platform::release);
      platform::wake_all(ran);
    });
    sync::group awaited;
    step& other = tasks.add([&](worker&) {
      awaited.begin();
      awaited.end();
      wait_with_thread();
    });
    step& root = tasks.add([&](worker& current) {
      awaited.add();
      put(current, other);
      awaited.wait(current);
      wait_with_thread();
    });
    auto on = some_workers<Pool, Rules>(3);
    on.init(1, root.as_task());  // on the worker that an injection wakes first
    run_beside(on, tasks, wrong, [&] {
      on.inject(injected.as_task());
      wait_with_thread();  // closing the source wakes somebody
    });
  }
};

template <class Scenario, class Pool, class Rules>
void expect_found(const char* what) {
  const finding found = first_finding<Scenario, Pool, Rules>(schedules_of_a_mutant);
  EXPECT_GT(found.schedule, 0u) << what << " was not found in " << schedules_of_a_mutant << " schedules";
  std::printf("%s: found by schedule %llu: %s\n", what, static_cast<unsigned long long>(found.schedule), found.what.c_str());
}

template <class Scenario, class Pool>
void expect_nothing() {
  const finding found = first_finding<Scenario, Pool, workers::rules>(schedules_of_the_whole);
  EXPECT_EQ(found.schedule, 0u) << found.what;
}

TEST(loop_mutants, a_lost_wake_up_is_found) {
  expect_found<dependence, pool::sq1, lost_wake_up>("sq1, no look after the announcement, a task waits for its child");
  expect_found<dependence, pool::dq5, lost_wake_up>("dq5, no look after the announcement, a task waits for its child");
  expect_found<injection, pool::dq5, lost_wake_up>("dq5, no look after the announcement, injection");
  expect_found<injection, pool::dq8, lost_wake_up>("dq8, no look after the announcement, injection");
}

TEST(loop_mutants, an_early_termination_is_found) {
  expect_found<injection, pool::sq1, early_termination>("sq1, stop without counting, injection");
  expect_found<injection, pool::dq5, early_termination>("dq5, stop without counting, injection");
  expect_found<injection, pool::dq8, early_termination>("dq8, stop without counting, injection");
}

TEST(loop_mutants, a_fiber_that_came_back_in_vain_is_found) {
  expect_found<coming_back, pool::split_deques<>, forgotten_return>("teff, a worker with another task forgets who came back");
}

TEST(loop_mutants, a_wake_up_that_ends_with_who_returned_is_found) {
  expect_found<coming_back_and_injection, pool::split_deques<>, swallowed_wake_up>(
      "teff, a worker to which a fiber came back wakes nobody");
}

TEST(loop_mutants, the_whole_protocol_has_nothing_to_find) {
  expect_nothing<dependence, pool::sq1>();
  expect_nothing<dependence, pool::dq5>();
  expect_nothing<injection, pool::sq1>();
  expect_nothing<injection, pool::dq5>();
  expect_nothing<injection, pool::dq8>();
  expect_nothing<coming_back, pool::split_deques<>>();
  expect_nothing<coming_back_and_injection, pool::split_deques<>>();
}

}  // namespace
}  // namespace TEFF_NAMESPACE::conformance
