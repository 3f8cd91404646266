// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a team is made from, and what it tells when it has run.
#pragma once

#include "base/account_parts.h"
#include "base/shared_resource.h"
#include "pool/settings.h"
#include "trace/counters.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace TEFF_NAMESPACE::workers {

/// How a run ended.
enum class run_result {
  finished,
  nested,  ///< refused: called from a task of this team, or while another thread runs it
  stuck,   ///< every task that is left waits for another one, or no worker can get it: explanation() says more
};

/// What a team is made of, apart from its pool.
struct team_shape {
  unsigned workers;
  std::uint64_t seed;
  pool::pinning pin;
  std::size_t argument_bytes;
  pool::wake_policy wake;
  pool::wait_policy wait;
  std::size_t stack_bytes = std::size_t{64} * 1024;  ///< of each fiber
  unsigned calls_outside = 256;                      ///< that may be under way at once
  pool::domain_grid domains = {};                    ///< in which workers may be pinned
  std::uint64_t watchdog_ns = 0;  ///< without progress are a reason to say what everybody waits for; 0: none is
};

/// Sums over a team, exact between runs.
struct team_totals {
  std::uint64_t counters[trace::counter_count] = {};
  std::vector<std::uint64_t> tasks_by_worker;
  std::uint64_t peak_live_tasks = 0;
  std::uint64_t peak_bytes = 0;
  std::uint64_t peak_fibers = 0;
  /// The time account since the last reset: by worker and part, in ns; each worker's parts add up to account_ns.
  std::vector<std::array<std::uint64_t, account_part_count>> account;
  std::uint64_t account_ns = 0;
  std::vector<shared_resource> resources;  ///< the busiest first
};

}  // namespace TEFF_NAMESPACE::workers
