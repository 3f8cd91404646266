// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions over objects of C++: each copy is made once by its constructor or initializer, and destroyed once; references as
// variables.
#include "check.h"

#include <omp.h>

namespace {

constexpr int count = 150;
int made = 0, destroyed = 0;

struct bag {
  long sum = 0;
  int* own;
  bag() : own(new int(7)) { add(&made, 1); }
  bag(const bag& other) : sum(other.sum), own(new int(*other.own)) { add(&made, 1); }
  bag& operator=(const bag&) = default;
  ~bag() {
    check(*own == 7, "an object is destroyed that is none");
    delete own;
    add(&destroyed, 1);
  }
  void take(const bag& other) {
    check(*other.own == 7, "a copy that was not made is combined");
    sum += other.sum;
  }
};
#pragma omp declare reduction(take:bag : omp_out.take(omp_in))

template <class Number>
struct extent {
  Number least, most;
  void meet(const extent& other) {
    least = least < other.least ? least : other.least;
    most = most > other.most ? most : other.most;
  }
};
#pragma omp declare reduction(meet : extent<long> : omp_out.meet(omp_in)) initializer(omp_priv = omp_orig)

void of_tasks() {
  bag whole;
  extent<long> range{50, 50};
  long plain = 0;
  long& other_name = plain;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(take : whole) task_reduction(meet : range) task_reduction(+ : other_name)
  for (int i = 0; i < count; ++i) {
#pragma omp task in_reduction(meet : range) in_reduction(take : whole) in_reduction(+ : other_name)
    {
      whole.sum += i;
      range.meet({i, i});
      other_name += 1;
    }
  }
  check(whole.sum == count * (count - 1L) / 2, "objects come to %ld", whole.sum);
  check(range.least == 0 && range.most == count - 1, "extents come to %ld, %ld", range.least, range.most);
  check(plain == count, "by its other name a variable comes to %ld", plain);
}

void of_taskloops() {
  bag several[3];
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(take : several)
  for (int i = 0; i < count; ++i) several[i % 3].sum += i;
  check(several[0].sum + several[1].sum + several[2].sum == count * (count - 1L) / 2, "arrays of objects come to something else");
}

void of_worksharing() {
  bag loop, parts, region, scope;
#pragma omp parallel reduction(task, take : region)
  {
    region.sum += 1;
#pragma omp for reduction(task, take : loop)
    for (int i = 0; i < count; ++i) {
#pragma omp task in_reduction(take : loop)
      loop.sum += i;
    }
#pragma omp sections reduction(task, take : parts)
    {
#pragma omp section
      parts.sum += 1;
#pragma omp section
      {
#pragma omp task in_reduction(take : parts)
        parts.sum += 10;
      }
    }
#pragma omp scope reduction(task, take : scope)
    {
#pragma omp task in_reduction(take : scope)
      scope.sum += 1;
    }
  }
  check(loop.sum == count * (count - 1L) / 2 && parts.sum == 11, "loops and sections come to %ld, %ld", loop.sum, parts.sum);
  check(region.sum == scope.sum && region.sum >= 1, "a region and a scope in it come to %ld, %ld", region.sum, scope.sum);
}

}  // namespace

int main() {
  for (int round = 0; round < 2; ++round) {
    of_tasks();
    of_taskloops();
    of_worksharing();
    check(load(&made) == load(&destroyed), "%d objects were made, and %d destroyed", load(&made), load(&destroyed));
  }
  return 0;
}
