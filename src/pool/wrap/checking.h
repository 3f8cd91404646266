// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/wrap/violations.h"
#include "pool/wrap/wrapped.h"

#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace TEFF_NAMESPACE::pool::wrap {

/// What should be inside a pool, and who is using it.
///
/// Invariants: a task is written down before the pool is told of it and struck out after the pool gave it away, so that a task
///   which is given away rightly is always in the book. `settled_` is the number of accepted insertions that have returned minus
///   the tasks given away: if it is above 0, so many tasks lie where they can be found.
class book {
 public:
  book(unsigned workers, violations& found) : found_(found), inside_operation_(workers, false) {}

  /// Effect: worker `id` begins an operation. Returns: false if it may not, because there is no such worker.
  bool enter(unsigned id, operation what) {
    platform::lock_guard guard(lock_);
    if (closed_) found_.add(by(what, id) + " after close");
    if (id >= inside_operation_.size()) {
      found_.add(by(what, id) + " of a team of " + std::to_string(inside_operation_.size()));
      return false;
    }
    if (inside_operation_[id]) found_.add(by(what, id) + ", who is inside another operation");
    if (tasks_ == 0) only_user_ = busy_ == 0 ? id : several;
    else if (only_user_ != id) only_user_ = several;
    inside_operation_[id] = true;
    ++busy_;
    return true;
  }

  void leave(unsigned id) {
    platform::lock_guard guard(lock_);
    inside_operation_[id] = false;
    --busy_;
  }

  void announce(task given) {
    platform::lock_guard guard(lock_);
    ++copies_[given];
    ++tasks_;
  }
  void announce_from_outside(task given, operation what) {
    announce(given);
    platform::lock_guard guard(lock_);
    if (closed_) found_.add(std::string(name_of(what)) + " after close");
    if (inside_operation_.size() > 1) only_user_ = several;  // any of them may be the one that finds it
  }

  void settle(task given, advice advised, operation what) {
    platform::lock_guard guard(lock_);
    // Whoever uses the pool alone need not find what is for others.
    if (advised.end != 0 && (only_user_ < advised.first || only_user_ >= advised.end)) only_user_ = several;
    if (advised != advice::refused && advised != advice::full) ++settled_;
    else if (!strike_out(given)) found_.add(std::string(name_of(what)) + " refused " + text(given) + ", but it was given away");
  }

  void take(task taken, operation what, unsigned id) {
    platform::lock_guard guard(lock_);
    if (strike_out(taken)) --settled_;
    else found_.add(by(what, id) + " gave " + text(taken) + ", which is not inside");
  }

  /// Whether worker `id` has used the pool alone since it was empty last, and there are tasks that it put itself: it must find
  /// them. Of more than one user nothing can be said: a thief may have moved tasks to where only it sees them.
  bool must_find(unsigned id) const {
    platform::lock_guard guard(lock_);
    return only_user_ == id && settled_ > 0;
  }

  void report_overlooked(unsigned id) {
    found_.add("get answered empty to worker " + std::to_string(id) + ", who alone uses the pool");
  }
  void report_unwanted(unsigned id, task taken) {
    found_.add(by(operation::take, id) + " gave " + text(taken) + ", which was not wanted");
  }

  void close() {
    platform::lock_guard guard(lock_);
    if (closed_) found_.add("close after close");
    closed_ = true;
    if (tasks_ > 0) found_.add(std::to_string(tasks_) + " tasks are left at close");
  }

  /// Returns: how many tasks are inside.
  std::uint64_t tasks() const {
    platform::lock_guard guard(lock_);
    return tasks_;
  }

 private:
  static constexpr unsigned several = ~0u;

  struct hash {
    std::size_t operator()(const task& hashed) const {
      return std::hash<void*>()(hashed.argument) * 31 + std::hash<void*>()(reinterpret_cast<void*>(hashed.entry));
    }
  };

  bool strike_out(task gone) TEFF_REQUIRES(lock_) {
    const auto found = copies_.find(gone);
    if (found == copies_.end()) return false;
    if (--found->second == 0) copies_.erase(found);
    --tasks_;
    return true;
  }

  static std::string by(operation what, unsigned id) { return std::string(name_of(what)) + " by worker " + std::to_string(id); }
  static std::string text(task shown) {
    char argument[32];
    std::snprintf(argument, sizeof argument, "%p", shown.argument);
    return std::string("the task with argument ") + argument;
  }

  violations& found_;
  mutable platform::lock lock_;
  std::vector<bool> inside_operation_ TEFF_GUARDED_BY(lock_);
  std::unordered_map<task, std::uint32_t, hash> copies_ TEFF_GUARDED_BY(lock_);
  std::uint64_t tasks_ TEFF_GUARDED_BY(lock_) = 0;
  std::int64_t settled_ TEFF_GUARDED_BY(lock_) = 0;
  unsigned busy_ TEFF_GUARDED_BY(lock_) = 0;             ///< workers inside an operation
  unsigned only_user_ TEFF_GUARDED_BY(lock_) = several;  ///< the one worker that used the pool since it was empty
  bool closed_ TEFF_GUARDED_BY(lock_) = false;
};

/// Checks the pool below against the contract: every task comes out once, out of one operation of a worker at a time; take gives
/// what it was asked for; empty means empty; nothing is left at the end.
///
/// Cost: a lock for all workers, several times per operation. It orders what the pool itself may have forgotten to order: run
///   ThreadSanitizer without it, too.
template <task_pool Pool>
class checking : public wrapped<Pool> {
 public:
  explicit checking(const environment& from, const instruments& with = {})
      : wrapped<Pool>(from, with), found_(with.found != nullptr ? *with.found : own_.emplace()), book_(from.workers, found_) {}

  const violations& found() const { return found_; }
  std::uint64_t tasks_inside() const { return book_.tasks(); }

  advice init(worker& first, task ready) {
    return insert(&first, operation::init, {&ready, 1}, [&] { return this->inner_.init(first, ready); });
  }
  advice put(worker& current, task ready, put_step step = put_step::whole) {
    return insert(&current, operation::put, {&ready, 1}, [&] { return this->put_below(current, ready, step); });
  }
  advice inject(std::span<const task> ready) {
    return insert(nullptr, operation::inject, ready, [&] { return this->inner_.inject(ready); });
  }
  advice unblocked(worker* current, started& who, task again)
    requires tracks_started<Pool>
  {
    const auto insertion = [&] { return this->inner_.unblocked(current, who, again); };
    if (again.entry == nullptr) return insertion();  // nothing comes in
    return insert(current, operation::unblocked, {&again, 1}, insertion);
  }

  get_result get(worker& current, task& next, reach how) {
    const visit here(book_, current, operation::get);
    if (!here.allowed) return get_result::empty;
    const bool must_find = how != reach::own && book_.must_find(current.id);
    const get_result found = this->inner_.get(current, next, how);
    if (found.has_task()) book_.take(next, operation::get, current.id);
    if (found.what == get_result::empty && must_find && book_.must_find(current.id)) book_.report_overlooked(current.id);
    return found;
  }

  template <class Predicate>
  get_result take(worker& current, Predicate wanted, task& taken, reach how) {
    const visit here(book_, current, operation::take);
    if (!here.allowed) return get_result::empty;
    const get_result found = this->inner_.take(current, wanted, taken, how);
    if (!found.has_task()) return found;
    book_.take(taken, operation::take, current.id);
    if (!wanted(taken)) book_.report_unwanted(current.id, taken);
    return found;
  }

  void close(worker& last) {
    book_.close();
    if constexpr (requires { this->inner_.close(last); }) this->inner_.close(last);
  }

 private:
  /// A worker's stay inside an operation.
  struct visit {
    visit(book& in, const worker& who, operation what) : entered(in), id(who.id), allowed(in.enter(id, what)) {}
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;
    ~visit() {
      if (allowed) entered.leave(id);
    }
    book& entered;
    const unsigned id;
    const bool allowed;
  };

  /// `current`: nullptr if no worker of the team inserts.
  template <class Insertion>
  advice insert(worker* current, operation what, std::span<const task> ready, Insertion insertion) {
    std::optional<visit> here;
    if (current != nullptr && !here.emplace(book_, *current, what).allowed) return advice::refused;
    for (const task& each : ready) current != nullptr ? book_.announce(each) : book_.announce_from_outside(each, what);
    const advice advised = insertion();
    for (const task& each : ready) book_.settle(each, advised, what);
    return advised;
  }

  std::optional<violations> own_;
  violations& found_;
  book book_;
};

}  // namespace TEFF_NAMESPACE::pool::wrap
