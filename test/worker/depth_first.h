// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/pool.h"
#include "pool/wrap/violations.h"
#include "pool/wrap/wrapped.h"
#include "task/context.h"

#include <list>
#include <string>

namespace TEFF_NAMESPACE::conformance {

/// All tasks that there are, in the order in which one worker alone would run them: a pool that needs each hook of the contract.
///
/// Source: the order is that of Narlikar & Blelloch 1998, the space-efficient scheduler.
/// Idea: a list; a task that forks gets its child in front of it, and the first that is ready is the next. What waits keeps its
/// place. Invariants: under one lock. An entry is ready (it has a task), runs, or waits; a started task's word is its entry.
/// Cost: a lock, and a walk from the front. It is for tests: it notes each call that does not fit what it knows.
class depth_first {
 public:
  static constexpr pool::pool_traits traits{.uses = {"wake"}, .suspends_waiters = true};
  /// Bytes that a task may allocate until others have their turn.
  static constexpr std::ptrdiff_t quota = 1000;

  explicit depth_first(const pool::environment&, const pool::wrap::instruments& with = {})
      : found_(with.found != nullptr ? *with.found : nobody_looks_) {}
  ~depth_first() {
    platform::lock_guard guard(lock_);
    if (!all_.empty()) found_.add(std::to_string(all_.size()) + " tasks are left");
  }

  pool::advice init(worker&, task ready) { return add(all_.end(), ready); }
  pool::advice inject(std::span<const task> ready) {
    platform::lock_guard guard(lock_);
    for (const task& each : ready) all_.push_back({each, state::ready, false});
    return pool::advice::wake_one;
  }
  /// Of a task that cannot be set aside: its child has its place, and waits.
  pool::advice put(worker& current, task ready) {
    platform::lock_guard guard(lock_);
    all_.insert(place_of(current.here->own), {ready, state::ready, false});
    return pool::advice::wake_one;
  }

  void fork(worker&, started& parent, started& child) {
    platform::lock_guard guard(lock_);
    child.word = &*all_.insert(place_of(parent), {{}, state::running, true});
  }
  void blocked(worker&, started& who) {
    platform::lock_guard guard(lock_);
    change(who, state::running, state::waiting, "blocked");
  }
  pool::advice unblocked(worker*, started& who, task again) {
    platform::lock_guard guard(lock_);
    change(who, state::waiting, again.entry != nullptr ? state::ready : state::running, "unblocked");
    if (auto* const known = entry_of(who)) known->what = again;
    else if (again.entry != nullptr) all_.push_front({again, state::ready, true, true});
    return pool::advice::wake_one;
  }
  void finished(worker&, started& who) {
    platform::lock_guard guard(lock_);
    change(who, state::running, state::running, "finished");
    if (who.word != nullptr) all_.erase(place_of(who));
  }
  bool allocated(worker&, started& who, std::ptrdiff_t bytes) {
    platform::lock_guard guard(lock_);
    auto* const known = entry_of(who);
    if (known == nullptr || (known->allocated += bytes) <= quota) return false;
    known->allocated = 0;
    return true;
  }

  pool::get_result get(worker& current, task& next, pool::reach) {
    platform::lock_guard guard(lock_);
    for (auto each = all_.begin(); each != all_.end(); ++each) {
      if (each->now != state::ready) continue;
      next = each->what;
      each->now = state::running;
      if (!each->has_begun && current.here != nullptr) current.here->own.word = &*each;
      each->has_begun = true;
      if (each->is_unknown || current.here == nullptr) all_.erase(each);
      return pool::get_result::got;
    }
    return pool::get_result::empty;
  }
  template <class Predicate>
  pool::get_result take(worker&, Predicate wanted, task& taken, pool::reach) {
    platform::lock_guard guard(lock_);
    for (auto each = all_.begin(); each != all_.end(); ++each) {
      if (each->now != state::ready || each->has_begun || !wanted(each->what)) continue;
      taken = each->what;
      all_.erase(each);
      return pool::get_result::got;
    }
    return pool::get_result::empty;
  }

  pool::pool_statistics statistics() const { return {}; }
  void reset_statistics() {}

 private:
  enum class state { ready, running, waiting };
  struct entry {
    task what;
    state now;
    bool has_begun;
    bool is_unknown = false;  ///< it began without a word
    std::ptrdiff_t allocated = 0;
  };
  using list = std::list<entry>;

  static entry* entry_of(const started& who) { return static_cast<entry*>(who.word); }
  list::iterator place_of(const started& who) {
    auto at = all_.begin();
    while (at != all_.end() && &*at != who.word) ++at;
    return at;
  }
  pool::advice add(list::iterator before, task ready) {
    platform::lock_guard guard(lock_);
    all_.insert(before, {ready, state::ready, false});
    return pool::advice::wake_one;
  }
  /// Pre: lock_ is held.
  void change(started& who, state from, state to, const char* call) {
    auto* const known = entry_of(who);
    if (known == nullptr) return;
    if (place_of(who) == all_.end()) return found_.add(std::string(call) + " of a task that the pool does not know");
    if (known->now != from) return found_.add(std::string(call) + " does not follow what the pool was told before");
    known->now = to;
  }

  pool::wrap::violations nobody_looks_;
  pool::wrap::violations& found_;
  platform::lock lock_;
  list all_;
};

}  // namespace TEFF_NAMESPACE::conformance
