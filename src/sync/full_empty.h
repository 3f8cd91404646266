// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sync/waiting.h"

#include <type_traits>
#include <utility>

namespace TEFF_NAMESPACE::sync {

/// A value with a mark that says whether it is full: reading and writing may wait for the mark and change it.
///
/// Source: the full/empty bits of the Tera MTA as Qthreads offers them (Olivier, Porterfield, Wheeler, Spiegel & Prins 2012,
///   §2.2).
/// Differs: a cell is an object, not any word of memory; it is made empty; one list instead of three. Idea: readers wait
///   while it is empty, writers while it is full, in one list. After each change `settle` goes through the list: the first that
///   the mark lets go is served, which may change the mark again, until it lets nobody go.
/// Invariants: while it is full no reader waits, while it is empty no writer.
/// Order: readers are served in the order in which they came, and so are writers.
/// No wake-up is lost: mark and list change under the lock, and each change settles.
/// Cost: the object's lock, which is two read-modify-writes; a change: a look at each that waits.
///
/// Pre: a T is made by T{}. Moving one does not throw, and for readFF copying; both happen under the object's lock and do not
///   wait. What readFE leaves behind is what moving leaves behind: for numbers the number.
template <class T, class Rules = rules>
class basic_full_empty : public object {
  static_assert(std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T>,
                "moving the value must not throw");

 public:
  explicit basic_full_empty(wait_policy policy = default_policy()) : object(policy) {}

  /// Effect: waits until it is full; empties it. Returns: the value. Threads: tasks and foreign threads. Blocks: the fiber.
  T readFE() {
    T result{};
    access(read_fe, result);
    return result;
  }
  /// Effect: waits until it is full, and leaves it so. Returns: the value. Blocks: the fiber.
  T readFF() {
    static_assert(std::is_nothrow_copy_assignable_v<T>, "copying the value must not throw: let the cell hold a pointer");
    T result{};
    access(read_ff, result);
    return result;
  }
  /// Effect: waits until it is empty; fills it with the value. Blocks: the fiber.
  void writeEF(T value) { access(write_ef, value); }
  /// Effect: fills it with the value, whether it is full or not. Blocks: never.
  void writeF(T value) {
    change([&] {
      value_ = std::move(value);
      full_ = true;
    });
  }
  /// Effect: marks it; the value stays as it is. Blocks: never.
  void fill() {
    change([&] { full_ = true; });
  }
  void empty() {
    change([&] { full_ = false; });
  }
  bool is_full() {
    platform::lock_guard guard(lock_);
    return full_;
  }

  const char* kind() const noexcept override { return "a full/empty cell"; }

 private:
  enum : unsigned { read_fe, read_ff, write_ef };

  bool may(unsigned what) const { return full_ == (what != write_ef); }

  /// Pre: it may; the lock is held.
  void apply(unsigned what, T& value) {
    if (what == write_ef) {
      value_ = std::move(value);
    } else if constexpr (std::is_nothrow_copy_assignable_v<T>) {
      if (what == read_ff) value = value_;
      else value = std::move(value_);
    } else {
      value = std::move(value_);
    }
    if (what != read_ff) full_ = !full_;
  }

  /// Effect: serves those whom the mark lets go, until it lets nobody go. Pre: the lock is held.
  void settle(wake_ups& next) {
    for (waiter* each = waiters_.first(); each != nullptr;) {
      waiter* const after = each->next;
      if (!may(each->tag)) {
        each = after;
        continue;
      }
      const bool before = full_;
      apply(each->tag, *static_cast<T*>(each->value));
      waiters_.remove(*each);
      next.add(*each);
      if (!Rules::settles_to_the_end) return;
      // Those that were passed waited for the mark as it is now.
      each = full_ == before ? after : waiters_.first();
    }
  }

  void access(unsigned what, T& value) TEFF_NOT_ANALYSED {
    lock_.acquire();
    if (may(what)) {
      wake_ups next;
      apply(what, value);
      settle(next);
      lock_.release();
      return next.deliver();
    }
    waiter self;
    self.tag = what;
    self.value = &value;
    this->template wait_here<Rules>(self);
  }

  template <class Change>
  void change(Change made) {
    wake_ups next;
    {
      platform::lock_guard guard(lock_);
      made();
      settle(next);
    }
    next.deliver();
  }

  T value_{};
  bool full_ = false;
};

}  // namespace TEFF_NAMESPACE::sync
