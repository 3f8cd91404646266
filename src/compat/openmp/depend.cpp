// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/depend.h"

#include "compat/openmp/depend_table.h"
#include "compat/openmp/entry.h"
#include "compat/openmp/events.h"
#include "compat/openmp/refuse.h"
#include "compat/openmp/timed.h"

#include <new>

namespace TEFF_NAMESPACE::openmp {

namespace {

/// Returns: the table of the running task's children; nullptr if it has none.
dependences* known_table(const member& current) {
  dependences* const newest = current.tables;
  return newest != nullptr && newest->of == current.running->task() ? newest : nullptr;
}

dependences& table_of(member& current) {
  if (dependences* const known = known_table(current)) return *known;
  node* const task = settle(current)->task();
  void* const memory = current.memory.take(blocks::class_of(sizeof(dependences)), sizeof(dependences));
  if (memory == nullptr) fail("no memory for the dependences of a task");
  auto* const made = ::new (memory) dependences(task, ++current.tables_made << 8 | current.id);
  made->below = current.tables;
  current.tables = made;
  current.looks_at_end = true;
  return *made;
}

void forget_table(member& current, const node* ended) {
  dependences* const newest = current.tables;
  if (newest == nullptr || newest->of != ended) return;
  current.tables = newest->below;
  newest->forget(current);
  current.memory.give(blocks::class_of(sizeof(dependences)), newest);
}

/// Effect: the wait of a child that is no task has begun: `arm` or `enter_gates` says that it is over.
void begin_wait(member& current, node& wait, dependent& child, std::uint8_t state) {
  wait.begin(current.running, 0, current.running->data_environment, current.id, 0);
  wait.spawned = 1;
  wait.wait.store(state, platform::relaxed);  // relaxed: its own thread alone reads it
  child.wait = &wait;
}

/// Effect: waits until nobody that has these dependences would have to wait. `waits`: as of begin_behind. Returns: who is in the
/// gates; nullptr if there are none.
dependent* wait_in_table(member& current, dependences& table, const dependence_list& list, std::uint8_t waits) {
  const bool marks = waits == node::beside;
  dependent* const own = make_dependent(current, 0, list.exclusive());
  linking to(current, *own);
  node wait;
  begin_wait(current, wait, *own, waits);
  table.look(list, *own, to);
  if (!to.arm()) {
    if (marks) table.mark(nullptr, own);
    wait_for_children(current, &wait, false);
  }
  if (own->gates == 0) {
    free_dependent(current, own);
    return nullptr;
  }
  begin_wait(current, wait, *own, waits);
  for (bool marked = !marks; !enter_gates(current, *own); marked = true) {
    if (!marked) table.mark_at_gates(*own);
    wait_for_children(current, &wait, false);
    begin_wait(current, wait, *own, waits);
  }
  return own;
}

/// Effect: takes a task's arguments, and what lies before them. Returns: nullptr if memory is refused.
task_block* make_child_with(member& current, const task_request& wanted, dependent* own, bool may_have_gates) {
  const std::size_t before = node::alignment_of(wanted.alignment > 16 ? alignment_flags(wanted.alignment) : 0);
  static_assert(sizeof(dependent_head) <= 16);
  void (*const later)(void*, void*) = [](void*, void*) {};
  task_block* const made = make_child(current, {.function = &run_dependent,
                                                .data = nullptr,
                                                .copy = later,
                                                .bytes = before + wanted.bytes,
                                                .alignment = wanted.alignment,
                                                .flags = wanted.flags});
  if (made == nullptr) return nullptr;
  char* const arguments = wanted.alignment > 16 ? static_cast<char*>(made->arguments()) : reinterpret_cast<char*>(made + 1);
  ::new (arguments) dependent_head{own, wanted.function, may_have_gates};
  if (wanted.copy != nullptr) wanted.copy(arguments + before, wanted.data);
  else copy_words(arguments + before, wanted.data, wanted.bytes);
  return made;
}

/// Effect: the running task has made one that others must come before. Returns: whether it may begin.
bool put_in_table(member& current, dependences& table, const dependence_list& list, dependent& made) {
  linking to(current, made);
  made.in = table.number;
  table.add(current, list, made, to);
  const bool ready = to.arm();
  if (to.crosses && (current.running->flags & node::scope) != 0) {
    auto& state = current.running->wait;
    // relaxed: its own thread alone writes it, and reads this bit.
    state.store(static_cast<std::uint8_t>(state.load(platform::relaxed) | node::beside), platform::relaxed);
  }
  return ready;
}

}  // namespace

dependent* begin_behind(member& current, void** depend, std::uint8_t waits) {
  dependences* const table = known_table(current);
  return table != nullptr ? wait_in_table(current, *table, dependence_list(depend), waits) : nullptr;
}

void end_behind(member& current, dependent* inside) {
  if (inside != nullptr) {
    leave_gates(current, *inside);
    free_dependent(current, inside);
  }
  run_set_aside(current);
}

void run_behind(member& current, const task_request& wanted, void** depend, std::uint8_t waits) {
  dependent* const inside = begin_behind(current, depend, waits);
  run_at_once(current, wanted);
  end_behind(current, inside);
}

void wait_behind(member& current, void** depend) { end_behind(current, begin_behind(current, depend)); }

void add_dependent(member& current, const task_request& wanted, void** depend, event* happens) {
  const dependence_list list(depend);
  const unsigned at_once = current.at_once;
  // What has an event may be incomplete when its code has ended: so others must know of it. And one with a priority runs at once
  // only as add_urgent says.
  const bool is_held_back = wanted.priority != 0 ? is_beyond_bound(current) : !may_put(current);
  if (is_held_back && happens == nullptr) {
    do {
      const dependences* const known = known_table(current);
      if (known == nullptr || (list.exclusive() == 0 && !known->has_earlier(list))) return run_at_once(current, wanted);
    } while (has_enough(current) && run_oldest(current));
    // If the look above has asked already whether it is, it is, and has counted this task.
    const bool is_beyond = current.at_once != at_once || is_beyond_bound(current);
    // One that holds a lock runs no more than it must.
    if (is_beyond && !run_some(current))
      return run_behind(current, wanted, depend, current.locks_held > 0 ? node::beside : node::creates);
  } else if (happens == nullptr && wanted.priority == 0) {
    run_ready(current);
  }
  dependences& table = table_of(current);
  dependent* const own = make_dependent(current, list.size(), list.exclusive());
  task_block* const child = make_child_with(current, wanted, own, list.exclusive() != 0);
  if (child == nullptr) {
    if (happens != nullptr) fail("no memory for a task with an event");
    free_dependent(current, own);
    return run_behind(current, wanted, depend);
  }
  own->task = child;
  own->has_priority = wanted.priority != 0;
  child->spawned = wanted.priority;
  own->parent = child->parent();
  // relaxed, as all before it is put: who has the task sees it.
  own->parts.store(happens != nullptr ? 2 : 1, platform::relaxed);
  if (happens != nullptr) happens->of_task = own;
  count_child(current, child);
  if (put_in_table(current, table, list, *own)) push_ready(current, child);
  else show_if_asked(current);
  run_set_aside(current);
}

void add_joint(member& current, void** depend) {
  dependences* const table = known_table(current);
  if (table == nullptr) return;  // there is nothing that anybody would wait for
  const dependence_list list(depend);
  dependent* const own = make_dependent(current, list.size(), list.exclusive());
  if (put_in_table(current, *table, list, *own)) complete_dependent(current, own);
  run_set_aside(current);
}

bool ends_whole(member& current, const node* ended) {
  const bool hands_over = current.hands_over;
  if (!hands_over) forget_table(current, ended);
  current.hands_over = false;
  current.looks_at_end = current.tables != nullptr;
  return !hands_over;
}

void end_implicit(member& current) {
  if (current.looks_at_end) ends_whole(current, &current.implicit);
}

void mark_needed(const member& current, const node* of) { current.tables->mark(of, nullptr); }
std::uint64_t table_number(const member& current) { return current.tables->number; }

TEFF_ENTRY void GOMP_taskwait_depend(void** depend) {
  member* const current = known_self();
  if (current == nullptr) return;
  const timed_briefly in_runtime(current->clock, activity::runtime);
  wait_behind(*current, depend);
}

TEFF_ENTRY void GOMP_taskwait_depend_nowait(void** depend) {
  if (member* const current = known_self()) add_joint(*current, depend);
}

}  // namespace TEFF_NAMESPACE::openmp
