// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members outnumber processors, and whoever gives one away gets it back a time slice later, as beside another program: waits must
// notice it and sleep. The program counts how often they give it away; the calls of its own threads to sched_yield() are those.
#define _GNU_SOURCE
#include "long_task.h"

#include <omp.h>
#include <string.h>
#include <time.h>

enum { rounds = 400, extra = 2 };

static int yields;

/// In place of the C library's: the processor is away for 2 ms, in which nobody of this process uses it.
int sched_yield(void) {
  const struct timespec slice = {0, 2000000};
  add(&yields, 1);
  return nanosleep(&slice, NULL);
}

/// Each member sleeps most of the time, but for one wait now and then.
static void barriers(int members) {
#pragma omp parallel num_threads(members)
  for (int i = 0; i < rounds; ++i) {
#pragma omp barrier
  }
  check(load(&yields) > 0, "no member of %d gave the processor away", members);
  check(load(&yields) < members * rounds / 4, "%d members gave the processor away %d times in %d barriers", members,
        load(&yields), rounds);
}

/// Who waits for ever looks by force behind so much time, not behind so many rounds.
static void looks(int members) {
  enum { long_yields = 1000 };
  for (int repeat = 0; repeat < 5; ++repeat) run_long_task_beside_others(members, NULL);
  check(load(&yields) < members * long_yields, "%d members gave the processor away %d times before they took all tasks", members,
        load(&yields));
}

int main(int count, char** words) {
  const int members = omp_get_num_procs() + extra;
  if (count > 1 && strcmp(words[1], "for_ever") == 0) looks(members);
  else barriers(members);
  return 0;
}
