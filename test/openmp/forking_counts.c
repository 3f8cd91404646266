// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A child of fork counts what it does itself, and nothing of its parent. For TEFF_STATS=1.
#include "captured.h"

#include <omp.h>
#include <string.h>

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

static void use_two(int regions) {
  for (int i = 0; i < regions; ++i) use(2, 7);
}

/// Returns: what a child that opens REGIONS regions of two members with seven tasks each says on standard error.
static const char* said_by_child(int regions) {
  static char text[4096];
  const int status = capture_child(use_two, regions, text, sizeof text);
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
  check(said_by_child(0)[0] == 0, "a child that does nothing says that it does");
  const char* const text = said_by_child(2);
  expect(text, "workers", 2);
  expect(text, "regions", 2);
  expect(text, "tasks", 14);
  return 0;
}
