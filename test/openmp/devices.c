// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// There is one device: the host.
#include "check.h"

#include <omp.h>

int main(void) {
  check(omp_is_initial_device() == 1, "the program does not run on the initial device");
  check(omp_get_num_devices() == 0, "there are %d other devices", omp_get_num_devices());
  check(omp_get_initial_device() == 0 && omp_get_device_num() == 0, "the host is not device 0");
  for (int device = 0; device < 4; ++device) {
    omp_set_default_device(device);
    check(omp_get_default_device() == device, "omp_set_default_device(%d) has no effect", device);
  }
  return 0;
}
