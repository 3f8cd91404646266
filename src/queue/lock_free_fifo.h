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
#include <utility>

namespace TEFF_NAMESPACE::queue {

/// A list of tasks, first in, first out, without a lock: anybody inserts, its owner removes, others take what they look for.
///
/// Source: Olivier et al. 2012, §3, Table 1 (Q: a lock-free FIFO queue for each shepherd), which does not say which.
/// Idea: inserters push onto a stack whose links lead from the newest node to the oldest one. The owner removes at the other end;
///   it sets the links that lead there as it needs them, for all that came since it did so last.
/// Invariants: from newest_, `older` leads to every node that the owner has not unlinked, also while it unlinks the oldest.
///   `newer` holds from oldest_ up to linked_, and is the owner's. A node whose state is `gone` has no task.
/// Cost: insertion: two read-modify-writes, and another try for each one that came between; removal: three and a fence. take_if:
///   O(length), and a removal that comes to a node which is being looked at answers `lost`. Space: one node per task, and those
///   taken by others until the owner comes to them. Order: FIFO.
/// Considered: the queue of Michael & Scott: inserters read a node that may be gone, so each operation would have to say where
///   it is. A stack that the owner turns round as a whole: whoever looks for a task meanwhile misses some.
class alignas(cache_line_bytes) lock_free_fifo {
 public:
  enum state : std::uint32_t { waits, is_looked_at, gone };
  struct node {
    platform::atomic<node*> older{nullptr};
    task held;
    node* newer = nullptr;
    platform::atomic<std::uint32_t> now{waits};
  };

  static constexpr bool is_fifo = true;
  static constexpr bool has_opposite_end = false;
  static constexpr std::array<const char*, 0> uses{};
  static constexpr std::size_t block_bytes() { return sizeof(node); }

  explicit lock_free_fifo(const options& from) : nodes_{from.memory} {}

  push_result push(worker& current, task added) {
    node* const made = nodes_.make(current, added);
    if (made == nullptr) return push_result::refused;
    note_one_more();
    node* newest = newest_.load(platform::relaxed);   // relaxed: the swap compares
    do made->older.store(newest, platform::relaxed);  // relaxed: visible by [newest]
    while (!newest_.compare_exchange(newest, made, platform::acq_rel));  // [newest] release: who sees the node sees all of it
    return newest == nullptr ? push_result::first : push_result::added;
  }

  /// Effect: removes the oldest task. Threads: the owner. Returns: lost if somebody looks at that one just now.
  template <end From>
  steal_result pop(worker& current, task& taken) {
    static_assert(From == end::working, "a FIFO queue is emptied where its oldest task is");
    while (node* const oldest = find_oldest()) {
      std::uint32_t found = waits;
      // [state] acquire: who looked at it and left it is done with it.
      const bool is_mine = oldest->now.compare_exchange(found, gone, platform::acq_rel);
      if (!is_mine && found == is_looked_at) return steal_result::lost;
      if (is_mine) {
        platform::touch(&oldest->held, sizeof(task), platform::to_read);
        copy_task(oldest->held, taken);
        length_.fetch_sub(1, platform::relaxed);  // relaxed: a statistic
      }
      unlink_oldest();
      free_when_nobody_looks(current, oldest);
      if (is_mine) return steal_result::got;
    }
    return steal_result::empty;
  }

  /// Effect: takes the newest task for which `wanted(task)` holds. Threads: any. Cost: O(length).
  template <class Predicate>
  bool take_if(worker&, Predicate wanted, task& taken) {
    if (length_estimate() == 0) return false;
    // [lookers] Either this fence comes before the owner's, and the owner sees that somebody looks, and frees nothing; or after
    // it, and what the owner has unlinked is not reached here.
    lookers_.fetch_add(1, platform::relaxed);
    platform::fence(platform::seq_cst);
    bool found = false;
    // [newest] acquire. relaxed: the links of a node were there before it.
    for (node* at = newest_.load(platform::acquire); at != nullptr && !found; at = at->older.load(platform::relaxed))
      found = take_this(*at, wanted, taken);
    lookers_.fetch_sub(1, platform::release);  // [lookers] release: what was looked at may be freed then
    return found;
  }

  /// Effect: gives back what nodes there are yet. Pre: no task is left, and nobody uses the queue again.
  void close(worker& current) {
    while (node* const oldest = find_oldest()) {
      unlink_oldest();
      nodes_.free(current, oldest);
    }
    free_late(current);
  }

  /// A racy snapshot ([probe], see locked::length_estimate): a task is counted before it can be found.
  std::size_t length_estimate() const { return length_.load(platform::relaxed); }
  std::uint64_t peak() const { return peak_.load(platform::relaxed); }  // relaxed: a statistic
  std::uint64_t lock_waits() const { return 0; }
  std::size_t array_bytes() const { return 0; }
  std::uint64_t overflows() const { return 0; }
  /// Pre: nobody uses the queue.
  void reset_statistics() { peak_.store(length_.load(platform::relaxed), platform::relaxed); }  // relaxed: statistics

 private:
  void note_one_more() {
    const std::uint32_t length = length_.fetch_add(1, platform::relaxed) + 1;  // relaxed: [probe], as the swap below it
    std::uint32_t peak = peak_.load(platform::relaxed);                        // relaxed: a statistic
    while (length > peak && !peak_.compare_exchange(peak, length, platform::relaxed)) {
    }
  }

  template <class Predicate>
  bool take_this(node& at, Predicate& wanted, task& taken) {
    for (;;) {
      std::uint32_t found = waits;
      // [state] acquire, release: nobody else begins the task, or looks at it, between these two.
      if (at.now.compare_exchange(found, is_looked_at, platform::acq_rel)) break;
      if (found == gone) return false;
      platform::pause();  // another one looks
    }
    platform::touch(&at.held, sizeof(task), platform::to_read);
    if (!wanted(at.held)) {
      at.now.store(waits, platform::release);  // [state]
      return false;
    }
    copy_task(at.held, taken);
    length_.fetch_sub(1, platform::relaxed);  // relaxed: a statistic
    at.now.store(gone, platform::release);    // [state]
    return true;
  }

  /// Returns: nullptr if there is no node.
  node* find_oldest() {
    if (oldest_ == nullptr) {
      node* const newest = newest_.load(platform::acquire);  // [newest]
      if (newest != nullptr) oldest_ = link_down_to(nullptr, newest);
    }
    return oldest_;
  }

  /// Effect: sets the links up to `newest`, from the node behind `bottom`, or from the oldest one. Returns: that node.
  node* link_down_to(const node* bottom, node* newest) {
    node* at = newest;
    linked_ = newest;
    for (;;) {
      node* const older = at->older.load(platform::relaxed);  // relaxed: visible by [newest]
      if (older == bottom) return at;
      platform::touch(&older->newer, sizeof older->newer, platform::to_write);
      older->newer = at;
      at = older;
    }
  }

  void unlink_oldest() {
    node* const unlinked = oldest_;
    node* expected = unlinked;
    if (unlinked != linked_) oldest_ = unlinked->newer;
    else if (newest_.compare_exchange(expected, nullptr, platform::acq_rel)) oldest_ = nullptr;  // [newest]
    else oldest_ = link_down_to(unlinked, newest_.load(platform::acquire));                      // [newest]
    if (oldest_ != nullptr) oldest_->older.store(nullptr, platform::relaxed);  // relaxed: ordered by the fence in [lookers]
  }

  void free_when_nobody_looks(worker& current, node* unlinked) {
    platform::fence(platform::seq_cst);  // [lookers]
    // [lookers] acquire: who looked is done with the node.
    if (lookers_.load(platform::acquire) != 0) {
      unlinked->newer = std::exchange(late_, unlinked);
      return;
    }
    nodes_.free(current, unlinked);
    free_late(current);
  }
  void free_late(worker& current) {
    while (late_ != nullptr) nodes_.free(current, std::exchange(late_, late_->newer));
  }

  const nodes<node> nodes_;

  platform::atomic<node*> newest_{nullptr};  ///< written by those who insert, and by the owner who removes the last one
  platform::atomic<std::uint32_t> length_{0};
  platform::atomic<std::uint32_t> peak_{0};
  platform::atomic<std::uint32_t> lookers_{0};  ///< calls of take_if that are under way

  alignas(cache_line_bytes) node* oldest_ = nullptr;  // the owner's, from here on
  node* linked_ = nullptr;                            ///< the newest node that the owner has seen
  node* late_ = nullptr;                              ///< unlinked while somebody looked
};

}  // namespace TEFF_NAMESPACE::queue
