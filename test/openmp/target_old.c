// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What code calls that older versions of gcc built, and where a program has code for other devices with it. Argument: what is done
// on device 3.
#include "check.h"
#include "entry_points.h"

#include <omp.h>
#include <string.h>

static int limit;

static void region(void* data) {
  GOMP_teams(3, 5);
  limit = omp_get_thread_limit();
  **(int**)data += 1 + omp_get_num_teams();
}

static void code_of_others(void) {
  static void* none[4] = {0};
  void* const tables[4] = {none, none, none, none};
  GOMP_offload_register(tables, 5, none);
  GOMP_offload_unregister(tables, 5, none);
  GOMP_offload_register_ver(1 << 16, tables, 5, none);
  GOMP_offload_unregister_ver(1 << 16, tables, 5, none);
}

int main(int argument_count, char** arguments) {
  const char* const what = argument_count > 1 ? arguments[1] : "";
  const int device = argument_count > 1 ? 3 : -1;
  int x = 0;
  void* addresses[1] = {&x};
  size_t sizes[1] = {sizeof x};
  unsigned char kinds[1] = {0x13};
  if (strcmp(what, "offload") == 0) code_of_others();
  if (strcmp(what, "") == 0 || strcmp(what, "data") == 0) GOMP_target_data(device, NULL, 1, addresses, sizes, kinds);
  if (strcmp(what, "") == 0 || strcmp(what, "update") == 0) GOMP_target_update(device, NULL, 1, addresses, sizes, kinds);
  if (strcmp(what, "") == 0 || strcmp(what, "target") == 0) GOMP_target(device, region, NULL, 1, addresses, sizes, kinds);
  if (strcmp(what, "") != 0) return 0;
  GOMP_target_end_data();
  check(x == 2, "a target region of an older program has run %d times, not once, with one team", x / 2);
  check(limit == 5, "its thread_limit is %d, not 5", limit);
  check(omp_get_thread_limit() != 5, "behind it the limit holds");
  return 0;
}
