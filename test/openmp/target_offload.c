// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What OMP_TARGET_OFFLOAD says of one construct or function on a device that is not there. Arguments: which, and the number of
// the device; without one, the default device.
#include "check.h"

#include <omp.h>
#include <string.h>

static int x;

static void target(int device) {
#pragma omp target map(tofrom : x) device(device)
  x = 1;
}
static void target_on_default(int device) {
  (void)device;
#pragma omp target map(tofrom : x)
  x = 1;
}
/// What a program has asked for it may set again.
static void restore(int device) {
  omp_set_default_device(omp_get_default_device());
  target_on_default(device);
}
static void target_by_if(int device) {
#pragma omp target map(tofrom : x) device(device) if (device < 0)
  x = 1;
}
static void target_data(int device) {
#pragma omp target data map(tofrom : x) device(device)
  x = 1;
}
static void update(int device) {
#pragma omp target update to(x) device(device)
  x = 1;
}
static void enter_data(int device) {
#pragma omp target enter data map(to : x) device(device)
  x = 1;
}
static void exit_data(int device) {
#pragma omp target exit data map(from : x) device(device)
  x = 1;
}
static void memory(int device) {
  void* const made = omp_target_alloc(8, device);
  x = made != NULL;
  omp_target_free(made, device);
}

static const struct {
  const char* name;
  void (*run)(int device);
} all[] = {{"target", target},
           {"target_on_default", target_on_default},
           {"target_by_if", target_by_if},
           {"target_data", target_data},
           {"update", update},
           {"enter_data", enter_data},
           {"exit_data", exit_data},
           {"memory", memory},
           {"restore", restore}};

int main(int argument_count, char** arguments) {
  const int device = argument_count > 2 ? atoi(arguments[2]) : 0;
  for (unsigned i = 0; i < sizeof all / sizeof *all; ++i) {
    if (argument_count > 1 && strcmp(arguments[1], all[i].name) != 0) continue;
    x = 0;
    all[i].run(device);
    check(x == 1, "%s does nothing", all[i].name);
  }
  return 0;
}
