// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A node of the run queues of Dandamudi & Cheng: docs/design/run-queues.md has the whole.
#pragma once

#include "base/cache_line.h"
#include "pool/parts/queue_lock.h"
#include "pool/parts/queued_task.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace TEFF_NAMESPACE::pool::parts {

/// A ready queue and a blocked queue under one lock, for the workers below.
///
/// Source: Dandamudi & Cheng 1996, §3, §5(b). Differs: of the blocked queue only the tasks that may go on again are kept here,
///   in the order in which they came to that; those that still wait are listed with the worker that they left (set_aside.h), so
///   that nobody scans past them, and who makes one go on needs no lock of a queue.
/// Invariants: `ready_count_` is the length whenever the lock is free; `going_on_count_` is never less than those that go on.
/// Cost: a look at an empty queue: two loads.
class alignas(cache_line_bytes) run_queue {
 public:
  run_queue(run_queue* above, std::uint32_t number, unsigned first, unsigned end, bool in_line)
      : parent(above), number(number), first_worker(first), end_worker(end), lock(in_line) {}

  run_queue* const parent;
  const std::uint32_t number;
  const unsigned first_worker, end_worker;  ///< those below: first … end − 1
  queue_lock lock;

  unsigned workers() const { return end_worker - first_worker; }

  /// Whether there seems to be something for a worker below `child` (nullptr: for one right here). [probe] relaxed: hints; the
  /// idle protocol's fences order them after an announcement, and before the look at the sleepers of who inserts.
  bool offers(const run_queue* child) const {
    if (going_on_count_.load(platform::relaxed) != 0) return true;
    if (ready_count_.load(platform::relaxed) == 0) return false;
    // relaxed: as above. Equal numbers: nothing has come, and no part was given back, since somebody saw that all are barred.
    return child == nullptr || child->barred_at_.load(platform::relaxed) != state_for(*child);
  }
  std::uint32_t ready_estimate() const { return ready_count_.load(platform::relaxed); }  // [probe]

  /// Effect: these are the newest ready tasks. Returns: whether there were none. Pre: the lock is held.
  bool insert(const task_chain& added) {
    if (added.count == 0) return false;
    if (newest_ != nullptr) platform::touch_pointer(newest_->next, platform::to_write);
    (newest_ != nullptr ? newest_->next : oldest_) = added.first;
    newest_ = added.last;
    // relaxed: [probe]; written under the lock.
    insertions_.store(insertions_.load(platform::relaxed) + 1, platform::relaxed);
    return set_ready(ready_estimate() + added.count) == added.count;
  }

  /// Effect: this task that waited may go on. Threads: any, without the lock. Post: it may be gone.
  void activate(queued_task* again) {
    going_on_count_.fetch_add(1, platform::relaxed);  // [probe], before it can be taken
    queued_task* newest = activated_.load(platform::relaxed);
    platform::touch_pointer(again->next, platform::to_write);
    do again->next = newest;
    while (!activated_.compare_exchange(newest, again, platform::release));  // [again] release: its task is visible
  }

  /// Returns: the one of those that may go on which is so for the longest time; nullptr if there is none. Pre: the lock is held.
  queued_task* take_going_on() {
    return take_going_on_if([](const task&) { return true; });
  }

  /// Effect: moves up to `most` ready tasks into the chain, the oldest first, but none of a batch of which as many as there are
  /// workers below `child` are below it. Pre: the lock is held, and the child's.
  void take_ready(task_chain& taken, std::uint32_t most, run_queue* child) {
    const std::uint64_t seen = child != nullptr ? state_for(*child) : 0;
    queued_task* before = nullptr;
    const std::uint32_t count_before = taken.count;
    for (queued_task* each = oldest_; each != nullptr && taken.count - count_before < most;) {
      platform::touch(each, sizeof *each, platform::to_read);
      queued_task* const next = each->next;
      if (child != nullptr && is_barred(*each, *child)) before = each;
      else {
        unlink(before, each);
        taken.add(each);
      }
      each = next;
    }
    const std::uint32_t moved = taken.count - count_before;
    set_ready(ready_estimate() - moved);
    if (moved == 0 && child != nullptr && oldest_ != nullptr) child->barred_at_.store(seen, platform::relaxed);  // [probe]
  }

  /// Returns: the oldest task here that is wanted, of those that go on, then of the ready ones. Pre: the lock is held.
  template <class Predicate>
  queued_task* take_if(Predicate wanted) {
    if (queued_task* const found = take_going_on_if(wanted)) return found;
    queued_task* before = nullptr;
    queued_task* each = oldest_;
    for (; each != nullptr && !is_wanted(*each, wanted); each = each->next) before = each;
    if (each == nullptr) return nullptr;
    unlink(before, each);
    set_ready(ready_estimate() - 1);
    return each;
  }

  /// Effect: what was barred may not be any longer. After a part was given back.
  void part_given_back() { given_back_.fetch_add(1, platform::relaxed); }  // [probe]

  /// Most ready tasks at once. Statistics.
  std::uint64_t peak() const { return peak_.value(); }
  /// Pre: nobody uses the queue.
  void reset_statistics() {
    peak_.set(ready_estimate());
    lock.reset_waits();
  }

 private:
  static bool is_barred(const queued_task& each, const run_queue& child) {
    if (each.of == nullptr) return false;
    auto& below = each.of->below()[child.number];
    // relaxed: it goes up here, under the child's lock; a part that is given back meanwhile counts in the next look.
    if (below.load(platform::relaxed) >= child.workers()) return true;
    below.fetch_add(1, platform::relaxed);
    return false;
  }

  std::uint64_t state_for(const run_queue& child) const {
    // [probe] relaxed. Never 0 once a task came: barred_at_ begins with that.
    return std::uint64_t{insertions_.load(platform::relaxed)} << 32 | child.given_back_.load(platform::relaxed);
  }

  /// What a walk does with each task.
  template <class Predicate>
  static bool is_wanted(const queued_task& each, Predicate wanted) {
    platform::touch(&each, sizeof each, platform::to_read);
    return wanted(each.held);
  }

  template <class Predicate>
  queued_task* take_going_on_if(Predicate wanted) {
    fetch_activated();
    queued_task* before = nullptr;
    queued_task* each = again_oldest_;
    for (; each != nullptr && !is_wanted(*each, wanted); each = each->next) before = each;
    if (each == nullptr) return nullptr;
    if (before != nullptr) platform::touch_pointer(before->next, platform::to_write);
    (before != nullptr ? before->next : again_oldest_) = each->next;
    if (again_newest_ == each) again_newest_ = before;
    going_on_count_.fetch_sub(1, platform::relaxed);  // [probe]
    return each;
  }

  /// Effect: those that were activated since the last call are the newest of those that go on.
  void fetch_activated() {
    if (activated_.load(platform::relaxed) == nullptr) return;            // a hint: the count says that one is to come
    queued_task* each = activated_.exchange(nullptr, platform::acquire);  // [again]
    queued_task* const newest = each;
    queued_task* oldest = nullptr;
    while (each != nullptr) {
      platform::touch_pointer(each->next, platform::to_write);
      queued_task* const older = each->next;
      each->next = oldest;
      oldest = std::exchange(each, older);
    }
    if (again_newest_ != nullptr) platform::touch_pointer(again_newest_->next, platform::to_write);
    (again_newest_ != nullptr ? again_newest_->next : again_oldest_) = oldest;
    again_newest_ = newest;
  }

  void unlink(queued_task* before, queued_task* gone) {
    if (before != nullptr) platform::touch_pointer(before->next, platform::to_write);
    (before != nullptr ? before->next : oldest_) = gone->next;
    if (newest_ == gone) newest_ = before;
  }

  std::uint32_t set_ready(std::uint32_t count) {
    ready_count_.store(count, platform::relaxed);  // [probe], under the lock
    if (count > peak_.value()) peak_.set(count);
    return count;
  }

  // Under the lock.
  queued_task* oldest_ = nullptr;
  queued_task* newest_ = nullptr;
  queued_task* again_oldest_ = nullptr;
  queued_task* again_newest_ = nullptr;
  platform::statistic peak_;

  // Read without it.
  alignas(cache_line_bytes) platform::atomic<std::uint32_t> ready_count_{0};
  platform::atomic<std::uint32_t> insertions_{0};  ///< written under the lock
  platform::atomic<std::uint32_t> going_on_count_{0};
  platform::atomic<queued_task*> activated_{nullptr};  ///< the newest first
  platform::atomic<std::uint32_t> given_back_{0};      ///< parts of batches, by workers below
  /// The parent's state when a worker from here saw that all ready tasks there are barred. Written under the parent's lock.
  platform::atomic<std::uint64_t> barred_at_{0};
};

inline void batch::give_part_back(run_queue& from) {
  for (run_queue* at = &from; at->parent != nullptr; at = at->parent) {
    below()[at->number].fetch_sub(1, platform::relaxed);  // before it is told: who sees that, in a later look, sees this
    at->part_given_back();
  }
  // acq_rel: the last one sees that the others are done with it.
  if (left.fetch_sub(1, platform::acq_rel) == 1) release();
}

}  // namespace TEFF_NAMESPACE::pool::parts
