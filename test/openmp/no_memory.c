// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that the system refuses, from each piece on in turn: the program goes on right, or ends with a sentence.
#define _GNU_SOURCE
#include "captured.h"

#include <dlfcn.h>
#include <errno.h>
#include <omp.h>
#include <string.h>

enum { goes_on = 3 };

/// Whether pieces of memory are counted, how many there may be, and whether one was refused.
static int counting, left, refused;

static int refuses(void) {
  if (!load(&counting) || add(&left, -1) > 0) return 0;
  store(&refused, 1);
  errno = ENOMEM;
  return 1;
}

// Of OpenMP 5.1, which gcc 12's library does not have.
static int (*copy_async)(void*, const void*, size_t, size_t, size_t, int, int, int, omp_depend_t*);
static int (*copy_box_async)(void*, const void*, size_t, int, const size_t*, const size_t*, const size_t*, const size_t*,
                             const size_t*, int, int, int, omp_depend_t*);

void* __libc_malloc(size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);
void* malloc(size_t bytes) { return refuses() ? NULL : __libc_malloc(bytes); }
void* aligned_alloc(size_t alignment, size_t bytes) { return refuses() ? NULL : __libc_memalign(alignment, bytes); }

static void tasks_with_variables(int* sum) {
  for (int i = 0; i < 4; ++i) {
#pragma omp task shared(sum)
    {
      omp_set_num_threads(2);
      add(sum, 1);
    }
  }
#pragma omp taskwait
}

static void reductions(int* sum) {
  int own = 0;
#pragma omp taskgroup task_reduction(+ : own)
  for (int i = 0; i < 4; ++i) {
#pragma omp task in_reduction(+ : own)
    own += 1;
  }
  check(own == 4, "a reduction of 4 tasks is %d", own);
  add(sum, own);
}

static void shared_reductions(int* sum) {
  int own = 0;
#pragma omp parallel num_threads(3)
#pragma omp for reduction(task, + : own) schedule(dynamic)
  for (int i = 0; i < 4; ++i) {
#pragma omp task in_reduction(+ : own)
    own += 1;
  }
  check(own == 4, "a reduction of 4 iterations' tasks is %d", own);
  add(sum, own);
}

static void doacross(int* sum) {
#pragma omp parallel for num_threads(3) ordered(1) schedule(dynamic)
  for (int i = 0; i < 4; ++i) {
#pragma omp ordered depend(sink : i - 1)
    add(sum, 1);
#pragma omp ordered depend(source)
  }
}

// Copies of no account are made, or refused, alike.
static void dependent_copies(int* sum) {
  int from = 1, to = 0, last = 0;
  omp_depend_t behind;
#pragma omp depobj(behind) depend(inout : last)
  omp_event_handle_t event;
#pragma omp task depend(inout : last) detach(event) shared(last)
  last = 1;
  omp_fulfill_event(event);
  const int host = omp_get_initial_device();
  const int made = copy_async(&to, &from, sizeof to, 0, 0, host, host, 1, &behind);
#pragma omp task final(1) shared(to, from, behind)
  {
    const size_t one = 1, none = 0;
    const int also = copy_box_async(&to, &from, sizeof to, 1, &one, &none, &none, &one, &one, host, host, 1, &behind);
    check(also == 0 || also == ENOMEM, "a copy of a box answers %d", also);
    check(also == ENOMEM || to == 1, "a copy in a final task is not done behind it");
  }
#pragma omp taskwait
  check(made == 0 || made == ENOMEM, "a copy answers %d", made);
  check((made == ENOMEM || to == 1) && last == 1, "the copy is %d", to);
#pragma omp depobj(behind) destroy
  add(sum, 4);
}

static void priorities(int* sum) {
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int i = 0; i < 8; ++i) {
#pragma omp task shared(sum) priority(i % 4)
    add(sum, 1);
  }
}

static void texts(int* sum) {
  char text[100];
  omp_set_affinity_format("thread %0.3n of those that this text, which is long enough to take memory, is about");
  const size_t length = omp_capture_affinity(text, sizeof text, NULL);
  check(length == strlen(text) && strstr(text, "thread 000 of") == text, "the captured affinity is '%s'", text);
  add(sum, 4);
}

static void use(void) {
  int sum = 0, pieces = 0;
  omp_set_num_threads(3);
  tasks_with_variables(&sum);
  omp_set_max_active_levels(2);
#pragma omp parallel
  {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 100; ++i) add(&pieces, 1);
#pragma omp single
    tasks_with_variables(&sum);
#pragma omp parallel num_threads(2)
#pragma omp single
    tasks_with_variables(&sum);
  }
#pragma omp parallel num_threads(5)
#pragma omp single
  tasks_with_variables(&sum);
  check(pieces == 100 && sum >= 16 && sum % 4 == 0, "%d pieces and %d tasks ran", pieces, sum);
  reductions(&sum);
  shared_reductions(&sum);
  doacross(&sum);
  dependent_copies(&sum);
  priorities(&sum);
  texts(&sum);
  check(sum % 4 == 0 && sum >= 16 + 28, "%d tasks and other pieces of work were done", sum);
}

/// Effect: ends the child, whose system grants PIECES pieces of memory.
static void use_with(int pieces) {
  store(&left, pieces);
  store(&counting, 1);
  use();
  _exit(load(&refused) ? goes_on : 0);
}

int main(void) {
  *(void**)&copy_async = dlsym(RTLD_DEFAULT, "omp_target_memcpy_async");
  *(void**)&copy_box_async = dlsym(RTLD_DEFAULT, "omp_target_memcpy_rect_async");
  check(copy_async != NULL && copy_box_async != NULL, "the library does not copy in tasks");
  char text[4096];
  int status, pieces = 0, sentences = 0;
  do {
    status = capture_child(use_with, pieces, text, sizeof text);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    const int said = code == 1 && strstr(text, "teff: no memory") != NULL;
    sentences += said;
    check(said || code == 0 || code == goes_on, "with %d pieces of memory it ends with status %d: %s", pieces, status, text);
    ++pieces;
  } while (status != 0 && pieces < 1000);
  check(status == 0 && sentences > 10, "%d pieces of memory are not enough; %d sentences", pieces, sentences);
  return 0;
}
