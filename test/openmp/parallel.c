// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel, with each of its clauses.
#include "check.h"

#include <omp.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { most = 16 };

static int kept;
static long system_ids[most];
#pragma omp threadprivate(kept)

static void every_member_once(int asked) {
  int hits[most] = {0}, arrived = 0, size = 0;
#pragma omp parallel num_threads(asked)
  {
    meet(&arrived, omp_get_num_threads());
    add(&hits[omp_get_thread_num()], 1);
    system_ids[omp_get_thread_num()] = syscall(SYS_gettid);
    if (omp_get_thread_num() == 0) size = omp_get_num_threads();
  }
  check(size == asked, "num_threads(%d) made a team of %d", asked, size);
  for (int i = 0; i < most; ++i) check(hits[i] == (i < asked), "member %d of %d ran %d times", i, asked, hits[i]);
  for (int i = 0; i < asked; ++i) {
    for (int j = 0; j < i; ++j) check(system_ids[i] != system_ids[j], "members %d and %d share a thread of the system", i, j);
  }
  check(system_ids[0] == syscall(SYS_gettid), "member 0 is not the thread that opened the region");
}

static void default_size(void) {
  int size = 0;
#pragma omp parallel
#pragma omp master
  size = omp_get_num_threads();
  check(size == omp_get_max_threads(), "a region has %d members, omp_get_max_threads says %d", size, omp_get_max_threads());
}

static void data_clauses(int n) {
  int first = 5, shared_sum = 0, own = -1;
#pragma omp parallel default(none) num_threads(n) firstprivate(first) private(own) shared(shared_sum)
  {
    own = first + omp_get_thread_num();
    first = 0;
    add(&shared_sum, own - omp_get_thread_num());
  }
  check(shared_sum == 5 * n, "firstprivate copies add up to %d, not %d", shared_sum, 5 * n);
  check(first == 5 && own == -1, "private and firstprivate variables changed outside");
}

static void condition(void) {
  for (int yes = 0; yes < 2; ++yes) {
    int size = 0;
#pragma omp parallel num_threads(2) if (yes)
#pragma omp master
    size = omp_get_num_threads();
    check(size == 1 + yes, "if(%d) made a team of %d", yes, size);
  }
}

static void reductions(int n) {
  int sum = 100, both = 1, any = 0, bits = -1, some = 0, odd = 0, low = 1000, high = -1000, sections[3] = {1, 2, 3};
  double product = 1;
#pragma omp parallel num_threads(n) reduction(+ : sum, sections) reduction(&& : both) reduction(|| : any) reduction(& : bits) \
    reduction(| : some) reduction(^ : odd) reduction(min : low) reduction(max : high) reduction(* : product)
  {
    const int me = omp_get_thread_num();
    sum += me, both = both && me >= 0, any = any || me == n - 1, bits &= ~(1 << me), some |= 1 << me, odd ^= 3;
    low = me, high = me, product *= 2;
    for (int i = 0; i < 3; ++i) sections[i] += 1;
  }
  check(sum == 100 + n * (n - 1) / 2 && product == 1 << n, "sum %d or product %g is wrong", sum, product);
  check(both == 1 && any == 1 && low == 0 && high == n - 1, "a logical reduction, min or max is wrong");
  check(bits == ~((1 << n) - 1) && some == (1 << n) - 1 && odd == (n % 2 ? 3 : 0), "a bitwise reduction is wrong");
  check(sections[0] == 1 + n && sections[2] == 3 + n, "the reduction of an array is wrong");
}

static void threadprivate_and_copyin(int n) {
  kept = 7;
#pragma omp parallel num_threads(n) copyin(kept)
  {
    check(kept == 7, "copyin gave %d, not 7", kept);
    kept = 100 + omp_get_thread_num();
  }
  int mismatches = 0;
#pragma omp parallel num_threads(n) reduction(+ : mismatches)
  mismatches += kept != 100 + omp_get_thread_num();
  check(mismatches == 0, "threadprivate values of %d members are lost between regions of the same size", mismatches);
}

static void binding(int n) {
  int size[3] = {0};
#pragma omp parallel num_threads(n) proc_bind(close)
#pragma omp master
  size[0] = omp_get_num_threads();
#pragma omp parallel num_threads(n) proc_bind(spread)
#pragma omp master
  size[1] = omp_get_num_threads();
#pragma omp parallel num_threads(n) proc_bind(primary)
#pragma omp master
  size[2] = omp_get_num_threads();
  for (int i = 0; i < 3; ++i) check(size[i] == n, "a region with proc_bind has %d members, not %d", size[i], n);
}

static void many_regions_of_changing_size(void) {
  for (int round = 0; round < 60; ++round) {
    int ran = 0;
    const int asked = 1 + round * 5 % 8;
#pragma omp parallel num_threads(asked)
    add(&ran, 1);
    check(ran == asked, "region %d: %d members ran, not %d", round, ran, asked);
  }
}

int main(void) {
  const int n = omp_get_max_threads();
  omp_set_dynamic(0);
  default_size();
  for (int asked = 1; asked <= 5; ++asked) every_member_once(asked);
  data_clauses(n);
  condition();
  reductions(n);
  threadprivate_and_copyin(n);
  binding(n);
  many_regions_of_changing_size();
  return 0;
}
