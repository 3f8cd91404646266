// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A task, and how it counts its children.
#pragma once

#include "base/assert.h"
#include "compat/openmp/blocks.h"
#include "platform/platform.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace TEFF_NAMESPACE::openmp {

struct icvs;
struct group_block;
struct shared_copies;

using task_function = void (*)(void*);

/// What tasks are children of: an implicit task, an explicit one, or a taskgroup inside one of these (a scope).
///
/// Children are counted in two ways at once, in the halves of 64 bits: those that *ended* (what taskwait waits for), and those
/// that are *gone* with all their descendants (what taskgroup waits for, and how long the node lives). A child that ends with no
/// descendant left is both in one addition.
///
/// | field              | written by                                                  | read by                           |
/// |--------------------|-------------------------------------------------------------|-----------------------------------|
/// | above              | its creator; the thread that runs it (closed_tasks.cpp)     | who looks up from below (pin);    |
/// |                    |                                                             | its thread                        |
/// | spawned, here      | the thread that runs the node; before: see                  | the same                          |
/// |                    | ready_by_priority                                           |                                   |
/// | wait               | the thread that runs the node                               | who looks for tasks, and for      |
/// |                    |                                                             | taskgroups that are cancelled     |
/// | flags              | its creator; then the thread that runs it                   | its thread; creators' children;   |
/// |                    |                                                             | those that is_closed let come     |
/// | owner              | its creator, and who begins to run it                       | who begins it; whoever ends a     |
/// |                    |                                                             | child of it                       |
/// | elsewhere          | other threads, for children that they ended; its own, too,  | the same                          |
/// |                    | when the node ends before its children                      |                                   |
///
/// After that once the upper half of `elsewhere` is what is left, negative; who makes it 0 disposes of the node.
///
/// [child] release by who ends a child elsewhere, acquire by who reads the count: it sees what the child did.
struct node {
  platform::atomic<node*> above;  ///< its parent; nullptr: an implicit task
  platform::atomic<std::uint64_t> elsewhere;
  std::uint64_t here;
  std::uint32_t spawned;
  std::uint8_t owner;  ///< the number in the team of the member that runs it
  platform::atomic<std::uint8_t> wait;
  std::uint8_t flags;
  std::uint8_t size_class;
  const icvs* data_environment;

  /// From so many children on they are forgotten, if all are gone, or run at once: the numbers below hold twice as many.
  static constexpr std::uint32_t many_children = std::uint32_t{1} << 30;
  static constexpr std::uint64_t one_ended = 1, one_gone = std::uint64_t{1} << 32;
  /// What the lower half of a closed node's `elsewhere` has besides: each task that becomes its child later is taken off from it
  /// until it has ended, and it must not look as if somebody slept.
  static constexpr std::uint64_t reparented_at_most = std::uint64_t{1} << 29;
  /// In `elsewhere`: its thread sleeps until the count changes.
  static constexpr std::uint64_t awaited = std::uint64_t{1} << 31;
  /// closed: it ended before its children; changed: its variables are a record that was made for it (set_icvs); on_stack: it runs
  /// at once, and moves to the heap before it has a child.
  enum : std::uint8_t { final = 1, scope = 2, closed = 4, changed = 8, on_stack = 16, alignment_shift = 5 };
  /// Returns: how arguments are aligned: 16 bytes, or four times as many for each step.
  static std::size_t alignment_of(std::uint8_t flags) { return std::size_t{16} << 2 * (flags >> alignment_shift); }

  /// In `wait`: its thread waits for its children or, in a taskgroup, descendants; beside: these may depend on tasks that are
  /// none of them; wider: of those none was found, and it may run other children of its task.
  /// knows_group: see task_block. moved: it may have begun on another thread than its parent's. creates: it is no task, but
  /// stands for one that its parent is about to make, when others are complete.
  enum : std::uint8_t { waits = 1, is_scope = 2, beside = 4, knows_group = 8, moved = 16, creates = 32, wider = 64 };

  /// Effect: it has no children yet. `creator`: the member that calls.
  void begin(node* its_parent, std::uint8_t its_flags, const icvs* environment, unsigned creator, std::uint8_t its_size_class) {
    // relaxed, both: nobody else knows the node before it is put, or has a child that is.
    above.store(its_parent, platform::relaxed);
    elsewhere.store(0, platform::relaxed);
    here = 0;
    set_state(std::uint64_t{its_size_class} << 56 | std::uint64_t{its_flags} << 48 |
              static_cast<std::uint64_t>(static_cast<std::uint8_t>(creator)) << 32);
    data_environment = environment;
  }

  /// Effect: as begin, of a new node on the stack of the thread that runs it. `state`: stack_state of its number.
  void begin_on_stack(node* its_parent, bool is_final, std::uint64_t state) {
    above.store(its_parent, platform::relaxed);  // relaxed: as above
    here = 0;
    if (is_final || (its_parent->flags & final)) [[unlikely]]
      state |= std::uint64_t{final} << 48;
    set_state(state);
    data_environment = its_parent->data_environment;
  }
  /// Effect: `spawned` and all behind it, in one store.
  void set_state(std::uint64_t state) {
    static_assert(std::endian::native == std::endian::little && offsetof(node, owner) == offsetof(node, spawned) + 4 &&
                  offsetof(node, flags) == offsetof(node, spawned) + 6 &&
                  offsetof(node, size_class) == offsetof(node, spawned) + 7);
    std::memcpy(reinterpret_cast<char*>(this) + offsetof(node, spawned), &state, sizeof state);
  }
  /// What `spawned` and all behind it say of a node on the stack of this member.
  static constexpr std::uint64_t stack_state(unsigned member) {
    return std::uint64_t{on_stack} << 48 | static_cast<std::uint64_t>(static_cast<std::uint8_t>(member)) << 32;
  }

  /// relaxed: who that is has been there since before the node was made. Threads: its own; others by a pin, or if it is closed.
  node* parent() const {
    TEFF_ASSERT(size_class != block_sizes::freed_byte, "nobody goes up by way of a node that is gone");
    return above.load(platform::relaxed);
  }

  bool all_ended() const {
    const std::uint64_t far = elsewhere.load(platform::acquire);  // [child]
    return ((static_cast<std::uint32_t>(here) + static_cast<std::uint32_t>(far)) & (awaited - 1)) == (spawned & (awaited - 1));
  }
  bool all_gone() const {
    return spawned == static_cast<std::uint32_t>((here >> 32) + (elsewhere.load(platform::acquire) >> 32));  // [child]
  }
  /// Effect: counts from 0 again. Pre: all are gone.
  void forget_children() {
    here = 0;
    spawned = 0;
    elsewhere.store(0, platform::relaxed);  // relaxed: all children are gone, so nobody else writes it
  }
  /// Effect: that member begins to run it.
  void begin_to_run(unsigned member) {
    if (owner == member) [[likely]]  // who made it, and whose child it is
      return;
    owner = static_cast<std::uint8_t>(member);
    wait.store(wait.load(platform::relaxed) | moved, platform::relaxed);  // relaxed: who runs it writes it
  }
  /// Returns: whether to count it in the parent's `elsewhere`. It reads nothing of the parent: that would come from another
  /// thread, which writes there. Threads: the one that runs it.
  bool has_moved() const { return (wait.load(platform::relaxed) & moved) != 0; }  // relaxed: its own

  /// Whether it ended before its children. Threads: whoever knows that it is not gone; if so, they may read the rest of it, which
  /// does not change any more.
  bool is_closed() const { return elsewhere.load(platform::acquire) >> 63 != 0; }  // [child]

  bool is_done(bool gone) const { return gone ? all_gone() : all_ended(); }

  /// Whether it is a taskgroup. Threads: whoever knows that the node is not gone.
  bool is_group() const { return (wait.load(platform::relaxed) & is_scope) != 0; }  // relaxed: so from before it has children

  /// Whether it is a task that says in `around` which taskgroup is the nearest with reductions. Threads: as is_group.
  bool has_around() const { return (wait.load(platform::relaxed) & knows_group) != 0; }  // relaxed: as in is_group

  /// Returns: the task that the node belongs to. Threads: the node's.
  node* task() {
    node* at = this;
    while (at->flags & scope) at = at->parent();
    return at;
  }
};

/// An explicit task: its arguments lie behind it. When it has begun, nobody asks for its function any more. So one that takes
/// part in a reduction keeps there where the nearest taskgroup around it is that has reductions, for those below it: its thread
/// writes this before it has a child.
struct task_block : node {
  union {
    task_function function;
    const group_block* around;  ///< if the node has_around
  };

  void keep_around(const group_block* group) {
    around = group;
    wait.store(wait.load(platform::relaxed) | knows_group, platform::relaxed);  // relaxed: nobody looks before it has children
  }

  void* arguments() {
    const std::size_t alignment = alignment_of(flags);
    return reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(this + 1) + alignment - 1) & ~(alignment - 1));
  }
};
static_assert(sizeof(task_block) == 48);

/// A taskgroup. `cancelled` is written by whoever cancels it, read by who is about to begin a task in it: a hint. `reductions` is
/// written by its thread before the group has a child.
struct group_block : node {
  std::uintptr_t* reductions = nullptr;  ///< as in reductions.h; nullptr: there are none
  shared_copies* copies = nullptr;       ///< of which the group is a user
  platform::atomic<bool> cancelled{false};
};

/// The function of a task with dependences (depend.h).
void run_dependent(void* arguments);
/// Returns: whether the task, which has not begun, has to enter gates.
bool has_gates(task_block* of);
/// Returns: whether it is one of a certain table that the wait of its parent is for. Threads: the parent's.
bool is_needed(const task_block* candidate, std::uint64_t table);

/// What a wait may run: all descendants of a node if it waits for `all`; else its children and what these wait for, directly or
/// not; and what others depend on that it waits for, if there is a table of such; and all children of `siblings_of`, which is a
/// task, or nobody. Other descendants may want a lock which the waiter holds. Who waits for a task that has not begun does so
/// until it has ended, so what has been seen on the way up is still so when the task is taken.
///
/// Who asks is at work on the way up from the candidate: see `pin`.
struct descendants {
  const node* of;
  bool all;
  std::uint64_t table = 0;
  const node* siblings_of = nullptr;

  /// Returns: whether the candidate is one of them; when `steps_left`, which candidates may share, has come to 0, only a child of
  /// the one or the other is one. Effect: counts it down by each step up. Pre: neither is gone. Cost: the steps.
  bool have(const node* candidate, unsigned* steps_left = nullptr) const {
    if (table != 0 && is_needed(static_cast<const task_block*>(candidate), table)) return true;
    bool needed = true, from_scope = false, in_groups = true;
    for (const node* at = candidate->parent(); at != nullptr; at = at->parent()) {
      if (at == of) return all || needed;
      if (in_groups && at == siblings_of) return true;
      if (steps_left != nullptr) {
        if (*steps_left == 0) return false;
        --*steps_left;
      }
      const std::uint8_t state = at->wait.load(platform::relaxed);  // relaxed: a hint, see wait_for_children
      // Who has begun a taskgroup waits for nothing but its end, and for all in it.
      if ((state & ~(node::beside | node::wider)) == (node::waits | node::is_scope)) needed = true;
      else if (!(state & node::waits) && !from_scope) needed = false;
      from_scope = (state & node::is_scope) != 0;
      in_groups = in_groups && from_scope;
    }
    return false;
  }
};

}  // namespace TEFF_NAMESPACE::openmp
