// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"

#include <cstddef>
#include <cstdint>

namespace teff::inline TEFF_PLATFORM::openmp {

/// Memory of tasks: free lists of one member, by size.
///
/// Idea: a block goes to the list of the member that ends the task. A list that is too long gives half back to the system, so a
///   team in which one member creates and others end holds a bounded number of free blocks.
/// Cost: a load and two stores. Space: at most `kept` free blocks of each size for a member. Threads: its member's.
class blocks {
 public:
  static constexpr std::size_t largest = 1024;
  static constexpr std::uint8_t from_system = 255;
  static constexpr unsigned kept = 4096;

  blocks() = default;
  blocks(const blocks&) = delete;
  blocks& operator=(const blocks&) = delete;
  ~blocks() {
    for (list& each : lists_) shorten(each, 0);
  }

  /// Returns: the number of the size that holds `bytes`.
  static std::uint8_t class_of(std::size_t bytes) {
    if (bytes <= 64) [[likely]] return 0;
    if (bytes <= 128) return 1;
    if (bytes <= 256) return 2;
    return bytes <= largest ? 3 : from_system;
  }

  /// Returns: nullptr if the system refuses memory.
  void* take(std::uint8_t size_class, std::size_t bytes) {
    if (size_class != from_system) [[likely]] {
      list& from = lists_[size_class];
      if (link* const found = from.top) [[likely]] {
        from.top = found->next;
        --from.length;
        return found;
      }
      bytes = sizes[size_class];
    }
    return platform::system_allocate(bytes);
  }

  void give(std::uint8_t size_class, void* block) {
    if (size_class == from_system) [[unlikely]] return platform::system_release(block, 0);
    list& to = lists_[size_class];
    to.top = ::new (block) link{to.top};
    if (++to.length > kept) [[unlikely]] shorten(to, kept / 2);
  }

 private:
  struct link {
    link* next;
  };
  struct list {
    link* top = nullptr;
    unsigned length = 0;
  };
  static constexpr std::size_t sizes[] = {64, 128, 256, largest};

  [[gnu::noinline]] static void shorten(list& from, unsigned length) {
    for (; from.length > length; --from.length) {
      link* const gone = from.top;
      from.top = gone->next;
      platform::system_release(gone, 0);
    }
  }

  list lists_[4];
};

}  // namespace teff::inline TEFF_PLATFORM::openmp
