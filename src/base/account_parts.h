// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a worker's time is divided into: the one list of parts. src/trace/README.md says exactly what belongs to which, and how
/// it is found, natively and in simulation.
#pragma once

#include "base/namespace.h"

#include <cstddef>
#include <cstdint>

namespace TEFF_NAMESPACE {

/// name, what it is; each moment of each worker belongs to one part
#define TEFF_ACCOUNT_PARTS(X)                                                                                 \
  X(own_work, "the program's own work; natively with its memory")                                             \
  X(own_memory, "in simulation: the program's accesses to memory, waits for lines that others hold included") \
  X(put_get, "putting, getting, joining and counting tasks")                                                  \
  X(lock_wait, "waiting for a lock that somebody else held, and waking who waits for one")                    \
  X(stealing, "looks into other workers' queues that brought tasks")                                          \
  X(searching_beside_tasks, "awake without a task, while others had tasks waiting")                           \
  X(searching_alone, "awake without a task, while none was waiting")                                          \
  X(parked, "asleep for want of a task, the way into sleep included")                                         \
  X(parked_beside_tasks, "in simulation: asleep, while at least one task was waiting")                        \
  X(waking, "waking idle workers")                                                                            \
  X(being_woken, "called to work or to a run, and not running yet")                                           \
  X(system_memory, "memory from the system and back, first touches of its pages in simulation")               \
  X(without_processor, "natively: with work to do, while the system gave the processor to another thread")    \
  X(fibers, "making stacks, and setting tasks aside and going on with them")                                  \
  X(outside_runs, "before a run, behind it and between two, or without a part in one: for worker 0 the program's own time")

enum class account_part : std::uint8_t {
#define TEFF_ACCOUNT_PART_NAME(name, what) name,
  TEFF_ACCOUNT_PARTS(TEFF_ACCOUNT_PART_NAME)
#undef TEFF_ACCOUNT_PART_NAME
};

inline constexpr unsigned account_part_count = 0
#define TEFF_ACCOUNT_PART_ONE(name, what) +1
    TEFF_ACCOUNT_PARTS(TEFF_ACCOUNT_PART_ONE)
#undef TEFF_ACCOUNT_PART_ONE
    ;

/// One line of the list, for those who print it.
struct account_part_description {
  const char* name;
  const char* what;
};
inline constexpr account_part_description account_part_descriptions[account_part_count] = {
#define TEFF_ACCOUNT_PART_LINE(name, what) {#name, what},
    TEFF_ACCOUNT_PARTS(TEFF_ACCOUNT_PART_LINE)
#undef TEFF_ACCOUNT_PART_LINE
};

}  // namespace TEFF_NAMESPACE
