// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The row of a region's workshares.
#include "compat/openmp/refuse.h"
#include "compat/openmp/workshare.h"

#include <memory>
#include <new>

namespace TEFF_NAMESPACE::openmp {

void workshare::become_fresh() {
  // relaxed: the others, if there are any, see all this by [next], which links it.
  state.store(fresh, platform::relaxed);
  left.store(0, platform::relaxed);
  taken.store(0, platform::relaxed);
  last_is_taken.store(false, platform::relaxed);
  turn.store(0, platform::relaxed);
  in_batches.store(false, platform::relaxed);
}

workshare_chain::~workshare_chain() {
  reset();
  // relaxed, both: nobody else uses the chain any more.
  for (workshare* each : {free_, returned_.load(platform::relaxed)}) {
    while (workshare* const gone = each) {
      each = gone->next.load(platform::relaxed);
      delete gone;
    }
  }
}

void workshare_chain::recycle(workshare* unused) {
  unused->give_back();
  workshare* top = returned_.load(platform::relaxed);  // relaxed: only an address
  do unused->next.store(top, platform::relaxed);       // relaxed: who takes it sees it by [returned]
  while (!returned_.compare_exchange(top, unused, platform::release));
}

void workshare_chain::reset() {
  // relaxed: no member uses one; those of the next region are ordered by [send].
  for (workshare* at = first_.load(platform::relaxed); at != nullptr;) {
    workshare* const after = at->next.load(platform::relaxed);
    recycle(at);
    at = after;
  }
  first_.store(nullptr, platform::relaxed);  // likewise relaxed
}

/// Pre: the lock is held.
workshare* workshare_chain::make() {
  if (free_ == nullptr) free_ = returned_.exchange(nullptr, platform::acquire);  // [returned]
  workshare* const made = free_ != nullptr ? free_ : new (std::nothrow) workshare;
  if (made == nullptr) fail("no memory for a worksharing construct");
  // relaxed: under the lock.
  if (made == free_) free_ = made->next.load(platform::relaxed);
  made->next.store(nullptr, platform::relaxed);
  made->become_fresh();
  return made;
}

void workshare_chain::begin_anew(unsigned size) {
  std::construct_at(&lock_);
  free_ = nullptr;
  returned_.store(nullptr, platform::relaxed);  // relaxed, and below: there is nobody else
  for (workshare* at = first_.load(platform::relaxed); at != nullptr; at = at->next.load(platform::relaxed)) {
    for (unsigned each = 0; at->batches != nullptr && each < size; ++each) at->batches[each].begin_anew();
  }
}

/// A share that all have left is the first of the row, and no other one is given back at the same time: who is the last to leave
/// it gives it back before it leaves the next one. It sees what those did that were the last before, by `left`.
workshare& workshare_chain::advance(workshare_position& position, unsigned size) {
  workshare* const before = position.at;
  if (size == 1 && before != nullptr) {  // nobody else is at it, or comes to it
    before->give_back();
    before->become_fresh();
    position = {};
    position.at = before;
    return *before;
  }
  platform::atomic<workshare*>& link = before != nullptr ? before->next : first_;
  workshare* found = link.load(platform::acquire);  // [next]
  if (found == nullptr) {
    platform::lock_guard guard(lock_);
    found = link.load(platform::relaxed);
    if (found == nullptr) link.store(found = make(), platform::release);  // [next]
  }
  // relaxed: a hint. Who is behind goes there soon: and there are many where it is far behind.
  if (const workshare* const after = found->next.load(platform::relaxed)) {
    __builtin_prefetch(after);
    __builtin_prefetch(&after->taken, 1);
  }
  position = {};
  position.at = found;
  if (before != nullptr && before->left.fetch_add(1, platform::acq_rel) + 1 == size) {
    // relaxed, both: as above; all members have begun, so that nobody comes in by `first_`.
    first_.store(before->next.load(platform::relaxed), platform::relaxed);
    recycle(before);
  }
  return *found;
}

}  // namespace TEFF_NAMESPACE::openmp
