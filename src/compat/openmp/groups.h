// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a taskgroup begins and ends.
#pragma once

#include "compat/openmp/cancel.h"
#include "compat/openmp/reductions.h"
#include "compat/openmp/refuse.h"
#include "compat/openmp/tasks.h"

#include <new>

namespace TEFF_NAMESPACE::openmp {

/// Effect: a taskgroup begins in the running task. Returns: it.
inline group_block& begin_group(member& current) {
  static_assert(sizeof(group_block) <= block_sizes::sizes[0]);
  void* const memory = current.memory.take(0, sizeof(group_block));
  if (memory == nullptr) fail("no memory for a taskgroup");
  node* const outside = settle(current);
  auto* const made = ::new (memory) group_block;
  made->begin(outside, static_cast<std::uint8_t>(node::scope | (outside->flags & node::final)), outside->data_environment,
              current.id, 0);
  made->wait.store(node::is_scope, platform::relaxed);  // relaxed: nobody else knows it before it has children
  current.running = made;
  return *made;
}

/// Effect: the innermost taskgroup ends: waits for its tasks and all their descendants.
inline void end_group(member& current) {
  node* const over = current.running;
  if (!(over->flags & node::scope)) return;
  wait_for_children(current, over, true);
  auto& group = static_cast<group_block&>(*over);
  // relaxed: of who has cancelled it this thread has seen all, by [child].
  if (group.cancelled.load(platform::relaxed)) [[unlikely]]
    forget_cancelled_group(current.in);
  if (group.copies != nullptr) [[unlikely]]
    group.copies->leave();
  current.running = over->parent();
  current.memory.give(0, over);
}

/// Effect: the member's part of a region ends, and with it the taskgroups that it is in still: those that it has left, when the
/// region was cancelled, from inside.
inline void end_part(member& current) {
  while (current.running->flags & node::scope) [[unlikely]]
    end_group(current);
  end_implicit(current);
}

}  // namespace TEFF_NAMESPACE::openmp
