// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Calls that may block in the operating system.
#pragma once

#include "teff/detail/cpp20.hpp"
#if __cplusplus >= 202002L

#include "teff/detail/fork.hpp"

#include <type_traits>

namespace TEFF_NAMESPACE {

namespace detail {
/// Effect: calls call(argument), which throws nothing, while another thread carries the caller's worker. Pre: called by a task.
void call_outside(context& here, void (*call)(void*), void* argument);
}  // namespace detail

/// Effect: calls `function()`, which may block in a system call or wait for a foreign thread, on the calling thread; meanwhile a
///   spare thread carries the whole worker, its private tasks included. Afterwards the task goes on as soon as a worker has time
///   for it, possibly on another thread.
/// Returns: what the function returned. Errors: what escaped from it; usage_error if the caller is no task.
/// Pre: the function does not use the team (it is no task: puts and waits with its caller's context are refused; without one they
///   are the default team's); the objects of teff/sync.hpp treat it as a foreign thread. If the system refuses a thread, or a
///   stack on which it could run other tasks, or a task of this worker is pinned (teff::pin), the worker waits with its task.
///   Calls that wait for one another have a place each: see Blocks.
/// Blocks: the task, while as many calls as the setting `outside` allows (256) are under way; its worker does other work.
/// Cost: two wake-ups of threads (of a spare one, and of who goes on with the task), about 10 µs: worth it for calls that take
/// longer. A spare thread that nobody needed for 5 s ends.
///   Counted: calls_outside.
template <class Function>
auto blocking(Function&& function) {
  auto alone = [&]() -> decltype(auto) { return function(); };  // it is handed no context
  struct call_state {
    decltype(alone)& function;
    context& here;
    detail::outcome<decltype(alone)> left;
    static void run(void* pointer) noexcept {
      auto& self = *static_cast<call_state*>(pointer);
      self.left.take_all_from(self.function, self.here);
    }
  } state{alone, detail::this_context(), {}};
  detail::call_outside(state.here, &call_state::run, &state);
  state.left.rethrow();
  if constexpr (!std::is_void_v<typename detail::outcome<decltype(alone)>::result>) return state.left.get();
}

}  // namespace TEFF_NAMESPACE

#endif
