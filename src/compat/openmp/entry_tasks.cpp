// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What gcc calls for task, taskloop, taskwait, taskyield, taskgroup.
#include "compat/openmp/depend.h"
#include "compat/openmp/entry.h"
#include "compat/openmp/events.h"
#include "compat/openmp/groups.h"
#include "compat/openmp/reductions.h"
#include "compat/openmp/refuse.h"
#include "compat/openmp/tasks.h"
#include "platform/foreign.h"

#include <algorithm>
#include <new>

namespace TEFF_NAMESPACE::openmp {

namespace {

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
    simple = untied | final | mergeable | priority,
    of_task = simple | depend | detach,  ///< those that GOMP_task knows
    of_taskloop = simple | up | grainsize | if_true | no_group | reduction | strict,
  };
};

[[noreturn, gnu::noinline]] void refuse_flags(unsigned flags) {
  refuse("GOMP_task with the flags %#x is not supported by this version of Teff's OpenMP: it knows the flags %#x", flags,
         task_flags::of_task);
}

std::uint8_t kind_of(unsigned flags) { return static_cast<std::uint8_t>(flags & task_flags::final ? node::final : 0); }

[[gnu::always_inline]] inline task_request request_of(task_function function, void* data, void (*copy)(void*, void*), long bytes,
                                                      long alignment, unsigned flags) {
  return {function, data, copy, static_cast<std::size_t>(bytes), static_cast<std::size_t>(alignment), kind_of(flags)};
}

/// Effect: as add_task, for one with an event, which gcc wants where `to` points, and as the first of the arguments. If it is not
/// deferred, its creator waits for both. `depend`: nullptr, if it depends on nothing.
void add_detached(member& current, const task_request& wanted, bool deferred, void** depend, void* to) {
  if (!deferred) begin_group(current);  // has nothing but the event
  event* const made = make_event(current);
  std::memcpy(to, &made, sizeof made);
  std::memcpy(wanted.data, &made, sizeof made);
  if (deferred) return depend != nullptr ? add_dependent(current, wanted, depend, made) : add_task(current, wanted, true);
  node* const group = current.running;
  current.running = group->parent;
  if (depend != nullptr) run_behind(current, wanted, depend);
  else run_at_once(current, wanted);
  current.running = group;
  end_group(current);
}

/// What GOMP_task does, by the same arguments: so it goes on to these without a frame. A task of any kind:
[[gnu::noinline]] void make_task(task_function function, void* data, void (*copy)(void*, void*), long bytes, long alignment,
                                 bool if_clause, unsigned flags, void** depend, int, void* detach) {
  member& current = self();
  if (flags & ~task_flags::of_task) [[unlikely]]
    refuse_flags(flags);
  if (may_discard(current) && !(flags & task_flags::detach) && is_discarded(current, current.running)) return;
  const timed in_runtime(current.clock, activity::runtime);
  const task_request wanted = request_of(function, data, copy, bytes, alignment, flags);
  const bool deferred = if_clause && !(current.running->flags & node::final);
  if (flags & task_flags::detach) [[unlikely]]
    return add_detached(current, wanted, deferred, flags & task_flags::depend ? depend : nullptr, detach);
  if (flags & task_flags::depend)
    return deferred ? add_dependent(current, wanted, depend, nullptr) : run_behind(current, wanted, depend);
  add_task(current, wanted, deferred);
}

/// One for which there is room, of a thread that is a member's, with flags that are known:
[[gnu::noinline]] void put_task(task_function function, void* data, void (*copy)(void*, void*), long bytes, long alignment,
                                bool if_clause, unsigned flags, void** depend, int priority, void* detach) {
  member& current = *known_self();
  if (current.clock == nullptr && !(current.running->flags & node::final)) [[likely]] {
    const task_request wanted = request_of(function, data, copy, bytes, alignment, flags);
    if (task_block* const child = make_child(current, wanted)) [[likely]]
      return put_child(current, child);
  }
  make_task(function, data, copy, bytes, alignment, if_clause, flags, depend, priority, detach);
}

}  // namespace

/// In line: what is simple, and runs here and now, as there are enough.
TEFF_ENTRY void GOMP_task(task_function function, void* data, void (*copy)(void*, void*), long bytes, long alignment,
                          bool if_clause, unsigned flags, void** depend, int priority, void* detach) {
  member* const known = known_self();
  if (known != nullptr && if_clause && !(flags & ~task_flags::simple)) [[likely]] {
    if (has_room(*known)) return put_task(function, data, copy, bytes, alignment, if_clause, flags, depend, priority, detach);
    if (copy == nullptr && has_enough(*known)) return run_at_once(*known, function, data, kind_of(flags));
  }
  make_task(function, data, copy, bytes, alignment, if_clause, flags, depend, priority, detach);
}

TEFF_ENTRY void GOMP_taskwait() {
  member* const current = known_self();
  if (current == nullptr) return;
  const timed in_runtime(current->clock, activity::runtime);
  for (node* at = current->running;; at = at->parent) {
    if (!at->all_ended()) wait_for_children(*current, at, false);
    if (!(at->flags & node::scope)) return;
  }
}

TEFF_ENTRY void GOMP_taskyield() {
  member* const current = known_self();
  if (current == nullptr) return;
  if (!(current->running->flags & node::on_stack)) {
    if (task_block* const next = find_descendant(*current, {current->running, true}, pool::reach::passing))
      return execute(*current, next);
  }
  share_tasks(*current);  // it may go on yielding until somebody has run one of them
  platform::yield_processor();
}

TEFF_ENTRY void GOMP_taskgroup_start() { begin_group(self()); }
TEFF_ENTRY void GOMP_taskgroup_end() { end_group(self()); }

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

void run_taskloop(member& current, task_request wanted, unsigned flags, std::uint64_t amount, const loop& what) {
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
  const bool deferred = (flags & task_flags::if_true) && !(current.running->flags & node::final);
  wanted.has_part = true;
  std::uint64_t done = 0;
  for (std::uint64_t part = 0; part < made.tasks; ++part) {
    if (may_discard(current) && is_discarded(current, current.running)) break;
    const std::uint64_t length = std::min(made.each + (part < made.larger ? 1 : 0), what.count - done);
    const bool last = done + length == what.count;
    wanted.from = what.first + done * what.step;
    wanted.to = last ? what.end : what.first + (done + length) * what.step;
    add_task(current, wanted, deferred);
    done += length;
  }
  if (grouped) end_group(current);
}

}  // namespace

TEFF_ENTRY void GOMP_taskloop(task_function function, void* data, void (*copy)(void*, void*), long bytes, long alignment,
                              unsigned flags, unsigned long amount, int, long start, long end, long step) {
  const task_request wanted = request_of(function, data, copy, bytes, alignment, flags);
  run_taskloop(self(), wanted, flags, amount, loop_of(start, end, step));
}

TEFF_ENTRY void GOMP_taskloop_ull(task_function function, void* data, void (*copy)(void*, void*), long bytes, long alignment,
                                  unsigned flags, unsigned long amount, int, unsigned long long start, unsigned long long end,
                                  unsigned long long step) {
  const task_request wanted = request_of(function, data, copy, bytes, alignment, flags);
  run_taskloop(self(), wanted, flags, amount, loop_of((flags & task_flags::up) != 0, start, end, step));
}

}  // namespace TEFF_NAMESPACE::openmp
