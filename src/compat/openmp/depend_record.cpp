// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How tasks with dependences end, and what that lets begin: README.md, *Dependences*.
#include "compat/openmp/depend_record.h"
#include "compat/openmp/depend.h"
#include "compat/openmp/refuse.h"
#include "compat/openmp/tasks.h"

#include <memory>
#include <new>
#include <utility>

namespace TEFF_NAMESPACE::openmp {

dependent* make_dependent(member& current, std::uint32_t uses, std::uint32_t gates) {
  const std::size_t bytes = sizeof(dependent) + dependent::more_than_one(uses) * sizeof(use) + gates * sizeof(gate*);
  const std::uint8_t size_class = blocks::class_of(bytes);
  void* const memory = current.memory.take(size_class, bytes);
  if (memory == nullptr) fail("no memory for the dependences of a task");
  auto* const made = ::new (memory) dependent;
  made->size_class = size_class;
  made->uses = uses;
  return made;
}

void free_dependent(member& current, dependent* unused) {
  for (std::uint32_t number = 0; number < unused->gates; ++number) leave_for_ever(current, unused->gates_begin()[number]);
  while (more_edges* const row = unused->more) {
    unused->more = row->next;
    current.memory.give(blocks::class_of(sizeof(more_edges)), row);
  }
  const std::uint8_t size_class = unused->size_class;
  std::destroy_at(unused);
  current.memory.give(size_class, unused);
}

gate* make_gate(member& current) {
  const std::uint8_t size_class = blocks::class_of(sizeof(gate));
  void* const memory = current.memory.take(size_class, sizeof(gate));
  if (memory == nullptr) fail("no memory for the dependences of a task");
  auto* const made = ::new (memory) gate;
  made->size_class = size_class;
  return made;
}

void leave_for_ever(member& current, gate* left) {
  if (left->users.fetch_sub(1, platform::acq_rel) != 1) return;  // who is last sees what the others did to it
  const std::uint8_t size_class = left->size_class;
  std::destroy_at(left);
  current.memory.give(size_class, left);
}

namespace {

/// Effect: the task runs next, on this thread: what is ready is not put to be taken out again. The one that was to run next is
/// put. In order of priorities, and on pools without a lane, each is put.
void keep(member& current, const dependent& ready) {
  if (ready.has_priority || current.first_look == nullptr || current.in.opener == nullptr) {
    if (task_block* const other = take_kept(current)) push_ready(current, other);  // kept before priorities were known of
    return push_ready(current, ready.task);
  }
  if (task_block* const other = std::exchange(current.kept, ready.task)) push_ready(current, other);
  // Both were written by the parent's thread: on their way while the task before ends. relaxed: nothing but an address.
  __builtin_prefetch(ready.task, 1);
  __builtin_prefetch(reinterpret_cast<const void*>(ready.later.load(platform::relaxed)), 1);
}

/// Effect: what is ready goes on: a wait ends, or a task is put, and runs later, or (`Keeps`) runs next. Of a joint, nothing.
/// Returns: whether it was one.
template <bool Keeps = false>
bool go_on(member& current, dependent& ready) {
  if (ready.wait != nullptr) child_done(current, ready.wait, node::one_ended);
  else if (ready.task == nullptr) return true;
  else if constexpr (Keeps) keep(current, ready);
  else push_ready(current, ready.task);
  return false;
}

bool try_to_enter(gate& wanted, dependent& own) {
  platform::lock_guard guard(wanted.guard);
  if (wanted.inside != nullptr && wanted.inside != &own) return false;
  wanted.inside = &own;
  return true;
}

/// Effect: it is not inside; if nobody is, the first one that waits comes again. Who comes so and does not enter after all calls
/// this, too: so nobody waits at a gate that is free.
void leave(member& current, gate& left, const dependent& own) {
  dependent* next = nullptr;
  {
    platform::lock_guard guard(left.guard);
    if (left.inside != nullptr && left.inside != &own) return;
    left.inside = nullptr;
    next = left.first;
    if (next != nullptr) left.first = next->next;
  }
  if (next != nullptr) go_on(current, *next);
}

/// Returns: whether it waits there; false if nobody is inside any more.
bool wait_at(gate& busy, dependent& own) {
  platform::lock_guard guard(busy.guard);
  if (busy.inside == nullptr) return false;
  own.next = nullptr;
  if (busy.first == nullptr) busy.first = &own;
  else busy.last->next = &own;
  busy.last = &own;
  return true;
}

/// Effect: a chain of tasks ends before that one. Called before that one's count goes down, which others see it by. [edge]
void hand_on_chain(dependent& later, std::uint64_t ns) {
  // relaxed, all of these: it is seen by [edge]. The last one of those before it is alone.
  std::uint64_t longest = later.chain_ns.load(platform::relaxed);
  if (ns <= longest) return;
  const bool is_last = later.before.load(platform::acquire) == 1;
  longest = later.chain_ns.load(platform::relaxed);  // relaxed: as above. Another one may have handed its own on meanwhile.
  if (ns <= longest) return;
  if (is_last) return later.chain_ns.store(ns, platform::relaxed);  // relaxed: as above
  while (ns > longest && !later.chain_ns.compare_exchange(longest, ns, platform::relaxed)) {
  }  // relaxed: as above
}

/// Effect: counts one off. Returns: whether it was the last, which sees what the others did: acquire, and acq_rel.
template <class Count>
bool is_last(Count& left) {
  return left.load(platform::acquire) == 1 || left.fetch_sub(1, platform::acq_rel) == 1;
}

/// What complete_dependent does. `HandsOn`: chains, too. `Keeps`: who calls is about to end a task.
template <bool HandsOn, bool Keeps>
void complete(member& current, dependent* first) {
  // Joints are complete as soon as they are ready: a row, as chains of them may be long.
  dependent* row = nullptr;
  for (dependent* done = first;;) {
    leave_gates(current, *done);
    std::uint64_t chain_ns = 0;
    if constexpr (HandsOn) chain_ns = done->chain_ns.load(platform::relaxed);                  // relaxed: seen by [edge]
    const std::uintptr_t seen = done->later.exchange(dependent::complete, platform::acq_rel);  // [edge] its parent may free it
    if (seen & dependent::forgotten) free_dependent(current, done);
    for (const edge* at = reinterpret_cast<edge*>(seen & ~dependent::bits); at != nullptr;) {
      dependent& later = *at->later;
      at = at->next;  // it lies in the memory of the later one, which may begin now
      if constexpr (HandsOn) hand_on_chain(later, chain_ns);
      if (!is_last(later.before) || !go_on<Keeps>(current, later)) continue;  // [edge]
      later.next = row;
      row = &later;
    }
    if (row == nullptr) return;
    done = row;
    row = row->next;
  }
}

}  // namespace

bool enter_gates(member& current, dependent& own) {
  gate** const all = own.gates_begin();
  for (;;) {
    std::uint32_t entered = 0;
    while (entered < own.gates && try_to_enter(*all[entered], own)) ++entered;
    if (entered == own.gates) return true;
    // First all the others: who waits at a gate may be ready, run and gone at once.
    for (std::uint32_t number = 0; number < own.gates; ++number) {
      if (number != entered) leave(current, *all[number], own);
    }
    if (wait_at(*all[entered], own)) return false;
  }
}

void leave_gates(member& current, dependent& own) {
  for (std::uint32_t number = 0; number < own.gates; ++number) leave(current, *own.gates_begin()[number], own);
}

void complete_dependent(member& current, dependent* first) { complete<false, false>(current, first); }

void part_ended(member& current, dependent& own) {
  if (is_last(own.parts)) complete<false, false>(current, &own);
}

namespace {

const dependent_head& head_of(task_block& of) { return *static_cast<const dependent_head*>(of.arguments()); }

/// Returns: whether it has begun; if not, it may run elsewhere already. Effect: the record is fetched ahead.
[[gnu::always_inline]] inline bool has_begun(member& current, const dependent_head& head, dependent& own) {
  __builtin_prefetch(&own, 1);
  if (!head.may_have_gates()) return true;
  if (!enter_gates(current, own)) {
    current.hands_over = current.looks_at_end = true;
    return false;
  }
  own.task->spawned = 0;  // its priority, which it needs no more
  return true;
}

[[gnu::always_inline]] inline void* arguments_behind(const dependent_head& head, const node* running) {
  return reinterpret_cast<char*>(const_cast<dependent_head*>(&head)) + node::alignment_of(running->flags);
}

}  // namespace

void run_dependent(void* arguments) {
  member& current = *known_self();
  const auto& head = *static_cast<const dependent_head*>(arguments);
  dependent& own = *head.own();
  if (!has_begun(current, head, own)) return;
  head.function(arguments_behind(head, current.running));
  if (is_last(own.parts)) complete<false, true>(current, &own);
  run_set_aside(current);
}

void run_dependent_measured(member& current, task_block* next) {
  const dependent_head& head = head_of(*next);
  dependent& own = *head.own();
  if (!has_begun(current, head, own)) return;
  measured_frame frame;
  current.clock->begin_task(frame, reinterpret_cast<const void*>(head.function));
  call(head.function, arguments_behind(head, current.running));
  current.clock->end_task(frame);
  // relaxed: those before it are complete, and those behind it see it by [edge].
  const std::uint64_t chain_ns =
      own.chain_ns.load(platform::relaxed) + (frame.ns != 0 ? frame.ns : current.clock->usual_ns(frame));
  own.chain_ns.store(chain_ns, platform::relaxed);  // relaxed: as above
  current.clock->end_chain(frame, chain_ns);
  if (is_last(own.parts)) complete<true, true>(current, &own);
  run_set_aside(current);
}

bool has_gates(task_block* of) { return of->function == &run_dependent && head_of(*of).own()->gates != 0; }

void skip_dependent(member& current, task_block* discarded) {
  discarded->spawned = 0;  // its priority, if it is one with gates
  if (discarded->function != &run_dependent) return;
  part_ended(current, *head_of(*discarded).own());
  run_set_aside(current);
}

bool is_needed(const task_block* candidate, std::uint64_t table) {
  if (candidate->function != &run_dependent) return false;
  const dependent& own = *head_of(const_cast<task_block&>(*candidate)).own();
  return own.in == table && own.needed;
}

}  // namespace TEFF_NAMESPACE::openmp
