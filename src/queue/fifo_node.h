// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"
#include "queue/note.h"
#include "task/task.h"

#include <cstdint>

namespace TEFF_NAMESPACE::queue {

/// A node of lock_free_fifo.
///
/// [state] release by who leaves it, acquire by who looks at it next, or removes it: nobody else begins the task, or looks at it,
/// between a call of begin_look and one of leave or end.
struct fifo_node {
  enum state : std::uint32_t { waits, is_looked_at, gone };

  platform::atomic<fifo_node*> older{nullptr};
  task held;
  fifo_node* newer = nullptr;
  note* noted = nullptr;  ///< where its task's putter finds it
  platform::atomic<std::uint32_t> now{waits};

  /// Returns: false if it is gone.
  bool begin_look() {
    for (;;) {
      std::uint32_t found = waits;
      if (now.compare_exchange(found, is_looked_at, platform::acq_rel)) return true;  // [state]
      if (found == gone) return false;
      platform::pause();  // another one looks
    }
  }
  /// Effect: the task is there as before.
  void leave() { now.store(waits, platform::release); }  // [state]
  /// Effect: takes the task. Threads: who looks at it, or removes it; before anybody unlinks the node.
  void give(task& taken) {
    copy_task(held, taken);
    if (noted != nullptr) noted->empty();
  }
  /// Effect: the node is who unlinks it's.
  void end() { now.store(gone, platform::release); }  // [state]

  /// Pre: nobody else knows the node. `where`: or nullptr.
  void fill_note(note* where) {
    noted = where;
    if (where != nullptr) where->fill(this);
  }
};

}  // namespace TEFF_NAMESPACE::queue
