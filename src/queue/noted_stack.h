// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "queue/lifo_list.h"
#include "queue/note.h"
#include "task/task.h"

#include <cstddef>
#include <utility>

namespace TEFF_NAMESPACE::queue {

/// A single-linked list of tasks, last in, first out, from which a task is also taken where its putter has noted it.
///
/// Idea: a lifo_list; a node may have a note. To take a task out of the middle, the one behind it moves into its node, and that
///   one's node leaves the list: so nobody looks for the node above.
/// Invariants: a node is in one list; its note, if it has one, holds it. Not synchronised: the holder of its lock calls.
/// Cost: as lifo_list where there are no notes; remove_noted: O(1), but O(length) for the oldest task. Space: as lifo_list: the
///   note takes what a block of that size leaves free.
/// Considered: a double-linked list, whose nodes would be larger by a third.
class noted_stack {
 public:
  struct node {
    node* next;
    task held;
    note* noted = nullptr;
  };
  static constexpr bool has_opposite_end = false;

  bool empty() const { return newest_ == nullptr; }

  void insert(node* added) {
    platform::touch_pointer(added->next, platform::to_write);
    added->next = newest_;
    if (added->noted != nullptr) added->noted->fill(added);
    newest_ = added;
  }

  /// Returns: nullptr if the list is empty.
  template <end From = end::working>
  node* remove() {
    static_assert(From == end::working, "a single-linked list has one end");
    if (newest_ == nullptr) return nullptr;
    platform::touch_pointer(newest_->next, platform::to_read);
    return unlink(&newest_);
  }

  /// Returns: the newest node whose task satisfies the predicate, of the `most` newest, taken out; or nullptr.
  template <class Predicate>
  node* remove_if(Predicate predicate, std::size_t most = ~std::size_t{0}) {
    for (node** link = &newest_; *link != nullptr && most > 0; link = &(*link)->next, --most) {
      platform::touch(*link, sizeof(node), platform::to_read);
      if (predicate((*link)->held)) return unlink(link);
    }
    return nullptr;
  }

  /// Returns: a node with the task that is noted there, taken out; or nullptr if that does not satisfy the predicate, or is gone.
  template <class Predicate>
  node* remove_noted(const note& where, Predicate predicate) {
    auto* const found = static_cast<node*>(where.node());
    if (found == nullptr) return nullptr;
    platform::touch(found, sizeof(node), platform::to_write);
    if (!predicate(found->held)) return nullptr;
    if (found->next == nullptr) return unlink(link_to(found));
    node* const behind = found->next;
    platform::touch(behind, sizeof(node), platform::to_write);
    std::swap(found->held, behind->held);
    std::swap(found->noted, behind->noted);
    if (found->noted != nullptr) found->noted->follow(found);
    return unlink(&found->next);
  }

 private:
  static node* unlink(node** link) {
    node* const removed = *link;
    *link = removed->next;
    if (removed->noted != nullptr) removed->noted->empty();
    return removed;
  }

  node** link_to(const node* wanted) {
    node** link = &newest_;
    for (; *link != wanted; link = &(*link)->next) platform::touch_pointer((*link)->next, platform::to_read);
    return link;
  }

  node* newest_ = nullptr;
};

}  // namespace TEFF_NAMESPACE::queue
