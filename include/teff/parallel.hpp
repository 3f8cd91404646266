// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Calls, loops and reductions that may run in parallel.
///
/// Every function here has a form without and a form with the context of the calling task. The form without may be called from
/// anywhere: inside a task it belongs to that task's team, elsewhere to the default team (default_team.hpp), and the thread
/// waits, or runs what of it falls to one of the workers. The form with it is the fastest one: nothing has to be looked up.
///
/// Functions that are handed in are called as function() or function(context&), bodies of loops as body(i) or body(context&, i).
/// They are called where they are, but for small closures that were made for the call, of which copies may be; and may be called
/// by several workers at once. A function may wait; the task may go on on another worker after a call of this header.
#pragma once

#include "teff/detail/cpp20.hpp"
#if __cplusplus >= 202002L

#include "teff/default_team.hpp"
#include "teff/detail/blocks.hpp"
#include "teff/detail/divide.hpp"
#include "teff/detail/fork.hpp"
#include "teff/detail/ranges.hpp"
#include "teff/detail/reduce.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>

namespace TEFF_NAMESPACE {

namespace detail {

/// How join hands a function on: as it is, or by value.
template <class Function>
using handed_on = std::conditional_t<is_copied<Function>, std::remove_reference_t<Function>, std::remove_reference_t<Function>&>;

/// Effect: the first function runs here; each further one is forked, the last one first, so that the newest forked task is always
/// the next function's.
template <std::size_t Last, class Functions, class Values>
[[gnu::always_inline]] inline void join_up_to(context& here, Functions& functions, Values& returned) {
  using handed = std::tuple_element_t<Last, Functions>;
  auto& function = std::get<Last>(functions);
  auto& own = std::get<Last>(returned);
  if constexpr (Last == 0) {
    own.make([&]() __attribute__((always_inline)) { return call_for_value(function, here); });
  } else {
    forked_task_of<handed> last(function);
    fork(here, last);
    call_beside(here, last, [&]() __attribute__((always_inline)) { join_up_to<Last - 1>(here, functions, returned); });
    own.make([&]() __attribute__((always_inline)) { return settle(here, last); });
  }
}

/// `Functions` are references, or what was copied.
template <class... Functions>
[[gnu::always_inline]] inline auto join_here(context& here, Functions... functions) {
  std::tuple<Functions...> called(functions...);
  std::tuple<kept<typename outcome<std::remove_reference_t<Functions>>::value>...> returned;
  join_up_to<sizeof...(Functions) - 1>(here, called, returned);
  if constexpr (!(std::is_void_v<typename outcome<std::remove_reference_t<Functions>>::result> && ...)) {
    return std::apply(
        [](auto&... each) __attribute__((always_inline)) {
          return std::tuple<typename outcome<std::remove_reference_t<Functions>>::value...>(each.get()...);
        },
        returned);
  }
}

template <class... Functions>
[[gnu::cold, gnu::noinline]] auto join_elsewhere(context& here, Functions... functions) {
  auto whole = [&](context& fresh) { return join_here<Functions...>(fresh, functions...); };
  return call_elsewhere(here, whole);
}

template <class... Functions>
[[gnu::cold, gnu::noinline]] auto join_outside(Functions... functions) {
  return default_team::call([&](context& here) { return join_here<Functions...>(here, functions...); });
}

}  // namespace detail

/// Effect: calls all functions, perhaps at the same time, and returns when all have returned. The first one runs here; the others
///   are offered to other workers, and run here one after the other, in their order, as far as nobody has taken them.
/// Returns: a tuple of what they returned (std::monostate in place of void); nothing if all return void.
/// Errors: the exception of the first function, in the order of the arguments, from which one escaped. Then those behind it that
///   have not begun do not run; those that have are awaited, and their results and exceptions dropped.
/// Pre: the caller holds no lock that one of the functions needs.
/// Threads: tasks; without a context: any. Blocks: the fiber, if another worker has one of them when all else is done, and as
///   context::put; a foreign thread.
/// Cost: for each function but the first, what context::put and a take from the pool cost; no memory: the forked tasks lie on the
/// caller's stack.
template <class... Functions>
  requires(sizeof...(Functions) > 0 && (detail::task_function<std::remove_reference_t<Functions>> && ...))
[[gnu::always_inline]] inline auto join(context& here, Functions&&... functions) {
  if (!here.has_room()) [[unlikely]]
    return detail::join_elsewhere<detail::handed_on<Functions>...>(here, functions...);
  return detail::join_here<detail::handed_on<Functions>...>(here, functions...);
}

template <class... Functions>
  requires(sizeof...(Functions) > 0 && (detail::task_function<std::remove_reference_t<Functions>> && ...))
[[gnu::always_inline]] inline auto join(Functions&&... functions) {
  if (context* const here = detail::context_here(); here != nullptr) [[likely]]
    return join(*here, std::forward<Functions>(functions)...);
  return detail::join_outside<detail::handed_on<Functions>...>(functions...);
}

// --- loops -------------------------------------------------------------------------------------------------------------------

/// Effect: calls body for each index from `first` to `last` − 1, perhaps several at the same time; returns when all calls have
///   returned. Nothing happens if last ≤ first. Indices are integers or characters, not bool.
/// How it is divided: in halves. The left half runs here, the right one is offered to other workers, and runs here if nobody took
///   it: so each worker walks forward through memory. With `grain`, parts of at most so many iterations are not divided. Without,
///   a worker divides what it has begun with down to 1/64 of it, and then further only while others have nothing left to take.
///   In a loop of 64 iterations and more, what seems to take less than 0.7 µs, or than 1/64 of the time since the loop began, is not
///   divided: a worker has timed some iterations just before, and times those that it keeps though others would take them. (With a grain
///   or options.stop all of it is.) Of few iterations that are much longer than those before them one worker may get several: give a grain.
///   With options.by it is dealt out in tasks instead, for which the caller waits: loop_by::each, one for each iteration, or for `grain`
///   iterations; even, as many parts as the team has workers, of which no two differ by more than an iteration; queue, as many tasks as
///   the team has workers, each of which takes again and again a part of what is left, one by the number of workers and at least
///   `grain`.
/// How it is stopped: by options.stop, which each worker asks before it begins an iteration. Once it has answered true, no worker that
///   has seen this begins another one, and the loop returns when those that had begun have returned. Which indices those are is not
///   said: not all that are less than one of them.
/// Errors: usage_error for a grain of 0, and for loop_by::even with a grain; an exception of the body, after all calls that had begun
/// have returned: calls that had not may be left out.
/// Threads, blocks: as join. Cost: without thieves at most about 64 forks, whatever the number of iterations; with options.by what task_group::put
///   costs for each task; with options.stop a question and a call for each iteration.
template <detail::index_type First, detail::index_type Last, detail::body_of<std::common_type_t<First, Last>> Body>
void parallel_for(context& here, First first, Last last, Body&& body, const loop_options& options = {}) {
  detail::run_loop(&here, detail::index_range<std::common_type_t<First, Last>>(first, last), body, options);
}

template <detail::index_type First, detail::index_type Last, detail::body_of<std::common_type_t<First, Last>> Body>
void parallel_for(First first, Last last, Body&& body, const loop_options& options = {}) {
  detail::run_loop(nullptr, detail::index_range<std::common_type_t<First, Last>>(first, last), body, options);
}

/// Effect: as above, for first, first + step, first + 2 step … as long as they are less than `last`, or, with a step below 0,
/// greater.
///   No number beyond `last` is computed: steps may lead past the end of the type.
/// Errors: also usage_error for a step of 0, and if unsigned indices would have to go below 0.
/// Example: teff::parallel_for(9, -1, -3, body);  // 9, 6, 3, 0
template <detail::index_type First, detail::index_type Last, detail::index_type Step,
          detail::body_of<std::common_type_t<First, Last>> Body>
void parallel_for(context& here, First first, Last last, Step step, Body&& body, const loop_options& options = {}) {
  detail::run_loop(&here, detail::stepped_range<std::common_type_t<First, Last>>(first, last, step), body, options);
}

template <detail::index_type First, detail::index_type Last, detail::index_type Step,
          detail::body_of<std::common_type_t<First, Last>> Body>
void parallel_for(First first, Last last, Step step, Body&& body, const loop_options& options = {}) {
  detail::run_loop(nullptr, detail::stepped_range<std::common_type_t<First, Last>>(first, last, step), body, options);
}

/// Effect: as above, for each element of a range, which body gets as the range's iterator gives it.
template <std::ranges::random_access_range Range, detail::body_of<std::ranges::range_reference_t<Range>> Body>
  requires std::ranges::sized_range<Range>
void parallel_for(context& here, Range&& range, Body&& body, const loop_options& options = {}) {
  detail::run_loop(&here, detail::elements_of(range), body, options);
}

template <std::ranges::random_access_range Range, detail::body_of<std::ranges::range_reference_t<Range>> Body>
  requires std::ranges::sized_range<Range>
void parallel_for(Range&& range, Body&& body, const loop_options& options = {}) {
  detail::run_loop(nullptr, detail::elements_of(range), body, options);
}

/// Effect: as above, for *first … up to `last`. Nothing happens if last − first ≤ 0.
template <std::random_access_iterator First, std::sized_sentinel_for<First> Last,
          detail::body_of<std::iter_reference_t<First>> Body>
void parallel_for(context& here, First first, Last last, Body&& body, const loop_options& options = {}) {
  detail::run_loop(&here, detail::elements_between(first, last), body, options);
}

template <std::random_access_iterator First, std::sized_sentinel_for<First> Last,
          detail::body_of<std::iter_reference_t<First>> Body>
void parallel_for(First first, Last last, Body&& body, const loop_options& options = {}) {
  detail::run_loop(nullptr, detail::elements_between(first, last), body, options);
}

/// Effect: calls body(i, j) or body(i, j, k), or body with the context in front of them, for each point of a blocked_range, or
///   body(block) for blocks of it that are not divided any more, and which together have each point once.
/// How it is divided: as above, but in the middle of its longest side: so blocks become as square as they can be, and what a body
///   reads in each direction stays in a worker's caches. `grain` is a number of points. In a block the last index runs fastest.
///   With options.by `each` deals out points, the others slices across the longest side.
/// Errors, threads, blocks, cost: as above; a stop is asked for before each block that body gets.
/// Example: teff::parallel_for(teff::blocked_range({rows, columns}), [&](std::size_t i, std::size_t j) { b[j][i] = a[i][j]; });
template <detail::index_type Index, std::size_t Sides, detail::block_body_of<Index, Sides> Body>
void parallel_for(context& here, const blocked_range<Index, Sides>& all, Body&& body, const loop_options& options = {}) {
  detail::run_block_loop(&here, all, body, options);
}

template <detail::index_type Index, std::size_t Sides, detail::block_body_of<Index, Sides> Body>
void parallel_for(const blocked_range<Index, Sides>& all, Body&& body, const loop_options& options = {}) {
  detail::run_block_loop(nullptr, all, body, options);
}

// --- reductions --------------------------------------------------------------------------------------------------------------

/// Returns: the grain of a reduction over so many elements that is given none: elements / 1024, rounded up, and at least 1.
constexpr std::uint64_t reduction_grain(std::uint64_t elements) { return elements <= 1024 ? 1 : (elements - 1) / 1024 + 1; }

/// Returns: combine over map(i) for all indices from `first` to `last` − 1, in their order; `identity` if there is none.
///
/// The result is bitwise the same for any number of workers, any pool and any schedule, for every combine, an addition of
/// floating-point numbers included: the tree by which it is computed depends on the number of elements and the grain alone. A
/// part of more than `grain` elements is divided in two halves, the left one as large as the right one or one smaller, and is
/// combine(left half, right half); a part of at most `grain` is combine(… combine(combine(identity, map(i)), map(i + 1)) …,
/// map(j)). The grain is reduction_grain(elements) unless it is given.
///
/// Pre: combine is associative as far as that matters to you, and `identity` changes nothing; map, combine and copies of identity
///   may be made by several workers at once. Errors: as parallel_for; usage_error for options.stop and options.by. Threads, blocks: as parallel_for. Cost: as parallel_for; with a grain, a
///   fork for each division.
/// Owns: each part copies `identity`, and combine gets what it combines as rvalues.
template <detail::index_type First, detail::index_type Last, class Value, detail::body_of<std::common_type_t<First, Last>> Map,
          class Combine>
Value parallel_reduce(context& here, First first, Last last, Value identity, Map&& map, Combine&& combine,
                      loop_options options = {}) {
  const detail::index_range<std::common_type_t<First, Last>> all(first, last);
  return detail::run_reduction(here, all, identity, map, combine, reduction_grain(all.size()), options);
}

template <detail::index_type First, detail::index_type Last, class Value, detail::body_of<std::common_type_t<First, Last>> Map,
          class Combine>
Value parallel_reduce(First first, Last last, Value identity, Map&& map, Combine&& combine, loop_options options = {}) {
  return detail::in_task(
      [&](context& here) { return parallel_reduce(here, first, last, std::move(identity), map, combine, options); });
}

/// Returns: as above, over map(element) for all elements of a range.
template <std::ranges::random_access_range Range, class Value, detail::body_of<std::ranges::range_reference_t<Range>> Map,
          class Combine>
  requires std::ranges::sized_range<Range>
Value parallel_reduce(context& here, Range&& range, Value identity, Map&& map, Combine&& combine, loop_options options = {}) {
  const auto all = detail::elements_of(range);
  return detail::run_reduction(here, all, identity, map, combine, reduction_grain(all.size()), options);
}

template <std::ranges::random_access_range Range, class Value, detail::body_of<std::ranges::range_reference_t<Range>> Map,
          class Combine>
  requires std::ranges::sized_range<Range>
Value parallel_reduce(Range&& range, Value identity, Map&& map, Combine&& combine, loop_options options = {}) {
  return detail::in_task([&](context& here) { return parallel_reduce(here, range, std::move(identity), map, combine, options); });
}

/// Returns: as above, over map(element) for the elements from *first up to `last`.
template <std::random_access_iterator First, std::sized_sentinel_for<First> Last, class Value,
          detail::body_of<std::iter_reference_t<First>> Map, class Combine>
Value parallel_reduce(context& here, First first, Last last, Value identity, Map&& map, Combine&& combine,
                      loop_options options = {}) {
  const auto all = detail::elements_between(first, last);
  return detail::run_reduction(here, all, identity, map, combine, reduction_grain(all.size()), options);
}

template <std::random_access_iterator First, std::sized_sentinel_for<First> Last, class Value,
          detail::body_of<std::iter_reference_t<First>> Map, class Combine>
Value parallel_reduce(First first, Last last, Value identity, Map&& map, Combine&& combine, loop_options options = {}) {
  return detail::in_task(
      [&](context& here) { return parallel_reduce(here, first, last, std::move(identity), map, combine, options); });
}

}  // namespace TEFF_NAMESPACE

#endif
