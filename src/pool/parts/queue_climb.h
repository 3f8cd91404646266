// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/answers.h"
#include "pool/parts/access_cost.h"
#include "pool/parts/per_worker.h"
#include "pool/parts/queue_rules.h"
#include "pool/parts/run_queue_tree.h"

#include <algorithm>
#include <array>
#include <utility>

namespace TEFF_NAMESPACE::pool::parts {

/// A worker's way from its leaf up to the next queue that has something, and a set's way down from there.
///
/// Source: Dandamudi & Cheng 1996, §3 (the size of a set: transfer factor × workers below the child), §5(a) (the bound per job).
/// Invariants: locks are taken upwards; a queue's is kept until what comes from above is in it.
/// Considered: giving the child's lock back while the parent's is asked for: then each worker of a leaf climbs, and four carry
///   off four sets.
template <class Rules>
class queue_climb {
 public:
  queue_climb(run_queue_tree& queues, unsigned workers, const settings& set, const access_cost& cost)
      : queues_(queues), transfer_(set.transfer), is_charged_(set.climb == climb_cost::charged), cost_(cost), of_(workers) {}

  struct result {
    queued_task* found = nullptr;  ///< what is for the worker itself
    run_queue* where = nullptr;    ///< the highest queue from which something was taken
    bool moved = false;            ///< a set, one level down at least
    bool lost = false;             ///< a queue that seemed to have something had nothing any more
  };

  /// A worker's place in the line of a lock, for one that holds no other.
  queue_lock::place& place_of(const worker& current) { return of_[current].places[0]; }

  /// Whether there seems to be something for the worker. Takes no lock.
  bool sees_something(const worker& current) {
    const run_queue* below = nullptr;
    for (const run_queue* at = &queues_.leaf_of(current.id); at != nullptr; below = at, at = at->parent) {
      if (at->offers(below)) return true;
    }
    return false;
  }

  /// Effect: takes a task for the worker, if there is one on its way. `where_found(queue)` is called under the queue's lock.
  template <class Note>
  TEFF_NOT_ANALYSED result look(const worker& current, Note where_found) {
    auto& places = of_[current].places;
    path way{};
    unsigned levels = 0;
    result now;
    task_chain set;
    run_queue* below = nullptr;
    for (run_queue* at = &queues_.leaf_of(current.id); at != nullptr && now.where == nullptr; below = at, at = at->parent) {
      const bool seems_full = at->offers(below);
      if (seems_full || is_charged_) cost_.travel();
      if (!Rules::keeps_childs_lock && below != nullptr) below->lock.release(places[levels - 1]);
      at->lock.acquire(places[levels]);
      way[levels++] = at;
      const bool is_full = at->offers(below);
      if (is_full && take(*at, below, set, now.found)) now.where = at;  // else what is ready there is barred
      // Passing a queue that has nothing is free, whether it looked so before or turns out to be.
      if (now.where != nullptr || is_charged_) cost_.hold();
      now.lost |= seems_full && !is_full;
    }
    if (now.where != nullptr) where_found(*now.where);
    descend(way, levels, places, set, now);
    cost_.travel();
    return now;
  }

  /// Effect: this worker has ended or set aside a task that kept others from moving to where it is.
  void part_given_back(const worker& current) { of_[current].gave_part_back = true; }

  /// Returns: whom to wake after a look: those below the highest queue of the worker's way that has something left. Nobody else
  /// may look there before this worker does again, and that may be after its task, which may wait for those. After a set was
  /// moved that is anything: what is barred for this worker may be for its neighbours, who could not see it on its way.
  advice call_others(const worker& current, const result& found) {
    const bool unbarred = std::exchange(of_[current].gave_part_back, false);
    if (!Rules::calls_others) return advice::wake_none;
    advice advised = advice::wake_none;
    const run_queue* below = nullptr;
    for (const run_queue* at = &queues_.leaf_of(current.id); at != nullptr; below = at, at = at->parent) {
      if (!at->offers(found.moved && Rules::calls_all_below ? nullptr : below)) continue;
      const run_queue& whose = Rules::calls_all_below || below == nullptr ? *at : *below;
      advised = {found.moved || unbarred ? advice::wake_all : advice::wake_one, whose.first_worker, whose.end_worker};
    }
    return advised;
  }

 private:
  using path = std::array<run_queue*, run_queue_tree::levels_at_most>;

  /// A worker's places in the lines of the locks that it holds or asks for: one per level.
  struct alignas(cache_line_bytes) climber {
    std::array<queue_lock::place, run_queue_tree::levels_at_most> places;
    bool gave_part_back = false;  ///< and has not looked since
  };

  std::uint32_t set_for(const run_queue* child) const {
    if (child == nullptr) return 1;
    return std::max(1u, static_cast<std::uint32_t>(transfer_ * child->workers() + 0.5)) + Rules::set_surplus;
  }

  /// Effect: takes one that goes on, else a set of ready ones. Returns: whether there was anything. Pre: the lock is held, and
  /// the child's.
  bool take(run_queue& from, run_queue* child, task_chain& set, queued_task*& found) {
    if (Rules::blocked_first) found = from.take_going_on();
    if (found == nullptr) from.take_ready(set, set_for(child), child);
    if (!Rules::blocked_first && set.count == 0) found = from.take_going_on();
    return found != nullptr || set.count != 0;
  }

  /// Effect: moves the set from the highest queue of the way into the next one, of that a smaller one further down, and so on;
  /// releases each lock when nothing moves from its queue any more.
  TEFF_NOT_ANALYSED void descend(const path& way, unsigned levels, decltype(climber::places)& places, task_chain& set,
                                 result& now) {
    for (unsigned level = levels; level-- > 1;) {
      run_queue& child = *way[level - 1];
      if (!Rules::keeps_childs_lock) child.lock.acquire(places[level - 1]);
      if (set.count != 0) {
        child.insert(set);
        now.moved = true;
        set = {};
        run_queue* const below = level > 1 ? way[level - 2] : nullptr;
        child.take_ready(set, set_for(below), below);
      }
      way[level]->lock.release(places[level]);
    }
    way[0]->lock.release(places[0]);
    if (set.count != 0) now.found = set.first;
  }

  run_queue_tree& queues_;
  const double transfer_;
  const bool is_charged_;
  const access_cost cost_;
  per_worker<climber> of_;
};

}  // namespace TEFF_NAMESPACE::pool::parts
