// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a task that waits costs in memory, on each pool, and that the memory of those that have run is used again.
#include "helpers.h"

#include "platform/tuning.h"

namespace TEFF_NAMESPACE::testing_runtime {
namespace {

/// Effect: a task puts so many, all of which wait at once. Returns: what was counted.
statistics after_wave(team& on, unsigned tasks) {
  on.reset_stats();
  on.init([tasks](context& here) {
    struct {
      std::uint64_t words[4] = {};
    } const closure;  // too large for a slot
    for (unsigned task = 0; task < tasks; ++task) here.put([closure](context&) { static_cast<void>(closure); });
  });
  on.run();
  return on.stats();
}

/// While it exists, simulated teams have what real ones have.
struct real_constants {
#ifdef TEFF_SIMULATED
  real_constants() { tuning::small = false; }
  ~real_constants() { tuning::small = true; }
#endif
};

#ifndef TEFF_SMALL_CONSTANTS  // by which the default pool bounds its tasks to so few that its arrays are what counts
TEST(waiting_tasks, take_the_memory_that_the_catalogue_says) {
  [[maybe_unused]] const real_constants in_scope;
  // As many as an array has room for after its last growth, and few enough for the default pool's bound.
  constexpr unsigned tasks = 4'096;
  for (const pool_line& pool : list_pools()) {
    on_this_side(1, [&] {
      team tested({.pool = pool.name, .workers = 1});
      const statistics seen = after_wave(tested, tasks);
      const double measured = static_cast<double>(seen.peak_bytes) / static_cast<double>(seen.peak_live_tasks);
      // The initial task, a chunk that is not used up, a block that has begun.
      EXPECT_NEAR(measured, pool.waiting_task_bytes, 1.5) << pool.name;
    });
  }
}
#endif

TEST(waiting_tasks, leave_their_memory_to_those_that_come_after_them) {
  constexpr unsigned tasks = 2'000;
  for (const std::string& pool : pool_names()) {
    on_this_side(1, [&] {
      team tested({.pool = pool, .workers = 1});
      const std::uint64_t once = after_wave(tested, tasks).peak_bytes;
      for (unsigned wave = 0; wave < 5; ++wave) {
        EXPECT_EQ(after_wave(tested, tasks).peak_bytes, once) << pool << ": another wave of as many tasks takes more memory";
      }
    });
  }
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_runtime
