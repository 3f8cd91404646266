// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// omp_display_env and OMP_DISPLAY_ENV: what is in force, on standard error.
#include "captured.h"
#include "check.h"

#include <omp.h>
#include <string.h>

static void brief(void) { omp_display_env(0); }
static void verbose(void) { omp_display_env(1); }

int main(void) {
  static char text[10000];
  const char* const lines[] = {"OPENMP DISPLAY ENVIRONMENT BEGIN",
                               "_OPENMP = ",
                               "OMP_NUM_THREADS",
                               "OMP_SCHEDULE",
                               "OMP_STACKSIZE",
                               "OMP_WAIT_POLICY",
                               "OMP_MAX_ACTIVE_LEVELS",
                               "OMP_THREAD_LIMIT",
                               "OMP_MAX_TASK_PRIORITY",
                               "OMP_DYNAMIC",
                               "OMP_TARGET_OFFLOAD",
                               "OMP_PROC_BIND",
                               "OMP_PLACES",
                               "OPENMP DISPLAY ENVIRONMENT END"};
  capture_errors(brief, text, sizeof text);
  for (unsigned i = 0; i < sizeof lines / sizeof *lines; ++i)
    check(strstr(text, lines[i]) != NULL, "omp_display_env does not say %s", lines[i]);
  const size_t length = strlen(text);
  capture_errors(verbose, text, sizeof text);
  check(strlen(text) >= length && strstr(text, "OPENMP DISPLAY ENVIRONMENT END") != NULL, "omp_display_env(1) says less");
  return 0;
}
