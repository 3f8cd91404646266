// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How loops and reductions are divided: parallel.hpp says what that promises.
#pragma once

#include "teff/detail/fork.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

namespace teff::inline TEFF_PLATFORM {

/// What a loop or reduction may be told.
struct loop_options {
  std::optional<std::uint64_t> grain = std::nullopt;  ///< iterations that are not divided any more: 1 or more
};

namespace detail {

template <class Body, class Item>
concept body_of = std::is_invocable_v<Body&, Item> || std::is_invocable_v<Body&, context&, Item>;

template <class Body, class Item>
decltype(auto) call_body(Body& body, context& here, Item&& item) {
  if constexpr (std::is_invocable_v<Body&, context&, Item>) return body(here, std::forward<Item>(item));
  else return body(std::forward<Item>(item));
}

/// Errors: usage_error, always.
[[noreturn]] void refuse_grain();
[[noreturn]] void refuse_begin();

/// Numbers, by their distance from the first.
template <class Index>
class index_range {
 public:
  template <class First, class Last>
  index_range(First first, Last last) : first_(static_cast<Index>(first)) {
    if (std::cmp_greater_equal(first, last)) return;
    if (!std::in_range<Index>(first)) refuse_begin();
    size_ = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  }
  std::uint64_t size() const { return size_; }
  Index operator[](std::uint64_t offset) const { return static_cast<Index>(static_cast<std::uint64_t>(first_) + offset); }

 private:
  Index first_;
  std::uint64_t size_ = 0;
};

/// Elements, by their distance from the first.
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

/// A half of a division, and on whose stack.
struct half {
  std::uint64_t begin, end;
  std::uint64_t undivided;  ///< what who divided leaves whole
  const sync::job* outer;   ///< the youngest job that who divided has offered before; nullptr: none
  const context* divided_on;
};

/// Whether others have nothing left to take of what was offered here.
inline bool is_wanted(const sync::job* youngest) { return youngest == nullptr || youngest->begun(); }

/// Parts into which a worker divides what it begins with: enough that the last ones differ little, few enough to cost nothing.
inline constexpr std::uint64_t first_parts = 64;
/// Iterations between two looks whether others are hungry, at the most, so that the compiler has a loop to make fast ones of.
inline constexpr std::uint64_t unwatched_at_most = 512;

inline std::uint64_t at_least_one(std::uint64_t number) { return std::max<std::uint64_t>(number, 1); }
inline std::uint64_t middle(std::uint64_t begin, std::uint64_t end) { return begin + (end - begin) / 2; }

/// A loop that runs. Lies on the stack of who called it.
///
/// Idea: a worker that begins a part divides it in halves, keeps the left one and offers the right one, down to 1/64; what it
///   runs then it watches: when its youngest offer was taken, all older ones were (thieves take the oldest), and it offers half
///   of what is left. What is taken is begun anew by who took it, and so divided as finely.
/// Considered: a fixed number of parts per worker: too few for uneven iterations. One offer at a time, without the 64: pools of
///   blocks show no single task to thieves.
///
/// `Run` is called as run(context&, begin, end), for parts in order of what a worker does; reports name the loop by `Shown`.
template <class Run, class Shown>
class loop {
 public:
  loop(const Run& run, std::optional<std::uint64_t> grain) : run_(run), grain_(grain) {}

  /// Effect: runs a part that nobody has begun.
  void begin(context& here, std::uint64_t begin, std::uint64_t end) {
    divide(here, begin, end, grain_ ? *grain_ : at_least_one((end - begin) / first_parts), nullptr);
  }

 private:
  void divide(context& here, std::uint64_t begin, std::uint64_t end, std::uint64_t undivided, const sync::job* youngest) {
    if (end - begin > undivided) {
      in_halves(here, {begin, end, undivided, youngest, &here},
                [&](std::uint64_t middle, const sync::job* offered) { divide(here, begin, middle, undivided, offered); });
    } else if (grain_) {
      run_(here, begin, end);
    } else {
      watch(here, begin, end, youngest);
    }
  }

  /// Effect: offers the right half, runs the left one, and then the right one, if it is still there.
  template <class Left>
  void in_halves(context& here, half whole, Left left) {
    const std::uint64_t cut = middle(whole.begin, whole.end);
    half right = whole;
    right.begin = cut;
    auto run_right = [this, right](context& own) { take_up(own, right); };
    job_of<decltype(run_right), Shown> offered(run_right);
    fork(here, offered);
    call_beside(here, offered, [&] { left(cut, &offered); });
    settle(here, offered);
  }

  void take_up(context& here, const half& right) {
    if (&here == right.divided_on) divide(here, right.begin, right.end, right.undivided, right.outer);
    else begin(here, right.begin, right.end);
  }

  /// Effect: runs a part, and divides it further whenever others are hungry.
  void watch(context& here, std::uint64_t begin, std::uint64_t end, const sync::job* youngest) {
    const std::uint64_t unwatched = std::min(unwatched_at_most, at_least_one((end - begin) / 8));
    while (begin < end) {
      if (end - begin > 1 && is_wanted(youngest)) {
        return in_halves(here, {begin, end, end - begin, youngest, &here},
                         [&](std::uint64_t middle, const sync::job* offered) { watch(here, begin, middle, offered); });
      }
      const std::uint64_t next = begin + std::min(unwatched, end - begin);
      run_(here, begin, next);
      begin = next;
    }
  }

  const Run& run_;
  const std::optional<std::uint64_t> grain_;
};

/// Effect: calls run(context&, begin, end) for parts of 0 … size − 1.
template <class Shown, class Run>
void run_parts(context& here, std::uint64_t size, const Run& run, const loop_options& options) {
  if (options.grain == 0) refuse_grain();
  if (size == 0) return;
  loop<Run, Shown> running(run, options.grain);
  call_with_room(here, [&](context& own) { running.begin(own, 0, size); });
}

template <class Range, class Body>
void run_loop(context& here, const Range& all, Body& body, const loop_options& options) {
  const auto run = [&](context& own, std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) call_body(body, own, all[i]);
  };
  run_parts<Body>(here, all.size(), run, options);
}

/// A reduction that runs. Lies on the stack of who called it.
///
/// Idea: the tree is fixed; which of its right halves are offered is not: all if the grain was given, else as in a loop.
/// Invariants: a part is computed by the same machine code, whoever computes it, so that no compiler contracts or orders its
///   operations in two ways: hence the two functions that are never inlined.
///
/// `Fold` is called as fold(context&, begin, end) and returns the value of a part that is not divided; reports name the reduction
/// by `Shown`.
template <class Value, class Fold, class Combine, class Shown>
class reduction {
 public:
  reduction(const Fold& fold, Combine& combine, std::uint64_t grain, bool offers_all)
      : fold_(fold), combine_(combine), grain_(grain), offers_all_(offers_all) {}

  /// Returns: the value of a part that nobody has begun.
  Value begin(context& here, std::uint64_t begin, std::uint64_t end) {
    return divide(here, begin, end, offers_all_ ? 0 : at_least_one((end - begin) / first_parts), nullptr);
  }

 private:
  Value divide(context& here, std::uint64_t begin, std::uint64_t end, std::uint64_t undivided, const sync::job* youngest) {
    if (end - begin <= grain_) return folded(here, begin, end);
    const std::uint64_t cut = middle(begin, end);
    if (end - begin > undivided || is_wanted(youngest)) return in_halves(here, {begin, end, undivided, youngest, &here}, cut);
    Value left = divide(here, begin, cut, undivided, youngest);
    return combined(std::move(left), divide(here, cut, end, undivided, youngest));
  }

  Value in_halves(context& here, const half& whole, std::uint64_t cut) {
    auto run_right = [&](context& own) {
      if (&own == whole.divided_on) return divide(own, cut, whole.end, whole.undivided, whole.outer);
      return begin(own, cut, whole.end);
    };
    job_of<decltype(run_right), Shown> offered(run_right);
    fork(here, offered);
    Value left = call_beside(here, offered, [&] { return divide(here, whole.begin, cut, whole.undivided, &offered); });
    // Before anything else that may throw: the job lies here.
    Value right = settle(here, offered);
    return combined(std::move(left), std::move(right));
  }

  [[gnu::noinline]] Value folded(context& here, std::uint64_t begin, std::uint64_t end) { return fold_(here, begin, end); }
  [[gnu::noinline]] Value combined(Value left, Value right) { return combine_(std::move(left), std::move(right)); }

  const Fold& fold_;
  Combine& combine_;
  const std::uint64_t grain_;
  const bool offers_all_;
};

/// Returns: the combination of what fold(context&, begin, end) returns for parts of 0 … size − 1, as parallel_reduce promises.
template <class Shown, class Value, class Fold, class Combine>
Value reduce_parts(context& here, std::uint64_t size, const Value& identity, const Fold& fold, Combine& combine,
                   std::uint64_t grain, const loop_options& options) {
  if (options.grain == 0) refuse_grain();
  if (size == 0) return identity;
  reduction<Value, Fold, Combine, Shown> running(fold, combine, options.grain.value_or(grain), options.grain.has_value());
  return call_with_room(here, [&](context& own) { return running.begin(own, 0, size); });
}

template <class Range, class Value, class Map, class Combine>
Value run_reduction(context& here, const Range& all, const Value& identity, Map& map, Combine& combine, std::uint64_t grain,
                    const loop_options& options) {
  const auto fold = [&](context& own, std::uint64_t begin, std::uint64_t end) {
    Value value = identity;
    for (std::uint64_t i = begin; i < end; ++i) value = combine(std::move(value), call_body(map, own, all[i]));
    return value;
  };
  return reduce_parts<Map>(here, all.size(), identity, fold, combine, grain, options);
}

}  // namespace detail

}  // namespace teff::inline TEFF_PLATFORM
