// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "platform/platform.h"
#include "queue/lifo_list.h"
#include "queue/nodes.h"
#include "queue/options.h"
#include "queue/results.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace TEFF_NAMESPACE::queue {

/// A single-linked list, first in, first out, with a lock at each end.
///
/// Source: Michael & Scott 1996, the two-lock queue; Korch & Rauber 2002, Table 2 (sq4).
/// Idea: a node that holds no task stays at the head, so that insertion touches only the last node and removal only the first
///   one: the two ends need no common lock.
/// Invariants: head_ is the empty node; the tasks are those of the nodes behind it. inserted_ − removed_ is the length.
/// Cost: one lock per operation; an insertion and a removal run at the same time. take_if takes both locks and is O(length).
/// Space: one node per task and one more. Order: FIFO.
class two_lock_fifo {
 public:
  struct node {
    platform::atomic<node*> next{nullptr};
    task held;
  };

  static constexpr bool is_fifo = true;
  static constexpr std::array uses{"lock"};
  static constexpr std::size_t block_bytes() { return sizeof(node); }

  explicit two_lock_fifo(const options& from) : nodes_{from.memory}, head_lock_(from.lock), tail_lock_(from.lock) {}

  push_result push(worker& current, task added) {
    node* made = nodes_.make(current, added);
    if (made == nullptr) return push_result::refused;
    platform::lock_guard guard(tail_lock_);
    const std::uint64_t inserted = inserted_.load(platform::relaxed);  // relaxed: written under this lock
    // Counted before it is linked, so that no removal is counted before its insertion.
    inserted_.store(inserted + 1, platform::relaxed);
    const std::uint64_t length = inserted + 1 - removed_.load(platform::relaxed);
    if (length > peak_.value()) peak_.set(length);
    // [fifo] release: a remover that reads the pointer sees the node's task.
    tail_->next.store(made, platform::release);
    tail_ = made;
    return length <= 1 ? push_result::first : push_result::added;
  }

  template <end From>
  steal_result pop(worker& current, task& taken) {
    static_assert(From == end::working, "a FIFO queue is emptied at its head");
    if (length_estimate() == 0) return steal_result::empty;
    node* emptied = nullptr;
    {
      platform::lock_guard guard(head_lock_);
      // [fifo] acquire: pairs with the inserter's release.
      node* first = head_->next.load(platform::acquire);
      if (first == nullptr) return steal_result::lost;
      platform::touch(&first->held, sizeof(task), platform::to_read);
      copy_task(first->held, taken);
      emptied = head_;
      head_ = first;
      // [probe] relaxed: written under the head's lock, read without it as a hint.
      removed_.store(removed_.load(platform::relaxed) + 1, platform::relaxed);
    }
    if (emptied != &initial_) nodes_.free(current, emptied);
    return steal_result::got;
  }

  template <class Predicate>
  bool take_if(worker& current, Predicate wanted, task& taken) {
    node* found = nullptr;
    {
      platform::lock_guard head_guard(head_lock_);
      platform::lock_guard tail_guard(tail_lock_);
      node* before = head_;
      // relaxed: under both locks, so that nobody else inserts or removes.
      while ((found = before->next.load(platform::relaxed)) != nullptr && !wanted(found->held)) before = found;
      if (found == nullptr) return false;
      before->next.store(found->next.load(platform::relaxed), platform::relaxed);
      if (tail_ == found) tail_ = before;
      removed_.store(removed_.load(platform::relaxed) + 1, platform::relaxed);  // as in pop: relaxed
    }
    nodes_.consume(current, found, taken);
    return true;
  }

  /// A racy snapshot, as locked::length_estimate ([probe]).
  std::size_t length_estimate() const {
    const std::uint64_t removed = removed_.load(platform::relaxed);
    const std::uint64_t inserted = inserted_.load(platform::relaxed);
    return inserted > removed ? inserted - removed : 0;
  }

  /// Effect: gives the empty node back. Pre: no task is left, and nobody uses the queue again.
  void close(worker& current) {
    if (head_ != &initial_) nodes_.free(current, head_);
    head_ = tail_ = &initial_;
  }

  /// Effect: the time account calls its locks by what they guard.
  void name(lock_label) {
    head_lock_.name(lock_label::of(guarded::central_queue_head));
    tail_lock_.name(lock_label::of(guarded::central_queue_tail));
    platform::name_line(&head_lock_, "line of the lock at the head of the central queue");
    platform::name_line(&tail_lock_, "line of the lock at the tail of the central queue");
  }

  std::size_t array_bytes() const { return 0; }
  std::uint64_t overflows() const { return 0; }
  std::uint64_t peak() const { return peak_.value(); }
  std::uint64_t lock_waits() const { return head_lock_.waits() + tail_lock_.waits(); }
  /// Pre: nobody uses the queue.
  void reset_statistics() {
    peak_.set(length_estimate());
    head_lock_.reset_waits();
    tail_lock_.reset_waits();
  }

 private:
  const nodes<node> nodes_;
  node initial_;

  alignas(cache_line_bytes) platform::lock head_lock_;  // written by removers
  node* head_ = &initial_;
  platform::atomic<std::uint64_t> removed_{0};

  alignas(cache_line_bytes) platform::lock tail_lock_;  // written by inserters
  node* tail_ = &initial_;
  platform::atomic<std::uint64_t> inserted_{0};
  platform::statistic peak_;
};

}  // namespace TEFF_NAMESPACE::queue
