// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tasks whose result is wanted.
#pragma once

#include "teff/detail/cpp20.hpp"
#if __cplusplus >= 202002L

#include "teff/group.hpp"

#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace TEFF_NAMESPACE {

namespace detail {

/// Errors: usage_error, always.
[[noreturn]] void refuse_empty_future();

/// Returns: the future of a child that spawn(group, closure) spawns.
template <class Function, class Spawn>
auto make_future(Function&& function, Spawn spawn);

}  // namespace detail

/// The result of a task, when it has come. Made by async.
///
/// Threads: tasks and other threads, one at a time; one gives it to another by moving it. fork(): as of task_group.
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

  /// Returns: what the task returned, once.
  /// Errors: what escaped from the task; usage_error if there is no task, or if it is in the parent process of a fork(), or, to a
  ///   thread, gone with a team whose run could not end.
  /// Threads, blocks: as task_group::wait.
  T get() {
    if (state_ == nullptr) detail::refuse_empty_future();
    try {
      detail::wait_anywhere(state_->task);
    } catch (...) {
      if (state_->task.finished()) state_.reset();  // the task is nobody's, and has no result
      throw;
    }
    return take();
  }
  T get(context& here) {
    if (state_ == nullptr) detail::refuse_empty_future();
    state_->task.wait(here.current());
    return take();
  }

 private:
  template <class Function, class Spawn>
  friend auto detail::make_future(Function&& function, Spawn spawn);

  T take() {
    const std::unique_ptr<state> ended = std::move(state_);
    if (std::exception_ptr escaped = ended->task.take_exception()) std::rethrow_exception(escaped);
    if constexpr (!std::is_void_v<T>) {
      std::optional<T>& result = ended->result;
      if (!result) __builtin_unreachable();  // the task has ended, and nothing escaped
      return std::move(*result);
    }
  }

  struct nothing {};
  struct state {
    sync::group task;
    std::optional<std::conditional_t<std::is_void_v<T>, nothing, T>> result;
  };

  void finish() {
    if (state_ != nullptr && !state_->task.finished() && !detail::finish_anywhere(state_->task, this)) {
      state_.release();  // the task still writes there
      return;
    }
    state_.reset();
  }

  std::unique_ptr<state> state_;
};

template <class Function, class Spawn>
auto detail::make_future(Function&& function, Spawn spawn) {
  using stored_type = std::decay_t<Function>;
  using result_type = std::decay_t<decltype(call(std::declval<stored_type&>(), std::declval<context&>()))>;
  future<result_type> made;
  made.state_ = std::make_unique<typename future<result_type>::state>();
  spawn(made.state_->task,
        [kept = made.state_.get(), called = stored_type(std::forward<Function>(function))](context& own) mutable {
          own.frame->show(label_of<stored_type>());
          if constexpr (std::is_void_v<result_type>) call(called, own);
          else kept->result.emplace(call(called, own));
        });
  return made;
}

/// Effect: makes `function`, called once as function() or function(context&), a ready task. Returns: the future of its result: of
/// a copy, if it returns a reference (return a pointer to share what is referred to).
/// Errors and cost: as task_group::put, and a block from the heap.
template <class Function>
auto async(context& here, Function&& function) {
  return detail::make_future(std::forward<Function>(function), [&](sync::group& task, auto&& closure) {
    detail::spawn(here.current(), task, std::forward<decltype(closure)>(closure));
  });
}

template <class Function>
  requires detail::task_function<std::decay_t<Function>>
auto async(Function&& function) {
  return detail::make_future(std::forward<Function>(function), [](sync::group& task, auto&& closure) {
    if (context* const here = detail::context_here(); here != nullptr) [[likely]]
      detail::spawn(here->current(), task, std::forward<decltype(closure)>(closure));
    else detail::spawn_from_outside(task, std::forward<decltype(closure)>(closure));
  });
}

}  // namespace TEFF_NAMESPACE

#endif
