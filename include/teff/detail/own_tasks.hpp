// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The path of the default pool in line: a task comes into its creator's deque and out again without a call of the runtime, as
/// long as nobody asks for tasks. What is out of the ordinary, and all other pools, go by worker_operations.
#pragma once

#include "base/namespace.h"

#include "queue/lane.h"
#include "task/context.h"

#include <cstdint>

namespace TEFF_NAMESPACE::detail {

[[gnu::always_inline]] inline queue::lane& own_tasks_of(const context& here) { return *static_cast<queue::lane*>(here.tasks()); }

[[gnu::cold, gnu::noinline]] inline void end_push(worker& current, task ready, queue::pushed pushed) {
  head(current).operations->end_push(current, ready, static_cast<std::uint8_t>(pushed));
}

/// Effect: makes a task ready that counts from now on. Cost: on the default pool three stores and a counter.
[[gnu::always_inline]] inline void put_counted(worker& current, task ready) {
  const platform::account_mark here(account_part::put_get);
  worker_head& own = head(current);
  own.created.add_alone(1, platform::relaxed);  // [created], before it can be taken
  platform::charge_put();
  if (const queue::pushed pushed = static_cast<queue::lane*>(own.tasks)->push(ready); pushed != queue::pushed::kept) [[unlikely]]
    end_push(current, ready, pushed);
}

/// Effect: makes a task ready whose creator waits for it. Cost: on the default pool three stores.
[[gnu::always_inline]] inline void offer(context& here, task ready) {
  const platform::account_mark putting(account_part::put_get);
  platform::charge_put();
  if (const queue::pushed pushed = own_tasks_of(here).push(ready); pushed != queue::pushed::kept) [[unlikely]]
    end_push(here.current(), ready, pushed);
}

/// Effect: as a push of the newest task would, for one that takes_newest has had out of sight for a moment: who looked by force
/// then did not see it.
inline void show_newest(context& here) {
  if (own_tasks_of(here).is_wanted_after_all()) end_push(here.current(), {}, queue::pushed::asked);
}

/// Effect: takes the task with this argument, which no other one has, out of the pool, and counts that it runs in place. Returns:
/// false if it has to be looked for. Cost: on the default pool two stores.
[[gnu::always_inline]] inline bool takes_newest(context& here, const void* argument) {
  const platform::account_mark getting(account_part::put_get);
  queue::lane& own = own_tasks_of(here);
  if (!own.pop_if_newest(argument)) [[unlikely]]
    return false;
  platform::charge_get();
  own.count_joined();
  return true;
}

}  // namespace TEFF_NAMESPACE::detail
