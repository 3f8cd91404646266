// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Catches what is written to standard error meanwhile, here or in a child.
#pragma once

#include "check.h"

#include <sys/wait.h>
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

/// Returns: the status with which a child ends that runs RUN(ARGUMENT) and exits. Effect: stores in TEXT, of SIZE bytes, what it
/// wrote to standard error.
static inline int capture_child(void (*run)(int), int argument, char* text, size_t size) {
  int ends[2], status = -1;
  check(pipe(ends) == 0, "there is no pipe");
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    run(argument);
    exit(0);
  }
  close(ends[1]);
  size_t length = 0;
  for (ssize_t got = 1; got > 0 && length < size - 1; length += got > 0 ? (size_t)got : 0)
    got = read(ends[0], text + length, size - 1 - length);
  text[length] = 0;
  close(ends[0]);
  check(child > 0 && waitpid(child, &status, 0) == child, "there is no child");
  return status;
}
