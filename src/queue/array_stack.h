// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"
#include "task/task.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

namespace TEFF_NAMESPACE::queue {

/// Tasks in an array that is allocated once, last in, first out.
///
/// Source: Korch & Rauber 2002, §4.2, Table 2 (sq2, dq3, dq7). Differs: the paper's arrays have a fixed size; here a task that
///   does not fit goes into a further array of that size, linked on and counted, so that no number of tasks is refused.
/// Idea: one allocation for all slots, and one index to move.
/// Invariants: all arrays below the top one are full. Not synchronised: its owner, or the holder of its lock, calls.
/// Cost: insert, remove: a few loads and stores; at an array's edge also one allocation, once per array. take_if: O(length).
/// Space: the capacity, from the start; arrays that were linked on stay. Order: LIFO.
class array_stack {
 public:
  /// Errors: std::bad_alloc.
  explicit array_stack(std::uint32_t capacity) : capacity_(capacity), top_(make_array(nullptr)) {
    if (top_ == nullptr) throw std::bad_alloc();
    next_ = top_->slots();
  }
  array_stack(const array_stack&) = delete;
  array_stack& operator=(const array_stack&) = delete;
  ~array_stack() {
    while (top_->above != nullptr) top_ = top_->above;
    while (top_ != nullptr) {
      array* gone = top_;
      top_ = gone->below;
      platform::system_release(gone, bytes_of_one());
    }
  }

  /// Returns: false if memory for a further array is refused; nothing changed.
  bool insert(task added) {
    if (next_ == top_->slots() + capacity_ && !go_up()) [[unlikely]]
      return false;
    platform::touch(next_, sizeof(task), platform::to_write);
    copy_task(added, *next_++);
    return true;
  }

  /// Returns: false if there is none.
  bool remove(task& taken) {
    if (next_ == top_->slots() && !go_down()) [[unlikely]]
      return false;
    platform::touch(next_ - 1, sizeof(task), platform::to_read);
    copy_task(*--next_, taken);
    return true;
  }

  /// Effect: takes out the newest task for which `wanted(task)` holds; the order of the others stays.
  template <class Predicate>
  bool take_if(Predicate wanted, task& taken) {
    task* end = next_;
    for (array* in = top_; in != nullptr; in = in->below) {
      for (task* at = end; at-- > in->slots();) {
        platform::touch(at, sizeof(task), platform::to_read);
        if (!wanted(*at)) continue;
        taken = *at;
        close_hole(in, at);
        return true;
      }
      if (in->below != nullptr) end = in->below->slots() + capacity_;
    }
    return false;
  }

  /// Effect: makes room for up to `wanted` insertions by linking on one array, if need be. Returns: how many are sure to succeed.
  std::size_t room(std::size_t wanted) {
    const auto left = static_cast<std::size_t>(top_->slots() + capacity_ - next_);
    if (left >= wanted) return wanted;
    return std::min<std::size_t>(wanted, left + (link_on() ? capacity_ : 0));
  }

  /// How many arrays were linked on to the first one.
  std::uint32_t overflows() const { return overflows_; }
  std::size_t bytes() const { return (std::size_t{overflows_} + 1) * bytes_of_one(); }

 private:
  struct array {
    array* below;
    array* above = nullptr;
    task* slots() { return reinterpret_cast<task*>(this + 1); }
  };

  std::size_t bytes_of_one() const { return sizeof(array) + std::size_t{capacity_} * sizeof(task); }

  array* make_array(array* below) const {
    void* block = platform::system_allocate(bytes_of_one());
    if (block == nullptr) return nullptr;
    platform::touch(block, sizeof(array), platform::to_write);
    return ::new (block) array{below};
  }

  /// Effect: sees to an array above the top one. Returns: false if memory is refused.
  bool link_on() {
    if (top_->above != nullptr) return true;
    top_->above = make_array(top_);
    if (top_->above == nullptr) return false;
    ++overflows_;
    return true;
  }

  bool go_up() {
    if (!link_on()) return false;
    top_ = top_->above;
    next_ = top_->slots();
    return true;
  }

  bool go_down() {
    if (top_->below == nullptr) return false;
    top_ = top_->below;
    next_ = top_->slots() + capacity_;
    return true;
  }

  /// Effect: each task above the hole goes one slot down.
  void close_hole(array* in, task* hole) {
    for (;;) {
      task* const end = in == top_ ? next_ : in->slots() + capacity_;
      platform::touch(hole, static_cast<std::size_t>(end - hole) * sizeof(task), platform::to_write);
      for (; hole + 1 < end; ++hole) *hole = hole[1];
      if (in == top_) break;
      in = in->above;
      // The top array may be empty, and is then about to be left.
      if (in == top_ && next_ == in->slots()) break;
      *hole = *in->slots();
      hole = in->slots();
    }
    task dropped;
    remove(dropped);
  }

  const std::uint32_t capacity_;
  std::uint32_t overflows_ = 0;
  array* top_;
  task* next_ = nullptr;  ///< the slot for the next insertion
};

}  // namespace TEFF_NAMESPACE::queue
