// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cancellation in C++, with OMP_CANCELLATION=true: what a member leaves it destroys, and it holds no lock any more.
#include "check.h"

#include <omp.h>

namespace {

int alive = 0;
struct counted {
  counted() { add(&alive, 1); }
  counted(const counted&) { add(&alive, 1); }
  ~counted() { add(&alive, -1); }
  int number = 1;
};

void loops(int n) {
  const counted outside, seed;
  int inside = 0;
#pragma omp parallel num_threads(n) firstprivate(outside)
  {
    counted of_member;
#pragma omp for schedule(dynamic) firstprivate(seed)
    for (long i = 0; i < 1L << 50; ++i) {
      const counted of_iteration;
#pragma omp critical
      inside += of_iteration.number * seed.number;
      if (i > 100) {
#pragma omp cancel for
      }
#pragma omp cancellation point for
    }
#pragma omp critical
    inside += outside.number;
  }
  check(inside > n, "a cancelled loop began no iteration");
}

void regions(int n) {
#pragma omp parallel num_threads(n)
  {
    const counted of_member;
    if (omp_get_thread_num() == n - 1) {
#pragma omp cancel parallel
    }
#pragma omp barrier
    check(false, "a member is past a barrier of a cancelled region");
  }
}

void tasks(int n) {
#pragma omp parallel num_threads(n)
#pragma omp single
#pragma omp taskgroup
  for (int i = 0; i < 200; ++i) {
    const counted made;
#pragma omp task firstprivate(made) if (i < 0)
    {
      const counted of_task;
#pragma omp cancel taskgroup if (of_task.number + made.number + i > 100)
    }
  }
}

}  // namespace

int main() {
  const int n = omp_get_max_threads();
  loops(n);
  check(load(&alive) == 0, "behind a cancelled loop %d objects are alive", load(&alive));
  regions(n);
  check(load(&alive) == 0, "behind a cancelled region %d objects are alive", load(&alive));
  tasks(n);
  check(load(&alive) == 0, "behind tasks that are cancelled %d objects are alive", load(&alive));
  return 0;
}
