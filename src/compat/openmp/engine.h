// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/pool.h"
#include "queue/lane.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace TEFF_NAMESPACE::openmp {

struct descendants;

/// A pool of the catalogue, behind a table, as the members of a team use it. The argument of every task in it is a task_block.
///
/// Threads: each call is made by the worker that it names.
class engine {
 public:
  virtual ~engine() = default;
  virtual pool::get_result get(worker& current, task& next, pool::reach how) = 0;
  /// Effect: takes an unstarted one. With reach `force`, looks as `whole` first, and so misses no task that waits in the pool all
  /// the while.
  virtual pool::get_result take(worker& current, const descendants& wanted, task& taken, pool::reach how) = 0;
  /// Effect: what the worker keeps where nobody else's look reaches it comes into view.
  virtual pool::advice share(worker& current) = 0;
  /// Returns: the worker's lane if the pool has one, else nullptr.
  virtual queue::lane* lane(worker& current) = 0;
  /// Effect: puts a task: what is left to do after a push to the lane that answered so, or `full` if there was none. The team has
  /// a bound of its own.
  virtual pool::advice put(worker& current, task ready, queue::pushed begun) = 0;
  /// Effect: gives back what it keeps although it has no task. Called once, last.
  virtual void close(worker& last) = 0;
};

/// Returns: the pool of that name for so many workers; nullptr if memory is refused. `bound_to`: each one's place of the machine;
/// empty: their threads are not bound. `sleepers` outlives it. Pre: there is a pool of that name.
std::unique_ptr<engine> make_engine(const std::string& pool, unsigned workers, const pool::settings& set,
                                    std::span<const unsigned> bound_to, const platform::atomic<std::uint32_t>& sleepers);

}  // namespace TEFF_NAMESPACE::openmp
