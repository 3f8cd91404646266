// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fiber/carrier.h"
#include "pool/wrap/checking.h"
#include "pool/wrap/wrapped.h"

#include <deque>
#include <string>

namespace TEFF_NAMESPACE::testing_fiber {

/// A pool that never lets a fiber go on on the worker that left it, and notes when it is not called by the worker that it is told
/// of.
///
/// Invariants: `ready_` holds the fibers that were made ready, each closed to the worker that its context names. With one worker
/// everything is open. Cost: a lock for each operation; all are woken for each fiber.
template <pool::task_pool Pool>
class migrating : public pool::wrap::wrapped<Pool> {
 public:
  explicit migrating(const pool::environment& from, const pool::wrap::instruments& with = {})
      : pool::wrap::wrapped<Pool>(from, with), workers_(from.workers), found_(with.found) {}

  pool::advice init(worker& first, task ready) { return this->inner_.init(first, ready); }
  pool::advice put(worker& current, task ready, pool::put_step step = pool::put_step::whole) {
    check(current);
    return keep(ready) ? pool::advice(pool::advice::wake_all) : this->put_below(current, ready, step);
  }
  pool::advice inject(std::span<const task> ready) {
    return ready.size() == 1 && keep(ready[0]) ? pool::advice(pool::advice::wake_all) : this->inner_.inject(ready);
  }
  pool::advice unblocked(worker* current, started& who, task again)
    requires pool::tracks_started<Pool>
  {
    if (current != nullptr) check(*current);
    if (again.entry == nullptr) return this->inner_.unblocked(current, who, again);
    this->inner_.unblocked(current, who, {});  // it goes on without the pool below
    keep(again);
    return pool::advice::wake_all;
  }
  pool::get_result get(worker& current, task& next, pool::reach how) {
    check(current);
    if (how == pool::reach::own) return pool::get_result::empty;
    return give(current, next) ? pool::get_result(pool::get_result::got) : this->inner_.get(current, next, how);
  }
  template <class Predicate>
  pool::get_result take(worker& current, Predicate wanted, task& taken, pool::reach how) {
    check(current);
    return this->inner_.take(current, wanted, taken, how);
  }

  std::uint64_t migrations() const { return migrations_.load(platform::relaxed); }

 private:
  struct entry {
    task resumption;
    unsigned closed_to;
  };

  void check(const worker& told) {
    const auto* real = static_cast<const worker*>(platform::current());
    if (real == nullptr || real == &told || found_ == nullptr) return;  // a team that ends takes tasks without being a worker
    found_->add("worker " + std::to_string(real->id) + " says that it is worker " + std::to_string(told.id));
  }

  bool keep(task ready) {
    if (ready.entry != &fibers::resume_entry) return false;
    const auto& woken = *static_cast<const fibers::fiber*>(ready.argument);
    platform::lock_guard guard(lock_);
    ready_.push_back({ready, head(woken.here.current()).id});
    return true;
  }

  bool give(worker& current, task& next) {
    platform::lock_guard guard(lock_);
    for (auto each = ready_.begin(); each != ready_.end(); ++each) {
      if (workers_ > 1 && each->closed_to == current.id) continue;
      next = each->resumption;
      if (workers_ > 1) migrations_.fetch_add(1, platform::relaxed);
      ready_.erase(each);
      return true;
    }
    return false;
  }

  const unsigned workers_;
  pool::wrap::violations* const found_;
  platform::lock lock_;
  std::deque<entry> ready_;
  platform::atomic<std::uint64_t> migrations_{0};
};

}  // namespace TEFF_NAMESPACE::testing_fiber
