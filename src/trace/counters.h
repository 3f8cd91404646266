// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What every worker counts, always. One list: the command line, the JSON records and the documentation read it.
#pragma once

#include "base/cache_line.h"
#include "platform/platform.h"

#include <cstdint>

namespace TEFF_NAMESPACE::trace {

/// name, what it counts; the team's value is the sum over its workers
#define TEFF_COUNTERS(X)                                                                                                        \
  X(tasks_run, "tasks executed")                                                                                                \
  X(puts, "tasks put by running tasks")                                                                                         \
  X(inits, "tasks put in the initialisation phase")                                                                             \
  X(injections, "tasks put from outside the team")                                                                              \
  X(local_gets, "tasks run that came to the loop neither by a steal nor from outside")                                          \
  X(steal_attempts, "looks into another worker's queue")                                                                        \
  X(steals_got, "steal attempts that brought tasks")                                                                            \
  X(steals_empty, "steal attempts that found the queue empty")                                                                  \
  X(steals_lost, "steal attempts that saw tasks and then got none, or found the lock taken")                                    \
  X(tasks_stolen, "tasks that came by stealing")                                                                                \
  X(steal_distance, "domains crossed by successful steals")                                                                     \
  X(steals_on_chip, "successful steals within a domain")                                                                        \
  X(steals_remote, "successful steals from another domain")                                                                     \
  X(victim_locks, "acquisitions of a victim's lock by thieves of ws and mts")                                                   \
  X(reached_by_waits, "tasks that a wait took past the pool's rules: from others' queues, of q, l, ws and mts")                 \
  X(publications, "private tasks made available to others")                                                                     \
  X(reclaims, "times a worker took back tasks that it had made available")                                                      \
  X(forced, "private tasks of others made available by force")                                                                  \
  X(searches, "times a worker found nothing to do")                                                                             \
  X(parks, "times an idle worker parked")                                                                                       \
  X(wakes, "wake-ups sent to parked or sleepy workers")                                                                         \
  X(in_place_for_memory, "tasks run at once, before their creators go on, because memory for them was refused")                 \
  X(run_first, "tasks run at once, before their creators go on, because a worker's tasks had reached their bound")              \
  X(beyond_bound, "tasks put beyond that bound by creators that could not be set aside")                                        \
  X(suspensions, "tasks that were set aside until what they waited for came")                                                   \
  X(calls_outside, "calls during which another thread carried the worker")                                                      \
  X(in_place_runs, "children that a waiting task ran on its own stack")                                                         \
  X(exceptions, "exceptions that tasks let escape")                                                                             \
  X(queue_lock_waits, "acquisitions of a queue's lock that had to wait")                                                        \
  X(overflows, "arrays linked on because the stated size was used up, since the pool was made")                                 \
  X(system_allocations, "blocks requested from the system by the memory manager")                                               \
  X(system_bytes, "bytes requested from the system by the memory manager")                                                      \
  X(central_locks, "acquisitions of a lock on a central free list")                                                             \
  X(list_visits, "looks at a free list")                                                                                        \
  X(spun_ns, "time that tasks spun at locks, barriers and the like, which kept their workers (natively by a clock of some ms)") \
  X(queue_access_ns, "in simulation: time at run queues, waiting for their locks included")                                     \
  X(lines_from_own, "in simulation: lines of memory that tasks declared, found in the worker's own cache")                      \
  X(lines_from_domain, "in simulation: such lines from another cache of the domain")                                            \
  X(lines_from_others, "in simulation: such lines from a cache of another domain")                                              \
  X(lines_from_memory, "in simulation: such lines from memory")                                                                 \
  X(lines_from_far_memory, "in simulation: of these, from memory that is not the nearest")

enum class counter : unsigned {
#define TEFF_COUNTER_NAME(name, what) name,
  TEFF_COUNTERS(TEFF_COUNTER_NAME)
#undef TEFF_COUNTER_NAME
};

inline constexpr unsigned counter_count = 0
#define TEFF_COUNTER_ONE(name, what) +1
    TEFF_COUNTERS(TEFF_COUNTER_ONE)
#undef TEFF_COUNTER_ONE
    ;

/// One line of the list, for those who print it.
struct counter_description {
  const char* name;
  const char* what;
};
inline constexpr counter_description counter_descriptions[counter_count] = {
#define TEFF_COUNTER_LINE(name, what) {#name, what},
    TEFF_COUNTERS(TEFF_COUNTER_LINE)
#undef TEFF_COUNTER_LINE
};

/// Counters of one worker, in lines of its own. Written by that worker alone; read by others at any time: exact when the team
/// is idle, a snapshot while it runs.
class alignas(cache_line_bytes) counters {
 public:
  void add(counter which, std::uint64_t amount = 1) { cells_[static_cast<unsigned>(which)].add(amount); }
  std::uint64_t value(counter which) const { return cells_[static_cast<unsigned>(which)].value(); }
  void clear() {
    for (auto& cell : cells_) cell.clear();
  }

 private:
  platform::statistic cells_[counter_count];
};

}  // namespace TEFF_NAMESPACE::trace
