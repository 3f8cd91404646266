// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "fiber/carrier.h"
#include "queue/inbox.h"
#include "queue/lane.h"
#include "task/worker.h"
#include "worker/idle/sleepers.h"
#include "worker/return_slot.h"

#include <cstdint>

namespace TEFF_NAMESPACE::workers {

class team_base;
struct guest;

/// A worker as its team sees it.
///
/// | field             | written by                          | read by                          |
/// |-------------------|-------------------------------------|----------------------------------|
/// | created, finished | the worker                          | idle workers (double pass), stats|
/// | word              | the worker and those who wake it    | the same                         |
/// | mailbox           | anybody                             | the worker                       |
/// | returning         | anybody                             | the worker                       |
/// | kept              | the worker                          | those who wake it                |
/// | calls             | who calls it into a run; its thread | its thread                       |
/// | watches           | who gives it the watch; its thread  | the same                         |
/// | searches          | the worker                          | who watches                      |
/// | balance           | the worker, when it leaves a run    | idle workers, in the next        |
/// | calls_seen        | its thread                          | its thread                       |
/// | is_new            | its thread; the worker              | the worker                       |
/// | slept_on          | the worker, before it sleeps; a guest | those who wake it              |
/// | home_slept_on     | its thread, before it sleeps        | those who may carry it           |
/// | lent              | a guest; its thread, that it waits  | the same                         |
/// | calls_elsewhere   | those who wake it                   | a guest                          |
/// | end_of_loop, ends_loop | the worker                     | the worker                       |
/// | carried_by        | a guest                             | the worker                       |
/// | has_turn          | the last to sleep, before it wakes  | the worker                       |
struct alignas(cache_line_bytes) member : worker {
  member(const worker_operations& operations, unsigned id, std::uint64_t seed, team_base& its_team, fibers::host& home)
      : worker(operations, id, seed), team(its_team), own_carrier(*this, home) {
    carrier = &own_carrier;
    mark = &own_mark;
  }

  /// Tasks that this worker finished since the team exists. [finished] release: a reader of the value sees all that these tasks
  /// created (idle/README.md).
  platform::atomic<std::uint64_t> finished{0};
  platform::atomic<std::uint64_t> balance{0};  ///< created, less finished, when it left its last run

  team_base& team;
  fibers::carrier own_carrier;
  platform::process_mark own_mark;
  started begun;  ///< of the task that begins next on another fiber of this worker

  alignas(cache_line_bytes) sleepers::word word{sleepers::awake};
  /// The worker is idle on the stack of a task that waits, for want of another one: it can run little of what there is.
  platform::atomic<bool> kept{false};
  platform::atomic<bool> searches{false};  ///< it is awake and has no task
  /// How often another thread began and ended to carry the worker, whose own one sleeps; and whether that one waits here
  /// (idle.cpp).
  platform::atomic<std::uint32_t> lent{0};
  platform::atomic<std::uint32_t> calls_elsewhere{0};  ///< of that other thread, where it sleeps
  queue::inbox::node end_of_loop;                      ///< lies in the mailbox while ends_loop: of guest::end_loop
  bool ends_loop = false;
  guest* carried_by = nullptr;                         ///< that other thread
  bool has_turn = false;                   ///< woken to look while all others sleep, and is to leave them asleep
  return_slot returning;                   ///< open while the worker looks for work
  queue::inbox mailbox;                    ///< tasks that only this worker may run
  platform::thread thread;

  alignas(cache_line_bytes) sleepers::word calls{0};  ///< into runs, while it takes part in none (idle/participants.h)
  std::uint32_t calls_seen = 0;
  platform::atomic<bool> watches{false};  ///< it is to take part when it is time for one more
  bool is_new = false;                    ///< it has found no task yet in this run
  platform::statistic slept_on;           ///< the processor on which it went to sleep last: a hint
  platform::statistic home_slept_on;      ///< that on which its own thread did, whoever carries the worker: likewise

  /// What worker_head::tasks is in most pools. Each worker has its own, as joins write to it when they look there in vain.
  queue::lane no_tasks;
};

}  // namespace TEFF_NAMESPACE::workers
