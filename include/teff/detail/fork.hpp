// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where join and the loops meet the pool: fork a job that lies on the caller's stack, then settle it. The only place to change
/// for a pool that can do this without worker_operations.
#pragma once

#include "teff/group.hpp"

#include "sync/job.h"

#include <exception>
#include <new>
#include <type_traits>
#include <utility>
#include <variant>

namespace teff::inline TEFF_PLATFORM::detail {

/// What a function leaves: its value (std::monostate for void), or what escaped from it.
template <class Function>
class outcome {
 public:
  using result = std::decay_t<decltype(call(std::declval<Function&>(), std::declval<context&>()))>;
  using value = std::conditional_t<std::is_void_v<result>, std::monostate, result>;

  outcome() noexcept {}
  outcome(const outcome&) = delete;
  outcome& operator=(const outcome&) = delete;
  ~outcome() {
    if (holds_ == what::value) value_.~value();
    else if (holds_ == what::exception) [[unlikely]] exception_.~exception_ptr();
  }

  /// Effect: calls the function and keeps what it returns. Errors: what escapes from it.
  void take_from(Function& function, context& here) {
    if constexpr (std::is_void_v<result>) {
      call(function, here);
      ::new (&value_) value();
    } else {
      ::new (&value_) value(call(function, here));
    }
    holds_ = what::value;
  }
  /// Effect: the same, and keeps what escapes, too.
  void take_all_from(Function& function, context& here) noexcept {
    try {
      take_from(function, here);
    } catch (...) {
      ::new (&exception_) std::exception_ptr(std::current_exception());
      holds_ = what::exception;
    }
  }
  /// Errors: rethrows what escaped.
  void rethrow() const {
    if (holds_ == what::exception) [[unlikely]]
      std::rethrow_exception(exception_);
  }
  /// Pre: there is a value.
  value&& get() noexcept { return std::move(value_); }

 private:
  enum class what : unsigned char { nothing, value, exception };

  union {
    value value_;
    std::exception_ptr exception_;
  };
  what holds_ = what::nothing;
};

/// A job that calls a function of the caller's, and keeps what it leaves. Both outlive it, on the stack of who forks it. Reports
/// name it by `Shown`.
template <class Function, class Shown = Function>
class job_of final : public sync::job {
 public:
  job_of(Function& function, outcome<Function>& left) : job(&run), function_(function), left_(left) {}

  /// Effect: calls the function. Threads: whoever took the job.
  void call_here(context& here) noexcept { left_.take_all_from(function_, here); }
  /// Errors: rethrows what escaped.
  void rethrow() const { left_.rethrow(); }

 private:
  static void run(worker& current, child_head* head_of_job) {
    auto& self = *static_cast<job_of*>(static_cast<job*>(head_of_job));
    if (self.begin(current, label_of<Shown>())) self.call_here(*head(current).here);
    if (!head(current).discarding) self.end();
  }

  Function& function_;
  outcome<Function>& left_;
};

/// Effect: makes the job a task that others may take. Post: settle, drop or settle_elsewhere is called before its
/// scope ends.
/// Cost: as context::put, without memory.
template <class Job>
void fork(context& here, Job& forked) {
  forked.fork(here.current());
}

/// Effect: runs the job here if nobody has it, else waits for who has. Errors: rethrows what escaped from it. Blocks: the fiber.
template <class Job>
void settle(context& here, Job& forked) {
  if (!forked.take_back_and_run(here.current())) forked.wait(here.current());
  forked.rethrow();
}

/// Effect: the job will not run any more, or has ended; what it left is forgotten. Blocks: the fiber.
template <class Job>
void drop(context& here, Job& forked) {
  forked.drop(here.current());
}

/// Effect: forks the job and calls function(); if that throws, drops the job. Post: else settle is called before its scope ends.
///   Returns: what the function returned.
template <class Job, class Function>
decltype(auto) call_beside(context& here, Job& forked, Function&& function) {
  fork(here, forked);
  try {
    return function();
  } catch (...) {
    drop(here, forked);
    throw;
  }
}

/// Effect: as settle, but the job runs on another stack, unless there is none. Blocks: the fiber.
template <class Job>
void settle_elsewhere(context& here, Job& forked) {
  forked.wait(here.current());
  forked.rethrow();
}

/// Effect: returns function(context&), called on another stack.
template <class Function>
[[gnu::noinline]] auto call_elsewhere(context& here, Function& function) {
  outcome<Function> left;
  job_of<Function> whole(function, left);
  fork(here, whole);
  settle_elsewhere(here, whole);
  if constexpr (!std::is_void_v<typename outcome<Function>::result>) return left.get();
}

/// Effect: returns function(context&), called here, or, if the stack is nearly used up, on another one: recursions by tasks end
/// with the memory, not with a stack.
template <class Function>
auto call_with_room(context& here, Function&& function) {
  if (!here.has_room()) [[unlikely]]
    return call_elsewhere(here, function);
  return function(here);
}

}  // namespace teff::inline TEFF_PLATFORM::detail
