// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the owner of a split_deque learns that others want its private tasks: docs/design/default-pool.md, *Asking*.
#pragma once

#include "queue/split_deque.h"

namespace TEFF_NAMESPACE::queue {

/// Whether a request stands, or nothing is public. Pre: the bottom is stored, as in is_asked.
template <class Rules>
inline bool split_deque<Rules>::is_wanted() const {
  platform::fence_of_compiler();
  if (Rules::notices_requests && requests_->load(platform::relaxed) != 0) return true;  // [request]
  const std::uint64_t seen = word_.load(platform::relaxed);                             // [ask]
  return Rules::notices_an_empty_public_part && top_of(seen) == split_of(seen);
}

/// While somebody has closed the word it says nothing of the public part, which may be empty when it is open again: then the owner
/// stays asked.
template <class Rules>
bool split_deque<Rules>::is_still_wanted() {
  const auto says_nothing = [this] { return is_closed(word_.load(platform::relaxed)); };  // relaxed: it is looked at again
  if (is_wanted()) return true;
  if (Rules::stays_asked_beside_a_closer && says_nothing()) return false;
  asked_.store(0, platform::relaxed);
  if constexpr (!Rules::looks_when_it_is_not_asked) return false;
  // [ask] Either this fence comes before that of who asks, who then finds 0, and asks anew; or after it, and here it is seen why.
  platform::fence(platform::seq_cst);
  const bool wanted = is_wanted();
  if (wanted || (Rules::stays_asked_beside_a_closer && says_nothing())) asked_.store(1, platform::relaxed);  // relaxed: its own; who asked has a reason that is seen
  return wanted;
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
