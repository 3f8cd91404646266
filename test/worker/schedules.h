// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Small programs on a team with given steps of the idle protocol, and the first random schedule under which one goes wrong.
#pragma once

#include "script.h"

#include "runtime/make_team.h"
#include "sim/sim.h"
#include "test/support/workers.h"
#include "worker/loop.h"

#include <cstdint>
#include <string>

namespace TEFF_NAMESPACE::conformance {

template <class Pool, class Rules>
workers::team_of<Pool, Rules> some_workers(unsigned count = 2) {
  const workers::team_shape shape{
      .workers = count, .seed = 1, .pin = {}, .argument_bytes = 64, .wake = {}, .wait = pool::wait_policy::park};
  return workers::team_of<Pool, Rules>(
      shape, pool::settings{},
      [](unsigned workers, std::size_t task_block_bytes) { return runtime::make_memory("dlf", workers, task_block_bytes, 64); },
      [](const pool::environment& from) { return Pool(from); });
}

/// Effect: a run; then looks whether it ended well and not before all tasks had run.
inline void run_once(workers::team_base& on, const script& tasks, std::string& wrong) {
  if (on.run() != workers::run_result::finished) wrong = "the run is stuck";
  else wrong = tasks.not_run(1);
}

/// Effect: a run, and meanwhile(), on another thread, with a source open.
template <class Meanwhile>
void run_beside(workers::team_base& on, const script& tasks, std::string& wrong, Meanwhile meanwhile) {
  on.open_source();
  testing_support::run_on_each(2, [&](unsigned me) {
    if (me == 0) return run_once(on, tasks, wrong);
    meanwhile();
    on.close_source();
  });
}

/// One task puts three; meanwhile another thread injects one and closes its source.
struct injection {
  template <class Pool, class Rules>
  static void play(std::string& wrong) {
    script tasks;
    step& injected = tasks.add();
    step& root = tasks.add_tree(2, 3);
    auto on = some_workers<Pool, Rules>();
    on.init(root.as_task());
    run_beside(on, tasks, wrong, [&] { on.inject(injected.as_task()); });
  }
};

/// A task puts another one and waits until it has run: on the second worker, as the first one is waiting.
struct dependence {
  template <class Pool, class Rules>
  static void play(std::string& wrong) {
    script tasks;
    platform::atomic<std::uint32_t> ran{0};
    step& child = tasks.add([&](worker&) {
      ran.store(1, platform::release);
      platform::wake_all(ran);
    });
    step& root = tasks.add([&](worker& current) {
      put(current, child);
      while (ran.load(platform::acquire) == 0) platform::park(ran, 0, "a task: its child");
    });
    auto on = some_workers<Pool, Rules>();
    on.init(root.as_task());
    run_once(on, tasks, wrong);
  }
};

struct finding {
  std::uint64_t schedule = 0;  ///< the first that found something; 0: none did
  std::string what;
};

/// Effect: random schedules until one finds something.
template <class Scenario, class Pool, class Rules>
finding first_finding(std::uint64_t schedules_at_most) {
  for (std::uint64_t seed = 1; seed <= schedules_at_most; ++seed) {
    sim::options options;
    options.processors_at_most = 4;
    options.strategy = sim::strategy::random;
    options.seed = seed;
    options.expects_failure = true;
    options.steps_without_progress_at_most = 200'000;  // a run takes some thousand
    std::string wrong;
    const sim::outcome ended = sim::simulate(options, [&] { Scenario::template play<Pool, Rules>(wrong); });
    if (!ended.ok()) return {seed, ended.report};
    if (!wrong.empty()) return {seed, wrong};
  }
  return {};
}

}  // namespace TEFF_NAMESPACE::conformance
