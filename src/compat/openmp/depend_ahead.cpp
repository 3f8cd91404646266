// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a thread runs before it makes one more task with dependences: README.md, *Dependences*.
#include "compat/openmp/depend.h"
#include "compat/openmp/execute.h"
#include "compat/openmp/tasks.h"
#include "platform/tuning.h"

#include <algorithm>

namespace TEFF_NAMESPACE::openmp {

namespace {

/// Effect: takes the oldest task of the member's own queue: what is made now is more likely behind one that was made long ago
/// than behind the newest. Returns: nullptr if that is no descendant of the running task, so that it may not run here, or there
/// is none.
task_block* take_oldest(member& current) {
  task oldest;
  if (!current.lane->take_oldest(oldest)) return nullptr;
  auto* const found = static_cast<task_block*>(oldest.argument);
  if (have(current, {current.running->task(), true}, found)) return found;
  push_ready(current, found);
  return nullptr;
}

}  // namespace

bool run_some(member& current) {
  constexpr unsigned looks_apart = 16;
  const descendants any{current.running->task(), true};
  for (unsigned ran = 0;; ++ran) {
    task_block* next = take_kept(current);  // behind a child of the running task, so one itself
    if (ran % looks_apart == 0 && has_room_again(current)) {
      if (next != nullptr) push_ready(current, next);
      return true;
    }
    if (next == nullptr) next = find_descendant(current, any, pool::reach::passing);
    if (next == nullptr) return false;
    execute_and_keep(current, next);
  }
}

bool run_oldest(member& current) {
  task_block* const found = take_oldest(current);
  if (found == nullptr) return false;
  ++current.nested;
  execute(current, found);
  --current.nested;
  return true;
}

void run_ready(member& current) {
  const std::uint64_t created = current.created.load(platform::relaxed);  // its own
  if (created < current.ready_at || current.nested != 0) return;
  const team& all = current.in;
  const std::uint64_t most = std::uint64_t{tuning::tasks_in_cache_per_member} * all.size, live = all.live();
  const std::uint64_t least = std::uint64_t{tuning::ready_in_a_row} * all.size;  // a look reads a line of every member
  current.ready_at = created + std::max(least, live < most ? (most - live) / all.size : 0);
  if (live < most) return;
  task_block* next = nullptr;
  for (unsigned left = tuning::ready_in_a_row; left != 0 && may_run_more(current, current.lane); --left) {
    if (next == nullptr && current.lane->length() != 0) next = take_oldest(current);
    if (next == nullptr) return;
    ++current.nested;
    execute_and_keep(current, next);
    --current.nested;
    next = take_kept(current);  // behind a descendant of the running task, so one itself
  }
  if (next != nullptr) push_ready(current, next);
}

}  // namespace TEFF_NAMESPACE::openmp
