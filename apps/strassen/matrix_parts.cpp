// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/strassen/matrix_parts.h"

#include "apps/random_stream.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace TEFF_NAMESPACE::apps {

void add_quarters(const strassen_sums& to, matrix_part a, matrix_part b, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    const double *const a11 = a.quarter(0, 0, size).row(i), *const a12 = a.quarter(0, 1, size).row(i);
    const double *const a21 = a.quarter(1, 0, size).row(i), *const a22 = a.quarter(1, 1, size).row(i);
    const double *const b11 = b.quarter(0, 0, size).row(i), *const b12 = b.quarter(0, 1, size).row(i);
    const double *const b21 = b.quarter(1, 0, size).row(i), *const b22 = b.quarter(1, 1, size).row(i);
    double *const s1 = to.s[0].row(i), *const s2 = to.s[1].row(i), *const s3 = to.s[2].row(i), *const s4 = to.s[3].row(i);
    double *const t1 = to.t[0].row(i), *const t2 = to.t[1].row(i), *const t3 = to.t[2].row(i), *const t4 = to.t[3].row(i);
    for (std::size_t j = 0; j < size; ++j) {
      s1[j] = a21[j] + a22[j];
      s2[j] = s1[j] - a11[j];
      s3[j] = a11[j] - a21[j];
      s4[j] = a12[j] - s2[j];
    }
    for (std::size_t j = 0; j < size; ++j) {
      t1[j] = b12[j] - b11[j];
      t2[j] = b22[j] - t1[j];
      t3[j] = b22[j] - b12[j];
      t4[j] = t2[j] - b21[j];
    }
  }
}

void combine_products(matrix_part c, matrix_part p1, matrix_part p6, matrix_part p7, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    const double *const first = p1.row(i), *const sixth = p6.row(i), *const seventh = p7.row(i);
    double *const c11 = c.quarter(0, 0, size).row(i), *const c12 = c.quarter(0, 1, size).row(i);
    double *const c21 = c.quarter(1, 0, size).row(i), *const c22 = c.quarter(1, 1, size).row(i);
    for (std::size_t j = 0; j < size; ++j) {
      const double second = c11[j], third = c12[j], fourth = c21[j], fifth = c22[j];
      const double left = first[j] + sixth[j], right = left + seventh[j];
      c11[j] = first[j] + second;
      c12[j] = left + fifth + third;
      c21[j] = right - fourth;
      c22[j] = right + fifth;
    }
  }
}

void multiply_directly(matrix_part c, matrix_part a, matrix_part b, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    double* const to = c.row(i);
    const double* const factors = a.row(i);
    std::fill_n(to, size, 0.0);
    std::size_t k = 0;
    // Four rows at a time, so that what is added up lies in a register meanwhile.
    for (; k + 4 <= size; k += 4) {
      const double first = factors[k], second = factors[k + 1], third = factors[k + 2], fourth = factors[k + 3];
      const double *const b1 = b.row(k), *const b2 = b.row(k + 1), *const b3 = b.row(k + 2), *const b4 = b.row(k + 3);
      for (std::size_t j = 0; j < size; ++j) to[j] = to[j] + first * b1[j] + second * b2[j] + third * b3[j] + fourth * b4[j];
    }
    for (; k < size; ++k) {
      const double* const from = b.row(k);
      for (std::size_t j = 0; j < size; ++j) to[j] += factors[k] * from[j];
    }
  }
}

namespace {

std::vector<double> times(const double* matrix, const std::vector<double>& vector) {
  std::vector<double> product(vector.size());
  for (double& each : product) {
    for (const double factor : vector) each += *matrix++ * factor;
  }
  return product;
}

double greatest_in(const double* numbers, std::size_t count) {
  double greatest = 0;
  for (std::size_t i = 0; i < count; ++i) greatest = std::max(greatest, std::abs(numbers[i]));
  return greatest;
}

}  // namespace

bool is_product(const double* c, const double* a, const double* b, std::size_t n) {
  std::vector<double> vector(n);
  random_stream from;
  for (double& each : vector) each = from.unit() + 0.5;
  const std::vector<double> expected = times(a, times(b, vector)), found = times(c, vector);
  // The sums of a level cancel where the direct product would not: what is lost is a part of the greatest numbers, not of those
  // that are added.
  const double size = static_cast<double>(n);
  const double tolerance = 1e-10 * size * size * greatest_in(a, n * n) * greatest_in(b, n * n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!(std::abs(found[i] - expected[i]) <= tolerance)) return false;
  }
  return true;
}

}  // namespace TEFF_NAMESPACE::apps
