// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A child that is forked inside of a region goes on alone: it may open regions and exit; if it comes back to the region it ends with
// a sentence, and the parent goes on.
#define _GNU_SOURCE
#include "check.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { lost = 70, own_code = 3 };

// Returns: how many members a region of this process has.
static int members(int wanted) {
  int count = 0;
#pragma omp parallel num_threads(wanted) reduction(+ : count)
  count += 1;
  return count;
}

static int is_child;
static pid_t (*makes_a_child)(void) = fork;

// Effect: forks. Returns: in the child alone, with `returns`; else the child exits.
static void forks(int returns, int code) {
  const pid_t child = makes_a_child();
  if (child == 0) {
    is_child = 1;
    alarm(60);  // who hangs is not of use to anybody
    if (members(1) != 1 || members(3) != 3) _exit(4);
    if (!returns) _exit(own_code);
    return;
  }
  int status = -1;
  check(child > 0 && waitpid(child, &status, 0) == child, "there is no child");
  check(WIFEXITED(status) && WEXITSTATUS(status) == code, "the child ended with status %d, not code %d", status, code);
}

static void in_tasks(int n, int returns, int code) {
  int ran = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  for (int i = 0; i < 20; ++i) {
#pragma omp task shared(ran)
    {
      if (is_child) _exit(5);  // the parent runs it
      if (i == 7) forks(returns, code);
#pragma omp atomic
      ran += 1;
    }
  }
  check(ran == 20, "%d tasks ran", ran);
}

// There is nothing left for the child to run when it comes back.
static void in_last_task(int n) {
  int ran = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  {
#pragma omp task shared(ran)
    {
      forks(1, lost);
      ran = 1;
    }
  }
  check(ran == 1, "the task did not come to its end");
}

static void in_member(int n, int which) {
  int ended = 0;
#pragma omp parallel num_threads(n) reduction(+ : ended)
  {
    if (omp_get_thread_num() == which) forks(1, lost);
    ended += 1;
  }
  check(ended == n, "%d members came to the end", ended);
}

// In chunks that the member has taken several at once; the child runs what is left of them all by itself, and waits at the end.
static void in_loop(int n) {
  enum { iterations = 100000 };
  int ran = 0, from = 0, forked = 0;
#pragma omp parallel num_threads(n)
#pragma omp for schedule(dynamic) reduction(+ : ran)
  for (int i = 0; i < iterations; ++i) {
    int before;
#pragma omp atomic capture
    before = from++;
    if (before >= iterations / 2 && !is_child) {
#pragma omp atomic capture
      before = forked++;
      if (before == 0) forks(1, lost);
    }
    ran += 1;
  }
  check(ran == iterations, "%d iterations ran", ran);
}

// What the child puts nobody else would run.
static void in_puts(int n) {
  int ran = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  {
    forks(1, lost);
    for (int i = 0; i < 2000; ++i) {
#pragma omp task shared(ran)
      {
        if (is_child) _exit(5);
#pragma omp atomic
        ran += 1;
      }
    }
  }
  check(ran == 2000, "%d tasks ran", ran);
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "exits";
  omp_set_max_active_levels(2);
  const int n = omp_get_max_threads() > 1 ? omp_get_max_threads() : 2;
  if (strcmp(how, "exits") == 0) in_tasks(n, 0, own_code);
  if (strcmp(how, "task") == 0) in_tasks(n, 1, lost);
  if (strcmp(how, "last task") == 0) in_last_task(n);
  if (strcmp(how, "opener") == 0) in_member(n, 0);
  if (strcmp(how, "member") == 0) in_member(n, n - 1);
  if (strcmp(how, "loop") == 0) in_loop(n);
  if (strcmp(how, "put") == 0) in_puts(n);
  makes_a_child = _Fork;  // which calls no handlers
  if (strcmp(how, "last task by _Fork") == 0) in_last_task(n);
  if (strcmp(how, "opener by _Fork") == 0) in_member(n, 0);
  if (strcmp(how, "member by _Fork") == 0) in_member(n, n - 1);
  check(members(n) == n, "the parent's regions are not whole");
  return 0;
}
