// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/pool.h"
#include "queue/options.h"

namespace TEFF_NAMESPACE::pool::parts {

/// What a pool's queues are built from. `queues` is how many a queue of queues has.
inline queue::options queue_options(const environment& from, std::uint32_t queues) {
  return {from.memory, from.set.lock, from.set.capacity, from.workers, queues, from.seed};
}

/// The number of queues per worker: as set, else as published.
inline std::uint32_t queues_per_worker(const environment& from, std::uint32_t published) {
  return from.set.queues != 0 ? from.set.queues : published;
}

}  // namespace TEFF_NAMESPACE::pool::parts
