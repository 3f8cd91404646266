// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <cstdint>
#include <optional>

namespace TEFF_NAMESPACE::workers {

class team_base;

/// The teams that this process has made and that have not ended: for a thread that waits for what tasks do. What none of these
/// teams has to do was left to tasks of the parent process of a fork(), or of a team whose run could not end.
///
/// Idea: a list for each process; the child's first team begins a new one, as a lock of the parent's may be held for ever.
/// Threads: any. In simulation, where no process forks, nothing is kept.
class living_teams {
 public:
  /// Pre: the team's members are made. Errors: std::bad_alloc.
  static void add(team_base& made);
  /// Effect: the team is in no list. Post: nobody asks it for anything.
  static void remove(team_base& gone) noexcept;
  /// Whether a process that this one is a child of has made teams.
  static bool parent_had_some() noexcept;
  /// Returns: nothing while some team of this process runs, or is stuck and still there, and has tasks that have not finished;
  /// else how many tasks all of them have made so far, those of teams that have ended among them. Two calls with the same answer:
  /// between them no team had a task in a run, and none made one.
  static std::optional<std::uint64_t> tasks_if_none_is_left();
  /// Whether teams are there that have tasks, and all of them are stuck.
  static bool only_stuck_ones_have_tasks();
};

}  // namespace TEFF_NAMESPACE::workers
