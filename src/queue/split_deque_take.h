// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How tasks of split_deque's public part are taken by what they are, and what else its owner does seldom.
#pragma once

#include "queue/split_deque.h"

namespace TEFF_NAMESPACE::queue {

template <class Rules>
inline pushed split_deque<Rules>::push_slow(const task& added) {
  if (!make_room(1)) return pushed::full;
  return push_at(bottom_.load(platform::relaxed), added);  // relaxed: its own
}

template <class Rules>
inline bool split_deque<Rules>::put_back() {
  bottom_.store(bottom_.load(platform::relaxed) + 1, platform::release);  // [bottom]
  return look_for_demand() == demand::some;
}

template <class Rules>
template <class Predicate>
bool split_deque<Rules>::take_public_if(Predicate wanted, task& taken) {
  // A hint: it is looked again below.
  if (const std::uint64_t seen = word_.load(platform::acquire); !shared_ || (public_in(seen) == 0 && is_still(seen)))
    return false;
  platform::lock_guard alone(closing_);
  const std::uint64_t open = close();
  const std::uint32_t top = top_of(open), behind = top + public_in(open);
  // [ring] acquire, after the word: as thieves do.
  ring& in = *ring_.load(platform::acquire);
  for (std::uint32_t at = behind; at != top;) {
    task candidate, moved;
    in[--at].read(candidate);
    if (!wanted(candidate)) continue;
    for (; at != top; --at) {
      in[at - 1].read(moved);
      in[at].write(moved);
    }
    word_.store(pack(top + 1, split_of(open)), platform::release);  // [steal]
    if (Rules::asks_for_what_it_emptied && top + 1 == behind) ask();
    taken = candidate;
    return true;
  }
  word_.store(open, platform::release);  // release: as it was before
  return false;
}

template <class Rules>
template <class Predicate>
bool split_deque<Rules>::take_public_end_if(Predicate wanted, task& taken) {
  // A hint: it is looked again below.
  if (const std::uint64_t seen = word_.load(platform::acquire); !shared_ || (public_in(seen) == 0 && is_still(seen)))
    return false;
  if (!closing_.try_acquire()) return false;
  platform::lock_guard alone(closing_, platform::adopt);
  const std::uint64_t open = close();
  const std::uint32_t top = top_of(open), behind = top + public_in(open);
  // [ring] acquire, as above.
  ring& in = *ring_.load(platform::acquire);
  bool found = false;
  if (top != behind) {
    in[top].read(taken);
    found = wanted(taken);
  }
  if (!found && behind - top > 1) {
    in[behind - 1].read(taken);
    found = wanted(taken);
    task moved;
    for (std::uint32_t at = behind - 1; found && at != top; --at) {
      in[at - 1].read(moved);
      in[at].write(moved);
    }
  }
  word_.store(found ? pack(top + 1, split_of(open)) : open, platform::release);  // [steal]
  if (Rules::asks_for_what_it_emptied && found && top + 1 == behind) ask();
  return found;
}

}  // namespace TEFF_NAMESPACE::queue
