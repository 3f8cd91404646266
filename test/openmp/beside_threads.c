// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that has started threads of its own, or whose libraries have, opens regions. To be able to make all threads pass a fence
// takes some 15 ms in such a process: it is asked for when the library is loaded, and not again. With an argument this program sees to
// it that it notices that.
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <linux/membarrier.h>
#include <omp.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

static int registrations;

/// In the place of the C library's, for the libraries, too.
long syscall(long number, ...) {
  static long (*system_call)(long, ...);
  long words[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; ++i) words[i] = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_membarrier && words[0] == MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) add(&registrations, 1);
  if (system_call == NULL) system_call = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  return system_call(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

static void* wait_for_end(void* end) {
  pthread_mutex_lock(end);
  pthread_mutex_unlock(end);
  return NULL;
}

int main(int count, char** words) {
  (void)words;
  pthread_mutex_t end = PTHREAD_MUTEX_INITIALIZER;
  pthread_t other;
  int members = 0;
  const int when_loaded = load(&registrations);
  pthread_mutex_lock(&end);
  check(pthread_create(&other, NULL, wait_for_end, &end) == 0, "no thread");
  for (int i = 0; i < 3; ++i) {
#pragma omp parallel reduction(+ : members)
    ++members;
  }
  check(members == 3 * omp_get_max_threads(), "not every member ran in every region");
  check(load(&registrations) == when_loaded, "regions without tasks asked the system for fences of all threads");
#pragma omp parallel
  for (int i = 0; i < 1000; ++i) {
#pragma omp task shared(members)
    add(&members, 1);
  }
  check(members == 1003 * omp_get_max_threads(), "not every task ran once");
  check(load(&registrations) == when_loaded, "tasks asked the system for fences of all threads");
  if (count > 1 && omp_get_max_threads() > 1) check(when_loaded > 0, "nobody saw the registration that tasks need");
  pthread_mutex_unlock(&end);
  pthread_join(other, NULL);
  return 0;
}
