// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the owner of a split_deque learns that others want its private tasks: docs/design/default-pool.md, *Asking*.
#pragma once

#include "queue/split_deque.h"

namespace TEFF_NAMESPACE::queue {

/// Whether a request stands, or nothing is public, by one look at the word: while somebody has closed that, it does not say. Pre:
/// the bottom is stored, as in is_asked.
template <class Rules>
inline demand split_deque<Rules>::look_for_demand() const {
  platform::fence_of_compiler();
  if (Rules::notices_requests && requests_->load(platform::relaxed) != 0) return demand::some;  // [request]
  const std::uint64_t seen = word_.load(platform::relaxed);                                     // [ask]
  if (Rules::stays_asked_beside_a_closer && is_closed(seen)) return demand::unknown;
  return Rules::notices_an_empty_public_part && shared_ && public_in(seen) == 0 ? demand::some : demand::none;
}

/// Beside a closer the owner stays asked: the public part may be empty when the word is open again. So does one without private
/// tasks.
template <class Rules>
bool split_deque<Rules>::is_still_wanted() {
  if (const std::uint64_t seen = word_.load(platform::relaxed); !is_closed(seen) && kept(seen) <= 0) return false;  // [ask]
  if (const demand first = look_for_demand(); first != demand::none) return first == demand::some;
  asked_.store(0, platform::relaxed);
  if constexpr (!Rules::looks_when_it_is_not_asked) return false;
  // [ask] Either this fence comes before that of who asks, who then finds 0, and asks anew; or after it, and here it is seen why.
  platform::fence(platform::seq_cst);
  const demand second = look_for_demand();
  if (second != demand::none) asked_.store(1, platform::relaxed);  // relaxed: its own; who asked has a reason that is seen
  return second == demand::some;
}

/// Pre: a fence lies behind what makes private tasks wanted: the request, or the swap that emptied the public part. [ask]
template <class Rules>
inline void split_deque<Rules>::ask_behind_fence() {
  // relaxed: ordered by that fence, and for who requests by the one for everybody that follows.
  if (asked_.load(platform::relaxed) == 0) asked_.store(1, platform::relaxed);
}
template <class Rules>
void split_deque<Rules>::ask() {
  platform::fence(platform::seq_cst);
  ask_behind_fence();
}

}  // namespace TEFF_NAMESPACE::queue
