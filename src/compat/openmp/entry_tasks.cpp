// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What gcc calls for task, taskwait, taskyield, taskgroup.
#include "compat/openmp/entry_tasks.h"

#include "compat/openmp/refuse.h"
#include "platform/foreign.h"

#include <new>

namespace TEFF_NAMESPACE::openmp {

namespace {

[[noreturn, gnu::noinline]] void refuse_flags(unsigned flags) {
  if (flags & task_flags::depend)
    refuse("GOMP_task with a depend clause is not supported by this version of Teff's OpenMP: it needs task dependences");
  if (flags & task_flags::detach)
    refuse("GOMP_task with a detach clause is not supported by this version of Teff's OpenMP: it needs events of tasks");
  refuse("GOMP_task with the flags %#x is not supported by this version of Teff's OpenMP: it knows the flags %#x", flags,
         task_flags::of_task);
}

}  // namespace

void begin_group(member& current) {
  void* const memory = current.memory.take(0, sizeof(node));
  if (memory == nullptr) fail("no memory for a taskgroup");
  node* const outside = settle(current);
  node* const made = ::new (memory) task_block;
  made->begin(outside, static_cast<std::uint8_t>(node::scope | (outside->flags & node::final)), outside->data_environment);
  made->wait.store(node::is_scope, platform::relaxed);  // relaxed: nobody else knows it before it has children
  made->owner = static_cast<std::uint8_t>(current.id);
  made->size_class = 0;
  current.running = made;
}

void end_group(member& current) {
  node* const over = current.running;
  if (!(over->flags & node::scope)) return;
  wait_for_children(current, over, true);
  current.running = over->parent;
  current.memory.give(0, over);
}

namespace {

std::uint8_t kind_of(unsigned flags) { return static_cast<std::uint8_t>(flags & task_flags::final ? node::final : 0); }

/// What GOMP_task does, by the same arguments: so it goes on to these without a frame. A task of any kind:
[[gnu::noinline]] void make_task(task_function function, void* data, void (*copy)(void*, void*), long bytes, long alignment,
                                 bool if_clause, unsigned flags, void**, int, void*) {
  member& current = self();
  if (flags & ~task_flags::of_task) [[unlikely]]
    refuse_flags(flags);
  const timed in_runtime(current.clock, activity::runtime);
  const task_request wanted{function,      data, copy, static_cast<std::size_t>(bytes), static_cast<std::size_t>(alignment),
                            kind_of(flags)};
  if (if_clause && !(current.running->flags & node::final) && may_put(current)) {
    if (task_block* const child = make_child(current, wanted)) return put_child(current, child);
  }
  run_at_once(current, wanted);
}

/// One for which there is room, of a thread that is a member's, with flags that are known:
[[gnu::noinline]] void put_task(task_function function, void* data, void (*copy)(void*, void*), long bytes, long alignment,
                                bool if_clause, unsigned flags, void** depend, int priority, void* detach) {
  member& current = *known_self();
  if (current.clock == nullptr && !(current.running->flags & node::final)) [[likely]] {
    const task_request wanted{function,      data, copy, static_cast<std::size_t>(bytes), static_cast<std::size_t>(alignment),
                              kind_of(flags)};
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
  if (known != nullptr && if_clause && !(flags & ~task_flags::of_task)) [[likely]] {
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

}  // namespace TEFF_NAMESPACE::openmp
