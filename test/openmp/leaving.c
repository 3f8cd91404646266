// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread ends inside the region that it opened. The others of the region wait for ever, and the program goes on without them.
#include "check.h"

#include <omp.h>
#include <pthread.h>

static void* leave(void* nothing) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) pthread_exit(nothing);
  return nothing;
}

int main(void) {
  pthread_t leaver;
  check(pthread_create(&leaver, NULL, leave, NULL) == 0, "no thread");
  pthread_join(leaver, NULL);
  int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
  members += 1;
  check(members == 2, "%d members, not 2", members);
  return 5;
}
