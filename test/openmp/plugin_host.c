// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program without OpenMP loads a library that has it, from a second thread, uses it, and unloads it. Argument: the library.
#include "check.h"

#include <dlfcn.h>
#include <pthread.h>

typedef int adder(int, int);

static void* load_and_use(void* name) {
  for (int round = 0; round < 3; ++round) {
    void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    check(library != NULL, "dlopen: %s", library == NULL ? dlerror() : "");
    adder* const function = (adder*)dlsym(library, "sum_in_parallel");
    check(function != NULL, "the library has no sum_in_parallel");
    for (int members = 1; members < 4; ++members) {
      const int sum = function(100, members);
      check(sum == 4950, "the library's sum is %d, not 4950", sum);
    }
    check(dlclose(library) == 0, "dlclose: the library cannot be unloaded");
  }
  return NULL;
}

int main(int argument_count, char** arguments) {
  pthread_t thread;
  check(argument_count == 2, "the argument is the library");
  load_and_use(arguments[1]);
  check(pthread_create(&thread, NULL, load_and_use, arguments[1]) == 0, "there is no second thread");
  pthread_join(thread, NULL);
  return 0;
}
