// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/settings.h"
#include "task/worker.h"

#include <cstdint>

namespace TEFF_NAMESPACE::pool::parts {

/// What an access to a run queue costs beside its own instructions, for studies that give it a price.
///
/// Source: Dandamudi & Cheng 1996, §4: an access is a test of the queue's lock and a visit, each with a delay of the network
///   (Cd_in), and holds the lock for f. Differs: whether the lock is held during the delays is left open there: `reading` says
///   it.
/// Cost: with the standard settings a comparison per call.
class access_cost {
 public:
  explicit access_cost(const settings& set)
      : before_(set.reading == access_reading::outside ? set.delay : 0),
        held_(set.access + (set.reading == access_reading::held ? 2 * std::uint64_t{set.delay} : 0)),
        inserted_(set.access) {}

  /// Of a worker that is about to ask for the lock, and of one that has given all locks back.
  void travel() const { pass(before_); }
  /// Of a worker that holds the lock.
  void hold() const { pass(held_); }
  /// Of a thread from outside that holds the lock: its own network's delays are its own matter.
  void hold_from_outside() const { pass(inserted_); }

 private:
  static void pass(std::uint64_t units) {
    if (units != 0) platform::charge(units);
  }

  const std::uint64_t before_, held_, inserted_;
};

/// Counts, until the end of the scope, what a worker's access takes, waits for locks included. Where looking at the clock costs
/// something, nothing is counted.
class access_time {
 public:
  explicit access_time(worker& of) : of_(of) {
    if constexpr (platform::clock_is_free) since_ns_ = platform::recent_ns();
  }
  ~access_time() {
    if constexpr (platform::clock_is_free) of_.count(trace::counter::queue_access_ns, platform::recent_ns() - since_ns_);
  }
  access_time(const access_time&) = delete;
  access_time& operator=(const access_time&) = delete;

 private:
  worker& of_;
  std::uint64_t since_ns_ = 0;
};

}  // namespace TEFF_NAMESPACE::pool::parts
