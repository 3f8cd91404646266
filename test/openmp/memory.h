// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much memory this process has now. (getrusage's maximum is inherited from the process before exec.)
#pragma once

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
