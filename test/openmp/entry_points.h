// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gcc's code calls: for tests of functions that gcc 12 seldom or no longer calls, but older programs do.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void outlined(void*);
typedef unsigned long long ull;

void GOMP_parallel(outlined*, void* data, unsigned threads, unsigned flags);
void GOMP_parallel_start(outlined*, void* data, unsigned threads);
void GOMP_parallel_end(void);

void GOMP_teams_reg(outlined*, void* data, unsigned teams, unsigned thread_limit, unsigned flags);

void GOMP_teams(unsigned teams, unsigned thread_limit);
void GOMP_target(int device, outlined*, const void* unused, size_t count, void** addresses, size_t* sizes, unsigned char* kinds);
void GOMP_target_ext(int device, outlined*, size_t count, void** addresses, size_t* sizes, uint16_t* kinds, unsigned flags,
                     void** depend, void** arguments);
void GOMP_target_data(int device, const void* unused, size_t count, void** addresses, size_t* sizes, unsigned char* kinds);
void GOMP_target_update(int device, const void* unused, size_t count, void** addresses, size_t* sizes, unsigned char* kinds);
void GOMP_target_end_data(void);
void GOMP_target_enter_exit_data(int device, size_t count, void** addresses, size_t* sizes, uint16_t* kinds, unsigned flags,
                                 void** depend);
void GOMP_offload_register(const void* host_table, int kind, const void* data);
void GOMP_offload_unregister(const void* host_table, int kind, const void* data);
void GOMP_offload_register_ver(unsigned version, const void* host_table, int kind, const void* data);
void GOMP_offload_unregister_ver(unsigned version, const void* host_table, int kind, const void* data);
void GOACC_wait(int async, int count, ...);
void* acc_malloc(size_t bytes);

typedef void copy_arguments(void* to, void* from);
void GOMP_task(outlined*, void* data, copy_arguments*, long bytes, long alignment, bool deferred, unsigned flags, void** depend,
               int priority, void* event);
void GOMP_taskloop(outlined*, void* data, copy_arguments*, long bytes, long alignment, unsigned flags, unsigned long amount,
                   int priority, long start, long end, long step);

unsigned GOMP_sections_start(unsigned count);
unsigned GOMP_sections2_start(unsigned count, uintptr_t* reductions, void** memory);
unsigned GOMP_sections_next(void);
void GOMP_sections_end(void);
void GOMP_sections_end_nowait(void);
void GOMP_parallel_sections_start(outlined*, void* data, unsigned threads, unsigned count);
void GOMP_parallel_sections(outlined*, void* data, unsigned threads, unsigned count, unsigned flags);

void GOMP_taskwait_depend(void** depend);

void GOMP_atomic_start(void);
void GOMP_atomic_end(void);
void GOMP_critical_start(void);
void GOMP_critical_end(void);
void GOMP_critical_name_start(void** name);
void GOMP_critical_name_end(void** name);
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);
bool GOMP_cancel(int which, bool really);
bool GOMP_cancellation_point(int which);
void GOMP_taskgroup_end(void);

void GOMP_loop_end(void);
void GOMP_loop_end_nowait(void);
void* GOMP_alloc(size_t alignment, size_t size, uintptr_t allocator);
void GOMP_free(void*, uintptr_t allocator);

typedef bool loop_start(long start, long end, long step, long chunk, long* from, long* to);
typedef bool runtime_start(long start, long end, long step, long* from, long* to);
typedef bool loop_next(long* from, long* to);
typedef bool any_start(long start, long end, long step, long schedule, long chunk, long* from, long* to, uintptr_t* reductions,
                       void** memory);
loop_start GOMP_loop_static_start, GOMP_loop_dynamic_start, GOMP_loop_guided_start, GOMP_loop_nonmonotonic_dynamic_start,
    GOMP_loop_nonmonotonic_guided_start, GOMP_loop_ordered_static_start, GOMP_loop_ordered_dynamic_start,
    GOMP_loop_ordered_guided_start;
runtime_start GOMP_loop_runtime_start, GOMP_loop_nonmonotonic_runtime_start, GOMP_loop_maybe_nonmonotonic_runtime_start,
    GOMP_loop_ordered_runtime_start;
loop_next GOMP_loop_static_next, GOMP_loop_dynamic_next, GOMP_loop_guided_next, GOMP_loop_runtime_next,
    GOMP_loop_nonmonotonic_dynamic_next, GOMP_loop_nonmonotonic_guided_next, GOMP_loop_nonmonotonic_runtime_next,
    GOMP_loop_maybe_nonmonotonic_runtime_next, GOMP_loop_ordered_static_next, GOMP_loop_ordered_dynamic_next,
    GOMP_loop_ordered_guided_next, GOMP_loop_ordered_runtime_next;
any_start GOMP_loop_start, GOMP_loop_ordered_start;

typedef bool ull_start(bool up, ull start, ull end, ull step, ull chunk, ull* from, ull* to);
typedef bool ull_runtime_start(bool up, ull start, ull end, ull step, ull* from, ull* to);
typedef bool ull_next(ull* from, ull* to);
typedef bool ull_any_start(bool up, ull start, ull end, ull step, long schedule, ull chunk, ull* from, ull* to,
                           uintptr_t* reductions, void** memory);
ull_start GOMP_loop_ull_static_start, GOMP_loop_ull_dynamic_start, GOMP_loop_ull_guided_start,
    GOMP_loop_ull_nonmonotonic_dynamic_start, GOMP_loop_ull_nonmonotonic_guided_start, GOMP_loop_ull_ordered_static_start,
    GOMP_loop_ull_ordered_dynamic_start, GOMP_loop_ull_ordered_guided_start;
ull_runtime_start GOMP_loop_ull_runtime_start, GOMP_loop_ull_nonmonotonic_runtime_start,
    GOMP_loop_ull_maybe_nonmonotonic_runtime_start, GOMP_loop_ull_ordered_runtime_start;
ull_next GOMP_loop_ull_static_next, GOMP_loop_ull_dynamic_next, GOMP_loop_ull_guided_next, GOMP_loop_ull_runtime_next,
    GOMP_loop_ull_nonmonotonic_dynamic_next, GOMP_loop_ull_nonmonotonic_guided_next, GOMP_loop_ull_nonmonotonic_runtime_next,
    GOMP_loop_ull_maybe_nonmonotonic_runtime_next, GOMP_loop_ull_ordered_static_next, GOMP_loop_ull_ordered_dynamic_next,
    GOMP_loop_ull_ordered_guided_next, GOMP_loop_ull_ordered_runtime_next;
ull_any_start GOMP_loop_ull_start, GOMP_loop_ull_ordered_start;

typedef void parallel_loop_start(outlined*, void* data, unsigned threads, long start, long end, long step, long chunk);
typedef void parallel_loop(outlined*, void* data, unsigned threads, long start, long end, long step, long chunk, unsigned flags);
typedef void parallel_loop_runtime(outlined*, void* data, unsigned threads, long start, long end, long step, unsigned flags);
parallel_loop_start GOMP_parallel_loop_static_start, GOMP_parallel_loop_dynamic_start, GOMP_parallel_loop_guided_start;
void GOMP_parallel_loop_runtime_start(outlined*, void* data, unsigned threads, long start, long end, long step);
parallel_loop GOMP_parallel_loop_static, GOMP_parallel_loop_dynamic, GOMP_parallel_loop_guided,
    GOMP_parallel_loop_nonmonotonic_dynamic, GOMP_parallel_loop_nonmonotonic_guided;
parallel_loop_runtime GOMP_parallel_loop_runtime, GOMP_parallel_loop_nonmonotonic_runtime,
    GOMP_parallel_loop_maybe_nonmonotonic_runtime;

bool GOMP_loop_doacross_start(unsigned depth, long* counts, long schedule, long chunk, long* from, long* to,
                              uintptr_t* reductions, void** memory);
bool GOMP_loop_ull_doacross_start(unsigned depth, ull* counts, long schedule, ull chunk, ull* from, ull* to,
                                  uintptr_t* reductions, void** memory);
void GOMP_doacross_post(long* iteration);
void GOMP_doacross_ull_post(ull* iteration);
void GOMP_doacross_wait(long outer, ...);
void GOMP_doacross_ull_wait(ull outer, ...);
