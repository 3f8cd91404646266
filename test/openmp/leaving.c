// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread ends inside a region. The others of the region wait for ever, and the program goes on without them; but the stack of
// who opened it stays as long as they use what lies there. Argument: which thread ends: opener (the others have nothing to do),
// used (they use its variables), task (it has put one that does), inner (it opened an inner region, whose others use its
// variables, as another member than the opener of the outer one), member (another one than the opener), both (all members),
// left (likewise, and nobody is left to run a task), long (as used, for longer than its stack waits to be unwound), signals (as
// used, with signals meanwhile), handler (a handler of its end lets the others go on), child (of fork, with nobody beside it),
// alone (the opener of a region of one).
#include "check.h"

#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { answer = 42, looks = 5 };
/// In seconds: so long what lies on the stack stays as it was, when its thread begins to end.
static const double kept = 0.5;

static pthread_mutex_t until_end;  ///< robust: of the thread that ends, until it has
static int ends, has_ended, seen, ran;

static double end_began;

static void end_inside(void) {
  pthread_mutex_lock(&until_end);
  end_began = now();
  store(&ends, 1);
  pthread_exit(NULL);
}

/// Looks whether the thread that ends has ended: so often, and for so long, in seconds.
static void look(int times, double seconds) {
  while (!load(&ends)) sched_yield();
  const double end = now() + seconds;
  while (times-- > 0 || now() < end) check(stays_clear(&has_ended), "the thread has ended while others use its variables");
}

/// Effect: `seen` is what was read; the answer, if it was read too late, as others had the processors.
static void note(int read) { store(&seen, now() - end_began < kept ? read : answer); }

/// Looks at what lies on the stack of the thread that ends, unless that has ended.
static void use(const int* value) {
  look(looks, 0);
  note(*(const volatile int*)value);
}

static void open_used(void) {
  int value = answer;
#pragma omp parallel num_threads(2) shared(value)
  {
    if (omp_get_thread_num() == 0) end_inside();
    use(&value);
  }
}

static void take_signal(int number) { (void)number; }

/// A signal each millisecond, for the thread that ends alone.
static void begin_signals(sigset_t* which) {
  const struct itimerval each_ms = {{0, 1000}, {0, 1000}};
  struct sigaction action = {.sa_handler = take_signal};
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &each_ms, NULL);
  pthread_sigmask(SIG_UNBLOCK, which, NULL);
}

static void open_signalled(void) {
  enum { count = 200 };
  int values[count];
  sigset_t alarms;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  for (int i = 0; i < count; ++i) values[i] = answer;
#pragma omp parallel num_threads(2) shared(values, alarms)
  {
    if (omp_get_thread_num() == 0) {
      begin_signals(&alarms);
      end_inside();
    }
    look(looks, 0.2);
    int right = 0;
    for (int i = 0; i < count; ++i) right += ((volatile int*)values)[i] == answer;
    note(right == count ? answer : 0);
  }
}

static int may_go;
static void let_go(void* nothing) {
  (void)nothing;
  store(&may_go, 1);
}

static void open_with_handler(void) {
  pthread_cleanup_push(let_go, NULL);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) end_inside();
    while (!load(&may_go)) sched_yield();
  }
  pthread_cleanup_pop(0);
}

/// In the child the thread is that of another one's region, and of one that it opened; the other members are the parent's.
static void open_for_child(void) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    const pid_t child = fork();
    if (child == 0) {
#pragma omp parallel num_threads(2)
      store(&seen, 1);
      pthread_exit(NULL);
    }
    int status = -1;
    check(waitpid(child, &status, 0) == child && status == 0, "the child ended with status %d", status);
    end_inside();
  }
}

static void* leave(void* from) {
  const char* const which = from;
  int value = answer;
  omp_set_max_active_levels(3);
  if (strcmp(which, "alone") == 0) {
#pragma omp parallel num_threads(1)
    end_inside();
  }
  if (strcmp(which, "used") == 0) open_used();
  if (strcmp(which, "signals") == 0) open_signalled();
  if (strcmp(which, "handler") == 0) open_with_handler();
#pragma omp parallel num_threads(2) shared(value)
  {
    if (strcmp(which, "opener") == 0 && omp_get_thread_num() == 0) end_inside();
    if (strcmp(which, "long") == 0) {
      if (omp_get_thread_num() == 0) end_inside();
      look(looks, 0.8);
    }
    if (strcmp(which, "member") == 0 && omp_get_thread_num() == 1) end_inside();
    if (strcmp(which, "inner") == 0 && omp_get_thread_num() == 1) open_used();
    if (strcmp(which, "child") == 0 && omp_get_thread_num() == 1) open_for_child();
    if (strcmp(which, "both") == 0 || strcmp(which, "left") == 0) {
      if (omp_get_thread_num() == 0) {
#pragma omp task if (which[0] == 'l')
        add(&ran, 1);
        end_inside();
      }
      while (!load(&ends)) sched_yield();
      pthread_exit(NULL);
    }
    if (strcmp(which, "task") == 0 && omp_get_thread_num() == 0) {
#pragma omp task shared(value)
      use(&value);
      end_inside();
    }
  }
  return NULL;
}

int main(int argument_count, char** arguments) {
  char* const which = argument_count > 1 ? arguments[1] : "opener";
  const int is_alone = strcmp(which, "alone") == 0;
  check(!is_alone || freopen("said", "w", stderr) != NULL, "no file");
  pthread_mutexattr_t robust;
  pthread_mutexattr_init(&robust);
  pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&until_end, &robust);
  sigset_t alarms;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &alarms, NULL);  // the thread that ends takes them
  pthread_t leaver;
  check(pthread_create(&leaver, NULL, leave, which) == 0, "no thread");
  while (!load(&ends)) sched_yield();
  check(pthread_mutex_lock(&until_end) == EOWNERDEAD, "the thread gave its lock back");
  store(&has_ended, 1);
  if (strcmp(which, "inner") != 0 && strcmp(which, "member") != 0 && strcmp(which, "child") != 0) pthread_join(leaver, NULL);
  if (strcmp(which, "used") == 0 || strcmp(which, "task") == 0 || strcmp(which, "inner") == 0 || strcmp(which, "signals") == 0)
    check(load(&seen) == answer, "others saw %d, not %d", load(&seen), answer);
  int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
  members += 1;
  check(members == 2, "%d members, not 2", members);
  check(!is_alone || lseek(STDERR_FILENO, 0, SEEK_END) == 0, "something was said");
  return 5;
}
