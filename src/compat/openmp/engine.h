// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/pool.h"
#include "pool/teff.h"
#include "queue/split_deque.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace teff::inline TEFF_PLATFORM::openmp {

struct descendants;

/// The default pool's deque: what its path in line works on.
using fast_deque = pool::split_deques<>::deque;

/// A pool of the catalogue, behind a table, as the members of a team use it. The argument of every task in it is a task_block.
///
/// Threads: each call is made by the worker that it names.
class engine {
 public:
  virtual ~engine() = default;
  virtual pool::get_result get(worker& current, task& next) = 0;
  /// As get, for who has announced its sleep: spares no cost.
  virtual pool::get_result get_by_force(worker& current, task& next) = 0;
  /// How far a look for a descendant goes: `passing` keeps off the middle of long queues; `whole` does not; `force` reaches what
  /// others keep to themselves, too, and so misses no task that waits in the pool all the while.
  enum class effort : std::uint8_t { passing, whole, force };
  /// Effect: takes an unstarted one. Returns: false if it found none.
  virtual bool get_descendant(worker& current, const descendants& wanted, task& taken, effort spent) = 0;
  /// Effect: what the worker keeps where nobody else's look reaches it comes into view.
  virtual pool::advice share(worker& current) = 0;
  /// Returns: whether tasks came into view during a get_descendant although somebody sleeps.
  virtual bool owes_wake_up(worker& current) = 0;
  /// Returns: the worker's deque if the pool is the default one, else nullptr.
  virtual fast_deque* deque_of(worker& current) = 0;
  /// Effect: puts a task: what is left to do after a push to that deque that answered so, or `full` if there was none.
  virtual pool::advice end_push(worker& current, task ready, queue::pushed begun) = 0;
};

/// Returns: the pool of that name for so many workers; nullptr if memory is refused. `sleepers` outlives it. Pre: there is a pool
/// of that name.
std::unique_ptr<engine> make_engine(const std::string& pool, std::span<const unsigned> domains,
                                    const platform::atomic<std::uint32_t>& sleepers);

}  // namespace teff::inline TEFF_PLATFORM::openmp
