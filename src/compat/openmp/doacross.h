// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops whose iterations wait for earlier ones: `ordered(n)` with `depend(source)` and `depend(sink: …)`. README.md, *Doacross
/// loops*.
#pragma once

#include "base/cache_line.h"
#include "compat/openmp/sites.h"
#include "platform/platform.h"

#include <cstdint>
#include <memory>

namespace TEFF_NAMESPACE::openmp {

struct member;
struct loop;

/// How far the iterations of one doacross loop have come.
///
/// Idea: an iteration has a number, counted in the order in which one thread would run them all. The outermost loop, whose
/// iterations are what members take, is cut into units that one member each runs, in that order: so the number that it posted
/// last, and 1, says all of a unit. The units have a ring of slots. Invariants: in a slot numbers only grow, and a number of a
/// unit stands there only when the unit before it in the slot is done, or of the same piece. Cost: a post is a load, a store and
/// a fence; a wait that is over a load; for units longer than one, and of a static loop without chunk, a division. A team of one
/// has none.
class doacross {
 public:
  /// Returns: nullptr if memory is refused. `counts`: the iterations of each of the `depth` loops, none of them 0.
  /// Pre: has_numbers.
  static std::unique_ptr<doacross> make(const loop& what, unsigned members);
  /// Returns: whether all its iterations can be numbered.
  static bool has_numbers(const loop& what);

  unsigned depth() const { return depth_; }
  std::uint64_t iterations(unsigned loop) const { return counts_[loop]; }

  /// Effect: the iteration of this number, in that one of the outermost loop, is done; so are those before it in its unit. Waits,
  /// before it posts the first one of a unit, until the unit is done that had its slot before.
  void post(member& current, std::uint64_t outer, std::uint64_t number);
  /// Effect: waits until that iteration was posted. Those of the member's own piece are not waited for: they come one by one.
  void await(member& current, std::uint64_t outer, std::uint64_t number, const wait_place& where);
  /// Effect: the member's piece is done, whether all its iterations were posted or not.
  void complete_piece(member& current);

 private:
  /// [source] release by who posts, acquire by who waits: the iteration's writes are seen.
  struct alignas(cache_line_bytes) slot {
    platform::atomic<std::uint64_t> done{0};  ///< the number of the last iteration that was posted, and 1
  };

  doacross() = default;
  bool has_single_units() const { return length_ == 1 && longer_ == 0; }
  std::uint64_t unit_of(std::uint64_t outer) const { return has_single_units() ? outer : unit_of_longer(outer); }
  std::uint64_t unit_of_longer(std::uint64_t outer) const;
  std::uint64_t end_of(std::uint64_t unit) const;
  void advance(member& current, std::uint64_t unit, std::uint64_t done);
  void await_slot(member& current, std::uint64_t unit, std::uint64_t least, const wait_place& where);
  [[gnu::noinline]] void await_late(member& current, std::uint64_t unit, std::uint64_t least, const wait_place& where);
  void begin_unit(member& current, std::uint64_t unit);
  platform::atomic<std::uint64_t>& done_in_slot_of(std::uint64_t unit) const { return slots_[unit & last_slot_].done; }

  unsigned depth_ = 0;
  std::unique_ptr<std::uint64_t[]> counts_;
  std::uint64_t inner_ = 1;   ///< iterations in one of the outermost loop
  std::uint64_t length_ = 1;  ///< of a unit
  std::uint64_t longer_ = 0;  ///< so many units at the beginning have one more
  std::uint64_t last_slot_ = 0;  ///< one less than a power of two
  std::unique_ptr<slot[]> slots_;
};

}  // namespace TEFF_NAMESPACE::openmp
