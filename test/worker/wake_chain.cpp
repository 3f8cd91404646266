// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One wake-up stands for several tasks: a woken worker that finds one wakes the next. Without that, a put into a queue that is
/// not empty, which wakes nobody, leaves its task to workers that are busy already. Simulated only.
#include "script.h"

#include "pool/catalogue.h"
#include "runtime/make_team.h"
#include "sim/sim.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>

namespace TEFF_NAMESPACE::conformance {
namespace {

/// A wake-up must have come through in each of these.
constexpr std::uint64_t schedules = 300;

/// One task puts three at once, when the other workers sleep; all four keep their workers until the last has begun.
template <class Pool>
std::string put_together(unsigned workers) {
  const workers::team_shape shape{.workers = workers,
                                  .seed = 1,
                                  .pin = {},
                                  .argument_bytes = 64,
                                  .wake = pool::wake_policy::empty_queue,
                                  .wait = pool::wait_policy::park};
  workers::team_of<Pool> on(
      shape, pool::settings{},
      [](unsigned count, std::size_t task_block_bytes) { return runtime::make_memory("dlf", count, task_block_bytes, 64); },
      [](const pool::environment& from) { return Pool(from); });
  platform::atomic<std::uint32_t> begun{0};
  const auto meet = [&] {
    const std::uint32_t now = begun.fetch_add(1, platform::acq_rel) + 1;
    if (now == workers) return platform::wake_all(begun);
    for (std::uint32_t seen = now; seen < workers; seen = begun.load(platform::acquire))
      platform::park(begun, seen, "a task: the others on workers of their own");
  };
  script tasks;
  for (unsigned other = 1; other < workers; ++other) tasks.add([&](worker&) { meet(); });
  step& root = tasks.add([&](worker& current) {
    platform::charge(100'000);  // the others are asleep
    for (unsigned other = 0; other + 1 < workers; ++other) put(current, tasks[other]);
    meet();
  });
  on.init(root.as_task());
  if (on.run() != workers::run_result::finished) return "the run is stuck";
  return tasks.not_run(1);
}

template <class Pool>
void expect_all_awake(const char* name) {
  for (std::uint64_t seed = 1; seed <= schedules; ++seed) {
    sim::options options;
    options.processors_at_most = 5;
    options.strategy = sim::strategy::random;
    options.seed = seed;
    std::string wrong;
    const sim::outcome ended = sim::simulate(options, [&] { wrong = put_together<Pool>(4); });
    ASSERT_TRUE(ended.ok()) << name << ", seed " << seed << "\n" << ended.report;
    ASSERT_EQ(wrong, "") << name << ", seed " << seed;
  }
}

TEST(wake_chain, each_of_the_tasks_that_one_wake_up_stands_for_finds_a_worker) {
  expect_all_awake<pool::sq1>("sq1");
  expect_all_awake<pool::sq4>("sq4");
}

TEST(wake_chain, of_more_than_64_workers) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    sim::options options;
    options.processors_at_most = 140;
    options.strategy = sim::strategy::random;
    options.seed = seed;
    options.expects_failure = true;
    options.steps_without_progress_at_most = 20'000'000;
    std::string wrong;
    const sim::outcome ended = sim::simulate(options, [&] { wrong = put_together<pool::sq1>(130); });
    ASSERT_TRUE(ended.ok()) << "seed " << seed << "\n" << ended.report.substr(0, 300);
    ASSERT_EQ(wrong, "") << "seed " << seed;
  }
}

}  // namespace
}  // namespace TEFF_NAMESPACE::conformance
