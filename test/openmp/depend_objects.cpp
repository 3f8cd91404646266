// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dependences of C++ programs: iterators, array sections, objects that tasks copy; a factorisation by tiles, nested in tasks.
#include "check.h"

#include <omp.h>

#include <cstdint>
#include <string>
#include <vector>

namespace {

/// Objects of a task with dependences are copied when it is made, and destroyed when it ends.
struct counted {
  static inline int alive = 0;
  std::string text;
  explicit counted(std::string its) : text(std::move(its)) { add(&alive, 1); }
  counted(const counted& other) : text(other.text) { add(&alive, 1); }
  ~counted() { add(&alive, -1); }
};

void objects(int n) {
  std::string all;
#pragma omp parallel num_threads(n)
#pragma omp single
  for (int i = 0; i < 200; ++i) {
    counted next(std::string(40, static_cast<char>('a' + i % 26)));
#pragma omp task depend(inout : all) firstprivate(next) shared(all)
    all += next.text;
  }
  check(all.size() == 8000 && counted::alive == 0, "%d objects are left, and %zu letters", counted::alive, all.size());
  for (std::size_t i = 0; i < all.size(); ++i) check(all[i] == static_cast<char>('a' + i / 40 % 26), "letter %zu is wrong", i);
}

void aligned(int n) {
  struct alignas(128) block {
    double at[16];
  };
  block sum = {};
#pragma omp parallel num_threads(n)
#pragma omp single
  for (int i = 0; i < 100; ++i) {
    block next;
    for (double& each : next.at) each = i;
#pragma omp task depend(inout : sum) firstprivate(next) shared(sum)
    {
      check(reinterpret_cast<std::uintptr_t>(&next) % 128 == 0, "a task's object does not lie where it may");
      for (int j = 0; j < 16; ++j) sum.at[j] += next.at[j];
    }
  }
  check(sum.at[0] == 4950 && sum.at[15] == 4950, "blocks come to %g", sum.at[0]);
}

/// One that gathers what many tasks wrote, by an iterator; more addresses than lie beside a task.
void iterators(int n) {
  const int many = 100;
  std::vector<int> cell(many);
  int* const at = cell.data();
  long sum = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < many; ++i) {
#pragma omp task depend(inout : at[i])
      ++at[i];
    }
#pragma omp task depend(iterator(i = 0 : many), in : at[i]) depend(out : sum) shared(sum)
    for (int i = 0; i < many; ++i) sum += at[i];
#pragma omp task depend(iterator(i = 0 : many), out : at[i])
    for (int i = 0; i < many; ++i) check(at[i] == round + 1, "cell %d is %d, not %d", i, at[i], round + 1);
  }
  check(sum == 5500, "what was gathered is %ld, not 5500", sum);
}

/// Cholesky's, with numbers that are exact: tiles of one number, modulo a prime. `inside`: each in a task of its own.
void factor(std::vector<long>& a, int size) {
  constexpr long prime = 10007;
  long* const m = a.data();
  for (int k = 0; k < size; ++k) {
#pragma omp task depend(inout : m[k * size + k])
    m[k * size + k] = (m[k * size + k] * m[k * size + k] + 1) % prime;
    for (int i = k + 1; i < size; ++i) {
#pragma omp task depend(in : m[k * size + k]) depend(inout : m[i * size + k])
      m[i * size + k] = m[i * size + k] * m[k * size + k] % prime;
    }
    for (int i = k + 1; i < size; ++i) {
      for (int j = k + 1; j <= i; ++j) {
#pragma omp task depend(in : m[i * size + k], m[j * size + k]) depend(inout : m[i * size + j])
        m[i * size + j] = (m[i * size + j] + m[i * size + k] * m[j * size + k]) % prime;
      }
    }
  }
#pragma omp taskwait
}

void factors(int n) {
  const int size = 16;
  std::vector<long> first(size * size), serial;
  for (std::size_t i = 0; i < first.size(); ++i) first[i] = static_cast<long>(i % 97 + 1);
  serial = first;
  factor(serial, size);  // outside of all regions each runs at once
  std::vector<std::vector<long>> all(8, first);
#pragma omp parallel num_threads(n)
#pragma omp single
  for (auto& each : all) {
#pragma omp task shared(each)
    factor(each, size);
  }
  for (const auto& each : all) check(each == serial, "tasks with dependences come to other numbers than one after the other");
}

}  // namespace

int main() {
  const int n = omp_get_max_threads();
  objects(n);
  aligned(n);
  iterators(n);
  factors(n);
}
