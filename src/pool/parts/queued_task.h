// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"
#include "task/frame.h"

#include <cstddef>
#include <cstdint>
#include <new>

namespace TEFF_NAMESPACE::pool::parts {

class run_queue;

/// Tasks that were put together, where the settings bound how many of them may be below one queue.
/// Threads: `below` goes up under the queue's lock, and down without.
struct batch {
  platform::atomic<std::uint32_t> left;  ///< tasks that have not given their part back
  std::uint32_t queues;
  /// By the queues' numbers: tasks that were moved into it and have neither ended nor waited since.
  platform::atomic<std::uint32_t>* below() { return reinterpret_cast<platform::atomic<std::uint32_t>*>(this + 1); }

  /// Returns: nullptr if memory is refused.
  static batch* make(std::size_t tasks, std::uint32_t queues) {
    void* const block = platform::system_allocate(bytes(queues));
    if (block == nullptr) return nullptr;
    auto* const made = ::new (block) batch{static_cast<std::uint32_t>(tasks), queues};
    for (std::uint32_t each = 0; each < queues; ++each) ::new (made->below() + each) platform::atomic<std::uint32_t>(0);
    return made;
  }
  void release() { platform::system_release(this, bytes(queues)); }
  /// Effect: one of its tasks is no longer in or below this queue; the last one ends the batch.
  inline void give_part_back(run_queue& from);

 private:
  static std::size_t bytes(std::uint32_t queues) { return sizeof(batch) + queues * sizeof(platform::atomic<std::uint32_t>); }
  batch(std::uint32_t tasks, std::uint32_t of_queues) : left(tasks), queues(of_queues) {}
};

/// A task in a run queue, ready or set aside. Owned by the queue or list that it is in, else by the worker that has taken it.
struct queued_task {
  queued_task* next = nullptr;
  task held;
  batch* of = nullptr;     ///< of a task that has not begun, if it is bounded
  started* who = nullptr;  ///< of one that has: where the pool's word of it is
  // Of a task that is set aside, under the lock of the worker that it left.
  queued_task* before = nullptr;
  run_queue* place = nullptr;  ///< whose blocked queue it is in; nullptr: none yet
  std::uint16_t left = 0;      ///< that worker
  bool of_system = false;      ///< its memory, which no manager gave
};

/// Tasks on their way from one queue to the next, oldest first.
struct task_chain {
  queued_task* first = nullptr;
  queued_task* last = nullptr;
  std::uint32_t count = 0;

  void add(queued_task* added) {
    platform::touch_pointer(added->next, platform::to_write);
    added->next = nullptr;
    (last != nullptr ? last->next : first) = added;
    last = added;
    ++count;
  }
};

}  // namespace TEFF_NAMESPACE::pool::parts
