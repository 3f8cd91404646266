// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Ready tasks that are not in the pool: README.md, *Priorities*.
#pragma once

#include "compat/openmp/node.h"
#include "pool/pool.h"

#include <cstdint>
#include <vector>

namespace TEFF_NAMESPACE::openmp {

struct member;

/// Those with a priority, and those without one for which there is no room or no pool. The highest priority comes first, of one
/// priority the oldest.
///
/// Ownership: a task is its own from `put` until it is taken. What it needs of a task lies in the task: `spawned` has the
/// priority from its making on, `here` the next one while it waits; both are 0 when it is taken. Cost: a lock; O(log L) and a
/// move of at most L levels of 24 bytes, where L is how many priorities wait at once: none for the highest. Threads: any.
class ready_by_priority {
 public:
  /// Whether there are any. A hint, but for who has announced its sleep: behind that fence it sees one that is there, or is
  /// called. [sleep]
  bool any() const { return __builtin_expect(count_.load(platform::relaxed) != 0, false); }

  /// Returns: false if there is no memory for its priority. Priority 0 needs none.
  bool put(task_block* ready);

  /// Effect: takes the first one that may be taken. Returns: nullptr if there is none.
  template <class May>
  task_block* take(May may) {
    const platform::lock_guard guard(lock_);
    return take_first(may, all);
  }
  /// Effect: the same, of so many candidates. Returns: nullptr, too, if somebody else is there.
  template <class May>
  task_block* take_in_passing(May may, unsigned candidates) {
    if (!lock_.try_acquire()) return nullptr;
    task_block* const found = take_first(may, candidates);
    lock_.release();
    return found;
  }

 private:
  static constexpr std::size_t all = ~std::size_t{0};
  struct level {
    std::uint32_t priority;
    task_block* first;  ///< the oldest
    task_block* last;
  };

  static task_block* next_of(const task_block* of) { return reinterpret_cast<task_block*>(of->here); }
  static void append(level& to, task_block* ready);

  template <class May>
  task_block* take_first(May& may, std::size_t candidates) {
    for (std::size_t at = levels_.size(); at-- != 0;) {
      if (task_block* const found = take_of(levels_[at], may, candidates)) {
        if (levels_[at].first == nullptr) levels_.erase(levels_.begin() + static_cast<std::ptrdiff_t>(at));
        return found;
      }
    }
    return take_of(without_, may, candidates);
  }
  template <class May>
  task_block* take_of(level& from, May& may, std::size_t& candidates) {
    task_block* before = nullptr;
    for (task_block* at = from.first; at != nullptr && candidates != 0; before = at, at = next_of(at), --candidates) {
      if (may(at)) return unlink(from, before, at);
    }
    return nullptr;
  }
  task_block* unlink(level& from, task_block* before, task_block* taken);

  platform::lock lock_;
  std::vector<level> levels_;  ///< the highest last; none is empty
  level without_{0, nullptr, nullptr};
  /// relaxed: under the lock it is exact; who looks without it has a hint, or a fence.
  platform::atomic<std::uint32_t> count_{0};
};

/// Returns: the first one; the first one that is wanted, of all with reach `force`, else of a few; nullptr if there is none. It
/// is about to begin.
task_block* take_urgent(member& current);
task_block* take_urgent(member& current, const descendants& wanted, pool::reach how);
/// Effect: runs the first one. `woken`: as in run_tasks. Returns: whether there was one.
bool run_urgent(member& current, bool woken);
/// Effect: in a region in which nobody has put a task with a priority the member looks first at what it put last, if it has a
/// lane. Returns: whether it has, and did not before.
bool look_at_lane_again(member& current);
/// Effect: of a member that does not look at a lane first, runs a task: if there are such, the first. `woken`, `ran`: as in
/// run_tasks, and whether it has run one before or now. Returns: whether there may be more. Pre: there is a pool.
bool run_one(member& current, bool woken, bool& ran);
/// Effect: the task waits there, by any member; members that sleep are called.
void put_urgent(member& current, task_block* ready);
/// Effect: outside of all regions, where nobody else would, runs those that are ready, one behind the other: not if the caller is
/// one of these.
void run_all_set_aside(member& current);
/// Effect: the same, whoever the caller is: it waits, maybe for what one of these will do. Returns: whether it ran any.
bool run_set_aside_in_wait(member& current);
/// Returns: whether it would.
bool has_set_aside(const member& current);

}  // namespace TEFF_NAMESPACE::openmp
