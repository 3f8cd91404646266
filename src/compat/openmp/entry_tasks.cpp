// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What gcc calls for task, taskwait, taskyield, taskgroup.
#include "compat/openmp/entry_tasks.h"
#include "compat/openmp/depend.h"
#include "compat/openmp/entry.h"
#include "compat/openmp/events.h"
#include "compat/openmp/groups.h"
#include "compat/openmp/icv.h"
#include "compat/openmp/refuse.h"
#include "compat/openmp/tasks.h"
#include "compat/openmp/timed.h"
#include "platform/foreign.h"

#include <cstring>
#include <utility>

namespace TEFF_NAMESPACE::openmp {

namespace {

[[noreturn, gnu::noinline]] void refuse_flags(unsigned flags) {
  refuse("GOMP_task with the flags %#x is not supported by this version of Teff's OpenMP: it knows the flags %#x", flags,
         task_flags::of_task);
}

/// Effect: makes a task with an event, which gcc wants where `to` points, and as the first of the arguments. If it is not
/// deferred, its creator waits for both, and then it is complete. `depend`: nullptr, if it depends on nothing.
void add_detached(member& current, const task_request& wanted, bool deferred, void** depend, void* to) {
  if (!deferred) begin_group(current);  // has nothing but the event
  event* const made = make_event(current, wanted.function);
  std::memcpy(to, &made->number, sizeof made->number);
  std::memcpy(wanted.data, &made->number, sizeof made->number);
  if (deferred && depend != nullptr) return add_dependent(current, wanted, depend, made);
  if (deferred) return add_task(current, wanted, how_to_put(wanted, true));
  node* const group = current.running;
  current.running = group->parent();
  dependent* const inside = depend != nullptr ? begin_behind(current, depend) : nullptr;
  run_at_once(current, wanted);
  current.running = group;
  end_group(current);
  if (depend != nullptr) end_behind(current, inside);
}

/// What GOMP_task does. A task of any kind. `clock`: nullptr, if the time is the runtime's already.
[[gnu::always_inline]] inline void make_any_task(activity_clock* clock, const task_request& wanted, bool if_clause,
                                                 unsigned flags, void** depend, int priority, void* detach) {
  member& current = self();
  if (flags & ~task_flags::of_task) [[unlikely]]
    refuse_flags(flags);
  if (may_discard(current) && !(flags & task_flags::detach) && is_discarded(current, current.running)) return;
  const timed_briefly in_runtime(clock, activity::runtime);
  task_request ordered = wanted;
  ordered.priority = priority_of(current, priority);
  const bool deferred = if_clause && !(current.running->flags & node::final);
  if (flags & task_flags::detach) [[unlikely]]
    return add_detached(current, ordered, deferred, flags & task_flags::depend ? depend : nullptr, detach);
  if (flags & task_flags::depend)
    return deferred ? add_dependent(current, ordered, depend, nullptr) : run_behind(current, ordered, depend);
  add_task(current, ordered, how_to_put(ordered, deferred));
}

/// As GOMP_task, of a task of any kind. A priority that comes to none, as where OMP_MAX_TASK_PRIORITY is 0, goes the usual way.
[[gnu::noinline]] void make_task(task_function function, void* data, void (*copy)(void*, void*), long bytes, long alignment,
                                 bool if_clause, unsigned flags, void** depend, int priority, void* detach);

/// As make_simple_task, of a member with a clock, whose lane GOMP_task did not look at.
[[gnu::noinline]] void make_simple_measured(member& current, task_function function, void* data, long bytes, long alignment,
                                            unsigned flags) {
  if (!has_enough(current)) return make_task(function, data, nullptr, bytes, alignment, true, flags, nullptr, 0, nullptr);
  const bool is_final = (flags & task_flags::final) != 0;
  if (current.clock->pauses()) [[likely]]
    return run_on_stack_measured(current, function, data, is_final);
  const timed_briefly in_runtime(current.clock, activity::runtime);
  run_measured(current, function, data, is_final);
}

/// One without priority, dependences, event and copy function, that is no undeferred one; of a member without a clock:
[[gnu::noinline]] void make_simple_task(task_function function, void* data, long bytes, long alignment, unsigned flags) {
  make_any_task(nullptr, request_of(function, data, nullptr, bytes, alignment, flags), true, flags, nullptr, 0, nullptr);
}

/// As put_task, of a member with a clock. Returns: whether it is put.
[[gnu::noinline]] bool has_put_measured(member& current, const task_request& wanted) {
  const timed_briefly in_runtime(current.clock, activity::runtime);
  task_block* const child = make_child(current, wanted);
  if (child != nullptr) put_child(current, child);
  return child != nullptr;
}

/// An undeferred one with simple flags and no copy function, of a thread that is a member's:
[[gnu::noinline]] void run_undeferred(member& current, task_function function, void* data, long bytes, long alignment,
                                      unsigned flags) {
  if (current.clock != nullptr || may_discard(current)) [[unlikely]]
    return make_task(function, data, nullptr, bytes, alignment, false, flags, nullptr, 0, nullptr);
  run_on_stack(current, function, data, (flags & task_flags::final) != 0);
}

/// One for which there is room, of a thread that is a member's, with simple flags:
[[gnu::noinline]] void put_task(task_function function, void* data, void (*copy)(void*, void*), long bytes, long alignment,
                                unsigned flags) {
  member& current = *known_self();
  if (!(current.running->flags & node::final)) [[likely]] {
    const task_request wanted = request_of(function, data, copy, bytes, alignment, flags);
    if (current.clock == nullptr || current.clock->pass_by()) [[likely]] {
      if (task_block* const child = make_child(current, wanted)) [[likely]]
        return put_child(current, child);
    } else if (has_put_measured(current, wanted)) {
      return;
    }
  }
  make_task(function, data, copy, bytes, alignment, true, flags, nullptr, 0, nullptr);
}

}  // namespace

/// In line: what is simple, and runs here and now, as there are enough.
TEFF_ENTRY void GOMP_task(task_function function, void* data, void (*copy)(void*, void*), long bytes, long alignment,
                          bool if_clause, unsigned flags, void** depend, int priority, void* detach) {
  member* const known = known_self();
  if (known != nullptr && !(flags & ~task_flags::simple)) [[likely]] {
    if (!if_clause) [[unlikely]] {
      if (copy == nullptr) return run_undeferred(*known, function, data, bytes, alignment, flags);
    } else if (has_room(*known)) {
      return put_task(function, data, copy, bytes, alignment, flags);
    } else if (copy == nullptr) {
      if (has_enough(*known, known->unmeasured_lane)) [[likely]]
        return run_on_stack(*known, function, data, (flags & task_flags::final) != 0);
      if (known->clock != nullptr) [[unlikely]]
        return make_simple_measured(*known, function, data, bytes, alignment, flags);
      return make_simple_task(function, data, bytes, alignment, flags);  // knows what was asked here: fewer registers to keep
    }
  }
  // The caller has passed these on the stack: they are read here alone; and the call is no jump, which would write them there.
  asm volatile("" : "+m"(depend), "+m"(priority), "+m"(detach));
  make_task(function, data, copy, bytes, alignment, if_clause, flags, depend, priority, detach);
  asm volatile("");
}

namespace {

void make_task(task_function function, void* data, void (*copy)(void*, void*), long bytes, long alignment, bool if_clause,
               unsigned flags, void** depend, int priority, void* detach) {
  member* const known = known_self();
  if (known != nullptr && known->clock == nullptr && !may_discard(*known) && if_clause &&
      (flags & ~task_flags::simple) == task_flags::depend && !(known->running->flags & node::final)) {
    return add_dependent(*known, request_of(function, data, copy, bytes, alignment, flags), depend, nullptr);
  }
  if (!(flags & task_flags::priority)) priority = 0;
  else if (priority <= 0 || process().max_task_priority == 0)
    return GOMP_task(function, data, copy, bytes, alignment, if_clause, flags & ~unsigned{task_flags::priority}, depend, 0,
                     detach);
  make_any_task(self().clock, request_of(function, data, copy, bytes, alignment, flags), if_clause, flags, depend, priority,
                detach);
}

}  // namespace

TEFF_ENTRY void GOMP_taskwait() {
  member* const current = known_self();
  if (current == nullptr) return;
  const timed_briefly in_runtime(current->clock, activity::runtime);
  for (node* at = current->running;; at = at->parent()) {
    if (!at->all_ended()) wait_for_children(*current, at, false);
    if (!(at->flags & node::scope)) return;
  }
}

namespace {

/// Returns: whether a taskyield may do nothing. Either its thread has put tasks since the last one, or has enough of them, so
/// that it makes tasks rather than waits; or the last one found nothing, and the thread's own queue is as it was. Not too often
/// in a row: it may wait for one of these tasks, or for one in another queue. Nor on pools without a lane, where nobody finds
/// what a thread keeps until it shares that, and none has enough. Effect: beside enough, the rest of these taskyields are free.
bool may_do_nothing(member& current) {
  if (current.lane == nullptr) return false;
  const std::uint64_t created = current.created.load(platform::relaxed);  // its own
  const bool enough = has_enough(current);
  const bool makes = std::exchange(current.created_at_yield, created) != created || enough;
  if (current.yields_left == 0 || (!makes && current.lane->length() != current.length_in_vain)) return false;
  --current.yields_left;
  if (enough) current.free_yields = std::exchange(current.yields_left, 0);
  return true;
}

constexpr std::uint32_t unknown_length = ~std::uint32_t{0};

/// Effect: another thread may have the processor, as the taskyield may wait for one that has none; not where there are enough
/// processors, nor where only other programs want it, which keep it for a time slice.
void let_another_run(member& current) {
  if (!current.in.crowded.load(platform::relaxed)) return;  // relaxed: as in team
  const std::uint64_t before = platform::now_ns();
  if (!current.gauge.pays(before)) return;
  platform::yield_processor();
  const std::uint64_t after = platform::now_ns();
  if (after - before >= tuning::long_yield_ns) current.gauge.round_was_long(after, platform::processor_time_of_process_ns());
  else current.gauge.round_was_quick(after);
}

[[gnu::noinline]] void yield(member& current) {
  look_for_events(current);
  if (may_do_nothing(current)) return;
  const node& running = *current.running;
  if (!(running.flags & node::on_stack) && !running.all_gone()) {
    if (task_block* const next = find_descendant(current, {&running, true}, pool::reach::passing)) {
      current.yields_left = tuning::idle_yields;
      current.length_in_vain = unknown_length;
      return execute(current, next);
    }
  }
  share_tasks(current);  // it may go on yielding until somebody has run one of them
  if (current.lane != nullptr) current.length_in_vain = current.lane->length();
  if (current.yields_left != 0) {
    --current.yields_left;
    return;
  }
  current.yields_left = tuning::idle_yields;
  let_another_run(current);
}

}  // namespace

TEFF_ENTRY void GOMP_taskyield() {
  member* const current = known_self();
  if (current == nullptr) return;
  if (current->free_yields == 0) return yield(*current);
  --current->free_yields;
}

TEFF_ENTRY void GOMP_taskgroup_start() { begin_group(self()); }
TEFF_ENTRY void GOMP_taskgroup_end() { end_group(self()); }

}  // namespace TEFF_NAMESPACE::openmp
