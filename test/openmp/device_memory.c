// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the one device that there is: the host.
#include "check.h"

#include <errno.h>
#include <limits.h>
#include <omp.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

enum { rows = 5, columns = 7 };

static void one_piece(int host) {
  char* const memory = omp_target_alloc(1000, host);
  check(memory != NULL, "omp_target_alloc gives nothing");
  check(omp_target_is_present(memory, host) == 1, "memory of the host is not present there");
  check(omp_target_is_present(NULL, 7) == 1, "nothing is not present on device 7");
  memset(memory, 1, 1000);
  char back[4] = {0};
  check(omp_target_memcpy(memory, "abcdef", 3, 10, 2, host, host) == 0, "omp_target_memcpy fails");
  check(omp_target_memcpy(back, memory, 4, 0, 9, host, host) == 0, "omp_target_memcpy back fails");
  check(memcmp(back, "\1cde", 4) == 0, "by omp_target_memcpy come %d, %d, %d, %d", back[0], back[1], back[2], back[3]);
  omp_target_free(memory, host);
  omp_target_free(NULL, host);
}

static void no_device(int host, int other) {
  char here[8], there[8];
  check(omp_target_alloc(8, other) == NULL, "device %d has memory", other);
  check(omp_target_is_present(here, other) == 0, "the host's memory is present on device %d", other);
  check(omp_target_memcpy(here, there, 8, 0, 0, other, host) == EINVAL, "it copies to device %d", other);
  check(omp_target_memcpy(here, there, 8, 0, 0, host, other) == EINVAL, "it copies from device %d", other);
  const size_t one[] = {1}, none[] = {0};
  check(omp_target_memcpy_rect(here, there, 1, 1, one, none, none, one, one, other, host) == EINVAL,
        "it copies a box to device %d", other);
  check(omp_target_associate_ptr(here, there, 8, 0, other) == EINVAL, "it associates memory with device %d", other);
  check(omp_target_disassociate_ptr(here, other) == EINVAL, "it ends an association with device %d", other);
}

static void boxes(int host) {
  int from[rows][columns], to[columns][rows];
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) from[i][j] = 100 * i + j;
  memset(to, -1, sizeof to);
  const size_t volume[] = {3, 2}, to_offsets[] = {4, 1}, from_offsets[] = {2, 5};
  const size_t to_dimensions[] = {columns, rows}, from_dimensions[] = {rows, columns};
  check(omp_target_memcpy_rect(to, from, sizeof(int), 2, volume, to_offsets, from_offsets, to_dimensions, from_dimensions, host,
                               host) == 0,
        "omp_target_memcpy_rect fails");
  for (int i = 0; i < columns; ++i)
    for (int j = 0; j < rows; ++j) {
      const int inside = i >= 4 && i < 7 && j >= 1 && j < 3;
      const int expected = inside ? 100 * (i - 4 + 2) + (j - 1 + 5) : -1;
      check(to[i][j] == expected, "in the box, [%d][%d] is %d, not %d", i, j, to[i][j], expected);
    }
  check(omp_target_memcpy_rect(NULL, NULL, 1, 0, NULL, NULL, NULL, NULL, NULL, host, host) >= 3, "boxes have too few dimensions");
}

/// In the last of four dimensions, and with more bytes than there are.
static void many_dimensions(int host) {
  char from[16], to[16] = {0};
  for (int i = 0; i < 16; ++i) from[i] = (char)('a' + i);
  const size_t all[] = {2, 2, 2, 2}, volume[] = {1, 2, 1, 2}, offsets[] = {1, 0, 1, 0}, none[] = {0, 0, 0, 0};
  check(omp_target_memcpy_rect(to, from, 1, 4, volume, none, offsets, all, all, host, host) == 0,
        "a box of four dimensions fails");
  check(to[0] == 'k' && to[1] == 'l' && to[4] == 'o' && to[5] == 'p' && to[2] == 0 && to[6] == 0,
        "a box of four dimensions has the wrong bytes");
  const size_t too_many[] = {SIZE_MAX / 2};
  check(omp_target_memcpy_rect(to, from, 4, 1, too_many, none, none, too_many, too_many, host, host) == EINVAL,
        "a box of more bytes than there are is copied");
  const size_t pair[] = {2, 2}, wide[] = {2, SIZE_MAX / 4 + 3}, far[] = {0, SIZE_MAX}, no_columns[] = {3, 0}, no_rows[] = {0, 3};
  memset(to, 0, sizeof to);
  check(omp_target_memcpy_rect(to, from, 4, 2, pair, none, none, all, wide, host, host) == EINVAL,
        "a box is copied out of rows of more bytes than there are");
  check(omp_target_memcpy_rect(to, from, 4, 2, pair, none, none, wide, all, host, host) == EINVAL,
        "a box is copied to rows of more bytes than there are");
  check(omp_target_memcpy_rect(to, from, 4, 2, pair, far, none, all, all, host, host) == EINVAL,
        "a box is copied to where there are no bytes");
  check(omp_target_memcpy_rect(to, from, 1, 2, no_columns, none, none, all, all, host, host) == 0,
        "a box of no columns is wrong");
  check(omp_target_memcpy_rect(to, from, 1, 2, no_rows, none, none, all, all, host, host) == 0, "a box of no rows is wrong");
  check(omp_target_memcpy_rect(to, from, 0, 2, pair, none, none, all, all, host, host) == 0,
        "a box of elements of no size is wrong");
  for (int i = 0; i < 16; ++i) check(to[i] == 0, "byte %d is copied of a box that has none, or is refused", i);
}

/// The process may have less memory than all rounds together.
static void given_back(int host) {
  const size_t piece = (size_t)1 << 30;
  const struct rlimit room = {8 * piece, 8 * piece};
  check(setrlimit(RLIMIT_AS, &room) == 0, "the system sets no limit to memory");
  for (int round = 0; round < 20; ++round) {
    void* const memory = omp_target_alloc(piece, host);
    check(memory != NULL, "memory is given back, and missing in round %d", round);
    omp_target_free(memory, host);
  }
}

int main(void) {
  const int host = omp_get_initial_device();
  one_piece(host);
  no_device(host, 1);
  no_device(host, 12345);
  no_device(host, -7);
  char here, there;
  check(omp_target_associate_ptr(&here, &there, 1, 0, host) == EINVAL, "it associates memory with the host");
  check(omp_target_disassociate_ptr(&here, host) == EINVAL, "it ends an association with the host");
  boxes(host);
  many_dimensions(host);
  given_back(host);
  return 0;
}
