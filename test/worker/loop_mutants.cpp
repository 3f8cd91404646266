// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Steps of the idle protocol that are left out (workers::rules) must be missed within as many random schedules as there are below;
/// with all of them nothing may be found in 10,000. Simulated only.
#include "schedules.h"

#include "teff/teff.hpp"

#include "pool/catalogue.h"
#include "queue/inbox.h"
#include "sync/group.h"

#include <cstdint>
#include <cstdio>
#include <gtest/gtest.h>
#include <span>
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

struct pool_alone_again : workers::rules {
  static constexpr bool looks_again_at_all = false;
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
    platform::atomic<std::uint32_t> ends{0};  // the injection comes while the wait ends, or it hardly ever meets that
    step& other = tasks.add([&](worker&) {
      awaited.begin();
      ends.store(1, platform::release);
      platform::wake_all(ends);
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
      while (ends.load(platform::acquire) == 0) platform::park(ends, 0, "the injector: the end of the wait");
      on.inject(injected.as_task());
      wait_with_thread();  // closing the source wakes somebody
    });
  }
};

/// A queue for all, beside which a task may lie that nobody reaches yet: who finds nothing else is told to look again.
class with_one_out_of_reach {
 public:
  static constexpr pool::pool_traits traits{.uses = {"wake"}, .suspends_waiters = true, .returns_fibers = true};

  explicit with_one_out_of_reach(const pool::environment&) {}

  pool::advice init(worker&, task ready) { return give(std::span<const task>(&ready, 1)); }
  pool::advice put(worker&, task ready) {
    if (where_.load(platform::relaxed) != to_hide) return give(std::span<const task>(&ready, 1));
    hidden_ = ready;
    where_.store(hidden, platform::release);
    return pool::advice::wake_one;
  }
  pool::advice inject(std::span<const task> ready) { return give(ready); }
  pool::get_result get(worker&, task& next, pool::reach how) {
    if (rest_.pop(next)) return pool::get_result::got;
    if (how == pool::reach::own) return pool::get_result::empty;
    std::uint32_t seen = where_.load(platform::acquire);
    if (seen == hidden) return pool::get_result::retry;
    if (seen != shown || !where_.compare_exchange(seen, taken, platform::acq_rel)) return pool::get_result::empty;
    next = hidden_;
    return pool::get_result::got;
  }
  template <class Predicate>
  pool::get_result take(worker&, Predicate wanted, task& found, pool::reach) {
    return pool::get_result::of(rest_.take_if(wanted, found));
  }
  pool::pool_statistics statistics() const { return {}; }
  void reset_statistics() {}

  /// Effect: the task that is put next is out of reach until show.
  void hide_next() { where_.store(to_hide, platform::relaxed); }
  void show() { where_.store(shown, platform::release); }

 private:
  enum : std::uint32_t { nowhere, to_hide, hidden, shown, taken };

  pool::advice give(std::span<const task> ready) { return rest_.push(ready) ? pool::advice::wake_one : pool::advice::refused; }

  queue::inbox rest_;
  task hidden_;  ///< written before it is hidden, read once it is shown
  platform::atomic<std::uint32_t> where_{nowhere};
};

/// A task waits for its child. That one puts a task that nobody reaches until the first one goes on: if its worker was woken, and
/// is told to look again, it has to see who came back to it.
struct coming_back_to_one_who_looks {
  template <class Pool, class Rules>
  static void play(std::string& wrong) {
    script tasks;
    auto on = some_workers<Pool, Rules>();
    step& out_of_reach = tasks.add();
    step& root = tasks.add([&](worker& current) {
      context& here = *current.here;
      task_group children;
      children.put(here, [&](context& own) {
        platform::charge(10'000);
        on.pool().hide_next();
        put(own.current(), out_of_reach);
        platform::charge(10'000);
      });
      children.wait(here);
      on.pool().show();
    });
    on.init(root.as_task());
    run_once(on, tasks, wrong);
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

TEST(loop_mutants, a_worker_that_looks_at_the_pool_alone_when_it_looks_again_is_found) {
  expect_found<coming_back_to_one_who_looks, with_one_out_of_reach, pool_alone_again>(
      "a pool that says retry, a worker that looks again looks at the pool alone");
}

TEST(loop_mutants, the_whole_protocol_has_nothing_to_find) {
  expect_nothing<dependence, pool::sq1>();
  expect_nothing<dependence, pool::dq5>();
  expect_nothing<injection, pool::sq1>();
  expect_nothing<injection, pool::dq5>();
  expect_nothing<injection, pool::dq8>();
  expect_nothing<coming_back, pool::split_deques<>>();
  expect_nothing<coming_back_and_injection, pool::split_deques<>>();
  expect_nothing<coming_back_to_one_who_looks, with_one_out_of_reach>();
}

}  // namespace
}  // namespace TEFF_NAMESPACE::conformance
