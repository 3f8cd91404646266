// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tasks: what a running task may do.
#pragma once

#include "teff/detail/own_tasks.hpp"
#include "teff/platform.hpp"

#include "mem/free_list.h"
#include "task/context.h"
#include "task/worker.h"

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace teff::inline TEFF_PLATFORM {

namespace detail {

/// Returns: the handle of the task that calls. Errors: usage_error outside of any task.
context& this_context();

/// Memory for closures that do not fit an argument block. Returns: nullptr if refused.
void* allocate_large(std::size_t bytes) noexcept;
void release_large(void* block, std::size_t bytes) noexcept;

template <class Function>
void put(worker& current, Function&& function);

}  // namespace detail

namespace this_task {

/// Effect: reports, such as the explanation of a hang, call the running task so, until it ends. `literal` lives as long as the program.
/// Errors: usage_error if the caller is no task.
void set_name(const char* literal);

/// Effect: takes `units` of time: as many iterations of an empty loop natively, as many cycles of virtual time in simulation.
/// It is how synthetic work, and work that is simulated, takes time. Threads: tasks; natively anybody.
#ifdef TEFF_SIMULATED
void charge(std::uint64_t units);
#else
inline void charge(std::uint64_t units) {
  for (std::uint64_t i = 0; i < units; ++i) asm volatile("" :::);
}
#endif

}  // namespace this_task

/// While it exists, the calling task stays on its thread: after each call that sets it aside it goes on on the worker that it was on,
/// and no other thread carries that worker. For libraries that want to be called by one thread, and for what is kept in thread-local
/// variables over a waiting call. Tasks that it makes are not pinned by it, nor are the functions of its joins and loops.
///
/// A pinned task that may go on waits until its worker has finished the task that it runs; teff::blocking keeps the worker waiting
/// while any of its tasks is pinned. Destroyed by the task that made it. Errors: usage_error outside of any task, also inside
/// teff::blocking. Blocks: never. Cost: two additions; each resumption: a wake-up of that worker, about a microsecond.
class pin {
 public:
  pin() : pin(detail::this_context()) {}
  explicit pin(context& here);
  ~pin() { here_.unpin(); }
  pin(const pin&) = delete;
  pin& operator=(const pin&) = delete;

 private:
  context& here_;
};

/// While it exists, the calling task is not set aside because it put too many tasks: they wait beyond the bound, and are counted as
/// beyond_bound. For tasks that put while they hold a lock that Teff does not know: a child that takes it could not go on before its
/// creator does. (Under a teff::mutex no such scope is needed, unless it spins: a task that waits for one lets others run.)
///
/// It is about the puts of this task, not about those in the functions of its joins and loops. Errors: usage_error without a
/// context, outside of any task. Threads: the task that made it. Cost: an addition.
class no_suspend {
 public:
  no_suspend() : no_suspend(detail::this_context()) {}
  explicit no_suspend(context& here) : here_(here) { ++here_.no_suspend_scopes; }
  ~no_suspend() { --here_.no_suspend_scopes; }
  no_suspend(const no_suspend&) = delete;
  no_suspend& operator=(const no_suspend&) = delete;

 private:
  context& here_;
};

namespace detail {

enum class storage { argument_block, large };

/// Returns: nullptr if memory is refused. Cost: with the default memory manager, mostly a few loads and stores.
inline void* allocate_argument(worker& current) {
  const worker_head& own = head(current);
  if (own.arguments != nullptr) [[likely]] {
    if (mem::link* const block = own.arguments->pop()) [[likely]] {
      current.count(trace::counter::list_visits);
      return block;
    }
  }
  return own.operations->allocate_argument(current);
}

template <storage Where>
void release_block(worker& current, void* block, std::size_t bytes) {
  const worker_head& own = head(current);
  if constexpr (Where == storage::large) release_large(block, bytes);
  else if (own.arguments == nullptr || !own.arguments->push_if_room(static_cast<mem::link*>(block))) [[unlikely]]
    own.operations->release_argument(current, block);
}

/// Returns: the closure, moved out of its block, which is free afterwards, also if the move throws.
template <class Function, storage Where>
Function take_closure(worker& current, void* block) {
  struct leaving {
    worker& current;
    Function* stored;
    ~leaving() {
      stored->~Function();
      release_block<Where>(current, stored, sizeof(Function));
    }
  } guard{current, static_cast<Function*>(block)};
  return std::move(*guard.stored);
}

/// Runs a closure and frees the block in which it lies.
template <class Function, storage Where>
void run_closure(worker& current, void* block) {
  // Moved out, so that the block is free again (and warm) when the task puts its first child.
  Function function = take_closure<Function, Where>(current, block);
  if (head(current).discarding) [[unlikely]]
    return;
  context& here = *head(current).here;
  here.frame->begin(label_of<Function>());
  function(here);
}

/// Effect: makes the closure in the block. Post: if that throws, `give_back()` was called.
template <class Stored, class Function, class GiveBack>
void store_closure(void* block, Function&& function, GiveBack give_back) {
  if constexpr (std::is_nothrow_constructible_v<Stored, Function>) {
    ::new (block) Stored(std::forward<Function>(function));
  } else {
    try {
      ::new (block) Stored(std::forward<Function>(function));
    } catch (...) {
      give_back();
      throw;
    }
  }
}

/// Runs a closure where it lies.
template <class Function>
void run_in_place(worker& current, void* callable) {
  (*static_cast<Function*>(callable))(*head(current).here);
}

/// Runs a task for which there was no memory, with a closure of its own on its creator's stack.
template <class Stored, class Function>
[[gnu::noinline]] void put_without_memory(worker& current, Function&& function) {
  Stored stored(std::forward<Function>(function));
  head(current).operations->run_in_place(current, task{&run_in_place<Stored>, &stored});
}

/// A task whose closure lies in memory of its own: for those who put from outside the team.
template <class Function>
task make_outside_task(Function&& function) {
  using stored_type = std::decay_t<Function>;
  static_assert(alignof(stored_type) <= alignof(std::max_align_t), "over-aligned closures are not supported: pass a pointer");
  static_assert(std::is_invocable_v<stored_type&, context&>, "a task is called as function(teff::context&)");
  void* block = allocate_large(sizeof(stored_type));
  if (block == nullptr) throw std::bad_alloc();
  store_closure<stored_type>(block, std::forward<Function>(function), [&] { release_large(block, sizeof(stored_type)); });
  return {&run_closure<stored_type, storage::large>, block};
}

/// In line, so that the closure is made where it will lie: a copy of what has just been written in smaller pieces waits for them.
template <class Function>
[[gnu::always_inline]] inline void put(worker& current, Function&& function) {
  using stored_type = std::decay_t<Function>;
  static_assert(alignof(stored_type) <= alignof(std::max_align_t), "over-aligned closures are not supported: pass a pointer");
  static_assert(std::is_invocable_v<stored_type&, context&>, "a task is called as function(teff::context&)");
  const worker_operations& operations = *head(current).operations;
  const bool fits = sizeof(stored_type) <= operations.argument_bytes;
  void* block = fits ? allocate_argument(current) : allocate_large(sizeof(stored_type));
  if (block == nullptr) [[unlikely]]
    return put_without_memory<stored_type>(current, std::forward<Function>(function));
  store_closure<stored_type>(block, std::forward<Function>(function), [&] {
    if (fits) release_block<storage::argument_block>(current, block, sizeof(stored_type));
    else release_block<storage::large>(current, block, sizeof(stored_type));
  });
  put_counted(current,
              task{fits ? &run_closure<stored_type, storage::argument_block> : &run_closure<stored_type, storage::large>, block});
}

}  // namespace detail

template <class Function>
[[gnu::always_inline]] inline void context::put(Function&& function) {
  detail::put(*worker_, std::forward<Function>(function));
}

}  // namespace teff::inline TEFF_PLATFORM
