// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Pools that give a task to one worker, or to some, and say so in their advice: one of these is woken, and with anybody else
/// woken in its place the run stands still. Tasks that come together are put together.
#include "script.h"

#include "pool/catalogue.h"
#include "pool/wrap/wrapped.h"
#include "runtime/make_team.h"
#include "test/support/sides.h"
#include "worker/loop.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::conformance {
namespace {

/// A queue for every `Width` workers, filled in turn; nobody takes from another one. `Names`: the advice says whose it is.
template <unsigned Width, bool Names = true>
class in_turn {
 public:
  static constexpr pool::pool_traits traits{.uses = {"wake"}, .suspends_waiters = true};

  explicit in_turn(const pool::environment& from) : workers_(from.workers), queues_((from.workers + Width - 1) / Width) {}

  pool::advice init(worker&, task ready) { return give(std::span<const task>(&ready, 1)); }
  pool::advice put(worker&, task ready) { return give(std::span<const task>(&ready, 1)); }
  pool::advice inject(std::span<const task> ready) { return give(ready); }
  pool::get_result get(worker& current, task& next, pool::reach) {
    return pool::get_result::of(queues_[current.id / Width].pop(next));
  }
  template <class Predicate>
  pool::get_result take(worker& current, Predicate wanted, task& taken, pool::reach) {
    return pool::get_result::of(queues_[current.id / Width].take_if(wanted, taken));
  }
  pool::pool_statistics statistics() const { return {}; }
  void reset_statistics() {}

  /// How many tasks came at once, at most.
  std::size_t most_at_once() const { return most_at_once_.value(); }

 private:
  pool::advice give(std::span<const task> ready) {
    const unsigned turn = turn_.fetch_add(1, platform::relaxed) % static_cast<unsigned>(queues_.size());  // orders nothing
    if (ready.size() > most_at_once_.value()) most_at_once_.set(ready.size());
    if (!queues_[turn].push(ready)) return pool::advice::refused;
    if (!Names) return pool::advice::wake_one;
    return {pool::advice::wake_one, turn * Width, std::min(workers_, (turn + 1) * Width)};
  }

  const unsigned workers_;
  std::vector<queue::inbox> queues_;
  platform::atomic<unsigned> turn_{0};
  platform::statistic most_at_once_;  ///< of one thread in the test that asks
};

template <class Pool>
std::unique_ptr<workers::team_of<Pool>> make_team(unsigned workers) {
  const workers::team_shape shape{
      .workers = workers, .seed = 1, .pin = {}, .argument_bytes = 64, .wake = {}, .wait = pool::wait_policy::park};
  return std::make_unique<workers::team_of<Pool>>(
      shape, pool::settings{}, [](unsigned real, std::size_t bytes) { return runtime::make_memory("dlf", real, bytes, 64); },
      [](const pool::environment& from) { return Pool(from); });
}

/// A tree, in which each task puts its children in turn to whoever's turn it is; another thread injects some at once.
template <class Pool>
std::string run_tree(unsigned workers) {
  script tasks;  // before the team, which disposes of what never ran
  step& root = tasks.add_tree(5, 3);
  const auto on = make_team<Pool>(workers);
  std::vector<task> together;
  for (int each = 0; each < 5; ++each) together.push_back(tasks.add().as_task());
  on->init(root.as_task());
  on->open_source();
  struct injection {
    workers::team_of<Pool>& on;
    std::vector<task>& together;
    bool accepted = false;
  } injecting{*on, together};
  platform::thread outside;
  const bool started = outside.start(
      [](void* self) {
        auto& how = *static_cast<injection*>(self);
        how.accepted = how.on.inject(how.together);
        how.on.close_source();
      },
      &injecting, {});
  EXPECT_TRUE(started);
  const auto ended = on->run();
  outside.join();
  EXPECT_TRUE(injecting.accepted);
  if (ended != workers::run_result::finished) return "the run is stuck";
  EXPECT_EQ(on->totals().counters[static_cast<unsigned>(trace::counter::injections)], 5u);
  return tasks.not_run(1);
}

/// Under several schedules in simulation. Returns: the first problem.
template <class Pool>
std::string problem_of(unsigned workers) {
#ifdef TEFF_SIMULATED
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    sim::options options;
    options.processors_at_most = workers + 1;
    options.strategy = sim::strategy::random;
    options.seed = seed;
    options.expects_failure = true;
    std::string problem;
    const sim::outcome ended = sim::simulate(options, [&] { problem = run_tree<Pool>(workers); });
    if (!ended.ok()) return ended.report;
    if (!problem.empty()) return problem;
  }
  return {};
#else
  std::string problem;
  for (int round = 0; round < 20 && problem.empty(); ++round) problem = run_tree<Pool>(workers);
  return problem;
#endif
}

TEST(placed, one_worker_or_one_of_some_is_woken_for_a_task_of_theirs) {
  for (const unsigned workers : {1u, 2u, 5u}) {
    EXPECT_EQ(problem_of<in_turn<1>>(workers), "") << workers << " workers";
    EXPECT_EQ(problem_of<in_turn<2>>(workers), "") << workers << " workers";
  }
}

#ifdef TEFF_SIMULATED
TEST(placed, with_anybody_woken_in_their_place_the_run_stands_still) {
  EXPECT_NE((problem_of<in_turn<1, false>>(5)), "");
  EXPECT_NE((problem_of<in_turn<2, false>>(5)), "");
}
#endif

/// The same with the pools of the catalogue that place their tasks so.
struct calls_any_sleeper : pool::parts::shepherd_rules {
  static constexpr bool names_whom_to_wake = false;
};

TEST(placed, the_workers_of_q_and_l_are_woken_for_their_tasks) {
  EXPECT_EQ(problem_of<pool::q>(5), "");
  EXPECT_EQ(problem_of<pool::l>(5), "");
}

#ifdef TEFF_SIMULATED
TEST(placed, q_stands_still_with_any_sleeper_woken) {
  using faulty =
      pool::shepherds<pool::parts::shared_by::worker, pool::placement::in_turn, queue::lock_free_fifo, calls_any_sleeper>;
  EXPECT_NE(problem_of<faulty>(5), "");
}
#endif

TEST(placed, what_comes_together_is_put_together) {
  testing_support::on_this_side([] {
    const auto on = make_team<in_turn<1>>(2);
    script tasks;
    std::vector<task> together;
    for (int each = 0; each < 4; ++each) together.push_back(tasks.add().as_task());
    on->open_source();
    EXPECT_TRUE(on->inject(together));
    EXPECT_EQ(on->pool().most_at_once(), 4u);
    on->close_source();
    EXPECT_EQ(on->run(), workers::run_result::finished);
    EXPECT_EQ(tasks.not_run(1), "");
  });
}

TEST(placed, of_several_tasks_all_come_or_none) {
  testing_support::on_this_side([] {
    const auto on = make_team<pool::sq1>(1);
    script tasks;
    std::vector<task> together;
    for (int each = 0; each < 4; ++each) together.push_back(tasks.add().as_task());
    on->open_source();
    {
      const testing_support::memory_runs_out planted(2);
      EXPECT_FALSE(on->inject(together));
    }
    on->close_source();
    EXPECT_EQ(on->run(), workers::run_result::finished);
    EXPECT_EQ(tasks.not_run(0), "");
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::conformance
