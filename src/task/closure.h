// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "task/task.h"
#include "task/worker_head.h"

#include <cstddef>
#include <cstring>

namespace TEFF_NAMESPACE {

/// Closures of so many bytes lie in their task's slot of the worker's deque, if they may be copied byte by byte.
inline constexpr std::size_t closure_room_bytes = 16;

/// A closure that had room in a slot, and goes where others may take it: in an argument block, with the entry of its task, which
/// copies the closure before it does anything else.
struct moved_closure {
  entry_function entry;
  unsigned char room[closure_room_bytes];
};

/// The entry of a task whose argument is a moved_closure. In code of programs: see worker_operations.
inline void run_moved(worker& current, void* block) {
  moved_closure own;
  {
    const platform::account_mark getting(account_part::put_get);
    platform::touch(block, sizeof(moved_closure), platform::to_read);
    std::memcpy(&own, block, sizeof own);
    head(current).operations->release_argument(current, block);
  }
  if (!head(current).discarding()) own.entry(current, own.room);
}

}  // namespace TEFF_NAMESPACE
