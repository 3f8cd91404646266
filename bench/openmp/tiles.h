// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What factorisations by tiles share: n × n tiles of tile × tile numbers, a[i × n + j] one of them, and how a run is measured.
#pragma once

#include "measure.h"

struct factorisation {
  /// Effect: makes the tasks, and waits for them.
  void (*run)(double** a, int n, int tile);
  /// Returns: a number of the matrix that is to be factored.
  double (*number)(int i, int j);
  /// Returns: a number of the factors, where they lie in one matrix.
  double (*factor)(int i, int j);
  int is_lower;  ///< the numbers right of the diagonal are none of a factor
};

static double* number_at(double** a, int n, int tile, int i, int j) {
  return &a[i / tile * n + j / tile][i % tile * tile + j % tile];
}

/// Unit: one of so many tasks.
static uint64_t measure_tiled(const struct factorisation* what, uint64_t tasks, double* seconds, int n, int tile) {
  const int size = n * tile;
  double** const a = calloc((size_t)(n * n), sizeof *a);
  for (int i = 0; i < n * n; ++i) a[i] = calloc((size_t)tile * (size_t)tile, sizeof **a);
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) *number_at(a, n, tile, i, j) = what->number(i, j);
  const double start = start_of();
#pragma omp parallel
#pragma omp single
  what->run(a, n, tile);
  *seconds = omp_get_wtime() - start;
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j <= (what->is_lower ? i : size - 1); ++j) {
      const double off = *number_at(a, n, tile, i, j) - what->factor(i, j);
      verify(off < 1e-6 && off > -1e-6, "a factor is another one");
    }
  }
  for (int i = 0; i < n * n; ++i) free(a[i]);
  free(a);
  verify_count(tasks);
  return tasks;
}
