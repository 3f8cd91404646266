// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops in two and three dimensions: parallel.hpp says what is promised.
#pragma once

#include "teff/detail/divide.hpp"
#include "teff/detail/ranges.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace TEFF_NAMESPACE {

namespace detail {
template <class Index, std::size_t Sides, class Body>
struct blocks_of;
}

/// The points (i, j) or (i, j, k) of a rectangle or a box: from `first` up to, and without, `last` in each dimension. Empty if one of
/// them is. Indices: as parallel_for's. Errors: usage_error if the type of the indices is unsigned, and one begins below 0.
/// Example: teff::blocked_range({rows, columns})  // from 0, 0
///          teff::blocked_range({1, 1}, {rows - 1, columns - 1})
template <detail::index_type Index, std::size_t Sides>
class blocked_range {
 public:
  static_assert(Sides == 2 || Sides == 3, "a blocked_range has two or three dimensions");

  template <detail::index_type End>
  explicit constexpr blocked_range(const End (&end)[Sides]) : blocked_range(origin, end, std::make_index_sequence<Sides>()) {}
  template <detail::index_type First, detail::index_type End>
  constexpr blocked_range(const First (&first)[Sides], const End (&end)[Sides])
      : blocked_range(first, end, std::make_index_sequence<Sides>()) {}

  /// Returns: the first index in a dimension, 0 … Sides − 1; the one behind the last; how many there are.
  Index first(std::size_t side) const { return firsts_[side]; }
  Index last(std::size_t side) const { return static_cast<Index>(static_cast<std::uint64_t>(firsts_[side]) + sizes_[side]); }
  std::uint64_t size(std::size_t side) const { return sizes_[side]; }

 private:
  template <class, std::size_t, class>
  friend struct detail::blocks_of;

  /// Returns: the part from `begin` to `end`, which are distances from the first point.
  blocked_range part(const std::uint64_t* begin, const std::uint64_t* end) const {
    blocked_range made = *this;
    for (std::size_t side = 0; side < Sides; ++side) {
      made.firsts_[side] = static_cast<Index>(static_cast<std::uint64_t>(firsts_[side]) + begin[side]);
      made.sizes_[side] = end[side] - begin[side];
    }
    return made;
  }
  template <class First, class End, std::size_t... Side>
  constexpr blocked_range(const First* first, const End* end, std::index_sequence<Side...>)
      : firsts_{static_cast<Index>(first[Side])...}, sizes_{detail::index_range<Index>(first[Side], end[Side]).size()...} {}
  static constexpr int origin[3] = {};

  Index firsts_[Sides];
  std::uint64_t sizes_[Sides];
};

template <detail::index_type End, std::size_t Sides>
blocked_range(const End (&)[Sides]) -> blocked_range<End, Sides>;
template <detail::index_type First, detail::index_type End, std::size_t Sides>
blocked_range(const First (&)[Sides], const End (&)[Sides]) -> blocked_range<std::common_type_t<First, End>, Sides>;

namespace detail {

/// A block as who divides it sees it: distances from the first point. In two dimensions the last side has one index.
struct block {
  std::uint64_t begin[3], end[3];
};

/// A loop over blocks, for who divides it.
struct block_call {
  void (*run)(const block_call& self, context& here, const block& part);
  block all;
  const char* label;  ///< by which reports name it
  bool by_points;     ///< iterations are points; else blocks
};

/// Effect: calls call.run for parts of `all`. `here`: as run_loop's.
void run_blocks(context* here, const block_call& call, const loop_options& options);

template <class Body, class Index, std::size_t Sides>
concept point_body_of = (Sides == 2 && body_of<Body, Index, Index>) || (Sides == 3 && body_of<Body, Index, Index, Index>);
template <class Body, class Index, std::size_t Sides>
concept block_body_of = point_body_of<Body, Index, Sides> || body_of<Body, const blocked_range<Index, Sides>&>;

template <class Index, std::size_t Sides, class Body>
struct blocks_of : block_call {
  blocks_of(const blocked_range<Index, Sides>& all, Body& body)
      : block_call{&run_block, {{0, 0, 0}, {0, 0, 1}}, label_of<Body>(), point_body_of<Body, Index, Sides>},
        range(all),
        body(body) {
    for (std::size_t side = 0; side < Sides; ++side) block_call::all.end[side] = all.size(side);
  }

  static void run_block(const block_call& call, context& here, const block& part) {
    const auto& self = static_cast<const blocks_of&>(call);
    Body& body = self.body;
    const blocked_range<Index, Sides> own = self.range.part(part.begin, part.end);
    if constexpr (point_body_of<Body, Index, Sides>) {
      const auto at = [&](std::size_t side, std::uint64_t offset) {
        return static_cast<Index>(static_cast<std::uint64_t>(own.first(side)) + offset);
      };
      for (std::uint64_t i = 0; i < own.size(0); ++i) {
        for (std::uint64_t j = 0; j < own.size(1); ++j) {
          if constexpr (Sides == 2) call_body(body, here, at(0, i), at(1, j));
          else
            for (std::uint64_t k = 0; k < own.size(2); ++k) call_body(body, here, at(0, i), at(1, j), at(2, k));
        }
      }
    } else {
      call_body(body, here, own);
    }
  }

  const blocked_range<Index, Sides>& range;
  Body& body;
};

template <class Index, std::size_t Sides, class Body>
void run_block_loop(context* here, const blocked_range<Index, Sides>& all, Body& body, const loop_options& options) {
  const blocks_of<Index, Sides, Body> made(all, body);
  run_blocks(here, made, options);
}

}  // namespace detail

}  // namespace TEFF_NAMESPACE
