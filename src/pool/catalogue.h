// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The pools by name: which parts each is put together from. The one list of names; the command line, the tests, the benchmarks
/// and the documentation read it.
#pragma once

#include "pool/central.h"
#include "pool/distributed.h"
#include "pool/private_public.h"
#include "pool/run_queues.h"
#include "pool/shepherds.h"
#include "pool/stealing.h"
#include "pool/teff.h"
#include "pool/threshold.h"
#include "queue/deque_list.h"
#include "queue/lifo_list.h"
#include "queue/lock_free_fifo.h"
#include "queue/locked.h"
#include "queue/loose_list.h"
#include "queue/noted_stack.h"
#include "queue/several.h"
#include "queue/task_locked_list.h"
#include "queue/two_lock_fifo.h"
#include "queue/unlocked.h"

#include <span>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::pool {

using list = queue::list_storage<queue::lifo_list>;
using deque = queue::list_storage<queue::deque_list>;
using loose = queue::list_storage<queue::loose_list>;
using noted = queue::list_storage<queue::noted_stack>;
using array = queue::array_storage;
using queue::end;

template <queue::draw Draw, queue::when_taken Taken = queue::when_taken::wait>
using randomised = queue::several<queue::locked<list>, Draw, Taken>;

using sq1 = central<queue::locked<list>>;
using sq2 = central<queue::locked<array>>;
using sq3 = central<queue::task_locked_list, end::opposite>;
using sq4 = central<queue::two_lock_fifo>;
using dq1 = distributed<queue::unlocked<list>>;
using dq2 = stealing<queue::locked<list>, end::working>;
using dq3 = distributed<queue::unlocked<array>>;
using dq4 = stealing<randomised<queue::draw::own, queue::when_taken::alter>, end::working>;
using dq5 = stealing<queue::locked<deque>, end::opposite>;
using dq6 = stealing<queue::task_locked_list, end::opposite>;
using dq7 = stealing<queue::locked<array>, end::working>;
using dq8 = private_public;
using sdq1 = threshold;
using rq1 = central<randomised<queue::draw::c_library>>;
using rq2 = central<randomised<queue::draw::twister_integer>>;
using rq3 = central<randomised<queue::draw::twister_float>>;
using q = shepherds<parts::shared_by::worker, placement::in_turn, queue::lock_free_fifo>;
using l = shepherds<parts::shared_by::worker, placement::in_turn, queue::locked<noted>>;
using cq = shepherds<parts::shared_by::all, placement::own, queue::locked<loose>>;
using ws = shepherds<parts::shared_by::worker, placement::own, queue::locked<loose>>;
using mts = shepherds<parts::shared_by::domain, placement::own, queue::locked<loose>>;
using default_pool = split_deques<>;

/// In which order one worker alone runs the tasks that it put: what the conformance suite holds a pool to.
enum class order { lifo, fifo, none };

/// One name of the catalogue.
struct entry {
  const char* name;
  const char* what;
  const char* source;
  order alone;
  unsigned waiting_task_bytes;  ///< as list_pools says it; test/runtime/waiting_tasks.cpp measures it
};

/// Effect: calls visit.operator()<Pool>(entry) for every pool, in the order of the papers' tables, Teff's own last.
template <class Visitor>
void for_each_pool(Visitor&& visit) {
  constexpr const char* table = "Korch & Rauber 2002, Table 2";
  constexpr const char* own_design =
      "own design after Korch & Rauber 2002 (dq8), Hoffmann & Rauber 2008, Olivier et al. 2012: docs/design/default-pool.md";
  visit.template operator()<sq1>(entry{"sq1", "one central stack behind one lock", table, order::lifo, 96});
  visit.template operator()<sq2>(entry{"sq2", "one central array behind one lock", table, order::lifo, 80});
  visit.template operator()<sq3>(entry{"sq3", "one central FIFO list with a lock on each task", table, order::fifo, 112});
  visit.template operator()<sq4>(entry{"sq4", "one central FIFO queue with a lock at each end", table, order::fifo, 96});
  visit.template operator()<dq1>(entry{"dq1", "a private stack per worker, no exchange of tasks", table, order::lifo, 96});
  visit.template operator()<dq2>(entry{"dq2", "a stack per worker, others steal from the working end", table, order::lifo, 96});
  visit.template operator()<dq3>(entry{"dq3", "a private array per worker, no exchange of tasks", table, order::lifo, 80});
  visit.template operator()<dq4>(
      entry{"dq4", "two stacks per worker, drawn at random, the other one if a lock is taken", table, order::none, 96});
  visit.template operator()<dq5>(entry{"dq5", "a deque per worker, others steal the oldest task", table, order::lifo, 96});
  visit.template operator()<dq6>(
      entry{"dq6", "a deque per worker with a lock on each task, others steal the oldest", table, order::lifo, 112});
  visit.template operator()<dq7>(entry{"dq7", "an array per worker, others steal from the working end", table, order::lifo, 80});
  visit.template operator()<dq8>(entry{"dq8", "private blocks per worker, others steal public blocks", table, order::lifo, 88});
  visit.template operator()<sdq1>(
      entry{"sdq1", "private blocks per worker, the surplus in a central queue", table, order::lifo, 88});
  visit.template operator()<rq1>(
      entry{"rq1", "central stacks drawn by rand_r in floating point, four per worker", table, order::none, 96});
  visit.template operator()<rq2>(
      entry{"rq2", "central stacks drawn by the Mersenne Twister in integers, four per worker", table, order::none, 96});
  visit.template operator()<rq3>(
      entry{"rq3", "central stacks drawn by the Mersenne Twister in floating point, four per worker", table, order::none, 96});
  constexpr const char* organisations = "Dandamudi & Cheng 1996, §3, §5";
  visit.template operator()<centralised_run_queue>(entry{
      "centralised", "a run queue for all, in which tasks wait before those that are ready", organisations, order::fifo, 128});
  visit.template operator()<distributed_run_queues>(
      entry{"distributed", "a run queue per worker, filled in turn", organisations, order::fifo, 128});
  visit.template operator()<hierarchical_run_queues>(
      entry{"hierarchical", "a tree of run queues, down which sets of tasks move", organisations, order::fifo, 128});
  constexpr const char* shepherds_table = "Olivier et al. 2012, §3, Table 1";
  visit.template operator()<q>(
      entry{"q", "a lock-free FIFO queue per worker, filled in turn", shepherds_table, order::fifo, 112});
  visit.template operator()<l>(entry{"l", "a stack per worker, filled in turn", shepherds_table, order::lifo, 96});
  visit.template operator()<cq>(entry{"cq", "one stack that all workers share", shepherds_table, order::lifo, 96});
  visit.template operator()<ws>(
      entry{"ws", "a stack per worker, others steal the oldest task", shepherds_table, order::lifo, 96});
  visit.template operator()<mts>(entry{
      "mts", "a stack per domain, one thief of which at a time steals as many of the oldest tasks as the domain has workers",
      "Olivier et al. 2012, §3.2, Table 1", order::lifo, 96});
  visit.template operator()<default_pool>(
      entry{"teff", "the default: a deque per worker, split into a private and a public part", own_design, order::lifo, 126});
}

/// Returns: the names of all pools, in the order of for_each_pool.
inline std::vector<std::string> pool_names() {
  std::vector<std::string> names;
  for_each_pool([&]<class Pool>(const entry& each) { names.emplace_back(each.name); });
  return names;
}

/// Returns: the settings of the pool of that name, and those that every team has beside them; empty if there is no such pool.
inline std::vector<const char*> settings_of(const std::string& pool, std::span<const char* const> of_teams) {
  std::vector<const char*> uses;
  for_each_pool([&]<class Pool>(const entry& each) {
    if (pool != each.name) return;
    uses.assign(Pool::traits.uses.begin(), Pool::traits.uses.end());
    uses.insert(uses.end(), of_teams.begin(), of_teams.end());
  });
  return uses;
}

/// Whether all of them are pools.
template <class... Pools>
inline constexpr bool all_are_pools = (task_pool<Pools> && ...);
static_assert(all_are_pools<sq1, sq2, sq3, sq4, dq1, dq2, dq3, dq4, dq5, dq6, dq7, dq8, sdq1, rq1, rq2, rq3, default_pool>);
static_assert(all_are_pools<centralised_run_queue, distributed_run_queues, hierarchical_run_queues>);
static_assert(all_are_pools<q, l, cq, ws, mts>);

}  // namespace TEFF_NAMESPACE::pool
