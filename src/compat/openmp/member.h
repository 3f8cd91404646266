// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A thread's place in a team.
#pragma once

#include "base/cache_line.h"
#include "compat/openmp/blocks.h"
#include "compat/openmp/engine.h"
#include "compat/openmp/icv.h"
#include "compat/openmp/node.h"
#include "compat/openmp/retired_nodes.h"
#include "compat/openmp/stats.h"
#include "compat/openmp/thefts.h"
#include "compat/openmp/wait_rounds.h"
#include "compat/openmp/workshare.h"
#include "platform/stack_bounds.h"
#include "task/worker.h"
#include "worker/idle/sleepers.h"

#include <cstddef>
#include <cstdint>

namespace TEFF_NAMESPACE::openmp {

struct team;
class os_thread;
class dependences;

/// A member of a team: a worker to the team's pool. Written by its own thread alone, but for `word`.
struct alignas(cache_line_bytes) member : worker {
  member(team& its_team, unsigned number);

  /// Effect: begins the implicit task. Threads: its own.
  void enter();
  /// Effect: this is its lane; nullptr: it has none. `orders`: the team has tasks with a priority. Threads: its own.
  void use(queue::lane* its_lane, bool orders) {
    lane = its_lane;
    unmeasured_lane = clock == nullptr ? its_lane : nullptr;
    if (!orders) first_look = its_lane;
  }

  team& in;
  node* running = nullptr;  ///< the innermost task, or taskgroup of it
  queue::lane* lane = nullptr;
  queue::lane* unmeasured_lane = nullptr;  ///< the lane, if it has one and no clock: one check for both
  queue::lane* first_look = nullptr;  ///< the lane, if it has one; nullptr, too, from when on it knows of tasks with a priority
  engine* pool = nullptr;
  std::uint64_t check_at = 0;        ///< the value of `created` at which it is looked whether a task may be put
  std::uint64_t bound_at = 0;        ///< … at which the bound on live tasks is part of that
  std::uint64_t ready_at = 0;        ///< … at which ready tasks may come before the next one with dependences
  std::uint32_t enough;              ///< tasks in its own queue, for all members; one fewer while a task of a barrier runs
  unsigned nested = 0;               ///< tasks on its stack that run at once, or before another one is made
  const std::uint64_t stack_state;   ///< node::stack_state
  platform::stack_bounds stack;      ///< of its thread, if it has asked for it
  bool has_asked_for_stack = false;
  bool takes_locks = false;          ///< it has taken a lock in this region: its team knows
  bool looks_at_end = false;         ///< `tables` or `hands_over` say something: who ends a task is to look
  bool hands_over = false;           ///< the task that it runs was begun in vain
  bool runs_set_aside = false;       ///< outside of all regions: tasks that became ready
  int locks_held = 0;                ///< taken in this region less released in it; below 0: from before, or another's
  unsigned at_once = 0;              ///< tasks to run at once before that bound is looked at again
  std::uint64_t created_before = 0;  ///< the value of `created` at the last barrier
  std::uint64_t created_at_yield = 0;  ///< … at the last taskyield
  unsigned yields_left = 0;            ///< taskyields that may do nothing, if it makes tasks, or finds none
  unsigned free_yields = 0;          ///< taskyields that do nothing
  std::uint32_t length_in_vain = 0;  ///< of its queue behind the last one that found nothing
  bool at_bound = false;             ///< there were too many, and still are more than half of that
  bool beyond_in_vain = false;       ///< while `at_once` of them run: there were too many to go beyond it
  const node* row_of = nullptr;      ///< the task that makes those of a taskloop
  bool has_ended = false;            ///< its thread ends inside the region
  std::uint32_t closed = 0;          ///< says which tasks that end before their children look at the row of such ones above
  std::uint32_t begun_beside_rows = 0;  ///< says which begins do
  unsigned short_rows = 0;              ///< these were too short, one behind the other
  activity_clock* clock = nullptr;   ///< nullptr: nothing is measured
  os_thread* thread = nullptr;
  icvs variables;      ///< of the implicit task, if it has changed them and no other one may read them
  unsigned place = 0;  ///< where its thread is to run in the next region, if there are places
  yield_gauge gauge;   ///< of its waits, where members outnumber processors
  stretch places;      ///< those of its regions (place-partition-var)
  blocks memory;
  /// What others count in its `elsewhere` lies in another line than what its own thread writes for each child.
  alignas(cache_line_bytes) std::byte apart[cache_line_bytes - offsetof(node, here)];
  node implicit;
  /// A task that has become ready by the end of the one that this member ran last, and that it is about to run.
  task_block* kept = nullptr;
  thefts steals;
  dependences* tables = nullptr;  ///< of the tasks on its stack, the newest first
  std::uint64_t tables_made = 0;
  workshare_position shared;
  std::uint64_t singles = 0;        ///< that it came to in this region; a team of one counts none
  std::uint64_t singles_taken = 0;  ///< of the region's, as this member saw last: somebody runs or ran so many
  std::uint32_t ended_beside_rows = 0;  ///< says which of those that end before their children become children of one further up
  retired_nodes retired{memory};

  /// The weight (blocks::weight_of) of the tasks that this member put into the pool, and of those out of it that it ended.
  /// [finished] release: who reads the number sees what these tasks created (README.md, the end of a region).
  alignas(cache_line_bytes) platform::atomic<std::uint64_t> created{0};
  platform::atomic<std::uint64_t> finished{0};
  mutable platform::atomic<std::uint32_t> pinned{0};  ///< see pin

  /// Further states of `word`: awake → napping → awake by itself, or notified by who wakes it; sleepy → called by who wakes one
  /// member for a task; called → awake. Who is called and runs no task calls the next one.
  enum : std::uint32_t { napping = workers::sleepers::users_first, called };
  alignas(cache_line_bytes) workers::sleepers::word word{workers::sleepers::awake};
  platform::atomic<bool> waits_for_tasks{false};  ///< a hint: it may run only certain tasks
};

/// Returns: the member that the calling thread is already; nullptr if it is none.
[[gnu::always_inline]] inline member* known_self() { return static_cast<member*>(platform::current()); }
/// Returns: the member that the calling thread is. Effect: a thread that was none becomes the one member of a team of its own.
member& adopt_thread();
[[gnu::always_inline]] inline member& self() {
  member* const known = known_self();
  return known != nullptr ? *known : adopt_thread();
}

}  // namespace TEFF_NAMESPACE::openmp
