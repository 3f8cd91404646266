// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Catches what is written to standard error meanwhile.
#pragma once

#include <stdio.h>
#include <unistd.h>

/// Effect: runs WRITE and stores in TEXT, of SIZE bytes, what it wrote to standard error.
static inline void capture_errors(void (*write)(void), char* text, size_t size) {
  FILE* file = tmpfile();
  const int before = dup(2);
  fflush(stderr);
  dup2(fileno(file), 2);
  write();
  fflush(stderr);
  dup2(before, 2);
  close(before);
  rewind(file);
  text[fread(text, 1, size - 1, file)] = 0;
  fclose(file);
}
