// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "platform/platform.h"
#include "queue/results.h"
#include "queue/storage.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace TEFF_NAMESPACE::queue {

/// A list or array queue behind one lock, for any number of threads.
///
/// Idea: memory is allocated and freed outside the lock. The length is written under the lock and read without it, so that an
///   empty queue costs its visitors one load and no lock ([probe]).
/// Invariants: `length_` is the number of tasks whenever the lock is free.
/// Cost: insertion and removal: one lock each; a look at an empty queue: one load.
/// Considered: taking the lock to see that a queue is empty, as the paper describes: a worker that searches among 63 empty
///   queues then takes 63 locks per round and slows their owners.
template <class Storage>
class alignas(cache_line_bytes) locked {
 public:
  static constexpr bool has_opposite_end = Storage::has_opposite_end;
  static constexpr auto uses = joined_names(Storage::uses, std::array{"lock"});
  static constexpr std::size_t block_bytes() { return Storage::block_bytes(); }

  explicit locked(const options& from) : lock_(from.lock), storage_(from) {}

  push_result push(worker& current, task added) {
    auto prepared = prepare(current, added);
    return prepared ? insert(prepared) : push_result::refused;
  }

  /// The same with a note, where the task's putter finds it; or nullptr.
  push_result push(worker& current, task added, note* noted) {
    auto prepared = prepare(current, added);
    if (!prepared) return push_result::refused;
    prepared->noted = noted;
    return insert(prepared);
  }

  /// A push in two steps, for who has several queues with the same memory to choose from. Returns: nothing if memory is refused.
  auto prepare(worker& current, task added) const { return storage_.prepare(current, added); }
  push_result insert(const typename Storage::ticket& prepared) {
    platform::lock_guard guard(lock_);
    return insert_locked(prepared);
  }
  /// Returns: nothing if the lock is taken; nothing was changed then.
  std::optional<push_result> try_insert(const typename Storage::ticket& prepared) {
    if (!lock_.try_acquire()) return std::nullopt;
    platform::lock_guard guard(lock_, platform::adopt);
    return insert_locked(prepared);
  }

  template <end From>
  steal_result pop(worker& current, task& taken) {
    if (length_estimate() == 0) return steal_result::empty;
    lock_.acquire();
    return pop_locked<From>(current, taken);
  }

  /// As pop, but `lost` if the lock is taken.
  template <end From>
  steal_result try_pop(worker& current, task& taken) {
    if (length_estimate() == 0) return steal_result::empty;
    if (lock_.try_acquire()) return pop_locked<From>(current, taken);
    return steal_result::lost;
  }

  /// Effect: takes the newest task for which `wanted(task)` holds. Cost: O(length) under the lock.
  template <class Predicate>
  bool take_if(worker& current, Predicate wanted, task& taken) {
    return take(current, taken, [&] { return storage_.remove_if(wanted); });
  }
  /// The same of the `most` newest.
  template <class Predicate>
  bool take_if(worker& current, Predicate wanted, task& taken, std::size_t most) {
    return take(current, taken, [&] { return storage_.remove_if(wanted, most); });
  }
  /// Effect: takes the task that is noted there, if it is not gone, and `wanted(task)` holds. Threads: who has put it.
  template <class Predicate>
  bool take_noted(worker& current, const note& where, Predicate wanted, task& taken) {
    return take(current, taken, [&] { return storage_.remove_noted(where, wanted); });
  }

  /// Effect: moves up to `count` further tasks of this queue behind `receiver`'s newest, some at a time, without holding two
  /// locks at once. Pre: nobody but the caller inserts into `receiver`. Returns: how many were moved.
  template <end From>
  std::size_t move_to(worker&, locked& receiver, std::size_t count) {
    std::size_t moved = 0;
    for (;;) {
      typename Storage::ticket some[at_a_time];
      const std::size_t taken = remove_some<From>(some, receiver.room(std::min(count - moved, at_a_time)));
      if (taken == 0) return moved;
      receiver.insert_some(some, taken);
      moved += taken;
    }
  }

  /// Effect: takes the oldest task and, under the same holding of the lock, up to `more` further ones, which then stand in their
  /// order behind the newest of `receiver`; `more` says how many. No two locks are held at once. Returns: lost if there is none.
  /// Takes the lock even if the queue is empty: the caller has looked.
  steal_result pop_several(worker& current, task& taken, std::size_t& more, locked& receiver) {
    typename Storage::chain moved;
    std::size_t count = 0;
    {
      platform::lock_guard guard(lock_);
      count = storage_.remove_oldest(moved, 1 + more);
      if (count > 0) set_length(length_locked() - count);
    }
    more = count > 0 ? count - 1 : 0;
    if (count == 0) return steal_result::lost;
    const auto oldest = moved.template remove<end::opposite>();
    if (more > 0) receiver.append(moved, more);
    storage_.consume(current, oldest, taken);
    return steal_result::got;
  }

  /// A racy snapshot. [probe] relaxed: a hint; that no task is overlooked for good is the idle protocol's matter (its fences
  /// order this load after the announcement, and the length's store before the putter's look at the sleepers).
  std::size_t length_estimate() const { return length_.load(platform::relaxed); }

  /// Effect: the time account calls its lock so. Pre: nobody uses the queue.
  void name(lock_label label) {
    lock_.name(label);
    platform::name_line(&lock_,
                        label.what() == guarded::queue ? "line of the lock of queue" : "line of the lock of the central queue",
                        label.number());
  }
  /// Most tasks held at once. Statistics.
  std::uint64_t peak() const { return peak_.value(); }
  std::uint64_t lock_waits() const { return lock_.waits(); }
  std::size_t array_bytes() const { return storage_.array_bytes(); }
  std::uint64_t overflows() const { return storage_.overflows(); }
  /// Pre: nobody uses the queue.
  void reset_statistics() {
    peak_.set(length_estimate());
    lock_.reset_waits();
  }

 private:
  static constexpr std::size_t at_a_time = 16;

  template <class Remove>
  bool take(worker& current, task& taken, Remove remove) {
    typename Storage::ticket removed{};
    {
      platform::lock_guard guard(lock_);
      removed = remove();
      if (!removed) return false;
      set_length(length_locked() - 1);
    }
    storage_.consume(current, removed, taken);
    return true;
  }

  push_result insert_locked(const typename Storage::ticket& prepared) {
    if (!storage_.insert(prepared)) return push_result::refused;
    return set_length(length_locked() + 1) == 1 ? push_result::first : push_result::added;
  }

  /// Pre: the lock is held. Effect: releases it.
  template <end From>
  steal_result pop_locked(worker& current, task& taken) TEFF_RELEASE(lock_) {
    typename Storage::ticket removed{};
    {
      platform::lock_guard guard(lock_, platform::adopt);
      removed = storage_.template remove<From>();
      if (!removed) return steal_result::lost;
      set_length(length_locked() - 1);
    }
    storage_.consume(current, removed, taken);
    return steal_result::got;
  }

  std::size_t room(std::size_t wanted) {
    platform::lock_guard guard(lock_);
    return storage_.room(wanted);
  }

  template <end From>
  std::size_t remove_some(typename Storage::ticket* some, std::size_t count) {
    platform::lock_guard guard(lock_);
    std::size_t taken = 0;
    while (taken < count && (some[taken] = storage_.template remove<From>())) ++taken;
    set_length(length_locked() - taken);
    return taken;
  }

  /// Effect: inserts them so that the one that was taken first becomes the newest.
  void insert_some(typename Storage::ticket* some, std::size_t count) {
    platform::lock_guard guard(lock_);
    for (std::size_t at = count; at-- > 0;) storage_.insert(some[at]);
    set_length(length_locked() + count);
  }

  template <class Chain>
  void append(Chain& moved, std::size_t count) {
    platform::lock_guard guard(lock_);
    storage_.append(moved);
    set_length(length_locked() + count);
  }

  // [probe] relaxed: written under the lock, read without it as a hint.
  std::size_t length_locked() const { return length_.load(platform::relaxed); }
  std::size_t set_length(std::size_t length) {
    length_.store(static_cast<std::uint32_t>(length), platform::relaxed);
    if (length > peak_.value()) peak_.set(length);
    return length;
  }

  platform::lock lock_;
  platform::atomic<std::uint32_t> length_{0};
  Storage storage_;
  platform::statistic peak_;
};

}  // namespace TEFF_NAMESPACE::queue
