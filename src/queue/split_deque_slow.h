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
inline std::uint32_t split_deque<Rules>::public_estimate() const {
  const std::uint64_t seen = word_.load(platform::acquire);  // acquire: [publish]
  return is_closed(seen) ? 0 : public_in(seen);
}
template <class Rules>
void split_deque<Rules>::reset_statistics() {
  peak_.set(0);
  limit_ = bottom_.load(platform::relaxed);  // the next push counts anew
  closing_.reset_waits();
}

template <class Rules>
inline bool split_deque<Rules>::has_unasked(std::uint32_t enough) const {
  const std::uint64_t seen = word_.load(platform::relaxed);  // a stale top only makes it more
  const place top = oldest(seen);
  return (place_of(bottom_.load(platform::relaxed)) - top) / slot_bytes >= enough && requests_->load(platform::relaxed) == 0 &&
         (top != split_of(seen) || !shared_);
}

template <class Rules>
inline std::uint32_t split_deque<Rules>::room() const {
  // relaxed: its own.
  return static_cast<std::uint32_t>(std::max(std::ptrdiff_t{0}, limit_ - bottom_.load(platform::relaxed)));
}

template <class Rules>
inline std::int32_t split_deque<Rules>::kept(std::uint64_t open_word) const {
  // [bottom] acquire: who gives private tasks away in the owner's name sees their slots, and so does who steals them.
  return static_cast<std::int32_t>(place_of(bottom_.load(platform::acquire)) - split_of(open_word)) /
         static_cast<std::int32_t>(slot_bytes);
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
    const std::uint32_t top = top_of(seen), count = shared_ ? public_in(seen) : 0;
    if (count == 0) return false;
    // The top goes up to the split; the split does not come down to the top, as then an old value of the word could come back.
    // The tasks lie behind it; if the ring has no room for them there, they move to its begin.
    slot* const split = bottom_.load(platform::relaxed);  // relaxed: its own. Nothing is private
    if (Rules::takes_back_upwards && lap_end_ - split < static_cast<std::ptrdiff_t>(count) - 1) {
      reclaimed = take_along();
      asked_.store(1, platform::relaxed);  // its own: nothing is public
      continue;
    }
    const std::uint64_t back = Rules::takes_back_upwards ? pack(top + count, split_of(seen)) : pack(top, place_of_top(seen));
    // [steal] acquire: the thieves have read the slots that are written from here on.
    if constexpr (!Rules::takes_back_by_comparison) word_.store(back, platform::release);
    else if (!word_.compare_exchange(seen, back, platform::acq_rel)) continue;
    take_over(split - count, split, Rules::takes_back_upwards ? split : split - count, taken);
    asked_.store(1, platform::relaxed);  // its own: nothing is public
    reclaimed = count;
    return true;
  }
}

/// Effect: what was public from `top` to `split` lies from `to` on, but for the newest. Pre: it is the caller's, and nothing is
/// private. Slots that are written hold nothing.
template <class Rules>
void split_deque<Rules>::take_over(slot* top, slot* split, slot* to, task& newest) {
  (split - 1)->read(newest);
  const std::ptrdiff_t quick = limit_ - top;
  slot* end = to;
  task moved;
  for (const slot* from = top; from != split - 1; ++from, ++end) {
    from->read(moved);
    end->write(moved);
  }
  set_limit(to, quick);
  bottom_.store(end, platform::release);  // [bottom]
}

template <class Rules>
bool split_deque<Rules>::take_oldest(task& taken) {
  if (shared_) {
    // A hint, when nobody has closed the word: publish and steal look again.
    if (public_in(open_word()) == 0) publish(false);
    std::uint32_t count = 1;  // of which none comes to the receiver
    return steal(*this, taken, count) == steal_result::got;
  }
  // relaxed: without thieves the word and the bottom are its own.
  slot* const oldest_one = bottom_.load(platform::relaxed) - length();
  if (oldest_one == bottom_.load(platform::relaxed)) return false;
  oldest_one->read(taken);
  word_.store(pack(0, place_of(oldest_one + 1)), platform::relaxed);  // own. The top says nothing
  return true;
}

template <class Rules>
template <class Allocate>
std::uint32_t split_deque<Rules>::publish(bool all, Allocate allocate) {
  if (!shared_) return 0;
  for (;;) {
    std::uint64_t seen = open_word();
    const std::int32_t mine = kept(seen);
    if (mine <= 0) return 0;
    const std::uint32_t given = part_of(mine, all);
    if (has_closures(split_of(seen), given)) [[unlikely]]
      return publish_closures(all, allocate);
    if (word_.compare_exchange(seen, pack(top_of(seen), split_of(seen) + slot_bytes * given), platform::acq_rel))
      return given;  // [publish]
  }
}

template <class Rules>
template <class Predicate>
bool split_deque<Rules>::take_private_if(Predicate wanted, task& taken) {
  platform::lock_guard nobody_closes(closing_);
  // relaxed: the caller's own; nobody else moves the split while the lock is held.
  slot* const bottom = bottom_.load(platform::relaxed);
  const slot* const split = bottom - std::max(0, kept(word_.load(platform::relaxed)));
  for (slot* at = bottom; at != split;) {
    task candidate;
    (--at)->read(candidate);
    if (!wanted(candidate)) continue;
    slot found;
    found.take(*at);
    for (; at + 1 != bottom; ++at) at->take(at[1]);
    at->take(found);
    at->read(taken);
    bottom_.store(at, platform::release);  // [bottom]
    return true;
  }
  return false;
}

template <class Rules>
steal_result split_deque<Rules>::steal(split_deque& receiver, task& first, std::uint32_t& count) {
  std::uint64_t seen = word_.load(platform::acquire);  // [publish]
  if (is_closed(seen)) return steal_result::lost;
  const std::uint32_t top = top_of(seen), all = public_in(seen);
  if (all == 0) return is_still(seen) ? steal_result::empty : steal_result::lost;
  count = std::min(count, (all + 1) / 2);
  if (receiver.room() + 1 < count) receiver.make_room(count - 1);
  count = std::min(count, receiver.room() + 1);
  slot* const bottom = receiver.bottom_.load(platform::relaxed);  // relaxed: the caller's own
  ring& from = *ring_.load(platform::acquire);                    // [ring]
  task moved;
  from[top].read(first);
  for (std::uint32_t i = 1; i < count; ++i) {
    from[top + i].read(moved);
    bottom[i - 1].write(moved);
  }
  // [steal] release: the slots are read. They hold what the word said, as it has had no other value since.
  if constexpr (!Rules::steals_by_comparison) word_.store(pack(top + count, split_of(seen)), platform::release);
  else if (!word_.compare_exchange(seen, pack(top + count, split_of(seen)), platform::acq_rel)) return steal_result::lost;
  if (Rules::asks_for_what_it_emptied && count == all) ask();
  if (count > 1) receiver.bottom_.store(bottom + (count - 1), platform::release);
  return steal_result::got;
}

template <class Rules>
auto split_deque<Rules>::look() const -> contents {
  // acquire: [publish].
  const std::uint64_t seen = word_.load(platform::acquire);
  if (is_closed(seen)) return contents::closed;
  if (public_in(seen) != 0) return contents::public_tasks;
  if (kept(seen) > 0) return contents::private_tasks;
  return is_still(seen) ? contents::nothing : contents::closed;  // the origin and the bottom may be those of another lap
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
template <class Allocate>
std::uint32_t split_deque<Rules>::force(Allocate allocate, bool* refused) {
  if constexpr (Rules::asks_where_it_forces) ask();  // a tied wait by name asks nobody else; who is about to sleep has asked all
  platform::lock_guard alone(closing_);
  std::int32_t left = 0;
  if constexpr (!Rules::looks_when_closed) left = kept(word_.load(platform::acquire));
  const std::uint64_t open = close();
  // [pop] From here on the owner's pops see the word closed, or their bottom is seen here.
  const bool passed = platform::fence_everywhere();
  if constexpr (Rules::looks_when_closed) left = kept(open);
  const std::uint32_t asked = passed && left > 0 ? part_of(left, false) : 0;
  const std::uint32_t given = move_closures(split_of(open), asked, allocate);
  if (refused != nullptr) *refused = given == 0 && asked != 0;
  word_.store(pack(top_of(open), split_of(open) + slot_bytes * given), platform::release);  // [publish]
  return given;
}

}  // namespace TEFF_NAMESPACE::queue

#include "queue/split_deque_asks.h"
#include "queue/split_deque_closures.h"
#include "queue/split_deque_laps.h"
#include "queue/split_deque_take.h"
