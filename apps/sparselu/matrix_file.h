// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sparse matrices in files of the Matrix Market format (Boisvert, Pozo & Remington 1996), coordinates of real numbers.
#pragma once

#include "apps/sparselu/blocks.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace TEFF_NAMESPACE::apps {

/// A square matrix by those of its numbers that are not 0.
struct sparse_entries {
  struct entry {
    std::uint32_t row, column;  ///< from 0 on
    float value;
  };
  std::uint32_t rows = 0;
  std::vector<entry> all;
};

/// Effect: reads the matrix. Returns: an empty text, or a sentence without the file's name.
std::string parse_matrix(std::string_view text, sparse_entries& matrix);

/// Returns: the matrix in blocks of m × m. Rows that fill the last ones up have a 1 on the diagonal.
block_matrix blocks_of_entries(const sparse_entries& matrix, std::size_t m);

}  // namespace TEFF_NAMESPACE::apps
