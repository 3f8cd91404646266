// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Worksharing constructs without wait: a member is held up between any two of its instructions at one of them, in each round
// between the next two, while the others go on through those behind it. Everything is done once, and in the right construct.
#include "stepped.h"

#include <omp.h>

enum { instructions = 140, constructs = 4, parts = 5 };

static struct hold holds[instructions + 1];
static int done[constructs][parts];

static void loop(int which) {
#pragma omp for schedule(dynamic) nowait
  for (int i = 0; i < parts; ++i) add(&done[which][i], 1);
}

static void guided_loop(int which) {
#pragma omp for schedule(guided, 2) nowait
  for (long long i = parts; i > 0; --i) add(&done[which][i - 1], 1);
}

static void one(int which) {
#pragma omp single nowait
  for (int i = 0; i < parts; ++i) add(&done[which][i], 1);
}

static void all_sections(int which) {
#pragma omp sections nowait
  {
#pragma omp section
    for (int i = 0; i < 2; ++i) add(&done[which][i], 1);
#pragma omp section
    add(&done[which][2], 1);
#pragma omp section
    for (int i = 3; i < parts; ++i) add(&done[which][i], 1);
  }
}

static void ordered_loop(int which) {
#pragma omp for schedule(static, 1) ordered nowait
  for (int i = 0; i < parts; ++i) {
#pragma omp ordered
    add(&done[which][i], 1);
  }
}

static void (*const kinds[])(int) = {loop, one, all_sections, guided_loop, ordered_loop};
static const char* const names[] = {"a dynamic loop", "single", "sections", "a guided loop", "an ordered loop"};
enum { all_kinds = sizeof kinds / sizeof *kinds };

/// Effect: constructs of all kinds, beginning with another one each time; one member is held in the first.
static void hold_one(int round, int first, int n) {
  struct hold* const at = &holds[round];
  if (omp_get_thread_num() == round % n) {
    be_held(at, round, n - 1);
    kinds[first](0);
    leave_hold(at);
  } else {
    begin_beside(at);
    kinds[first](0);
  }
  for (int behind = 1; behind < constructs; ++behind) kinds[(first + behind) % all_kinds](behind);
  add(&at->ended, 1);
#pragma omp barrier
#pragma omp single
  {
    for (int which = 0; which < constructs; ++which) expect_each_once(names[(first + which) % all_kinds], done[which], parts);
    *at = (struct hold){0, 0, 0};
  }
}

int main(void) {
  const int n = omp_get_max_threads();
  if (n == 1) return 0;  // nobody could go on meanwhile
  prepare_holds();
#pragma omp parallel num_threads(n)
  for (int first = 0; first < all_kinds; ++first) {
    for (int round = 1; round <= instructions; ++round) hold_one(round, first, n);
  }
  return 0;
}
