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
  const bool ends = lap_end_ - bottom_.load(platform::relaxed) < step * wanted;
  if (ends && !begin_next_lap() && bottom_.load(platform::relaxed) == lap_end_) return false;
  const std::uint32_t held = length(), first = bottom_.load(platform::relaxed) - step * held;
  const std::uint32_t at_most = std::min(bound_, ring_.load(platform::relaxed)->size());
  if (held >= peak_.value()) peak_.set(held < at_most ? std::min(held + peak_step, at_most) : held + 1);
  // Beyond the bound each push is a slow one.
  const std::uint32_t quick = std::min(static_cast<std::uint32_t>(peak_.value()), bound_);
  limit_ = first + std::min(step * quick, lap_end_ - first);
  return true;
}

/// Effect: the lap is the ring's one in which the index is, or the next one: the lap of index 0 is left out, below which no other
/// index has the slot before the first. Returns: its begin.
template <class Rules>
std::uint32_t split_deque<Rules>::begin_lap(ring& in, std::uint32_t at) {
  const std::uint32_t indices = step * in.size(), base = std::max(at & ~(indices - 1), at < indices ? indices : 0);
  lap_ = address_of(*in.slots()) - offset_of(base);
  lap_end_ = base + indices;
  return base;
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

/// Effect: all tasks lie at the begin of a lap above, in their order, public ones and private ones as before. Nobody sees them
/// meanwhile, but that the word is closed. Returns: false, and leaves all as it was, if memory is refused.
template <class Rules>
bool split_deque<Rules>::begin_next_lap() {
  platform::lock_guard nobody_closes(closing_);
  const std::uint32_t bottom = bottom_.load(platform::relaxed);  // relaxed: its own
  ring* const before = ring_.load(platform::relaxed);            // relaxed: its own
  ring* const after = ring_for(length());
  if (after == nullptr) return false;
  // [steal] acquire: what thieves have read is not copied. relaxed: without thieves it is its own.
  const std::uint64_t open = shared_ ? close() : word_.load(platform::relaxed);
  const std::uint32_t first = oldest(open);
  const std::uint32_t shift = begin_lap(*after, bottom + step * after->size() - step) - first;
  for (std::uint32_t i = first; i != bottom; i += step) (*after)[i + shift].take((*before)[i]);
  if (after != before) overflows_.add(1);
  ring_.store(after, platform::release);                                               // [ring]
  bottom_.store(bottom + shift, platform::release);                                    // [bottom]
  word_.store(pack(top_of(open) + shift, split_of(open) + shift), platform::release);  // [publish]
  return true;
}

}  // namespace TEFF_NAMESPACE::queue
