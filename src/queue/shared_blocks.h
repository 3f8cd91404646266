// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "platform/platform.h"
#include "queue/results.h"
#include "queue/task_block.h"

#include <cstddef>
#include <cstdint>

namespace TEFF_NAMESPACE::queue {

/// Task blocks that any worker may take: the public queue of dq8, the central queue of sdq1.
///
/// Source: Korch & Rauber 2002, §6.3 (lists of arrays). Idea: one lock per block moved, not per task.
/// Invariants: every block holds at least one task; `length_` is the number of blocks whenever the lock is free ([probe]).
/// Cost: one lock per operation; a look at an empty queue: one load. Order: LIFO by blocks.
class alignas(cache_line_bytes) shared_blocks {
 public:
  explicit shared_blocks(platform::lock_kind kind) : lock_(kind) {}

  /// Effect: the time account calls its lock so.
  void name(lock_label label) {
    lock_.name(label);
    platform::name_line(this,
                        label.what() == guarded::queue ? "line of the lock of queue" : "line of the lock of the central queue",
                        label.number());
  }

  /// Owns: takes the block over. Never refused: the block is its own node.
  push_result push(task_block* added) {
    platform::lock_guard guard(lock_);
    blocks_.insert_newest(added);
    publish_length();
    return blocks_.length() == 1 ? push_result::first : push_result::added;
  }

  /// Effect: takes up to `count` of the newest blocks. `first` is the one to work on; the others go to `further(block)`, in
  ///   their order, after the lock was released. Owns: hands the blocks over.
  template <class Receiver>
  steal_result pop(std::size_t count, task_block*& first, Receiver further) {
    if (length_estimate() == 0) return steal_result::empty;
    task_block_list taken;
    {
      platform::lock_guard guard(lock_);
      for (; count > 0 && !blocks_.empty(); --count) taken.insert_newest(blocks_.remove_newest());
      publish_length();
    }
    if (taken.empty()) return steal_result::lost;
    first = taken.remove_oldest();
    while (!taken.empty()) further(taken.remove_newest());
    return steal_result::got;
  }

  template <class Predicate>
  bool take_if(worker& current, mem::memory& memory, Predicate wanted, task& taken) {
    task_block* emptied = nullptr;
    {
      platform::lock_guard guard(lock_);
      if (!blocks_.take_if(wanted, taken, emptied)) return false;
      publish_length();
    }
    if (emptied != nullptr) memory.release(current, mem::block_kind::task, emptied);
    return true;
  }

  /// A racy snapshot of the number of blocks, as locked::length_estimate.
  std::size_t length_estimate() const { return length_.load(platform::relaxed); }

  /// Most blocks held at once. Statistics.
  std::uint64_t peak() const { return peak_.value(); }
  std::uint64_t lock_waits() const { return lock_.waits(); }
  /// Pre: nobody uses the queue.
  void reset_statistics() {
    peak_.set(length_estimate());
    lock_.reset_waits();
  }

 private:
  void publish_length() {
    // [probe] relaxed: written under the lock, read without it as a hint.
    length_.store(static_cast<std::uint32_t>(blocks_.length()), platform::relaxed);
    if (blocks_.length() > peak_.value()) peak_.set(blocks_.length());
  }

  platform::lock lock_;
  platform::atomic<std::uint32_t> length_{0};
  task_block_list blocks_;
  platform::statistic peak_;
};

}  // namespace TEFF_NAMESPACE::queue
