// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A value that each worker has for itself.
#pragma once

#include "teff/detail/cpp20.hpp"
#if __cplusplus >= 202002L

#include "teff/group.hpp"

#include "platform/tuning.h"

#include <array>
#include <memory>
#include <utility>

namespace TEFF_NAMESPACE {

namespace detail {

/// Workers of one team at the most.
#ifdef TEFF_SIMULATED
inline constexpr unsigned workers_at_most = tuning::simulated_workers_at_most;
#else
inline constexpr unsigned workers_at_most = tuning::workers_at_most;
#endif

/// Errors: usage_error, always.
[[noreturn]] void refuse_second_team();

}  // namespace detail

/// A T for each worker that asks for it, a copy of the one that was given: counters, buffers, sums that are added up at the end.
///
/// A task that waits may go on on another worker: the reference that local returned is then that of the worker on which it was.
/// So use it between two calls that may wait, not over one. The number and the order of what is combined depend on the schedule:
/// for floating-point sums that are the same each time take parallel_reduce.
///
/// Threads: local: tasks of one team; the rest: one thread or task, while no task calls local. Cost: local: two loads and a
/// comparison; at a worker's first call a block from the heap. Space: 8 bytes for each worker that a team may have, and a cache
/// line or more for each that asks.
template <class T>
class worker_local {
 public:
  worker_local() : worker_local(T()) {}
  explicit worker_local(T initial) : initial_(std::move(initial)), cells_(std::make_unique<cells>()) {}

  /// Returns: the calling worker's. Errors: usage_error if the caller is no task, or a task of another team than those before,
  /// or if it is inside teff::blocking; what the copy throws.
  T& local() { return local(detail::this_context()); }
  T& local(context& here) {
    worker& current = here.current();
    std::unique_ptr<cell>& own = (*cells_)[head(current).id];
    if (own == nullptr || own->owner != &current) [[unlikely]]
      make(own, current);
    return own->value;
  }

  /// Effect: calls visit(T&) for each worker that has one, in the order of their numbers.
  template <class Visitor>
  void for_each(Visitor&& visit) {
    for (std::unique_ptr<cell>& each : *cells_) {
      if (each != nullptr) visit(each->value);
    }
  }

  /// Returns: combine(… combine(initial, the first worker's) …, the last worker's).
  template <class Combine>
  T combine(Combine&& combine) {
    T all = initial_;
    for_each([&](const T& each) { all = combine(std::move(all), each); });
    return all;
  }

  /// Effect: no worker has one any more; tasks of any team may use it next.
  void clear() { *cells_ = cells(); }

 private:
  struct alignas(64) cell {
    const worker* owner;
    T value;
  };
  using cells = std::array<std::unique_ptr<cell>, detail::workers_at_most>;

  void make(std::unique_ptr<cell>& own, worker& current) {
    if (current.carrier == nullptr) detail::refuse_outside();
    if (own != nullptr) detail::refuse_second_team();
    own.reset(new cell{&current, initial_});
  }

  T initial_;
  std::unique_ptr<cells> cells_;  ///< each written by its worker alone
};

}  // namespace TEFF_NAMESPACE

#endif
