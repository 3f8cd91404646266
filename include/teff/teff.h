/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Teff from C: a team of workers runs tasks from a pool.
 *
 * Source: the interface of Korch & Rauber 2002, Fig. 2 (create, init, put, run, finalize; memory for arguments). Differs: there may
 * be several teams, so each function takes a handle; the team has its own threads, so run is called once and not by each of
 * them; a task is handed its worker instead of a number.
 *
 *   teff_team* team;
 *   teff_worker* first;
 *   teff_create(&team, NULL, NULL, 0, sizeof(int), NULL, NULL, 0);
 *   teff_worker_of(team, 0, &first);
 *   teff_init(first, task, argument);
 *   teff_run(team);
 *   teff_finalize(&team);
 *
 * Functions that may fail answer a status; unless it is TEFF_OK, nothing was done (but TEFF_STUCK and TEFF_EXCEPTION: tasks have run).
 * After fork(), the child's handles answer TEFF_OTHER_PROCESS; teff_finalize gives them up. A child that returns from the task that
 * forked ends with a sentence and code 70. docs/howto/ends-and-exits.md: exit, fork, pthread_exit and longjmp in tasks.
 */
#ifndef TEFF_TEFF_H
#define TEFF_TEFF_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TEFF_API __attribute__((visibility("default")))

typedef struct teff_team teff_team;
typedef struct teff_worker teff_worker;

/* A task: runs once, on the worker `self`, with the argument that was put with it. It must not let a C++ exception escape other
 * than to have teff_run answer TEFF_EXCEPTION. */
typedef void (*teff_function)(teff_worker* self, void* argument);

typedef enum teff_status {
  TEFF_OK = 0,
  TEFF_NULL_POINTER,      /* a pointer that must be given is null */
  TEFF_UNKNOWN_NAME,      /* a pool, manager, setting or number that does not exist: see the message of teff_create */
  TEFF_NO_SUCH_WORKER,    /* a worker's number is not below the number of workers */
  TEFF_NO_MEMORY,         /* the system refuses memory */
  TEFF_TOO_LARGE,         /* an argument is larger than teff_create was told */
  TEFF_NOT_NOW,           /* init during a run, put outside of one, run inside one */
  TEFF_NOT_THIS_WORKER,   /* during a run, a worker's handle is used by another thread than that worker's */
  TEFF_STUCK,             /* the run cannot end, and standard error says why: which task waits for what */
  TEFF_EXCEPTION,         /* a C++ exception escaped from a task; all other tasks have run */
  TEFF_OTHER_PROCESS,     /* the handle belongs to the parent process */
  TEFF_BAD_GRAIN,         /* the grain of a loop or reduction is 0, or is given to a loop by even parts */
  TEFF_BAD_DEALING        /* a loop is to be dealt out in a way that does not exist */
} teff_status;

/* Returns: a sentence for a status; never null. Threads: any. */
TEFF_API const char* teff_status_text(teff_status status);

/* Effect: makes a team. `pool` and `memory` are names that `teff list` prints, null for the standard ones; `workers` 0 stands for
 * the usable processors; arguments from teff_alloc have up to `argument_bytes`, 0 to 4,096, rounded up to a multiple of 16;
 * `settings` is null or "name=value name=value", each a setting of the pool or of the memory manager.
 * If something is wrong, `*made` is null, and the sentence that says what is copied to `message` (up to `message_bytes`, ended by
 * a zero) unless that is null.
 * If the system refuses threads, the team has fewer workers (teff_workers tells) and the sentence is in `message` although the status is TEFF_OK.
 * Errors: TEFF_NULL_POINTER, TEFF_UNKNOWN_NAME, TEFF_NO_MEMORY. Blocks: until the threads are started. */
TEFF_API teff_status teff_create(teff_team** made, const char* pool, const char* memory, int workers, size_t argument_bytes,
                                 const char* settings, char* message, size_t message_bytes);

/* Effect: ends the team and sets `*team` to null; tasks that never ran are dropped. Blocks from teff_alloc that nobody gave
 * back are lost. A copy of the handle must not be used afterwards. Errors: TEFF_NULL_POINTER (also for a team that was finalized), TEFF_NOT_NOW. */
TEFF_API teff_status teff_finalize(teff_team** team);

/* Returns: the number of workers; 0 for a null team. */
TEFF_API int teff_workers(const teff_team* team);

/* Effect: hands out worker `number` (0 … workers − 1). Its handle lives as long as the team. */
TEFF_API teff_status teff_worker_of(teff_team* team, int number, teff_worker** worker);
/* Returns: the worker's number; −1 for null. */
TEFF_API int teff_number(const teff_worker* worker);

/* Effect: adds an initial task to the queue of that worker. Pre: no run is going on; one thread at a time for a worker.
 * Errors: TEFF_NULL_POINTER, TEFF_NOT_NOW, TEFF_NO_MEMORY, TEFF_OTHER_PROCESS. */
TEFF_API teff_status teff_init(teff_worker* worker, teff_function function, void* argument);

/* Effect: makes a task ready, from a running one. If memory for it is refused, it runs first.
 * Errors: TEFF_NULL_POINTER, TEFF_NOT_NOW, TEFF_NOT_THIS_WORKER, TEFF_OTHER_PROCESS.
 * Blocks: if memory was refused, or on the default pool thousands of tasks of this worker wait, until the new one has ended or
 * waits: see below. */
TEFF_API teff_status teff_put(teff_worker* self, teff_function function, void* argument);

/* Effect: from here to the matching end the calling task's puts never wait for the tasks that they put; pairs may lie in each other;
 * a begin without an end holds until the task ends.
 * For tasks that put while they hold a lock that the new task takes: a mutex of the system belongs to the thread, which both need.
 * Errors: as teff_put; TEFF_NOT_NOW also for an end without a begin. Threads: the task. */
TEFF_API teff_status teff_no_suspend_begin(teff_worker* self);
TEFF_API teff_status teff_no_suspend_end(teff_worker* self);

/* Effect: runs all tasks and returns when all have finished; the calling thread is worker 0 meanwhile.
 * Errors: TEFF_NULL_POINTER, TEFF_NOT_NOW (inside a task, or while another thread runs it), TEFF_STUCK, TEFF_EXCEPTION,
 * TEFF_OTHER_PROCESS. */
TEFF_API teff_status teff_run(teff_team* team);

/* Effect: gives a block for an argument, from the team's memory manager; the caller owns it. Before and after a run any one thread
 * may ask, during a run the worker's own tasks.
 * Errors: TEFF_NULL_POINTER, TEFF_TOO_LARGE, TEFF_NO_MEMORY, TEFF_NOT_THIS_WORKER, TEFF_OTHER_PROCESS. */
TEFF_API teff_status teff_alloc(teff_worker* self, size_t bytes, void** argument);
/* Effect: gives a block back. Pre: it came from teff_alloc of the same team and was not given back. Threads and errors: as
 * teff_alloc. */
TEFF_API teff_status teff_free(teff_worker* self, void* argument);

/* ---- Calls, loops and reductions in parallel ----
 *
 * They need no team and no handle. Inside a task they belong to that task's team; elsewhere to the default team, which is made
 * at its first use, by the variables TEFF_NUM_THREADS, TEFF_POOL, TEFF_MEMORY, TEFF_WAIT and so on
 * (include/teff/default_team.hpp), and whose tasks they become; the thread waits. Several threads may call at once. A task may
 * go on on another thread after such a call, and so as another worker: `self` of before is old then, and teff_self says the new
 * one. After fork() the child has a default team of its own. If a C++ exception escapes from a function, the call answers
 * TEFF_EXCEPTION when all that had begun has returned; what had not may be left out. */

/* Returns: the worker that runs the calling task; null if the caller is no task. A value for each worker is an array of
 * teff_workers(team), or teff_default_workers(), elements with the index teff_number(teff_self()): ask anew after each call that
 * may move the task. */
TEFF_API teff_worker* teff_self(void);

/* Effect: calls first(self, first_argument) and second(self, second_argument), perhaps at the same time, and returns when both
 * have returned. The first runs here, the second is offered to other workers.
 * Errors: TEFF_NULL_POINTER (a function), TEFF_NO_MEMORY, TEFF_EXCEPTION. Blocks: the task; a thread that is none. Cost: as
 * teff_put, without memory. */
TEFF_API teff_status teff_join(teff_function first, void* first_argument, teff_function second, void* second_argument);

/* A part of a loop: calls for all indices i with begin <= i < end what has to be done. */
typedef void (*teff_loop_body)(size_t begin, size_t end, void* data);

/* The grain of who has no wish. */
#define TEFF_ANY_GRAIN ((size_t)-1)

/* Effect: calls body(begin, end, data) for parts that cover first … last − 1 once, perhaps several at the same time; returns
 * when all have returned. Nothing happens if last <= first. With a grain, no part is larger than that; with TEFF_ANY_GRAIN parts
 * are divided while other workers are hungry.
 * Errors: TEFF_NULL_POINTER, TEFF_BAD_GRAIN, TEFF_NO_MEMORY, TEFF_EXCEPTION. Blocks: as teff_join. */
TEFF_API teff_status teff_parallel_for(size_t first, size_t last, size_t grain, teff_loop_body body, void* data);

/* How a loop is dealt out to the workers. */
typedef enum teff_loop_by {
  TEFF_BY_HALVES = 0, /* as teff_parallel_for */
  TEFF_BY_EACH,       /* a task for each iteration, or for as many as the grain says */
  TEFF_BY_EVEN,       /* as many parts as there are workers, of which no two differ by more than an iteration; no grain */
  TEFF_BY_QUEUE       /* as many tasks as there are workers, each of which again and again takes its share of what is left, the
                         grain at least: guided self-scheduling */
} teff_loop_by;

/* Effect: as teff_parallel_for, dealt out as `by` says. Errors: also TEFF_BAD_GRAIN for a grain and TEFF_BY_EVEN, and
 * TEFF_BAD_DEALING. */
TEFF_API teff_status teff_parallel_for_by(size_t first, size_t last, teff_loop_by by, size_t grain, teff_loop_body body, void* data);

/* A part of a reduction: adds to *value, which holds the identity at first, what the indices i with begin <= i < end give, in
 * their order. */
typedef void (*teff_reduce_body)(size_t begin, size_t end, void* value, void* data);
/* *left becomes the combination of *left and *right, in this order. */
typedef void (*teff_combine)(void* left, const void* right, void* data);

/* Effect: combines what first … last − 1 give into *value, which holds the identity when this is called: `bytes` bytes that may
 * be copied; copies lie at multiples of 64. *value stays as it is if last <= first. The result is bitwise the same for any number
 * of workers, any pool and any schedule: the parts and the order in which they are combined depend on last − first and the grain
 * alone (TEFF_ANY_GRAIN: (last − first) / 1024, rounded up); include/teff/parallel.hpp describes the tree.
 * Errors: as teff_parallel_for; then *value is unchanged. Blocks: as teff_join. */
TEFF_API teff_status teff_parallel_reduce(size_t first, size_t last, size_t grain, void* value, size_t bytes,
                                          teff_reduce_body body, teff_combine combine, void* data);

/* Returns: how many workers the default team has, which is made if there is none; 0 if there is no memory for it. */
TEFF_API int teff_default_workers(void);
/* Effect: ends the threads of the default team, if there is one; the next call makes it anew. Errors: TEFF_NOT_NOW while a call
 * is going on in it; TEFF_NO_MEMORY; then nothing has happened. */
TEFF_API teff_status teff_default_end(void);

#ifdef __cplusplus
}
#endif
#endif
