// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Target regions in C++: in members and templates, with references, lambdas and objects.
#include "check.h"

#include <omp.h>
#include <vector>

struct point {
  double x, y;
  double sum() const { return x + y; }
};

template <class Number>
class matrix {
 public:
  explicit matrix(int size) : size_(size), cells_(static_cast<std::size_t>(size) * size) {}

  void fill(Number from) {
    Number* const cells = cells_.data();
    const int size = size_;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : cells[0 : size * size])
    for (int row = 0; row < size; ++row)
      for (int column = 0; column < size; ++column) cells[row * size + column] = from + row * size + column;
  }
  Number total() {
    Number sum{};
    const Number* const cells = cells_.data();
    const int count = size_ * size_;
#pragma omp target parallel for reduction(+ : sum) map(to : cells[0 : count]) map(tofrom : sum)
    for (int cell = 0; cell < count; ++cell) sum += cells[cell];
    return sum;
  }
  int size_by_this() {
    int found = 0;
#pragma omp target map(from : found)
    found = size_;
    return found;
  }

 private:
  int size_;
  std::vector<Number> cells_;
};

static void objects() {
  point own{1, 2};
  double seen = 0;
  int base = 4;
  int& other = base;
#pragma omp target firstprivate(own) map(tofrom : seen, other)
  {
    own.x += 10;
    seen = own.sum();
    other += 1;
  }
  check(seen == 13 && own.x == 1 && base == 5, "of objects come %g, %g, %d", seen, own.x, base);
  int result = 0;
#pragma omp target map(from : result)
  {
    const auto twice = [&](int number) { return 2 * number + base; };
    result = twice(10);
  }
  check(result == 25, "by a lambda comes %d", result);
}

/// What is thrown and caught inside of the region and its tasks.
static void exceptions() {
  int caught = 0;
#pragma omp target map(tofrom : caught)
  {
    try {
      throw point{3, 4};
    } catch (const point& thrown) {
      caught += static_cast<int>(thrown.sum());
    }
  }
  check(caught == 7, "in a target region %d is caught", caught);
}

static void tasks() {
  std::vector<int> order;
  std::vector<int>* const all = &order;
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int step = 0; step < 50; ++step) {
#pragma omp target nowait depend(inout : order) firstprivate(step) is_device_ptr(all)
    all->push_back(step);
  }
  check(order.size() == 50, "of 50 target tasks %zu ran", order.size());
  for (int step = 0; step < 50; ++step) check(order[static_cast<std::size_t>(step)] == step, "step %d is out of order", step);
}

int main() {
  matrix<long> longs(20);
  longs.fill(1);
  check(longs.total() == 400 * 401 / 2, "the matrix comes to %ld", longs.total());
  matrix<double> doubles(7);
  doubles.fill(0.5);
  check(doubles.total() == 48 * 49 / 2 + 49 * 0.5, "the matrix comes to %g", doubles.total());
  check(doubles.size_by_this() == 7, "by this comes %d", doubles.size_by_this());
  objects();
  exceptions();
  tasks();
  return 0;
}
