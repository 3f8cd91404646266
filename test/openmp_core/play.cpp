// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scenes.h"

#include "compat/openmp/crowd.h"
#include "compat/openmp/icv.h"
#include "platform/tuning.h"

#ifdef TEFF_SIMULATED
#include "sim/exhaustive.h"
#include "sim/sim.h"
#endif

namespace TEFF_NAMESPACE::testing_openmp {

namespace {

/// Effect: the variables of OpenMP for a scene. Rounds: −1: as the library has it.
void set_variables(const performance& wanted, std::int64_t spin_rounds) {
  openmp::process_icvs& all = openmp::process();
  all.pool = wanted.pool;
  all.spin_rounds = spin_rounds;
  all.initial.threads = wanted.what.members;
  all.initial.active_levels = 8;
  all.cancellation = wanted.what.cancels;
  all.max_task_priority = 9;
  found_wrong.store(nullptr, platform::relaxed);
  openmp::threads_in_regions.begin_anew();  // a schedule that was given up may have left some
}

std::string what_was_wrong() {
  const char* const wrong = found_wrong.load(platform::relaxed);
  return wrong != nullptr ? wrong : "";
}

}  // namespace

#ifdef TEFF_SIMULATED

std::string play(const performance& wanted) {
  // Digits of one number, so that each choice meets all others.
  const std::uint64_t rounds = wanted.schedule % 3, crowded = wanted.schedule / 3 % 2, strategy = wanted.schedule / 6 % 4;
  constexpr std::int64_t spin_rounds[] = {-1, 0, 3};
  set_variables(wanted, spin_rounds[rounds]);
  sim::options options;
  // Crowded in one of two: then members give way to one another, and leave calls out.
  options.processors_at_most = crowded != 0 ? 2 : 2 * wanted.what.members;
  options.strategy = strategy < 3 ? sim::strategy::random : sim::strategy::pct;
  options.seed = wanted.schedule;
  options.steps_without_progress_at_most = 1'000'000;
  if (wanted.what.takes_time) {
    set_variables(wanted, -1);
    options.processors_at_most = wanted.what.members;
    options.strategy = sim::strategy::virtual_time;
    options.variation = wanted.schedule;
  }
  tuning::small = !wanted.what.takes_time;
  const sim::outcome ended = sim::simulate(options, [&] { wanted.what.play(wanted.what.members); });
  tuning::small = true;
  if (!ended.ok()) return ended.report;
  if (ended.leftover_blocks != 0) return std::to_string(ended.leftover_blocks) + " blocks of memory are left";
  return what_was_wrong();
}

std::string play_every_schedule(const scene& what, const char* pool, unsigned preemptions_at_most) {
  set_variables({what, pool}, 1);
  sim::options options;
  options.processors_at_most = what.members;
  options.preemptions_at_most = preemptions_at_most;
  const auto is_right = [] { return found_wrong.load(platform::relaxed) == nullptr; };
  const sim::exploration all = sim::explore(options, [&] { what.play(what.members); }, is_right);
  if (!all.failure.empty()) return all.failure + what_was_wrong();
  return all.complete ? "" : "not all schedules were played: " + std::to_string(all.schedules);
}

#else

std::string play(const performance& wanted) {
  set_variables(wanted, -1);
  // One in five is measured, as TEFF_STATS=1 does.
  openmp::process().stats = openmp::process().counts_regions = wanted.schedule % 5 == 0;
  // A thread of its own: at its end it gives back all that it kept for regions.
  platform::thread program;
  const auto body = [](void* what) {
    const scene& played = *static_cast<const scene*>(what);
    played.play(played.members);
  };
  if (!program.start(body, const_cast<scene*>(&wanted.what), {})) return "the system refuses a thread";
  program.join();
  return what_was_wrong();
}

#endif

}  // namespace TEFF_NAMESPACE::testing_openmp
