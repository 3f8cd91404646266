// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sim/model_memory.h"
#include "sim/operation.h"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace TEFF_NAMESPACE::sim {

/// Consecutive places [first, end): what a level of the machine holds together.
struct place_range {
  unsigned first = 0;
  unsigned end = 0;
  bool contains(unsigned place) const { return first <= place && place < end; }
};

/// The places whose caches hold a line: up to six in the line itself, more in a bit set beside it.
class holder_set {
 public:
  static constexpr unsigned inline_capacity = 6;
  using bits = std::array<std::uint64_t, places_at_most / 64>;
  using overflow = std::vector<bits, model_memory<bits>>;  ///< the sets of all lines of a run that ever had more than six holders

  bool empty() const { return count_ == 0; }

  bool contains(unsigned place, const overflow& large) const {
    if (is_large()) return (large[set_][place / 64] >> (place % 64) & 1) != 0;
    for (unsigned i = 0; i < count_; ++i) {
      if (few_[i] == place) return true;
    }
    return false;
  }

  /// Pre: the set does not contain it.
  void add(unsigned place, overflow& large) {
    if (count_ < inline_capacity) {
      few_[count_++] = static_cast<std::uint16_t>(place);
      return;
    }
    if (count_ == inline_capacity) become_large(large);
    mark(large[set_], place);
    ++count_;
  }

  /// Pre: the set contains it.
  void remove(unsigned place, overflow& large) {
    if (is_large()) return remove_from_large(place, large);
    unsigned at = 0;
    while (few_[at] != place) ++at;
    few_[at] = few_[--count_];
  }

  void clear() { count_ = 0; }

  void become_only(unsigned place) {
    count_ = 1;
    few_[0] = static_cast<std::uint16_t>(place);
  }

  bool is_only(unsigned place) const { return count_ == 1 && few_[0] == place; }

  /// Returns: how many of the members are in the range.
  unsigned count_in(place_range range, const overflow& large) const;
  unsigned count_outside(place_range range, const overflow& large) const { return count_ - count_in(range, large); }

  /// Effect: visitor(place) for each member.
  template <class Visitor>
  void for_each(const overflow& large, Visitor visitor) const {
    if (!is_large()) {
      for (unsigned i = 0; i < count_; ++i) visitor(unsigned{few_[i]});
      return;
    }
    for (unsigned word = 0; word < large[set_].size(); ++word) {
      for (std::uint64_t left = large[set_][word]; left != 0; left &= left - 1)
        visitor(word * 64 + static_cast<unsigned>(std::countr_zero(left)));
    }
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  bool is_large() const { return count_ > inline_capacity; }
  static void mark(bits& set, unsigned place) { set[place / 64] |= std::uint64_t{1} << (place % 64); }
  void become_large(overflow& large);
  void remove_from_large(unsigned place, overflow& large);

  std::array<std::uint16_t, inline_capacity> few_{};
  std::uint16_t count_ = 0;
  std::uint32_t set_ = none;  ///< this line's own set in the overflow, kept once it has one
};

}  // namespace TEFF_NAMESPACE::sim
