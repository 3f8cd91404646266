// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queries that gcc 12's library does not have: looked up by name, because gcc 12 cannot link them. Argument: stock, if the
// library in charge may lack them.
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <omp.h>
#include <string.h>

typedef int query(void);

static void in_explicit_task(const char* name) {
  query* const ask = (query*)dlsym(RTLD_DEFAULT, name);
  check(ask != NULL, "there is no %s", name);
  check(ask() == 0, "%s is true outside of any region", name);
#pragma omp parallel num_threads(2)
  {
    check(ask() == 0, "%s is true in an implicit task", name);
#pragma omp task
    check(ask() == 1, "%s is false in an explicit task", name);
#pragma omp task if (0)
    check(ask() == 1, "%s is false in an undeferred task", name);
#pragma omp taskwait
    check(ask() == 0, "%s is true after a taskwait of the implicit task", name);
  }
}

int main(int argument_count, char** arguments) {
  const int may_lack = argument_count > 1 && strcmp(arguments[1], "stock") == 0;
  if (may_lack && dlsym(RTLD_DEFAULT, "omp_in_explicit_task") == NULL) return 0;
  in_explicit_task("omp_in_explicit_task");
  in_explicit_task("omp_in_explicit_task_");
  return 0;
}
