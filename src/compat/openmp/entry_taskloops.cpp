// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What gcc calls for taskloop.
#include "compat/openmp/entry.h"
#include "compat/openmp/entry_tasks.h"
#include "compat/openmp/groups.h"
#include "compat/openmp/reductions.h"
#include "compat/openmp/refuse.h"
#include "compat/openmp/timed.h"

#include <algorithm>
#include <utility>

namespace TEFF_NAMESPACE::openmp {

namespace {

/// How a taskloop is cut: `larger` tasks of one iteration more than `each`, then others.
struct parts {
  std::uint64_t tasks, each, larger;
};

/// `amount`: of grainsize or num_tasks, as the flags say; 0: neither was given.
parts parts_of(std::uint64_t count, unsigned flags, std::uint64_t amount, unsigned members) {
  if (amount == 0) amount = members;
  if (flags & task_flags::grainsize) {
    if (flags & task_flags::strict) return {(count - 1) / amount + 1, amount, 0};
    amount = std::max<std::uint64_t>(1, count / amount);
  }
  const std::uint64_t tasks = std::min(amount, count);
  return {tasks, count / tasks, count % tasks};
}

void run_taskloop(member& current, task_request wanted, unsigned flags, std::uint64_t amount, int priority, const loop& what) {
  if (flags & ~task_flags::of_taskloop)
    refuse("GOMP_taskloop with the flags %#x is not supported by this version of Teff's OpenMP: it knows the flags %#x", flags,
           unsigned{task_flags::of_taskloop});
  // gcc puts it behind the loop's bounds.
  std::uintptr_t* const words = flags & task_flags::reduction ? static_cast<std::uintptr_t**>(wanted.data)[2] : nullptr;
  if (what.count == 0) return have_no_copies(words);
  const timed in_runtime(current.clock, activity::runtime);
  const parts made = parts_of(what.count, flags, amount, current.in.size);
  const bool grouped = !(flags & task_flags::no_group);
  if (grouped) begin_group(current);
  if (words != nullptr) begin_reductions(current, words);
  wanted.priority = priority_of(current, priority);  // gcc has no flag for it here
  const put_as how = how_to_put(wanted, (flags & task_flags::if_true) && !(current.running->flags & node::final));
  wanted.has_part = true;
  if (current.clock != nullptr) current.clock->count_loop(reinterpret_cast<const void*>(wanted.function), what.count);
  const node* const row_of = std::exchange(current.row_of, grouped ? current.running : nullptr);
  std::uint64_t done = 0;
  for (std::uint64_t part = 0; part < made.tasks; ++part) {
    if (may_discard(current) && is_discarded(current, current.running)) break;
    const std::uint64_t length = std::min(made.each + (part < made.larger ? 1 : 0), what.count - done);
    const bool last = done + length == what.count;
    wanted.from = what.first + done * what.step;
    wanted.to = last ? what.end : what.first + (done + length) * what.step;
    add_task(current, wanted, how);
    done += length;
  }
  current.row_of = row_of;
  if (grouped) end_group(current);
}

}  // namespace

TEFF_ENTRY void GOMP_taskloop(task_function function, void* data, void (*copy)(void*, void*), long bytes, long alignment,
                              unsigned flags, unsigned long amount, int priority, long start, long end, long step) {
  const task_request wanted = request_of(function, data, copy, bytes, alignment, flags);
  run_taskloop(self(), wanted, flags, amount, priority, loop_of(start, end, step));
}

TEFF_ENTRY void GOMP_taskloop_ull(task_function function, void* data, void (*copy)(void*, void*), long bytes, long alignment,
                                  unsigned flags, unsigned long amount, int priority, unsigned long long start,
                                  unsigned long long end, unsigned long long step) {
  const task_request wanted = request_of(function, data, copy, bytes, alignment, flags);
  run_taskloop(self(), wanted, flags, amount, priority, loop_of((flags & task_flags::up) != 0, start, end, step));
}

}  // namespace TEFF_NAMESPACE::openmp
