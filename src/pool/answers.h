// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a pool is asked and answers: pool.h has the operations.
#pragma once

#include "platform/platform.h"

#include <cstdint>

namespace TEFF_NAMESPACE::pool {

/// What a pool advises after tasks came in, or into view: whom to wake, of which workers.
struct advice {
  enum kind : std::uint8_t {
    refused,        ///< of put, init, inject: there was no memory: the pool is unchanged and the task still the caller's
    full,           ///< of put: unchanged likewise; the caller had better let the task run now (pool_traits)
    wake_none,      ///< nobody else may take it
    wake_if_every,  ///< others may take it, but the queue had tasks before: wake one if the policy is 'every put', or OpenMP's
    wake_one,       ///< others may take it, and the queue was empty before
    wake_all,       ///< more than one should come
  };

  constexpr advice(kind what) : what(what) {}
  /// Only the workers first … end − 1 may take it.
  constexpr advice(kind what, unsigned first, unsigned end)
      : what(what), first(static_cast<std::uint16_t>(first)), end(static_cast<std::uint16_t>(end)) {}
  /// Any worker may take it; if one of first … end − 1 sleeps, that one had better come.
  static constexpr advice near(kind what, unsigned first, unsigned end) {
    advice made(what, first, end);
    made.or_others = true;
    return made;
  }
  friend bool operator==(const advice&, const advice&) = default;

  kind what;
  bool or_others = false;            ///< if none of these workers sleeps, any worker may come
  std::uint16_t first = 0, end = 0;  ///< nobody: any worker
};

/// What get and take answer.
struct get_result {
  enum kind : std::uint8_t { got, empty, retry };

  constexpr get_result(kind what, advice advised = advice::wake_none) : what(what), advised(advised) {}
  /// Of a look that did not take long enough to lose a race.
  static constexpr get_result of(bool found) { return found ? got : empty; }
  bool has_task() const { return what == got; }
  friend bool operator==(const get_result&, const get_result&) = default;

  kind what;
  advice advised;  ///< there is more that others may take, which they could not see before
};

/// How far a look for a task goes.
enum class reach : std::uint8_t {
  own,      ///< get: what `whole` would give, if that can be told without waiting for a lock and without a look at other workers'
            ///< queues; `empty` says nothing. take: where w's own puts go
  passing,  ///< take: for who asks again and again: keeps off the middle of long queues, if the pool can. get: as whole
  whole,
  force,  ///< what `whole`, which found nothing, leaves to its owners; spares no cost. get: for w, which has announced its sleep.
          ///< take: for a task that cannot be set aside
};

/// What a put has to do.
enum class put_step : std::uint8_t {
  whole,   ///< as put(w, task)
  beyond,  ///< the same, but never `full`
  rest,    ///< what is left when the lane has taken the task, but asked for attention
};

}  // namespace TEFF_NAMESPACE::pool
