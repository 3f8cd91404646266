// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much memory this process has now, and that it stays bounded. (getrusage's maximum is inherited from before exec.)
#pragma once

#include "check.h"

#include <omp.h>
#include <stdio.h>
#include <unistd.h>

/// Returns: the number in that column of /proc/self/statm, in bytes. Column 0: address space; 1: resident.
static inline long memory_bytes(int column) {
  long pages[2] = {0, 0};
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &pages[0], &pages[1]) != 2) pages[0] = pages[1] = 0;
  if (file != NULL) fclose(file);
  return pages[column] * sysconf(_SC_PAGESIZE);
}

/// Very many pieces of shared work without wait in one region: what they need is given back. Two members call WORK, which has one
/// construct with two pieces and returns how many of them this member ran.
static inline void bounded_memory(int (*work)(void)) {
  long before = 0, growth = 0;
  int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  {
    for (int i = 0; i < 20000; ++i) {
      if (i == 2000 && omp_get_thread_num() == 0) before = memory_bytes(1);
      sum += work();
      if (i % 1000 == 0) {
#pragma omp barrier
      }
    }
#pragma omp barrier
    if (omp_get_thread_num() == 0) growth = (memory_bytes(1) - before) / 1024;
  }
  check(sum == 40000, "%d pieces of work ran, not 40000", sum);
  check(growth < 1024, "the memory grew by %ld KiB", growth);
}
