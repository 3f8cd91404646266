// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The part of a worker that public headers see: enough to reach the team through one indirect call.
#pragma once

#include "platform/platform.h"
#include "task/task.h"

#include <cstddef>
#include <cstdint>

namespace TEFF_NAMESPACE::mem {
template <bool Counted>
class list_of_free;
}

namespace TEFF_NAMESPACE {

class context;

/// A closure that lies on the stack of its creator, who cannot go on before it was moved from there.
struct borrowed_closure {
  /// Effect: moves the closure, gives it back, and runs it.
  void (*run)(worker& current, borrowed_closure& self);
  void (*go_on)(void* creator) = nullptr;  ///< nullptr: the creator's stack is below, and stays
  void* creator = nullptr;

  /// Effect: the creator may go on: `*this` may be gone.
  void give_back() {
    if (go_on != nullptr) go_on(creator);
  }
};

/// What a running task may ask of its team; one table per team, constant while the team exists.
struct worker_operations {
  /// Effect: makes a task ready. Blocks: for a queue's lock; if memory for it is refused, and at the bound of the default pool,
  /// the caller is set aside, and `current` is another one afterwards, perhaps (context::worker_id).
  void (*put)(worker& current, task ready);
  /// Effect: the same for a task that is not counted as created before it is begun: its creator waits for it.
  /// worker/idle/README.md.
  void (*offer)(worker& current, task ready);
  /// Effect: what is left to do of a put or an offer that began with a push to worker_head::tasks: `pushed` is what that
  /// returned.
  void (*end_push)(worker& current, task ready, std::uint8_t pushed);
  /// Effect: runs a closure for which memory was refused, as put does then: on a fiber of its own, while the caller is ready to
  /// go on as soon as the closure was given back; without a stack for that on the caller's, before this returns. Exceptions are
  /// kept, it is counted.
  void (*run_borrowed)(worker& current, borrowed_closure& borrowed);
  /// Effect: takes an unstarted child of the group out of the pool. Returns: false if there is none that this worker finds, or if
  /// the pool's waiters suspend at once and this one can.
  bool (*take_child)(worker& current, const void* group, task& taken, bool can_suspend);
  /// Effect: the same for one certain task.
  bool (*take_back)(worker& current, task wanted, bool can_suspend);
  /// Effect: runs a task that was taken, as the loop does.
  void (*execute)(worker& current, task taken);
  /// Returns: an argument block, owned by the caller, or nullptr if memory is refused.
  void* (*allocate_argument)(worker& current);
  void (*release_argument)(worker& current, void* argument);
  std::size_t argument_bytes;  ///< size of an argument block
  /// The entries of children of groups (frame.h) and of closures that were moved (closure.h), by which the library knows such
  /// tasks. Code that programs compile names them in this way: it may have copies of these functions with other addresses.
  entry_function run_child, run_moved;
};

/// Least size of the blocks in worker_head::arguments.
inline constexpr std::size_t quick_argument_bytes = 64;

struct worker_head {
  const worker_operations* operations;
  unsigned id;              ///< 0 … workers − 1 within the team
  context* here;            ///< of the fiber that this worker runs; set by `runs`
  unsigned pinned = 0;      ///< fibers that go on on this worker's thread only (context::pin)
  /// What an entry function that is called now has to know before it runs: mostly nothing.
  std::uint8_t special = 0;
  static constexpr std::uint8_t is_discarding = 1;   ///< it disposes of its argument and does not run
  static constexpr std::uint8_t is_on_a_caller = 2;  ///< it may be on a thread that waits for its call (workers::guest)
  bool discarding() const { return (special & is_discarding) != 0; }
  /// The owner's end of this worker's tasks, if the team's pool is the one that public headers have in line
  /// (queue/lane.h); else one that can hold nothing, so that nobody has to ask.
  void* tasks = nullptr;
  /// This worker's own list of free argument blocks, if the memory manager is the one that public headers have in line, and if
  /// the blocks have quick_argument_bytes; else one that is empty and has no room, so that nobody has to ask.
  mem::list_of_free<true>* arguments = nullptr;
  /// Jobs that ran in place in the join of who offered them, and that `tasks` does not count: they are in no other count.
  platform::statistic joined{};
  /// Tasks that this worker put since the team exists, and those that were offered and that it began. [created] relaxed: what
  /// finished them carries the value along.
  platform::atomic<std::uint64_t> created{0};
  /// The process in which the team was made.
  std::uint64_t made_in = 0;
  /// Of that process; nullptr: nobody asks this worker for its context.
  platform::process_mark* mark = nullptr;

  /// Effect: the worker runs the fiber of that context from here on, or, with nullptr, none. Threads: the one that it is on.
  void runs(context* now) {
    here = now;
    platform::set_current_here(now, mark);
  }
};

/// A worker* always points to its worker_head first: this is the one place that relies on it.
inline worker_head& head(worker& current) { return reinterpret_cast<worker_head&>(current); }

}  // namespace TEFF_NAMESPACE
