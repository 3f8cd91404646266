// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects with constructors in data clauses; loops over iterators; exceptions that stay inside; lambdas and templates.
#include "check.h"

#include <omp.h>

#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

int alive;

struct counted {
  std::string text;
  counted() : text("default constructed, long enough for the heap") { add(&alive, 1); }
  counted(const counted& other) : text(other.text) { add(&alive, 1); }
  explicit counted(const char* words) : text(words) { add(&alive, 1); }
  counted& operator=(const counted&) = default;
  ~counted() { add(&alive, -1); }
};

const char* const words = "words that do not fit into a short string's own memory";

void in_tasks(int n) {
  int right = 0;
  {
    counted original(words);
#pragma omp parallel num_threads(n)
#pragma omp single
    {
      for (int i = 0; i < 100; ++i) {
#pragma omp task firstprivate(original) shared(right) if (i % 4)
        {
          add(&right, original.text == words);
          original.text += "changed";
        }
      }
#pragma omp taskloop firstprivate(original) shared(right) num_tasks(10)
      for (int i = 0; i < 100; ++i) add(&right, original.text == words);
    }
    check(original.text == words, "a firstprivate object changed outside");
  }
  check(right == 200, "%d of 200 copies are right", right);
  check(alive == 0, "%d objects are left over after tasks", alive);
}

void in_regions(int n) {
  {
    counted first(words), last;
    int right = 0;
#pragma omp parallel for firstprivate(first) lastprivate(last) num_threads(n) schedule(dynamic, 3) reduction(+ : right)
    for (int i = 0; i < 50; ++i) {
      right += first.text == words;
      last.text = std::to_string(i) + words;
    }
    check(right == 50 && last.text == std::string("49") + words, "objects in a loop are wrong");
#pragma omp parallel num_threads(n) private(last)
    {
#pragma omp single copyprivate(last)
      last.text = words;
#pragma omp critical
      check(last.text == words, "copyprivate of an object is wrong");
    }
  }
  check(alive == 0, "%d objects are left over after regions", alive);
}

#pragma omp declare reduction(joined : std::vector<int> : omp_out.insert(omp_out.end(), omp_in.begin(), omp_in.end()))

void with_iterators(int n) {
  std::vector<int> values(500), found;
  std::iota(values.begin(), values.end(), 0);
#pragma omp parallel for num_threads(n) reduction(joined : found) schedule(dynamic, 7)
  for (auto each = values.begin(); each < values.end(); ++each) found.push_back(*each);
  check(found.size() == 500 && std::accumulate(found.begin(), found.end(), 0) == 124750, "a loop over iterators is wrong");
  int sum = 0;
#pragma omp parallel for num_threads(n) reduction(+ : sum)
  for (int each : values) sum += each;
  check(sum == 124750, "a loop over a range is wrong");
}

template <typename Function>
void in_task_group(int count, const Function& function) {
#pragma omp taskgroup
  for (int i = 0; i < count; ++i) {
#pragma omp task firstprivate(i) shared(function)
    function(i);
  }
}

void exceptions_inside(int n) {
  int caught = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  in_task_group(60, [&](int i) {
    try {
#pragma omp task shared(caught)
      try {
        throw std::runtime_error("inner");
      } catch (const std::runtime_error&) {
        add(&caught, 1);
      }
#pragma omp taskwait
      throw i;
    } catch (int which) {
      // The handler is active across a wait: its exception must still be this task's.
#pragma omp task shared(caught)
      add(&caught, 1);
#pragma omp taskwait
      check(which == i, "a task caught the exception of another");
      add(&caught, 1);
    }
  });
  check(caught == 180, "%d of 180 steps with exceptions ran", caught);
}

}  // namespace

int main() {
  const int n = omp_get_max_threads();
  in_tasks(n);
  in_regions(n);
  with_iterators(n);
  exceptions_inside(n);
}
