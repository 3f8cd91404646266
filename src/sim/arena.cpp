// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sim/arena.h"

#include "base/cache_line.h"
#include "platform/sanitizers.h"
#include "platform/simulated/pages.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace TEFF_NAMESPACE::sim {

namespace {

namespace sanitizers = platform::sanitizers;

constexpr std::size_t chunk_bytes = std::size_t{4} << 20;
constexpr std::size_t chunk_alignment = std::size_t{2} << 20;
constexpr std::size_t smallest_bytes = 16;
constexpr std::size_t medium_bytes_at_most = 1024;
constexpr std::size_t page_bytes = 4096;
/// Above this, giving pages back is faster than writing zeros over them.
constexpr std::size_t zeroed_by_hand_bytes = std::size_t{64} << 10;

constexpr std::size_t round_up(std::size_t value, std::size_t unit) { return (value + unit - 1) / unit * unit; }

/// The size of the blocks of the class that serves so many bytes.
std::size_t block_bytes(std::size_t bytes) {
  if (bytes <= cache_line_bytes) return std::max(round_up(bytes, smallest_bytes), smallest_bytes);
  if (bytes <= medium_bytes_at_most) return round_up(bytes, cache_line_bytes);
  return std::bit_ceil(bytes);
}

/// Pre: `block` came from block_bytes.
std::size_t class_of(std::size_t block) {
  if (block <= cache_line_bytes) return block / smallest_bytes - 1;
  if (block <= medium_bytes_at_most) return 4 + block / cache_line_bytes - 2;
  return 4 + 15 + static_cast<std::size_t>(std::countr_zero(block)) - 11;
}

/// The alignment that all blocks of a class have.
std::size_t natural_alignment(std::size_t block) { return std::min(block & (~block + 1), cache_line_bytes); }

char* aligned(char* address, std::size_t alignment) {
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  return address + (round_up(value, alignment) - value);
}

}  // namespace

arena::~arena() {
  for (const chunk& gone : chunks_) platform::unmap_pages(gone.begin, gone.bytes());
}

void arena::reset() {
  blocks_ = 0;
  for (auto& list : released_) list.clear();
  if (chunks_.empty()) return;
  const auto kept = std::find_if(chunks_.begin(), chunks_.end(), [this](const chunk& one) { return one.begin == first_; });
  std::swap(chunks_.front(), *kept);
  const std::size_t used = chunks_.size() == 1 ? static_cast<std::size_t>(next_ - first_) : chunks_.front().bytes();
  for (; chunks_.size() > 1; chunks_.pop_back()) {
    sanitizers::mark_usable(chunks_.back().begin, chunks_.back().bytes());
    platform::unmap_pages(chunks_.back().begin, chunks_.back().bytes());
  }
  chunk& first = chunks_.front();
  first.touched_pages.assign(first.touched_pages.size(), false);
  sanitizers::mark_usable(first.begin, used);
  if (used > zeroed_by_hand_bytes) platform::zero_pages(first.begin, used);
  else std::memset(first.begin, 0, used);
  next_ = first.begin;
  end_ = first.end;
}

void* arena::allocate(std::size_t bytes, std::size_t alignment) {
  if (bytes > SIZE_MAX / 4 || alignment > chunk_alignment) return nullptr;
  const std::size_t block = block_bytes(bytes);
  void* taken = take_released(class_of(block), alignment);
  if (taken == nullptr) {
    const std::size_t needed = std::max(alignment, natural_alignment(block));
    if (!fits(block, needed) && !add_chunk(block)) return nullptr;
    taken = aligned(next_, needed);
    next_ = static_cast<char*>(taken) + block;
  }
  sanitizers::mark_usable(taken, block);
  ++blocks_;
  return taken;
}

bool arena::fits(std::size_t block, std::size_t alignment) const {
  if (next_ == nullptr) return false;
  const char* begin = aligned(next_, alignment);
  return begin <= end_ && static_cast<std::size_t>(end_ - begin) >= block;
}

void* arena::take_released(std::size_t size_class, std::size_t alignment) {
  auto& list = released_[size_class];
  for (std::size_t i = list.size(); i-- > 0;) {
    void* candidate = list[i];
    if (reinterpret_cast<std::uintptr_t>(candidate) % alignment != 0) continue;
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
    return candidate;
  }
  return nullptr;
}

bool arena::add_chunk(std::size_t bytes) {
  const std::size_t wanted = round_up(std::max(bytes, chunk_bytes), chunk_alignment);
  char* const begin = platform::map_pages(wanted, chunk_alignment);
  if (begin == nullptr) return false;
  if (chunks_.empty()) first_ = begin;
  const auto above = std::upper_bound(chunks_.begin(), chunks_.end(), begin, begins_behind);
  chunks_.insert(above, {begin, begin + wanted, std::vector<bool, model_memory<bool>>(wanted / page_bytes)});
  next_ = begin;
  end_ = begin + wanted;
  return true;
}

void arena::release(void* block, std::size_t bytes) {
  const std::size_t size = block_bytes(bytes);
  sanitizers::mark_released(block, size);
  released_[class_of(size)].push_back(block);
  --blocks_;
}

std::size_t arena::chunk_of(const void* address) const {
  const auto above = std::upper_bound(chunks_.begin(), chunks_.end(), static_cast<const char*>(address), begins_behind);
  const bool inside = above != chunks_.begin() && address < above[-1].end;
  return inside ? static_cast<std::size_t>(above - chunks_.begin()) - 1 : chunks_.size();
}

bool arena::is_first_touch(const void* address) {
  const std::size_t place = chunk_of(address);
  if (place == chunks_.size()) return false;
  chunk& in = chunks_[place];
  const auto page = static_cast<std::size_t>(static_cast<const char*>(address) - in.begin) / page_bytes;
  if (in.touched_pages[page]) return false;
  return in.touched_pages[page] = true;
}

}  // namespace TEFF_NAMESPACE::sim
