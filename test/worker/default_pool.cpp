// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the default pool promises to a team: no worker sleeps beside a waiting task. Each promise that is left out is found.
#include "subject.h"
#include "test/support/sides.h"

#include <cstdio>
#include <gtest/gtest.h>

namespace TEFF_NAMESPACE::conformance {
namespace {

using pool::split_deques;
using pool::split_deques_rules;

/// Effect: waits, with its worker, until the word has reached `wanted`. A team that never gets there is a deadlock.
void await(platform::atomic<std::uint32_t>& word, std::uint32_t wanted, const char* what) {
  for (std::uint32_t seen; (seen = word.load(platform::acquire)) < wanted;) platform::park(word, seen, what);
}
void raise(platform::atomic<std::uint32_t>& word) {
  word.fetch_add(1, platform::acq_rel);
  platform::wake_all(word);
}

/// A task puts many while all others sleep, or just as they are, and then waits for each of them to have begun: it is the long
/// leaf.
template <bool OthersSleep, unsigned Tasks>
struct long_leaf {
  template <class Rules>
  static void play(unsigned workers, findings& found) {
    script tasks;
    platform::atomic<std::uint32_t> begun{0};
    for (unsigned i = 0; i < Tasks; ++i) tasks.add([&](worker&) { raise(begun); });
    subject here(trial_of<split_deques<Rules>, dressing::bare>, {.workers = workers}, found);
    step& root = tasks.add([&](worker& current) {
      while (OthersSleep && here.value(trace::counter::parks) + 1 < here.workers()) platform::pause();
      for (unsigned i = 0; i < Tasks; ++i) put(current, tasks[i]);
      await(begun, Tasks, "a long task: all others to begin");
    });
    here.init(root);
    // So all others come, and sleep then.
    for (unsigned other = 1; OthersSleep && other < here.workers(); ++other) here.init(tasks.add(), other);
    here.run();
    found.expect_none(tasks.not_run(1));
  }
};

/// Two tasks, which go on when both have begun: whoever takes one back must not hide the other.
struct couple {
  template <class Rules>
  static void play(unsigned workers, findings& found) {
    script tasks;
    platform::atomic<std::uint32_t> begun{0};
    for (unsigned i = 0; i < 2; ++i) {
      tasks.add([&](worker&) {
        raise(begun);
        await(begun, 2, "a task: its other half to begin");
      });
    }
    step& root = tasks.add([&](worker& current) {
      for (unsigned i = 0; i < 2; ++i) put(current, tasks[i]);
    });
    subject here(trial_of<split_deques<Rules>, dressing::bare>, {.workers = workers}, found);
    here.init(root);
    here.run();
    found.expect_none(tasks.not_run(1));
  }
};

/// The same where no thread can make the others pass a fence.
template <class Scenario>
struct without_fences {
  template <class Rules>
  static void play(unsigned workers, findings& found) {
    const struct planted {
      planted() { platform::planted_faults().no_fence_everywhere = true; }
      ~planted() { platform::planted_faults().no_fence_everywhere = false; }
    } meanwhile;
    Scenario::template play<Rules>(workers, found);
  }
};

#ifdef TEFF_SIMULATED

struct no_requests : split_deques_rules {
  static constexpr bool notices_requests = false;
  static constexpr bool notices_an_empty_public_part = false;
};
struct no_force : split_deques_rules {
  static constexpr bool serves_by_force = false;
};

struct result {
  std::uint64_t seed = 0;  ///< the first that found something; 0: none did
  std::string what;
};

template <class Scenario, class Rules>
result first_finding(unsigned workers, std::uint64_t seeds) {
  for (const auto used : {sim::strategy::random, sim::strategy::pct, sim::strategy::virtual_time}) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      sim::options options;
      options.processors_at_most = workers;
      options.strategy = used;
      options.seed = seed;
      options.expects_failure = true;
      if (used == sim::strategy::virtual_time) options.machine.access_jitter = 200;
      findings found;
      const sim::outcome ended = sim::simulate(options, [&] { Scenario::template play<Rules>(workers, found); });
      if (!ended.ok()) return {seed, ended.report};
      if (found.count() > 0) return {seed, found.first()};
    }
  }
  return {};
}

template <class Scenario>
void expect_nothing(unsigned workers, std::uint64_t seeds) {
  const result found = first_finding<Scenario, split_deques_rules>(workers, seeds);
  EXPECT_EQ(found.seed, 0u) << workers << " workers: " << found.what;
}

template <class Scenario, class Rules>
void expect_found(unsigned workers, std::uint64_t seeds, const char* what) {
  const result found = first_finding<Scenario, Rules>(workers, seeds);
  EXPECT_GT(found.seed, 0u) << what << " was not found";
  std::printf("%s: found by seed %llu: %s\n", what, static_cast<unsigned long long>(found.seed), found.what.c_str());
}

TEST(default_pool, all_others_begin_beside_a_long_leaf) {
  for (const unsigned workers : {2u, 3u, 8u}) {
    expect_nothing<long_leaf<true, 100>>(workers, 60);
    expect_nothing<long_leaf<false, 100>>(workers, 60);
    expect_nothing<long_leaf<true, 3>>(workers, 300);
    expect_nothing<long_leaf<false, 3>>(workers, 300);
  }
}

TEST(default_pool, no_task_is_hidden_while_it_is_taken_back) {
  for (const unsigned workers : {2u, 3u, 4u}) expect_nothing<couple>(workers, 1'000);
}

TEST(default_pool, keeps_its_promises_where_nobody_can_make_others_pass_a_fence) {
  for (const unsigned workers : {2u, 3u}) {
    expect_nothing<without_fences<long_leaf<true, 100>>>(workers, 20);
    expect_nothing<without_fences<long_leaf<false, 3>>>(workers, 200);
    expect_nothing<without_fences<couple>>(workers, 200);
  }
}

TEST(default_pool, a_promise_that_is_broken_is_found) {
  expect_found<long_leaf<true, 3>, no_requests>(3, 300, "puts that publish nothing");
  expect_found<long_leaf<true, 100>, no_force>(3, 100, "sleep without force");
}

#else

template <class Scenario>
std::string problem(unsigned workers) {
  findings found;
  Scenario::template play<split_deques_rules>(workers, found);
  return found.first();
}

TEST(default_pool, all_others_begin_beside_a_long_leaf) {
  for (const unsigned workers : {2u, 3u, 8u}) {
    for (int turn = 0; turn < 30; ++turn) {
      ASSERT_EQ((problem<long_leaf<true, 100>>(workers)), "") << workers << " workers";
      ASSERT_EQ((problem<long_leaf<false, 100>>(workers)), "") << workers << " workers";
      ASSERT_EQ((problem<long_leaf<true, 3>>(workers)), "") << workers << " workers";
    }
  }
}

TEST(default_pool, no_task_is_hidden_while_it_is_taken_back) {
  for (const unsigned workers : {2u, 3u, 4u}) {
    for (int turn = 0; turn < 100; ++turn) ASSERT_EQ(problem<couple>(workers), "") << workers << " workers";
  }
}

TEST(default_pool, keeps_its_promises_where_nobody_can_make_others_pass_a_fence) {
  for (const unsigned workers : {2u, 3u, 8u}) {
    for (int turn = 0; turn < 20; ++turn) {
      ASSERT_EQ((problem<without_fences<long_leaf<true, 100>>>(workers)), "") << workers << " workers";
      ASSERT_EQ((problem<without_fences<long_leaf<false, 3>>>(workers)), "") << workers << " workers";
      ASSERT_EQ((problem<without_fences<couple>>(workers)), "") << workers << " workers";
    }
  }
}

#endif

/// Each call puts one child and makes the other call itself; the child's result is not waited for. fib's shape without waits.
struct half_tree {
  platform::atomic<std::uint64_t>* calls;
  unsigned n;

  static void enter(worker& current, void* block) {
    const half_tree self = *static_cast<half_tree*>(block);
    head(current).operations->release_argument(current, block);
    std::uint64_t own_calls = 0;
    self.descend(current, self.n, own_calls);
    self.calls->fetch_add(own_calls, platform::relaxed);
  }

  void descend(worker& current, unsigned level, std::uint64_t& own_calls) const {
    ++own_calls;
    for (; level >= 2; --level, ++own_calls) {
      const worker_operations& team = *head(current).operations;
      team.put(current, {&enter, ::new (team.allocate_argument(current)) half_tree{calls, level - 2}});
    }
  }
};

TEST(default_pool, publishes_and_takes_back_seldom_and_never_alone) {
#ifndef TEFF_SIMULATED
  if (!platform::fence_everywhere()) GTEST_SKIP() << "every put publishes here";
#endif
  testing_support::on_this_side([] {
    for (const unsigned workers : {1u, 2u}) {
#ifdef TEFF_SIMULATED
      const unsigned n = 14;
      const std::uint64_t share = 10;  // of a tree that small
#else
      const unsigned n = 30;
      const std::uint64_t share = 100;
#endif
      findings found;
      platform::atomic<std::uint64_t> calls{0};
      script tasks;
      subject here(trial_of<split_deques<>, dressing::bare>, {.workers = workers}, found);
      step& root = tasks.add([&](worker& current) {
        half_tree::enter(current, ::new (head(current).operations->allocate_argument(current)) half_tree{&calls, n});
      });
      here.init(root);
      here.run();
      EXPECT_EQ(found.first(), "");
      const auto puts = here.value(trace::counter::puts);
      EXPECT_GT(puts, calls.load(platform::relaxed) / 4);
      const auto rare = here.value(trace::counter::publications) + here.value(trace::counter::reclaims);
      EXPECT_LE(rare * share, workers == 1 ? 0 : puts) << puts << " tasks, " << workers << " workers";
    }
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::conformance
