// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "queue/task_block.h"

#include <cstdint>
#include <utility>

namespace TEFF_NAMESPACE::queue {

/// A worker's private tasks: an array that is filled and emptied at one end, and arrays behind it, which are full but for those
/// that came back from elsewhere.
///
/// Source: Korch & Rauber 2002, §3.5, §6.3 (the private queues of dq8 and sdq1).
/// Idea: put and get touch the current array alone; once in block-size operations they reach its edge (the *_slow functions).
/// Invariants: touched by its owner alone; a block in full_ holds at least one task; current_ may be empty or absent.
/// Cost: push, pop: a few loads and stores, no atomic operation. Space: one slot per task, rounded up to blocks, and a spare
///   block. Order: LIFO.
class private_blocks {
 public:
  private_blocks(mem::memory& memory, std::uint32_t block_size) : memory_(memory), block_size_(block_size) {}
  private_blocks(const private_blocks&) = delete;
  private_blocks& operator=(const private_blocks&) = delete;

  /// Returns: false if the current array is full (then push_slow).
  bool try_push(task added) {
    if (next_ == end_) [[unlikely]]
      return false;
    push_on_current(added);
    return true;
  }

  /// Returns: false if the current array is empty (then pop_slow).
  bool try_pop(task& taken) {
    if (next_ == begin_) [[unlikely]]
      return false;
    pop_from_current(taken);
    return true;
  }

  /// Effect: moves the full current array behind and starts another. Returns: false if memory is refused; nothing changed.
  bool push_slow(worker& current, task added) {
    void* memory = std::exchange(spare_, nullptr);
    if (memory == nullptr) memory = memory_.allocate(current, mem::block_kind::task);
    if (memory == nullptr) return false;
    if (current_ != nullptr) {
      store_count();
      full_.insert_newest(current_);
    }
    load(::new (memory) task_block);
    push_on_current(added);
    return true;
  }

  /// Effect: goes on with the newest of the arrays behind. Returns: false if there is none.
  bool pop_slow(worker& current, task& taken) {
    task_block* block = full_.remove_newest();
    return block != nullptr && pop_from(current, block, taken);
  }

  /// Effect: makes `block`, which holds tasks, the current array. Pre: the current array is empty. Owns: takes the block over.
  bool pop_from(worker& current, task_block* block, task& taken) {
    drop_current(current);
    load(block);
    pop_from_current(taken);
    return true;
  }

  /// Effect: puts a further block behind, as the newest one. Owns: takes it over.
  void insert_full(task_block* block) { full_.insert_newest(block); }
  /// Returns: the oldest full array, owned by the caller, or nullptr.
  task_block* remove_oldest_full() { return full_.remove_oldest(); }
  std::size_t full_blocks() const { return full_.length(); }

  /// Returns: the oldest array that holds tasks, the current one last, owned by the caller; nullptr if there is no task.
  task_block* remove_oldest() {
    if (!full_.empty()) return full_.remove_oldest();
    if (next_ == begin_) return nullptr;
    store_count();
    begin_ = next_ = end_ = nullptr;
    return std::exchange(current_, nullptr);
  }

  template <class Predicate>
  bool take_if(worker& current, Predicate wanted, task& taken) {
    if (current_ != nullptr) {
      store_count();
      const bool found = current_->take_if(wanted, taken);
      load(current_);
      if (found) return true;
    }
    task_block* emptied = nullptr;
    if (!full_.take_if(wanted, taken, emptied)) return false;
    if (emptied != nullptr) memory_.release(current, mem::block_kind::task, emptied);
    return true;
  }

  /// Pre: no task is left. Effect: gives back all memory.
  void close(worker& current) {
    drop_current(current);
    if (spare_ != nullptr) memory_.release(current, mem::block_kind::task, std::exchange(spare_, nullptr));
  }

 private:
  /// Pre: the current array is empty. Effect: keeps it as the spare one: who goes to and fro over an edge needs it at once.
  void drop_current(worker& current) {
    if (current_ != nullptr && spare_ != nullptr) memory_.release(current, mem::block_kind::task, current_);
    else if (current_ != nullptr) spare_ = current_;
    current_ = nullptr;
    begin_ = next_ = end_ = nullptr;
  }

  void push_on_current(const task& added) {
    platform::touch(next_, sizeof(task), platform::to_write);
    copy_task(added, *next_++);
  }
  void pop_from_current(task& taken) {
    platform::touch(next_ - 1, sizeof(task), platform::to_read);
    copy_task(*--next_, taken);
  }

  void store_count() {
    current_->touch(platform::to_write);
    current_->count = static_cast<std::uint32_t>(next_ - begin_);
  }

  void load(task_block* block) {
    block->touch(platform::to_read);
    current_ = block;
    begin_ = block->slots();
    next_ = begin_ + block->count;
    end_ = begin_ + block_size_;
  }

  task* next_ = nullptr;  ///< the slot for the next push
  task* begin_ = nullptr;
  task* end_ = nullptr;
  task_block* current_ = nullptr;
  task_block* spare_ = nullptr;  ///< an empty array, or none
  task_block_list full_;
  mem::memory& memory_;
  const std::uint32_t block_size_;
};

}  // namespace TEFF_NAMESPACE::queue
