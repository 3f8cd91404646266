// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LU factorisation by tiles, without pivoting: what an irregular graph of tasks looks like in a dense solver.
#include "tiles.h"

/// A = L × U in its place; L has ones on the diagonal.
static void factor(double* a, int tile) {
  for (int k = 0; k < tile; ++k) {
    for (int i = k + 1; i < tile; ++i) {
      a[i * tile + k] /= a[k * tile + k];
      for (int j = k + 1; j < tile; ++j) a[i * tile + j] -= a[i * tile + k] * a[k * tile + j];
    }
  }
}

/// Solves L × X = B in the place of B.
static void solve_row(double* b, const double* l, int tile) {
  for (int i = 1; i < tile; ++i)
    for (int k = 0; k < i; ++k)
      for (int j = 0; j < tile; ++j) b[i * tile + j] -= l[i * tile + k] * b[k * tile + j];
}

/// Solves X × U = B in the place of B.
static void solve_column(double* b, const double* u, int tile) {
  for (int i = 0; i < tile; ++i) {
    for (int k = 0; k < tile; ++k) {
      b[i * tile + k] /= u[k * tile + k];
      for (int j = k + 1; j < tile; ++j) b[i * tile + j] -= b[i * tile + k] * u[k * tile + j];
    }
  }
}

/// C −= A × B.
static void update(double* c, const double* a, const double* b, int tile) {
  for (int i = 0; i < tile; ++i)
    for (int k = 0; k < tile; ++k)
      for (int j = 0; j < tile; ++j) c[i * tile + j] -= a[i * tile + k] * b[k * tile + j];
}

/// A[i × n + j] is a tile.
static void lu(double** a, int n, int tile) {
  for (int k = 0; k < n; ++k) {
    double* const top = a[k * n + k];
#pragma omp task depend(inout : top[0])
    count_one(), factor(top, tile);
    for (int j = k + 1; j < n; ++j) {
      double* const right = a[k * n + j];
#pragma omp task depend(in : top[0]) depend(inout : right[0])
      count_one(), solve_row(right, top, tile);
    }
    for (int i = k + 1; i < n; ++i) {
      double* const below = a[i * n + k];
#pragma omp task depend(in : top[0]) depend(inout : below[0])
      count_one(), solve_column(below, top, tile);
    }
    for (int i = k + 1; i < n; ++i) {
      for (int j = k + 1; j < n; ++j) {
        double *const below = a[i * n + k], *const right = a[k * n + j], *const here = a[i * n + j];
#pragma omp task depend(in : below[0], right[0]) depend(inout : here[0])
        count_one(), update(here, below, right, tile);
      }
    }
  }
#pragma omp taskwait
}

/// The factors, in one matrix, have quarters on both sides of a diagonal of eights: so their product has no rounding.
static double expected(int i, int j) { return i == j ? 8 : 0.25 * ((i + 2 * j) % 3 - 1); }

static double number(int i, int j) {
  const int shorter = i < j ? i : j;
  double sum = i <= j ? expected(i, j) : expected(i, j) * expected(j, j);
  for (int k = 0; k < shorter; ++k) sum += expected(i, k) * expected(k, j);
  return sum;
}

static uint64_t measure_lu(double* seconds, int n, int tile) {
  static const struct factorisation all = {lu, number, expected, 0};
  uint64_t tasks = 0;
  for (int k = 0; k < n; ++k) tasks += (uint64_t)(n - k) * (uint64_t)(n - k);
  return measure_tiled(&all, tasks, seconds, n, tile);
}

/// Unit: a task, of tiles of 8 × 8, and of 64 × 64.
uint64_t measure_lu_of_8(double* seconds) { return measure_lu(seconds, 40, 8); }
uint64_t measure_lu_of_64(double* seconds) { return measure_lu(seconds, 10, 64); }
