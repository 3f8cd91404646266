// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mem/memory.h"
#include "task/worker.h"

namespace teff::inline TEFF_PLATFORM::queue {

/// Makes and frees the nodes of list queues in the team's task memory.
template <class Node>
struct nodes {
  mem::memory& memory;

  /// Returns: nullptr if memory is refused.
  Node* make(worker& current, task held) const {
    void* block = memory.allocate(current, mem::block_kind::task);
    if (block == nullptr) return nullptr;
    Node* made = ::new (block) Node;
    made->held = held;
    return made;
  }

  /// Returns: the node's task; the node is gone afterwards.
  task consume(worker& current, Node* node) const {
    const task held = node->held;
    memory.release(current, mem::block_kind::task, node);
    return held;
  }
};

}  // namespace teff::inline TEFF_PLATFORM::queue
