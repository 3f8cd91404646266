// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How tasks are made, run at once, and are waited for.
#pragma once

#include "compat/openmp/clock.h"
#include "compat/openmp/execute.h"
#include "compat/openmp/team.h"

#include <cstring>
#include <new>

namespace TEFF_NAMESPACE::openmp {

/// Effect: what the children of a node depend on is needed.
void mark_needed(const member& current, const node* of);
/// Returns: the number of the table that a wait with `beside` may take from.
std::uint64_t table_number(const member& current);
/// Effect: the node's thread waits for its children. Returns: what it did before.
inline std::uint8_t begin_to_wait(const member& current, node* of) {
  // relaxed: its own thread alone writes it. Others read it as a hint: who sees it late leaves the task to this thread.
  const std::uint8_t state = of->wait.load(platform::relaxed);
  of->wait.store(state | node::waits, platform::relaxed);
  if ((state & node::beside) && (of->flags & node::scope)) [[unlikely]]
    mark_needed(current, of);
  return state;
}
/// Returns: what a wait may run, besides the children: what they depend on, or, of who makes a task, any descendant.
descendants wanted_besides(const member& current, const node* of, bool gone, std::uint8_t state);
/// Effect: a wait for what tasks depend on that finds none of these may run other children of the running task: one of them may
/// have to bring about what is waited for. Not if the member has taken a lock in the region, which these may want.
void look_wider(const member& current, node* of);
/// Returns: what a wait may run.
[[gnu::always_inline]] inline descendants wanted_by(const member& current, const node* of, bool gone) {
  const std::uint8_t state = of->wait.load(platform::relaxed);  // relaxed: its own thread alone writes it
  if (state & (node::beside | node::creates)) [[unlikely]]
    return wanted_besides(current, of, gone, state);
  return {of, gone};
}

/// Returns: whether the candidate is one of those.
bool have(const member& current, const descendants& wanted, const node* candidate, unsigned* steps_left = nullptr);

/// Returns: the team's pool, known to the member from now on; nullptr if there is none yet.
inline engine* pool_of(member& current) {
  if (current.pool == nullptr) [[unlikely]] {
    current.pool = current.in.pool.load(platform::acquire);  // [pool]
    if (current.pool != nullptr) current.use(current.pool->lane(current), current.in.orders());
  }
  return current.pool;
}

/// Effect: runs tasks of any kind until it finds none. `woken`: a first one found is a reason to wake another member. Returns:
/// whether it ran one.
bool run_tasks(member& current, bool woken);
/// Returns: whether it seems that another member keeps tasks to itself, in a queue where this one found none, and it is time to
/// take some: who keeps them may be in a long task. Effect: if so, a look by force counts as begun. Pre: it waits in a barrier,
/// and its own queue is empty. Cost: two lines of each member's.
bool others_keep_tasks(member& current);
/// As a barrier, of a member without others.
void meet_alone(member& current);
/// Returns: an unstarted one of them, taken out of the pool; nullptr if it found none.
task_block* find_descendant(member& current, const descendants& wanted, pool::reach how);
/// Effect: what the calling thread's member keeps to itself in the pool comes into view of the others. For who is about to wait
/// for something that one of these tasks may have to bring about.
void share_tasks();
void share_tasks(member& current);
/// Effect: waits until the children of a node of this thread ended, or (`gone`) are gone with their descendants; runs
/// descendants of them.
void wait_for_children(member& current, node* of, bool gone);

/// What a program says about a task. `flags` are those of a node.
struct task_request {
  task_function function;
  void* data;
  void (*copy)(void*, void*);
  std::size_t bytes, alignment;
  std::uint8_t flags;
  std::uint32_t priority = 0;  ///< 0: none
  bool has_part = false;       ///< of a taskloop: the arguments begin with its bounds
  std::uint64_t from = 0, to = 0;

  void write_part(void* arguments) const {
    if (!has_part) return;
    static_cast<std::uint64_t*>(arguments)[0] = from;
    static_cast<std::uint64_t*>(arguments)[1] = to;
  }
};
/// Effect: as execute ends, for the running task, which ran at once and has moved to the heap: if it has descendants left, it
/// counts as a child only now.
void end_at_once(member& current);

/// Effect: runs a function as a task that lies on the stack. What is written back afterwards is read from the node, not kept in
/// registers, which would have to be saved: as fast, by fewer instructions.
[[gnu::always_inline]] inline void run_on_stack(member& current, task_function function, void* arguments, bool is_final) {
  task_block here;
  here.begin_on_stack(current.running, is_final, current.stack_state);
  current.running = &here;
  ++current.nested;
  call(function, arguments);
  --current.nested;
  node* const outside = here.parent();
  if (outside == nullptr) [[unlikely]]  // it has moved to the heap, together with those above it
    return end_at_once(current);
  current.running = outside;
}

/// As run_on_stack, of a member with a clock.
[[gnu::always_inline]] inline void run_on_stack_measured(member& current, task_function function, void* arguments,
                                                         bool is_final) {
  activity_clock& clock = *current.clock;
  measured_frame frame;
  clock.begin_task(frame, reinterpret_cast<const void*>(function));
  clock.at_once.add(1);
  run_on_stack(current, function, arguments, is_final);
  clock.end_task(frame);
}
void run_measured(member& current, task_function function, void* arguments, bool is_final);  // of one with a clock
/// Effect: runs a child now. `arguments`: the child's own, or the program's.
[[gnu::always_inline]] inline void run_at_once(member& current, task_function function, void* arguments, bool is_final) {
  if (current.clock != nullptr) [[unlikely]]
    return run_measured(current, function, arguments, is_final);
  run_on_stack(current, function, arguments, is_final);
}
void run_at_once(member& current, const task_request& wanted);
/// Effect: the running node, if it lies on the stack, moves to the heap: it is about to get a child. Returns: it.
node* settle_on_heap(member& current);
inline node* settle(member& current) {
  return current.running->flags & node::on_stack ? settle_on_heap(current) : current.running;
}
/// As memcpy, of a few words at most times.
inline void copy_words(void* to, const void* from, std::size_t bytes) {
  if (bytes > 64 || bytes % sizeof(std::uint64_t) != 0) {
    std::memcpy(to, from, bytes);
    return;
  }
  for (std::size_t at = 0; at < bytes; at += sizeof(std::uint64_t))
    __builtin_memcpy(static_cast<char*>(to) + at, static_cast<const char*>(from) + at, sizeof(std::uint64_t));
}
/// Returns: that, or more, as flags of a node. Pre: more than 16. Errors: ends the program if there is no room for it in these.
std::uint8_t alignment_flags(std::size_t alignment);
/// Effect: makes a child of the running node, with its arguments copied. Returns: nullptr if memory is refused.
[[gnu::always_inline]] inline task_block* make_child(member& current, const task_request& wanted) {
  std::size_t bytes = sizeof(task_block) + wanted.bytes;
  std::uint8_t flags = wanted.flags;
  if (wanted.alignment > 16) [[unlikely]] {
    flags |= alignment_flags(wanted.alignment);
    bytes += node::alignment_of(flags);
  }
  const std::uint8_t size_class = blocks::class_of(bytes);
  void* const memory = current.memory.take(size_class, bytes);
  if (memory == nullptr) return nullptr;
  auto* const made = ::new (memory) task_block;
  node* const parent = settle(current);
  made->begin(parent, flags, parent->data_environment, current.id, size_class);
  made->function = wanted.function;
  void* const arguments = wanted.alignment > 16 ? made->arguments() : static_cast<void*>(made + 1);
  if (wanted.copy != nullptr) wanted.copy(arguments, wanted.data);
  else copy_words(arguments, wanted.data, wanted.bytes);
  wanted.write_part(arguments);
  return made;
}
/// Effect: gives the child to the pool; if that has no memory, the child runs now.
void put_child(member& current, task_block* child);
/// Effect: half of that: the child counts, but nobody may run it yet. The other half is push_ready.
void count_child(member& current, task_block* child);
/// Returns: whether tasks may run on top of the running one although no wait is for them: their order is the lane's, not too many
/// lie on the stack, and no lock may be in play (README.md).
[[gnu::always_inline]] inline bool may_run_more(const member& current, const queue::lane* lane) {
  return lane != nullptr && current.nested < tuning::nested_at_once_at_most &&
         // relaxed: a hint, but for tasks of who holds the lock, which bring it along (README.md, *Locks*).
         current.in.puts_all.load(platform::relaxed) == 0;
}
/// Returns: whether a child is better run at once: enough tasks wait in the member's own queue, and no thread asks for some.
[[gnu::always_inline]] inline bool has_enough(const member& current, const queue::lane* lane) {
  return may_run_more(current, lane) && lane->has_unasked(current.enough);
}
[[gnu::always_inline]] inline bool has_enough(const member& current) { return has_enough(current, current.lane); }
/// Returns: whether a node has too many children to count. Effect: forgets them if they are gone.
bool is_full(node& of);
/// Pre: the caller has pushed to its lane, and somebody asks for tasks, or nothing was in view. Returns: whether the new task may
/// stay private: something is in view, a call is on its way, and enough members are awake. [call]
bool leaves_to_called(const member& current);
/// Pre: as there. Returns: whether the pool need not look: as there; or few tasks are in view, nobody sleeps, and the lane heeds
/// the sleepers. Effect: then half of the private ones come into view as well: who comes for tasks is soon through brief ones,
/// when this thread may be at work of its own, and look at nothing. Not those of a row, behind which their creator looks itself.
bool shows_enough(member& current);
/// Returns: whether a child may be put: neither has the member enough tasks for all, nor the team too many.
bool look_whether_to_put(member& current);
/// Returns: whether a new task is to run at once: the running one has too many children, or the team has too many tasks for how
/// much of the stack is in use.
bool is_beyond_bound(member& current);
/// Returns: whether it has not, by half of that. Effect: then new tasks are put again.
bool has_room_again(member& current);
/// Returns: whether a child may be put without a look.
[[gnu::always_inline]] inline bool has_room(const member& current) {
  return current.created.load(platform::relaxed) < current.check_at;  // relaxed: its own
}
inline bool may_put(member& current) { return has_room(current) || look_whether_to_put(current); }
/// Effect: the calling thread is about to take a lock of OpenMP, which counts as held from here on. Tasks of its region then run
/// on top of others only where README.md says that this cannot keep the lock's holder from going on, and where there is no room
/// for them.
[[gnu::always_inline]] inline void expect_locks() {
  member* const current = known_self();
  if (current == nullptr) return;
  ++current->locks_held;
  if (current->takes_locks) [[likely]]
    return;
  current->takes_locks = true;
  current->in.puts_all.fetch_or(team::for_ever, platform::relaxed);  // a task that is made later by who reads it sees it
}
/// Effect: the calling thread does not hold such a lock any more.
[[gnu::always_inline]] inline void forget_lock() {
  member* const current = known_self();
  if (current != nullptr) --current->locks_held;
}

}  // namespace TEFF_NAMESPACE::openmp
