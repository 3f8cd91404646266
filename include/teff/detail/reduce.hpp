// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How reductions are divided: parallel.hpp says what that promises.
#pragma once

#include "teff/detail/divide.hpp"
#include "teff/detail/fork.hpp"

#include <cstdint>
#include <utility>

namespace TEFF_NAMESPACE::detail {

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
  Value divide(context& here, std::uint64_t begin, std::uint64_t end, std::uint64_t undivided,
               const sync::forked_task* youngest) {
    if (end - begin <= grain_) return folded(here, begin, end);
    const std::uint64_t cut = begin + (end - begin) / 2;
    if (end - begin > undivided || is_wanted(youngest)) {
      if (!here.has_room()) [[unlikely]]
        return divide_elsewhere(here, begin, end, undivided, youngest);
      return in_halves(here, begin, end, undivided, youngest, cut);
    }
    Value left = divide(here, begin, cut, undivided, youngest);
    return combined(std::move(left), divide(here, cut, end, undivided, youngest));
  }

  [[gnu::cold, gnu::noinline]] Value divide_elsewhere(context& here, std::uint64_t begin, std::uint64_t end,
                                                      std::uint64_t undivided, const sync::forked_task* youngest) {
    labelled_call whole(label_of<Shown>(), [&](context& own) { return divide(own, begin, end, undivided, youngest); });
    return call_elsewhere(here, whole);
  }

  Value in_halves(context& here, std::uint64_t begin, std::uint64_t end, std::uint64_t undivided,
                  const sync::forked_task* youngest, std::uint64_t cut) {
    auto run_right = [this, cut, end](context& own) { return this->begin(own, cut, end); };
    forked_task_of<decltype(run_right), Shown> offered(run_right);
    fork(here, offered);
    Value left = call_beside(here, offered, [&] { return divide(here, begin, cut, undivided, &offered); });
    // Before anything else that may throw: the forked task lies here.
    Value right = settle_by(here, offered, [&]() __attribute__((always_inline)) {
      return divide(here, cut, end, undivided, youngest);
    });
    return combined(std::move(left), std::move(right));
  }

  [[gnu::noinline]] Value folded(context& here, std::uint64_t begin, std::uint64_t end) { return fold_(here, begin, end); }
  // NOLINTNEXTLINE(performance-unnecessary-value-param): numbers come in registers
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
  if (options.stop.is_given()) refuse_stop();
  if (options.by != loop_by::halves) refuse_dealing();
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

}  // namespace TEFF_NAMESPACE::detail
