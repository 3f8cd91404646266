// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program ends from inside of a region, from a member and from a task, with exit code 5. Argument: member, task, quick, main.
#include "check.h"

#include <omp.h>
#include <string.h>

static void leave(void) {
  fflush(stdout);
  exit(5);
}

static void from_a_member(int n) {
#pragma omp parallel num_threads(n)
  {
    if (omp_get_thread_num() == omp_get_num_threads() - 1) leave();
#pragma omp barrier
  }
}

static void from_a_task(int n) {
#pragma omp parallel num_threads(n)
#pragma omp single
  {
    for (int i = 0; i < 20; ++i) {
#pragma omp task
      if (i == 7) {
#pragma omp critical(leaving)
        leave();
      }
    }
  }
}

int main(int argument_count, char** arguments) {
  const int n = omp_get_max_threads();
  const char* const from = argument_count > 1 ? arguments[1] : "";
  int members = 0;
#pragma omp parallel num_threads(n) reduction(+ : members)
  members += 1;
  if (strcmp(from, "member") == 0) from_a_member(n);
  if (strcmp(from, "task") == 0) from_a_task(n);
  if (strcmp(from, "quick") == 0) {
#pragma omp parallel num_threads(n)
    _Exit(5);
  }
  return members == n ? 5 : 1;
}
