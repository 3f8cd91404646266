// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"
#include "task/closure.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

namespace TEFF_NAMESPACE::queue {

/// A place for a task that one thread writes while others may read it in vain: what they read is theirs only if their
/// compare-and-swap on the queue's word succeeds afterwards. Relaxed: ordered by the tags of split_deque.
///
/// A private task's argument may be a small closure, in the slot's room, which its owner alone reads and writes, and who gives
/// private tasks away in the owner's name, once it sees the bottom above them: before they are public, closures go to blocks of
/// their own.
struct alignas(32) slot {
  platform::atomic<entry_function> entry{nullptr};
  platform::atomic<void*> argument{nullptr};
  alignas(8) unsigned char room[closure_room_bytes];

  bool has_closure() const { return argument.load(platform::relaxed) == room; }  // relaxed: see above
  /// Effect: the task is that of another slot, with its closure. Pre: both are the caller's.
  void take(const slot& from) {
    task moved;
    from.read(moved);
    if (moved.argument == from.room) {
      std::memcpy(room, from.room, sizeof room);
      moved.argument = room;
    }
    write(moved);
  }
  /// Effect: the closure lies in the block, and the task runs it from there. Pre: there is one; the slot is the caller's.
  void move_closure_to(void* block) {
    platform::touch(block, sizeof(moved_closure), platform::to_write);
    auto& moved = *::new (block) moved_closure;
    moved.entry = entry.load(platform::relaxed);
    std::memcpy(moved.room, room, sizeof room);
    write({&run_moved, block});
  }

  void write(const task& from) {
    // relaxed: see above.
    entry.store(from.entry, platform::relaxed);
    argument.store(from.argument, platform::relaxed);
  }
  [[gnu::always_inline]] void read(task& into) const {
    // relaxed: see above.
    into.entry = entry.load(platform::relaxed);
    into.argument = argument.load(platform::relaxed);
  }
};

inline constexpr std::uint32_t slot_bytes = sizeof(slot);

/// The lower half of an address in a ring: what lies between two places of one ring is the difference, modulo 2^32.
using place = std::uint32_t;
inline place place_of(const slot* at) { return static_cast<place>(reinterpret_cast<std::uintptr_t>(at)); }

/// An array of slots that is used in a circle: number n lies in slot n modulo the size, a power of two. Its memory is the
/// system's.
///
/// A larger one takes its place; the smaller ones stay linked behind it, unchanged, until all are released together: a thief may
/// still read from them. Together they are smaller than the newest.
class alignas(slot) ring {
 public:
  /// Returns: nullptr if memory is refused. Pre: size is a power of two.
  static ring* make(std::uint32_t size, ring* smaller) {
    void* block = platform::system_allocate(bytes(size), alignof(ring));
    return block == nullptr ? nullptr : ::new (block) ring(size, smaller);
  }
  /// Effect: gives back this ring and the smaller ones behind it.
  static void release_all(ring* newest) {
    while (newest != nullptr) {
      ring* const gone = newest;
      newest = gone->smaller_;
      platform::system_release(gone, bytes(gone->size()));
    }
  }

  slot& operator[](std::uint32_t number) { return slots()[number & mask_]; }
  /// Pre: it is the place of one of the slots, or of what is behind the last one.
  slot* at(place wanted) { return slots() + (wanted - place_of(slots())) / slot_bytes; }
  slot* slots() { return reinterpret_cast<slot*>(this + 1); }
  slot* end() { return slots() + size(); }
  std::uint32_t size() const { return mask_ + 1; }
  std::size_t bytes_of_all() const { return bytes(size()) + (smaller_ != nullptr ? smaller_->bytes_of_all() : 0); }

 private:
  ring(std::uint32_t size, ring* smaller) : smaller_(smaller), mask_(size - 1) {
    for (std::uint32_t i = 0; i < size; ++i) ::new (slots() + i) slot;
  }
  static std::size_t bytes(std::uint32_t size) { return sizeof(ring) + std::size_t{size} * sizeof(slot); }

  ring* const smaller_;
  const std::uint32_t mask_;
  slot before_the_first_;  ///< what a join looks at, in vain, in an empty deque whose lap begins
};

static_assert(sizeof(ring) == 2 * sizeof(slot), "two slots lie in a line, none across a line's edge, and one before the first");

}  // namespace TEFF_NAMESPACE::queue
