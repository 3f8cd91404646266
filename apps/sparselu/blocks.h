// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A matrix of square blocks, of which those that hold zeros alone are not there, and what a factorisation does with a block.
#pragma once

#include "apps/declared_memory.h"
#include "apps/matrix_file.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace TEFF_NAMESPACE::apps {

class block_matrix {
 public:
  block_matrix() = default;
  /// `n` × `n` blocks of `m` × `m` numbers; none is there yet.
  block_matrix(std::size_t n, std::size_t m) : n_(n), m_(m), blocks_(n * n) {}

  std::size_t n() const { return n_; }
  std::size_t m() const { return m_; }
  bool has(std::size_t row, std::size_t column) const { return blocks_[row * n_ + column] != nullptr; }
  /// Pre: has. Returns: its numbers, row by row.
  float* block(std::size_t row, std::size_t column) const { return blocks_[row * n_ + column].get(); }
  /// Effect: the block is there, full of zeros if it was not. Threads: one for a block.
  float* make_block(std::size_t row, std::size_t column);
  /// Effect: becomes the same matrix.
  void copy_from(const block_matrix& other);
  /// Which numbers stand in a product: all; those on and above the diagonal; those below it, and ones on it.
  enum class part { all, upper, unit_lower };
  /// Returns: the product of that part, or of its absolute values, with a vector of n · m numbers.
  std::vector<double> times(const std::vector<double>& vector, part which, bool absolute = false) const;
  /// Effect: visitor(numbers) for each block.
  template <class Visitor>
  void for_each(Visitor visitor) const {
    for (const declared_array<float>& each : blocks_) {
      if (each != nullptr) visitor(each.get());
    }
  }
  /// Returns: a number that says what is where.
  std::uint64_t contents() const;

 private:
  std::size_t n_ = 0, m_ = 0;
  std::vector<declared_array<float>> blocks_;
};

/// Returns: a matrix that needs no pivots. Block (i, j) is there if i and j are equal or neighbours, or both even, and the
/// smaller one a multiple of three.
block_matrix make_sparse_matrix(std::size_t n, std::size_t m, std::uint64_t seed);

/// Returns: the matrix in blocks of m × m. Rows that fill the last ones up have a 1 on the diagonal.
block_matrix blocks_of_entries(const matrix_entries& matrix, std::size_t m);

/// Returns: an empty text, or why `factors` are not those of the matrix, but for rounding: a vector times the factors is compared
/// with it times the matrix. Cost: as two products with a vector.
std::string wrong_factors(const block_matrix& matrix, const block_matrix& factors);

/// Effect: factorises a block in place: the unit lower triangle of L below the diagonal, U on and above it.
void factorise(float* diagonal, std::size_t m);
/// Effect: block = L⁻¹ · block, of a block to the right of the diagonal one.
void solve_lower(const float* diagonal, float* block, std::size_t m);
/// Effect: block = block · U⁻¹, of a block below the diagonal one.
void solve_upper(const float* diagonal, float* block, std::size_t m);
/// Effect: block -= left · above.
void subtract_product(const float* left, const float* above, float* block, std::size_t m);

}  // namespace TEFF_NAMESPACE::apps
