// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/pool.h"
#include "queue/results.h"

namespace TEFF_NAMESPACE::pool::parts {

/// What an insertion into a queue that others may take from advises.
inline advice advise(queue::push_result found) {
  switch (found) {
    case queue::push_result::refused:
      return advice::refused;
    case queue::push_result::added:
      return advice::wake_if_every;
    case queue::push_result::first:
      return advice::wake_one;
  }
  return advice::wake_one;
}

/// What a put advises that nobody else sees: the paper's pools signal in every put (Korch & Rauber 2002, §6.3).
inline advice advise_private(const settings& set) {
  return set.wake == wake_policy::every_put ? advice::wake_if_every : advice::wake_none;
}

/// An injected task is always announced: nobody else will come back for it.
inline advice advise_injection(bool accepted) { return accepted ? advice::wake_one : advice::refused; }

/// Counts one look into another worker's queue.
inline void count_attempt(worker& thief, queue::steal_result found) {
  thief.count(trace::counter::steal_attempts);
  if (found == queue::steal_result::empty) thief.count(trace::counter::steals_empty);
  if (found == queue::steal_result::lost) thief.count(trace::counter::steals_lost);
}

}  // namespace TEFF_NAMESPACE::pool::parts
