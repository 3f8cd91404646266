// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What split_deque does off the owner's path.
#pragma once

#include "queue/split_deque.h"

#include <algorithm>

namespace TEFF_NAMESPACE::queue {

template <class Rules>
void split_deque<Rules>::name(unsigned number) {
  closing_.name(lock_label::of(guarded::deque, number));
  platform::name_line(this, "line of the owner of deque", number);
  platform::name_line(&word_, "line of the public part of deque", number);
}

template <class Rules>
inline bool split_deque<Rules>::has_unasked(std::uint32_t enough) const {
  const std::uint64_t seen = word_.load(platform::relaxed);  // a stale top only makes it more
  return bottom_.load(platform::relaxed) - top_of(seen) >= enough && requests_->load(platform::relaxed) == 0 &&
         top_of(seen) != split_of(seen);
}

template <class Rules>
inline std::uint32_t split_deque<Rules>::room() const {
  // relaxed: its own.
  return static_cast<std::uint32_t>(std::max(0, static_cast<std::int32_t>(limit_ - bottom_.load(platform::relaxed))));
}

template <class Rules>
inline std::int32_t split_deque<Rules>::kept(std::uint64_t open_word) const {
  // [bottom] acquire: who gives private tasks away in the owner's name sees their slots, and so does who steals them.
  return static_cast<std::int32_t>(bottom_.load(platform::acquire) - split_of(open_word));
}

/// Returns: the word as it is when nobody has closed it. Threads: the owner.
template <class Rules>
std::uint64_t split_deque<Rules>::open_word() const {
  for (;;) {
    const std::uint64_t seen = word_.load(platform::acquire);  // [steal]
    if (!is_closed(seen)) return seen;
    platform::lock_guard until_it_is_open(closing_);
  }
}

template <class Rules>
bool split_deque<Rules>::pop_slow(task& taken, std::uint32_t& reclaimed) {
  for (;;) {
    std::uint64_t seen = open_word();
    if (kept(seen) > 0) {  // it was closed, and is no longer
      if (pop(taken)) return true;
      continue;
    }
    const std::uint32_t top = top_of(seen), split = split_of(seen);
    if (!shared_ || top == split) return false;
    // The top goes up to the split; the split does not come down to the top, as then an old value of the word could come back.
    const std::uint32_t end = Rules::takes_back_upwards ? split : top;
    // [steal] acquire: the thieves have read the slots that are written from here on.
    if constexpr (!Rules::takes_back_by_comparison) word_.store(pack(end, end), platform::release);
    else if (!word_.compare_exchange(seen, pack(end, end), platform::acq_rel)) continue;
    take_over(top, split, end, taken);
    reclaimed = split - top;
    return true;
  }
}

/// Effect: what was public from `top` to `split` lies from `to` on, but for the newest. Pre: it is the caller's, and nothing is
/// private. A slot that is written holds nothing, or what was copied before: the indices are less than a ring apart.
template <class Rules>
void split_deque<Rules>::take_over(std::uint32_t top, std::uint32_t split, std::uint32_t to, task& newest) {
  slots_[(split - 1) & mask_].read(newest);
  const std::uint32_t others = split - top - 1;
  task moved;
  for (std::uint32_t i = 0; i < others; ++i) {
    slots_[(top + i) & mask_].read(moved);
    slots_[(to + i) & mask_].write(moved);
  }
  limit_ = to + (limit_ - top);
  bottom_.store(to + others, platform::release);  // [bottom]
}

template <class Rules>
bool split_deque<Rules>::take_oldest(task& taken) {
  if (shared_) {
    // A hint: publish and steal look again.
    if (const std::uint64_t seen = word_.load(platform::acquire); top_of(seen) == split_of(seen)) publish(false);
    std::uint32_t count = 1;  // of which none comes to the receiver
    return steal(*this, taken, count) == steal_result::got;
  }
  // relaxed: without thieves the word and the bottom are its own.
  const std::uint32_t split = split_of(word_.load(platform::relaxed));
  if (bottom_.load(platform::relaxed) == split) return false;
  slots_[split & mask_].read(taken);
  word_.store(pack(split, split + 1), platform::relaxed);  // own
  return true;
}

template <class Rules>
std::uint32_t split_deque<Rules>::publish(bool all) {
  if (!shared_) return 0;
  for (;;) {
    std::uint64_t seen = open_word();
    const std::int32_t mine = kept(seen);
    if (mine <= 0) return 0;
    const std::uint32_t given = all ? static_cast<std::uint32_t>(mine) : (static_cast<std::uint32_t>(mine) + 1) / 2;
    if (word_.compare_exchange(seen, pack(top_of(seen), split_of(seen) + given), platform::acq_rel)) return given;  // [publish]
  }
}

/// Effect: sees to it that there is a slot for one more, and sets the limit anew. Returns: false if memory is refused.
template <class Rules>
bool split_deque<Rules>::make_room() {
  const std::uint32_t held = length(), first = bottom_.load(platform::relaxed) - held;
  if (held > mask_ && !grow(2 * (mask_ + 1))) return false;
  const std::uint32_t at_most = std::min(bound_, mask_ + 1);
  if (held >= peak_.value()) peak_.set(held < at_most ? std::min(held + peak_step, at_most) : held + 1);
  // Beyond the bound each push is a slow one.
  limit_ = first + std::min(static_cast<std::uint32_t>(peak_.value()), at_most);
  return true;
}

template <class Rules>
bool split_deque<Rules>::grow(std::uint32_t size) {
  if (size > size_at_most) return false;
  platform::lock_guard nobody_closes(closing_);
  ring* const before = ring_.load(platform::relaxed);  // relaxed: its own
  ring* const larger = ring::make(size, before);
  if (larger == nullptr) return false;
  const std::uint32_t bottom = bottom_.load(platform::relaxed);  // relaxed: its own
  task moved;
  // [steal] acquire: what thieves have read is not copied.
  for (std::uint32_t i = oldest(word_.load(platform::acquire)); i != bottom; ++i) {
    (*before)[i].read(moved);
    (*larger)[i].write(moved);
  }
  ring_.store(larger, platform::release);  // [ring]
  slots_ = larger->slots();
  mask_ = larger->mask();
  overflows_.add(1);
  return true;
}

template <class Rules>
template <class Predicate>
bool split_deque<Rules>::take_private_if(Predicate wanted, task& taken) {
  platform::lock_guard nobody_closes(closing_);
  // relaxed: the caller's own; nobody else moves the split while the lock is held.
  const std::uint32_t split = split_of(word_.load(platform::relaxed)), bottom = bottom_.load(platform::relaxed);
  for (std::uint32_t at = bottom; at != split;) {
    task candidate, moved;
    slots_[--at & mask_].read(candidate);
    if (!wanted(candidate)) continue;
    for (; at + 1 != bottom; ++at) {
      slots_[(at + 1) & mask_].read(moved);
      slots_[at & mask_].write(moved);
    }
    bottom_.store(bottom - 1, platform::release);  // [bottom]
    taken = candidate;
    return true;
  }
  return false;
}

template <class Rules>
steal_result split_deque<Rules>::steal(split_deque& receiver, task& first, std::uint32_t& count) {
  std::uint64_t seen = word_.load(platform::acquire);  // [publish]
  if (is_closed(seen)) return steal_result::lost;
  const std::uint32_t top = top_of(seen), split = split_of(seen);
  if (top == split) return steal_result::empty;
  const std::uint32_t bottom = receiver.bottom_.load(platform::relaxed);
  count = std::min(count, (split - top + 1) / 2);
  if (count > 1 && receiver.room() == 0) receiver.make_room();
  count = std::min(count, receiver.room() + 1);
  ring& from = *ring_.load(platform::acquire);  // [ring]
  task moved;
  from[top].read(first);
  for (std::uint32_t i = 1; i < count; ++i) {
    from[top + i].read(moved);
    receiver.slots_[(bottom + i - 1) & receiver.mask_].write(moved);
  }
  // [steal] release: the slots are read. They hold what the word said, as it has had no other value since.
  if constexpr (!Rules::steals_by_comparison) word_.store(pack(top + count, split), platform::release);
  else if (!word_.compare_exchange(seen, pack(top + count, split), platform::acq_rel)) return steal_result::lost;
  if (count > 1) receiver.bottom_.store(bottom + count - 1, platform::release);
  return steal_result::got;
}

template <class Rules>
auto split_deque<Rules>::look() const -> contents {
  // acquire: [publish].
  const std::uint64_t seen = word_.load(platform::acquire);
  if (is_closed(seen)) return contents::closed;
  if (split_of(seen) != top_of(seen)) return contents::public_tasks;
  return kept(seen) > 0 ? contents::private_tasks : contents::nothing;
}

/// Effect: closes the word. Returns: what it was. Pre: the lock is held.
template <class Rules>
std::uint64_t split_deque<Rules>::close() {
  // [publish] acquire: who closes it sees what is public. Who sees it closed waits for the lock.
  std::uint64_t seen = word_.load(platform::acquire);
  while (!word_.compare_exchange(seen, pack(top_of(seen), split_of(seen) + closed), platform::acq_rel)) {
  }
  return seen;
}

template <class Rules>
std::uint32_t split_deque<Rules>::force() {
  platform::lock_guard alone(closing_);
  std::int32_t left = 0;
  if constexpr (!Rules::looks_when_closed) left = kept(word_.load(platform::acquire));
  const std::uint64_t open = close();
  // [pop] From here on the owner's pops see the word closed, or their bottom is seen here.
  const bool passed = platform::fence_everywhere();
  if constexpr (Rules::looks_when_closed) left = kept(open);
  const std::uint32_t given = passed && left > 0 ? (static_cast<std::uint32_t>(left) + 1) / 2 : 0;
  word_.store(pack(top_of(open), split_of(open) + given), platform::release);  // [publish]
  return given;
}

}  // namespace TEFF_NAMESPACE::queue

#include "queue/split_deque_take.h"
