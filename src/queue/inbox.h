// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "platform/platform.h"
#include "task/task.h"

#include <cstdint>
#include <new>
#include <span>
#include <utility>

namespace TEFF_NAMESPACE::queue {

/// Tasks from threads that are no workers of the team: a queue behind a lock, whose nodes come from the system, or from who puts
/// the task.
///
/// Invariants: `length_` is the number of nodes whenever the lock is free. Threads: any. Cost: a look at an empty inbox: one
/// load; else one lock. Space: one node per task. Order: FIFO.
class alignas(cache_line_bytes) inbox {
 public:
  struct node {
    node* next = nullptr;
    task held;
    bool owned = false;  ///< by the inbox, which gives it back to the system
  };

  /// A task that brings its node, for who waits until it has run. To every other queue ready() is a task as any. Owned by the
  /// caller; the task may end it.
  struct with_node : node {
    explicit with_node(task what) : what(what) {}
    task ready() { return {&run, this}; }
    static void run(worker& current, void* self) {
      const task& what = static_cast<with_node*>(self)->what;
      what.entry(current, what.argument);
    }

    const task what;
  };

  inbox() = default;
  inbox(const inbox&) = delete;
  inbox& operator=(const inbox&) = delete;
  ~inbox() {
    task left;
    while (pop(left)) {
    }
  }

  /// Effect: adds all, one behind the other, or none. Returns: false if memory is refused; never, if each is with_node::ready().
  bool push(std::span<const task> added) {
    node* first = nullptr;
    node** behind = &first;
    node* last = nullptr;
    for (const task& each : added) {
      last = node_of(each);
      if (last == nullptr) {
        *behind = nullptr;
        release_all(first);
        return false;
      }
      *behind = last;
      behind = &last->next;
    }
    if (first != nullptr) push(*first, *last, static_cast<std::uint32_t>(added.size()));
    return true;
  }

  bool push(task added) { return push(std::span<const task>(&added, 1)); }
  /// Effect: adds a task by a node that the caller owns; it is the caller's again when the task was popped, which may end it.
  void push(node& added) { push(added, added, 1); }

  /// Effect: holds this task alone, by a node of the caller's; what it held is forgotten, also who held its lock. Pre: in the
  /// child of fork(), which has no other thread.
  void begin_anew(node& only) {
    lock_.~lock();
    ::new (&lock_) platform::lock();
    only.next = nullptr;
    oldest_ = newest_ = &only;
    length_.store(1, platform::relaxed);  // relaxed: nobody else is there
  }

  /// Returns: false if there was no task, or another thread took the last one.
  [[gnu::always_inline]] bool pop(task& taken) { return !seems_empty() && pop_slow(taken); }
  bool seems_empty() const { return length_.load(platform::relaxed) == 0; }  // [probe], see locked::length_estimate

  template <class Predicate>
  bool take_if(Predicate wanted, task& taken) {
    node* gone = nullptr;
    {
      platform::lock_guard guard(lock_);
      node* before = nullptr;
      for (gone = oldest_; gone != nullptr; before = std::exchange(gone, gone->next)) {
        platform::touch(gone, sizeof(node), platform::to_read);
        if (wanted(gone->held)) break;
      }
      if (gone == nullptr) return false;
      if (before != nullptr) platform::touch_pointer(before->next, platform::to_write);
      (before != nullptr ? before->next : oldest_) = gone->next;
      if (newest_ == gone) newest_ = before;
      // relaxed: under the lock; read without it as a hint ([probe]).
      length_.store(length_.load(platform::relaxed) - 1, platform::relaxed);
    }
    taken = gone->held;
    if (gone->owned) platform::system_release(gone, sizeof(node));
    return true;
  }

 private:
  /// Returns: a node that holds the task: what it brings, or one of the system's; nullptr if memory is refused.
  static node* node_of(const task& held) {
    if (held.entry == &with_node::run) {
      auto& brought = *static_cast<with_node*>(held.argument);
      platform::touch(&brought.held, sizeof brought.held, platform::to_write);
      brought.held = held;
      return &brought;
    }
    auto* made = static_cast<node*>(platform::system_allocate(sizeof(node)));
    if (made == nullptr) return nullptr;
    platform::touch(made, sizeof(node), platform::to_write);
    *made = {nullptr, held, true};
    return made;
  }
  static void release_all(node* first) {
    while (first != nullptr) {
      node* const gone = std::exchange(first, first->next);
      if (gone->owned) platform::system_release(gone, sizeof(node));
    }
  }

  void push(node& first, node& last, std::uint32_t count) {
    platform::lock_guard guard(lock_);
    platform::touch_pointer(last.next, platform::to_write);
    last.next = nullptr;
    if (newest_ != nullptr) platform::touch_pointer(newest_->next, platform::to_write);
    (newest_ != nullptr ? newest_->next : oldest_) = &first;
    newest_ = &last;
    // relaxed: under the lock; read without it as a hint ([probe]).
    length_.store(length_.load(platform::relaxed) + count, platform::relaxed);
  }

  [[gnu::noinline]] bool pop_slow(task& taken) {
    node* gone = nullptr;
    {
      platform::lock_guard guard(lock_);
      gone = oldest_;
      if (gone == nullptr) return false;
      platform::touch(gone, sizeof(node), platform::to_read);
      oldest_ = gone->next;
      if (oldest_ == nullptr) newest_ = nullptr;
      // relaxed: under the lock; read without it as a hint ([probe]).
      length_.store(length_.load(platform::relaxed) - 1, platform::relaxed);
    }
    taken = gone->held;
    if (gone->owned) platform::system_release(gone, sizeof(node));
    return true;
  }

  platform::lock lock_{platform::lock_kind::mutex, lock_label::of(guarded::inbox)};
  platform::atomic<std::uint32_t> length_{0};
  node* oldest_ = nullptr;
  node* newest_ = nullptr;
};

}  // namespace TEFF_NAMESPACE::queue
