// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "platform/tuning.h"
#include "queue/lifo_list.h"
#include "queue/nodes.h"
#include "queue/options.h"
#include "queue/results.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace TEFF_NAMESPACE::queue {

/// A double-linked list in which each task has a lock of its own, so that both ends work at the same time.
///
/// Source: Korch & Rauber 2002, §4.2, Table 2 (sq3: enqueue and dequeue at once; dq6: two dequeues at once, at the two ends).
/// Idea: a removal locks the end, its node and the node behind it; an insertion the end and its neighbour. So two
///   removals meet only where the list has less than four nodes, a removal and an insertion where it has less than three.
/// Invariants: a link between two nodes is changed by who holds both their locks. A node is locked only by who holds the lock of
///   a neighbour, so that nobody waits for a node that is gone (a release may still wake by its address: parks may return early).
///   Locks are waited for from the opposite end towards the working
///   end only; who comes from the working end takes further locks only if they are free, else gives up all and starts again:
///   no circle of waiting.
/// Cost: insertion: two locks; removal: three. Who comes from the working end spins while the other end's holder does not run.
/// take_if: O(length), from the oldest on. Space: a node with a lock per task. Order: LIFO at the working end, FIFO from the
/// opposite end. Good for: looking at what fine locks cost. Bad for: short tasks: up to three locks each. Considered: waiting in
/// both directions and a third lock for short lists: every operation would pay for the rare meeting.
class task_locked_list {
 public:
  struct node {
    explicit node(platform::lock_kind kind) : lock(kind) { lock.name(lock_label::of(guarded::task_of_queue)); }
    platform::lock lock;
    node* older = nullptr;
    node* newer = nullptr;
    task held;
  };

  static constexpr bool has_opposite_end = true;
  static constexpr std::array uses{"lock"};
  static constexpr std::size_t block_bytes() { return sizeof(node); }

  explicit task_locked_list(const options& from) : nodes_{from.memory}, kind_(from.lock) {
    oldest_.newer = &newest_;
    newest_.older = &oldest_;
  }

  push_result push(worker& current, task added) {
    void* block = nodes_.memory.allocate(current, mem::block_kind::task);
    if (block == nullptr) return push_result::refused;
    platform::touch(block, sizeof(node), platform::to_write);
    node* made = ::new (block) node(kind_);
    copy_task(added, made->held);
    return insert(made);
  }

  template <end From>
  steal_result pop(worker& current, task& taken) {
    if (length_estimate() == 0) return steal_result::empty;
    node* removed = From == end::working ? remove_newest() : remove_oldest();
    if (removed == nullptr) return steal_result::lost;
    nodes_.consume(current, removed, taken);
    return steal_result::got;
  }

  template <class Predicate>
  bool take_if(worker& current, Predicate wanted, task& taken) {
    node* found = remove_if(wanted);
    if (found == nullptr) return false;
    nodes_.consume(current, found, taken);
    return true;
  }

  /// Effect: moves up to `count` tasks behind `receiver`'s newest, one after the other. Returns: how many were moved.
  template <end From>
  std::size_t move_to(worker&, task_locked_list& receiver, std::size_t count) {
    std::size_t moved = 0;
    for (; moved < count; ++moved) {
      node* removed = From == end::working ? remove_newest() : remove_oldest();
      if (removed == nullptr) break;
      receiver.insert(removed);
    }
    return moved;
  }

  /// A racy snapshot, as locked::length_estimate ([probe]); a task is counted before it is linked, and until after it is not.
  std::size_t length_estimate() const { return length_.load(platform::relaxed); }
  std::size_t array_bytes() const { return 0; }
  std::uint64_t overflows() const { return 0; }
  std::uint64_t peak() const { return peak_.value(); }
  /// Waits for an end, for nodes that were taken since, and operations at the working end that had to start again.
  std::uint64_t lock_waits() const {
    // relaxed: statistics.
    return oldest_.lock.waits() + newest_.lock.waits() + waits_for_nodes_.load(platform::relaxed);
  }
  /// Pre: nobody uses the queue.
  void reset_statistics() {
    peak_.set(length_estimate());
    oldest_.lock.reset_waits();
    newest_.lock.reset_waits();
    waits_for_nodes_.store(0, platform::relaxed);  // relaxed: statistics
  }

 private:
  /// Effect: adds a node at the working end. Not analysed, like all below: the analysis does not follow locks through pointers.
  push_result insert(node* made) TEFF_NOT_ANALYSED {
    node* neighbour = lock_newest_pair();
    // [probe] relaxed: a hint; what a node holds is ordered by the locks.
    const std::size_t before = length_.fetch_add(1, platform::relaxed);
    if (before + 1 > peak_.value()) peak_.set(before + 1);
    made->older = neighbour;
    made->newer = &newest_;
    neighbour->newer = made;
    newest_.older = made;
    neighbour->lock.release();
    newest_.lock.release();
    return before == 0 ? push_result::first : push_result::added;
  }

  /// Effect: locks the working end and its neighbour. Returns: the neighbour, which is the other end if there is no node.
  node* lock_newest_pair(bool had_to_wait = false) TEFF_NOT_ANALYSED {
    for (unsigned rounds = 1;; had_to_wait = true) {
      newest_.lock.acquire();
      node* neighbour = newest_.older;
      if (neighbour->lock.try_acquire()) {
        if (had_to_wait) waits_for_nodes_.fetch_add(1, platform::relaxed);  // relaxed: statistics
        return neighbour;
      }
      give_way(nullptr, rounds);
    }
  }

  node* remove_newest() TEFF_NOT_ANALYSED {
    unsigned rounds = 1;
    for (bool had_to_wait = false;; had_to_wait = true) {
      node* removed = lock_newest_pair(had_to_wait);
      if (removed == &oldest_) {
        removed->lock.release();
        newest_.lock.release();
        return nullptr;
      }
      if (removed->older->lock.try_acquire()) return unlink(removed);
      give_way(removed, rounds);
    }
  }

  node* remove_oldest() TEFF_NOT_ANALYSED {
    oldest_.lock.acquire();
    node* removed = oldest_.newer;
    removed->lock.acquire();
    if (removed == &newest_) {
      removed->lock.release();
      oldest_.lock.release();
      return nullptr;
    }
    removed->newer->lock.acquire();
    return unlink(removed);
  }

  template <class Predicate>
  node* remove_if(Predicate wanted) TEFF_NOT_ANALYSED {
    node* before = &oldest_;
    before->lock.acquire();
    for (;;) {
      node* candidate = before->newer;
      candidate->lock.acquire();
      if (candidate == &newest_) break;
      if (wanted(candidate->held)) {
        candidate->newer->lock.acquire();
        return unlink(candidate);
      }
      before->lock.release();
      before = candidate;
    }
    newest_.lock.release();
    before->lock.release();
    return nullptr;
  }

  /// Pre: the node and both its neighbours are locked. Effect: takes it out and unlocks all three.
  node* unlink(node* removed) TEFF_NOT_ANALYSED {
    node* older = removed->older;
    node* newer = removed->newer;
    older->newer = newer;
    newer->older = older;
    // [probe] relaxed: a hint; and statistics.
    length_.fetch_sub(1, platform::relaxed);
    if (removed->lock.waits() > 0) waits_for_nodes_.fetch_add(removed->lock.waits(), platform::relaxed);
    removed->lock.release();
    older->lock.release();
    newer->lock.release();
    return removed;
  }

  /// Effect: unlocks what who came from the working end holds, and lets the other end get on: for twice as long each time, as
  /// who comes back before the lock's line has reached the other one takes the lock from under its hands, for ever if both are
  /// regular.
  void give_way(node* held, unsigned& rounds) TEFF_NOT_ANALYSED {
    if (held != nullptr) held->lock.release();
    newest_.lock.release();
    if (rounds == 1) {
      platform::pause();
    } else {
      const platform::atomic<std::uint32_t> nobodys{0};
      platform::spin_until_for(nobodys, [](std::uint32_t word) { return word != 0; }, rounds, "a list: its other end");
    }
    rounds = std::min<unsigned>(2 * rounds, tuning::give_way_rounds);
  }

  const nodes<node> nodes_;
  const platform::lock_kind kind_;
  alignas(cache_line_bytes) node oldest_{kind_};  ///< the opposite end
  alignas(cache_line_bytes) node newest_{kind_};  ///< the working end
  alignas(cache_line_bytes) platform::atomic<std::uint32_t> length_{0};
  platform::atomic<std::uint64_t> waits_for_nodes_{0};
  platform::statistic peak_;  // written by who holds the working end
};

}  // namespace TEFF_NAMESPACE::queue
