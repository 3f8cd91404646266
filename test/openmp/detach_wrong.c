// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events that are fulfilled twice, or are none, end the program. Of one that nobody fulfils for long each kind of wait says which
// it is, and of which task; and goes on when somebody does. Nothing is said while a thread is at work.
#include "check.h"

#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static omp_event_handle_t make_event(int* ran) {
  omp_event_handle_t event;
#pragma omp task detach(event)
  add(ran, 1);
  return event;
}

static void* fulfil(void* event) {
  omp_fulfill_event(*(omp_event_handle_t*)event);
  return NULL;
}
static void fulfil_outside(omp_event_handle_t event) {
  pthread_t thread;
  check(pthread_create(&thread, NULL, fulfil, &event) == 0, "no thread");
  pthread_join(thread, NULL);
}

/// `between`: what happens before the second time.
static void fulfil_twice(const char* between) {
  int ran = 0, others = 0;
#pragma omp parallel
#pragma omp single
  {
    const omp_event_handle_t event = make_event(&ran), open = make_event(&ran);
    if (strcmp(between, "outside") == 0) fulfil_outside(event);
    else omp_fulfill_event(event);
    if (strcmp(between, "a_wait") == 0) {
#pragma omp taskgroup
      omp_fulfill_event(make_event(&others));
    }
    // One of them is likely to lie where the first one lay.
    omp_event_handle_t more[300];
    if (strcmp(between, "others") == 0) {
      for (int i = 0; i < 300; ++i) more[i] = make_event(&others);
    }
    if (strcmp(between, "then_outside") == 0) fulfil_outside(event);
    else omp_fulfill_event(event);
    for (int i = 0; i < 300 && strcmp(between, "others") == 0; ++i) omp_fulfill_event(more[i]);
    omp_fulfill_event(open);
  }
  puts("the program went on");
}

/// Reads standard error until all is said of an event that is to be, and fulfils that.
static int said[2];
static omp_event_handle_t late;
static int late_is_there, told;
/// Those of a sentence that does not name all.
enum { others_of_many = 20 };
static omp_event_handle_t others[others_of_many];
static int has_others;

static void* fulfil_when_told(void* unused) {
  (void)unused;
  static char text[4000];
  char event[40];
  size_t length = 0;
  while (strchr(text, '\n') == NULL) {
    const ssize_t got = read(said[0], text + length, sizeof text - 1 - length);
    check(got > 0, "standard error is closed");
    length += (size_t)got;
  }
  while (load(&late_is_there) == 0) sched_yield();
  snprintf(event, sizeof event, "event %#llx of the task detach_wrong+0x", (unsigned long long)(uintptr_t)late);
  const char* const more = load(&has_others) ? " and 13 more\n" : "\n";
  const char* const time = strcmp(getenv("TEFF_WATCHDOG"), "0.05") == 0 ? " for 50 ms: it waits" : " for 0.2 s: it waits";
  if (strstr(text, "nothing has run in a team of ") == NULL || strstr(text, time) == NULL || strstr(text, event) == NULL ||
      strstr(text, more) == NULL) {
    printf("of '%s' is said: %s\n", event, text);
    exit(1);
  }
  store(&told, 1);
  for (int i = 0; i < others_of_many && load(&has_others); ++i) omp_fulfill_event(others[i]);
  omp_fulfill_event(late);
  return NULL;
}

static void know(omp_event_handle_t event) {
  late = event;
  store(&late_is_there, 1);
}

/// Effect: makes the event, and waits for it as `how` says.
static void wait_for_event(const char* how, int* ran) {
  if (strcmp(how, "taskwait") == 0) {
    know(make_event(ran));
#pragma omp taskwait
  } else if (strcmp(how, "taskgroup") == 0) {
#pragma omp taskgroup
    {
#pragma omp task
      know(make_event(ran));
    }
  } else if (strcmp(how, "many") == 0) {
    int ran_too = 0;
    know(make_event(ran));
    for (int i = 0; i < others_of_many; ++i) others[i] = make_event(&ran_too);
    store(&has_others, 1);
#pragma omp taskwait
    check(load(&ran_too) == others_of_many, "a taskwait lets %d tasks go", others_of_many - load(&ran_too));
  } else if (strcmp(how, "at_once") == 0) {
    omp_event_handle_t event;
#pragma omp task detach(event) if (0)
    {
      know(event);
      add(ran, 1);
    }
  } else if (strcmp(how, "depend") == 0 || strcmp(how, "behind") == 0) {
    char x = 0;
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : x)
    add(ran, 1);
    know(event);
    if (strcmp(how, "depend") == 0) {
#pragma omp taskwait depend(in : x)
    } else {
#pragma omp task depend(in : x) if (0)
      check(load(&told), "a task begins before the event of one that it is behind");
    }
  } else {
    know(make_event(ran));
  }
}

static void wait_and_be_told(const char* how, int n) {
  pthread_t reader;
  int ran = 0;
  check(pipe(said) == 0 && dup2(said[1], STDERR_FILENO) >= 0, "no pipe");
  check(pthread_create(&reader, NULL, fulfil_when_told, NULL) == 0, "no thread");
  if (strcmp(how, "no_region") == 0) {
    wait_for_event("taskwait", &ran);
    check(load(&told), "outside of all regions nobody waits for an event");
  } else if (strcmp(how, "barrier") == 0) {
#pragma omp parallel num_threads(n)
    {
#pragma omp master
      wait_for_event(how, &ran);
#pragma omp barrier
      check(load(&told), "a barrier does not wait for an event");
    }
  } else {
#pragma omp parallel num_threads(n)
#pragma omp single nowait
    {
      wait_for_event(how, &ran);
      check(strcmp(how, "end") == 0 || load(&told), "a wait '%s' does not wait for an event", how);
    }
  }
  check(load(&told) && load(&ran) == 1, "the wait '%s' ends before its event, or without its task", how);
  pthread_join(reader, NULL);
}

/// One member waits for an event, while another is at work far longer than TEFF_WATCHDOG.
static void work_beside_a_wait(int n) {
  int ran = 0, has_event = 0;
  check(pipe(said) == 0 && dup2(said[1], STDERR_FILENO) >= 0, "no pipe");
#pragma omp parallel num_threads(n)
  {
    if (omp_get_thread_num() == n - 1) {
      know(make_event(&ran));
      store(&has_event, 1);
    } else if (omp_get_thread_num() == 0) {
      while (load(&has_event) == 0) sched_yield();
      for (const double begin = now(); now() < begin + 0.3;) sched_yield();
      omp_fulfill_event(late);
    }
  }
  close(said[1]);
  close(STDERR_FILENO);
  char text[1000] = "";
  if (read(said[0], text, sizeof text - 1) > 0) {
    printf("beside a thread at work is said: %s\n", text);
    exit(1);
  }
}

int main(int count, char** words) {
  const int n = omp_get_max_threads();
  check(count > 2, "usage: detach_wrong (twice BETWEEN | told WAIT | none NUMBER), or work beside");
  if (strcmp(words[1], "twice") == 0) fulfil_twice(words[2]);
  else if (strcmp(words[1], "told") == 0) wait_and_be_told(words[2], n);
  else if (strcmp(words[1], "work") == 0) work_beside_a_wait(n < 2 ? 2 : n);
  else if (strcmp(words[1], "none") == 0) omp_fulfill_event((omp_event_handle_t)strtoull(words[2], NULL, 0));
  return 0;
}
