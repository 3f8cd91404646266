// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"
#include "task/worker_head.h"
#include "trace/counters.h"

namespace TEFF_NAMESPACE {

namespace fibers {
class carrier;
}

/// The current worker, as every layer above the platform sees it: who it is, its counters, its random numbers. What the loop
/// and the idle protocol add is theirs (workers::member).
///
/// Threads: all of it belongs to the worker itself; `stats` may be read by others for information.
struct worker : worker_head {
  worker(const worker_operations& operations, unsigned id, std::uint64_t seed)
      : worker_head{&operations, id, nullptr}, random(seed) {}

  void count(trace::counter which, std::uint64_t amount = 1) { stats.add(which, amount); }

  platform::random random;
  /// What switches between fibers for this worker; owned by the team. nullptr: it stands for none of a team.
  fibers::carrier* carrier = nullptr;
  trace::counters stats;
  platform::ledger account;  ///< its time by part; read by others for information
};

/// Effect: the calling thread is that worker from here on, or, with nullptr, none.
inline void stand_for(worker* now) {
  platform::set_current(now);
  if (now != nullptr) platform::set_current_here(now->here, now->mark);
  else platform::set_current_here(nullptr, nullptr);
}

}  // namespace TEFF_NAMESPACE
