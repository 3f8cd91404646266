// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Cache lines: who holds which, what an access costs, who waits for one.
///
/// Idea: a line has a set of holders and a time until which it is busy. A read by a holder and a write by the only holder are
/// hits. Everything else is a transfer: from the nearest holder for a read, from the farthest for a write (which takes the line
/// from all of them). Two places are as far apart as the innermost level says that has a range with both. Transfers of one line
/// are served one after the other, first come first served.
/// Invariants: numbers of lines follow the order of first touch, never addresses; everything is forgotten between runs.
/// Cost: one look-up in a hash table per access; for a transfer one count of holders per level that is too near, O(places / 64)
/// for lines with more than six holders.
/// Considered: letting the readers of an unmodified line queue for whole transfers: an unlocking store then waits behind all
/// spinners and contention looks worse than it is.
#pragma once

#include "sim/holder_sets.h"
#include "sim/machine_description.h"
#include "sim/model_memory.h"
#include "sim/operation.h"

#include <array>
#include <cstdint>
#include <vector>

namespace TEFF_NAMESPACE::sim {

/// Processors in the order in which they began to wait, linked through processor::next_waiting.
struct wait_list {
  processor_id first = nobody;
  processor_id last = nobody;
  bool empty() const { return first == nobody; }
};

struct line {
  std::uint64_t busy_until = 0;
  holder_set holders;
  bool modified = false;  ///< one holder, and memory is out of date
  wait_list watchers;     ///< spinning: wait for the next write
  wait_list parked;       ///< wait to be woken

  // The time account's, in cycles: how long and how often it was on its way, and how long processors waited for that.
  std::uint64_t busy = 0, waited = 0;
  std::uint32_t moves = 0;
  std::uint32_t program_moves = 0;  ///< of these, on account of the program's own accesses
  std::uintptr_t key = 0;           ///< its address / 64
};

using line_number = std::uint32_t;
inline constexpr line_number no_line = ~line_number{0};

/// A processor's place in the machine.
struct place {
  unsigned number = 0;
  /// The range of each level that it is in. That of the last level is not needed: everything is in it.
  std::array<place_range, levels_at_most> within{};
};

/// Returns: place `number` of a machine of that many places. Pre: it is one of them.
place place_in(const machine_description& machine, unsigned number, unsigned places);

class lines {
 public:
  /// Effect: forgets all lines. Pre: nobody waits.
  void reset(const machine_description& machine);

  /// Returns: the number of the word's line, given at the first touch.
  line_number touch(const void* word);
  /// Returns: the number of the word's line, or no_line if it was never touched.
  line_number find(const void* word) const;
  line& operator[](line_number number) { return lines_[number]; }

  /// Effect: an object begins at `word`. Its line is a new one, unless somebody waits for it: whether the allocator gave out
  /// an address for the second time must not matter.
  void forget(const void* word);

  /// Effect: an access that begins at `clock`. Returns: when it is done.
  std::uint64_t serve(line_number number, operation what, const place& by, std::uint64_t clock);

  /// Effect: a load or store, if that is a hit; the line is not busy with it. Returns: whether it is.
  bool hit(line_number number, operation what, const place& by);

  /// All lines that were touched, by number.
  const std::vector<line, model_memory<line>>& all() const { return lines_; }
  /// Effect: the account of all of them begins anew.
  void begin_account();

 private:
  struct slot {
    std::uintptr_t key = 0;  ///< address / 64
    std::uint64_t run = 0;   ///< the slot is free unless this is the current run
    line_number number = 0;
  };

  std::size_t slot_of(std::uintptr_t key) const;
  void grow();
  unsigned transfer_from_nearest(const holder_set& holders, const place& to) const;
  unsigned transfer_from_farthest(const holder_set& holders, const place& to) const;
  std::uint64_t read(line& read, const place& by, std::uint64_t clock);
  std::uint64_t write(line& written, const place& by, std::uint64_t clock, unsigned extra);

  machine_description machine_;
  std::vector<line, model_memory<line>> lines_;
  holder_set::overflow overflow_;
  using slots = std::vector<slot, model_memory<slot>>;
  slots table_ = slots(1024);  ///< open addressing, a power of two, at most half full
  std::size_t used_ = 0;
  std::uint64_t run_ = 0;
};

}  // namespace TEFF_NAMESPACE::sim
