// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tasks that are waited for.
#pragma once

#include "teff/detail/cpp20.hpp"
#if __cplusplus >= 202002L

#include "teff/task.hpp"

#include "sync/group.h"

#include <exception>
#include <new>
#include <type_traits>
#include <utility>

namespace TEFF_NAMESPACE {

namespace detail {

/// Errors: usage_error, always.
[[noreturn]] void refuse_outside();

/// A call of the default team that goes on: as long as there is one, the team does not end.
class visit_of_default_team {
 public:
  /// Effect: makes the team, if there is none. Errors: std::bad_alloc; usage_error in simulation.
  visit_of_default_team();
  visit_of_default_team(visit_of_default_team&& other) noexcept : keeper_(std::exchange(other.keeper_, nullptr)) {}
  ~visit_of_default_team() {
    if (keeper_ != nullptr) leave();
  }

 private:
  void leave() noexcept;

  void* keeper_;
};

/// Effect: gives the default team a child of a group, which it has to count itself. Pre: the caller holds a visit. Errors:
/// std::bad_alloc; then the child's memory is free.
void inject_child(sync::group& of, child_head* child);
/// Effect: returns when every child has finished. Threads: any. Errors: usage_error if they are nobody's: in the parent process
/// of a fork(), or gone with a team whose run could not end; then the group is empty.
void wait_anywhere(sync::group& of);
/// The same for destructors: children that are nobody's are forgotten. Returns: false if it did not wait, since a task has
/// called exit, which destroys the static `owner`: the process ends around the children.
bool finish_anywhere(sync::group& of, const void* owner) noexcept;

template <class Function>
concept task_function = std::is_invocable_v<Function&, context&> || std::is_invocable_v<Function&>;

template <class Function>
decltype(auto) call(Function& function, context& here) {
  if constexpr (std::is_invocable_v<Function&, context&>) return function(here);
  else return function();
}

/// A child shows its group on its stack, also while its closure is moved or destroyed: where a team stands still, what it has of
/// a group's children is told by that.
class as_child_of {
 public:
  [[gnu::always_inline]] as_child_of(context& here, const sync::group& of) : frame_(*here.frame->full()) { frame_.group = &of; }
  as_child_of(const as_child_of&) = delete;
  [[gnu::always_inline]] ~as_child_of() { frame_.group = nullptr; }

 private:
  full_frame& frame_;
};

/// Effect: calls the closure of a child that has begun, unless the group is cancelled; keeps what escapes from it.
/// Always in line: a call more takes 4 % of fib by groups.
template <class Function>
[[gnu::always_inline]] inline void run_as_child(context& here, sync::group& of, Function& function) {
  if (of.cancelled()) return;
  try {
    call(function, here);
  } catch (...) {
    of.keep_exception();
  }
}

/// The same for a closure that `take()` moves from elsewhere; what escapes from the move or the destructor is kept, too.
template <class Function, class Take>
void run_moved_child(context& here, sync::group& of, Take take) {
  try {
    Function moved = take();
    run_as_child(here, of, moved);
  } catch (...) {
    of.keep_exception();
  }
}

/// Effect: destroys a child's closure and frees its block; keeps what escapes from the destructor.
template <storage Where, class Stored>
[[gnu::always_inline]] inline void dispose_of_child(context& here, sync::group& of, Stored& stored) {
  if constexpr (std::is_nothrow_destructible_v<Stored>) {
    dispose<Where>(here, stored);
  } else {
    try {
      dispose<Where>(here, stored);
    } catch (...) {
      of.keep_exception();
    }
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
    touch_as_runtime(&self, sizeof self, platform::to_read);
    if (head(current).discarding()) [[unlikely]]
      return discard<Where>(current, self);
    auto& of = *const_cast<sync::group*>(static_cast<const sync::group*>(self.group()));
    const unsigned cell = self.cell();
    context& here = *head(current).here;
    here.frame->begin(label_of<Function>());
    {
      const as_child_of shown(here, of);
      of.begin(here.current(), cell);
      if constexpr (Where == storage::argument_block) {
        run_as_child(here, of, self.function);
        dispose_of_child<Where>(here, of, self);
      } else {
        run_moved_child<Function>(here, of, [&] { return take_out(here, self, self.function); });
      }
    }
    of.end(cell);  // the closure is gone: who waits may destroy what it referred to
  }

  Function function;
};

template <class Function, storage Where, class Passed>
[[gnu::always_inline]] inline void spawn_in_block(worker& current, void* block, sync::group& of, Passed&& function) {
  auto* const made = make_in_block<child<Function>, Where>(current, block, of, std::forward<Passed>(function));
  made->run = &child<Function>::template run_from<Where>;
  made->is_counted_in(of.add(current));
  put_counted(current, task{head(current).operations->run_child, static_cast<child_head*>(made)});
}

template <class Function>
struct borrowed_child : borrowed_closure {
  borrowed_child(sync::group& of, Function& function) : borrowed_closure{&run_it}, of(of), function(function) {}
  static void run_it(worker& current, borrowed_closure& borrowed) {
    auto& self = static_cast<borrowed_child&>(borrowed);
    sync::group& of = self.of;
    context& here = *head(current).here;
    here.frame->begin(label_of<Function>());
    {
      const as_child_of shown(here, of);
      of.begin();
      run_moved_child<Function>(here, of, [&] { return take_back(self, self.function); });
    }
    of.end();
  }
  sync::group& of;
  Function& function;
};

/// Spawns a child as put_slow puts a task.
template <class Function, class Passed>
[[gnu::noinline]] void spawn_slow(worker& current, sync::group& of, Passed&& function) {
  const worker_operations& operations = *head(current).operations;
  const platform::account_mark putting(account_part::put_get);
  if (sizeof(child<Function>) <= operations.argument_bytes) {
    if (void* block = operations.allocate_argument(current))
      return spawn_in_block<Function, storage::argument_block>(current, block, of, std::forward<Passed>(function));
  } else if (void* block = allocate_large(sizeof(child<Function>))) {
    return spawn_in_block<Function, storage::large>(current, block, of, std::forward<Passed>(function));
  }
  Function own(std::forward<Passed>(function));
  of.add();
  borrowed_child<Function> without_memory(of, own);
  operations.run_borrowed(current, without_memory);
}

/// Effect: puts a child of the group. In line as put is.
template <class Function>
[[gnu::always_inline]] inline void spawn(worker& current, sync::group& of, Function&& function) {
  using stored_type = std::decay_t<Function>;
  using child_type = child<stored_type>;
  static_assert(alignof(child_type) <= alignof(std::max_align_t), "over-aligned closures are not supported: pass a pointer");
  void* const block = take_quick_block<sizeof(child_type)>(current);
  if (block == nullptr) [[unlikely]]
    return spawn_slow<stored_type>(current, of, by_value_if_small(std::forward<Function>(function)));
  spawn_in_block<stored_type, storage::argument_block>(current, block, of, std::forward<Function>(function));
}

/// Effect: the same from a thread that is no worker, into the default team, which does not end before the child has.
/// Considered: a call of the team that spawns: the thread would wait for it, two wake-ups for each child.
template <class Function>
void spawn_from_outside(sync::group& of, Function&& function) {
  using stored_type = std::decay_t<Function>;
  static_assert(alignof(stored_type) <= alignof(std::max_align_t), "over-aligned closures are not supported: pass a pointer");
  // The visit ends with the closure, before the group hears of it: who has waited may end the team.
  auto closure = [visit = visit_of_default_team(),
                  called = stored_type(std::forward<Function>(function))](context& here) mutable {
    here.frame->show(label_of<stored_type>());
    call(called, here);
  };
  using child_type = child<decltype(closure)>;
  void* const block = allocate_large(sizeof(child_type));
  if (block == nullptr) throw std::bad_alloc();
  child_type* made;
  try {
    made = ::new (block) child_type(of, std::move(closure));
  } catch (...) {
    release_large(block, sizeof(child_type));
    throw;
  }
  made->run = &child_type::template run_from<storage::large>;
  inject_child(of, made);
}

}  // namespace detail

/// Tasks that are waited for together.
///
/// A waiting task runs its own unstarted children on its own stack, never unrelated tasks; when none is left, it is set aside
/// until the last child has finished, and its worker does other work. (Pools that are published as blocking at once, sq3 and sq4,
/// set it aside right away.) It may go on on another worker.
///
/// A thread that is no worker may do all this, too: its children become tasks of the default team (default_team.hpp), which is
/// made if there is none, and its wait parks the thread. What it puts and what tasks put may be children of one group.
///
/// Threads: tasks and other threads; put by any, also by the children and while one waits (who puts knows that the wait has not
/// returned: it is a child, or the one that waits needs it for something else); wait by one at a time. It is destroyed when no
/// other thread or task uses it any more; its children have finished then, since the destructor waits for them.
/// fork(): the child process has none of the parent's tasks: a group with unfinished ones that a thread outside has put is
/// empty there, and its wait says so by a usage_error.
class task_group {
 public:
  task_group() = default;
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;
  /// Effect: waits for the children; their exceptions are dropped.
  ~task_group() {
    if (!state_.finished()) detail::finish_anywhere(state_, this);
  }

  /// Effect: makes `function`, called once as function() or function(context&), a ready task of the group.
  /// Errors: an exception that escapes from it, or from its destructor, is rethrown by wait. If memory is refused, it runs first;
  ///   from a thread that is no worker: std::bad_alloc, and in simulation usage_error.
  /// Threads: any; the form that is given the context: the task. Blocks: as context::put; a thread that is no worker: never, but
  /// for
  ///   the locks of the pool. If the system refuses the default team its thread, the child runs at once on the caller's.
  /// Cost: context::put and one read-modify-write of the group's word; the form that is given the context saves a thread-local
  ///   look-up. From outside: a block from the heap, a lock, an injection and a wake-up, about a microsecond.
  template <class Function>
    requires detail::task_function<std::decay_t<Function>>
  void put(Function&& function) {
    if (context* const here = detail::context_here(); here != nullptr) [[likely]]
      put(*here, std::forward<Function>(function));
    else detail::spawn_from_outside(state_, std::forward<Function>(function));
  }
  template <class Function>
    requires detail::task_function<std::decay_t<Function>>
  void put(context& here, Function&& function) {
    detail::spawn(here.current(), state_, std::forward<Function>(function));
  }

  /// Effect: returns when all children have finished. Afterwards the group may be used again, and is not cancelled.
  /// Errors: the first exception that escaped from a child is rethrown; `exceptions()` says how many there were. usage_error if
  ///   the children are in the parent process of a fork(), or, to a thread, if they are gone with a team whose run could not end.
  /// Threads: any; the form that is given the context: the task. Blocks: the fiber; a thread that is no worker.
  void wait() {
    detail::wait_anywhere(state_);
    end_wait();
  }
  void wait(context& here) {
    state_.wait(here.current());
    end_wait();
  }
  /// Effect: children that have not begun will not run, until wait has returned. Those that run may ask is_cancelled. Errors:
  /// none. Threads: any, as long as the group exists. Blocks: never.
  void cancel() { state_.cancel(); }
  /// Threads: as cancel.
  bool is_cancelled() const { return state_.cancelled(); }
  /// Returns: how many exceptions escaped from children before the last wait returned; the first was rethrown. Threads: as wait.
  std::uint64_t exceptions() const { return exceptions_; }

 private:
  void end_wait() {
    state_.reset();
    exceptions_ = state_.take_exception_count();
    if (exceptions_ != 0) [[unlikely]]
      std::rethrow_exception(state_.take_exception());
  }

  sync::group state_;
  std::uint64_t exceptions_ = 0;
};

namespace detail {
inline constexpr std::uint32_t group_layout = layout_of<sync::group, task_group>();
[[gnu::visibility("hidden")]] inline const bool has_the_librarys_groups = require_layout(layout_part::groups, group_layout);
}  // namespace detail

}  // namespace TEFF_NAMESPACE

#endif
