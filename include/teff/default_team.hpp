// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The team of those who made none: one for the process, made at its first use.
///
/// What it is comes from the environment, read when it is made: TEFF_NUM_THREADS (workers), TEFF_POOL, TEFF_MEMORY (names of the
/// catalogues), TEFF_WAIT (latency, balanced or power: what idle workers do), TEFF_SEED, TEFF_DISPLAY=1 (says what it is),
/// TEFF_STATS=1 (says at its end what it counted), TEFF_WATCHDOG. A variable or value that does not exist is answered by a
/// sentence on standard error that says what is used instead; so is a number of threads that the system refuses.
///
/// It serves threads that are no workers: join and the loops (parallel.hpp), task_group (group.hpp), async (future.hpp),
/// task_graph (graph.hpp) and call, below, work from main and from any thread, and their tasks are its tasks.
///
/// All its workers are threads of their own. A thread that is no worker waits while its call runs there as a task, or, in the
/// waits of groups and futures, until the tasks have ended; several threads may do so at once. If nobody in the team has anything
/// to do, the thread of a call carries a worker until the call's function has returned: that runs on it, and forked tasks of
/// joins and loops do; what is put, and children of groups, run on threads of the team, or in a wait of their group. The team
/// ends with the process, or with the library that it lies in, and is made anew if somebody calls later: a static destructor may
/// do so. After fork() the child makes its own at first use, also inside a task; the parent's is left alone. In simulation there
/// is none: calls belong into tasks.
#pragma once

#include "teff/detail/cpp20.hpp"
#if __cplusplus >= 202002L

#include "teff/detail/fork.hpp"
#include "teff/runtime.hpp"

#include <type_traits>
#include <utility>

namespace TEFF_NAMESPACE {

namespace detail {

/// Effect: calls call(context&, argument), which throws nothing, as a task of the default team, and returns when it has returned.
void call_in_default_team(void (*call)(context& here, void* argument), void* argument);

template <class Function>
struct entering {
  Function& function;
  outcome<Function> left;

  static void call(context& here, void* argument) {
    auto& self = *static_cast<entering*>(argument);
    here.frame->show(label_for<Function>(self.function));
    self.left.take_all_from(self.function, here);
  }
};

}  // namespace detail

namespace default_team {

/// Effect: calls `function`, as function() or function(context&), as a task of the default team, and returns when it has
/// returned, what it returned.
/// Errors: what escapes from it; std::bad_alloc if there is no memory for the team or the task; usage_error in simulation.
/// Threads: any; a task of whatever team. Blocks: a task's fiber; a foreign thread. Cost: 1 to 2 µs if nobody has anything to do;
/// else two wake-ups of threads, about 10 µs, if nobody is awake.
template <class Function>
  requires detail::task_function<std::remove_reference_t<Function>>
auto call(Function&& function) {
  detail::entering<std::remove_reference_t<Function>> entering{function, {}};
  detail::call_in_default_team(&entering.call, &entering);
  entering.left.rethrow();
  if constexpr (!std::is_void_v<typename detail::outcome<std::remove_reference_t<Function>>::result>) return entering.left.get();
}

/// Returns: how many workers it has. Effect: makes it, if there is none. Errors: std::bad_alloc; usage_error in simulation.
unsigned workers();
/// Returns: what it has counted since it was made; empty counters if there is none. Threads: any, at any time (a snapshot).
statistics stats();
/// Effect: ends the threads of the team, if there is one; the next call makes it anew, from the environment as it is then. For
/// those who want to be alone: before fork, or before their library is closed. Errors: usage_error while a call is going on or
/// a task that a thread outside put has not ended, as from its tasks. Blocks: the thread.
void end();

}  // namespace default_team

namespace detail {

/// Returns: function(context&), as a task of the default team.
template <class Function>
[[gnu::cold, gnu::noinline]] auto in_default_team(Function& function) {
  return default_team::call(function);
}

/// Returns: function(context&), called here if the caller is a task, else in the default team.
template <class Function>
[[gnu::always_inline]] inline auto in_task(Function&& function) {
  if (context* const here = context_here(); here != nullptr) [[likely]]
    return function(*here);
  return in_default_team(function);
}

}  // namespace detail

}  // namespace TEFF_NAMESPACE

#endif
