// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What gcc calls for task, taskwait, taskyield, taskgroup.
#include "compat/openmp/entry_tasks.h"

#include "compat/openmp/refuse.h"
#include "platform/native/foreign.h"

#include <new>

namespace teff::inline TEFF_PLATFORM::openmp {

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
  made->wait.store(node::is_scope, platform::relaxed);
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

/// What GOMP_task does, by the same arguments: so it goes on to this without a frame. `ready`: the thread is a member's, the flags
/// are known, and there is room for a child.
template <bool ready>
[[gnu::noinline]] void make_task(task_function function, void* data, void (*copy)(void*, void*), long bytes, long alignment,
                                 bool if_clause, unsigned flags, void**, int, void*) {
  member& current = ready ? *known_self() : self();
  if (!ready && (flags & ~task_flags::of_task)) [[unlikely]]
    refuse_flags(flags);
  const timed in_runtime(current.clock, activity::runtime);
  const auto kind = static_cast<std::uint8_t>(flags & task_flags::final ? node::final : 0);
  const bool put = (ready || if_clause) && !(current.running->flags & node::final) && (ready || may_put(current));
  if (!put && copy == nullptr) return run_at_once(current, function, data, kind);
  const task_request wanted{function, data, copy, static_cast<std::size_t>(bytes), static_cast<std::size_t>(alignment), kind};
  if (put) [[likely]] {
    if (task_block* const child = make_child(current, wanted)) [[likely]]
      return put_child(current, child);
  }
  run_at_once(current, wanted);
}

/// The same if there may be no room: where there are enough tasks, and what is wanted is simple, the child runs here and now.
[[gnu::noinline]] void make_task_beyond(task_function function, void* data, void (*copy)(void*, void*), long bytes, long alignment,
                                        bool if_clause, unsigned flags, void** depend, int priority, void* detach) {
  member* const known = known_self();
  if (known != nullptr && copy == nullptr && if_clause && !(flags & ~task_flags::of_task) && has_enough(*known))
    return run_at_once(*known, function, data, static_cast<std::uint8_t>(flags & task_flags::final ? node::final : 0));
  make_task<false>(function, data, copy, bytes, alignment, if_clause, flags, depend, priority, detach);
}

}  // namespace

TEFF_ENTRY void GOMP_task(task_function function, void* data, void (*copy)(void*, void*), long bytes, long alignment,
                          bool if_clause, unsigned flags, void** depend, int priority, void* detach) {
  const member* const known = known_self();
  if (known != nullptr && has_room(*known) && if_clause && !(flags & ~task_flags::of_task)) [[likely]]
    return make_task<true>(function, data, copy, bytes, alignment, if_clause, flags, depend, priority, detach);
  make_task_beyond(function, data, copy, bytes, alignment, if_clause, flags, depend, priority, detach);
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
    if (task_block* const next = find_descendant(*current, {current->running, true}, engine::effort::passing))
      return execute(*current, next);
  }
  share_tasks(*current);  // it may go on yielding until somebody has run one of them
  platform::yield_processor();
}

TEFF_ENTRY void GOMP_taskgroup_start() { begin_group(self()); }
TEFF_ENTRY void GOMP_taskgroup_end() { end_group(self()); }

}  // namespace teff::inline TEFF_PLATFORM::openmp
