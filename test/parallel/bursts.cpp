// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tasks that one task puts at a stroke, and that its worker then takes one by one: it shows the rest to who asks, though it puts
/// no more. Simulated only: by virtual time, with the constants of programs.
#include "scene.h"

#include "sim/sim.h"

namespace TEFF_NAMESPACE::testing_parallel {
namespace {

/// Returns: how long, in ns, so many workers take for forty tasks of 20,000 cycles each.
template <class Put>
std::uint64_t time_of_burst(unsigned workers, Put put) {
  std::uint64_t begun = 0, ended = 0;
  sim::options options;
  options.processors_at_most = workers;
  options.strategy = sim::strategy::virtual_time;
  const real_constants in_scope;
  const sim::outcome outcome = sim::simulate(options, [&] {
    team tested({.workers = workers});
    tested.init([&](context& here) {
      begun = platform::now_ns();
      put(here, 40, [](context&) { platform::charge(20'000); });
    });
    tested.run();
    ended = platform::now_ns();
  });
  EXPECT_TRUE(outcome.ok()) << outcome.report;
  return ended - begun;
}

template <class Put>
void expect_shared(Put put) {
  const std::uint64_t alone = time_of_burst(1, put), together = time_of_burst(2, put);
  EXPECT_LT(10 * together, 6 * alone) << alone << " ns alone, " << together << " by two";
}

TEST(bursts, are_shared_by_who_runs_them_in_its_loop) {
  expect_shared([](context& here, unsigned tasks, auto task) {
    for (unsigned each = 0; each < tasks; ++each) here.put(task);
  });
}

TEST(bursts, are_shared_by_who_runs_them_in_its_wait) {
  expect_shared([](context& here, unsigned tasks, auto task) {
    task_group all;
    for (unsigned each = 0; each < tasks; ++each) all.put(here, task);
    all.wait(here);
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_parallel
