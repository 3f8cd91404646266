// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where members sleep that wait for others inside a loop: for their turn in an ordered one, for an iteration in a doacross one.
#pragma once

#include "compat/openmp/forked.h"
#include "compat/openmp/tasks.h"
#include "compat/openmp/timed.h"
#include "platform/tuning.h"

#include <algorithm>
#include <cstdint>

namespace TEFF_NAMESPACE::openmp {

/// Effect: wakes those who sleep at the bell. Pre: what they wait for has been written.
inline void ring(turn_bell& bell) {
  // [bell] Either the waiter counted itself before, and is woken; or it sees what was written, and does not park.
  platform::fence(platform::seq_cst);
  if (bell.sleepers.load(platform::relaxed) == 0) return;
  bell.rings.fetch_add(1, platform::release);
  platform::wake_all(bell.rings);
}

inline void turn_bells::ring_all() {
  for (turn_bell* each = bells_.get(); each != bells_.get() + (std::size_t{1} << (64 - shift_)); ++each) ring(*each);
}

/// Effect: waits until the word is due, which it was not; who writes it rings the bell then. In a cancelled region nobody may be
/// there who would. The wait is counted for that place of the program's.
template <class Predicate>
void await_word(member& current, const platform::atomic<std::uint64_t>& word, Predicate is_due, turn_bell& bell, const char* what,
                const wait_place& where) {
  const timed_wait idle(current.clock, where);
  tell_search(current.clock);
  if (platform::spin_until_for(word, is_due, tuning::lock_spin_rounds, what)) return;
  if (current.in.is_left_behind()) end_forked_child();
  share_tasks(current);
  const unsigned spin =
      current.in.can_be_cancelled ? std::min<unsigned>(current.in.spin(), tuning::member_spin_rounds) : current.in.spin();
  // Who is to spin for no round does not look.
  while (!is_due(word.load(platform::acquire)) &&  // [turn], [source]
         !platform::spin_until_for(word, is_due, spin, what) && !current.in.is_cancelled()) {
    // relaxed: ordered by the fence.
    bell.sleepers.fetch_add(1, platform::relaxed);
    platform::fence(platform::seq_cst);  // [bell]
    const std::uint32_t seen = bell.rings.load(platform::acquire);
    if (!is_due(word.load(platform::acquire)) && !current.in.is_cancelled()) {
      const platform::account_scope asleep(account_part::parked);
      platform::park(bell.rings, seen, what);
    }
    bell.sleepers.fetch_sub(1, platform::relaxed);
  }
}

}  // namespace TEFF_NAMESPACE::openmp
