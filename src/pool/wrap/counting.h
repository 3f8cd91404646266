// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "pool/wrap/observing.h"

#include <cstdint>
#include <memory>
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

  void add(const worker* current, operation which, answer answered, const void*) {
    if (current != nullptr) rows_[current->id].at(which, answered).add(1);
    else injected_[static_cast<unsigned>(answered)].fetch_add(1, platform::relaxed);  // relaxed: a statistic
  }

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
  };

  std::unique_ptr<row[]> rows_;
  unsigned workers_ = 0;
  platform::atomic<std::uint64_t> injected_[answer_count]{};
};

/// Counts every operation of the pool below and every answer.
///
/// Cost: a few loads and stores in the worker's own lines per operation; an atomic addition per injection.
template <task_pool Pool>
using counting = observing<Pool, tally, &instruments::numbers>;

}  // namespace TEFF_NAMESPACE::pool::wrap
