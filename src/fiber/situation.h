// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the fibers of a team do at one moment.
#pragma once

#include "fiber/fiber.h"

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <unordered_set>
#include <vector>

namespace TEFF_NAMESPACE::fibers {

/// Where a team's tasks live: on the stacks of its fibers. So a frame that lies on none of them is another team's, or that of a
/// task which has ended and whose stack was given back. No frame is looked into.
class stacks_of_team {
 public:
  void add(const fiber& each) { all_.push_back({each.memory.bottom, each.memory.top()}); }
  /// Effect: prepares for hold. Pre: all are added.
  void sort();
  bool hold(const task_frame* frame) const;

 private:
  struct stack {
    const void *bottom, *top;
  };
  std::vector<stack> all_;
};

/// Whether a task waits for children none of which is on a stack of its team, so that another team's may be all that is missing.
/// If one is on such a stack it waits there for ever as long as no other wait ends, whoever has the rest.
///
/// Cost: O(log n) in the waits for each of these, and for each task on a stack. A few waits need no memory.
class waited_children {
 public:
  waited_children() { waits_.reserve(few); }
  /// Pre: it is blocked and stays so. Errors: std::bad_alloc.
  void add_wait(const fiber& blocked);
  /// Effect: prepares for add_tasks. Pre: all waits are added.
  void sort();
  void add_tasks(const fiber& blocked);
  bool may_be_elsewhere() const;
  /// Returns: tasks of the pool, also those that run in the wait of another one.
  std::size_t tasks() const { return tasks_; }
  /// Whether one of them keeps its worker, for want of stacks.
  bool keep_workers() const { return keep_workers_; }

 private:
  struct wait {
    const void* group;
    bool has_child_here;
  };
  static constexpr std::size_t few = 64;
  alignas(wait) std::byte place_[few * sizeof(wait)];
  std::pmr::monotonic_buffer_resource memory_{place_, sizeof place_};
  std::pmr::vector<wait> waits_{&memory_};
  std::size_t tasks_ = 0;
  bool keep_workers_ = false;
};

/// What the fibers of a team do at one moment. Holds no pointer that is followed later, but to texts that live as long as the
/// program.
class situation {
 public:
  /// A task that cannot go on: it waits, or another one waits on top of it. Its number in reports is its place in `tasks`, from
  /// 1 on.
  struct task_seen {
    const task_frame* id;
    const void* group;
    const std::string* name;  ///< in names_; nullptr: none was given
    const char* label;
    const void* code;
    entry_function entry;
  };
  /// A fiber that is set aside. Its tasks lie in `tasks` from `first` on, the one that waits first, then the one below it, and
  /// so on.
  struct waiting {
    std::size_t first, count;
    const void* object;
    const char* kind;
    const task_frame* holder;
    bool held_outside;
    std::uint64_t since_ns;
  };

  /// Effect: notes one fiber. Pre: it is blocked and stays so, or idle, or runs (then only its label is read).
  void add(const fiber& seen);

  std::vector<task_seen> tasks;
  std::vector<waiting> fibers;       ///< the latest first
  std::vector<const char*> running;  ///< labels of tasks that run
  stacks_of_team stacks;             ///< sorted by explain
  std::size_t kept = 0;              ///< fibers that kept their workers when they began to wait, for want of stacks
  std::size_t ready = 0;             ///< fibers that are about to go on
  std::size_t joined = 0;            ///< of `tasks`, those that run in the join of who offered them: no counter knows them
  std::uint64_t now_ns = 0;          ///< of platform::recent_ns

 private:
  std::unordered_set<std::string> names_;
};

}  // namespace TEFF_NAMESPACE::fibers
