// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Stacks that the system refuses, planted.
#pragma once

#include "scene.h"

#include "platform/stack_supply.h"

#include <cstdint>

namespace TEFF_NAMESPACE::testing_sync {

/// After so many requests for stacks each further one is refused, for a scope.
struct planted_refusal {
  explicit planted_refusal(std::int64_t requests_until_refusal) { platform::stack_supply::plan_refusal(requests_until_refusal); }
  ~planted_refusal() { end(); }
  planted_refusal(const planted_refusal&) = delete;
  planted_refusal& operator=(const planted_refusal&) = delete;

  static void end() { platform::stack_supply::plan_refusal(-1); }
};

/// Effect: as in_a_task, but only `given` workers get a stack to begin with. In the task there are enough again.
inline void in_a_task_given(std::int64_t given, const team_options& options, unsigned seeds,
                            const std::function<void(context&)>& body) {
  const auto once = [&] {
    team tested(options);
    platform::atomic<unsigned> begun{0};
    // One for each worker: each waits for all, so that each worker has begun, with a stack or without, before there are more.
    const unsigned workers = tested.workers();
    const auto await_all = [&] {
      begun.fetch_add(1, platform::acq_rel);
      platform::spin_until(begun, [workers](unsigned all) { return all == workers; }, "all workers");
    };
    for (unsigned worker = 1; worker < workers; ++worker) tested.init([&](context&) { await_all(); });
    tested.init([&](context& here) {
      await_all();
      planted_refusal::end();
      body(here);
    });
    const planted_refusal refusal(given);
    tested.run();
  };
  SCOPED_TRACE("pool " + options.pool + ", given " + std::to_string(given));
  on_random_schedules(options.workers + 8, seeds, once);
}

}  // namespace TEFF_NAMESPACE::testing_sync
