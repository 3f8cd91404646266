// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "task/task.h"

#include <cstddef>

namespace TEFF_NAMESPACE::queue {

/// Which end of a queue a task is taken from, as its owner sees it.
enum class end { working, opposite };

/// A single-linked list of tasks, last in, first out.
///
/// Source: Korch & Rauber 2002, Table 2 (sq1, dq1, dq2).
/// Idea: a stack of nodes. The caller makes and frees nodes, so that no memory is allocated while a lock is held.
/// Invariants: a node is in one list. Not synchronised: its owner, or the holder of its lock, calls.
/// Cost: a few loads and stores; take_if: O(length). Space: one node per task. Order: LIFO.
class lifo_list {
 public:
  struct node {
    node* next;
    task held;
  };
  static constexpr bool has_opposite_end = false;

  bool empty() const { return newest_ == nullptr; }

  void insert(node* added) {
    platform::touch_pointer(added->next, platform::to_write);
    added->next = newest_;
    newest_ = added;
  }

  /// Returns: nullptr if the list is empty.
  template <end From = end::working>
  node* remove() {
    static_assert(From == end::working, "a single-linked list has one end");
    node* removed = newest_;
    if (removed == nullptr) return nullptr;
    platform::touch_pointer(removed->next, platform::to_read);
    newest_ = removed->next;
    return removed;
  }

  /// Returns: the newest node whose task satisfies the predicate, taken out; or nullptr.
  template <class Predicate>
  node* remove_if(Predicate predicate) {
    for (node** link = &newest_; *link != nullptr; link = &(*link)->next) {
      node* candidate = *link;
      platform::touch(candidate, sizeof(node), platform::to_read);
      if (!predicate(candidate->held)) continue;
      *link = candidate->next;
      return candidate;
    }
    return nullptr;
  }

 private:
  node* newest_ = nullptr;
};

}  // namespace TEFF_NAMESPACE::queue
