// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What loops and reductions run over: things that are reached by their distance from the first one.
#pragma once

#include "base/namespace.h"

#include <concepts>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

namespace TEFF_NAMESPACE::detail {

/// Errors: usage_error, always.
[[noreturn]] void refuse_begin();
[[noreturn]] void refuse_end();
[[noreturn]] void refuse_step();

/// What loops count in: integers and characters, but not bool.
template <class Type>
concept index_type = std::integral<Type> && !std::is_same_v<std::remove_cv_t<Type>, bool>;

/// The integer type that has a character's numbers: std::cmp_less and its like refuse characters. Of an integer type: itself.
template <index_type Type>
using integer_like = typename std::conditional_t<std::is_signed_v<Type>, std::make_signed<Type>, std::make_unsigned<Type>>::type;
template <index_type Type>
constexpr integer_like<Type> as_integer(Type index) {
  return static_cast<integer_like<Type>>(index);
}
/// Whether the type has that number.
template <index_type Type, index_type Given>
constexpr bool has_place_for(Given index) {
  return std::in_range<integer_like<Type>>(as_integer(index));
}

/// Numbers, one after the other.
template <class Index>
class index_range {
 public:
  template <class First, class Last>
  index_range(First first, Last last) : first_(static_cast<Index>(first)) {
    if (std::cmp_greater_equal(as_integer(first), as_integer(last))) return;
    if (!has_place_for<Index>(first)) refuse_begin();
    size_ = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  }
  std::uint64_t size() const { return size_; }
  Index operator[](std::uint64_t offset) const { return static_cast<Index>(static_cast<std::uint64_t>(first_) + offset); }

 private:
  Index first_;
  std::uint64_t size_ = 0;
};

/// Each so-manieth number, upwards or downwards. Distances are computed modulo 2⁶⁴, so that no step passes the end of a type.
template <class Index>
class stepped_range {
 public:
  template <class First, class Last, class Step>
  stepped_range(First first, Last last, Step step)
      : first_(static_cast<std::uint64_t>(first)), step_(static_cast<std::uint64_t>(step)) {
    if (step == 0) refuse_step();
    const bool upwards = std::cmp_greater(as_integer(step), 0);
    if (upwards ? std::cmp_greater_equal(as_integer(first), as_integer(last))
                : std::cmp_less_equal(as_integer(first), as_integer(last)))
      return;
    if (!has_place_for<Index>(first)) refuse_begin();
    const std::uint64_t end = static_cast<std::uint64_t>(last), stride = upwards ? step_ : 0 - step_;
    if (has_place_for<Index>(last)) {
      size_ = ((upwards ? end - first_ : first_ - end) - 1) / stride + 1;
    } else {  // down to 0 at the most: a number below it that is still above `last` has no place in the type
      if (stride - first_ % stride < 0 - end) refuse_end();
      size_ = first_ / stride + 1;
    }
  }
  std::uint64_t size() const { return size_; }
  Index operator[](std::uint64_t offset) const { return static_cast<Index>(first_ + offset * step_); }

 private:
  std::uint64_t first_, step_;
  std::uint64_t size_ = 0;
};

/// Elements.
template <class Iterator>
class element_range {
 public:
  template <class Size>
  element_range(Iterator first, Size size) : first_(first), size_(static_cast<std::uint64_t>(size)) {}
  std::uint64_t size() const { return size_; }
  decltype(auto) operator[](std::uint64_t offset) const { return first_[static_cast<std::iter_difference_t<Iterator>>(offset)]; }

 private:
  Iterator first_;
  std::uint64_t size_;
};

template <class First, class Last>
element_range<First> elements_between(First first, Last last) {
  const auto distance = last - first;
  return {first, distance > 0 ? distance : 0};
}

template <class Range>
element_range<std::ranges::iterator_t<Range>> elements_of(Range& range) {
  return {std::ranges::begin(range), std::ranges::size(range)};
}

}  // namespace TEFF_NAMESPACE::detail
