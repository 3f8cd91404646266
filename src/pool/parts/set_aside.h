// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mem/memory.h"
#include "pool/parts/per_worker.h"
#include "pool/parts/run_queue.h"

#include <new>
#include <utility>

namespace TEFF_NAMESPACE::pool::parts {

/// The tasks that wait, listed with the worker that each has left: the part of the blocked queues that nobody may take from yet.
///
/// Invariants: under a worker's lock: its list, and the places in it. Those without a place are the newest ones, and `unplaced`
///   says whether there are some. No other lock is taken under it. A task's word is its entry while that is in a list.
/// Cost: a lock that hardly anybody else wants, when a task is set aside, when it goes on, and when its place is found.
class set_aside {
 public:
  set_aside(mem::memory& memory, unsigned workers) : memory_(memory), of_(workers) {}

  /// Effect: the task is set aside; without a place it waits for place_all. If memory is refused, its word is empty.
  void add(worker& current, started& who, run_queue* place) {
    list& own = of_[current];
    queued_task* made = nullptr;
    {
      platform::lock_guard guard(own.lock);
      if ((made = own.spare) != nullptr) {
        platform::touch(made, sizeof *made, platform::to_write);
        own.spare = made->next;
      }
    }
    if (made == nullptr) made = make(current);
    who.word = made;
    if (made == nullptr) return;
    *made = {};
    made->who = &who;
    made->place = place;
    made->left = static_cast<std::uint16_t>(current.id);
    own.unplaced |= place == nullptr;
    platform::lock_guard guard(own.lock);
    made->next = own.newest;
    if (made->next != nullptr) write_link(made->next->before, made);
    own.newest = made;
  }

  /// Effect: what this worker has set aside without a place has this one.
  void place_all(worker& current, run_queue& place) {
    list& own = of_[current];
    if (!own.unplaced) return;
    own.unplaced = false;
    platform::lock_guard guard(own.lock);
    for (queued_task* each = own.newest; each != nullptr; each = each->next) {
      platform::touch(each, sizeof *each, platform::to_read);
      if (each->place != nullptr) return;
      write_link(each->place, &place);
    }
  }

  /// Effect: the entry is the caller's. Threads: any. Pre: it is in a list.
  void remove(queued_task& gone) {
    list& from = of_[gone.left];
    platform::lock_guard guard(from.lock);
    unlink(from, gone);
  }
  /// Effect: as remove, and its memory waits for the worker's next task that is set aside: no worker may be here to give it back.
  void drop(queued_task& gone) {
    list& from = of_[gone.left];
    platform::lock_guard guard(from.lock);
    unlink(from, gone);
    write_link(gone.next, from.spare);
    from.spare = &gone;
  }

  /// Returns: nullptr if memory is refused.
  queued_task* make(worker& current) {
    void* const block = memory_.allocate(current, mem::block_kind::task);
    if (block == nullptr) return nullptr;
    platform::touch(block, sizeof(queued_task), platform::to_write);
    return ::new (block) queued_task;
  }
  /// Returns: likewise, an entry of a task that had none while it waited.
  queued_task* make_for(worker& current, started& who) {
    queued_task* const made = make(current);
    if (made == nullptr) return nullptr;
    made->who = &who;
    made->left = static_cast<std::uint16_t>(current.id);
    return made;
  }
  void release(worker& current, queued_task* gone) {
    if (gone->of_system) platform::system_release(gone, sizeof(queued_task));
    else memory_.release(current, mem::block_kind::task, gone);
  }

  /// Effect: gives everything back, also what waits for ever. Pre: nobody uses the pool again.
  void close(worker& last) {
    of_.for_each([&](list& each) {
      for (queued_task** of : {&each.newest, &each.spare}) {
        while (*of != nullptr) release(last, std::exchange(*of, (*of)->next));
      }
    });
  }

 private:
  struct alignas(cache_line_bytes) list {
    platform::lock lock;
    queued_task* newest = nullptr;
    queued_task* spare = nullptr;
    bool unplaced = false;  ///< the worker's own
  };

  static void unlink(list& from, queued_task& gone) {
    platform::touch(&gone, sizeof gone, platform::to_read);
    if (gone.before != nullptr) write_link(gone.before->next, gone.next);
    else from.newest = gone.next;
    if (gone.next != nullptr) write_link(gone.next->before, gone.before);
  }

  template <class Target>
  static void write_link(Target*& link, Target* target) {
    platform::touch_pointer(link, platform::to_write);
    link = target;
  }

  mem::memory& memory_;
  per_worker<list> of_;
};

}  // namespace TEFF_NAMESPACE::pool::parts
