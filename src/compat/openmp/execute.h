// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a task that comes out of the pool runs, and ends.
#pragma once

#include "base/assert.h"
#include "compat/openmp/team.h"

#include <utility>

namespace TEFF_NAMESPACE::openmp {

/// What tells tasks of a pool from nothing: their entry. It is never called.
void task_entry(worker& current, void* block);

/// Effect: a child of `parent` ended, or is gone, or both (`what`). The node may be gone after this. Pre: `finished` does not
/// count the child yet, so that the region, and with it the implicit tasks, are still there.
void child_elsewhere(member& current, node* parent, std::uint64_t what);
[[gnu::always_inline]] inline void child_done(member& current, node* parent, std::uint64_t what, bool moved) {
  if (!moved && !(parent->flags & node::closed)) [[likely]]
    parent->here += what;
  else child_elsewhere(current, parent, what);
}
[[gnu::always_inline]] inline void child_done(member& current, node* parent, std::uint64_t what) {
  child_done(current, parent, what, parent->owner != current.id);
}

/// Effect: the task ended; descendants of it have not.
void close(member& current, task_block* ended);
/// Effect: a task that is about to begin, far below the outermost of tasks that have ended, becomes a child of that, or of one of
/// them that is far above it: one in so many such tasks.
void reparent(member& current, node* begins);

/// Effect: says that a task may not be left so, and ends the program. Pre: in a handler of what has escaped.
[[noreturn]] void end_for_exception();

/// Effect: runs a task's function. Errors: what it lets escape ends the program here, whoever waits for it further out: the
/// function of a C program has no handler of its own, and the frames below are not the task's.
[[gnu::always_inline]] inline void call(task_function function, void* arguments) {
  try {
    function(arguments);
  } catch (...) {
    end_for_exception();
  }
}

/// Effect: private tasks are shown, if somebody asks, as the lane says.
void show(member& current, bool wanted);
/// Effect: what is in the lane comes into view if somebody asks, as by a put: for who takes from it, or puts nothing for a while.
void show_asked(member& current);
[[gnu::always_inline]] inline void show_if_asked(member& current) {
  if (current.lane != nullptr && current.lane->is_asked() && current.lane->length() != 0) [[unlikely]]
    show_asked(current);
}

/// Effect: the member knows what was put and cancelled in the region, and the task does not lie far below others that have ended.
/// Returns: false if it is cancelled.
bool prepare_to_begin(member& current, task_block* next);

// Of tasks with dependences: depend.h.
/// Effect: the task, which is cancelled, is complete, if it is one of these.
void skip_dependent(member& current, task_block* discarded);
/// Effect: those of its children that have dependences are on their own. Returns: false if the task has not ended, and is no more
/// this thread's.
bool ends_whole(member& current, const node* ended);
/// Effect: the same for the member's implicit task.
void end_implicit(member& current);

/// Effect: runs the task's function, unless it is cancelled.
[[gnu::always_inline]] inline void run_code(member& current, task_block* next) {
  if (current.in.at_begin.load(platform::relaxed) == 0 || prepare_to_begin(current, next)) [[likely]]  // a hint, as in cancel.h
    call(next->function, (next->flags >> node::alignment_shift) == 0 ? static_cast<void*>(next + 1) : next->arguments());
  else skip_dependent(current, next);
}
void run_code_measured(member& current, task_block* next);  // of one with a clock

/// Effect: runs a task that came out of the pool, and shows others of the member's own before, if somebody asks. It may leave one
/// in `kept`, which is the caller's to run or to put, before it waits or looks for others. Errors: an exception that escapes ends
/// the program.
[[gnu::always_inline]] inline void execute_and_keep(member& current, task_block* next) {
  show_if_asked(current);
  node* const below = current.running;
  next->begin_to_run(current.id);
  current.running = next;
  current.clock != nullptr ? run_code_measured(current, next) : run_code(current, next);
  current.running = below;
  if (current.looks_at_end && !ends_whole(current, next)) [[unlikely]]
    return;
  node* const parent = next->parent();
  const std::uint64_t weight = blocks::weight_of(next->size_class, next);
  if (weight != 1 && current.clock != nullptr) [[unlikely]]
    current.clock->beyond_one.add(weight - 1);
  const bool moved = next->has_moved();
  if (next->spawned == 0 || next->all_gone()) [[likely]] {
    current.memory.give(next->size_class, next);
    child_done(current, parent, node::one_ended | node::one_gone, moved);
  } else {
    child_done(current, parent, node::one_ended, moved);
    close(current, next);
  }
  // [finished] release: see member.
  current.finished.store(current.finished.load(platform::relaxed) + weight, platform::release);
}

/// Effect: a task that is counted goes to the pool, by any member. Nothing runs before the caller is done: a child that has a
/// priority, or for which there is no room, or no pool, outside of all regions, is set aside.
void push_ready(member& current, task_block* child);
/// Returns: the one that was kept, which is the caller's now; nullptr: none was.
[[gnu::always_inline]] inline task_block* take_kept(member& current) { return std::exchange(current.kept, nullptr); }

/// Effect: the same, for who runs no other task behind it.
[[gnu::always_inline]] inline void execute(member& current, task_block* next) {
  execute_and_keep(current, next);
  if (task_block* const kept = take_kept(current)) [[unlikely]]
    push_ready(current, kept);
}

/// Effect: the same, for a barrier: those that are kept run, too. While each of them runs it counts as one that waits (README.md,
/// *Enough*). Pre: no task lies below it.
[[gnu::always_inline]] inline void execute_in_barrier(member& current, task_block* next) {
  const std::uint32_t enough = current.enough;
  TEFF_ASSERT(enough != 0, "a task may not wait at a barrier");
  current.enough = enough - 1;
  do execute_and_keep(current, next);
  while ((next = take_kept(current)) != nullptr);
  current.enough = enough;
}

}  // namespace TEFF_NAMESPACE::openmp
