// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops over `long`, as gcc calls them.
#include "compat/openmp/worksharing.h"

namespace TEFF_NAMESPACE::openmp {

namespace {

using number = long;

bool start(long first, long end, long step, handing_out how, number* from, number* to) {
  return start_loop(handed_out(loop_of(first, end, step), how, icvs_of(self())), from, to);
}

}  // namespace

TEFF_ENTRY bool GOMP_loop_static_start(long first, long end, long step, number chunk, number* from, number* to) {
  return start(first, end, step, {schedule::fixed, chunk}, from, to);
}
TEFF_ENTRY bool GOMP_loop_dynamic_start(long first, long end, long step, number chunk, number* from, number* to) {
  return start(first, end, step, {schedule::dynamic, chunk}, from, to);
}
TEFF_ENTRY bool GOMP_loop_guided_start(long first, long end, long step, number chunk, number* from, number* to) {
  return start(first, end, step, {schedule::guided, chunk}, from, to);
}
TEFF_ENTRY bool GOMP_loop_runtime_start(long first, long end, long step, number* from, number* to) {
  return start(first, end, step, {schedule::runtime}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ordered_static_start(long first, long end, long step, number chunk, number* from, number* to) {
  return start(first, end, step, {schedule::fixed, chunk, true}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ordered_dynamic_start(long first, long end, long step, number chunk, number* from, number* to) {
  return start(first, end, step, {schedule::dynamic, chunk, true}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ordered_guided_start(long first, long end, long step, number chunk, number* from, number* to) {
  return start(first, end, step, {schedule::guided, chunk, true}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ordered_runtime_start(long first, long end, long step, number* from, number* to) {
  return start(first, end, step, {schedule::runtime, 0, true}, from, to);
}
TEFF_ENTRY bool GOMP_loop_nonmonotonic_dynamic_start(long first, long end, long step, number chunk, number* from, number* to) {
  return start(first, end, step, {schedule::dynamic, chunk}, from, to);
}
TEFF_ENTRY bool GOMP_loop_nonmonotonic_guided_start(long first, long end, long step, number chunk, number* from, number* to) {
  return start(first, end, step, {schedule::guided, chunk}, from, to);
}
TEFF_ENTRY bool GOMP_loop_nonmonotonic_runtime_start(long first, long end, long step, number* from, number* to) {
  return start(first, end, step, {schedule::runtime}, from, to);
}
TEFF_ENTRY bool GOMP_loop_maybe_nonmonotonic_runtime_start(long first, long end, long step, number* from, number* to) {
  return start(first, end, step, {schedule::runtime}, from, to);
}

// gcc makes one function of those that are alike, the first; the others jump to it. What it calls for schedule(dynamic) is first.
TEFF_ENTRY bool GOMP_loop_nonmonotonic_dynamic_next(number* from, number* to) { return next_of_loop(from, to); }
TEFF_ENTRY bool GOMP_loop_static_next(number* from, number* to) { return next_of_loop(from, to); }
TEFF_ENTRY bool GOMP_loop_dynamic_next(number* from, number* to) { return next_of_loop(from, to); }
TEFF_ENTRY bool GOMP_loop_guided_next(number* from, number* to) { return next_of_loop(from, to); }
TEFF_ENTRY bool GOMP_loop_runtime_next(number* from, number* to) { return next_of_loop(from, to); }
TEFF_ENTRY bool GOMP_loop_ordered_static_next(number* from, number* to) { return next_of_loop(from, to); }
TEFF_ENTRY bool GOMP_loop_ordered_dynamic_next(number* from, number* to) { return next_of_loop(from, to); }
TEFF_ENTRY bool GOMP_loop_ordered_guided_next(number* from, number* to) { return next_of_loop(from, to); }
TEFF_ENTRY bool GOMP_loop_ordered_runtime_next(number* from, number* to) { return next_of_loop(from, to); }
TEFF_ENTRY bool GOMP_loop_nonmonotonic_guided_next(number* from, number* to) { return next_of_loop(from, to); }
TEFF_ENTRY bool GOMP_loop_nonmonotonic_runtime_next(number* from, number* to) { return next_of_loop(from, to); }
TEFF_ENTRY bool GOMP_loop_maybe_nonmonotonic_runtime_next(number* from, number* to) { return next_of_loop(from, to); }

TEFF_ENTRY bool GOMP_loop_start(long first, long end, long step, long kind, number chunk, number* from, number* to,
                                std::uintptr_t* reductions, void** memory) {
  constexpr const char* name = "GOMP_loop_start";
  const loop what = handed_out(loop_of(first, end, step), {kind_of(kind, name), chunk, false}, icvs_of(self()));
  come_to_loop(what, reductions, memory, name);
  return from == nullptr || next_of_loop(from, to);
}
TEFF_ENTRY bool GOMP_loop_ordered_start(long first, long end, long step, long kind, number chunk, number* from, number* to,
                                        std::uintptr_t* reductions, void** memory) {
  constexpr const char* name = "GOMP_loop_ordered_start";
  const loop what = handed_out(loop_of(first, end, step), {kind_of(kind, name), chunk, true}, icvs_of(self()));
  come_to_loop(what, reductions, memory, name);
  return from == nullptr || next_of_loop(from, to);
}

TEFF_ENTRY void GOMP_loop_end() { barrier(self()); }
TEFF_ENTRY bool GOMP_loop_end_cancel() {
  barrier(self());
  return false;
}
TEFF_ENTRY void GOMP_loop_end_nowait() {}

}  // namespace TEFF_NAMESPACE::openmp
