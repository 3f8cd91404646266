// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Others set the masks of the program's threads while regions go on, as `taskset -a -p` does: no thread sets its own back,
// neither those without places nor, once they are at theirs, those with some.
#define _GNU_SOURCE
#include "check.h"

#include <dirent.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { most_threads = 64, rounds = 40 };

static int regions, enough;

static void* open_regions(void* unused) {
  while (!load(&enough)) {
    int members = 0;
#pragma omp parallel reduction(+ : members)
    members += 1;
    check(members > 0, "a region without members");
    add(&regions, 1);
  }
  return unused;
}

static void await_regions(int more) {
  for (const int before = load(&regions); load(&regions) < before + more;) sched_yield();
}

// Returns: how many threads there are beside this one.
static int other_threads(pid_t* found) {
  int count = 0;
  DIR* const all = opendir("/proc/self/task");
  check(all != NULL, "there is no list of threads");
  for (struct dirent* each; (each = readdir(all)) != NULL && count < most_threads;) {
    const pid_t number = atoi(each->d_name);
    if (number != 0 && number != (pid_t)syscall(SYS_gettid)) found[count++] = number;
  }
  closedir(all);
  return count;
}

int main(void) {
  cpu_set_t usable;
  check(sched_getaffinity(0, sizeof usable, &usable) == 0, "no mask");
  pthread_t opener;
  check(pthread_create(&opener, NULL, open_regions, NULL) == 0, "no thread");
  await_regions(3);  // the threads are there
  pid_t threads[most_threads];
  const int count = other_threads(threads);
  for (int round = 0, processor = -1; round < rounds; ++round) {
    do processor = (processor + 1) % CPU_SETSIZE;
    while (!CPU_ISSET(processor, &usable));
    cpu_set_t wanted, now;
    CPU_ZERO(&wanted);
    CPU_SET(processor, &wanted);
    for (int i = 0; i < count; ++i) check(sched_setaffinity(threads[i], sizeof wanted, &wanted) == 0, "a mask is refused");
    await_regions(3);
    for (int i = 0; i < count; ++i) {
      check(sched_getaffinity(threads[i], sizeof now, &now) == 0, "a thread has ended");
      check(CPU_EQUAL(&now, &wanted), "round %d: thread %d of %d is elsewhere again", round, i, count);
    }
  }
  store(&enough, 1);
  pthread_join(opener, NULL);
  return 0;
}
