// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the threads of small OpenMP programs do with each other: each construct alone, and those that meet. A scene is right if
/// it ends, and says so of everything it has counted.
#pragma once

#include "platform/platform.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

namespace TEFF_NAMESPACE::testing_openmp {

struct scene {
  std::string_view name;
  unsigned members;
  void (*play)(unsigned members);
  /// The tasks themselves wait for one another, which the library does not see: on pools with private tasks they may do so for
  /// ever.
  bool tasks_await_tasks = false;
  bool cancels = false;  ///< OMP_CANCELLATION is true
  /// In simulation it is played with the constants of programs, by virtual time: of what is right in any case, and has to be soon.
  bool takes_time = false;

  bool is_for(std::string_view pool) const {
    if (pool == "q" || pool == "l") return std::find(std::begin(in_turn), std::end(in_turn), name) != std::end(in_turn);
    return !tasks_await_tasks || pool != "dq8";
  }

  /// Those of waits for tasks, which are also for pools that put tasks with others in turn, and of which no task spins for others.
  static constexpr std::string_view in_turn[] = {
      "a_tree_of_tasks", "trees_among_others",        "taskgroups",             "taskgroups_of_one",        "more_tasks_than_wait",
      "yields",          "the_scheduling_constraint", "a_lock_over_a_taskwait", "a_lock_and_grandchildren", "a_wavefront_of_tasks",
      "waits_for_some"};
};

std::span<const scene> scenes();

/// The pools that scenes are played on: the default one, a central queue with and without an order of its own, distributed ones
/// with stealing, and with private tasks; and those that put tasks with others in turn.
inline constexpr const char* pools[] = {"teff", "sq1", "sq4", "dq5", "dq8", "q", "l"};

/// What a scene has found wrong first; nullptr: nothing. relaxed: it is read when the scene has ended.
inline constinit platform::atomic<const char*> found_wrong{nullptr};

inline void expect(bool holds, const char* otherwise) {
  if (!holds) found_wrong.store(otherwise, platform::relaxed);
}

using counter = platform::atomic<unsigned>;

// relaxed: a result is read behind a barrier or a wait, which order it.
inline unsigned read(const counter& of) { return of.load(platform::relaxed); }
inline void add(counter& to) { to.fetch_add(1, platform::relaxed); }
inline void raise(counter& flag) { flag.store(1, platform::release); }
/// As a program waits that the library knows nothing of.
inline void await(const counter& what, unsigned least = 1) {
  platform::spin_until(what, [least](unsigned now) { return now >= least; }, "the scene's own flag");
}

/// How a scene is played: in simulation `schedule` chooses everything else: the strategy, its seed, the number of processors, how
/// long members spin.
struct performance {
  const scene& what;
  const char* pool;
  std::uint64_t schedule = 1;
};

/// Effect: plays it, once natively. Returns: what went wrong; empty if nothing did.
std::string play(const performance& wanted);

#ifdef TEFF_SIMULATED
/// Effect: plays it under every schedule in which at most so many processors are left that could go on. Returns: what went wrong;
/// empty if nothing did.
std::string play_every_schedule(const scene& what, const char* pool, unsigned preemptions_at_most);
#endif

}  // namespace TEFF_NAMESPACE::testing_openmp
