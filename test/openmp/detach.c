// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks with a detach clause: they are complete when their code has ended and their event is fulfilled, whichever comes last and
// whoever fulfils it, a thread that OpenMP knows nothing of included.
#include "check.h"

#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/// A thread of the program's own that fulfils an event when the task has ended and nobody has gone on for a while.
struct outsider {
  pthread_t thread;
  omp_event_handle_t event;
  int has_event, ended, past, fulfilled;
};

static void* fulfil_late(void* data) {
  struct outsider* const own = data;
  while (load(&own->has_event) == 0 || load(&own->ended) == 0) sched_yield();
  check(stays_clear(&own->past), "somebody goes on past a task whose event is not fulfilled");
  store(&own->fulfilled, 1);
  omp_fulfill_event(own->event);
  return NULL;
}

static void begin(struct outsider* one) {
  const struct outsider none = {0};
  *one = none;
  check(pthread_create(&one->thread, NULL, fulfil_late, one) == 0, "no thread");
}
static void tell(struct outsider* one, omp_event_handle_t event) {
  one->event = event;
  store(&one->has_event, 1);
}
static void go_on(struct outsider* one, const char* what) {
  store(&one->past, 1);
  check(load(&one->ended) && load(&one->fulfilled), "%s lets its task go before the event of another one is fulfilled", what);
}

static void waits(int n) {
  struct outsider one;
  omp_event_handle_t event;
  begin(&one);
#pragma omp parallel num_threads(n)
#pragma omp single private(event)
  {
#pragma omp task detach(event) shared(one)
    store(&one.ended, 1);
    tell(&one, event);
#pragma omp taskwait
    go_on(&one, "a taskwait");
  }
  pthread_join(one.thread, NULL);
  begin(&one);
#pragma omp parallel num_threads(n)
#pragma omp single private(event)
  {
#pragma omp taskgroup
    {
#pragma omp task shared(one) private(event)
      {
#pragma omp task detach(event) shared(one)
        store(&one.ended, 1);
        tell(&one, event);
      }
    }
    go_on(&one, "a taskgroup");
  }
  pthread_join(one.thread, NULL);
  begin(&one);
#pragma omp parallel num_threads(n) private(event)
  {
#pragma omp master
    {
#pragma omp task detach(event) shared(one)
      store(&one.ended, 1);
      tell(&one, event);
    }
#pragma omp barrier
    go_on(&one, "a barrier");
  }
  pthread_join(one.thread, NULL);
  begin(&one);
#pragma omp parallel num_threads(n)
#pragma omp single nowait private(event)
  {
#pragma omp task detach(event) shared(one)
    store(&one.ended, 1);
    tell(&one, event);
  }
  go_on(&one, "the end of a region");
  pthread_join(one.thread, NULL);
}

/// The task tells its event, and its creator waits for both.
static void at_once(int n) {
  struct outsider one;
  omp_event_handle_t event;
  begin(&one);
#pragma omp parallel num_threads(n)
#pragma omp single private(event)
  {
#pragma omp task detach(event) shared(one) if (0)
    {
      tell(&one, event);
      store(&one.ended, 1);
    }
    go_on(&one, "a task with if(0)");
  }
  pthread_join(one.thread, NULL);
}

/// Fulfilled before its code has begun, inside of it, and behind it, by its creator: none of it waits for anything else.
/// `yields`: whether a taskyield runs a task, as who is alone could not wait for its code otherwise.
static void by_members(int n, int many, int yields) {
  int ran = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  {
    for (int i = 0; i < many; ++i) {
      omp_event_handle_t early, inside;
#pragma omp task detach(early) shared(ran)
      add(&ran, 1);
      omp_fulfill_event(early);
#pragma omp task detach(inside) shared(ran)
      {
        omp_fulfill_event(inside);
        add(&ran, 1);
      }
    }
#pragma omp taskwait
    check(load(&ran) == 2 * many, "a taskwait ends behind %d of %d detached tasks", load(&ran), 2 * many);
    if (n > 1 || yields) {
      omp_event_handle_t event;
      int ended = 0;
#pragma omp task detach(event) shared(ended)
      store(&ended, 1);
      while (n == 1 && !load(&ended)) {
#pragma omp taskyield
      }
      await(&ended);
      omp_fulfill_event(event);
#pragma omp taskwait
      check(load(&ended), "a taskwait ends before a task whose event was fulfilled");
    }
  }
}

/// Another task fulfils it; so does a thread of a region inside.
static void by_others(int n) {
  int ran = 0, fulfilled = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  {
    for (int i = 0; i < 20; ++i) {
      omp_event_handle_t event;
#pragma omp task detach(event) shared(ran)
      add(&ran, 1);
#pragma omp task firstprivate(event, i) shared(fulfilled)
      {
        if (i % 5 == 0) {
#pragma omp parallel num_threads(2)
          if (omp_get_thread_num() == omp_get_num_threads() - 1) {
            add(&fulfilled, 1);
            omp_fulfill_event(event);
          }
        } else {
          add(&fulfilled, 1);
          omp_fulfill_event(event);
        }
      }
    }
#pragma omp taskwait
    check(load(&ran) == 20 && load(&fulfilled) == 20, "a taskwait ends behind %d tasks and %d events of 20", load(&ran),
          load(&fulfilled));
  }
}

/// Arguments that are copied by code, and such as lie at their own alignment.
static void arguments(int n) {
  int right = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  {
    double numbers[5] = {1, 2, 3, 4, 5};
    _Alignas(64) char aligned[3] = {1, 2, 3};
    omp_event_handle_t event;
#pragma omp task detach(event) firstprivate(numbers, aligned) shared(right)
    {
      right = numbers[4] == 5 && aligned[2] == 3 && numbers[0] == 1;
      omp_fulfill_event(event);
    }
#pragma omp taskwait
  }
  check(right, "a detached task has other arguments than it was given");
}

static omp_event_handle_t awaited;
static int handled;
static void fulfil_in_handler(int number) {
  (void)number;
  store(&handled, 1);
  omp_fulfill_event(awaited);
}

/// The task begins something whose end a signal tells: mostly of a thread of the team that sleeps by then.
static void begin_with_signal(omp_event_handle_t event) {
  const struct itimerval soon = {.it_value = {.tv_usec = 20000}};
  awaited = event;
  store(&handled, 0);
  check(setitimer(ITIMER_REAL, &soon, NULL) == 0, "there is no timer");
}

static void by_signals(int n) {
  const struct sigaction action = {.sa_handler = fulfil_in_handler};
  omp_event_handle_t event;
  check(sigaction(SIGALRM, &action, NULL) == 0, "there is no handler");
  for (int time = 0; time < 5; ++time) {
#pragma omp parallel num_threads(n) private(event)
#pragma omp master
    {
#pragma omp task detach(event)
      begin_with_signal(event);
#pragma omp taskwait
      check(load(&handled), "a taskwait lets its task go before a handler fulfils the event");
    }
#pragma omp parallel num_threads(n) private(event)
    {
#pragma omp master
      {
#pragma omp task detach(event) if (0)
        begin_with_signal(event);
        check(load(&handled), "a task with if(0) lets its creator go before a handler fulfils the event");
#pragma omp task detach(event)
        begin_with_signal(event);
      }
#pragma omp barrier
      check(load(&handled), "a barrier lets a task go before a handler fulfils the event");
    }
  }
}

/// A child has its own copies of its parent's events, and events of its own.
static void in_child(int n) {
  omp_event_handle_t event;
  int ran = 0, status = -1;
#pragma omp task detach(event) shared(ran)
  add(&ran, 1);
  const pid_t child = fork();
  check(child >= 0, "there is no child");
  if (child == 0) by_members(n, 20, 1);
  omp_fulfill_event(event);
#pragma omp taskwait
  check(load(&ran) == 1, "a task outside of all regions ran %d times", load(&ran));
  if (child == 0) _exit(0);
  check(waitpid(child, &status, 0) == child && status == 0, "a child with events ends with status %#x", (unsigned)status);
}

/// An argument: events that a thread of the program's own, or a signal's handler, fulfils, which a barrier of gcc's library does
/// not see; more tasks than it puts before one runs at once, whose event it waits for there; and a taskyield that runs a task.
/// Who fulfils the event is made later, and all threads wait for what depends on it.
static void by_a_later_task(int n) {
#pragma omp parallel num_threads(n)
  {
    int x = 0, seen = 0;
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : x) shared(x)
    x = 1;
#pragma omp task firstprivate(event)
    omp_fulfill_event(event);
#pragma omp taskwait depend(in : x)
    check(x == 1, "a taskwait lets the task go before one that it depends on");
#pragma omp task detach(event) depend(inout : x) shared(x)
    ++x;
#pragma omp task firstprivate(event)
    omp_fulfill_event(event);
#pragma omp task if (0) depend(in : x) shared(x, seen)
    seen = x;
    check(seen == 2, "a task that is not deferred runs before one that it depends on");
#pragma omp task detach(event) depend(inout : x) shared(x)
    ++x;
#pragma omp task firstprivate(event)
    omp_fulfill_event(event);
#pragma omp taskgroup
#pragma omp task depend(in : x) shared(x, seen)
    seen = x;
    check(seen == 3, "a task of a group runs before one that it depends on");
  }
}

int main(int count, char** words) {
  (void)words;
  const int n = omp_get_max_threads();
  if (count > 1) {
    waits(n);
    at_once(n);
    by_members(n, 2000, 1);
    by_signals(n);
    in_child(n);
    by_a_later_task(n);
    return 0;
  }
  by_members(n, 20, 0);
  by_others(n);
  arguments(n);
  return 0;
}
