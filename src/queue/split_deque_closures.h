// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a split_deque does with closures that lie in its slots, before their tasks are public.
#pragma once

#include "queue/split_deque.h"

namespace TEFF_NAMESPACE::queue {

/// Whether one of so many tasks has its closure in its slot. Threads: the owner. (Who forces may move one meanwhile: no matter.)
template <class Rules>
bool split_deque<Rules>::has_closures(place first, std::uint32_t count) const {
  const slot* const begin = ring_.load(platform::relaxed)->at(first);  // relaxed: its own
  return std::any_of(begin, begin + count, [](const slot& each) { return each.has_closure(); });
}

/// Effect: closures of so many private tasks go to blocks of their own, the oldest first. Returns: how many tasks, up to one
/// whose block is refused, have none in their slots any more. Pre: the lock is held, so that nobody else does so, and the slots'
/// owner calls, or has seen the word closed.
template <class Rules>
template <class Allocate>
std::uint32_t split_deque<Rules>::move_closures(place first, std::uint32_t count, Allocate allocate) {
  slot* const begin = ring_.load(platform::acquire)->at(first);  // [ring]
  for (std::uint32_t i = 0; i < count; ++i) {
    slot& each = begin[i];
    if (!each.has_closure()) continue;
    void* const block = allocate();
    if (block == nullptr) return i;
    each.move_closure_to(block);
  }
  return count;
}

template <class Rules>
bool split_deque<Rules>::is_in_slot(const task& popped) const {
  const slot* const at = bottom_.load(platform::relaxed);  // relaxed: its own. Behind the lap's end there is no slot.
  return at != lap_end_ && popped.argument == at->room;
}

/// Effect: as publish, under the lock.
template <class Rules>
template <class Allocate>
std::uint32_t split_deque<Rules>::publish_closures(bool all, Allocate allocate) {
  platform::lock_guard nobody_closes(closing_);
  std::uint64_t seen = word_.load(platform::acquire);  // [steal]
  const std::int32_t mine = kept(seen);
  const std::uint32_t given = mine > 0 ? move_closures(split_of(seen), part_of(mine, all), allocate) : 0;
  // Only thieves change it meanwhile, and only the top. [publish]
  while (given > 0 && !word_.compare_exchange(seen, pack(top_of(seen), split_of(seen) + slot_bytes * given), platform::acq_rel)) {
  }
  return given;
}

template <class Rules>
template <class Allocate>
inline bool split_deque<Rules>::keep(task& popped, Allocate allocate) {
  if (!is_in_slot(popped)) return true;
  void* const block = allocate();
  if (block == nullptr) return false;
  slot& from = *bottom_.load(platform::relaxed);  // relaxed: its own
  from.move_closure_to(block);
  from.read(popped);
  return true;
}

}  // namespace TEFF_NAMESPACE::queue
