// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cancellation, with OMP_CANCELLATION=true: of regions, loops, sections and taskgroups. Work that would take years ends when
// somebody cancels it, what is not cancelled is done, and what comes behind is as it ever was.
#include "check.h"

#include <omp.h>
#include <string.h>

enum { rounds = 20, parts = 64 };
static const long for_ever = 1L << 50;

static int hits[parts];

/// The next region and its loops are whole.
static void expect_whole_region(const char* behind, int n) {
  int came = 0;
#pragma omp parallel num_threads(n)
  {
    add(&came, 1);
#pragma omp barrier
    check(load(&came) == n, "behind %s a barrier lets a member go before all have come", behind);
#pragma omp for schedule(dynamic)
    for (int i = 0; i < parts; ++i) add(&hits[i], 1);
  }
  expect_each_once(behind, hits, parts);
}

/// One member cancels, by turns; the others wait in a barrier, or look again and again whether somebody has.
static void of_regions(int n) {
  for (int round = 0; round < rounds; ++round) {
    int past = 0, after = 0;
#pragma omp parallel num_threads(n)
    {
      if (omp_get_thread_num() == round % n) {
#pragma omp cancel parallel
        store(&past, 1);
      } else if (omp_get_thread_num() % 2) {
#pragma omp barrier
        store(&past, 2);
      } else {
        for (;;) {
#pragma omp cancellation point parallel
        }
      }
      store(&past, 3);
    }
    add(&after, 1);
    check(past == 0 && after == 1, "a member goes on in a cancelled region (%d)", past);
  }
  expect_whole_region("a cancelled region", n);
}

/// A region inside is cancelled, the outer one is not.
static void of_inner_regions(int n) {
  int through = 0;
#pragma omp parallel num_threads(n)
  {
#pragma omp parallel num_threads(2)
    {
#pragma omp cancel parallel
      check(0, "a member goes on behind its cancel");
    }
#pragma omp cancellation point parallel
#pragma omp barrier
    add(&through, 1);
  }
  check(through == n, "%d of %d members come to the end of a region whose inner regions are cancelled", through, n);
}

/// Members that wait for a turn, or for an iteration, whose member has gone.
static void of_regions_with_orders(int n) {
#pragma omp parallel num_threads(n)
  {
    if (omp_get_thread_num() == n - 1) {
#pragma omp cancel parallel
    }
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < 3 * n; ++i) {
#pragma omp ordered
      add(&hits[0], 1);
    }
  }
  hits[0] = 0;
  expect_whole_region("a cancelled region with an ordered loop", n);
}

#define TEFF_LOOP(type, clauses)                                                                                   \
  do {                                                                                                             \
    int began = 0;                                                                                                 \
    long sum = 0;                                                                                                  \
    _Pragma("omp parallel num_threads(n)") {                                                                       \
      _Pragma(clauses) for (type i = 0; i < (type)for_ever; ++i) {                                                 \
        add(&began, 1);                                                                                            \
        ++sum;                                                                                                     \
        _Pragma("omp cancellation point for") if (i % 16 == 7 && load(&began) > 100) { _Pragma("omp cancel for") } \
      }                                                                                                            \
      check(sum <= load(&began), "%s: a sum over %d iterations is %ld", clauses, load(&began), sum);               \
      _Pragma("omp for schedule(guided)") for (int i = 0; i < parts; ++i) {                                        \
        _Pragma("omp cancel for if (i < 0)") add(&hits[i], 1);                                                     \
      }                                                                                                            \
    }                                                                                                              \
    expect_each_once("a loop behind a cancelled one, " clauses, hits, parts);                                      \
  } while (0)

static void of_loops(int n) {
  typedef unsigned long long wide;
  TEFF_LOOP(long, "omp for schedule(static) reduction(+ : sum)");
  TEFF_LOOP(long, "omp for schedule(static, 3) reduction(+ : sum)");
  TEFF_LOOP(long, "omp for schedule(dynamic, 2) reduction(+ : sum)");
  TEFF_LOOP(long, "omp for schedule(monotonic : dynamic) reduction(+ : sum)");
  TEFF_LOOP(wide, "omp for schedule(dynamic) reduction(+ : sum)");
  TEFF_LOOP(wide, "omp for schedule(guided, 4) reduction(+ : sum)");
  for (int round = 0; round < rounds; ++round) {
    int began = 0;
#pragma omp parallel for schedule(dynamic) num_threads(n)
    for (long i = 0; i < for_ever; ++i) {
      if (add(&began, 1) > 50) {
#pragma omp cancel for
      }
#pragma omp cancellation point for
    }
  }
  expect_whole_region("regions that are a cancelled loop", n);
}

/// The members that are in other sections leave them; one that comes later begins none beyond the next look.
static void of_sections(int n) {
  for (int round = 0; round < rounds; ++round) {
    int past = 0, behind = 0;
#pragma omp parallel num_threads(n)
    {
#pragma omp sections
      {
#pragma omp section
        {
#pragma omp cancel sections
          store(&past, 1);
        }
#pragma omp section
        for (;;) {
#pragma omp cancellation point sections
          sched_yield();
        }
      }
      add(&behind, 1);
#pragma omp barrier
      check(load(&behind) == n, "behind cancelled sections a barrier lets a member go before all have come");
#pragma omp sections
      {
#pragma omp section
        add(&hits[0], 1);
#pragma omp section
        add(&hits[1], 1);
      }
    }
    check(past == 0, "a member goes on in sections that it has cancelled");
    expect_each_once("sections behind cancelled ones", hits, 2);
  }
}

/// Tasks that have begun leave at their cancellation points; those around the group run.
static void of_taskgroups(int n) {
  for (int round = 0; round < rounds; ++round) {
    int past = 0, others = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
    {
#pragma omp task shared(others)
      add(&others, 1);
#pragma omp taskgroup
      {
#pragma omp task shared(others)
        {
#pragma omp taskgroup
          {
#pragma omp task shared(past)
            {
#pragma omp cancel taskgroup
              store(&past, 1);
            }
            for (int i = 0; i < 5; ++i) {
#pragma omp task shared(past)
              for (int look = 0;; ++look) {
#pragma omp cancellation point taskgroup
                sched_yield();
                if (look < 100) continue;  // the other one may have to wait for this thread
#pragma omp cancel taskgroup
                store(&past, 2);
              }
            }
          }
          add(&others, 1);
#pragma omp cancellation point taskgroup
          add(&others, 1);
        }
#pragma omp task shared(others)
        add(&others, 1);
      }
#pragma omp task shared(others)
      add(&others, 1);
    }
    check(past == 0, "a task goes on behind its cancel");
    check(others == 5, "beside a cancelled taskgroup %d of 5 steps are done", others);
  }
}

static void of_taskloops(int n) {
  int began = 0, behind = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  {
#pragma omp taskloop grainsize(1) shared(began)
    for (int i = 0; i < 2000; ++i) {
      add(&began, 1);
#pragma omp cancel taskgroup
      add(&behind, 1);
    }
#pragma omp taskloop grainsize(4)
    for (int i = 0; i < parts; ++i) add(&hits[i], 1);
  }
  check(behind == 0 && began > 0, "of a cancelled taskloop %d iterations began, and %d went on", began, behind);
  expect_each_once("a taskloop behind a cancelled one", hits, parts);
}

/// An if clause that is false cancels nothing, and looks whether somebody has.
static void of_clauses(int n) {
  int reached = 0, past = 0;
#pragma omp parallel num_threads(n)
  {
#pragma omp cancel parallel if (reached < 0)
    add(&reached, 1);
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel if (reached > 0)
      store(&past, 1);
    }
    for (;;) {
#pragma omp cancel parallel if (reached < 0)
    }
  }
  check(reached == n && past == 0, "of %d members %d come past a cancel with if(0), and one past its own", n, reached);
}

/// What is cancelled and has not begun does not begin, which OpenMP allows and does not ask for.
static void dropped(int n) {
  int ran = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task
      {
#pragma omp cancel taskgroup
      }
#pragma omp taskwait
      for (int i = 0; i < 300; ++i) {
#pragma omp task shared(ran) if (i % 3)
        add(&ran, 1);
      }
    }
  }
  check(ran == 0, "of 300 tasks in a cancelled taskgroup %d have run", ran);
#pragma omp parallel num_threads(n)
  {
#pragma omp single nowait
    for (int i = 0; i < 300; ++i) {
#pragma omp task shared(ran)
      {
        add(&ran, 1);
#pragma omp task shared(ran)
        add(&ran, 1);
      }
    }
#pragma omp cancel parallel
  }
  const int before = ran;
  expect_whole_region("a cancelled region with tasks", n);
  check(before <= 600 && ran == before, "a task of a cancelled region runs in a later one");
}

/// An argument: what gcc's library does otherwise.
int main(int arguments, char** words) {
  (void)words;
  const int n = omp_get_max_threads();
  check(omp_get_cancellation(), "OMP_CANCELLATION=true, and there is no cancellation");
  if (arguments > 1) {
    dropped(n);
    of_regions_with_orders(n);
    return 0;
  }
  of_regions(n);
  of_inner_regions(n);
  of_loops(n);
  of_sections(n);
  of_taskgroups(n);
  of_taskloops(n);
  of_clauses(n);
  return 0;
}
