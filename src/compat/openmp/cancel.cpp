// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/cancel.h"

#include "compat/openmp/pin.h"
#include "compat/openmp/turns.h"
#include "platform/tuning.h"

namespace TEFF_NAMESPACE::openmp {

namespace {

/// Returns: whether a taskgroup is cancelled that is among the so many nodes from this one on upwards.
bool is_group_cancelled(const member& current, const node* at, std::uint64_t steps_at_most) {
  const pin nodes_stay(current);
  for (; at != nullptr && steps_at_most != 0; at = at->parent(), --steps_at_most) {
    // relaxed: a hint; who has cancelled it sees it.
    if (at->is_group() && static_cast<const group_block*>(at)->cancelled.load(platform::relaxed)) return true;
  }
  return false;
}

bool cancel_region(team& all) {
  if (all.opener == nullptr) return false;                   // outside of all regions
  all.puts_all.fetch_or(team::for_ever, platform::relaxed);  // a hint
  all.at_begin.fetch_or(team::whole_region, platform::seq_cst);
  all.wake_all();  // [sleep] [bell] a fence comes first: who sleeps in a barrier, or waits for somebody in a loop
  all.bells.ring_all();
  return true;
}

bool cancel_group(member& current) {
  const pin nodes_stay(current);
  node* at = current.running;
  while (at != nullptr && !at->is_group()) at = at->parent();
  if (at == nullptr) return false;
  // relaxed, all of them: hints to others; who ends the group sees them by [child].
  if (static_cast<group_block*>(at)->cancelled.exchange(true, platform::relaxed)) return true;
  current.in.puts_all.fetch_add(team::one_group, platform::relaxed);
  current.in.at_begin.fetch_add(team::one_group, platform::relaxed);
  return true;
}

}  // namespace

bool cancel(member& current, cancellable which) {
  team& all = current.in;
  if (which == cancellable::region) return cancel_region(all);
  if (which == cancellable::group) return cancel_group(current);
  all.loop_cancelled.store(true, platform::relaxed);  // others see it at one of their cancellation points
  return true;
}

bool is_cancelled(const member& current, cancellable which) {
  if (which == cancellable::region) return current.in.is_cancelled();
  if (which == cancellable::group)
    return may_discard(current) && (current.in.is_cancelled() || is_group_cancelled(current, current.running, ~std::uint64_t{0}));
  return current.in.loop_cancelled.load(platform::relaxed);  // ordered by the barrier before the loop, or a hint
}

bool is_discarded(const member& current, const node* from) {
  return current.in.is_cancelled() || is_group_cancelled(current, from, tuning::ancestors_per_look);
}

void forget_cancelled_group(team& all) {
  // relaxed: hints, as above.
  all.at_begin.fetch_sub(team::one_group, platform::relaxed);
  all.puts_all.fetch_sub(team::one_group, platform::relaxed);
}

}  // namespace TEFF_NAMESPACE::openmp
