// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"
#include "queue/lifo_list.h"
#include "task/task.h"

#include <cstddef>

namespace TEFF_NAMESPACE::queue {

/// A double-linked list of tasks whose ends are loose: the links that lead out of it are not written.
///
/// Source: own design, for the stacks that the workers of a domain share (Olivier et al. 2012, §3.2).
/// Idea: who removes a task reads that one's node alone, which it needs anyhow. A deque_list also writes the link of the one
///   behind it, whose line mostly is another worker's, while all the others wait for the lock.
/// Invariants: from newest_ `older` leads to oldest_, and from there `newer` back. newest_->newer and oldest_->older are whatever
///   they were: nobody reads them. A node is in one list. Not synchronised: its owner, or the holder of its lock, calls.
/// Cost: a removal from an end reads the node's links, or nothing if it is the last one; of several at once, those of each that
///   is taken, but for the list's last; an insertion writes those of the newest node; remove_if: O(length). Space: one node per
///   task. Order: LIFO; FIFO from the opposite end.
/// Considered: a deque_list: speed-up 29.8 for 30.1 on eight workers at each lock (docs/investigations, 2026-11-25); a chunk taken
///   node by node: 20.2 for 21.5. Links towards the oldest alone, so that an insertion touches no other node: not measured, as a
///   thief then walks over all nodes that came since the last one, with the lock held.
class loose_list {
 public:
  struct node {
    node* older;
    node* newer;
    task held;
  };
  static constexpr bool has_opposite_end = true;

  loose_list() = default;
  loose_list(const loose_list&) = delete;
  loose_list& operator=(const loose_list&) = delete;

  bool empty() const { return newest_ == nullptr; }

  void insert(node* added) {
    touch_links(added);
    if (empty()) oldest_ = added;
    else link(newest_, added);
    newest_ = added;
  }

  /// Returns: nullptr if the list is empty.
  template <end From = end::working>
  node* remove() {
    node*& at_end = From == end::working ? newest_ : oldest_;
    node* const removed = at_end;
    if (newest_ == oldest_) newest_ = oldest_ = nullptr;
    else at_end = From == end::working ? older_of(removed) : newer_of(removed);
    return removed;
  }

  /// Effect: moves up to `count` of the oldest, in their order, to `to`: cuts the list. Pre: `to` is empty. Returns: how many.
  std::size_t move_oldest(loose_list& to, std::size_t count) {
    if (empty() || count == 0) return 0;
    to.oldest_ = to.newest_ = oldest_;
    for (std::size_t moved = 1;; ++moved) {
      if (to.newest_ == newest_) {
        newest_ = oldest_ = nullptr;
        return moved;
      }
      oldest_ = newer_of(to.newest_);
      if (moved == count) return moved;
      to.newest_ = oldest_;
    }
  }

  /// Effect: moves all of `others`, in their order, behind the newest.
  void append(loose_list& others) {
    if (others.empty()) return;
    if (empty()) {
      oldest_ = others.oldest_;
    } else {
      touch_links(others.oldest_);
      link(newest_, others.oldest_);
    }
    newest_ = others.newest_;
    others.newest_ = others.oldest_ = nullptr;
  }

  /// Returns: the newest node whose task satisfies the predicate, taken out; or nullptr.
  template <class Predicate>
  node* remove_if(Predicate predicate) {
    for (node* candidate = newest_; candidate != nullptr; candidate = candidate == oldest_ ? nullptr : candidate->older) {
      platform::touch(candidate, sizeof(node), platform::to_read);
      if (predicate(candidate->held)) return take_out(candidate);
    }
    return nullptr;
  }

 private:
  static void touch_links(node* changed) { platform::touch(changed, offsetof(node, held), platform::to_write); }
  static void touch_to_read(const node* seen) { platform::touch(seen, offsetof(node, held), platform::to_read); }

  /// Effect: they are neighbours. Pre: the newer one is touched.
  static void link(node* older, node* newer) {
    touch_links(older);
    older->newer = newer;
    newer->older = older;
  }

  static node* older_of(const node* one) {
    touch_to_read(one);
    return one->older;
  }
  static node* newer_of(const node* one) {
    touch_to_read(one);
    return one->newer;
  }

  node* take_out(node* removed) {
    if (removed == newest_) return remove<end::working>();
    if (removed == oldest_) return remove<end::opposite>();
    touch_links(removed->newer);
    link(removed->older, removed->newer);
    return removed;
  }

  node* newest_ = nullptr;
  node* oldest_ = nullptr;
};

}  // namespace TEFF_NAMESPACE::queue
