// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops over `unsigned long long`, as gcc calls them.
#include "compat/openmp/worksharing.h"

namespace TEFF_NAMESPACE::openmp {

namespace {

using number = unsigned long long;

bool start(bool up, number first, number end, number step, handing_out how, number* from, number* to) {
  return start_loop(handed_out(loop_of_unsigned(up, first, end, step), how, icvs_of(self())), from, to);
}

}  // namespace

TEFF_ENTRY bool GOMP_loop_ull_static_start(bool up, number first, number end, number step, number chunk, number* from,
                                           number* to) {
  return start(up, first, end, step, {schedule::fixed, chunk_of(chunk)}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_dynamic_start(bool up, number first, number end, number step, number chunk, number* from,
                                            number* to) {
  return start(up, first, end, step, {schedule::dynamic, chunk_of(chunk)}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_guided_start(bool up, number first, number end, number step, number chunk, number* from,
                                           number* to) {
  return start(up, first, end, step, {schedule::guided, chunk_of(chunk)}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_runtime_start(bool up, number first, number end, number step, number* from, number* to) {
  return start(up, first, end, step, {schedule::runtime}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_ordered_static_start(bool up, number first, number end, number step, number chunk, number* from,
                                                   number* to) {
  return start(up, first, end, step, {schedule::fixed, chunk_of(chunk), true}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_ordered_dynamic_start(bool up, number first, number end, number step, number chunk, number* from,
                                                    number* to) {
  return start(up, first, end, step, {schedule::dynamic, chunk_of(chunk), true}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_ordered_guided_start(bool up, number first, number end, number step, number chunk, number* from,
                                                   number* to) {
  return start(up, first, end, step, {schedule::guided, chunk_of(chunk), true}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_ordered_runtime_start(bool up, number first, number end, number step, number* from, number* to) {
  return start(up, first, end, step, {schedule::runtime, 0, true}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_nonmonotonic_dynamic_start(bool up, number first, number end, number step, number chunk,
                                                         number* from, number* to) {
  return start(up, first, end, step, {schedule::dynamic, chunk_of(chunk)}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_nonmonotonic_guided_start(bool up, number first, number end, number step, number chunk,
                                                        number* from, number* to) {
  return start(up, first, end, step, {schedule::guided, chunk_of(chunk)}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_nonmonotonic_runtime_start(bool up, number first, number end, number step, number* from,
                                                         number* to) {
  return start(up, first, end, step, {schedule::runtime}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_maybe_nonmonotonic_runtime_start(bool up, number first, number end, number step, number* from,
                                                               number* to) {
  return start(up, first, end, step, {schedule::runtime}, from, to);
}

// As in entry_loops.cpp, what gcc calls for schedule(dynamic) is first.
TEFF_ENTRY bool GOMP_loop_ull_nonmonotonic_dynamic_next(number* from, number* to) { return next_of_loop(from, to); }
TEFF_ENTRY bool GOMP_loop_ull_static_next(number* from, number* to) { return next_of_loop(from, to); }
TEFF_ENTRY bool GOMP_loop_ull_dynamic_next(number* from, number* to) { return next_of_loop(from, to); }
TEFF_ENTRY bool GOMP_loop_ull_guided_next(number* from, number* to) { return next_of_loop(from, to); }
TEFF_ENTRY bool GOMP_loop_ull_runtime_next(number* from, number* to) { return next_of_loop(from, to); }
TEFF_ENTRY bool GOMP_loop_ull_ordered_static_next(number* from, number* to) { return next_of_loop(from, to); }
TEFF_ENTRY bool GOMP_loop_ull_ordered_dynamic_next(number* from, number* to) { return next_of_loop(from, to); }
TEFF_ENTRY bool GOMP_loop_ull_ordered_guided_next(number* from, number* to) { return next_of_loop(from, to); }
TEFF_ENTRY bool GOMP_loop_ull_ordered_runtime_next(number* from, number* to) { return next_of_loop(from, to); }
TEFF_ENTRY bool GOMP_loop_ull_nonmonotonic_guided_next(number* from, number* to) { return next_of_loop(from, to); }
TEFF_ENTRY bool GOMP_loop_ull_nonmonotonic_runtime_next(number* from, number* to) { return next_of_loop(from, to); }
TEFF_ENTRY bool GOMP_loop_ull_maybe_nonmonotonic_runtime_next(number* from, number* to) { return next_of_loop(from, to); }

TEFF_ENTRY bool GOMP_loop_ull_start(bool up, number first, number end, number step, long kind, number chunk, number* from,
                                    number* to, std::uintptr_t* reductions, void** memory) {
  constexpr const char* name = "GOMP_loop_ull_start";
  const loop bounds = loop_of_unsigned(up, first, end, step);
  const loop what = handed_out(bounds, {kind_of(kind, name), chunk_of(chunk), false}, icvs_of(self()));
  come_to_loop(what, reductions, memory, name);
  return from == nullptr || next_of_loop(from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_ordered_start(bool up, number first, number end, number step, long kind, number chunk, number* from,
                                            number* to, std::uintptr_t* reductions, void** memory) {
  constexpr const char* name = "GOMP_loop_ull_ordered_start";
  const loop bounds = loop_of_unsigned(up, first, end, step);
  const loop what = handed_out(bounds, {kind_of(kind, name), chunk_of(chunk), true}, icvs_of(self()));
  come_to_loop(what, reductions, memory, name);
  return from == nullptr || next_of_loop(from, to);
}

}  // namespace TEFF_NAMESPACE::openmp
