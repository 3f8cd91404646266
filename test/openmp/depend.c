// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks with dependences: they begin when those before them have ended, those that may run side by side do, and waits for some of
// them wait for no others.
#include "check.h"
#include "entry_points.h"

#include <omp.h>
#include <sched.h>

void GOMP_taskwait_depend_nowait(void** depend) __attribute__((weak));

enum { cells = 24, steps = 400 };

static unsigned next_random(unsigned* state) { return *state = *state * 1103515245u + 12345u, *state >> 8; }

/// The steps in the order in which they are made, and by tasks: the numbers of each cell come out the same.
static void random_steps(int n, unsigned seed) {
  long serial[cells] = {0}, cell[cells] = {0};
  unsigned state = seed;
  for (int i = 0; i < steps; ++i) {
    const unsigned a = next_random(&state) % cells, b = next_random(&state) % cells, c = next_random(&state) % cells;
    serial[c] = serial[c] * 3 + serial[a] + 2 * serial[b] + i;
  }
  state = seed;
#pragma omp parallel num_threads(n)
#pragma omp single
  for (int i = 0; i < steps; ++i) {
    const unsigned a = next_random(&state) % cells, b = next_random(&state) % cells, c = next_random(&state) % cells;
    if (i % 50 == 49) {
#pragma omp task shared(cell) depend(in : cell[a], cell[b]) depend(inout : cell[c]) if (0)
      cell[c] = cell[c] * 3 + cell[a] + 2 * cell[b] + i;
      continue;
    }
#pragma omp task shared(cell) depend(in : cell[a]) depend(in : cell[b]) depend(inout : cell[c]) final(i % 20 == 0)
    cell[c] = cell[c] * 3 + cell[a] + 2 * cell[b] + i;
  }
  for (int i = 0; i < cells; ++i) check(cell[i] == serial[i], "cell %d is %ld, not %ld", i, cell[i], serial[i]);
}

/// A number that each task in a chain of many finds as the one before left it; more than a team holds.
static void chain(int n, int length) {
  long sum = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  for (int i = 0; i < length; ++i) {
#pragma omp task depend(inout : sum) shared(sum)
    {
      check(sum == i, "step %d of a chain finds %ld", i, sum);
      sum = i + 1;
    }
  }
  check(sum == length, "a chain ended at %ld of %d", sum, length);
}

static void wavefront(int n, int size) {
  long* const all = calloc((size_t)(size + 1) * (size_t)(size + 1), sizeof *all);
  long wrong = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  for (int i = 1; i <= size; ++i) {
    for (int j = 1; j <= size; ++j) {
      long *const here = all + i * (size + 1) + j, *const above = here - size - 1;
#pragma omp task depend(in : here[-1], above[0]) depend(out : here[0]) shared(wrong)
      {
        const long left = j == 1 ? i - 1 : here[-1], top = i == 1 ? j - 1 : *above;
        if (left != i + j - 2 || top != i + j - 2) __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
        *here = i + j - 1;
      }
    }
  }
  check(wrong == 0, "%ld tasks of a wavefront ran before one above or beside them", wrong);
  free(all);
}

/// Tasks of one group run side by side, and all between those before and behind.
static void groups(int n, int many) {
  int x = 0, inside = 0, ran = 0, before = 0;
  (void)x;
#pragma omp parallel num_threads(n)
#pragma omp single
  {
#pragma omp task depend(out : x) shared(before)
    store(&before, 1);
    for (int i = 0; i < many; ++i) {
#pragma omp task depend(mutexinoutset : x) shared(inside, ran, before)
      {
        check(load(&before), "a task with mutexinoutset ran too early");
        be_alone(&inside, "a task with mutexinoutset");
        ++ran;
      }
    }
    for (int i = 0; i < many; ++i) {
#pragma omp task depend(in : x) shared(ran)
      check(ran == many, "a reader ran behind %d of %d tasks with mutexinoutset", ran, many);
    }
#pragma omp task depend(mutexinoutset : x) shared(inside, ran)
    ++ran;
  }
  check(ran == many + 1, "%d of %d tasks with mutexinoutset ran", ran, many + 1);
}

/// Two gates, named in both orders.
static void two_gates(int n, int many) {
  int x = 0, y = 0, in_x = 0, in_y = 0;
  (void)x, (void)y;
#pragma omp parallel num_threads(n)
#pragma omp single
  for (int i = 0; i < many; ++i) {
#pragma omp task depend(mutexinoutset : x, y) shared(in_x, in_y)
    be_alone(&in_x, "one address"), be_alone(&in_y, "the other address");
#pragma omp task depend(mutexinoutset : y, x) shared(in_x, in_y)
    be_alone(&in_x, "one address"), be_alone(&in_y, "the other address");
#pragma omp task depend(mutexinoutset : y) shared(in_y) if (i % 4 != 0)
    be_alone(&in_y, "the other address");
  }
}

static void let_others_run(void) {
  for (int i = 0; i < 20; ++i) sched_yield();
}

/// Who names an address in two ways is alone with it: behind all who named it before, and before all who name it afterwards.
static void twice(int n, int many) {
  int x = 0, wrong = 0;
  (void)x;
#pragma omp parallel num_threads(n)
#pragma omp single
  for (int i = 0; i < many; ++i) {
    int before = 0, alone = 0, behind = 0;
    for (int j = 0; j < 2; ++j) {
#pragma omp task depend(mutexinoutset : x) shared(before)
      {
        let_others_run();
        add(&before, 1);
      }
    }
#pragma omp task depend(mutexinoutset : x) depend(in : x) shared(before, alone, behind, wrong)
    {
      add(&wrong, load(&before) != 2 || load(&behind) != 0);
      let_others_run();
      store(&alone, 1);
    }
    for (int j = 0; j < 2; ++j) {
#pragma omp task depend(mutexinoutset : x) shared(alone, behind, wrong)
      {
        add(&wrong, !load(&alone));
        add(&behind, 1);
      }
    }
#pragma omp taskwait
    check(behind == 2, "%d of 2 tasks ran", behind);
  }
  check(wrong == 0, "%d tasks were not alone, or not behind one that was", wrong);
}

/// While its creator holds a lock and waits for one task, another one that wants the lock is not run by it.
static void waits(int n) {
  omp_lock_t lock;
  int a = 0, b = 0;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(n)
#pragma omp single
  {
    omp_set_lock(&lock);
#pragma omp task depend(out : a) shared(a)
    a = 1;
#pragma omp task depend(out : b) shared(b, lock)
    {
      omp_set_lock(&lock);
      b = 1;
      omp_unset_lock(&lock);
    }
#pragma omp task depend(inout : a) shared(a)
    a = 2;
#pragma omp taskwait depend(in : a)
    check(a == 2, "a taskwait with a dependence ends at %d of 2", a);
#pragma omp task depend(in : a) if (0) shared(a)
    check(a == 2, "a task that is not deferred begins at %d of 2", a);
#pragma omp task depend(inout : a) shared(a)
    a = 3;
#pragma omp taskgroup
    {
#pragma omp task depend(in : a) shared(a)
      check(a == 3, "a task in a taskgroup begins at %d of 3", a);
    }
#pragma omp task depend(out : a) shared(a)
    a = 4;
#pragma omp taskgroup
    {
#pragma omp task depend(in : a) shared(a)
      check(a == 4, "a task in a taskgroup begins at %d of 4", a);
#pragma omp taskwait depend(in : a)
    }
    omp_unset_lock(&lock);
#pragma omp taskwait
    check(b == 1, "a taskwait ends before a task with dependences");
  }
  omp_destroy_lock(&lock);
}

/// Children of different tasks do not know of each other; a task is complete before its children are.
static void siblings(int n) {
  int x = 0, flag = 0, first = 0, order = 0;
  (void)x;
#pragma omp parallel num_threads(n)
#pragma omp single
  {
#pragma omp task depend(out : x) shared(flag, first, x)
    {
#pragma omp task depend(inout : x) shared(first)
      store(&first, 1);
#pragma omp task depend(inout : x) shared(first, flag)
      check(load(&first), "a child ran before its sibling"), store(&flag, 1);
#pragma omp taskwait depend(in : x)
      check(load(&flag), "a taskwait ends before a child");
    }
#pragma omp task depend(inout : x) shared(order)
    {
#pragma omp taskloop shared(order)
      for (int i = 0; i < 10; ++i) add(&order, 10);
    }
#pragma omp task depend(in : x) shared(order)
    check(load(&order) >= 100, "a task begins before the loop of the one before it has ended");
  }
  check(load(&flag), "a child of a task with dependences did not run");
}

static void objects(int n) {
  omp_depend_t as_out, as_in;
  int x = 0;
#pragma omp depobj(as_out) depend(inout : x)
#pragma omp depobj(as_in) depend(in : x)
#pragma omp parallel num_threads(n)
#pragma omp single
  {
    for (int i = 0; i < 50; ++i) {
#pragma omp task depend(depobj : as_out) shared(x)
      ++x;
#pragma omp task depend(depobj : as_in) shared(x)
      check(x == i + 1, "an object of in finds %d, not %d", x, i + 1);
    }
#pragma omp depobj(as_in) update(mutexinoutset)
    for (int i = 0; i < 50; ++i) {
#pragma omp task depend(depobj : as_in) shared(x)
      ++x;
    }
#pragma omp task depend(inout : x) shared(x)
    check(x == 100, "%d of 50 tasks with an object of mutexinoutset are lost", 100 - x);
  }
#pragma omp depobj(as_in) destroy
#pragma omp depobj(as_out) destroy
}

/// The task after a detached one begins when its event is fulfilled; and so do those outside of all regions.
static void events(int n) {
  for (int outside = 0; outside < 2; ++outside) {
    int x = 0, fulfilled = 0, seen = 0;
    (void)x;
#pragma omp parallel num_threads(n) if (!outside)
#pragma omp single
    {
      omp_event_handle_t event;
#pragma omp task depend(out : x) detach(event)
      ;
#pragma omp task depend(in : x) shared(fulfilled, seen)
      {
        check(load(&fulfilled), "a task begins before the event of the one before it is fulfilled");
        store(&seen, 1);
      }
      check(stays_clear(&seen), "a task begins beside the event of the one before it");
      store(&fulfilled, 1);
      omp_fulfill_event(event);
#pragma omp taskwait
      check(load(&seen), "a taskwait ends before a task behind an event");
    }
  }
}

static void step(void* data) {
  struct {
    int* at;
    int expected, next;
  }* const own = data;
  for (int look = 0; look < 200; ++look) sched_yield();  // who does not wait comes too early
  check(load(own->at) == own->expected, "a task finds %d, not %d", *own->at, own->expected);
  store(own->at, own->next);
}
static void count(void* data) { add(*(int**)data, 1); }

/// Outside of all regions nobody else runs what an event lets begin.
static void event_outside_of_regions(void) {
  omp_event_handle_t event;
  int x = 0, ran = 0;
  (void)x;
#pragma omp task depend(out : x) detach(event)
  ;
#pragma omp task depend(in : x) shared(ran)
  store(&ran, 1);
  check(!load(&ran), "a task begins beside the event of the one before it, outside of all regions");
  omp_fulfill_event(event);
  check(load(&ran), "nobody runs what an event let begin outside of all regions");
#pragma omp taskwait
}

/// What later versions of gcc pass: inoutset, omp_all_memory, a taskwait that waits for nothing.
static void later_versions(int n) {
  int x = 0, y = 0, z = 0, ran = 0;
  (void)z;
  struct {
    void *address, *how;
  } set = {&ran, (void*)5};
#pragma omp parallel num_threads(n)
#pragma omp single
  {
    struct {
      int* at;
      int expected, next;
    } first = {&x, 0, 1}, other = {&y, 0, 1}, all = {&x, 1, 2}, behind = {&y, 1, 2}, last = {&x, 2, 3};
    int* counted = &ran;
    void *of_x[] = {(void*)1, (void*)1, &x}, *of_y[] = {(void*)1, (void*)1, &y}, *of_all[] = {(void*)1, (void*)1, NULL};
    void *of_set[] = {NULL, (void*)1, NULL, NULL, NULL, &set}, *of_ran[] = {(void*)1, NULL, &ran};
    GOMP_task(step, &first, NULL, sizeof first, 8, true, 8, of_x, 0, NULL);
    GOMP_task(step, &other, NULL, sizeof other, 8, true, 8, of_y, 0, NULL);
    for (int i = 0; i < 20; ++i) GOMP_task(count, &counted, NULL, sizeof counted, 8, true, 8, of_set, 0, NULL);
    GOMP_task(step, &all, NULL, sizeof all, 8, true, 8, of_all, 0, NULL);
    GOMP_task(step, &behind, NULL, sizeof behind, 8, true, 8, of_y, 0, NULL);
    void* of_both[] = {(void*)2, (void*)1, &z, &y};
    if (GOMP_taskwait_depend_nowait) GOMP_taskwait_depend_nowait(of_both);
#pragma omp task depend(in : z) shared(y)
    check(load(&y) == 2, "a task ran before what a taskwait that waits for nothing is behind");
    GOMP_task(step, &last, NULL, sizeof last, 8, true, 8, of_x, 0, NULL);
#pragma omp task depend(in : ran) shared(ran)
    check(load(&ran) == 20, "a task begins behind %d of 20 with inoutset", load(&ran));
    GOMP_taskwait_depend(of_ran);
    check(load(&ran) == 20, "a taskwait ends behind %d of 20 with inoutset", load(&ran));
  }
  check(x == 3 && y == 2, "tasks with omp_all_memory come to %d and %d", x, y);
}

/// An argument: what gcc's library of this version does not know, or where it may hang.
int main(int argument_count, char** words) {
  (void)words;
  const int n = omp_get_max_threads();
  if (argument_count > 1) {
    events(n);
    event_outside_of_regions();
    later_versions(n);
    waits(n);
    return 0;
  }
  for (unsigned seed = 1; seed < 20; ++seed) random_steps(n, seed);
  chain(n, 30000);
  wavefront(n, 100);
  groups(n, 40);
  two_gates(n, 20);
  twice(n, 10);
  siblings(n);
  objects(n);
  return 0;
}
