// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A process that has opened regions forks; parent and child both open regions afterwards, as worker processes of scripts do.
#include "check.h"
#include "fib.h"

#include <omp.h>
#include <pthread.h>
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

// A thread whose regions have had threads of their own forks; in the child it returns, and ends the process.
static void* forks_and_returns(void* nothing) {
  use(3);
  const pid_t child = fork();
  use(2);
  int status = -1;
  if (child != 0) {
    check(waitpid(child, &status, 0) == child, "there is no child");
    check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a child of a thread ended with status %d", status);
  }
  return nothing;
}

static void* forks_returns_at_once(void* nothing) {
  use(3);
  const pid_t child = fork();
  if (child == 0) return nothing;
  int status = -1;
  check(waitpid(child, &status, 0) == child, "there is no child");
  check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a child that does nothing ended with status %d", status);
  return nothing;
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
  for (int i = 0; i < 2; ++i) {
    pthread_t thread;
    check(pthread_create(&thread, NULL, i == 0 ? forks_and_returns : forks_returns_at_once, NULL) == 0, "there is no thread");
    pthread_join(thread, NULL);
  }
  return 0;
}
