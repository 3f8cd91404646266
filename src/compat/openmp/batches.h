// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Chunks of a dynamic loop that a member has taken several at once, and that others may take from it in the end: README.md,
/// *Batches of chunks*.
#pragma once

#include "base/cache_line.h"
#include "platform/platform.h"

#include <cstdint>
#include <memory>

namespace TEFF_NAMESPACE::openmp {

struct member;

/// What a member has taken of a loop's chunks, and nobody has begun: consecutive ones. Its own part is in front; the *shown* part
/// is empty until somebody else forces the member to show it.
///
/// Invariants: `next_` and, but for who forces, `end_` are written by the member alone, `shown_` is filled while it is empty. In
/// one loop a word of the shown part with chunks in it never comes back (README.md, *Each chunk is run once*), so that one that
/// is compared with what was seen of it is the same. Cost: of an own chunk, two loads and a store; of a shown one, a
/// compare-and-swap. force: a lock, fence_everywhere. Considered: compare-and-swap for all, on a line of its own: on two
/// processors that share a cache it takes longer than what it spares.
class alignas(cache_line_bytes) batch {
 public:
  static constexpr unsigned bits_of_amount = 8;
  static constexpr std::uint64_t amount_at_most = (std::uint64_t{1} << bits_of_amount) - 1;
  static constexpr std::uint64_t chunks_at_most = std::uint64_t{1} << 48;  ///< of a loop: their numbers fit, and so do sums

  /// Effect: takes the next chunk of the own part. Returns: whether there is one; false also while it is being shown.
  /// Threads: its member's.
  [[gnu::always_inline]] bool take(std::uint64_t& number) {
    number = next_.load(platform::relaxed);  // its own
    next_.store(number + 1, platform::relaxed);
    platform::fence_of_compiler();  // [force]
    if (number < end_.load(platform::relaxed)) return true;
    next_.store(number, platform::relaxed);  // its own; who forces may have seen the other value, and leaves that chunk
    return false;
  }
  /// The same, of either part, and for certain.
  bool take_slowly(std::uint64_t& number);

  // Threads: its member's. Pre: it is empty.
  /// Effect: from here on others wait for what comes of it. relaxed: who has to see it does by [batch].
  void begin_to_fill() { shown_.store(being_filled, platform::relaxed); }
  void fill(std::uint64_t first, std::uint64_t end);

  /// Effect: another member takes a chunk, for whom there is nothing else. Returns: whether there was one; if not, there never
  /// is one that its member does not take at once.
  bool rob(member& robber, std::uint64_t& number);

  /// Effect: nobody has the lock, and nothing is on its way. Pre: in a child of fork().
  void begin_anew() {
    std::construct_at(&lock_);
    if (shown_.load(platform::relaxed) == being_filled) shown_.store(0, platform::relaxed);  // relaxed: there is nobody else
  }

 private:
  static constexpr std::uint64_t being_filled = ~amount_at_most;  // no number comes near it, and there is nothing to take

  bool take_shown(std::uint64_t& number);
  bool force();

  platform::atomic<std::uint64_t> next_{0};
  platform::atomic<std::uint64_t> end_{0};
  /// The number of the next one, and how many. [batch]
  platform::atomic<std::uint64_t> shown_{0};
  platform::lock lock_;
};

/// How a member takes batches in the loop it is at: written by itself alone.
struct batch_taker {
  std::uint64_t taken = 0;     ///< so many chunks of the loop were taken when it took last
  std::uint64_t since_ns = 0;  ///< when it was last looked how fast they go; 0: it was not yet
  std::uint32_t amount = 1;    ///< chunks in a batch
  std::uint32_t apart = 1;     ///< batches from one look to the next
  std::uint32_t to_look = 0;   ///< batches until then
  std::uint32_t robbed = 0;    ///< members behind it, in a circle, that have no chunk left
  bool is_over = false;        ///< the loop has no further chunks but in batches, and its last one
  bool has_asked_for_last = false;
  bool holds = false;  ///< its batch was filled, and not seen empty since

  /// Returns: how many chunks to take, of a loop of `chunks` without its last one. Effect: goes by the time that the last ones
  /// took.
  std::uint64_t wanted(std::uint64_t chunks, unsigned members);

 private:
  void look();
};

/// Effect: the member's piece is a further chunk of the loop it is at, which is one in batches. Returns: false if there is none.
bool take_of_batches(member& current);

}  // namespace TEFF_NAMESPACE::openmp
