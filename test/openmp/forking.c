// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A process that has opened regions forks; parent and child both open regions afterwards, as worker processes of scripts do.
#include "check.h"
#include "fib.h"

#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

static void use(int n) {
  int answer = 0, members = 0;
#pragma omp parallel num_threads(n) reduction(+ : members)
  {
    members += 1;
#pragma omp single
    answer = fib(10);
  }
  check(members == n && answer == 55, "a region had %d members and fib(10) was %d", members, answer);
}

int main(void) {
  const int n = omp_get_max_threads();
  use(n);
  for (int i = 0; i < 3; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      use(n);
      use(3);
      if (i == 2 && fork() == 0) use(2);  // a child of a child
      return 0;
    }
    use(n);
    int status = -1;
    check(child > 0 && waitpid(child, &status, 0) == child, "there is no child");
    check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child %d ended with status %d", i, status);
  }
  use(n + 1);
  return 0;
}
