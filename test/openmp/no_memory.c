// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that the system refuses, from each piece on in turn: the program goes on right, or ends with a sentence.
#include "captured.h"

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

static void use(void) {
  int sum = 0, pieces = 0;
  omp_set_num_threads(3);
  tasks_with_variables(&sum);
  omp_set_max_active_levels(2);
#pragma omp parallel
  {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 10; ++i) add(&pieces, 1);
#pragma omp single
    tasks_with_variables(&sum);
#pragma omp parallel num_threads(2)
#pragma omp single
    tasks_with_variables(&sum);
  }
#pragma omp parallel num_threads(5)
#pragma omp single
  tasks_with_variables(&sum);
  check(pieces == 10 && sum >= 16 && sum % 4 == 0, "%d pieces and %d tasks ran", pieces, sum);
}

/// Effect: ends the child, whose system grants PIECES pieces of memory.
static void use_with(int pieces) {
  store(&left, pieces);
  store(&counting, 1);
  use();
  _exit(load(&refused) ? goes_on : 0);
}

int main(void) {
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
