// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What list and array queues have in common, so that locks, pools and lengths are written once for both: a task enters by
/// prepare (where memory is taken) and insert, and leaves by remove and consume (where memory is given back). Only insert and
/// remove touch the structure; only they need its lock.
#pragma once

#include "base/assert.h"
#include "queue/array_stack.h"
#include "queue/lifo_list.h"
#include "queue/nodes.h"
#include "queue/note.h"
#include "queue/options.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

namespace TEFF_NAMESPACE::queue {

/// Tasks in the nodes of a list.
template <class List>
class list_storage {
 public:
  using ticket = typename List::node*;  ///< a task on its way in or out; null: none
  static constexpr bool has_opposite_end = List::has_opposite_end;
  static constexpr std::array<const char*, 0> uses{};
  static constexpr std::size_t block_bytes() { return sizeof(typename List::node); }

  explicit list_storage(const options& from) : nodes_{from.memory} {}

  ticket prepare(worker& current, task added) const { return nodes_.make(current, added); }
  bool insert(ticket prepared) {
    list_.insert(prepared);
    return true;
  }
  template <end From>
  ticket remove() {
    return list_.template remove<From>();
  }
  template <class Predicate>
  ticket remove_if(Predicate wanted) {
    return list_.remove_if(wanted);
  }
  template <class Predicate>
  ticket remove_if(Predicate wanted, std::size_t most) {
    return list_.remove_if(wanted, most);
  }
  template <class Predicate>
  ticket remove_noted(const note& where, Predicate wanted) {
    return list_.remove_noted(where, wanted);
  }
  void consume(worker& current, ticket removed, task& taken) const { nodes_.consume(current, removed, taken); }

  /// Tasks on their way from one storage to another one of the same memory, in their order.
  using chain = List;
  /// Effect: moves up to `count` of the oldest to an empty chain. Returns: how many.
  std::size_t remove_oldest(chain& moved, std::size_t count) { return list_.move_oldest(moved, count); }
  /// Effect: all of the chain stand behind the newest.
  void append(chain& moved) { list_.append(moved); }

  /// How many of `wanted` insertions are sure to succeed.
  std::size_t room(std::size_t wanted) const { return wanted; }
  std::size_t array_bytes() const { return 0; }
  std::uint64_t overflows() const { return 0; }

 private:
  const nodes<typename List::node> nodes_;
  List list_;
};

/// Tasks in an array.
class array_storage {
 public:
  using ticket = std::optional<task>;
  static constexpr bool has_opposite_end = false;
  static constexpr std::array<const char*, 1> uses{"capacity"};
  static constexpr std::size_t block_bytes() { return sizeof(task); }  // asks for none

  /// Errors: std::bad_alloc.
  explicit array_storage(const options& from) : stack_(from.capacity) {}

  ticket prepare(worker&, task added) const { return added; }
  bool insert(const ticket& prepared) {
    TEFF_ASSERT(prepared.has_value(), "prepare() has made it");
    return stack_.insert(*prepared);
  }
  template <end From>
  ticket remove() {
    static_assert(From == end::working, "an array is emptied at the end where it is filled");
    task taken;
    return stack_.remove(taken) ? ticket(taken) : ticket();
  }
  template <class Predicate>
  ticket remove_if(Predicate wanted) {
    task taken;
    return stack_.take_if(wanted, taken) ? ticket(taken) : ticket();
  }
  void consume(worker&, const ticket& removed, task& taken) const {
    TEFF_ASSERT(removed.has_value(), "only a task that was removed can be consumed");
    copy_task(*removed, taken);
  }

  std::size_t room(std::size_t wanted) { return stack_.room(wanted); }
  std::size_t array_bytes() const { return stack_.bytes(); }
  std::uint64_t overflows() const { return stack_.overflows(); }

 private:
  array_stack stack_;
};

}  // namespace TEFF_NAMESPACE::queue
