// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/blocks.h"

#include "base/assert.h"

#include <algorithm>
#include <new>
#include <utility>

namespace TEFF_NAMESPACE::openmp {

static_assert(tuning::blocks_at_once.standard <= tuning::blocks_per_batch.standard &&
                  tuning::blocks_at_once.tested <= tuning::blocks_per_batch.tested,
              "give() sees when a list is a batch long");

shared_blocks::~shared_blocks() {
  for (const free_block* batch : first_)
    for (; batch != nullptr; batch = batch->next_batch) in_use_ -= tuning::blocks_per_batch;
  // Natively a child of fork(), or a thread that ends with an event open, may leave some.
  if constexpr (!platform::has_forks) TEFF_ASSERT(in_use_ == 0, "give each block back before its team ends");
  while (slab* const gone = slabs_) {
    slabs_ = gone->next;
    platform::system_release(gone, 0);
  }
}

free_block* shared_blocks::take(std::uint8_t size_class) {
  platform::lock_guard guard(lock_);
  free_block* const found = first_[size_class];
  if (found == nullptr) return nullptr;
  first_[size_class] = found->next_batch;
  return found;
}

void shared_blocks::give(std::uint8_t size_class, free_block* whole_batch) {
  platform::lock_guard guard(lock_);
  whole_batch->next_batch = first_[size_class];
  first_[size_class] = whole_batch;
}

slab* shared_blocks::add(std::size_t bytes) {
  auto* const made = static_cast<slab*>(platform::system_allocate(bytes, alignof(slab)));
  if (made == nullptr) return nullptr;
  platform::lock_guard guard(lock_);
  made->next = slabs_;
  slabs_ = made;
  return made;
}

void* blocks::take_heavy(std::size_t bytes) {
  auto* const block = static_cast<char*>(platform::system_allocate(before_heavy + bytes));
  if (block == nullptr) return nullptr;
  *reinterpret_cast<std::uint64_t*>(block) = 1 + bytes / sizes[classes - 1];
  return block + before_heavy;
}

void blocks::give_heavy(void* block) { platform::system_release(static_cast<char*>(block) - before_heavy, 0); }

void* blocks::take_slowly(std::uint8_t size_class) {
  list& to = lists_[size_class];
  free_block* const found = to.older != nullptr ? std::exchange(to.older, nullptr) : shared_.take(size_class);
  if (found != nullptr) {
    to = {.top = found->next, .length = tuning::blocks_per_batch - 1};
    return found;
  }
  const std::size_t bytes = sizes[size_class];
  if (static_cast<std::size_t>(slab_end_ - unused_) < bytes && !begin_slab(bytes)) return nullptr;
  char* const first = unused_;
  // As many of them are about to be used as were cut off.
  const auto count = std::min<std::size_t>(tuning::blocks_at_once, static_cast<std::size_t>(slab_end_ - unused_) / bytes);
  unused_ += count * bytes;
  cut_ += count;
  for (char* at = unused_ - bytes; at != first; at -= bytes) to.top = ::new (at) free_block{to.top, nullptr};
  to.length = static_cast<unsigned>(count - 1);
  return first;
}

/// Effect: the member has a slab with room for one block. Returns: false if the system refuses it. What was left of the one
/// before is lost: less than a block of this size.
bool blocks::begin_slab(std::size_t bytes) {
  const std::size_t least = sizeof(slab) + bytes;
  std::size_t wanted = std::max(next_slab_, least);
  slab* made = shared_.add(wanted);
  if (made == nullptr) made = shared_.add(wanted = least);
  if (made == nullptr) return false;
  next_slab_ = std::min<std::size_t>(2 * next_slab_, tuning::slab_bytes_at_most);
  unused_ = reinterpret_cast<char*>(made + 1);
  slab_end_ = reinterpret_cast<char*>(made) + wanted;
  return true;
}

/// Effect: the list is empty. Its blocks stay with the member, as they are likely to be in its cache; those set aside before go
/// to the team.
void blocks::set_aside(list& full, std::uint8_t size_class) {
  if (full.older != nullptr) shared_.give(size_class, full.older);
  full = {.older = full.top};
}

}  // namespace TEFF_NAMESPACE::openmp
