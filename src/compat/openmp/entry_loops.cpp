// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops, as gcc calls them: over `long`, over `unsigned long long`, and regions that are a loop.
#include "compat/openmp/worksharing.h"

namespace TEFF_NAMESPACE::openmp {

namespace {

handing_out in_any_order(handing_out how) {
  how.any_order = true;
  return how;
}
handing_out in_order(handing_out how) {
  how.ordered = true;
  how.any_order = false;
  return how;
}

template <class Number>
bool start(loop bounds, handing_out how, Number* from, Number* to) {
  come_to_loop(hand_out(bounds, how, icvs_of(self())), 0);
  return next_of_loop(bits_of(from), bits_of(to));
}

/// The same, with what newer calls bring besides.
template <class Number>
bool start(loop bounds, handing_out how, Number* from, Number* to, std::uintptr_t* reductions, void** memory) {
  come_to_loop(hand_out(bounds, how, icvs_of(self())), reductions, memory);
  return from == nullptr || next_of_loop(bits_of(from), bits_of(to));
}

void run_loop(task_function function, void* data, unsigned threads, unsigned flags, loop bounds, handing_out how) {
  run_region(function, data, threads, flags, &hand_out(bounds, how, icvs_of(self())));
}

/// As older programs do it, who then call GOMP_parallel_end.
void open_loop(task_function function, void* data, unsigned threads, loop bounds, handing_out how) {
  open_region(self(), function, data, threads, &hand_out(bounds, how, icvs_of(self())));
}

}  // namespace

// --- Over `long`
TEFF_ENTRY bool GOMP_loop_static_start(long first, long end, long step, long chunk, long* from, long* to) {
  return start(loop_of(first, end, step), {schedule::fixed, chunk}, from, to);
}
TEFF_ENTRY bool GOMP_loop_dynamic_start(long first, long end, long step, long chunk, long* from, long* to) {
  return start(loop_of(first, end, step), {schedule::dynamic, chunk}, from, to);
}
TEFF_ENTRY bool GOMP_loop_guided_start(long first, long end, long step, long chunk, long* from, long* to) {
  return start(loop_of(first, end, step), {schedule::guided, chunk}, from, to);
}
TEFF_ENTRY bool GOMP_loop_runtime_start(long first, long end, long step, long* from, long* to) {
  return start(loop_of(first, end, step), {schedule::runtime}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ordered_static_start(long first, long end, long step, long chunk, long* from, long* to) {
  return start(loop_of(first, end, step), {schedule::fixed, chunk, true}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ordered_dynamic_start(long first, long end, long step, long chunk, long* from, long* to) {
  return start(loop_of(first, end, step), {schedule::dynamic, chunk, true}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ordered_guided_start(long first, long end, long step, long chunk, long* from, long* to) {
  return start(loop_of(first, end, step), {schedule::guided, chunk, true}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ordered_runtime_start(long first, long end, long step, long* from, long* to) {
  return start(loop_of(first, end, step), {schedule::runtime, 0, true}, from, to);
}
TEFF_ENTRY bool GOMP_loop_nonmonotonic_dynamic_start(long first, long end, long step, long chunk, long* from, long* to) {
  return start(loop_of(first, end, step), in_any_order({schedule::dynamic, chunk}), from, to);
}
TEFF_SAME(GOMP_loop_nonmonotonic_guided_start, GOMP_loop_guided_start);
TEFF_ENTRY bool GOMP_loop_nonmonotonic_runtime_start(long first, long end, long step, long* from, long* to) {
  return start(loop_of(first, end, step), in_any_order({schedule::runtime}), from, to);
}
TEFF_SAME(GOMP_loop_maybe_nonmonotonic_runtime_start, GOMP_loop_nonmonotonic_runtime_start);
TEFF_ENTRY bool GOMP_loop_start(long first, long end, long step, long kind, long chunk, long* from, long* to,
                                std::uintptr_t* reductions, void** memory) {
  constexpr const char* name = "GOMP_loop_start";
  return start(loop_of(first, end, step), way_of(kind, chunk, name), from, to, reductions, memory);
}
TEFF_ENTRY bool GOMP_loop_ordered_start(long first, long end, long step, long kind, long chunk, long* from, long* to,
                                        std::uintptr_t* reductions, void** memory) {
  constexpr const char* name = "GOMP_loop_ordered_start";
  return start(loop_of(first, end, step), in_order(way_of(kind, chunk, name)), from, to, reductions, memory);
}

// --- Over `unsigned long long`
TEFF_ENTRY bool GOMP_loop_ull_static_start(bool up, number first, number end, number step, number chunk, number* from,
                                           number* to) {
  return start(loop_of(up, first, end, step), {schedule::fixed, chunk_of(chunk)}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_dynamic_start(bool up, number first, number end, number step, number chunk, number* from,
                                            number* to) {
  return start(loop_of(up, first, end, step), {schedule::dynamic, chunk_of(chunk)}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_guided_start(bool up, number first, number end, number step, number chunk, number* from,
                                           number* to) {
  return start(loop_of(up, first, end, step), {schedule::guided, chunk_of(chunk)}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_runtime_start(bool up, number first, number end, number step, number* from, number* to) {
  return start(loop_of(up, first, end, step), {schedule::runtime}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_ordered_static_start(bool up, number first, number end, number step, number chunk, number* from,
                                                   number* to) {
  return start(loop_of(up, first, end, step), {schedule::fixed, chunk_of(chunk), true}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_ordered_dynamic_start(bool up, number first, number end, number step, number chunk, number* from,
                                                    number* to) {
  return start(loop_of(up, first, end, step), {schedule::dynamic, chunk_of(chunk), true}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_ordered_guided_start(bool up, number first, number end, number step, number chunk, number* from,
                                                   number* to) {
  return start(loop_of(up, first, end, step), {schedule::guided, chunk_of(chunk), true}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_ordered_runtime_start(bool up, number first, number end, number step, number* from, number* to) {
  return start(loop_of(up, first, end, step), {schedule::runtime, 0, true}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_nonmonotonic_dynamic_start(bool up, number first, number end, number step, number chunk,
                                                         number* from, number* to) {
  return start(loop_of(up, first, end, step), in_any_order({schedule::dynamic, chunk_of(chunk)}), from, to);
}
TEFF_SAME(GOMP_loop_ull_nonmonotonic_guided_start, GOMP_loop_ull_guided_start);
TEFF_ENTRY bool GOMP_loop_ull_nonmonotonic_runtime_start(bool up, number first, number end, number step, number* from,
                                                         number* to) {
  return start(loop_of(up, first, end, step), in_any_order({schedule::runtime}), from, to);
}
TEFF_SAME(GOMP_loop_ull_maybe_nonmonotonic_runtime_start, GOMP_loop_ull_nonmonotonic_runtime_start);
TEFF_ENTRY bool GOMP_loop_ull_start(bool up, number first, number end, number step, long kind, number chunk, number* from,
                                    number* to, std::uintptr_t* reductions, void** memory) {
  constexpr const char* name = "GOMP_loop_ull_start";
  return start(loop_of(up, first, end, step), way_of(kind, chunk_of(chunk), name), from, to, reductions, memory);
}
TEFF_ENTRY bool GOMP_loop_ull_ordered_start(bool up, number first, number end, number step, long kind, number chunk, number* from,
                                            number* to, std::uintptr_t* reductions, void** memory) {
  constexpr const char* name = "GOMP_loop_ull_ordered_start";
  return start(loop_of(up, first, end, step), in_order(way_of(kind, chunk_of(chunk), name)), from, to, reductions, memory);
}

TEFF_ENTRY bool GOMP_loop_static_next(long* from, long* to) { return next_of_loop(bits_of(from), bits_of(to)); }
TEFF_SAME(GOMP_loop_dynamic_next, GOMP_loop_static_next);
TEFF_SAME(GOMP_loop_guided_next, GOMP_loop_static_next);
TEFF_SAME(GOMP_loop_runtime_next, GOMP_loop_static_next);
TEFF_SAME(GOMP_loop_ordered_static_next, GOMP_loop_static_next);
TEFF_SAME(GOMP_loop_ordered_dynamic_next, GOMP_loop_static_next);
TEFF_SAME(GOMP_loop_ordered_guided_next, GOMP_loop_static_next);
TEFF_SAME(GOMP_loop_ordered_runtime_next, GOMP_loop_static_next);
TEFF_SAME(GOMP_loop_nonmonotonic_dynamic_next, GOMP_loop_static_next);
TEFF_SAME(GOMP_loop_nonmonotonic_guided_next, GOMP_loop_static_next);
TEFF_SAME(GOMP_loop_nonmonotonic_runtime_next, GOMP_loop_static_next);
TEFF_SAME(GOMP_loop_maybe_nonmonotonic_runtime_next, GOMP_loop_static_next);
TEFF_ENTRY bool GOMP_loop_ull_static_next(number* from, number* to) { return next_of_loop(from, to); }
TEFF_SAME(GOMP_loop_ull_dynamic_next, GOMP_loop_ull_static_next);
TEFF_SAME(GOMP_loop_ull_guided_next, GOMP_loop_ull_static_next);
TEFF_SAME(GOMP_loop_ull_runtime_next, GOMP_loop_ull_static_next);
TEFF_SAME(GOMP_loop_ull_ordered_static_next, GOMP_loop_ull_static_next);
TEFF_SAME(GOMP_loop_ull_ordered_dynamic_next, GOMP_loop_ull_static_next);
TEFF_SAME(GOMP_loop_ull_ordered_guided_next, GOMP_loop_ull_static_next);
TEFF_SAME(GOMP_loop_ull_ordered_runtime_next, GOMP_loop_ull_static_next);
TEFF_SAME(GOMP_loop_ull_nonmonotonic_dynamic_next, GOMP_loop_ull_static_next);
TEFF_SAME(GOMP_loop_ull_nonmonotonic_guided_next, GOMP_loop_ull_static_next);
TEFF_SAME(GOMP_loop_ull_nonmonotonic_runtime_next, GOMP_loop_ull_static_next);
TEFF_SAME(GOMP_loop_ull_maybe_nonmonotonic_runtime_next, GOMP_loop_ull_static_next);

// Other ends are barriers: entry_regions.cpp.
TEFF_ENTRY void GOMP_loop_end_nowait() {}
TEFF_SAME(GOMP_sections_end_nowait, GOMP_loop_end_nowait);

// --- Regions

/// gcc calls this for schedule(auto) alone, which has no chunk, and leaves the argument out: the region's flags stand in its
/// place, and what stands in the flags' place is anything. A larger number is the chunk of who calls it by hand.
TEFF_ENTRY void GOMP_parallel_loop_static(task_function function, void* data, unsigned threads, long first, long end, long step,
                                          long flags_or_chunk, unsigned) {
  const bool is_chunk = flags_or_chunk < 0 || flags_or_chunk > bind_spread;
  const unsigned flags = is_chunk ? 0 : static_cast<unsigned>(flags_or_chunk);
  run_loop(function, data, threads, flags, loop_of(first, end, step), {schedule::fixed, is_chunk ? flags_or_chunk : 0});
}
TEFF_ENTRY void GOMP_parallel_loop_dynamic(task_function function, void* data, unsigned threads, long first, long end, long step,
                                           long chunk, unsigned flags) {
  run_loop(function, data, threads, flags, loop_of(first, end, step), {schedule::dynamic, chunk});
}
TEFF_ENTRY void GOMP_parallel_loop_guided(task_function function, void* data, unsigned threads, long first, long end, long step,
                                          long chunk, unsigned flags) {
  run_loop(function, data, threads, flags, loop_of(first, end, step), {schedule::guided, chunk});
}
TEFF_ENTRY void GOMP_parallel_loop_runtime(task_function function, void* data, unsigned threads, long first, long end, long step,
                                           unsigned flags) {
  run_loop(function, data, threads, flags, loop_of(first, end, step), {schedule::runtime});
}
TEFF_ENTRY void GOMP_parallel_loop_nonmonotonic_dynamic(task_function function, void* data, unsigned threads, long first,
                                                        long end, long step, long chunk, unsigned flags) {
  run_loop(function, data, threads, flags, loop_of(first, end, step), in_any_order({schedule::dynamic, chunk}));
}
TEFF_SAME(GOMP_parallel_loop_nonmonotonic_guided, GOMP_parallel_loop_guided);
TEFF_ENTRY void GOMP_parallel_loop_nonmonotonic_runtime(task_function function, void* data, unsigned threads, long first,
                                                        long end, long step, unsigned flags) {
  run_loop(function, data, threads, flags, loop_of(first, end, step), in_any_order({schedule::runtime}));
}
TEFF_SAME(GOMP_parallel_loop_maybe_nonmonotonic_runtime, GOMP_parallel_loop_nonmonotonic_runtime);

/// Older ones leave the chunk out here.
TEFF_ENTRY void GOMP_parallel_loop_static_start(task_function function, void* data, unsigned threads, long first, long end,
                                                long step, long) {
  open_loop(function, data, threads, loop_of(first, end, step), {schedule::fixed});
}
TEFF_ENTRY void GOMP_parallel_loop_dynamic_start(task_function function, void* data, unsigned threads, long first, long end,
                                                 long step, long chunk) {
  open_loop(function, data, threads, loop_of(first, end, step), {schedule::dynamic, chunk});
}
TEFF_ENTRY void GOMP_parallel_loop_guided_start(task_function function, void* data, unsigned threads, long first, long end,
                                                long step, long chunk) {
  open_loop(function, data, threads, loop_of(first, end, step), {schedule::guided, chunk});
}
TEFF_ENTRY void GOMP_parallel_loop_runtime_start(task_function function, void* data, unsigned threads, long first, long end,
                                                 long step) {
  open_loop(function, data, threads, loop_of(first, end, step), {schedule::runtime});
}

}  // namespace TEFF_NAMESPACE::openmp
