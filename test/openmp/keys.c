// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program has taken all keys for data of threads before its threads open regions. Their data stay theirs.
#include "check.h"

#include <omp.h>
#include <pthread.h>

enum { keys_at_most = 1024 };

static pthread_key_t keys[keys_at_most];
static int count, ended;

static void end(void* of) { add(of, 1); }

static void* open_region(void* nothing) {
  int members = 0;
  pthread_setspecific(keys[0], &ended);
#pragma omp parallel num_threads(2) reduction(+ : members)
  members += 1;
  check(members == 2, "%d members, not 2", members);
  for (int at = 0; at < count; ++at)
    check(pthread_getspecific(keys[at]) == (at == 0 ? &ended : NULL), "key %d of %d is somebody else's", at, count);
  return nothing;
}

int main(void) {
  while (count < keys_at_most && pthread_key_create(&keys[count], end) == 0) ++count;
  for (int round = 1; round <= 5; ++round) {
    pthread_t opener;
    check(pthread_create(&opener, NULL, open_region, NULL) == 0, "no thread");
    pthread_join(opener, NULL);
    check(load(&ended) == round, "%d threads ended, not %d", load(&ended), round);
  }
  return 0;
}
