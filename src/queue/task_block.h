// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mem/memory.h"
#include "platform/platform.h"
#include "task/worker.h"

#include <cstddef>
#include <cstdint>

namespace TEFF_NAMESPACE::queue {

/// A small array of tasks, the unit that moves between private, public and central queues (Korch & Rauber 2002, §6.3: dq8, sdq1).
/// The slots lie behind the header; how many there are is the pool's block size. Owned by the one queue that holds it.
struct task_block {
  task_block* older = nullptr;
  task_block* newer = nullptr;
  std::uint32_t count = 0;

  task* slots() { return reinterpret_cast<task*>(this + 1); }
  task& newest() { return slots()[count - 1]; }
  /// Of the links and the number of tasks.
  void touch(platform::touched how) const { platform::touch(this, sizeof(task_block), how); }

  static constexpr std::size_t bytes(std::size_t block_size);

  /// Effect: takes out the newest task for which `wanted(task)` holds; the order of the others stays.
  template <class Predicate>
  bool take_if(Predicate wanted, task& taken) {
    platform::touch(this, bytes(count), platform::to_read);
    for (std::uint32_t at = count; at-- > 0;) {
      if (!wanted(slots()[at])) continue;
      taken = slots()[at];
      platform::touch(slots() + at, (count - at) * sizeof(task), platform::to_write);
      for (std::uint32_t behind = at + 1; behind < count; ++behind) slots()[behind - 1] = slots()[behind];
      --count;
      return true;
    }
    return false;
  }
};

constexpr std::size_t task_block::bytes(std::size_t block_size) { return sizeof(task_block) + block_size * sizeof(task); }

/// A double-linked list of task blocks. Not synchronised: its owner, or the holder of its lock, calls. Cost: O(1).
class task_block_list {
 public:
  bool empty() const { return newest_ == nullptr; }
  std::size_t length() const { return length_; }

  void insert_newest(task_block* added) {
    added->touch(platform::to_write);
    if (newest_ != nullptr) newest_->touch(platform::to_write);
    added->older = newest_;
    added->newer = nullptr;
    (newest_ != nullptr ? newest_->newer : oldest_) = added;
    newest_ = added;
    ++length_;
  }

  void remove(task_block* gone) {
    gone->touch(platform::to_read);
    for (task_block* const beside : {gone->older, gone->newer}) {
      if (beside != nullptr) beside->touch(platform::to_write);
    }
    (gone->newer != nullptr ? gone->newer->older : newest_) = gone->older;
    (gone->older != nullptr ? gone->older->newer : oldest_) = gone->newer;
    --length_;
  }

  /// Returns: nullptr if the list is empty.
  task_block* remove_newest() {
    task_block* gone = newest_;
    if (gone != nullptr) remove(gone);
    return gone;
  }

  task_block* remove_oldest() {
    task_block* gone = oldest_;
    if (gone != nullptr) remove(gone);
    return gone;
  }

  /// Effect: takes the newest task that is wanted; a block that it emptied is taken out and handed to `emptied`.
  template <class Predicate>
  bool take_if(Predicate wanted, task& taken, task_block*& emptied) {
    for (task_block* block = newest_; block != nullptr; block = block->older) {
      if (!block->take_if(wanted, taken)) continue;
      if (block->count == 0) {
        remove(block);
        emptied = block;
      }
      return true;
    }
    return false;
  }

 private:
  task_block* newest_ = nullptr;
  task_block* oldest_ = nullptr;
  std::size_t length_ = 0;
};

}  // namespace TEFF_NAMESPACE::queue
