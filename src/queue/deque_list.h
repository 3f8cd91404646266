// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "queue/lifo_list.h"
#include "task/task.h"

#include <cstddef>

namespace TEFF_NAMESPACE::queue {

/// A double-linked list of tasks: its owner works at one end, last in, first out; thieves may take the oldest at the other.
///
/// Source: Korch & Rauber 2002, Table 2 (dq5). Idea: a ring through a sentinel, so that no end is a special case.
/// Invariants: a node is in one list. Not synchronised: its owner, or the holder of its lock, calls.
/// Cost: a few loads and stores; remove_if: O(length). Space: one node per task. Order: LIFO; FIFO from the opposite end.
class deque_list {
 public:
  struct node {
    node* older;
    node* newer;
    task held;
  };
  static constexpr bool has_opposite_end = true;

  deque_list() { ends_.older = ends_.newer = &ends_; }
  deque_list(const deque_list&) = delete;
  deque_list& operator=(const deque_list&) = delete;

  bool empty() const { return ends_.older == &ends_; }

  void insert(node* added) {
    node* newest = ends_.older;
    touch_links(added);
    touch_links(newest);
    added->older = newest;
    added->newer = &ends_;
    newest->newer = added;
    ends_.older = added;
  }

  /// Returns: nullptr if the list is empty.
  template <end From = end::working>
  node* remove() {
    return empty() ? nullptr : unlink(From == end::working ? ends_.older : ends_.newer);
  }

  /// Returns: the newest node whose task satisfies the predicate, taken out; or nullptr.
  template <class Predicate>
  node* remove_if(Predicate predicate) {
    for (node* candidate = ends_.older; candidate != &ends_; candidate = candidate->older) {
      platform::touch(candidate, sizeof(node), platform::to_read);
      if (predicate(candidate->held)) return unlink(candidate);
    }
    return nullptr;
  }

 private:
  static void touch_links(node* changed) { platform::touch(changed, offsetof(node, held), platform::to_write); }
  static node* unlink(node* removed) {
    platform::touch(removed, offsetof(node, held), platform::to_read);
    touch_links(removed->older);
    touch_links(removed->newer);
    removed->older->newer = removed->newer;
    removed->newer->older = removed->older;
    return removed;
  }

  node ends_;  ///< ends_.older is the newest node, ends_.newer the oldest
};

}  // namespace TEFF_NAMESPACE::queue
