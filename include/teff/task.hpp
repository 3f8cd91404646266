// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tasks: what a running task may do.
#pragma once

#include "teff/detail/cpp20.hpp"
#if __cplusplus >= 202002L

#include "base/namespace.h"
#include "teff/detail/layout.hpp"
#include "teff/detail/own_tasks.hpp"

#include "mem/free_list.h"
#include "task/context.h"
#include "task/worker.h"

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace TEFF_NAMESPACE {

namespace detail {

/// Returns: the handle of the task that calls. Errors: usage_error outside of any task.
context& this_context();
/// Returns: the same; nullptr if the caller is no task of this process. Cost: three loads, four in a shared object.
[[gnu::always_inline]] inline context* context_here() {
  if constexpr (platform::has_forks) return static_cast<context*>(platform::current_here());
  auto* const current = static_cast<worker*>(platform::current());
  return current != nullptr ? head(*current).here : nullptr;
}

/// Memory for closures that do not fit an argument block. Returns: nullptr if refused.
void* allocate_large(std::size_t bytes) noexcept;
void release_large(void* block, std::size_t bytes) noexcept;

template <class Function>
void put(worker& current, Function&& function);

}  // namespace detail

namespace this_task {

/// Effect: reports, such as the explanation of a hang, call the running task so, until it ends. `literal` lives as long as the
/// program. Errors: usage_error if the caller is no task.
void set_name(const char* literal);

/// Effect: takes `units` of time: as many iterations of an empty loop natively, in simulation as many times the cycles that
/// the simulated machine has for a unit (one, if nothing is said).
/// It is how synthetic work, and work that is simulated, takes time. Threads: tasks; natively anybody.
#ifdef TEFF_SIMULATED
void charge(std::uint64_t units);
#else
inline void charge(std::uint64_t units) {
  for (std::uint64_t i = 0; i < units; ++i) asm volatile("" :::);
}
#endif

/// What a task does with memory.
enum class access : std::uint8_t { read, write };

/// Effect: in simulation, on a machine whose description states how large its caches are, the calling task reads or writes that
/// memory: it takes the time in which its lines come from where they are, and they are counted (lines_from_own …). Of no bytes,
/// on other machines, and natively: nothing. Once for each piece of memory that a task uses is enough, in the order of use.
///
/// Which pieces share a block of 512 bytes decides what they cost: memory that begins at a multiple of that costs the same in
/// every run. Threads: tasks; outside of a task it is the calling thread's, and is counted nowhere. Blocks: never.
/// Pre: the memory exists; it is not looked at.
#ifdef TEFF_SIMULATED
void touch(const void* memory, std::size_t bytes, access how);
#else
inline void touch(const void*, std::size_t, access) {}
#endif

/// Effect: in simulation, that memory is given back: what is allocated next at these addresses begins anew, in no cache and
/// nowhere at home. Natively nothing. Called before memory is freed that was touched.
#ifdef TEFF_SIMULATED
void forget(const void* memory, std::size_t bytes);
#else
inline void forget(const void*, std::size_t) {}
#endif

}  // namespace this_task

/// While it exists, the calling task stays on its thread: after each call that sets it aside it goes on on the worker that it was
/// on, and no other thread carries that worker. For libraries that want to be called by one thread, and for what is kept in
/// thread-local variables over a waiting call. Tasks that it makes are not pinned by it, nor are the functions of its joins and
/// loops.
///
/// A pinned task that may go on waits until its worker has finished the task that it runs; teff::blocking keeps the worker
/// waiting while any of its tasks is pinned. Destroyed by the task that made it. Errors: usage_error outside of any task, also
/// inside teff::blocking. Blocks: never. Cost: two additions; each resumption: a wake-up of that worker, about a microsecond.
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

/// While it exists, the calling task is not set aside because it put too many tasks: they wait beyond the bound, and are counted
/// as beyond_bound. For tasks that put while they hold a lock that Teff does not know: a child that takes it could not go on
/// before its creator does. (Under a teff::mutex no such scope is needed, unless it spins: a task that waits for one lets others
/// run.)
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

/// Returns: a free block of the worker's own; nullptr if there is none, or if the closure may be too large (then the runtime has
/// to be asked). Cost: a few loads and stores.
template <std::size_t Bytes>
[[gnu::always_inline]] inline void* take_quick_block(worker& current) {
  if constexpr (Bytes > quick_argument_bytes) return nullptr;
  const platform::account_mark putting(account_part::put_get);
  mem::link* const block = head(current).arguments->pop();
  if (block != nullptr) [[likely]]
    current.count(trace::counter::list_visits);
  return block;
}

template <storage Where>
void release_block(worker& current, void* block, std::size_t bytes) {
  const platform::account_mark getting(account_part::put_get);
  const worker_head& own = head(current);
  if constexpr (Where == storage::large) release_large(block, bytes);
  else if (!own.arguments->push_if_room(static_cast<mem::link*>(block))) [[unlikely]]
    own.operations->release_argument(current, block);
}

/// Effect: a touch that no program asked for.
[[gnu::always_inline]] inline void touch_as_runtime(const void* memory, std::size_t bytes, platform::touched how) {
  const platform::account_mark here(account_part::put_get);
  platform::touch(memory, bytes, how);
}

/// Frees a block at the end of a scope, on the worker on which the task is then.
template <storage Where>
struct block_to_release {
  context& here;
  void* block;
  std::size_t bytes;
  ~block_to_release() { release_block<Where>(here.current(), block, bytes); }
};

/// Effect: destroys what make_in_block made, and frees its block, on the worker on which the task is then: a destructor may wait.
/// Errors: what escapes from the destructor; the block is free then, too.
template <storage Where, class Stored>
void dispose(context& here, Stored& stored) noexcept(std::is_nothrow_destructible_v<Stored>) {
  const block_to_release<Where> guard{here, &stored, sizeof(Stored)};
  stored.~Stored();
}
/// Effect: the same for a task that will never run.
template <storage Where, class Stored>
void discard(worker& discarding, Stored& stored) {
  struct at_the_end {
    worker& discarding;
    Stored& stored;
    ~at_the_end() { release_block<Where>(discarding, &stored, sizeof(Stored)); }
  } guard{discarding, stored};
  stored.~Stored();
}

/// Returns: the part, moved out of what lay in memory of its own. Post: that memory is free, also if the move throws, or the
/// destructor of what is left.
template <class Stored, class Part>
Part take_out(context& here, Stored& stored, Part& part) {
  struct at_the_end {
    context& here;
    Stored& stored;
    ~at_the_end() noexcept(std::is_nothrow_destructible_v<Stored>) { dispose<storage::large>(here, stored); }
  } guard{here, stored};
  return std::move(part);
}
/// Returns: the closure, moved from its creator's stack. Post: it is given back, also if the move throws.
template <class Function>
Function take_back(borrowed_closure& borrowed, Function& function) {
  struct at_the_end {
    borrowed_closure& borrowed;
    ~at_the_end() { borrowed.give_back(); }
  } guard{borrowed};
  return std::move(function);
}

/// Effect: the calling task goes on on a thread of the team, if a thread outside runs it that waits for its call: nobody may wait
/// for the one, and it for what the other does next.
[[gnu::cold]] void go_on_elsewhere(worker& current);

/// Runs a closure in the block in which it lies, and frees the block. One with memory of its own is moved to the stack: a task
/// that waits for ever keeps nothing of the heap.
template <class Function, storage Where>
void run_closure(worker& current, void* block) {
  auto& stored = *static_cast<Function*>(block);
  touch_as_runtime(block, sizeof(Function), platform::to_read);
  context* const on = head(current).here;  // the fiber's: it follows the fiber from worker to worker
  if (head(current).special != 0) [[unlikely]] {
    if (head(current).discarding()) return discard<Where>(current, stored);
    go_on_elsewhere(current);
  }
  context& here = *on;
  here.frame->begin(label_of<Function>());
  if constexpr (Where == storage::large) {
    Function function = take_out(here, stored, stored);
    function(here);
  } else {
    struct at_the_end {
      context& here;
      Function& stored;
      ~at_the_end() noexcept(std::is_nothrow_destructible_v<Function>) { dispose<Where>(here, stored); }
    } guard{here, stored};
    stored(here);
  }
}

/// Effect: makes an object in the block. Post: if that throws, the block is free.
template <class Stored, storage Where, class... Arguments>
[[gnu::always_inline]] inline Stored* make_in_block(worker& current, void* block, Arguments&&... arguments) {
  touch_as_runtime(block, sizeof(Stored), platform::to_write);
  if constexpr (std::is_nothrow_constructible_v<Stored, Arguments...>) {
    return ::new (block) Stored(std::forward<Arguments>(arguments)...);
  } else {
    try {
      return ::new (block) Stored(std::forward<Arguments>(arguments)...);
    } catch (...) {
      release_block<Where>(current, block, sizeof(Stored));
      throw;
    }
  }
}

template <class Function>
struct borrowed_task : borrowed_closure {
  explicit borrowed_task(Function& function) : borrowed_closure{&run_it}, function(function) {}
  static void run_it(worker& current, borrowed_closure& self) {
    context& here = *head(current).here;
    here.frame->begin(label_of<Function>());
    Function taken = take_back(self, static_cast<borrowed_task&>(self).function);
    taken(here);
  }
  Function& function;
};

/// A task whose closure lies in memory of its own: for those who put from outside the team.
template <class Function>
task make_outside_task(Function&& function) {
  using stored_type = std::decay_t<Function>;
  static_assert(alignof(stored_type) <= alignof(std::max_align_t), "over-aligned closures are not supported: pass a pointer");
  static_assert(std::is_invocable_v<stored_type&, context&>, "a task is called as function(teff::context&)");
  void* block = allocate_large(sizeof(stored_type));
  if (block == nullptr) throw std::bad_alloc();
  try {
    platform::touch(block, sizeof(stored_type), platform::to_write);
    ::new (block) stored_type(std::forward<Function>(function));
  } catch (...) {
    release_large(block, sizeof(stored_type));
    throw;
  }
  return {&run_closure<stored_type, storage::large>, block};
}

template <class Stored, storage Where, class Function>
[[gnu::always_inline]] inline void put_closure(worker& current, void* block, Function&& function) {
  Stored* const made = make_in_block<Stored, Where>(current, block, std::forward<Function>(function));
  put_counted(current, task{&run_closure<Stored, Where>, made});
}

/// Puts a closure for which there was no quick block. Without memory it runs first.
template <class Stored, class Function>
[[gnu::noinline]] void put_slow(worker& current, Function&& function) {
  const worker_operations& operations = *head(current).operations;
  const platform::account_mark putting(account_part::put_get);
  if (sizeof(Stored) <= operations.argument_bytes) {
    if (void* block = operations.allocate_argument(current))
      return put_closure<Stored, storage::argument_block>(current, block, std::forward<Function>(function));
  } else if (void* block = allocate_large(sizeof(Stored))) {
    return put_closure<Stored, storage::large>(current, block, std::forward<Function>(function));
  }
  Stored own(std::forward<Function>(function));
  borrowed_task<Stored> without_memory(own);
  operations.run_borrowed(current, without_memory);
}

/// Returns: a small closure by value, so that nobody takes the address of the one that was passed, which then need not lie
/// anywhere but in its block; others as they are.
template <class Function>
[[gnu::always_inline]] inline auto by_value_if_small(Function&& function)
    -> std::conditional_t<std::is_trivially_copyable_v<std::decay_t<Function>>, std::decay_t<Function>, Function&&> {
  return std::forward<Function>(function);
}

/// Whether the closure has room in the task's slot of the worker's deque.
template <class Stored>
inline constexpr bool lies_in_slot =
    sizeof(Stored) <= closure_room_bytes && alignof(Stored) <= 8 && std::is_trivially_copyable_v<Stored> &&
    std::is_trivially_destructible_v<Stored> && std::is_copy_constructible_v<Stored>;

/// Runs a closure that lies in a slot, where the next push writes: a copy of it. (It has nothing to dispose of, and is not called
/// if it will never run.) There is no other call of the closure, so that compilers put it in line here, and copy what it holds
/// part by part, as that was written: a wider load would have to wait.
template <class Function>
void run_in_slot(worker& current, void* room) {
  touch_as_runtime(room, sizeof(Function), platform::to_read);
  Function function(*static_cast<const Function*>(room));
  context& here = *head(current).here;
  here.frame->begin(label_of<Function>());
  function(here);
}

/// Effect: puts a task whose closure lies in its slot. Returns: false if there is no slot to be had at once: nothing was moved.
template <class Stored, class Function>
[[gnu::always_inline]] inline bool put_in_slot(worker& current, std::remove_reference_t<Function>& function) {
  const platform::account_mark here(account_part::put_get);
  worker_head& own = head(current);
  const auto make = [&](void* room) __attribute__((always_inline)) {
    platform::touch(room, sizeof(Stored), platform::to_write);
    ::new (room) Stored(static_cast<Function&&>(function));
    own.created.add_alone(1, platform::relaxed);  // [created], before it can be taken
    platform::charge_put();
  };
  const queue::pushed pushed = static_cast<queue::lane*>(own.tasks)->push_made(&run_in_slot<Stored>, make);
  if (pushed == queue::pushed::full) [[unlikely]]
    return false;
  if (pushed != queue::pushed::kept) [[unlikely]]
    end_push(current, {}, pushed);
  return true;
}

template <class Function>
struct borrowed_small_task : borrowed_closure {
  explicit borrowed_small_task(Function& function) : borrowed_closure{&run_it}, function(function) {}
  static void run_it(worker& current, borrowed_closure& self) {
    Function taken = take_back(self, static_cast<borrowed_small_task&>(self).function);
    run_in_slot<Function>(current, &taken);
  }
  Function& function;
};

/// Effect: puts a small closure for which there is no slot at once: at the bound, where a lap ends, and on all other pools.
/// Without memory for its block it runs first.
template <class Stored>
[[gnu::noinline]] void put_beside_slots(worker& current, Stored function) {
  const worker_operations& operations = *head(current).operations;
  void* block = nullptr;
  {
    const platform::account_mark putting(account_part::put_get);
    block = take_quick_block<sizeof(moved_closure)>(current);
    if (block == nullptr) block = operations.allocate_argument(current);
  }
  if (block != nullptr) {
    touch_as_runtime(block, sizeof(moved_closure), platform::to_write);
    auto* const made = ::new (block) moved_closure{&run_in_slot<Stored>, {}};
    ::new (static_cast<void*>(made->room)) Stored(function);
    return put_counted(current, task{operations.run_moved, made});
  }
  borrowed_small_task<Stored> without_memory(function);
  operations.run_borrowed(current, without_memory);
}

/// In line, so that the closure is made where it will lie: a copy of what has just been written in smaller pieces waits for them.
template <class Function>
[[gnu::always_inline]] inline void put(worker& current, Function&& function) {
  using stored_type = std::decay_t<Function>;
  static_assert(alignof(stored_type) <= alignof(std::max_align_t), "over-aligned closures are not supported: pass a pointer");
  static_assert(std::is_invocable_v<stored_type&, context&>, "a task is called as function(teff::context&)");
  if constexpr (lies_in_slot<stored_type>) {
    if (!put_in_slot<stored_type, Function>(current, function)) [[unlikely]]
      put_beside_slots<stored_type>(current, function);
  } else {
    void* const block = take_quick_block<sizeof(stored_type)>(current);
    if (block == nullptr) [[unlikely]]
      return put_slow<stored_type>(current, by_value_if_small(std::forward<Function>(function)));
    put_closure<stored_type, storage::argument_block>(current, block, std::forward<Function>(function));
  }
}

inline constexpr std::uint32_t task_layout =
    layout_of<task, borrowed_closure, worker_operations, worker_head, context, started, task_frame, full_frame, child_head,
              queue::lane, queue::slot, mem::counted_list>(
        {offsetof(worker_head, id), offsetof(worker_head, here), offsetof(worker_head, tasks), offsetof(worker_head, arguments),
         offsetof(worker_head, created), offsetof(worker_head, made_in), offsetof(worker_head, mark),
         offsetof(worker_operations, argument_bytes), closure_room_bytes, sizeof(moved_closure)});
[[gnu::visibility("hidden")]] inline const bool has_the_librarys_tasks = require_layout(layout_part::tasks, task_layout);

}  // namespace detail

template <class Function>
[[gnu::always_inline]] inline void context::put(Function&& function) {
  detail::put(*worker_, std::forward<Function>(function));
}

}  // namespace TEFF_NAMESPACE

#endif
