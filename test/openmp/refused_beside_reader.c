// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is not supported is refused while another thread waits for input, and so has the lock of that file: the end of the program
// does not wait.
#include "check.h"
#include "entry_points.h"

#include <pthread.h>
#include <unistd.h>

static void* read_for_ever(void* nothing) {
  char line[9];
  flockfile(stdin);
  store(nothing, 1);
  return fgets(line, sizeof line, stdin);
}

int main(void) {
  int ends[2], reads = 0;
  pthread_t reader;
  check(pipe(ends) == 0 && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO, "no pipe");
  check(pthread_create(&reader, NULL, read_for_ever, &reads) == 0, "no thread");
  while (!load(&reads)) sched_yield();
#pragma omp parallel
#pragma omp single
  GOACC_wait(-1, 0);
  puts("the program went on");
  return 0;
}
