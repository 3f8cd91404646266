// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is measured around tasks and waits: clock.h.
#include "compat/openmp/timed.h"

#include "compat/openmp/depend_record.h"
#include "compat/openmp/tasks.h"

// Where the library's first page and its code's end lie, by the linker.
extern "C" __attribute__((visibility("hidden"))) const char __ehdr_start[], etext[];

namespace TEFF_NAMESPACE::openmp {

void run_code_measured(member& current, task_block* next) {
  if (next->has_moved()) current.clock->moved.add(1);  // nothing of the parent is read, as in execute
  const bool is_dependent = next->function == &run_dependent;
  // relaxed: a hint, as in run_code.
  if (is_dependent && (current.in.at_begin.load(platform::relaxed) == 0 || prepare_to_begin(current, next)))
    return run_dependent_measured(current, next);
  if (is_dependent) return skip_dependent(current, next);
  measured_frame frame;
  current.clock->begin_task(frame, reinterpret_cast<const void*>(next->function));
  run_code(current, next);
  current.clock->end_task(frame);
}

void run_measured(member& current, task_function function, void* arguments, bool is_final) {
  run_on_stack_measured(current, function, arguments, is_final);
}

void activity_clock::end_wait(const wait_place& where) {
  const std::uint64_t now = look(now_), ns = now - since_.value();
  if (runs_) spent_[static_cast<unsigned>(now_)].add(ns);
  since_.set(now);
  begin_to_divide();
  take_lost();
  count_wait(where, ns);
}

void activity_clock::count_wait(const wait_place& where, std::uint64_t ns) {
  const site_key key{where.code, region_};
  const bool is_lock = where.kind != wait_kind::barrier;
  auto& of = is_lock ? sites.locks.at(key) : sites.barriers.at(key);
  of[wait_numbers::waits].add(1);
  of[wait_numbers::time].add(ns);
  of.raise(wait_numbers::longest, ns);
  if (is_lock) of.raise(wait_numbers::kind, static_cast<std::uint64_t>(where.kind));
}

wait_place barrier_at(const void* caller) {
  const bool is_of_program =
      caller != nullptr && (caller < static_cast<const void*>(__ehdr_start) || caller >= static_cast<const void*>(etext));
  return {caller, is_of_program ? wait_kind::barrier : wait_kind::none};
}

timed_lock_wait::timed_lock_wait(const wait_place& where) : where_(where) {
  const member* const self = known_self();
  if (self == nullptr || self->clock == nullptr || where.kind == wait_kind::none) return;
  clock_ = self->clock;
  clock_->bring_up_to_date();
}

timed_lock_wait::~timed_lock_wait() {
  if (clock_ != nullptr) clock_->end_wait(where_);
}

}  // namespace TEFF_NAMESPACE::openmp
