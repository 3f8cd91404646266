// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/cancel.h"

namespace TEFF_NAMESPACE::openmp {

namespace {

constexpr auto bit_of(cancellable which) { return static_cast<std::uint32_t>(which); }

bool is_group_cancelled(const node* at) {
  for (; at != nullptr; at = at->parent) {
    if (!(at->flags & node::scope)) continue;
    // relaxed: a hint; who has cancelled it sees it.
    if (static_cast<const group_block*>(at)->cancelled.load(platform::relaxed)) return true;
  }
  return false;
}

bool cancel_region(team& all) {
  if (all.opener == nullptr) return false;  // outside of all regions
  all.cancelled.fetch_or(bit_of(cancellable::region), platform::seq_cst);
  all.wake_all();  // [sleep] [bell] a fence comes first: who sleeps in a barrier, or waits for somebody in a loop
  all.bells.ring_all();
  return true;
}

bool cancel_group(member& current) {
  node* at = current.running;
  while (at != nullptr && !(at->flags & node::scope)) at = at->parent;
  if (at == nullptr) return false;
  static_cast<group_block*>(at)->cancelled.store(true, platform::relaxed);  // a hint to others
  current.in.cancelled.fetch_or(bit_of(cancellable::group), platform::relaxed);
  return true;
}

}  // namespace

bool cancel(member& current, cancellable which) {
  team& all = current.in;
  // New tasks go to the pool from here on, where each is looked at before it begins. relaxed: a hint.
  if (which == cancellable::region || which == cancellable::group) all.takes_locks.store(true, platform::relaxed);
  if (which == cancellable::region) return cancel_region(all);
  if (which == cancellable::group) return cancel_group(current);
  all.loop_cancelled.store(true, platform::relaxed);  // others see it at one of their cancellation points
  return true;
}

bool is_cancelled(const member& current, cancellable which) {
  if (which == cancellable::region) return current.in.is_cancelled();
  if (which == cancellable::group) return may_discard(current) && is_discarded(current, current.running);
  return current.in.loop_cancelled.load(platform::relaxed);  // ordered by the barrier before the loop, or a hint
}

bool is_discarded(const member& current, const node* from) { return current.in.is_cancelled() || is_group_cancelled(from); }

}  // namespace TEFF_NAMESPACE::openmp
