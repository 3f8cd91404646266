// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nearly all tasks stay with the member that put them: it makes few visible to others, and seldom takes some back. Those are the
// only read-modify-writes of its path. For TEFF_STATS=1, and the default pool, which counts them.
#include "captured.h"
#include "fib.h"
#include "membarrier.h"

#include <omp.h>
#include <string.h>

/// Effect: another member runs a task of the calling one.
static void share_one(void) {
  int begun = 0;
#pragma omp task shared(begun)
  store(&begun, 1);
  while (!load(&begun)) sched_yield();
#pragma omp taskwait
}

static void run_fib(int n) {
  int answer = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  {
    if (n > 1) share_one();
    answer = fib(27);
  }
  check(answer == 196418, "fib(27) is %d", answer);
}

/// Returns: the number behind the words in what a child has said.
static long number_behind(const char* said, const char* words) {
  const char* const at = strstr(said, words);
  check(at != NULL, "it does not say '%s':\n%s", words, said);
  return atol(at + strlen(words));
}

int main(void) {
  static char said[4096];
  if (!has_membarrier()) return 0;
  const int n = omp_get_max_threads();
  const int status = capture_child(run_fib, n, said, sizeof said);
  check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child ended with status %d: %s", status, said);
  const long tasks = number_behind(said, "teff: tasks: ");
  const long shared = number_behind(said, "(shared "), taken_back = number_behind(said, ", taken back ");
  check(tasks > 100000, "only %ld tasks ran", tasks);
  check((shared + taken_back) * 100 <= tasks, "of %ld tasks %ld were shared, and %ld times some taken back", tasks, shared,
        taken_back);
  check(n > 1 ? shared > 0 : shared + taken_back == 0, "with %d threads %ld tasks were shared, and %ld times some taken back", n,
        shared, taken_back);
  return 0;
}
