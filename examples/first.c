/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The first example in C11: a binary tree of tasks, whose leaves are counted. */
#include "teff/teff.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int leaves;

static void check(teff_status status, const char* what) {
  if (status == TEFF_OK) return;
  fprintf(stderr, "%s: %s\n", what, teff_status_text(status));
  exit(1);
}

static void split(teff_worker* self, void* argument) {
  const int depth = *(int*)argument;
  check(teff_free(self, argument), "free");
  if (depth == 0) {
    atomic_fetch_add(&leaves, 1);
    return;
  }
  for (int child = 0; child < 2; ++child) {
    void* own;
    check(teff_alloc(self, sizeof(int), &own), "alloc");
    *(int*)own = depth - 1;
    check(teff_put(self, split, own), "put");
  }
}

int main(void) {
  char message[200];
  teff_team* team;
  if (teff_create(&team, "dq8", "dlf", 0, sizeof(int), "block=8", message, sizeof message) != TEFF_OK) {
    fprintf(stderr, "%s\n", message);
    return 1;
  }
  teff_worker* first;
  void* argument;
  check(teff_worker_of(team, 0, &first), "worker");
  check(teff_alloc(first, sizeof(int), &argument), "alloc");
  *(int*)argument = 16;
  check(teff_init(first, split, argument), "init");
  check(teff_run(team), "run");
  printf("%d leaves on %d workers\n", atomic_load(&leaves), teff_workers(team));
  check(teff_finalize(&team), "finalize");
  return 0;
}
