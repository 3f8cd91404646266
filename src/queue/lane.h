// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "queue/split_deque.h"

namespace TEFF_NAMESPACE::queue {

/// The owner's end of a worker's tasks that public headers have in line, and what worker_head::tasks points to: what a pool's
/// lane(w) returns. `push`, `pop`, `pop_if_newest`; a push says whether the pool is to be asked for the rest (`pushed`), and
/// behind the others `is_asked` and `is_wanted_after_all` do.
using lane = split_deque<split_rules>;

}  // namespace TEFF_NAMESPACE::queue
