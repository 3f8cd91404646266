// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What code calls that older versions of gcc built, and where a program has code for other devices with it; and in which words
// gcc passes thread_limit. Argument: what is done on device 3, or only `offload` or `limits`.
#include "check.h"
#include "entry_points.h"

#include <limits.h>
#include <omp.h>
#include <string.h>

static int limit;

static void region(void* data) {
  GOMP_teams(3, 5);
  limit = omp_get_thread_limit();
  **(int**)data += 1 + omp_get_num_teams();
}

static void ask(void* data) {
  (void)data;
  limit = omp_get_thread_limit();
}

/// Returns: the limit inside of a region with these words; the last is 0.
static int limit_by(intptr_t first, intptr_t second) {
  void* words[] = {(void*)first, (void*)second, NULL};
  GOMP_target_ext(-1, ask, 0, NULL, NULL, NULL, 0, NULL, words);
  return limit;
}

/// As gcc passes thread_limit, also where it cannot know the number before the region: then it is -1.
static void limits(void) {
  const intptr_t here = 0x200, next = 0x280, teams = 0x100, device_1 = 1, unit = 1 << 16;
  const int none = omp_get_thread_limit();
  const int small = limit_by(7 * unit + here, 0), large = limit_by(next, 70000), all = limit_by(next, (intptr_t)1 << 40);
  check(small == 7 && large == 70000 && all == INT_MAX, "the limits 7, 70000, 2^40 are %d, %d, %d", small, large, all);
  const int behind = limit_by(3 * unit + teams, 9 * unit + here), other = limit_by(3 * unit + here + device_1, 0);
  check(behind == 9, "behind a number of teams the limit is %d", behind);
  check(other == none, "a limit for device 1 is one of the host: %d", other);
  const int unknown = limit_by(here - unit, 0), in_word = limit_by(next, -1);
  check(unknown == none && in_word == none, "a limit that is not known yet is %d, and by a word of its own %d", unknown, in_word);
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
  if (strcmp(what, "limits") == 0) limits();
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
