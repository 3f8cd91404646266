// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A child of fork counts what it does itself, and nothing of its parent. For TEFF_STATS=1.
#include "check.h"

#include <omp.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/// A region of N members in which COUNT tasks run.
static void use(int n, int count) {
  int ran = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  for (int i = 0; i < count; ++i)
#pragma omp task shared(ran)
    add(&ran, 1);
  check(ran == count, "%d of %d tasks ran", ran, count);
}

/// Returns: what a child that opens REGIONS regions of N members with COUNT tasks each says on standard error.
static const char* said_by_child(int regions, int n, int count) {
  static char text[4096];
  int ends[2], status = -1;
  check(pipe(ends) == 0, "there is no pipe");
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    for (int i = 0; i < regions; ++i) use(n, count);
    exit(0);
  }
  close(ends[1]);
  size_t length = 0;
  for (ssize_t got = 1; got > 0 && length < sizeof text - 1; length += got > 0 ? (size_t)got : 0)
    got = read(ends[0], text + length, sizeof text - 1 - length);
  text[length] = 0;
  close(ends[0]);
  check(child > 0 && waitpid(child, &status, 0) == child, "there is no child");
  check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child ended with status %d: %s", status, text);
  return text;
}

static void expect(const char* text, const char* name, int number) {
  char line[64];
  snprintf(line, sizeof line, "teff: %s: %d", name, number);
  const char* const found = strstr(text, line);
  check(found != NULL && strchr("\n ", found[strlen(line)]) != NULL, "a child does not say '%s':\n%s", line, text);
}

int main(void) {
  const int n = omp_get_max_threads();
  for (int i = 0; i < 5; ++i) use(n + 3, 100);
#pragma omp task
  check(omp_get_num_threads() == 1, "a task outside of all regions has a team");
  check(said_by_child(0, 1, 0)[0] == 0, "a child that does nothing says that it does");
  const char* const text = said_by_child(2, 2, 7);
  expect(text, "workers", 2);
  expect(text, "regions", 2);
  expect(text, "tasks", 14);
  return 0;
}
