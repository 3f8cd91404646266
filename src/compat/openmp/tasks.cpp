// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/tasks.h"

#include "compat/openmp/events.h"
#include "compat/openmp/pin.h"
#include "compat/openmp/refuse.h"
#include "platform/tuning.h"

#include <algorithm>
#include <bit>
#include <exception>
#include <memory>
#include <new>

namespace TEFF_NAMESPACE::openmp {

void task_entry(worker&, void*) {}

/// std::terminate says what kind of exception it is. One that ends the thread (pthread_exit) is none of C++.
void end_for_exception() {
  say("a task lets an exception escape, or ends its thread: nobody can go on from there, and the program ends");
  std::terminate();
}

descendants wanted_besides(const member& current, const node* of, bool gone, std::uint8_t state) {
  if (state & node::creates) return {of->parent()->task(), true};
  return {of, gone, table_number(current), state & node::wider ? of->parent()->task() : nullptr};
}

void look_wider(const member& current, node* of) {
  const std::uint8_t state = of->wait.load(platform::relaxed);  // relaxed: its own thread alone writes it
  if ((state & node::beside) && current.locks_held <= 0)
    of->wait.store(state | node::wider, platform::relaxed);  // relaxed: as above
}

bool have(const member& current, const descendants& wanted, const node* candidate, unsigned* steps_left) {
  const pin nodes_stay(current);
  return wanted.have(candidate, steps_left);
}

namespace {

pool::get_result take(member& current, engine& from, const descendants& wanted, task& found, pool::reach how) {
  const pin nodes_stay(current);
  return from.take(current, wanted, found, how);
}

}  // namespace

task_block* find_descendant(member& current, const descendants& wanted, pool::reach how) {
  look_for_events(current);
  if (current.in.urgent.any()) {
    current.first_look = nullptr;
    if (task_block* const first = take_urgent(current, wanted, how)) return first;
  }
  engine* const pool = pool_of(current);
  if (pool == nullptr) return nullptr;
  task found;
  const pool::get_result result = take(current, *pool, wanted, found, how);
  current.in.follow(result.advised, current);
  if (result.what == pool::get_result::retry) current.account.saw_tasks_in_vain();
  return result.has_task() ? static_cast<task_block*>(found.argument) : nullptr;
}

void share_tasks(member& current) {
  if (current.pool != nullptr) current.in.follow(current.pool->share(current), current);
}

void share_tasks() {
  if (member* const current = known_self()) share_tasks(*current);
}

namespace {

/// Returns: a copy on the heap. Effect: ends the program if there is no memory.
task_block* moved_to_heap(member& current, node* from) {
  node* parent = from->parent();
  if (parent->flags & node::on_stack) parent = moved_to_heap(current, parent);
  auto* const made = static_cast<task_block*>(current.memory.take(0, sizeof(task_block)));
  if (made == nullptr) fail("no memory for a task");
  ::new (made) task_block;
  made->begin(parent, static_cast<std::uint8_t>(from->flags & ~node::on_stack), from->data_environment, from->owner, 0);
  if (from->has_around()) made->keep_around(static_cast<task_block*>(from)->around);
  from->above.store(nullptr, platform::relaxed);  // so run_on_stack sees it, on this thread
  return made;
}

}  // namespace

void end_at_once(member& current) {
  auto* const ended = static_cast<task_block*>(current.running);
  node* const parent = ended->parent();
  current.running = parent;
  if (current.looks_at_end) ends_whole(current, ended);
  if (ended->all_gone()) return current.memory.give(ended->size_class, ended);
  if (is_full(*parent)) {
    wait_for_children(current, ended, true);
    return current.memory.give(ended->size_class, ended);
  }
  ++parent->spawned;
  child_done(current, parent, node::one_ended);
  close(current, ended);
}

node* settle_on_heap(member& current) { return current.running = moved_to_heap(current, current.running); }

std::uint8_t alignment_flags(std::size_t alignment) {
  const int steps = (std::countr_zero(alignment) - 4 + 1) / 2;
  if (steps > 7) refuse("a task's argument asks for an alignment of %zu bytes; allowed: at most 262144", alignment);
  return static_cast<std::uint8_t>(steps << node::alignment_shift);
}

void run_at_once(member& current, const task_request& wanted) {
  void* arguments = wanted.data;
  if (wanted.copy != nullptr) {
    std::size_t space = wanted.bytes + wanted.alignment;
    arguments = __builtin_alloca(space);
    std::align(wanted.alignment, wanted.bytes, arguments, space);
    wanted.copy(arguments, wanted.data);
  }
  wanted.write_part(arguments);
  run_at_once(current, wanted.function, arguments, (wanted.flags & node::final) != 0);
}

namespace {

/// Effect: a child that was counted and not put runs on this thread.
[[gnu::noinline]] void run_refused(member& current, task_block* child) { execute(current, child); }

/// `may_run`: whether the child may run now if there is no room for it.
[[gnu::noinline]] void put_slowly(member& current, task ready, queue::pushed begun, bool may_run) {
  team& all = current.in;
  // relaxed: those in a barrier see it by `arrived`, or by the task.
  if (!all.has_tasks.load(platform::relaxed)) all.has_tasks.store(true, platform::relaxed);
  if (current.pool == nullptr) {
    all.make_pool();
    pool_of(current);
  }
  const pool::advice advised = current.pool->put(current, ready, begun);
  if (advised == pool::advice::wake_none) return;
  if (advised != pool::advice::refused) return all.follow(advised, current);
  auto* const child = static_cast<task_block*>(ready.argument);
  may_run ? run_refused(current, child) : put_urgent(current, child);
}

}  // namespace

void count_child(member& current, task_block* child) {
  ++child->parent()->spawned;
  const std::uint64_t weight = blocks::weight_of(child->size_class, child);
  // [created] relaxed: before the push, which hands the task over: who has ended it has seen this.
  current.created.store(current.created.load(platform::relaxed) + weight, platform::relaxed);  // [created]
}

namespace {

[[gnu::always_inline]] inline void push(member& current, task_block* child, bool may_run) {
  const task ready{&task_entry, child};
  queue::pushed begun = queue::pushed::full;
  if (current.lane != nullptr) [[likely]]
    begun = current.lane->push(ready);
  if (begun != queue::pushed::kept && (begun != queue::pushed::asked || !shows_enough(current))) [[unlikely]]
    put_slowly(current, ready, begun, may_run);
}

}  // namespace

void push_ready(member& current, task_block* child) {
  if (child->spawned != 0 || current.in.opener == nullptr) put_urgent(current, child);
  else push(current, child, false);
}

void put_child(member& current, task_block* child) {
  count_child(current, child);
  push(current, child, true);
}

}  // namespace TEFF_NAMESPACE::openmp
