// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/pool.h"
#include "queue/private_blocks.h"
#include "queue/shared_blocks.h"

namespace TEFF_NAMESPACE::pool::parts {

/// Effect: moves all of a worker's private blocks into a queue that others see. Advises to wake somebody if there were any,
/// whatever that queue held before: a sleeper may be waiting for just one of these tasks. Threads: the worker.
inline advice share_blocks(worker& current, queue::private_blocks& from, queue::shared_blocks& to) {
  advice advised = advice::wake_none;
  while (queue::task_block* const oldest = from.remove_oldest()) {
    current.count(trace::counter::publications, oldest->count);
    to.push(oldest);
    advised = advice::wake_one;
  }
  return advised;
}

}  // namespace TEFF_NAMESPACE::pool::parts
