// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the tasks of a split_deque get room: laps and rings.
#pragma once

#include "queue/split_deque.h"

namespace TEFF_NAMESPACE::queue {

/// Effect: sees to it that there is a slot for one more, and for some more if it has room anyway, and sets the limit anew.
/// Returns: false if memory is refused.
template <class Rules>
bool split_deque<Rules>::make_room(std::uint32_t wanted) {
  // relaxed: its own.
  const bool ends = lap_end_ - bottom_.load(platform::relaxed) < static_cast<std::ptrdiff_t>(wanted);
  if (ends && !begin_next_lap() && bottom_.load(platform::relaxed) == lap_end_) return false;
  const std::uint32_t held = length();
  slot* const first = bottom_.load(platform::relaxed) - held;
  const std::uint32_t at_most = std::min(bound_, ring_.load(platform::relaxed)->size());
  if (held >= peak_.value()) peak_.set(held < at_most ? std::min(held + peak_step, at_most) : held + 1);
  // Beyond the bound each push is a slow one.
  const std::uint32_t quick = std::min(static_cast<std::uint32_t>(peak_.value()), bound_);
  set_limit(first, quick);
  return true;
}

/// Effect: the limit is behind so many slots, or where the lap ends.
template <class Rules>
inline void split_deque<Rules>::set_limit(slot* first, std::ptrdiff_t quick) {
  limit_ = first + std::clamp(quick, std::ptrdiff_t{0}, lap_end_ - first);
}

template <class Rules>
inline place split_deque<Rules>::place_of_top(std::uint64_t word) const {
  return origin_.load(platform::acquire) + slot_bytes * top_of(word);  // [lap]
}
/// Returns: whether the word has not changed since it was seen.
template <class Rules>
inline bool split_deque<Rules>::is_still(std::uint64_t seen) const {
  // relaxed: what it says is known; [lap] orders it.
  return !Rules::looks_again_where_it_saw_nothing || word_.load(platform::relaxed) == seen;
}

/// Effect: the number has the ring's first slot. Pre: it is a multiple of the ring's size; the word is closed, or nobody else has
/// the deque.
template <class Rules>
void split_deque<Rules>::begin_lap(ring& in, std::uint32_t number) {
  // [lap] release: who sees it, and looks at the word again, sees that it is closed or another one.
  origin_.store(place_of(in.slots()) - slot_bytes * number, platform::release);
  lap_end_ = in.end();
}

/// Returns: a ring in which so many tasks leave room; nullptr if memory is refused.
template <class Rules>
ring* split_deque<Rules>::ring_for(std::uint32_t held) {
  ring* const now = ring_.load(platform::relaxed);  // relaxed: its own
  const std::uint32_t room = now->size();
  if (4 * held < 3 * room) return now;
  ring* const larger = now->size() < size_at_most ? ring::make(2 * now->size(), now) : nullptr;
  // Without memory for a larger one, what is nearly full would be copied for each few tasks.
  return larger != nullptr ? larger : 8 * held < 7 * room ? now : nullptr;
}

/// Effect: all tasks lie at the begin of a lap above. Returns: false, and leaves all as it was, if memory is refused.
template <class Rules>
bool split_deque<Rules>::begin_next_lap() {
  platform::lock_guard nobody_closes(closing_);
  ring* const after = ring_for(length());
  if (after == nullptr) return false;
  move_all(*after, true);
  return true;
}

/// Effect: all tasks lie at the begin of the ring, in their order, public ones and private ones as before, or all private. Nobody
/// sees them meanwhile, but that the word is closed. Returns: how many. Pre: the lock is held.
template <class Rules>
std::uint32_t split_deque<Rules>::move_all(ring& after, bool stays_public) {
  slot* const bottom = bottom_.load(platform::relaxed);  // relaxed: its own
  // [steal] acquire: what thieves have read is not copied. relaxed: without thieves it is its own.
  const std::uint64_t open = shared_ ? close() : word_.load(platform::relaxed);
  const std::uint32_t held = (place_of(bottom) - oldest(open)) / slot_bytes;
  const std::uint32_t public_ones = shared_ && stays_public ? public_in(open) : 0;
  // Behind where the last lap ends, which may have been a top: a number is one in one lap only.
  const std::uint32_t size = after.size(), behind = top_of(open) + held + (Rules::numbers_laps_apart ? 1 : 0);
  const std::uint32_t first = (behind + size - 1) & ~(size - 1);
  slot* const to = after.slots();
  for (std::uint32_t i = 0; i < held; ++i) to[i].take(bottom[static_cast<std::ptrdiff_t>(i) - held]);
  if (&after != ring_.load(platform::relaxed)) overflows_.add(1);  // relaxed: its own
  begin_lap(after, first);
  ring_.store(&after, platform::release);                                   // [ring]
  bottom_.store(to + held, platform::release);                              // [bottom]
  word_.store(pack(first, place_of(to + public_ones)), platform::release);  // [publish]
  return held;
}

/// Effect: as move_all; what was public is private, because the ring has no room behind it. Returns: how many that were. Pre:
/// nothing is private.
template <class Rules>
std::uint32_t split_deque<Rules>::take_along() {
  platform::lock_guard nobody_closes(closing_);
  ring& in = *ring_.load(platform::relaxed);  // relaxed: its own, as the bottom
  const std::ptrdiff_t quick = limit_ - (bottom_.load(platform::relaxed) - length());
  const std::uint32_t held = move_all(in, false);
  set_limit(in.slots(), quick);
  return held;
}

}  // namespace TEFF_NAMESPACE::queue
