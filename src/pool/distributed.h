// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/parts/advise.h"
#include "pool/parts/per_worker.h"
#include "pool/pool.h"
#include "queue/inbox.h"
#include "queue/nodes.h"

namespace teff::inline TEFF_PLATFORM::pool {

/// A private queue per worker and no exchange: each worker processes what it was given and what that creates.
///
/// Source: Korch & Rauber 2002, §3.3, Table 2 (dq1; dq3 with arrays).
/// Differs: tasks from outside wait in an inbox that all workers look at when their own queue is empty.
/// Idea: no shared data, hence no locks: the upper bound for one worker and the lower bound for balance.
/// Invariants: a queue is touched by its worker alone (in the initialisation phase by the one thread that calls init).
/// Cost: no atomic operation. Space: the sum of the workers' serial spaces. Order: LIFO per worker.
/// Good for: work that is distributed evenly beforehand, and as a base line. Bad for: irregular work.
template <class Queue>
class distributed {
 public:
  static constexpr const char* uses[] = {"wake", "wait"};

  explicit distributed(const environment& from) : nodes_{from.memory}, places_(from.workers) {}

  static std::size_t task_block_bytes(const settings&) { return sizeof(typename Queue::node); }

  advice init(worker& first, task ready) { return put(first, ready); }

  advice put(worker& current, task ready) {
    auto* made = nodes_.make(current, ready);
    if (made == nullptr) return advice::refused;
    place& own = places_[current];
    own.queue.insert(made);
    if (++own.length > own.peak.value()) own.peak.set(own.length);
    return advice::wake_none;
  }

  advice inject(task ready) { return parts::advise_injection(inbox_.push(ready)); }

  get_result get(worker& current, task& next) {
    place& own = places_[current];
    if (auto* taken = own.queue.remove()) {
      consume(current, own, taken, next);
      return get_result::got;
    }
    return inbox_.pop(next) ? get_result::got : get_result::empty;
  }

  bool take_back(worker& current, task own) {
    return get_if(current, [&](const task& candidate) { return candidate == own; }, own);
  }

  template <class Predicate>
  bool get_if(worker& current, Predicate wanted, task& taken) {
    place& own = places_[current];
    if (auto* found = own.queue.remove_if(wanted)) {
      consume(current, own, found, taken);
      return true;
    }
    return inbox_.take_if(wanted, taken);
  }

  std::uint64_t peak_live_tasks() const {
    return places_.sum([](const place& own) { return own.peak.value(); });
  }
  std::uint64_t lock_waits() const { return 0; }  // it has none
  void reset_statistics() {
    places_.for_each([](place& own) { own.peak.set(own.length); });
  }

 private:
  struct alignas(cache_line_bytes) place {
    Queue queue;
    std::uint64_t length = 0;
    platform::statistic peak;
  };

  void consume(worker& current, place& own, typename Queue::node* taken, task& next) {
    nodes_.consume(current, taken, next);
    --own.length;
  }

  const queue::nodes<typename Queue::node> nodes_;
  parts::per_worker<place> places_;
  queue::inbox inbox_;
};

}  // namespace teff::inline TEFF_PLATFORM::pool
