// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What becomes of the tasks that gcc asks for.
#pragma once

#include "compat/openmp/tasks.h"

#include <algorithm>
#include <cstdint>

namespace TEFF_NAMESPACE::openmp {

/// The bits of the flags of GOMP_task and GOMP_taskloop.
struct task_flags {
  enum : unsigned {
    untied = 1 << 0,
    final = 1 << 1,
    mergeable = 1 << 2,
    depend = 1 << 3,
    priority = 1 << 4,
    up = 1 << 8,
    grainsize = 1 << 9,
    if_true = 1 << 10,
    no_group = 1 << 11,
    reduction = 1 << 12,
    detach = 1 << 13,
    strict = 1 << 14,
    simple = untied | final | mergeable,
    of_task = simple | priority | depend | detach,  ///< those that GOMP_task knows
    of_taskloop = simple | priority | up | grainsize | if_true | no_group | reduction | strict,
  };
};

inline std::uint8_t kind_of(unsigned flags) { return static_cast<std::uint8_t>(flags & task_flags::final ? node::final : 0); }

[[gnu::always_inline]] inline task_request request_of(task_function function, void* data, void (*copy)(void*, void*), long bytes,
                                                      long alignment, unsigned flags) {
  return {function, data, copy, static_cast<std::size_t>(bytes), static_cast<std::size_t>(alignment), kind_of(flags)};
}

/// What becomes of a new task: it runs at once, or is put, among those with a priority if it has one.
enum class put_as { none, usual, urgent };

/// Effect: makes a task with a priority. Beside enough others it is not run at once: those have none, or a lower one, or are
/// taken before it.
void add_urgent(member& current, const task_request& wanted);

/// Effect: makes a task, or runs it at once.
[[gnu::always_inline]] inline void add_task(member& current, const task_request& wanted, put_as how) {
  if (how == put_as::usual && may_put(current)) {
    if (task_block* const child = make_child(current, wanted)) return put_child(current, child);
  } else if (how == put_as::urgent) {
    return add_urgent(current, wanted);
  }
  run_at_once(current, wanted);
}

/// Returns: the priority of a task of the running one; 0: none. Outside of all regions nobody chooses between tasks.
inline std::uint32_t priority_of(const member& current, int asked) {
  if (current.in.opener == nullptr) return 0;
  return static_cast<std::uint32_t>(std::clamp(asked, 0, process().max_task_priority));
}

inline put_as how_to_put(const task_request& wanted, bool deferred) {
  return !deferred ? put_as::none : wanted.priority != 0 ? put_as::urgent : put_as::usual;
}

}  // namespace TEFF_NAMESPACE::openmp
