// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs of this folder check with. They are compiled by gcc -fopenmp and nothing else: they know nothing of Teff.
#pragma once

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/// Ends the program with exit code 1 and a sentence unless HOLDS.
__attribute__((format(printf, 2, 3))) static inline void check(int holds, const char* sentence, ...) {
  if (holds) return;
  va_list values;
  va_start(values, sentence);
  vfprintf(stderr, sentence, values);
  va_end(values);
  fputc('\n', stderr);
  _Exit(1);
}

static inline int load(const int* word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
static inline void store(int* word, int value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }
static inline int add(int* word, int value) { return __atomic_fetch_add(word, value, __ATOMIC_ACQ_REL); }

/// Fails unless each of COUNT pieces of work ran once. Post: RUNS is 0, for the next time.
static inline void expect_each_once(const char* what, int* runs, int count) {
  for (int i = 0; i < count; ++i) {
    check(load(&runs[i]) == 1, "%s: number %d ran %d times", what, i, load(&runs[i]));
    store(&runs[i], 0);
  }
}

/// Returns when all COUNT threads of a team have called it with the same word: they exist at the same time.
static inline void meet(int* arrived, int count) {
  add(arrived, 1);
  while (load(arrived) < count) sched_yield();
}

/// Waits for FLAG, for a bounded while: who is to set it may not be there, or have to wait for the caller.
static inline void await(const int* flag) {
  for (int look = 0; look < 30000 && load(flag) == 0; ++look) sched_yield();
}

static inline double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/// Looks at FLAG for a bounded while: long enough for a thread that nothing holds up to have set it. Beside others' work each
/// look gives them a slice of the processor, of milliseconds: then few will do. Returns: whether it stayed 0.
static inline int stays_clear(const int* flag) {
  enum { enough = 300, few = 8 };
  const double end = now() + 0.01;
  for (int look = 0; look < enough && (look < few || now() < end); ++look) {
    if (load(flag) != 0) return 0;
    sched_yield();
  }
  return 1;
}

/// Fails if another thread comes in while this one is inside.
static inline void be_alone(int* inside, const char* where) {
  check(add(inside, 1) == 0, "two threads are inside %s at once", where);
  for (int look = 0; look < 20; ++look) {
    sched_yield();
    check(load(inside) == 1, "two threads are inside %s at once", where);
  }
  add(inside, -1);
}
