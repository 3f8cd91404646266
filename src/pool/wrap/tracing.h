// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "pool/wrap/observing.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace TEFF_NAMESPACE::pool::wrap {

/// One operation, at the time of its answer.
struct event {
  std::uint64_t time_ns;
  unsigned worker;  ///< event_log::outside if none
  operation what;
  answer answered;
  const void* argument;  ///< of the task that was given or taken; nullptr if there was none
};

/// The last operations of each worker. Owned by who wants to know; outlives the pool.
///
/// Invariants: a ring is written by its worker alone; the one for what comes from outside under its lock. Readable while
///   nobody uses the pool. Space: `capacity` events per worker.
class event_log {
 public:
  static constexpr unsigned outside = ~0u;

  explicit event_log(std::size_t capacity = 1024) : capacity_(std::max<std::size_t>(capacity, 1)) {}

  /// Effect: forgets everything and makes room for so many workers. Called by the decorator when it is built.
  void start(unsigned workers) {
    rings_ = std::vector<ring>(workers + 1);
    for (ring& each : rings_) each.events.reserve(capacity_);
  }

  void add(const worker* current, operation what, answer answered, const void* argument) {
    if (current != nullptr) return add_to(rings_[current->id], {platform::now_ns(), current->id, what, answered, argument});
    platform::lock_guard guard(outside_lock_);
    add_to(rings_.back(), {platform::now_ns(), outside, what, answered, argument});
  }

  /// Returns: how many older events had to make room.
  std::uint64_t dropped() const {
    std::uint64_t sum = 0;
    for (const ring& each : rings_) sum += each.count - each.events.size();
    return sum;
  }

  /// Returns: what is left, by time; at one time in the order of workers.
  std::vector<event> in_order() const {
    std::vector<event> all;
    for (const ring& each : rings_) {
      const auto oldest = each.events.begin() + static_cast<std::ptrdiff_t>(each.count % capacity_);
      const bool wrapped_around = each.count > each.events.size();
      if (wrapped_around) all.insert(all.end(), oldest, each.events.end());
      all.insert(all.end(), each.events.begin(), wrapped_around ? oldest : each.events.end());
    }
    // By time and place, as std::stable_sort would: clang warns of what libstdc++ does inside of that one.
    std::vector<std::size_t> places(all.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::sort(places.begin(), places.end(),
              [&](std::size_t a, std::size_t b) { return std::pair(all[a].time_ns, a) < std::pair(all[b].time_ns, b); });
    std::vector<event> ordered;
    for (const std::size_t place : places) ordered.push_back(all[place]);
    return ordered;
  }

  /// Returns: a line per event, times from the first one on, and what was dropped.
  std::string text() const {
    const std::vector<event> all = in_order();
    std::string lines;
    for (const event& each : all) lines += line(each, all.front().time_ns);
    if (dropped() > 0) lines += std::to_string(dropped()) + " older events were dropped\n";
    return lines;
  }

 private:
  struct alignas(cache_line_bytes) ring {
    std::vector<event> events;
    std::uint64_t count = 0;  ///< ever added
  };

  void add_to(ring& own, const event& added) {
    if (own.events.size() < capacity_) own.events.push_back(added);
    else own.events[own.count % capacity_] = added;
    ++own.count;
  }

  static std::string line(const event& shown, std::uint64_t first_ns) {
    const std::string who = shown.worker == outside ? "outside" : "worker " + std::to_string(shown.worker);
    char text[160];
    std::snprintf(text, sizeof text, "%12llu ns  %-10s  %-9s  %-16s  %p\n",
                  static_cast<unsigned long long>(shown.time_ns - first_ns), who.c_str(), name_of(shown.what),
                  name_of(shown.answered), shown.argument);
    return text;
  }

  const std::size_t capacity_;
  std::vector<ring> rings_;  ///< one per worker, then the one for outside
  platform::lock outside_lock_;
};

/// Notes every operation of the pool below with its time.
///
/// Cost: a look at the clock per operation and some stores into the worker's own ring.
template <task_pool Pool>
using tracing = observing<Pool, event_log, &instruments::events>;

}  // namespace TEFF_NAMESPACE::pool::wrap
