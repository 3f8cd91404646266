// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mem/memory.h"
#include "task/worker.h"

namespace TEFF_NAMESPACE::queue {

/// Makes and frees the nodes of list queues in the team's task memory.
template <class Node>
struct nodes {
  mem::memory& memory;

  /// Returns: nullptr if memory is refused.
  Node* make(worker& current, task held) const {
    void* block = memory.allocate(current, mem::block_kind::task);
    if (block == nullptr) return nullptr;
    platform::touch(block, sizeof(Node), platform::to_write);
    Node* made = ::new (block) Node;
    copy_task(held, made->held);
    return made;
  }

  /// Effect: takes the task out of the node, which is gone afterwards.
  void consume(worker& current, Node* node, task& taken) const {
    platform::touch(&node->held, sizeof(task), platform::to_read);
    copy_task(node->held, taken);
    free(current, node);
  }

  void free(worker& current, Node* node) const { memory.release(current, mem::block_kind::task, node); }
};

}  // namespace TEFF_NAMESPACE::queue
