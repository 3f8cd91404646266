// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Parts of square matrices, and how they are added and multiplied.
#pragma once

#include "base/namespace.h"

#include <cstddef>

namespace TEFF_NAMESPACE::apps {

/// A square part of a matrix, which lies row by row. Owns nothing.
struct matrix_part {
  double* first;
  std::size_t stride;  ///< from a row to the next one

  double* row(std::size_t i) const { return first + i * stride; }
  /// Returns: its quarter of `size` rows, the lower or upper, left or right one.
  matrix_part quarter(std::size_t lower, std::size_t right, std::size_t size) const {
    return {row(lower * size) + right * size, stride};
  }
};

/// Effect: `touch(row, size)` for each of the rows of a part; once for all if they are one piece of memory.
template <class Touch>
void touch_rows(matrix_part part, std::size_t size, Touch touch) {
  if (part.stride == size) return touch(part.first, size * size);
  for (std::size_t i = 0; i < size; ++i) touch(part.row(i), size);
}

/// What a product is made of, one level down (Winograd's form of Strassen's recursion): the quarters and eight sums of them.
struct strassen_sums {
  matrix_part s[4], t[4];
};

/// Effect: computes the sums of the quarters of a and b, which have `size` rows.
void add_quarters(const strassen_sums& to, matrix_part a, matrix_part b, std::size_t size);

/// Effect: makes the result of the seven products: `p1`, `p6`, `p7`, and in the quarters of c the second one (upper left), the
/// third (upper right), the fourth (lower left) and the fifth.
void combine_products(matrix_part c, matrix_part p1, matrix_part p6, matrix_part p7, std::size_t size);

/// Effect: c = a · b, row by row.
void multiply_directly(matrix_part c, matrix_part a, matrix_part b, std::size_t size);

/// Whether c = a · b for whole matrices, but for rounding: a vector times c against a times (b times it). Cost: O(n²).
bool is_product(const double* c, const double* a, const double* b, std::size_t n);

}  // namespace TEFF_NAMESPACE::apps
