// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "pool/wrap/wrapped.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <optional>
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

  void add(const worker& current, operation what, answer answered, const void* argument) {
    add_to(rings_[current.id], {platform::now_ns(), current.id, what, answered, argument});
  }
  void add_from_outside(operation what, answer answered, const void* argument) {
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
class tracing : public wrapped<Pool> {
 public:
  explicit tracing(const environment& from, const instruments& with = {})
      : wrapped<Pool>(from, with), events_(with.events != nullptr ? *with.events : own_.emplace()) {
    events_.start(from.workers);
  }

  const event_log& events() const { return events_; }

  advice init(worker& first, task ready) {
    return noted(first, operation::init, this->inner_.init(first, ready), ready.argument);
  }
  advice put(worker& current, task ready, put_step step = put_step::whole) {
    return noted(current, operation::put, this->put_below(current, ready, step), ready.argument);
  }
  advice inject(std::span<const task> ready) {
    const advice advised = this->inner_.inject(ready);
    for (const task& each : ready) events_.add_from_outside(operation::inject, as_answer(advised), each.argument);
    return advised;
  }
  get_result get(worker& current, task& next, reach how) {
    const get_result found = this->inner_.get(current, next, how);
    return how == reach::own && !found.has_task() ? found : noted_look(current, operation::get, found, next);
  }
  template <class Predicate>
  get_result take(worker& current, Predicate wanted, task& taken, reach how) {
    return noted_look(current, operation::take, this->inner_.take(current, wanted, taken, how), taken);
  }
  advice unblocked(worker* current, started& who, task again)
    requires tracks_started<Pool>
  {
    const advice advised = this->inner_.unblocked(current, who, again);
    if (again.entry == nullptr) return advised;  // nothing came in
    if (current != nullptr) return noted(*current, operation::unblocked, advised, again.argument);
    events_.add_from_outside(operation::unblocked, as_answer(advised), again.argument);
    return advised;
  }

 private:
  get_result noted_look(const worker& current, operation what, get_result result, const task& found) {
    return noted(current, what, result, result.has_task() ? found.argument : nullptr);
  }

  template <class Answer>
  Answer noted(const worker& current, operation what, Answer answered, const void* argument) {
    events_.add(current, what, as_answer(answered), argument);
    return answered;
  }

  std::optional<event_log> own_;
  event_log& events_;
};

}  // namespace TEFF_NAMESPACE::pool::wrap
