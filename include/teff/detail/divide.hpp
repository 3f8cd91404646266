// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where loops meet the function that divides them, which is one for all (src/runtime/loops.cpp): parallel.hpp says what is
/// promised.
#pragma once

#include "base/namespace.h"

#include "sync/forked_task.h"
#include "task/context.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

namespace TEFF_NAMESPACE {

/// When a loop is to begin no more iterations. Made from anything that answers stop_requested(), as std::stop_token and
/// std::stop_source do, which it borrows until the loop has returned. Threads: it is asked by all workers.
class stop_condition {
 public:
  stop_condition() = default;
  template <class Asked>
    requires std::is_same_v<bool, decltype(std::declval<const Asked&>().stop_requested())>
  stop_condition(const Asked& asked) noexcept : asked_(&asked), ask_(&ask<Asked>) {}
  template <class Asked>
    requires std::is_same_v<bool, decltype(std::declval<const Asked&>().stop_requested())>
  stop_condition(const Asked&&) = delete;  // it would be gone when it is asked: give it a name

  bool is_given() const { return ask_ != nullptr; }
  bool requested() const { return ask_ != nullptr && ask_(asked_); }

 private:
  template <class Asked>
  static bool ask(const void* asked) {
    return static_cast<const Asked*>(asked)->stop_requested();
  }

  const void* asked_ = nullptr;
  bool (*ask_)(const void* asked) = nullptr;
};

/// How a loop is dealt out to the workers.
enum class loop_by : std::uint8_t {
  halves,  ///< divided in halves, as others are hungry
  each,    ///< a task for each iteration, or for as many as the grain says
  even,    ///< as many parts as the team has workers, each a task, of which no two differ by more than an iteration
  queue  ///< guided self-scheduling: as many tasks as there are workers, each of which again and again takes its share of what is
         ///< left
};

/// What a loop or reduction may be told.
struct loop_options {
  std::optional<std::uint64_t> grain = std::nullopt;  ///< iterations that are not divided any more: 1 or more
  stop_condition stop = {};                           ///< of loops: when to begin no more iterations
  loop_by by = loop_by::halves;                       ///< of loops: how they are dealt out
};

namespace detail {

template <class Body, class... Items>
concept body_of = std::is_invocable_v<Body&, Items...> || std::is_invocable_v<Body&, context&, Items...>;

template <class Body, class... Items>
inline decltype(auto) call_body(Body& body, context& here, Items&&... items) {
  if constexpr (std::is_invocable_v<Body&, context&, Items...>) return body(here, std::forward<Items>(items)...);
  else return body(std::forward<Items>(items)...);
}

/// Errors: usage_error, always.
[[noreturn]] void refuse_grain();
[[noreturn]] void refuse_stop();
[[noreturn]] void refuse_dealing();

/// Parts into which a worker divides what it begins with: enough that the last ones differ little, few enough to cost nothing.
inline constexpr std::uint64_t first_parts = 64;
inline std::uint64_t at_least_one(std::uint64_t number) { return std::max<std::uint64_t>(number, 1); }

/// Whether others have nothing left to take of what was offered here.
inline bool is_wanted(const sync::forked_task* youngest) { return youngest == nullptr || youngest->begun(); }

/// A loop, for who divides it.
struct loop_call {
  /// Effect: runs iterations from `begin` on, in order. Returns: `end`, or the first one that did not run: before each
  /// `unwatched` iterations it looks whether others are hungry, and leaves off if so, unless there is only one left. Pre: begin <
  /// end.
  std::uint64_t (*run)(const loop_call& self, context& here, std::uint64_t begin, std::uint64_t end, std::uint64_t unwatched,
                       const sync::forked_task* youngest);
  std::uint64_t size;
  const char* label;  ///< by which reports name it
};

/// Effect: calls call.run for parts of 0 … size − 1. `here` is the caller's; nullptr: it is looked for, and if there is none, the
/// default team runs the loop.
void run_loop(context* here, const loop_call& call, const loop_options& options);

/// Effect: what loop_call::run promises, by run(begin, end).
template <class Run>
[[gnu::always_inline]] inline std::uint64_t run_watched(std::uint64_t begin, std::uint64_t end, std::uint64_t unwatched,
                                                        const sync::forked_task* youngest, Run run) {
  do {
    const std::uint64_t left = end - begin;
    if (left > 1 && is_wanted(youngest)) return begin;
    const std::uint64_t next = begin + std::min(unwatched, left);
    run(begin, next);
    begin = next;
  } while (begin != end);
  return begin;
}

template <class Range, class Body>
struct loop_over : loop_call {
  loop_over(const Range& all, Body& body) : loop_call{&run_part, all.size(), label_of<Body>()}, all(all), body(body) {}

  static std::uint64_t run_part(const loop_call& call, context& here, std::uint64_t begin, std::uint64_t end,
                                std::uint64_t unwatched, const sync::forked_task* youngest) {
    const auto& self = static_cast<const loop_over&>(call);
    const Range all = self.all;  // where the compiler sees that no iteration changes it
    Body& body = self.body;
    return run_watched(begin, end, unwatched, youngest, [&](std::uint64_t from, std::uint64_t to) __attribute__((always_inline)) {
      do call_body(body, here, all[from]);
      while (++from != to);
    });
  }

  const Range all;
  Body& body;
};

template <class Range, class Body>
void run_loop(context* here, const Range& all, Body& body, const loop_options& options) {
  const loop_over<Range, Body> made(all, body);
  run_loop(here, made, options);
}

}  // namespace detail

}  // namespace TEFF_NAMESPACE
