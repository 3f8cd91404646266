// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is known of a task with dependences, beside its block: README.md, *Dependences*.
#pragma once

#include "compat/openmp/member.h"

#include <cstdint>

namespace TEFF_NAMESPACE::openmp {

struct dependent;

/// That one is behind another: in the row of the earlier one, in the memory of the later one.
struct edge {
  dependent* later;
  edge* next;
};

/// Edges beyond one for each address.
struct more_edges {
  static constexpr unsigned at_most = 15;
  more_edges* next;
  unsigned used;
  edge at[at_most];
};

/// A task's part in the group of those that use an address in one way, newest first. Its edge is for the first one that the task
/// is behind because of this address.
struct use {
  use* next;
  edge behind;
};

/// Where tasks with mutexinoutset for an address keep each other out. Under `guard`: who is inside, a task that has begun; and
/// those that have come in vain, which are in no pool.
struct gate {
  platform::lock guard;
  dependent* inside = nullptr;
  dependent* first = nullptr;
  dependent* last = nullptr;
  platform::atomic<std::uint32_t> users{1};  ///< tasks with it among their gates, and the address
  std::uint8_t size_class = 0;
  bool awaited = false;  ///< while the parent's thread marks, which alone uses it: a wait is for one with this gate
};

/// A task with dependences; or what only stands for others: a *joint* behind all of a group, or a wait.
///
/// | field                          | written by                                        | read by                            |
/// |--------------------------------|---------------------------------------------------|------------------------------------|
/// | later                          | the parent's thread; who completes it             | both                               |
/// | needed, gone                   | the parent's thread                               | the same                           |
/// | before                         | the parent's thread; who completes an earlier one | who makes it 0: it is ready        |
/// | parts                          | who ends the code, or its event                   | the same                           |
/// | next                           | under the lock of a gate; who completes it        | the same                           |
/// | chain_ns (with a clock)        | who completes an earlier one, before [edge]; who  | who runs or completes it           |
/// |                                | runs it                                           |                                    |
/// | the rest                       | the parent's thread, before it is put             | whoever has it                     |
///
/// [edge] acq_rel: who completes it hands on what the task has written, to the thread that puts the later ones; the parent's
/// thread that finds it complete sees that, too.
struct dependent {
  /// In `later`, beside the newest edge: it is complete; its parent has forgotten it, so that who completes it frees it.
  static constexpr std::uintptr_t complete = 1, forgotten = 2, bits = 3;
  static constexpr std::uint32_t not_armed = std::uint32_t{1} << 30;

  // What a thread reads and writes that completes one before it, or it: one line, with the first edge.
  platform::atomic<std::uintptr_t> later{0};
  task_block* task = nullptr;
  node* wait = nullptr;                               ///< whose one child it is, if it stands for a wait
  platform::atomic<std::uint32_t> before{not_armed};  ///< earlier ones that are not complete
  std::uint32_t uses = 0, gates = 0;
  platform::atomic<std::uint8_t> parts{1};  ///< its code, and its event
  std::uint8_t size_class = 0;
  bool has_priority = false;  ///< its task
  bool needed : 1 = false;    ///< a wait of the parent is for it
  bool gone : 1 = false;      ///< it was complete when its parent began to collect
  use first_use;

  node* parent = nullptr;                       ///< of the task; nullptr of a joint
  std::uint64_t in = 0;                         ///< the number of the parent's table
  dependent* next = nullptr;                    ///< at a gate, or among those that are complete together
  more_edges* more = nullptr;                   ///< those in use first
  platform::atomic<std::uint64_t> chain_ns{0};  ///< what the longest chain of tasks took that ends before it, or with it

  /// How many uses lie behind it.
  static std::uint32_t more_than_one(std::uint32_t uses) { return uses - (uses != 0 ? 1 : 0); }
  use* use_at(std::uint32_t number) { return number == 0 ? &first_use : reinterpret_cast<use*>(this + 1) + (number - 1); }
  gate** gates_begin() { return reinterpret_cast<gate**>(reinterpret_cast<use*>(this + 1) + more_than_one(uses)); }
  bool is_complete() const { return (later.load(platform::acquire) & complete) != 0; }  // [edge]
};

/// What lies before the arguments of a task with dependences, whose function is run_dependent. It says whether the record is to
/// be looked at before the task runs: another thread has written that, and it comes while the task runs if nobody waits for it.
class dependent_head {
 public:
  dependent_head(dependent* own, task_function its_function, bool may_have_gates)
      : function(its_function), own_(reinterpret_cast<std::uintptr_t>(own) | (may_have_gates ? gated : 0)) {}

  dependent* own() const { return reinterpret_cast<dependent*>(own_ & ~gated); }
  bool may_have_gates() const { return (own_ & gated) != 0; }

  const task_function function;

 private:
  static constexpr std::uintptr_t gated = 1;
  const std::uintptr_t own_;
};

/// Returns: one with room for so many addresses and gates. Errors: ends the program if there is no memory.
dependent* make_dependent(member& current, std::uint32_t uses, std::uint32_t gates);
void free_dependent(member& current, dependent* unused);
gate* make_gate(member& current);
/// Effect: a user of the gate is gone.
void leave_for_ever(member& current, gate* left);

/// Effect: it is in all of its gates. Returns: false if one has somebody inside: then it is told of it, by being ready again, and
/// may be so already.
bool enter_gates(member& current, dependent& own);
/// Effect: it is in none, and the next one comes to each that is free.
void leave_gates(member& current, dependent& own);
/// Effect: nobody waits for it any more. Those that are ready by that are put.
void complete_dependent(member& current, dependent* first);
/// Effect: the code has ended, or the event happened. Post: it may be gone.
void part_ended(member& current, dependent& own);
/// As the function of a task with dependences, of a member with a clock: chains are handed on to those that are behind it.
void run_dependent_measured(member& current, task_block* next);

}  // namespace TEFF_NAMESPACE::openmp
