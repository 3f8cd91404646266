// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Regions that are a loop, as gcc calls them.
#include "compat/openmp/worksharing.h"

namespace TEFF_NAMESPACE::openmp {

namespace {

loop loop_for_region(long first, long end, long step, handing_out how) {
  return handed_out(loop_of(first, end, step), how, icvs_of(self()));
}

}  // namespace

/// gcc calls this for schedule(auto) alone, which has no chunk, and leaves the argument out: the region's flags stand in its place,
/// and what stands in the flags' place is anything. A larger number is the chunk of who calls it by hand.
TEFF_ENTRY void GOMP_parallel_loop_static(task_function function, void* data, unsigned threads, long first, long end, long step,
                                          long flags_or_chunk, unsigned) {
  const bool is_chunk = flags_or_chunk < 0 || flags_or_chunk > bind_spread;
  const loop what = loop_for_region(first, end, step, {schedule::fixed, is_chunk ? flags_or_chunk : 0});
  run_region(function, data, threads, is_chunk ? 0 : static_cast<unsigned>(flags_or_chunk), &what);
}
TEFF_ENTRY void GOMP_parallel_loop_dynamic(task_function function, void* data, unsigned threads, long first, long end, long step,
                                           long chunk, unsigned flags) {
  const loop what = loop_for_region(first, end, step, {schedule::dynamic, chunk});
  run_region(function, data, threads, flags, &what);
}
TEFF_ENTRY void GOMP_parallel_loop_guided(task_function function, void* data, unsigned threads, long first, long end, long step,
                                          long chunk, unsigned flags) {
  const loop what = loop_for_region(first, end, step, {schedule::guided, chunk});
  run_region(function, data, threads, flags, &what);
}
TEFF_ENTRY void GOMP_parallel_loop_runtime(task_function function, void* data, unsigned threads, long first, long end, long step,
                                           unsigned flags) {
  const loop what = loop_for_region(first, end, step, {schedule::runtime});
  run_region(function, data, threads, flags, &what);
}
TEFF_ENTRY void GOMP_parallel_loop_nonmonotonic_dynamic(task_function function, void* data, unsigned threads, long first,
                                                        long end, long step, long chunk, unsigned flags) {
  const loop what = loop_for_region(first, end, step, {schedule::dynamic, chunk});
  run_region(function, data, threads, flags, &what);
}
TEFF_ENTRY void GOMP_parallel_loop_nonmonotonic_guided(task_function function, void* data, unsigned threads, long first, long end,
                                                       long step, long chunk, unsigned flags) {
  const loop what = loop_for_region(first, end, step, {schedule::guided, chunk});
  run_region(function, data, threads, flags, &what);
}
TEFF_ENTRY void GOMP_parallel_loop_nonmonotonic_runtime(task_function function, void* data, unsigned threads, long first,
                                                        long end, long step, unsigned flags) {
  const loop what = loop_for_region(first, end, step, {schedule::runtime});
  run_region(function, data, threads, flags, &what);
}
TEFF_ENTRY void GOMP_parallel_loop_maybe_nonmonotonic_runtime(task_function function, void* data, unsigned threads, long first,
                                                              long end, long step, unsigned flags) {
  const loop what = loop_for_region(first, end, step, {schedule::runtime});
  run_region(function, data, threads, flags, &what);
}

/// Older ones leave the chunk out here.
TEFF_ENTRY void GOMP_parallel_loop_static_start(task_function function, void* data, unsigned threads, long first, long end,
                                                long step, long) {
  const loop what = loop_for_region(first, end, step, {schedule::fixed});
  open_region(self(), function, data, threads, &what);
}
TEFF_ENTRY void GOMP_parallel_loop_dynamic_start(task_function function, void* data, unsigned threads, long first, long end,
                                                 long step, long chunk) {
  const loop what = loop_for_region(first, end, step, {schedule::dynamic, chunk});
  open_region(self(), function, data, threads, &what);
}
TEFF_ENTRY void GOMP_parallel_loop_guided_start(task_function function, void* data, unsigned threads, long first, long end,
                                                long step, long chunk) {
  const loop what = loop_for_region(first, end, step, {schedule::guided, chunk});
  open_region(self(), function, data, threads, &what);
}
TEFF_ENTRY void GOMP_parallel_loop_runtime_start(task_function function, void* data, unsigned threads, long first, long end,
                                                 long step) {
  const loop what = loop_for_region(first, end, step, {schedule::runtime});
  open_region(self(), function, data, threads, &what);
}

}  // namespace TEFF_NAMESPACE::openmp
