// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions for devices that gcc 12's library does not have: looked up by name, because gcc 12 cannot link them.
#define _GNU_SOURCE
#include "cancelled_group.h"
#include "check.h"

#include <dlfcn.h>
#include <errno.h>
#include <omp.h>
#include <stdint.h>
#include <string.h>

typedef void* mapped_ptr(const void*, int);
typedef int accessible(const void*, size_t, int);
typedef int copy_async(void*, const void*, size_t, size_t, size_t, int, int, int, omp_depend_t*);
typedef int copy_box_async(void*, const void*, size_t, int, const size_t*, const size_t*, const size_t*, const size_t*,
                           const size_t*, int, int, int, omp_depend_t*);
typedef void* indirect(void*);
typedef void* set(void*, int, size_t, int);
typedef void* set_async(void*, int, size_t, int, int, omp_depend_t*);

static void* find(const char* name) {
  void* const found = dlsym(RTLD_DEFAULT, name);
  check(found != NULL, "there is no %s", name);
  return found;
}

static void questions(void) {
  int x = 0;
  mapped_ptr* const where = (mapped_ptr*)find("omp_get_mapped_ptr");
  check(where(&x, 0) == &x && where(&x, -1) == &x, "on the host it is elsewhere");
  check(where(&x, 1) == NULL, "it is on device 1");
  accessible* const may = (accessible*)find("omp_target_is_accessible");
  check(may(&x, sizeof x, 0) == 1 && may(&x, sizeof x, -1) == 1, "the host may not use its memory");
  check(may(&x, sizeof x, 1) == 0, "device 1 may use the host's memory");
  indirect* const on_device = (indirect*)find("GOMP_target_map_indirect_ptr");
  check(on_device(&x) == &x, "a function is elsewhere on the host");
}

/// The copies lie between two tasks, by depend objects; the numbers are the program's own again behind the call.
static void in_order(void) {
  copy_async* const copy = (copy_async*)find("omp_target_memcpy_async");
  copy_box_async* const copy_box = (copy_box_async*)find("omp_target_memcpy_rect_async");
  int from[4] = {0}, between[4] = {0}, to[4] = {0}, seen = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  {
    omp_depend_t first, second[2];
#pragma omp depobj(first) depend(inout : from)
#pragma omp depobj(second[0]) depend(in : from)
#pragma omp depobj(second[1]) depend(inout : to)
#pragma omp task depend(out : from)
    {
      int never = 0;
      stays_clear(&never);
      for (int i = 0; i < 4; ++i) from[i] = i + 1;
    }
    check(copy(between, from, 2 * sizeof(int), sizeof(int), 2 * sizeof(int), 0, -1, 1, &first) == 0, "a copy fails");
    size_t volume[2] = {2, 1}, offsets[2] = {0, 1}, none[2] = {0, 0}, dimensions[2] = {2, 2};
    check(copy_box(to, from, sizeof(int), 2, volume, none, offsets, dimensions, dimensions, 0, 0, 2, second) == 0, "a box fails");
    memset(volume, 0, sizeof volume);
    memset(dimensions, 0, sizeof dimensions);
#pragma omp task depend(in : to)
    seen = to[0] * 10 + to[2];
    check(copy(between, from, 1, 0, 0, 1, 0, 0, NULL) == EINVAL, "it copies to device 1");
    check(copy_box(to, from, 1, 0, volume, none, none, none, none, 0, 0, 0, NULL) == EINVAL, "a box of no dimension is copied");
    const size_t too_wide[2] = {2, SIZE_MAX / 2}, pair[2] = {1, 1}, no_columns[2] = {3, 0};
    check(copy_box(to, from, 4, 2, pair, none, none, too_wide, too_wide, 0, 0, 0, NULL) == EINVAL,
          "a box of too wide rows is copied");
    check(copy_box(to, from, 4, 2, no_columns, none, none, pair, pair, 0, 0, 0, NULL) == 0, "a box of no columns is wrong");
#pragma omp taskwait
    check(copy(to + 3, from, sizeof(int), 0, 0, 0, 0, 0, NULL) == 0, "a copy behind nothing fails");
#pragma omp depobj(first) destroy
#pragma omp depobj(second[0]) destroy
#pragma omp depobj(second[1]) destroy
  }
  check(between[1] == 3 && between[2] == 4 && between[0] == 0 && between[3] == 0, "a copy has %d, %d", between[1], between[2]);
  check(seen == 24, "behind the box a task sees %d, not 24", seen);
  check(to[3] == 1, "behind the region a copy is %d, not 1", to[3]);
}

/// Sets memory, also in a task between two others. A device that is not there has no memory to set.
static void setting(void) {
  enum { default_device = -5 };
  set* const now = (set*)find("omp_target_memset");
  set_async* const later = (set_async*)find("omp_target_memset_async");
  unsigned char bytes[4] = {0, 0, 0, 0}, seen = 0;
  check(now(bytes + 1, 0x107, 2, default_device) == bytes + 1, "it returns other memory than what it sets");
  check(bytes[0] == 0 && bytes[1] == 7 && bytes[2] == 7 && bytes[3] == 0, "it sets %d %d %d %d", bytes[0], bytes[1], bytes[2],
        bytes[3]);
  check(now(bytes, 1, 4, 1) == bytes && later(bytes, 1, 4, 1, 0, NULL) == bytes && bytes[0] == 0, "it sets device 1's memory");
  check(now(NULL, 1, 4, 0) == NULL && later(NULL, 1, 4, 0, 0, NULL) == NULL, "it returns memory where there is none");
#pragma omp parallel num_threads(3)
#pragma omp single
  {
    omp_depend_t all;
#pragma omp depobj(all) depend(inout : bytes)
#pragma omp task depend(out : bytes)
    {
      int never = 0;
      stays_clear(&never);
      bytes[0] = 1;
    }
    check(later(bytes, 9, sizeof bytes, 0, 1, &all) == bytes, "a task of it returns other memory");
#pragma omp task depend(in : bytes)
    seen = bytes[0] + bytes[3];
#pragma omp taskwait
#pragma omp depobj(all) destroy
  }
  check(seen == 18, "behind it a task sees %d, not 18", seen);
}

static void copy_five(int* to) {
  copy_async* const copy = (copy_async*)find("omp_target_memcpy_async");
  const int from = 5;
  check(copy(to, &from, sizeof *to, 0, 0, 0, 0, 0, NULL) == 0, "a copy in a taskgroup that is cancelled is wrong");
}

/// A copy is a task: in a taskgroup that is cancelled it does not begin any more.
static void cancelled(void) {
  int to = 1;
  in_cancelled_final_task(copy_five, &to);
  check(to == 1, "a copy runs at once in a cancelled taskgroup");
  in_cancelled_group(NULL, copy_five, &to);
  check(to == 1, "a copy runs in a cancelled taskgroup");
}

int main(int argument_count, char** arguments) {
  if (argument_count > 1 && strcmp(arguments[1], "cancelled") == 0) {
    cancelled();
    return 0;
  }
  questions();
  in_order();
  setting();
  return 0;
}
