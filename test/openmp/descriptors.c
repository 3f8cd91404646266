// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Firstprivate arrays of Fortran in target regions, as gfortran passes them from version 13 on: a descriptor, the elements, and
// that the address of these belongs into it. gcc 12 passes descriptors alone, so this calls what it would call.
#include "check.h"

#include <stdint.h>

enum { count = 5, copied = 12, at_once = 0, nowait = 1, attached = 80, aligned_8 = 3 << 8 };

struct descriptor {
  int* elements;
  long length;
};

void GOMP_target_ext(int, void (*)(void*), size_t, void**, size_t*, unsigned short*, unsigned, void**, void**);
void GOMP_taskwait(void);

static int seen[3], has_memory;

/// Changes its copies.
static void region(void* addresses) {
  struct descriptor* const first = ((struct descriptor**)addresses)[0];
  struct descriptor* const none = ((struct descriptor**)addresses)[3];
  int* const own = ((int**)addresses)[1];
  has_memory = none->elements != NULL;
  seen[0] = first->elements == own;
  seen[1] = first->elements[1] + first->elements[count - 1] + (int)first->length;
  for (int i = 0; i < count; ++i) first->elements[i] = -1;
  seen[2] = own[0] + own[count - 1];
}

static void run(unsigned flags) {
  int elements[count];
  struct descriptor first = {elements, count}, none = {NULL, 0};
  void* addresses[6] = {&first, elements, addresses, &none, NULL, addresses + 3};
  size_t sizes[6] = {sizeof first, sizeof elements, 0, sizeof none, 0, 0};
  unsigned short kinds[6] = {copied | aligned_8, copied | aligned_8, attached, copied | aligned_8, copied | aligned_8, attached};
  void* arguments[1] = {NULL};
  for (int i = 0; i < count; ++i) elements[i] = i;
  has_memory = seen[0] = seen[1] = seen[2] = 0;
  GOMP_target_ext(-1, region, 6, addresses, sizes, kinds, flags, NULL, arguments);
  GOMP_taskwait();
  check(seen[0], "a descriptor's elements are not the copy");
  check(seen[1] == 1 + count - 1 + count && seen[2] == -2, "a copy has %d, then %d", seen[1], seen[2]);
  check(!has_memory, "an array without memory has some in the region");
  for (int i = 0; i < count; ++i) check(elements[i] == i, "a firstprivate array has changed outside");
  check(first.elements == elements, "its descriptor has changed outside");
}

int main(void) {
  run(at_once);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    run(at_once);
    for (int i = 0; i < 100; ++i) run(nowait);
  }
  return 0;
}
