// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "platform/platform.h"
#include "queue/nodes.h"
#include "queue/results.h"

#include <cstddef>
#include <cstdint>

namespace teff::inline TEFF_PLATFORM::queue {

/// A list queue behind one lock, for any number of threads.
///
/// Idea: memory is allocated and freed outside the lock. The length is written under the lock and read without it, so that an
///   empty queue costs its visitors one load and no lock ([probe]).
/// Invariants: `length_` is the number of nodes whenever the lock is free.
/// Cost: insertion and removal: one lock each; a look at an empty queue: one load.
/// Considered: taking the lock to see that a queue is empty, as the paper describes: a worker that searches among 63 empty
///   queues then takes 63 locks per round and slows their owners.
template <class List>
class alignas(cache_line_bytes) locked {
 public:
  using node = typename List::node;

  locked(mem::memory& memory, platform::lock_kind kind) : nodes_{memory}, lock_(kind) {}

  push_result push(worker& current, task added) {
    node* made = nodes_.make(current, added);
    if (made == nullptr) return push_result::refused;
    platform::lock_guard guard(lock_);
    list_.insert(made);
    return set_length(length_locked() + 1) == 1 ? push_result::first : push_result::added;
  }

  template <end From>
  steal_result pop(worker& current, task& taken) {
    if (length_estimate() == 0) return steal_result::empty;
    node* removed = nullptr;
    {
      platform::lock_guard guard(lock_);
      removed = list_.template remove<From>();
      if (removed == nullptr) return steal_result::lost;
      set_length(length_locked() - 1);
    }
    nodes_.consume(current, removed, taken);
    return steal_result::got;
  }

  /// Effect: takes the newest task for which `wanted(task)` holds. Cost: O(length) under the lock.
  template <class Predicate>
  bool take_if(worker& current, Predicate wanted, task& taken) {
    node* removed = nullptr;
    {
      platform::lock_guard guard(lock_);
      removed = list_.remove_if(wanted);
      if (removed == nullptr) return false;
      set_length(length_locked() - 1);
    }
    nodes_.consume(current, removed, taken);
    return true;
  }

  /// Effect: moves up to `count` further tasks of this queue behind `receiver`'s newest, without holding two locks at once.
  /// Returns: how many were moved.
  template <end From>
  std::size_t move_to(locked& receiver, std::size_t count) {
    List moved;
    std::size_t taken = 0;
    {
      platform::lock_guard guard(lock_);
      for (; taken < count; ++taken) {
        node* removed = list_.template remove<From>();
        if (removed == nullptr) break;
        moved.insert(removed);
      }
      set_length(length_locked() - taken);
    }
    if (taken == 0) return 0;
    platform::lock_guard guard(receiver.lock_);
    while (node* next = moved.remove()) receiver.list_.insert(next);
    receiver.set_length(receiver.length_locked() + taken);
    return taken;
  }

  /// A racy snapshot. [probe] relaxed: a hint; that no task is overlooked for good is the idle protocol's matter (its fences
  /// order this load after the announcement, and the length's store before the putter's look at the sleepers).
  std::size_t length_estimate() const { return length_.load(platform::relaxed); }

  /// Most tasks held at once. Statistics.
  std::uint64_t peak() const { return peak_.value(); }
  std::uint64_t lock_waits() const { return lock_.waits(); }
  /// Pre: nobody uses the queue.
  void reset_statistics() {
    peak_.set(length_estimate());
    lock_.reset_waits();
  }

 private:
  std::size_t length_locked() const { return length_.load(platform::relaxed); }

  std::size_t set_length(std::size_t length) {
    length_.store(static_cast<std::uint32_t>(length), platform::relaxed);
    if (length > peak_.value()) peak_.set(length);
    return length;
  }

  const nodes<node> nodes_;
  platform::lock lock_;
  platform::atomic<std::uint32_t> length_{0};
  List list_;
  platform::statistic peak_;
};

}  // namespace teff::inline TEFF_PLATFORM::queue
