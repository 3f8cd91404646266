// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/entry_tasks.h"
#include "compat/openmp/refuse.h"

#include <algorithm>

namespace TEFF_NAMESPACE::openmp {

namespace {

constexpr unsigned of_taskloop = task_flags::of_task | task_flags::up | task_flags::grainsize | task_flags::if_true |
                                 task_flags::no_group | task_flags::strict;

/// How a taskloop is cut: `larger` tasks of one iteration more than `each`, then others.
struct cut {
  std::uint64_t tasks, each, larger;
};

/// `amount`: of grainsize or num_tasks, as the flags say; 0: neither was given.
cut cut_of(std::uint64_t count, unsigned flags, std::uint64_t amount, unsigned members) {
  if (amount == 0) amount = members;
  if (flags & task_flags::grainsize) {
    if (flags & task_flags::strict) return {(count - 1) / amount + 1, amount, 0};
    amount = std::max<std::uint64_t>(1, count / amount);
  }
  const std::uint64_t tasks = std::min(amount, count);
  return {tasks, count / tasks, count % tasks};
}

/// Effect: makes a task for a part of the loop, or runs it at once.
void add_part(member& current, const task_request& wanted, bool deferred) {
  if (deferred && may_put(current)) {
    if (task_block* const child = make_child(current, wanted)) return put_child(current, child);
  }
  run_at_once(current, wanted);
}

}  // namespace

void run_taskloop(member& current, task_request wanted, unsigned flags, std::uint64_t amount, const loop& what) {
  if (flags & task_flags::reduction)
    refuse("GOMP_taskloop with a reduction clause is not supported by this version of Teff's OpenMP: it needs task reductions");
  if (flags & ~of_taskloop)
    refuse("GOMP_taskloop with the flags %#x is not supported by this version of Teff's OpenMP: it knows the flags %#x", flags,
           of_taskloop);
  if (what.count == 0) return;
  const timed in_runtime(current.clock, activity::runtime);
  const cut parts = cut_of(what.count, flags, amount, current.in.size);
  const bool grouped = !(flags & task_flags::no_group);
  if (grouped) begin_group(current);
  wanted.flags = static_cast<std::uint8_t>(flags & task_flags::final ? node::final : 0);
  const bool deferred = (flags & task_flags::if_true) && !(current.running->flags & node::final);
  wanted.has_part = true;
  std::uint64_t done = 0;
  for (std::uint64_t part = 0; part < parts.tasks; ++part) {
    const std::uint64_t length = std::min(parts.each + (part < parts.larger ? 1 : 0), what.count - done);
    const bool last = done + length == what.count;
    wanted.from = what.first + done * what.step;
    wanted.to = last ? what.end : what.first + (done + length) * what.step;
    add_part(current, wanted, deferred);
    done += length;
  }
  if (grouped) end_group(current);
}

TEFF_ENTRY void GOMP_taskloop(task_function function, void* data, void (*copy)(void*, void*), long bytes, long alignment,
                              unsigned flags, unsigned long amount, int, long start, long end, long step) {
  const task_request wanted{function, data, copy, static_cast<std::size_t>(bytes), static_cast<std::size_t>(alignment), 0};
  run_taskloop(self(), wanted, flags, amount, loop_of(start, end, step));
}

TEFF_ENTRY void GOMP_taskloop_ull(task_function function, void* data, void (*copy)(void*, void*), long bytes, long alignment,
                                  unsigned flags, unsigned long amount, int, unsigned long long start, unsigned long long end,
                                  unsigned long long step) {
  const task_request wanted{function, data, copy, static_cast<std::size_t>(bytes), static_cast<std::size_t>(alignment), 0};
  run_taskloop(self(), wanted, flags, amount, loop_of((flags & task_flags::up) != 0, start, end, step));
}

}  // namespace TEFF_NAMESPACE::openmp
