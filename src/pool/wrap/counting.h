// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "pool/wrap/wrapped.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace TEFF_NAMESPACE::pool::wrap {

/// How often each operation gave each answer. Owned by who wants to know; outlives the pool.
///
/// Invariants: a row is written by its worker alone (by the caller of init, before the run); what comes from outside the team
///   has atomics. Exact while nobody uses the pool.
class tally {
 public:
  /// Effect: forgets everything and makes room for so many workers. Called by the decorator when it is built.
  void start(unsigned workers) {
    rows_.reset(new row[workers]);
    workers_ = workers;
    for (auto& each : injected_) each.store(0, platform::relaxed);  // relaxed: nobody else is there
  }

  void add(const worker& current, operation which, answer answered) { rows_[current.id].at(which, answered).add(1); }
  // relaxed: a statistic.
  void add_injection(answer answered) { injected_[static_cast<unsigned>(answered)].fetch_add(1, platform::relaxed); }

  std::uint64_t value(operation which, answer answered) const {
    if (which == operation::inject) return injected_[static_cast<unsigned>(answered)].load(platform::relaxed);
    std::uint64_t sum = 0;
    for (unsigned id = 0; id < workers_; ++id) sum += rows_[id].at(which, answered).value();
    return sum;
  }

  /// Returns: calls of an operation, whatever was answered.
  std::uint64_t calls(operation which) const {
    std::uint64_t sum = 0;
    for (unsigned each = 0; each < answer_count; ++each) sum += value(which, static_cast<answer>(each));
    return sum;
  }

  /// Returns: tasks that the pool took over.
  std::uint64_t accepted() const {
    std::uint64_t sum = 0;
    for (const operation each : {operation::init, operation::put, operation::inject, operation::unblocked}) {
      sum += calls(each) - value(each, answer::refused) - value(each, answer::full);
    }
    return sum;
  }

  /// Returns: tasks that the pool gave away.
  std::uint64_t taken() const { return value(operation::get, answer::got) + value(operation::take, answer::got); }

  /// Returns: an empty text if accepted = taken + left, else a sentence.
  std::string add_up(std::uint64_t left) const {
    if (accepted() == taken() + left) return {};
    return "the pool accepted " + std::to_string(accepted()) + " tasks, but " + std::to_string(taken()) + " were taken and " +
           std::to_string(left) + " are left";
  }

 private:
  struct alignas(cache_line_bytes) row {
    platform::statistic cells[operation_count][answer_count];

    platform::statistic& at(operation which, answer answered) {
      return cells[static_cast<unsigned>(which)][static_cast<unsigned>(answered)];
    }
    const platform::statistic& at(operation which, answer answered) const {
      return cells[static_cast<unsigned>(which)][static_cast<unsigned>(answered)];
    }
  };

  std::unique_ptr<row[]> rows_;
  unsigned workers_ = 0;
  platform::atomic<std::uint64_t> injected_[answer_count]{};
};

/// Counts every operation of the pool below and every answer.
///
/// Cost: a few loads and stores in the worker's own lines per operation; an atomic addition per injection.
template <task_pool Pool>
class counting : public wrapped<Pool> {
 public:
  explicit counting(const environment& from, const instruments& with = {})
      : wrapped<Pool>(from, with), numbers_(with.numbers != nullptr ? *with.numbers : own_.emplace()) {
    numbers_.start(from.workers);
  }

  const tally& numbers() const { return numbers_; }

  advice init(worker& first, task ready) { return counted(first, operation::init, this->inner_.init(first, ready)); }
  advice put(worker& current, task ready, put_step step = put_step::whole) {
    return counted(current, operation::put, this->put_below(current, ready, step));
  }
  advice inject(std::span<const task> ready) {
    const advice advised = this->inner_.inject(ready);
    for (std::size_t each = 0; each < ready.size(); ++each) numbers_.add_injection(as_answer(advised));
    return advised;
  }
  get_result get(worker& current, task& next, reach how) {
    const get_result found = this->inner_.get(current, next, how);
    // A look that says nothing is none.
    return how == reach::own && !found.has_task() ? found : counted(current, operation::get, found);
  }
  template <class Predicate>
  get_result take(worker& current, Predicate wanted, task& taken, reach how) {
    return counted(current, operation::take, this->inner_.take(current, wanted, taken, how));
  }
  advice unblocked(worker* current, started& who, task again)
    requires tracks_started<Pool>
  {
    const advice advised = this->inner_.unblocked(current, who, again);
    if (again.entry == nullptr) return advised;  // nothing came in
    if (current != nullptr) return counted(*current, operation::unblocked, advised);
    numbers_.add_injection(as_answer(advised));
    return advised;
  }

 private:
  template <class Answer>
  Answer counted(const worker& current, operation which, Answer answered) {
    numbers_.add(current, which, as_answer(answered));
    return answered;
  }

  std::optional<tally> own_;
  tally& numbers_;
};

}  // namespace TEFF_NAMESPACE::pool::wrap
