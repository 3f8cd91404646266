// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The pools by name: which parts each is put together from. The one list of names; the command line, the tests, the benchmarks
/// and the documentation read it.
#pragma once

#include "pool/central.h"
#include "pool/distributed.h"
#include "pool/private_public.h"
#include "pool/stealing.h"
#include "pool/threshold.h"
#include "queue/deque_list.h"
#include "queue/lifo_list.h"
#include "queue/locked.h"
#include "queue/two_lock_fifo.h"

namespace teff::inline TEFF_PLATFORM::pool {

using sq1 = central<queue::locked<queue::lifo_list>>;
using sq4 = central<queue::two_lock_fifo>;
using dq1 = distributed<queue::lifo_list>;
using dq2 = stealing<queue::lifo_list, queue::end::working>;
using dq5 = stealing<queue::deque_list, queue::end::opposite>;
using dq8 = private_public;
using sdq1 = threshold;

/// In which order one worker alone runs the tasks that it put: what the conformance suite holds a pool to.
enum class order { lifo, fifo };

/// One name of the catalogue.
struct entry {
  const char* name;
  const char* what;
  const char* source;
  order alone;
};

/// Effect: calls visit.operator()<Pool>(entry) for every pool, in the order of the papers' tables.
template <class Visitor>
void for_each_pool(Visitor&& visit) {
  constexpr const char* table = "Korch & Rauber 2002, Table 2";
  visit.template operator()<sq1>(entry{"sq1", "one central stack behind one lock", table, order::lifo});
  visit.template operator()<sq4>(entry{"sq4", "one central FIFO queue with a lock at each end", table, order::fifo});
  visit.template operator()<dq1>(entry{"dq1", "a private stack per worker, no exchange of tasks", table, order::lifo});
  visit.template operator()<dq2>(entry{"dq2", "a stack per worker, others steal from the working end", table, order::lifo});
  visit.template operator()<dq5>(entry{"dq5", "a deque per worker, others steal the oldest task", table, order::lifo});
  visit.template operator()<dq8>(entry{"dq8", "private blocks per worker, others steal public blocks", table, order::lifo});
  visit.template operator()<sdq1>(entry{"sdq1", "private blocks per worker, the surplus in a central queue", table, order::lifo});
}

static_assert(task_pool<sq1> && task_pool<sq4> && task_pool<dq1> && task_pool<dq2> && task_pool<dq5> && task_pool<dq8> &&
              task_pool<sdq1>);

}  // namespace teff::inline TEFF_PLATFORM::pool
