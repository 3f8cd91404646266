// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include "ends_in_c.h"

#include "teff/teff.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static teff_team* team;
static jmp_buf before_run;

static void require(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "not so: %s\n", what);
  _exit(99);
}

/// Effect: the first worker of a new team of two runs the task.
static void run_on_team(teff_function function) {
  teff_worker* first;
  require(teff_create(&team, NULL, NULL, 2, 0, NULL, NULL, 0) == TEFF_OK, "there is a team");
  require(teff_worker_of(team, 0, &first) == TEFF_OK, "it has a worker");
  require(teff_init(first, function, NULL) == TEFF_OK, "there is a task");
  teff_run(team);
}

static void do_nothing(teff_worker* self, void* argument) {
  (void)self;
  (void)argument;
}

// ---- exit -----------------------------------------------------------------------------------------------------------------------

static void finalize_at_exit(void) {
  require(teff_finalize(&team) == TEFF_NOT_NOW, "a team that runs is not finalized");
  fputs("finalized? not now\n", stderr);
}
static void call_exit(teff_worker* self, void* argument) {
  (void)self;
  (void)argument;
  exit(5);
}
static void exit_in_a_task(void) {
  atexit(finalize_at_exit);
  run_on_team(call_exit);
}
static void exit_in_a_join(void) { teff_join(do_nothing, NULL, call_exit, NULL); }
static void exit_in_part(size_t begin, size_t end, void* data) {
  (void)end;
  (void)data;
  if (begin == 0) exit(5);
}
static void exit_in_a_loop(void) { teff_parallel_for(0, 100, 1, exit_in_part, NULL); }

// ---- fork -----------------------------------------------------------------------------------------------------------------------

static void end_like(pid_t child) {
  int status = -1;
  require(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status), "the child ends");
  fprintf(stderr, "the child ended with %d\n", WEXITSTATUS(status));
}
/// Returns: whether the caller is the parent, whose child has ended.
static int is_parent(pid_t child) {
  if (child != 0) end_like(child);
  else alarm(60);  // one that hangs is killed
  return child != 0;
}
static void fork_and_return(teff_worker* self, void* argument) {
  (void)self;
  (void)argument;
  is_parent(fork());
}
static void _fork_and_return(teff_worker* self, void* argument) {
  (void)self;
  (void)argument;
  is_parent(_Fork());
}
static void fork_and_put(teff_worker* self, void* argument) {
  (void)argument;
  if (is_parent(fork())) return;
  teff_put(self, do_nothing, NULL);
  _exit(98);
}
static void fork_returns(void) { run_on_team(fork_and_return); }
static void _fork_returns(void) { run_on_team(_fork_and_return); }
static void fork_puts(void) { run_on_team(fork_and_put); }
static void fork_returns_from_a_join(void) {
  require(teff_join(fork_and_return, NULL, do_nothing, NULL) == TEFF_OK, "the parent goes on");
}

// ---- the end of a thread --------------------------------------------------------------------------------------------------------

static void end_thread(teff_worker* self, void* argument) {
  (void)self;
  pthread_exit(argument);
}
static void end_thread_in_part(size_t begin, size_t end, void* data) {
  (void)begin;
  (void)end;
  pthread_exit(data);
}
static void pthread_exit_in_a_task(void) { run_on_team(end_thread); }
static void pthread_exit_in_the_first_of_a_join(void) { teff_join(end_thread, NULL, do_nothing, NULL); }
static void pthread_exit_in_the_second_of_a_join(void) { teff_join(do_nothing, NULL, end_thread, NULL); }
static void pthread_exit_in_a_loop(void) { teff_parallel_for(0, 100, 1, end_thread_in_part, NULL); }

static void cancel_self_and_sleep(teff_worker* self, void* went_on) {
  (void)self;
  pthread_cancel(pthread_self());
  usleep(1);
  *(int*)went_on = 1;
}
/// The run is worker 0's thread's: it is cancelled when the run has ended.
static int went_on_in_task;
static void cancel_in_task(teff_worker* self, void* argument) {
  (void)argument;
  cancel_self_and_sleep(self, &went_on_in_task);
}
static void* run_and_be_cancelled(void* argument) {
  run_on_team(cancel_in_task);
  pthread_cancel(pthread_self());
  usleep(1);
  return argument;
}
static void* call_and_be_cancelled(void* argument) {
  int first = 0, second = 0;
  pthread_cancel(pthread_self());
  require(teff_join(cancel_self_and_sleep, &first, cancel_self_and_sleep, &second) == TEFF_OK && first && second,
          "the call ends as ever");
  usleep(1);
  return argument;
}
static void start_and_join(void* (*entry)(void*)) {
  pthread_t thread;
  void* ended = NULL;
  require(pthread_create(&thread, NULL, entry, NULL) == 0 && pthread_join(thread, &ended) == 0, "there is a thread");
  require(ended == PTHREAD_CANCELED, "it is cancelled afterwards");
  exit(5);
}
static void cancelled_in_a_task(void) { start_and_join(run_and_be_cancelled); }
static void cancelled_in_a_call(void) { start_and_join(call_and_be_cancelled); }

// ---- longjmp --------------------------------------------------------------------------------------------------------------------

static void jump_out(teff_worker* self, void* argument) {
  (void)self;
  (void)argument;
  longjmp(before_run, 1);
}
static void jump_inside(teff_worker* self, void* argument) {
  jmp_buf here;
  (void)self;
  (void)argument;
  if (setjmp(here) == 0) longjmp(here, 1);
}
/// A team of one: a jump to another thread's frame has no meaning.
static void run_on_one(teff_function function) {
  teff_worker* first;
  require(teff_create(&team, NULL, NULL, 1, 0, NULL, NULL, 0) == TEFF_OK, "there is a team");
  require(teff_worker_of(team, 0, &first) == TEFF_OK, "it has a worker");
  require(teff_init(first, function, NULL) == TEFF_OK, "there is a task");
  require(teff_run(team) == TEFF_OK, "it runs");
}
static void longjmp_out_of_run(void) {
  if (setjmp(before_run) == 0) run_on_one(jump_out);
}
static void* jump_in_thread(void* argument) {
  longjmp_out_of_run();
  return argument;
}
static void longjmp_out_of_run_in_a_thread(void) {
  pthread_t thread;
  require(pthread_create(&thread, NULL, jump_in_thread, NULL) == 0 && pthread_join(thread, NULL) == 0, "there is a thread");
}
static void longjmp_inside_of_a_task(void) {
  run_on_one(jump_inside);
  require(teff_finalize(&team) == TEFF_OK, "the team ends");
  if (setjmp(before_run) == 0) longjmp(before_run, 1);
  exit(5);
}

const struct end_in_c ends_in_c[] = {{"exit_in_a_task", exit_in_a_task},
                                     {"exit_in_a_join", exit_in_a_join},
                                     {"exit_in_a_loop", exit_in_a_loop},
                                     {"fork_returns", fork_returns},
                                     {"_fork_returns", _fork_returns},
                                     {"fork_puts", fork_puts},
                                     {"fork_returns_from_a_join", fork_returns_from_a_join},
                                     {"pthread_exit_in_a_task", pthread_exit_in_a_task},
                                     {"pthread_exit_in_the_first_of_a_join", pthread_exit_in_the_first_of_a_join},
                                     {"pthread_exit_in_the_second_of_a_join", pthread_exit_in_the_second_of_a_join},
                                     {"pthread_exit_in_a_loop", pthread_exit_in_a_loop},
                                     {"cancelled_in_a_task", cancelled_in_a_task},
                                     {"cancelled_in_a_call", cancelled_in_a_call},
                                     {"longjmp_out_of_run", longjmp_out_of_run},
                                     {"longjmp_out_of_run_in_a_thread", longjmp_out_of_run_in_a_thread},
                                     {"longjmp_inside_of_a_task", longjmp_inside_of_a_task},
                                     {0, 0}};
