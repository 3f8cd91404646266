// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tasks that are waited for.
#pragma once

#include "teff/task.hpp"

#include "sync/group.h"

#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace teff::inline TEFF_PLATFORM {

namespace detail {

/// Errors: usage_error, always.
[[noreturn]] void refuse_empty_future();
[[noreturn]] void refuse_outside();

template <class Function>
concept task_function = std::is_invocable_v<Function&, context&> || std::is_invocable_v<Function&>;

template <class Function>
decltype(auto) call(Function& function, context& here) {
  if constexpr (std::is_invocable_v<Function&, context&>) return function(here);
  else return function();
}

/// Effect: calls the closure, unless the group is cancelled; keeps what escapes from it.
template <class Function>
void run_as_child(context& here, sync::group& of, Function& function) {
  of.begin();
  if (of.cancelled()) return;
  full_frame& frame = *here.frame->full();
  frame.group = &of;
  try {
    call(function, here);
  } catch (...) {
    of.keep_exception();
  }
  frame.group = nullptr;
}

/// The same for a closure that `take()` moves from elsewhere; what escapes from the move is kept, too.
template <class Function, class Take>
void run_moved_child(context& here, sync::group& of, Take take) {
  try {
    Function moved = take();
    run_as_child(here, of, moved);
  } catch (...) {
    of.begin();
    of.keep_exception();
  }
}

/// A child with its closure, in an argument block or in memory of its own.
template <class Function>
struct child : child_head {
  child(sync::group& of, Function&& function) : child_head{&of, nullptr}, function(std::move(function)) {}
  child(sync::group& of, const Function& function) : child_head{&of, nullptr}, function(function) {}

  template <storage Where>
  static void run_from(worker& current, child_head* head_of_child) {
    auto& self = *static_cast<child*>(head_of_child);
    if (head(current).discarding) [[unlikely]]
      return discard<Where>(current, self);
    auto& of = *static_cast<sync::group*>(const_cast<void*>(self.group));
    context& here = *head(current).here;
    here.frame->begin(label_of<Function>());
    if constexpr (Where == storage::argument_block) {
      run_as_child(here, of, self.function);
      dispose<Where>(here, self);
    } else {
      run_moved_child<Function>(here, of, [&] { return take_out(here, self, self.function); });
    }
    of.end();  // the closure is gone: who waits may destroy what it referred to
  }

  Function function;
};

template <class Function, storage Where, class Passed>
[[gnu::always_inline]] inline void spawn_in_block(worker& current, void* block, sync::group& of, Passed&& function) {
  auto* const made = make_in_block<child<Function>, Where>(current, block, of, std::forward<Passed>(function));
  made->run = &child<Function>::template run_from<Where>;
  of.add();
  put_counted(current, task{&run_child, static_cast<child_head*>(made)});
}

template <class Function>
struct lent_child : lent_closure {
  lent_child(sync::group& of, Function& function) : lent_closure{&run_it}, of(of), function(function) {}
  static void run_it(worker& current, lent_closure& lent) {
    auto& self = static_cast<lent_child&>(lent);
    sync::group& of = self.of;
    context& here = *head(current).here;
    here.frame->begin(label_of<Function>());
    run_moved_child<Function>(here, of, [&] { return take_back(self, self.function); });
    of.end();
  }
  sync::group& of;
  Function& function;
};

/// Spawns a child as put_slow puts a task.
template <class Function, class Passed>
[[gnu::noinline]] void spawn_slow(worker& current, sync::group& of, Passed&& function) {
  const worker_operations& operations = *head(current).operations;
  if (sizeof(child<Function>) <= operations.argument_bytes) {
    if (void* block = operations.allocate_argument(current))
      return spawn_in_block<Function, storage::argument_block>(current, block, of, std::forward<Passed>(function));
  } else if (void* block = allocate_large(sizeof(child<Function>))) {
    return spawn_in_block<Function, storage::large>(current, block, of, std::forward<Passed>(function));
  }
  Function own(std::forward<Passed>(function));
  of.add();
  lent_child<Function> without_memory(of, own);
  operations.run_lent(current, without_memory);
}

/// Effect: puts a child of the group. In line as put is.
template <class Function>
[[gnu::always_inline]] inline void spawn(worker& current, sync::group& of, Function&& function) {
  using stored_type = std::decay_t<Function>;
  using child_type = child<stored_type>;
  static_assert(alignof(child_type) <= alignof(std::max_align_t), "over-aligned closures are not supported: pass a pointer");
  void* const block = take_quick_block<sizeof(child_type)>(current);
  if (block == nullptr) [[unlikely]]
    return spawn_slow<stored_type>(current, of, apart(std::forward<Function>(function)));
  spawn_in_block<stored_type, storage::argument_block>(current, block, of, std::forward<Function>(function));
}

}  // namespace detail

/// Tasks that are waited for together.
///
/// A waiting task runs its own unstarted children on its own stack, never unrelated tasks; when none is left, it is set aside until the
/// last child has finished, and its worker does other work. (Pools that are published as blocking at once, sq3 and sq4, set it aside
/// right away.) It may go on on another worker.
///
/// Threads: made, used and destroyed by tasks of one team; spawn by any of them, also by the children and while one waits (who
/// spawns knows that the wait has not returned: it is a child, or the one that waits needs it for something else); wait by one at
/// a time.
class task_group {
 public:
  task_group() = default;
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;
  /// Effect: waits for the children; their exceptions are dropped.
  ~task_group() {
    if (!state_.finished()) state_.wait(detail::this_context().current());
  }

  /// Effect: makes `function`, called once as function() or function(context&), a ready task of the group.
  /// Errors: usage_error if the caller is no task. An exception that escapes from it is rethrown by wait. If memory is refused, it runs
  ///   first. Blocks: as context::put. Cost: context::put and one read-modify-write of the group's word; the form that is
  ///   given the context saves a thread-local look-up.
  template <detail::task_function Function>
  void spawn(Function&& function) {
    spawn(detail::this_context(), std::forward<Function>(function));
  }
  template <class Function>
    requires detail::task_function<std::decay_t<Function>>
  void spawn(context& here, Function&& function) {
    detail::spawn(here.current(), state_, std::forward<Function>(function));
  }

  /// Effect: returns when all children have finished. Afterwards the group may be used again, and is not cancelled.
  /// Errors: the first exception that escaped from a child is rethrown; `exceptions()` says how many there were. usage_error if the caller is
  ///   no task.
  /// Blocks: the fiber.
  void wait() { wait(detail::this_context()); }
  void wait(context& here) {
    state_.wait(here.current());
    state_.reset();
    exceptions_ = state_.take_exception_count();
    if (exceptions_ != 0) [[unlikely]]
      std::rethrow_exception(state_.take_exception());
  }

  /// Effect: children that have not begun will not run, until wait has returned. Those that run may ask is_cancelled. Errors:
  /// none. Threads: any, as long as the group exists. Blocks: never.
  void cancel() { state_.cancel(); }
  /// Threads: as cancel.
  bool is_cancelled() const { return state_.cancelled(); }
  /// Returns: how many exceptions escaped from children before the last wait returned; the first was rethrown. Threads: as wait.
  std::uint64_t exceptions() const { return exceptions_; }

 private:
  sync::group state_;
  std::uint64_t exceptions_ = 0;
};

/// The result of a task, when it has come. Made by async.
///
/// Threads: used by tasks of the team, one at a time; a task gives it to another by moving it.
template <class T>
class future {
 public:
  future() = default;
  future(future&&) noexcept = default;
  future& operator=(future&& other) noexcept {
    if (this == &other) return *this;
    finish();
    state_ = std::move(other.state_);
    return *this;
  }
  /// Effect: waits for the task; its result or exception is dropped.
  ~future() { finish(); }

  /// Whether there is a task whose result was not fetched yet.
  bool valid() const { return state_ != nullptr; }
  /// Returns: whether get would not wait. Errors: usage_error if there is no task. Blocks: never. Threads: as get.
  bool ready() const {
    if (state_ == nullptr) detail::refuse_empty_future();
    return state_->task.finished();
  }

  /// Returns: what the task returned, once. Errors: what escaped from the task; usage_error if there is no task, or the caller is none.
  /// Blocks: the fiber, as task_group::wait.
  T get() { return get(detail::this_context()); }
  T get(context& here) {
    if (state_ == nullptr) detail::refuse_empty_future();
    state_->task.wait(here.current());
    const std::unique_ptr<state> ended = std::move(state_);
    if (std::exception_ptr escaped = ended->task.take_exception()) std::rethrow_exception(escaped);
    if constexpr (!std::is_void_v<T>) return std::move(*ended->result);
  }

 private:
  template <class Function>
  friend auto async(context& here, Function&& function);

  struct nothing {};
  struct state {
    sync::group task;
    std::optional<std::conditional_t<std::is_void_v<T>, nothing, T>> result;
  };

  void finish() {
    if (state_ != nullptr && !state_->task.finished()) state_->task.wait(detail::this_context().current());
    state_.reset();
  }

  std::unique_ptr<state> state_;
};

/// Effect: makes `function`, called once as function() or function(context&), a ready task. Returns: the future of its result: of
/// a copy, if it returns a reference (return a pointer to share what is referred to).
/// Errors and cost: as task_group::spawn, and a block from the heap.
template <class Function>
auto async(context& here, Function&& function) {
  using stored_type = std::decay_t<Function>;
  using result_type = std::decay_t<decltype(detail::call(std::declval<stored_type&>(), here))>;
  future<result_type> made;
  made.state_ = std::make_unique<typename future<result_type>::state>();
  detail::spawn(here.current(), made.state_->task,
                [kept = made.state_.get(), called = stored_type(std::forward<Function>(function))](context& own) mutable {
                  own.frame->show(label_of<stored_type>());
                  if constexpr (std::is_void_v<result_type>) detail::call(called, own);
                  else kept->result.emplace(detail::call(called, own));
                });
  return made;
}

template <detail::task_function Function>
auto async(Function&& function) {
  return async(detail::this_context(), std::forward<Function>(function));
}

}  // namespace teff::inline TEFF_PLATFORM
