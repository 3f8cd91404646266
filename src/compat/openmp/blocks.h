// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/assert.h"
#include "platform/platform.h"
#include "platform/sanitizers.h"
#include "platform/tuning.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>

namespace TEFF_NAMESPACE::openmp {

/// The sizes of tasks' memory.
struct block_sizes {
  static constexpr std::size_t sizes[] = {64, 128, 192, 256, 1024};
  static constexpr std::uint8_t classes = 5, from_system = 255;
  static constexpr std::uint8_t freed_byte = 0xfd;  ///< in simulation: each byte of a free block behind its links

  /// Returns: the number of the size that holds `bytes`.
  static std::uint8_t class_of(std::size_t bytes) {
    if (bytes <= sizes[0]) [[likely]]
      return 0;
    if (bytes <= sizes[1]) return 1;
    if (bytes <= sizes[2]) return 2;
    if (bytes <= sizes[3]) return 3;
    return bytes <= sizes[4] ? 4 : from_system;
  }
};

static_assert(std::size(block_sizes::sizes) == block_sizes::classes);
static_assert(std::ranges::is_sorted(block_sizes::sizes) &&
                  std::ranges::all_of(block_sizes::sizes, [](std::size_t each) { return each % block_sizes::sizes[0] == 0; }),
              "blocks of all sizes lie behind one another, each in lines of its own");

/// A free block. The first one of a batch says where the next batch is.
struct free_block {
  free_block* next;
  free_block* next_batch;
};

/// Memory from the system, of which a member makes blocks. It lies before them.
struct alignas(block_sizes::sizes[0]) slab {
  slab* next;
};
static_assert(sizeof(slab) == block_sizes::sizes[0]);

/// The memory of a team's blocks, and free ones in batches, on their way from members that end tasks to members that make them.
///
/// Cost: a lock per batch, and per slab. Space: nothing goes back to the system before the team's end. Threads: any.
class shared_blocks {
 public:
  shared_blocks() = default;
  shared_blocks(const shared_blocks&) = delete;
  shared_blocks& operator=(const shared_blocks&) = delete;
  ~shared_blocks();

  /// Returns: a batch, linked; nullptr if there is none.
  free_block* take(std::uint8_t size_class);
  void give(std::uint8_t size_class, free_block* whole_batch);
  /// Returns: a slab of so many bytes; nullptr if the system refuses them.
  slab* add(std::size_t bytes);
  /// Effect: a member that had cut off so many blocks is gone, and leaves so many free ones.
  void leave(std::uint64_t cut, std::uint64_t free) { in_use_ += cut - free; }
  /// Effect: forgets the free blocks, and who has the lock; slabs stay, as blocks of them are in use. Pre: in a child of fork().
  void begin_anew() {
    std::construct_at(&lock_);
    for (free_block*& each : first_) each = nullptr;
  }

 private:
  platform::lock lock_;
  free_block* first_[block_sizes::classes] = {};
  slab* slabs_ = nullptr;
  std::uint64_t in_use_ = 0;  ///< when the members are gone: blocks that are not in their lists
};

/// Memory of tasks: free lists of one member, by size. What is larger comes from the system, and has its weight before it.
///
/// Idea: a block goes to the list of the member that ends the task; a batch of them is set aside, and the one before goes to the
///   team. New ones are cut off a slab of the member's, several at a time, as they lie: those of all sizes behind one another.
/// Cost: a load and two stores. Space: fewer than two free batches of each size, and a part of a slab. Threads: its member's.
/// Considered: single blocks from the system: two hundred instructions for each, and a third more pages.
class blocks : public block_sizes {
 public:
  explicit blocks(shared_blocks& shared) : shared_(shared) {}
  blocks(const blocks&) = delete;
  blocks& operator=(const blocks&) = delete;
  ~blocks() {
    std::uint64_t free = 0;
    for (const list& each : lists_) free += each.length + (each.older != nullptr ? tuning::blocks_per_batch : 0u);
    shared_.leave(cut_, free);
  }

  /// Returns: how many tasks of an ordinary size this one counts for.
  static std::uint64_t weight_of(std::uint8_t size_class, const void* block) {
    if (size_class != from_system) [[likely]]
      return 1;
    return *reinterpret_cast<const std::uint64_t*>(static_cast<const char*>(block) - before_heavy);
  }

  /// Returns: nullptr if the system refuses memory.
  void* take(std::uint8_t size_class, std::size_t bytes) {
    if (size_class == from_system) [[unlikely]]
      return take_heavy(bytes);
    list& from = lists_[size_class];
    free_block* const found = from.top;
    if (found == nullptr) [[unlikely]]
      return taken(take_slowly(size_class), size_class);
    from.top = found->next;
    if (from.top != nullptr) __builtin_prefetch(from.top, 1);  // another member may have written it
    --from.length;
    return taken(found, size_class);
  }

  /// Pre: the block is in use.
  void give(std::uint8_t size_class, void* block) {
    if (size_class == from_system) [[unlikely]]
      return give_heavy(block);
    list& to = lists_[size_class];
    auto* const freed = static_cast<free_block*>(block);
    mark_given(freed, size_class);
    freed->next = to.top;
    to.top = freed;
    if (++to.length == tuning::blocks_per_batch) [[unlikely]]
      set_aside(to, size_class);
  }

 private:
  struct list {
    free_block* top = nullptr;
    unsigned length = 0;
    free_block* older = nullptr;  ///< a whole batch
  };

  /// Effect: in simulation, and under AddressSanitizer, a use of a free block is seen. Returns: the block.
  static void* taken(void* block, [[maybe_unused]] std::uint8_t size_class) {
    if (block != nullptr) platform::sanitizers::mark_usable(block, sizes[size_class]);
    return block;
  }
  static void mark_given(free_block* block, std::uint8_t size_class) {
    auto* const behind = reinterpret_cast<std::uint8_t*>(block + 1);
    const std::size_t bytes = sizes[size_class] - sizeof *block;
    if constexpr (!platform::has_forks) {
      TEFF_ASSERT(std::count(behind, behind + bytes, freed_byte) != static_cast<std::ptrdiff_t>(bytes),
                  "give no block back twice");
      std::fill_n(behind, bytes, freed_byte);
    }
    platform::sanitizers::mark_released(behind, bytes);
  }

  static constexpr std::size_t before_heavy = 16;
  static void* take_heavy(std::size_t bytes);
  static void give_heavy(void* block);
  void* take_slowly(std::uint8_t size_class);
  bool begin_slab(std::size_t bytes);
  void set_aside(list& full, std::uint8_t size_class);

  shared_blocks& shared_;
  list lists_[classes];
  char *unused_ = nullptr, *slab_end_ = nullptr;  ///< of its newest slab
  std::size_t next_slab_ = tuning::first_slab_bytes;
  std::uint64_t cut_ = 0;  ///< blocks off its slabs
};

}  // namespace TEFF_NAMESPACE::openmp
