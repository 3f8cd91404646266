// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Doacross loops: an iteration goes on when those it depends on have said so, and not before; each schedule, both widths.
#include "check.h"
#include "entry_points.h"

#include <omp.h>
#include <string.h>

enum { length = 100, many = 1500, rows = 24, columns = 17, deep = 7 };

static int posted[length], begun[length + 1];
static long values[length];
/// Variables: of constants gcc would see that they are no more than what a long holds.
static unsigned long long last = length, sixth = 6, twentieth = 20;
static unsigned third = 3 * rows + 3, wide = columns;

/// What iteration i of a chain does between its sink and its source. Now and then it looks for a while whether the next one has
/// begun.
static void link_up(long i, int n) {
  check(i == 0 || load(&posted[i - 1]), "iteration %ld has begun, and the one before it has not said that it may", i);
  values[i] = i == 0 ? 1 : (values[i - 1] * 5 + i) % 10007;
  store(&begun[i], 1);
  if (n > 1 && i % 40 == 3) check(stays_clear(&begun[i + 1]), "iteration %ld has begun beside the one that it waits for", i + 1);
  store(&posted[i], 1);
}

static void expect_chain(const char* what, long count) {
  long serial = 1;
  for (long i = 0; i < count; ++i) {
    if (i > 0) serial = (serial * 5 + i) % 10007;
    check(values[i] == serial, "%s: iteration %ld of a chain comes to %ld, not %ld", what, i, values[i], serial);
  }
  memset(values, 0, sizeof values);
  memset(posted, 0, sizeof posted);
  memset(begun, 0, sizeof begun);
}

#define TEFF_CHAIN(type, schedule_clause)                                   \
  do {                                                                      \
    _Pragma("omp parallel num_threads(n)") {                                \
      _Pragma(schedule_clause) for (type i = 1; i <= (type)last; ++i) {     \
        _Pragma("omp ordered depend(sink: i - 1)") link_up((long)i - 1, n); \
        _Pragma("omp ordered depend(source)")                               \
      }                                                                     \
    }                                                                       \
    expect_chain(#type " " schedule_clause, length);                        \
  } while (0)

static void chains(int n) {
  typedef unsigned long long wide;
  TEFF_CHAIN(int, "omp for ordered(1) schedule(static)");
  TEFF_CHAIN(int, "omp for ordered(1) schedule(static, 2)");
  TEFF_CHAIN(long, "omp for ordered(1) schedule(dynamic)");
  TEFF_CHAIN(int, "omp for ordered(1) schedule(guided)");
  TEFF_CHAIN(int, "omp for ordered(1) schedule(guided, 3)");
  TEFF_CHAIN(wide, "omp for ordered(1) schedule(static)");
  TEFF_CHAIN(wide, "omp for ordered(1) schedule(static, 1)");
  TEFF_CHAIN(wide, "omp for ordered(1) schedule(dynamic, 4)");
  TEFF_CHAIN(wide, "omp for ordered(1) schedule(guided)");
  static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto};
  for (int kind = 0; kind < 4; ++kind) {
    omp_set_schedule(kinds[kind], kind);
    TEFF_CHAIN(int, "omp for ordered(1) schedule(runtime)");
    TEFF_CHAIN(wide, "omp for ordered(1) schedule(runtime)");
  }
}

/// As gcc calls it for loops with clauses that others do not have.
#define TEFF_ANY_CHAIN(number, start, next, wait, post)                                                          \
  do {                                                                                                           \
    _Pragma("omp parallel num_threads(n)") {                                                                     \
      number counts[1] = {length}, from, to;                                                                     \
      for (bool more = start(1, counts, 0x80000002, 3, &from, &to, NULL, NULL); more; more = next(&from, &to)) { \
        for (number i = from; i < to; ++i) {                                                                     \
          if (i > 0) wait(i - 1);                                                                                \
          link_up((long)i, n);                                                                                   \
          post(&i);                                                                                              \
        }                                                                                                        \
      }                                                                                                          \
      GOMP_loop_end();                                                                                           \
    }                                                                                                            \
    expect_chain(#start, length);                                                                                \
  } while (0)

static void chains_of_any_kind(int n) {
  TEFF_ANY_CHAIN(long, GOMP_loop_doacross_start, GOMP_loop_dynamic_next, GOMP_doacross_wait, GOMP_doacross_post);
  TEFF_ANY_CHAIN(ull, GOMP_loop_ull_doacross_start, GOMP_loop_ull_dynamic_next, GOMP_doacross_ull_wait, GOMP_doacross_ull_post);
}

/// A source lets others go on at once, and not when its thread comes to the end of its chunk.
#define TEFF_EARLY(type)                                                                                               \
  do {                                                                                                                 \
    int third = 0;                                                                                                     \
    _Pragma("omp parallel for ordered(1) schedule(static, 2) num_threads(2)") for (type i = 2; i < (type)sixth; ++i) { \
      _Pragma("omp ordered depend(sink: i - 2)") if (i == 4) store(&third, 1);                                         \
      _Pragma("omp ordered depend(source)") if (i == 3) {                                                              \
        await(&third);                                                                                                 \
        check(load(&third), "an iteration waits, and the one it depends on has said that it need not");                \
      }                                                                                                                \
    }                                                                                                                  \
  } while (0)

static void sources_in_time(void) {
  TEFF_EARLY(int);
  TEFF_EARLY(unsigned long long);
}

/// Not each iteration has a source: those that wait for others go on when its thread has left them behind.
static void without_sources(int n) {
  int done = 0;
#pragma omp parallel for ordered(1) schedule(dynamic) num_threads(n) reduction(+ : done)
  for (int i = 0; i < many; ++i) {
#pragma omp ordered depend(sink : i - 2)
    ++done;
    if (i % 3 == 0) {
#pragma omp ordered depend(source)
    }
  }
  check(done == many, "%d iterations ran, not %d", done, many);
}

/// Of more iterations than have numbers, were it not that one of the loops has none.
static void empty_beside_large(int n) {
  int got = 0;
#pragma omp parallel num_threads(n) reduction(+ : got)
  {
    long counts[] = {1L << 40, 1L << 40, 0}, from, to;
    got += GOMP_loop_doacross_start(3, counts, 0x80000002, 1, &from, &to, NULL, NULL);
    GOMP_loop_end();
  }
  check(got == 0, "%d members get a piece of a doacross loop without iterations", got);
}

/// A sink before the loop, which gcc tells from others by its sign: here it has none.
static void before_the_loop(int n) {
  int sum = 0;
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(n)
  for (unsigned long long i = 0; i < twentieth; ++i) {
#pragma omp ordered depend(sink : i - 1)
    sum = sum * 2 % 1009 + (int)i;
#pragma omp ordered depend(source)
  }
  int serial = 0;
  for (int i = 0; i < 20; ++i) serial = serial * 2 % 1009 + i;
  check(sum == serial, "a chain over unsigned long long comes to %d, not %d", sum, serial);
}

static void expect_paths(const char* what, long grid[rows][columns]) {
  long serial[rows][columns];
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) serial[i][j] = i == 0 || j == 0 ? 1 : (serial[i - 1][j] + serial[i][j - 1]) % 100003;
  }
  check(memcmp(grid, serial, sizeof serial) == 0, "%s: a wavefront is wrong", what);
}

static long one[rows][columns], other[rows][columns];
static void set(long grid[rows][columns], int i, int j) {
  grid[i][j] = i == 0 || j == 0 ? 1 : (grid[i - 1][j] + grid[i][j - 1]) % 100003;
}

/// Two of them, the second one backwards in memory and before all have left the first.
static void wavefronts(int n) {
  memset(one, 0, sizeof one);
  memset(other, 0, sizeof other);
#pragma omp parallel num_threads(n)
  {
#pragma omp for ordered(2) schedule(static, 1) nowait
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
        set(one, i, j);
#pragma omp ordered depend(source)
      }
    }
#pragma omp for ordered(2) schedule(dynamic, 2)
    for (int i = rows; i > 0; --i) {
      for (long j = 2 * columns; j > 0; j -= 2) {
#pragma omp ordered depend(sink : i + 1, j)
        set(other, rows - i, columns - (int)(j / 2));
#pragma omp ordered depend(source)
      }
    }
  }
  expect_paths("static", one);
  expect_paths("dynamic, downwards", other);
}

/// Variables without a sign, of which gcc passes places that are too large by what these cannot hold.
static void without_sign(int n) {
  TEFF_CHAIN(unsigned char, "omp for ordered(1) schedule(static, 1)");
  TEFF_CHAIN(unsigned short, "omp for ordered(1) schedule(static, 1)");
  TEFF_CHAIN(unsigned, "omp for ordered(1) schedule(static)");
  TEFF_CHAIN(unsigned, "omp for ordered(1) schedule(static, 1)");
  TEFF_CHAIN(unsigned, "omp for ordered(1) schedule(dynamic, 4)");
  memset(one, 0, sizeof one);
#pragma omp parallel for ordered(2) schedule(static, 1) num_threads(n)
  for (unsigned i = 3; i < third; i += 3) {
    for (unsigned j = 1; j <= wide; ++j) {
#pragma omp ordered depend(sink : i - 3, j) depend(sink : i, j - 1)
      set(one, (int)i / 3 - 1, (int)j - 1);
#pragma omp ordered depend(source)
    }
  }
  expect_paths("without a sign", one);
}

/// The two outer loops are one for the schedule.
static void collapsed(int n) {
  static int cube[deep][rows][columns];
  memset(cube, 0, sizeof cube);
#pragma omp parallel for collapse(2) ordered(3) schedule(guided, 2) num_threads(n)
  for (int k = 0; k < deep; ++k) {
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) {
#pragma omp ordered depend(sink : k - 1, i, j) depend(sink : k, i - 1, j + 1)
        if (k > 0) check(cube[k - 1][i][j], "an iteration of a collapsed loop has begun too early");
        if (i > 0 && j + 1 < columns) check(cube[k][i - 1][j + 1], "an iteration of a collapsed loop has begun too early");
        cube[k][i][j] = 1;
#pragma omp ordered depend(source)
      }
    }
  }
  int done = 0;
  for (int each = 0; each < deep * rows * columns; ++each) done += (&cube[0][0][0])[each];
  check(done == deep * rows * columns, "of a collapsed loop %d iterations ran", done);
}

/// A loop inside that has no iteration; a loop that has none.
static void empty(int n, int none) {
  int done = 0;
#pragma omp parallel num_threads(n)
  {
#pragma omp for ordered(2)
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < none; ++j) {
#pragma omp ordered depend(sink : i - 1, j)
        add(&done, 1);
#pragma omp ordered depend(source)
      }
    }
#pragma omp for ordered(1)
    for (int i = 0; i < none; ++i) {
#pragma omp ordered depend(sink : i - 1)
      add(&done, 1);
#pragma omp ordered depend(source)
    }
  }
  check(done == 0, "of no iterations %d ran", done);
}

/// An argument: what gcc's library waits for for ever, or crashes of.
int main(int arguments, char** words) {
  (void)words;
  const int n = omp_get_max_threads();
  if (arguments > 1) {
    without_sources(n);
    before_the_loop(n);
    for (int round = 0; round < 5; ++round) without_sign(n);
    empty_beside_large(n);
    return 0;
  }
  chains(n);
  chains_of_any_kind(n);
  sources_in_time();
  for (int round = 0; round < 5; ++round) wavefronts(n);
  collapsed(n);
  empty(n, 0);
  return 0;
}
