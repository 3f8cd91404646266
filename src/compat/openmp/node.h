// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A task, and how it counts its children.
#pragma once

#include "platform/platform.h"

#include <cstddef>
#include <cstdint>

namespace teff::inline TEFF_PLATFORM::openmp {

struct icvs;

using task_function = void (*)(void*);

/// What tasks are children of: an implicit task, an explicit one, or a taskgroup inside one of these (a scope).
///
/// Children are counted in two ways at once, in the halves of 64 bits: those that *ended* (what taskwait waits for), and those
/// that are *gone* with all their descendants (what taskgroup waits for, and how long the node lives). A child that ends with no
/// descendant left is both in one addition.
///
/// | field              | written by                                                  | read by                           |
/// |--------------------|-------------------------------------------------------------|-----------------------------------|
/// | spawned, here      | the thread that runs the node                               | the same                          |
/// | flags              | its creator; then the thread that runs it                   | its thread; creators' children    |
/// | owner              | who begins to run it                                        | whoever ends a child of it        |
/// | elsewhere          | other threads, for children that they ended; its own, once, | the same                          |
/// |                    | when the node ends before its children                      |                                   |
///
/// After that once the upper half of `elsewhere` is what is left, negative; who makes it 0 disposes of the node.
struct node {
  node* parent;  ///< nullptr: an implicit task
  platform::atomic<std::uint64_t> elsewhere;
  std::uint64_t here;
  std::uint32_t spawned;
  std::uint16_t owner;  ///< the number in the team of the member that runs it
  std::uint8_t flags;
  std::uint8_t size_class;
  const icvs* data_environment;

  static constexpr std::uint64_t one_ended = 1, one_gone = std::uint64_t{1} << 32;
  /// In `elsewhere`: its thread sleeps until the count changes.
  static constexpr std::uint64_t awaited = std::uint64_t{1} << 31;
  /// closed: it ended before its children; on_stack: it runs at once, and moves to the heap before it has a child.
  enum : std::uint8_t { final = 1, scope = 2, closed = 4, own_icvs = 8, on_stack = 16, alignment_shift = 5 };

  void begin(node* its_parent, std::uint8_t its_flags, const icvs* environment) {
    parent = its_parent;
    elsewhere.store(0, platform::relaxed);
    here = 0;
    spawned = 0;
    flags = its_flags;
    data_environment = environment;
  }

  bool all_ended() const {
    const std::uint64_t far = elsewhere.load(platform::acquire);  // [child]
    return ((static_cast<std::uint32_t>(here) + static_cast<std::uint32_t>(far)) & (awaited - 1)) == (spawned & (awaited - 1));
  }
  bool all_gone() const {
    return spawned == static_cast<std::uint32_t>((here >> 32) + (elsewhere.load(platform::acquire) >> 32));  // [child]
  }
  bool is_done(bool gone) const { return gone ? all_gone() : all_ended(); }

  /// Returns: the task that the node belongs to.
  node* task() {
    node* at = this;
    while (at->flags & scope) at = at->parent;
    return at;
  }
};

/// An explicit task: its arguments lie behind it.
struct task_block : node {
  task_function function;

  void* arguments() {
    const std::size_t alignment = std::size_t{16} << (flags >> alignment_shift);
    return reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(this + 1) + alignment - 1) & ~(alignment - 1));
  }
};
static_assert(sizeof(task_block) == 48);

/// Whether `candidate` descends from `of`, in at most so many steps. Pre: neither is gone. Cost: the steps.
inline bool descends(const node* candidate, const node* of, unsigned steps = ~0u) {
  for (const node* at = candidate->parent; at != nullptr && steps > 0; at = at->parent, --steps) {
    if (at == of) return true;
  }
  return false;
}

}  // namespace teff::inline TEFF_PLATFORM::openmp
