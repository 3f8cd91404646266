// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"
#include "sim/model_memory.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace TEFF_NAMESPACE::sim {

/// The memory that simulated programs get from the system: the same requests give the same layout in every run, so that which
/// objects share a cache line never depends on the heap of the process.
///
/// Idea: blocks are cut from chunks and returned to a list per size class, last in first out. Classes are multiples of 16 bytes
/// up to a line, then multiples of lines up to 1 KB, then powers of two: small blocks share lines as they do under malloc.
/// Invariants: what a new run gets is zeroed, and chunks begin at multiples of a huge page.
/// Space: at most twice what is requested, plus what other classes have released; given back at reset, but for the first chunk.
class arena {
 public:
  arena() = default;
  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;
  ~arena();

  /// Effect: all blocks are gone.
  void reset();

  /// Returns: nullptr if the system refuses. Pre: `alignment` is a power of two.
  void* allocate(std::size_t bytes, std::size_t alignment);
  /// Pre: owns(block).
  void release(void* block, std::size_t bytes);

  bool owns(const void* block) const { return chunk_of(block) != chunks_.size(); }
  /// Returns: whether it lies in a page of this arena that no earlier call has named since the last reset.
  bool is_first_touch(const void* address);
  std::size_t blocks() const { return blocks_; }  ///< allocated and not released

 private:
  struct chunk {
    char* begin;
    char* end;
    std::size_t bytes() const { return static_cast<std::size_t>(end - begin); }
    std::vector<bool, model_memory<bool>> touched_pages;
  };

  void* take_released(std::size_t size_class, std::size_t alignment);
  bool fits(std::size_t block, std::size_t alignment) const;
  bool add_chunk(std::size_t bytes);
  /// Returns: the place in `chunks_` of the one that it lies in; how many there are, if it lies in none.
  std::size_t chunk_of(const void* address) const;
  static bool begins_behind(const char* address, const chunk& one) { return address < one.begin; }

  static constexpr unsigned small_classes = 4, medium_classes = 15, large_classes = 54;
  std::vector<chunk, model_memory<chunk>> chunks_;  ///< by address
  char* first_ = nullptr;      ///< the chunk that is kept at a reset
  char* next_ = nullptr;       ///< in the newest chunk
  char* end_ = nullptr;
  std::array<std::vector<void*, model_memory<void*>>, small_classes + medium_classes + large_classes> released_;
  std::size_t blocks_ = 0;
};

}  // namespace TEFF_NAMESPACE::sim
