// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The simulator: runs a program on virtual processors of a described machine, in virtual time, on one thread of this one.
///
/// Idea: each thread of control of the program is a context with a clock of its own. At every shared access, park, wake, fence
/// (the scheduling points) a strategy decides which processor goes on; what the access costs is added to its clock. Everything
/// follows from the options: the same options give the same run, to the last event.
/// Limits: of plain memory only what is declared costs time (platform::touch), by virtual time; all accesses are sequentially
/// consistent, whatever order they ask for. See docs/design/simulator.md.
#pragma once

#include "sim/machine_description.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::sim {

/// Who goes on at a scheduling point.
enum class strategy : std::uint8_t {
  virtual_time,  ///< the processor whose clock is earliest: predicts times
  random,        ///< any one, drawn from the seed: finds bugs that need several unlikely switches
  pct,           ///< the one of highest random priority, with few changes: finds bugs of a known depth with known probability
  replay,        ///< as recorded
  exhaustive,    ///< each possible one in turn: through explore() of exhaustive.h
};

class schedule_search;

struct options {
  /// Processors of the machine, 1–1,024. More threads than that may run; each has a processor of its own then, and those that
  /// share a place share its cache.
  unsigned processors_at_most = 8;
  machine_description machine = {};
  sim::strategy strategy = sim::strategy::virtual_time;
  std::uint64_t seed = 1;
  /// By virtual time: what draws how this run differs from the machine as it is described (see variation.h); 0: in nothing.
  std::uint64_t variation = 0;
  /// Random: a processor is left with probability 1 / period at a scheduling point; 0: the seed chooses 1, 2, 4, 8 or 16.
  unsigned random_switch_period = 0;
  /// PCT: how many ordering constraints a bug may need to be found (depth d has d − 1 changes of priority) …
  unsigned pct_depth = 3;
  /// … among that many scheduling points.
  std::uint64_t pct_length = 2'000;
  /// Random and PCT: one of so many parks returns early, as futexes may; 0: none does.
  unsigned spurious_wakeup_period = 32;
  /// More scheduling points than that without progress() are a livelock. It holds for up to 100 threads, and grows with the
  /// square of their number beyond: while one starts, wakes or joins all others in turn, each of these takes steps.
  std::uint64_t steps_without_progress_at_most = 20'000'000;
  bool record = false;                ///< keep the choices, for replay
  std::vector<std::uint32_t> replay;  ///< what an earlier outcome recorded; ends early: virtual time goes on from there
  /// Exhaustive: how often processors are left that could go on, in one schedule …
  std::uint32_t preemptions_at_most = ~std::uint32_t{0};
  /// … how many schedules are run, and where the search stands (explore sets it).
  std::uint64_t schedules_at_most = 2'000'000;
  schedule_search* search = nullptr;
  /// The run is meant to end in deadlock or livelock: what its processors still own then is no leak to report.
  bool expects_failure = false;
  std::size_t stack_bytes = 1 << 20;  ///< for each virtual processor; only touched pages cost memory
};

/// What a recording of a run by virtual time begins with, before its choices: replayed, plain memory takes time as it did then.
/// A recording that is empty is replayed by virtual time, too: of another strategy it is of a run that came to no scheduling
/// point, in which plain memory could change nothing but the clock.
inline constexpr std::uint32_t by_virtual_time = ~std::uint32_t{0};

struct outcome {
  enum class end : std::uint8_t {
    finished,
    deadlock,  ///< no processor can run: each waits for another
    livelock,  ///< many steps without progress()
    unjoined,  ///< the body returned while threads that it started were not joined
  };

  end how = end::finished;
  std::string report;         ///< empty if finished; else who waits for what since when, and the line that replays the run
  std::uint64_t events = 0;   ///< simulated operations
  std::uint64_t hash = 0;     ///< over every event: processor, operation, line, clock
  std::uint64_t time_ns = 0;  ///< the latest clock
  std::vector<std::uint32_t> choices;  ///< if options.record
  std::size_t leftover_blocks = 0;     ///< of system_allocate, not released when the body returned
  bool diverged = false;               ///< replay: a recorded choice was not possible

  bool ok() const { return how == end::finished; }
};

/// Whether it is a run by virtual time, or the replay of one.
inline bool is_by_virtual_time(const options& wanted) {
  if (wanted.strategy != strategy::replay) return wanted.strategy == strategy::virtual_time;
  return wanted.replay.empty() || wanted.replay.front() == by_virtual_time;
}

/// Effect: runs `body` as virtual processor 0; threads that it starts are further processors.
/// Errors: an exception that escapes the body is rethrown; one that escapes a thread ends the program. std::bad_alloc, if memory
///   is refused for what the simulator keeps: the run was abandoned where it was.
/// Threads: one thread of the process at a time, not from inside a body. Processors that are abandoned (after a deadlock, a
/// livelock, unjoined threads) are not unwound: what they own is lost.
outcome simulate(const options& wanted, const std::function<void()>& body);

}  // namespace TEFF_NAMESPACE::sim
