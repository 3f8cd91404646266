// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/blocks.h"

namespace TEFF_NAMESPACE::openmp {

namespace {

void release_row(free_block* first) {
  while (free_block* const gone = first) {
    first = gone->next;
    platform::system_release(gone, 0);
  }
}

}  // namespace

shared_blocks::~shared_blocks() {
  for (free_block* first : first_) {
    while (free_block* const gone = first) {
      first = gone->next_batch;
      release_row(gone);
    }
  }
}

free_block* shared_blocks::take(std::uint8_t size_class) {
  platform::lock_guard guard(lock_);
  free_block* const found = first_[size_class];
  if (found == nullptr) return nullptr;
  first_[size_class] = found->next_batch;
  --batches_[size_class];
  return found;
}

void shared_blocks::give(std::uint8_t size_class, free_block* whole_batch) {
  {
    platform::lock_guard guard(lock_);
    if (batches_[size_class] < tuning::batches_at_most) {
      whole_batch->next_batch = first_[size_class];
      first_[size_class] = whole_batch;
      ++batches_[size_class];
      return;
    }
  }
  release_row(whole_batch);
}

blocks::~blocks() {
  for (const list& each : lists_) release_row(each.top);
}

void* blocks::take_heavy(std::size_t bytes) {
  auto* const block = static_cast<char*>(platform::system_allocate(before_heavy + bytes));
  if (block == nullptr) return nullptr;
  *reinterpret_cast<std::uint64_t*>(block) = 1 + bytes / sizes[classes - 1];
  return block + before_heavy;
}

void blocks::give_heavy(void* block) { platform::system_release(static_cast<char*>(block) - before_heavy, 0); }

void* blocks::take_slowly(std::uint8_t size_class) {
  free_block* const found = shared_.take(size_class);
  if (found == nullptr) return platform::system_allocate(sizes[size_class], sizes[0]);
  lists_[size_class] = {found->next, tuning::blocks_per_batch - 1};
  return found;
}

/// The newer half stays, as it is likely to be in the cache.
void blocks::hand_over(std::uint8_t size_class) {
  list& from = lists_[size_class];
  free_block* last = from.top;
  for (unsigned kept = 1; kept < tuning::blocks_per_batch; ++kept) last = last->next;
  shared_.give(size_class, last->next);
  last->next = nullptr;
  from.length = tuning::blocks_per_batch;
}

}  // namespace TEFF_NAMESPACE::openmp
