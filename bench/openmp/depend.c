// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that depend on others and do next to nothing, and a factorisation by tiles.
#include "tiles.h"

#include <string.h>

enum { links = 300000, front = 400, nodes = 200000, addresses = 2048, small = 8, large = 64 };

static uint32_t next_random(uint32_t* state) { return *state = *state * 1664525u + 1013904223u, *state >> 8; }

/// Unit: a task, which depends on the one before.
uint64_t measure_chain(double* seconds) {
  uint64_t last = 0, wrong = 0;
  const double start = start_of();
#pragma omp parallel
#pragma omp single
  for (uint64_t i = 0; i < links; ++i) {
#pragma omp task depend(inout : last) shared(last, wrong)
    {
      count_one();
      wrong += last != i;
      last = i + 1;
    }
  }
  *seconds = omp_get_wtime() - start;
  verify(wrong == 0 && last == links, "a chain ran out of order");
  verify_count(links);
  return links;
}

/// Unit: a task, which depends on the ones above and beside it.
uint64_t measure_wavefront(double* seconds) {
  static uint32_t cell[front + 1][front + 1];
  memset(cell, 0, sizeof cell);
  const double start = start_of();
#pragma omp parallel
#pragma omp single
  for (int i = 1; i <= front; ++i) {
    for (int j = 1; j <= front; ++j) {
#pragma omp task depend(in : cell[i - 1][j], cell[i][j - 1]) depend(out : cell[i][j]) shared(cell)
      {
        count_one();
        cell[i][j] = cell[i - 1][j] + cell[i][j - 1] + 1;
      }
    }
  }
  *seconds = omp_get_wtime() - start;
  for (int i = 1; i <= front; ++i)
    for (int j = 1; j <= front; ++j) verify(cell[i][j] == cell[i - 1][j] + cell[i][j - 1] + 1, "a wavefront ran out of order");
  verify_count((uint64_t)front * front);
  return (uint64_t)front * front;
}

/// Unit: a task, which reads two numbers and changes a third one.
uint64_t measure_graph(double* seconds) {
  static uint32_t serial[addresses], cell[addresses];
  uint32_t state = 1;
  memset(serial, 0, sizeof serial);
  memset(cell, 0, sizeof cell);
  for (uint32_t i = 0; i < nodes; ++i) {
    const uint32_t a = next_random(&state) % addresses, b = next_random(&state) % addresses, c = next_random(&state) % addresses;
    serial[c] += 3 * serial[a] + serial[b] + i;
  }
  state = 1;
  const double start = start_of();
#pragma omp parallel
#pragma omp single
  for (uint32_t i = 0; i < nodes; ++i) {
    const uint32_t a = next_random(&state) % addresses, b = next_random(&state) % addresses, c = next_random(&state) % addresses;
#pragma omp task depend(in : cell[a], cell[b]) depend(inout : cell[c]) shared(cell)
    {
      count_one();
      cell[c] += 3 * cell[a] + cell[b] + i;
    }
  }
  *seconds = omp_get_wtime() - start;
  verify(memcmp(serial, cell, sizeof cell) == 0, "a graph of tasks came to other numbers than a loop");
  verify_count(nodes);
  return nodes;
}

/// C −= A × Bᵀ.
static void update(double* c, const double* a, const double* b, int tile) {
  for (int i = 0; i < tile; ++i)
    for (int j = 0; j < tile; ++j)
      for (int k = 0; k < tile; ++k) c[i * tile + j] -= a[i * tile + k] * b[j * tile + k];
}

static double root(double of) {
  double x = of > 1 ? of : 1;
  for (int i = 0; i < 60; ++i) x = 0.5 * (x + of / x);
  return x;
}

static void factor(double* a, int tile) {
  for (int j = 0; j < tile; ++j) {
    for (int k = 0; k < j; ++k) a[j * tile + j] -= a[j * tile + k] * a[j * tile + k];
    a[j * tile + j] = root(a[j * tile + j]);
    for (int i = j + 1; i < tile; ++i) {
      for (int k = 0; k < j; ++k) a[i * tile + j] -= a[i * tile + k] * a[j * tile + k];
      a[i * tile + j] /= a[j * tile + j];
    }
  }
}

/// Solves X × Lᵀ = B in the place of B.
static void solve(double* b, const double* l, int tile) {
  for (int i = 0; i < tile; ++i) {
    for (int j = 0; j < tile; ++j) {
      for (int k = 0; k < j; ++k) b[i * tile + j] -= b[i * tile + k] * l[j * tile + k];
      b[i * tile + j] /= l[j * tile + j];
    }
  }
}

/// A[i × n + j] is a tile; j ≤ i.
static void cholesky(double** a, int n, int tile) {
  for (int k = 0; k < n; ++k) {
    double* const top = a[k * n + k];
#pragma omp task depend(inout : top[0])
    count_one(), factor(top, tile);
    for (int i = k + 1; i < n; ++i) {
      double* const left = a[i * n + k];
#pragma omp task depend(in : top[0]) depend(inout : left[0])
      count_one(), solve(left, top, tile);
    }
    for (int i = k + 1; i < n; ++i) {
      for (int j = k + 1; j <= i; ++j) {
        double *const left = a[i * n + k], *const upper = a[j * n + k], *const here = a[i * n + j];
#pragma omp task depend(in : left[0], upper[0]) depend(inout : here[0])
        count_one(), update(here, left, upper, tile);
      }
    }
  }
#pragma omp taskwait
}

/// The factor has whole numbers.
static double expected(int i, int j) { return (i == j ? 8 : 0) + 1 + (i + j) % 3; }

/// L × Lᵀ.
static double number(int i, int j) {
  const int shorter = i < j ? i : j;
  double sum = 0;
  for (int k = 0; k <= shorter; ++k) sum += expected(i, k) * expected(j, k);
  return sum;
}

static uint64_t measure_tiles(double* seconds, int n, int tile) {
  static const struct factorisation all = {cholesky, number, expected, 1};
  const uint64_t tasks =
      (uint64_t)n + (uint64_t)n * (uint64_t)(n - 1) / 2 + (uint64_t)(n - 1) * (uint64_t)n * (uint64_t)(n + 1) / 6;
  return measure_tiled(&all, tasks, seconds, n, tile);
}

/// Unit: a task, of Cholesky's factorisation by tiles of 8 × 8, and of 64 × 64.
uint64_t measure_tiles_of_8(double* seconds) { return measure_tiles(seconds, 64, small); }
uint64_t measure_tiles_of_64(double* seconds) { return measure_tiles(seconds, 12, large); }
