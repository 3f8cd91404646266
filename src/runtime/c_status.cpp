// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What each status of include/teff/teff.h says. Natively only.
#include "teff/teff.h"

// A program in C may pass any number, which as a value of the enumeration nothing but this is to look at.
extern "C" __attribute__((no_sanitize("undefined"))) const char* teff_status_text(teff_status status) {
  switch (status) {
    case TEFF_OK:
      return "done";
    case TEFF_NULL_POINTER:
      return "a pointer that must be given is null";
    case TEFF_UNKNOWN_NAME:
      return "a pool, memory manager, setting or number does not exist";
    case TEFF_NO_SUCH_WORKER:
      return "the worker's number is not below the number of workers";
    case TEFF_NO_MEMORY:
      return "the system refuses memory";
    case TEFF_TOO_LARGE:
      return "the argument is larger than teff_create was told";
    case TEFF_NOT_NOW:
      return "init belongs before a run, put into a running task, run and finalize outside of one";
    case TEFF_NOT_THIS_WORKER:
      return "during a run, a worker's handle is for that worker's own tasks";
    case TEFF_STUCK:
      return "the run cannot end: every task that is left waits for another one, or no worker can get it; standard error says "
             "which";
    case TEFF_EXCEPTION:
      return "a C++ exception escaped from a task";
    case TEFF_OTHER_PROCESS:
      return "the team belongs to the parent process: make another one";
    case TEFF_BAD_GRAIN:
      return "the grain of a loop or reduction cannot be 0, and loops by even parts have none; allowed: 1 and more, or "
             "TEFF_ANY_GRAIN";
    case TEFF_BAD_DEALING:
      return "a loop cannot be dealt out in that way; allowed: TEFF_BY_HALVES, TEFF_BY_EACH, TEFF_BY_EVEN, TEFF_BY_QUEUE";
  }
  return "no such status";
}
