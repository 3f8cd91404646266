// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where join and the loops meet the pool: fork a task that lies on the caller's stack, then settle it.
#pragma once

#include "teff/detail/own_tasks.hpp"
#include "teff/group.hpp"

#include "platform/ends.h"
#include "sync/forked_task.h"

#include <exception>
#include <new>
#include <type_traits>
#include <utility>
#include <variant>

namespace TEFF_NAMESPACE::detail {

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
      ::new (&exception_) std::exception_ptr(platform::caught_exception());
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

/// What a function returns, as something to keep: its value; std::monostate for void.
template <class Function>
[[gnu::always_inline]] inline typename outcome<Function>::value call_for_value(Function& function, context& here) {
  if constexpr (std::is_void_v<typename outcome<Function>::result>) {
    call(function, here);
    return {};
  } else {
    return call(function, here);
  }
}

/// Room for a value that a function returns into it, without a move; also of a type that takes anything for its constructor,
/// which std::optional would hand the function to.
template <class Value>
class kept {
 public:
  kept() noexcept {}
  kept(const kept&) = delete;
  kept& operator=(const kept&) = delete;
  ~kept() {
    if (there_) value_.~Value();
  }

  /// Effect: keeps what maker() returns. Pre: called once.
  template <class Maker>
  [[gnu::always_inline]] void make(Maker maker) {
    ::new (&value_) Value(maker());
    there_ = true;
  }
  Value&& get() noexcept { return std::move(value_); }

 private:
  union {
    Value value_;
  };
  bool there_ = false;
};

/// What may be copied without anybody noticing: closures that were made for the call. They lie in registers, or at once where
/// they are needed.
template <class Function>
constexpr bool may_be_copied() {
  using called = std::remove_reference_t<Function>;
  if constexpr (std::is_lvalue_reference_v<Function> || std::is_function_v<called>) return false;  // functions have no size
  else
    return !std::is_const_v<called> && std::is_trivially_copyable_v<called> && std::is_copy_constructible_v<called> &&
           sizeof(called) <= 64;
}
template <class Function>
inline constexpr bool is_copied = may_be_copied<Function>();

/// Marks functions of the runtime that say themselves, by label(), what reports call them.
struct says_label {};

template <class Function>
struct labelled_call : says_label {
  labelled_call(const char* text, Function called) : text(text), function(std::move(called)) {}
  const char* label() const { return text; }
  const char* text;
  Function function;

  decltype(auto) operator()(context& here) const { return function(here); }
};
template <class Shown, class Function>
[[gnu::always_inline]] inline const char* label_for([[maybe_unused]] const Function& function) {
  if constexpr (std::is_base_of_v<says_label, Function>) return function.label();
  else return label_of<Shown>();
}

/// A forked task that calls a function of the caller's: `Function` is a reference to it, or no reference, and then it has a copy.
/// Reports name it by `Shown`.
///
/// What the function leaves goes to whoever settles the forked task: directly, if that runs in place; else it lies here.
template <class Function, class Shown = std::remove_reference_t<Function>>
class forked_task_of final : public sync::forked_task {
 public:
  using left_by = outcome<std::remove_reference_t<Function>>;
  using value = typename left_by::value;

  explicit forked_task_of(std::remove_reference_t<Function>& function) : function_(function) {}
  ~forked_task_of() {}

  task as_task() { return {&run, this}; }

  /// Effect: calls the function as a task on top of the caller's, which has taken the forked task back. Returns: what it
  /// returned. Errors: what escapes from it.
  [[gnu::always_inline]] value run_in_place(context& here) {
    return run_on_top(here, [&]() __attribute__((always_inline)) -> value { return call_for_value(function_, here); });
  }
  /// The same by another function, which does the same.
  template <class Instead>
  [[gnu::always_inline]] value run_on_top(context& here, Instead instead) {
    task_frame own(here.frame, label_for<Shown>(function_));
    const forked_task_above now(here, own);
    platform::progress();
    if constexpr (std::is_void_v<decltype(instead())>) {
      instead();
      return {};
    } else {
      return instead();
    }
  }
  /// Effect: returns or rethrows what the runner left. Pre: it has ended the forked task; called once.
  value take_left() {
    struct ending {
      left_by& left;
      ~ending() { left.~left_by(); }
    } guard{left_};
    left_.rethrow();
    return left_.get();
  }
  /// Effect: forgets what the runner left. Pre: as take_left.
  void drop_left() { left_.~left_by(); }

 private:
  static void run(worker& current, void* argument) {
    if (head(current).discarding()) [[unlikely]]
      return;
    auto& self = *static_cast<forked_task_of*>(argument);
    context& here = *head(current).here;  // the fiber's: it follows the fiber from worker to worker
    self.begin(current, label_for<Shown>(self.function_));
    ::new (&self.left_) left_by();
    self.left_.take_all_from(self.function_, here);
    self.end(here);
  }

  Function function_;
  union {
    left_by left_;  ///< made by the runner
  };
};

/// Returns: the address, of which compilers do not know that it is the one that they had before: else they keep it in a register
/// over the calls in between, which costs saving one.
template <class Job>
[[gnu::always_inline]] inline void* address_once(Job& forked) {
  void* address;
#if defined(__x86_64__)
  asm("leaq %1, %0" : "=r"(address) : "m"(forked));
#else
  address = &forked;
#endif
  return address;
}

/// Effect: makes the forked task a task that others may take. Post: settle, drop or settle_elsewhere is called before its
/// scope ends.
/// Cost: as context::put, without memory.
template <class Job>
[[gnu::always_inline]] inline void fork(context& here, Job& forked) {
  offer(here, {forked.as_task().entry, address_once(forked)});
}

/// Effect: takes the forked task back from where the newest task is another one. Returns: false if somebody has it.
template <class Job>
[[gnu::noinline]] bool takes_back(context& here, Job& forked) {
  if (!forked.take_back(here.current(), forked.as_task())) {
    show_newest(here);  // if somebody has begun it, nothing else has looked
    return false;
  }
  platform::tasks_wait(-1);  // no loop gets it
  head(here.current()).joined.add(1);
  return true;
}
/// Effect: as settle, if the newest task of this worker is another one.
template <class Job>
[[gnu::noinline]] typename Job::value settle_slow(context& here, Job& forked) {
  if (takes_back(here, forked)) return forked.run_in_place(here);
  forked.wait(here.current(), forked.as_task());
  return forked.take_left();
}

/// Effect: runs the forked task here if nobody has it, else waits for who has. Returns: what it returned. Errors: rethrows what
/// escaped from it. Blocks: the fiber.
template <class Job>
[[gnu::always_inline]] inline typename Job::value settle(context& here, Job& forked) {
  if (takes_newest(here, address_once(forked))) [[likely]]
    return forked.run_in_place(here);
  return settle_slow(here, forked);
}

/// Effect: the forked task will not run any more, or has ended; what it left is forgotten. Blocks: the fiber. Pre: in a handler
/// of everything.
template <class Job>
[[gnu::cold, gnu::noinline]] void drop(context& here, Job& forked) {
  platform::caught_exception();  // a thread that ends here must not wait: somebody else would go on with its end
  if (!forked.finished() && forked.take_back(here.current(), forked.as_task(), false)) return platform::tasks_wait(-1);
  forked.wait(here.current(), forked.as_task());
  forked.drop_left();
}

/// Effect: as settle, for one that somebody has, or which shall run on another stack: if there is none, it runs here all the
/// same. Blocks: the fiber.
template <class Job>
typename Job::value settle_elsewhere(context& here, Job& forked) {
  forked.wait(here.current(), forked.as_task());
  return forked.take_left();
}

/// Effect: as settle, but what runs here is instead(), which does what the forked task's function would.
template <class Job, class Instead>
[[gnu::always_inline]] inline typename Job::value settle_by(context& here, Job& forked, Instead instead) {
  if (!takes_newest(here, &forked) && !takes_back(here, forked)) [[unlikely]]
    return settle_elsewhere(here, forked);
  return forked.run_on_top(here, instead);
}

/// Effect: calls function(); if that throws, drops the forked task. Returns: what the function returned.
template <class Job, class Function>
[[gnu::always_inline]] inline decltype(auto) call_beside(context& here, Job& forked, Function&& function) {
  try {
    return function();
  } catch (...) {
    drop(here, forked);
    throw;
  }
}

/// Effect: returns function(context&), called on another stack.
template <class Function>
[[gnu::cold, gnu::noinline]] auto call_elsewhere(context& here, Function& function) {
  forked_task_of<Function&> whole(function);
  fork(here, whole);
  if constexpr (std::is_void_v<typename outcome<Function>::result>) settle_elsewhere(here, whole);
  else return settle_elsewhere(here, whole);
}

/// Effect: returns function(context&), called here, or, if the stack is nearly used up, on another one: recursions by tasks end
/// with the memory, not with a stack.
template <class Function>
auto call_with_room(context& here, Function&& function) {
  if (!here.has_room()) [[unlikely]]
    return call_elsewhere(here, function);
  return function(here);
}

inline constexpr std::uint32_t forked_task_layout = layout_of<sync::forked_task>();
[[gnu::visibility("hidden")]] inline const bool has_the_librarys_forked_tasks =
    require_layout(layout_part::forked_tasks, forked_task_layout);

}  // namespace TEFF_NAMESPACE::detail
