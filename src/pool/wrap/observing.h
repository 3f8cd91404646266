// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/wrap/wrapped.h"

#include <optional>

namespace TEFF_NAMESPACE::pool::wrap {

/// Notes every answer of the pool below in a log, the one that `Given` names, or one of its own.
///
/// A log has start(workers), and add(worker, operation, answer, argument): nullptr for the worker if none of the team calls, and
/// for the argument if no task comes in or goes out.
template <task_pool Pool, class Log, Log* instruments::* Given>
class observing : public wrapped<Pool> {
 public:
  explicit observing(const environment& from, const instruments& with = {})
      : wrapped<Pool>(from, with), log_(with.*Given != nullptr ? *(with.*Given) : own_.emplace()) {
    log_.start(from.workers);
  }

  const Log& log() const { return log_; }

  advice init(worker& first, task ready) {
    return noted(&first, operation::init, this->inner_.init(first, ready), ready.argument);
  }
  advice put(worker& current, task ready, put_step step = put_step::whole) {
    return noted(&current, operation::put, this->put_below(current, ready, step), ready.argument);
  }
  advice inject(std::span<const task> ready) {
    const advice advised = this->inner_.inject(ready);
    for (const task& each : ready) noted(nullptr, operation::inject, advised, each.argument);
    return advised;
  }
  get_result get(worker& current, task& next, reach how) {
    const get_result found = this->inner_.get(current, next, how);
    // A look that says nothing is none.
    return how == reach::own && !found.has_task() ? found : noted_look(current, operation::get, found, next);
  }
  template <class Predicate>
  get_result take(worker& current, Predicate wanted, task& taken, reach how) {
    return noted_look(current, operation::take, this->inner_.take(current, wanted, taken, how), taken);
  }
  advice unblocked(worker* current, started& who, task again)
    requires tracks_started<Pool>
  {
    const advice advised = this->inner_.unblocked(current, who, again);
    if (again.entry == nullptr) return advised;  // nothing came in
    return noted(current, operation::unblocked, advised, again.argument);
  }

 private:
  get_result noted_look(const worker& current, operation what, get_result result, const task& found) {
    return noted(&current, what, result, result.has_task() ? found.argument : nullptr);
  }

  template <class Answer>
  Answer noted(const worker* current, operation what, Answer answered, const void* argument) {
    log_.add(current, what, as_answer(answered), argument);
    return answered;
  }

  std::optional<Log> own_;
  Log& log_;
};

}  // namespace TEFF_NAMESPACE::pool::wrap
