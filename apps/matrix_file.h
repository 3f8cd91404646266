// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Square matrices in files of the Matrix Market format (Boisvert, Pozo & Remington 1996): coordinates or arrays of real numbers.
#pragma once

#include "base/namespace.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace TEFF_NAMESPACE::apps {

/// A square matrix by those of its numbers that are not 0.
struct matrix_entries {
  struct entry {
    std::uint32_t row, column;  ///< from 0 on
    double value;
  };
  std::uint32_t rows = 0;
  std::vector<entry> all;
};

/// Effect: reads the matrix. Returns: an empty text, or a sentence without the file's name.
std::string parse_matrix(std::string_view text, matrix_entries& matrix);

}  // namespace TEFF_NAMESPACE::apps
