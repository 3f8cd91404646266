// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/retired_nodes.h"

#include "compat/openmp/team.h"

#include <algorithm>
#include <utility>

namespace TEFF_NAMESPACE::openmp {

namespace {

/// In a node that is gone nobody counts children: there lies the next one.
node* next_of(const node* gone) { return reinterpret_cast<node*>(gone->here); }
void set_next(node* gone, const node* next) { gone->here = reinterpret_cast<std::uintptr_t>(next); }

/// Returns: whether all who look began to in this epoch.
bool have_all_begun_in(const team& all, std::uint32_t epoch) {
  return std::all_of(all.members, all.members + all.size, [epoch](const member& each) {
    const std::uint32_t began = each.pinned.load(platform::acquire);  // [retired]
    return began == 0 || began == epoch;
  });
}

}  // namespace

bool node_epochs::let_move() {
  std::uint8_t known = moves_.load(platform::relaxed);  // relaxed, both: see have_moved
  if (known == unknown) {
    const std::uint8_t found = platform::fence_everywhere() ? yes : no;
    if (moves_.compare_exchange(known, found, platform::relaxed)) known = found;  // else another member knows
  }
  return known == yes;
}

void retired_nodes::give_back(batch& all) {
  for (node* gone = std::exchange(all.first, nullptr); gone != nullptr;) {
    node* const given = std::exchange(gone, next_of(gone));
    memory_.give(given->size_class, given);
  }
}

void retired_nodes::add(member& current, node* gone) {
  come_to_region(current.in.of_nodes.region());
  set_next(gone, growing_.first);
  growing_.first = gone;
  weight_ += blocks::weight_of(gone->size_class, gone);
  if (weight_ >= full_at_) end_batch(current);
}

/// Who began to look behind the fence does not come to what was retired before it, and who began earlier says so, as its fence is
/// part of this one. A batch was complete in some epoch. Two later nobody looks any more who began in it or before. [retired]
void retired_nodes::end_batch(member& current) {
  full_at_ = weight_ + tuning::retired_at_once;  // if it cannot be ended now
  if (!platform::fence_everywhere()) return;
  node_epochs& epochs = current.in.of_nodes;
  const std::uint32_t epoch = epochs.now();
  if (have_all_begun_in(current.in, epoch)) epochs.end(epoch);
  const std::uint32_t now = epochs.now();
  if (waiting_.first != nullptr && now - waiting_.epoch >= 4) give_back(waiting_);
  if (waiting_.first != nullptr) return;
  waiting_ = {.first = std::exchange(growing_.first, nullptr), .epoch = now};
  begin_batch();
}

}  // namespace TEFF_NAMESPACE::openmp
