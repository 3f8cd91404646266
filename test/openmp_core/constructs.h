// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// OpenMP's constructs as calls of what gcc makes of them, on the core that is linked into the test: so scenes run on virtual
/// processors as well, whatever compiles them.
#pragma once

#include "base/namespace.h"

#include <cstdint>
#include <type_traits>

extern "C" {
using outlined = void(void*);
void GOMP_parallel(outlined*, void* data, unsigned threads, unsigned flags);
void GOMP_barrier();
bool GOMP_barrier_cancel();
bool GOMP_cancel(int which, bool really);
bool GOMP_cancellation_point(int which);
bool GOMP_loop_end_cancel();
bool GOMP_single_start();
void* GOMP_single_copy_start();
void GOMP_single_copy_end(void* copied);
void GOMP_critical_start();
void GOMP_critical_end();
void GOMP_task(outlined*, void* data, void (*copy)(void*, void*), long bytes, long alignment, bool deferred, unsigned flags,
               void** depend, int priority, void* event);
void GOMP_taskloop(outlined*, void* data, void (*copy)(void*, void*), long bytes, long alignment, unsigned flags,
                   unsigned long amount, int priority, long start, long end, long step);
void GOMP_taskwait();
void GOMP_taskyield();
void GOMP_taskgroup_start();
void GOMP_taskgroup_end();
unsigned GOMP_sections_start(unsigned count);
unsigned GOMP_sections_next();
void GOMP_sections_end();
bool GOMP_loop_static_start(long start, long end, long step, long chunk, long* from, long* to);
bool GOMP_loop_dynamic_start(long start, long end, long step, long chunk, long* from, long* to);
bool GOMP_loop_guided_start(long start, long end, long step, long chunk, long* from, long* to);
bool GOMP_loop_ordered_static_start(long start, long end, long step, long chunk, long* from, long* to);
bool GOMP_loop_ordered_dynamic_start(long start, long end, long step, long chunk, long* from, long* to);
bool GOMP_loop_nonmonotonic_dynamic_start(long start, long end, long step, long chunk, long* from, long* to);
bool GOMP_loop_nonmonotonic_dynamic_next(long* from, long* to);
bool GOMP_loop_ull_nonmonotonic_dynamic_start(bool up, unsigned long long start, unsigned long long end, unsigned long long step,
                                              unsigned long long chunk, unsigned long long* from, unsigned long long* to);
bool GOMP_loop_ull_nonmonotonic_dynamic_next(unsigned long long* from, unsigned long long* to);
void GOMP_parallel_loop_nonmonotonic_dynamic(outlined*, void* data, unsigned threads, long start, long end, long step, long chunk,
                                             unsigned flags);
bool GOMP_loop_static_next(long* from, long* to);
bool GOMP_loop_dynamic_next(long* from, long* to);
bool GOMP_loop_guided_next(long* from, long* to);
bool GOMP_loop_ordered_static_next(long* from, long* to);
bool GOMP_loop_ordered_dynamic_next(long* from, long* to);
bool GOMP_loop_doacross_static_start(unsigned depth, long* counts, long chunk, long* from, long* to);
bool GOMP_loop_doacross_dynamic_start(unsigned depth, long* counts, long chunk, long* from, long* to);
bool GOMP_loop_doacross_guided_start(unsigned depth, long* counts, long chunk, long* from, long* to);
void GOMP_doacross_post(long* iteration);
void GOMP_doacross_wait(long outer, ...);
void GOMP_loop_end();
void GOMP_loop_end_nowait();
void GOMP_ordered_start();
void GOMP_ordered_end();
int omp_get_thread_num();
int omp_get_num_threads();
int omp_get_max_threads();
void omp_set_num_threads(int threads);
}

namespace TEFF_NAMESPACE::testing_openmp {

/// `#pragma omp parallel num_threads(threads)`.
template <class Body>
void parallel(unsigned threads, Body&& body) {
  const auto call = [](void* data) { (*static_cast<std::remove_reference_t<Body>*>(data))(); };
  GOMP_parallel(call, &body, threads, 0);
}

inline unsigned number() { return static_cast<unsigned>(omp_get_thread_num()); }

/// `#pragma omp task`, with what the body has captured copied, as firstprivate variables are.
template <class Body>
void task(Body body, bool deferred = true, unsigned flags = 0) {
  static_assert(std::is_trivially_copyable_v<Body>);
  GOMP_task([](void* data) { (*static_cast<Body*>(data))(); }, &body, nullptr, sizeof body, alignof(Body), deferred, flags,
            nullptr, 0, nullptr);
}
/// `#pragma omp task if(0)`.
template <class Body>
void task_at_once(Body body) {
  task(body, false);
}

template <class Body>
void taskgroup(Body body) {
  GOMP_taskgroup_start();
  body();
  GOMP_taskgroup_end();
}

/// A chain of which each step makes the next one and goes on: it looks for tasks, and some wait. Of left + 1 steps, a multiple of
/// three, there are as many leaves.
template <class MakeLeaf>
void step_among_lookers(unsigned left, MakeLeaf make_leaf) {
  for (unsigned leaf = 0; leaf < left % 3; ++leaf) make_leaf();
  if (left > 0) task([left, make_leaf] { step_among_lookers(left - 1, make_leaf); });
  for (unsigned looks = 0; looks < left % 4; ++looks) GOMP_taskyield();
  if (left % 7 == 6) GOMP_taskwait();
}

/// `#pragma omp taskloop grainsize(1)`: the body gets each number from 0. `more`: further flags, 1 << 10: `if(1)`, without which
/// its tasks run at once, 1 << 11: `nogroup`.
template <class Body>
void taskloop(long count, Body body, unsigned more = 0) {
  struct arguments {
    long from, to;
    Body call;
  } all{0, 0, body};
  constexpr unsigned grainsize = 1 << 9, up = 1 << 8;
  const auto part = [](void* data) {
    auto& own = *static_cast<arguments*>(data);
    for (long at = own.from; at < own.to; ++at) own.call(at);
  };
  GOMP_taskloop(part, &all, nullptr, sizeof all, alignof(arguments), grainsize | up | more, 1, 0, 0, count, 1);
}

/// `#pragma omp single nowait`.
template <class Body>
void single_nowait(Body body) {
  if (GOMP_single_start()) body();
}
/// `#pragma omp single`.
template <class Body>
void single(Body body) {
  single_nowait(body);
  GOMP_barrier();
}

template <class Body>
void critical(Body body) {
  GOMP_critical_start();
  body();
  GOMP_critical_end();
}

/// How a loop is handed out: gcc's two functions of it.
struct schedule {
  bool (*start)(long, long, long, long, long*, long*);
  bool (*next)(long*, long*);
  long chunk;
};
inline constexpr schedule dynamic{GOMP_loop_dynamic_start, GOMP_loop_dynamic_next, 1};
inline constexpr schedule any_order{GOMP_loop_nonmonotonic_dynamic_start, GOMP_loop_nonmonotonic_dynamic_next, 1};
inline constexpr schedule guided{GOMP_loop_guided_start, GOMP_loop_guided_next, 1};
inline constexpr schedule fixed{GOMP_loop_static_start, GOMP_loop_static_next, 0};
inline constexpr schedule fixed_by_2{GOMP_loop_static_start, GOMP_loop_static_next, 2};
inline constexpr schedule ordered_dynamic{GOMP_loop_ordered_dynamic_start, GOMP_loop_ordered_dynamic_next, 1};
inline constexpr schedule ordered_fixed{GOMP_loop_ordered_static_start, GOMP_loop_ordered_static_next, 1};

/// `#pragma omp for nowait`: the body gets each number from 0.
template <class Body>
void loop_nowait(schedule how, long count, Body body) {
  long from = 0, to = 0;
  for (bool more = how.start(0, count, 1, how.chunk, &from, &to); more; more = how.next(&from, &to)) {
    for (long at = from; at < to; ++at) body(at);
  }
  GOMP_loop_end_nowait();
}
/// `#pragma omp for`.
template <class Body>
void loop(schedule how, long count, Body body) {
  loop_nowait(how, count, body);
  GOMP_barrier();
}
template <class Body>
void ordered(Body body) {
  GOMP_ordered_start();
  body();
  GOMP_ordered_end();
}

/// How a doacross loop is handed out.
struct doacross_schedule {
  bool (*start)(unsigned, long*, long, long*, long*);
  bool (*next)(long*, long*);
  long chunk;
};
inline constexpr doacross_schedule doacross_dynamic{GOMP_loop_doacross_dynamic_start, GOMP_loop_dynamic_next, 1};
inline constexpr doacross_schedule doacross_guided{GOMP_loop_doacross_guided_start, GOMP_loop_guided_next, 1};
inline constexpr doacross_schedule doacross_fixed{GOMP_loop_doacross_static_start, GOMP_loop_static_next, 0};
inline constexpr doacross_schedule doacross_fixed_by_2{GOMP_loop_doacross_static_start, GOMP_loop_static_next, 2};

/// `#pragma omp for ordered(DEPTH) nowait`: the body gets each number of the outermost loop.
template <std::size_t Depth, class Body>
void doacross_nowait(doacross_schedule how, const long (&iterations)[Depth], Body body) {
  long counts[Depth], from = 0, to = 0;
  for (std::size_t each = 0; each < Depth; ++each) counts[each] = iterations[each];
  for (bool more = how.start(Depth, counts, how.chunk, &from, &to); more; more = how.next(&from, &to)) {
    for (long at = from; at < to; ++at) body(at);
  }
  GOMP_loop_end_nowait();
}

/// `#pragma omp sections`: the body gets each number from 0.
template <class Body>
void sections(unsigned count, Body body) {
  for (unsigned next = GOMP_sections_start(count); next != 0; next = GOMP_sections_next()) body(next - 1);
  GOMP_sections_end();
}

}  // namespace TEFF_NAMESPACE::testing_openmp
