// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Teams: workers that run tasks from a pool.
#pragma once

#include "teff/detail/cpp20.hpp"
#if __cplusplus >= 202002L

#include "base/namespace.h"
#include "teff/stats.hpp"
#include "teff/task.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE {

namespace workers {
class team_base;
}

/// A setting, name or number that Teff cannot use. what() is a sentence that names the value and the allowed values.
class usage_error : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A run that cannot end: every task that is left waits for another one, or no worker can get it. what() is the explanation,
///   several lines: which task waits for what, who holds it, since when, and in which circle. docs/howto/when-nothing-happens.md.
class deadlock_error : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// What a team is made of.
struct team_options {
  std::string pool = "teff";               ///< a name from list_pools()
  std::string memory = "clf";              ///< a name from list_managers()
  unsigned workers = 0;                    ///< 1 … 256 (1,024 in simulation), the caller of run included; 0: usable processors
  std::vector<std::string> settings = {};  ///< "name=value", each a setting of that pool or manager
  /// 0 … 4,096: closures up to this size lie in blocks of the memory manager; larger ones in malloc's
  std::size_t argument_bytes = 64;
  std::uint64_t seed = 1;           ///< of everything random in this team
  bool pin = false;                 ///< bind each worker but the caller's to one processor; false: as the setting `pin` says
};

/// A fixed set of workers and their pool: Korch & Rauber's model of an initialisation phase and a working phase (2002, §2).
///
/// Threads: one thread calls run at a time; init may be called by many threads, before run. Several teams may exist and run at
/// the same time. Owns: its threads, its pool and all memory of its tasks.
/// fork(): in the child a team is made anew, empty, at its first use (by one thread); nothing of the parent's threads is joined
/// or locked. A child that returns from the task that forked, or puts or waits there, ends with a sentence and code 70;
/// docs/howto/ends-and-exits.md has what else may end inside of a task.
class team {
 public:
  /// Errors: usage_error for a name, number or setting that does not exist; std::bad_alloc if there is no memory for the pool.
  ///   If the system refuses threads, the team has fewer workers, and one line on standard error says so, once per process.
  explicit team(team_options options = {});
  /// Effect: ends its threads; tasks that never ran are dropped. A team that runs, as at an exit in its own task, is left to the
  ///   process instead.
  ~team();
  team(const team&) = delete;
  team& operator=(const team&) = delete;

  /// Effect: adds an initial task. Initial tasks go to the queues of the workers with which a run begins in turn, in call order.
  /// Pre: no run is going on. Errors: std::bad_alloc; usage_error during a run. Threads: any.
  template <class Function>
  void init(Function&& function) {
    init_task(detail::make_outside_task(std::forward<Function>(function)));
  }

  /// Effect: runs all tasks, and the tasks that they put, on as many workers as they need, the caller being worker 0 (pool teff;
  ///   on all workers with others); returns when all have finished and no injector exists.
  /// Errors: the first exception that escaped from a task, after all tasks have finished; usage_error if called from a task of
  ///   this team or while another thread runs it; deadlock_error, whose explanation is printed on standard error, too: the tasks
  ///   that wait stay where they are, further runs say the same unless new tasks help them, and the team's end gives their stacks
  ///   back without unwinding. The objects at which they wait or which they hold may be destroyed, before the team or after it;
  ///   what they hold stays locked.
  void run();

  /// Returns: how many workers there really are.
  unsigned workers() const;
  /// Returns: what was counted since the last reset; exact between runs. Threads: any, at any time (a snapshot).
  statistics stats() const;
  /// Pre: no run is going on.
  void reset_stats();

 private:
  friend class injector;
  void init_task(task initial);
  workers::team_base& team_of_this_process();

  team_options options_;
  std::unique_ptr<workers::team_base> team_;
};

/// Puts tasks into a team from outside, while it runs. As long as an injector exists, run does not return.
/// Threads: an injector is used by one thread at a time; that thread is not a worker of the team.
/// Pre of its end: the team still exists. An injector must not outlive its team.
/// fork(): it stays with the parent's team; the child makes another.
class injector {
 public:
  explicit injector(team& target);
  ~injector();
  injector(const injector&) = delete;
  injector& operator=(const injector&) = delete;

  /// Effect: as context::put; if the team is not running, the task waits for its next run.
  /// Errors: std::bad_alloc.
  template <class Function>
  void put(Function&& function) {
    put_task(detail::make_outside_task(std::forward<Function>(function)));
  }

  /// Effect: puts all of these functions, which are moved from, or none: as a batch, which costs a pool one access where it has
  /// such
  ///   a thing, and whose tasks it may know to belong together (docs/design/run-queues.md). Post of an error: they are moved
  ///   from.
  /// Errors: std::bad_alloc.
  template <class Function>
  void put_all(std::span<Function> functions) {
    std::vector<task> ready;
    ready.reserve(functions.size());
    try {
      for (Function& each : functions) ready.push_back(detail::make_outside_task(std::move(each)));
    } catch (...) {
      drop(ready);
      throw;
    }
    put_tasks(ready);
  }

 private:
  void put_task(task ready);
  void put_tasks(std::span<const task> ready);
  void drop(std::span<const task> made);

  workers::team_base& team_;
};

}  // namespace TEFF_NAMESPACE

#endif
