// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "platform/platform.h"
#include "queue/fifo_node.h"
#include "queue/lifo_list.h"
#include "queue/nodes.h"
#include "queue/options.h"
#include "queue/results.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace TEFF_NAMESPACE::queue {

/// A list of tasks, first in, first out, that nobody waits for to insert: its owner removes, others take what they look for.
///
/// Source: Olivier et al. 2012, §3, Table 1 (Q: a lock-free FIFO queue for each shepherd), which does not say which.
/// Idea: inserters push onto a stack whose links lead from the newest node to the oldest one. Who removes does so at the other
///   end; it sets the links that lead there as it needs them, for all that came since that was done last. A task that is taken
///   out of the middle leaves its node, and the nodes of several are unlinked in one walk.
/// Invariants: from newest_, `older` leads to every node that is not unlinked, also while others are: each is unlinked by one
///   store, the newest one by a swap of newest_. `newer` holds from oldest_ up to linked_. A node that is `gone` has no task, and
///   stays so; it has no note when it is unlinked. One thread at a time unlinks, which has unlinks_; nobody waits for that, nor while having it.
///   gone_ counts a node before its state says so, until it is unlinked; after each removal and each take it is at most length_ +
///   tolerated, but for what others do just then.
/// Cost: insertion: two read-modify-writes, and another try for each one that came between; removal: four and a fence, and
///   `lost` where somebody unlinks or looks at the oldest task. take_if: O(length). A walk that unlinks visits at most length_ +
///   gone_ < 2 gone_ nodes and leaves of the gone ones the newest node and those just being taken: O(1) for each one taken.
///   Space: a node per task, as many again and `tolerated` of taken ones, and those unlinked while anybody looks. Order: FIFO.
/// Considered: the queue of Michael & Scott: inserters read a node that may be gone, so each operation would have to say where
///   it is. A stack that the owner turns round as a whole: whoever looks for a task meanwhile misses some.
class alignas(cache_line_bytes) lock_free_fifo {
 public:
  using node = fifo_node;
  using enum fifo_node::state;
  static constexpr bool is_fifo = true, has_opposite_end = false;
  static constexpr std::array<const char*, 0> uses{};
  static constexpr std::size_t block_bytes() { return sizeof(node); }

  explicit lock_free_fifo(const options& from) : nodes_{from.memory} {}

  /// `where`: the putter's note for it; or nullptr.
  push_result push(worker& current, task added, note* where = nullptr) {
    node* const made = nodes_.make(current, added);
    if (made == nullptr) return push_result::refused;
    made->fill_note(where);
    count_one_more();
    node* newest = newest_.load(platform::relaxed);   // relaxed: the swap compares
    do made->older.store(newest, platform::relaxed);  // relaxed: visible by [newest]
    while (!newest_.compare_exchange(newest, made, platform::acq_rel));  // [newest] release: who sees the node sees all of it
    return newest == nullptr ? push_result::first : push_result::added;
  }

  /// Effect: removes the oldest task. Threads: the owner. Returns: lost if somebody looks at that one just now.
  template <end From>
  steal_result pop(worker& current, task& taken) {
    static_assert(From == end::working, "a FIFO queue is emptied where its oldest task is");
    if (newest_.load(platform::relaxed) == nullptr) return steal_result::empty;  // relaxed: nothing is read through it
    if (!begins_to_unlink()) return steal_result::lost;
    const steal_result found = pop_oldest(current, taken);
    if (too_many_are_gone()) unlink_gone(current);
    end_unlinking();
    return found;
  }

  /// Effect: takes the newest task for which `wanted(task)` holds, of the `most` newest nodes. Threads: any. Cost: O(length).
  template <class Predicate>
  bool take_if(worker& current, Predicate wanted, task& taken, std::size_t most = ~std::size_t{0}) {
    if (length_estimate() == 0) return false;
    return take(current, [&] {
      // [newest] acquire. relaxed: the links of a node were there before it.
      node* at = newest_.load(platform::acquire);
      for (; at != nullptr && most > 0 && !take_this(*at, wanted, taken); --most) at = at->older.load(platform::relaxed);
      return at != nullptr && most > 0;
    });
  }

  /// Effect: takes the task that is noted there, if it is not gone, and `wanted(task)` holds. Threads: who has put it.
  template <class Predicate>
  bool take_noted(worker& current, const note& where, Predicate wanted, task& taken) {
    return take(current, [&] {
      auto* const found = static_cast<node*>(where.node());
      return found != nullptr && take_this(*found, wanted, taken);
    });
  }

  /// Effect: gives back what nodes there are yet. Pre: no task is left, and nobody uses the queue again.
  void close(worker& current) {
    while (node* const oldest = find_oldest()) {
      unlink_oldest();
      retire(oldest);
    }
    gone_.store(0, platform::relaxed);  // relaxed: nobody else is there
    free_late(current);
  }

  /// A racy snapshot ([probe], see locked::length_estimate): a task is counted before it can be found.
  std::size_t length_estimate() const { return length_.load(platform::relaxed); }
  std::uint64_t peak() const { return peak_.load(platform::relaxed); }  // relaxed: a statistic
  std::uint64_t lock_waits() const { return 0; }
  /// Pre: nobody uses the queue.
  void reset_statistics() { peak_.store(length_.load(platform::relaxed), platform::relaxed); }  // relaxed: statistics

 private:
  void count_one_more() {
    const std::uint32_t length = length_.fetch_add(1, platform::relaxed) + 1;  // relaxed: [probe], as the swap below it
    std::uint32_t peak = peak_.load(platform::relaxed);                        // relaxed: a statistic
    while (length > peak && !peak_.compare_exchange(peak, length, platform::relaxed)) continue;
  }

  /// Effect: takes a task by look(): no node that it finds is freed before it returns. Returns: what that returns.
  template <class Look>
  bool take(worker& current, Look look) {
    // [lookers] Either this fence comes before that of who unlinks, which sees that somebody looks, and frees nothing; or after
    // it, and what it has unlinked is not reached here: a node has one link from those that are not unlinked, and no note is left.
    lookers_.fetch_add(1, platform::relaxed);
    platform::fence(platform::seq_cst);
    const bool found = look();
    lookers_.fetch_sub(1, platform::release);  // [lookers] release: what was looked at may be freed then
    // The owner may be long in coming. If somebody unlinks just now, the next removal or take looks again.
    if (found && too_many_are_gone() && begins_to_unlink()) unlink_gone(current), end_unlinking();
    return found;
  }

  template <class Predicate>
  bool take_this(node& at, Predicate& wanted, task& taken) {
    if (!at.begin_look()) return false;
    platform::touch(&at.held, sizeof(task), platform::to_read);
    if (!wanted(at.held)) return at.leave(), false;
    at.give(taken);
    length_.fetch_sub(1, platform::relaxed);  // relaxed: a statistic
    gone_.fetch_add(1, platform::relaxed);    // relaxed: ordered before its subtraction by [state]
    return at.end(), true;
  }

  static constexpr std::uint32_t tolerated = 8;  ///< so many nodes without a task are cheaper to look at than to unlink
  bool too_many_are_gone() const {
    return gone_.load(platform::relaxed) > length_.load(platform::relaxed) + tolerated;  // relaxed: a guess
  }

  bool begins_to_unlink() {
    // [unlinks] acquire: all that the last one did is seen.
    return unlinks_.load(platform::relaxed) == 0 && unlinks_.exchange(1, platform::acquire) == 0;
  }
  void end_unlinking() { unlinks_.store(0, platform::release); }  // [unlinks]

  steal_result pop_oldest(worker& current, task& taken) {
    while (node* const oldest = find_oldest()) {
      std::uint32_t found = waits;
      // [state] acquire: who looked at it and left it is done with it.
      const bool is_mine = oldest->now.compare_exchange(found, gone, platform::acq_rel);
      if (!is_mine && found == is_looked_at) return steal_result::lost;
      if (is_mine) {
        platform::touch(&oldest->held, sizeof(task), platform::to_read);
        oldest->give(taken);
        length_.fetch_sub(1, platform::relaxed);     // relaxed: a statistic
      } else gone_.fetch_sub(1, platform::relaxed);  // relaxed: counted before its state said so
      unlink_oldest();
      retire(oldest);
      free_when_nobody_looks(current);
      if (is_mine) return steal_result::got;
    }
    return steal_result::empty;
  }

  /// Effect: unlinks all nodes that have no task, but for the newest one.
  void unlink_gone(worker& current) {
    node* above = newest_.load(platform::acquire);  // [newest]
    if (above == nullptr) return;
    linked_ = above;
    std::uint32_t unlinked = 0;
    for (node* at = above->older.load(platform::relaxed); at != nullptr;) {
      node* const older = at->older.load(platform::relaxed);  // relaxed: visible by [newest], or by [unlinks]
      if (at->now.load(platform::acquire) == gone) {          // [state]
        // relaxed: ordered by the fence in [lookers]. Who looks at this node goes on from it as before.
        above->older.store(older, platform::relaxed);
        retire(at);
        ++unlinked;
      } else {
        platform::touch_pointer(at->newer, platform::to_write);
        at->newer = above;
        above = at;
      }
      at = older;
    }
    oldest_ = above;
    gone_.fetch_sub(unlinked, platform::relaxed);  // relaxed: each was counted before its state said so
    free_when_nobody_looks(current);
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
      platform::touch_pointer(older->newer, platform::to_write);
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

  void retire(node* unlinked) { unlinked->newer = std::exchange(late_, unlinked); }
  void free_when_nobody_looks(worker& current) {
    platform::fence(platform::seq_cst);                             // [lookers]
    if (lookers_.load(platform::acquire) == 0) free_late(current);  // [lookers] acquire: who looked is done with the nodes
  }
  void free_late(worker& current) {
    while (late_ != nullptr) nodes_.free(current, std::exchange(late_, late_->newer));
  }

  const nodes<node> nodes_;

  platform::atomic<node*> newest_{nullptr};  ///< written by those who insert, and by who removes the last one
  platform::atomic<std::uint32_t> length_{0};
  platform::atomic<std::uint32_t> peak_{0};
  platform::atomic<std::uint32_t> lookers_{0};  ///< calls of take_if that are under way

  platform::atomic<std::uint32_t> gone_{0};  ///< nodes without a task that are not unlinked

  alignas(cache_line_bytes) platform::atomic<std::uint32_t> unlinks_{0};  ///< somebody does; the rest is that one's
  node* oldest_ = nullptr;
  node* linked_ = nullptr;  ///< the newest node that was seen
  node* late_ = nullptr;    ///< unlinked, perhaps while somebody looked
};

}  // namespace TEFF_NAMESPACE::queue
