// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/sparselu/blocks.h"

#include "apps/in_tasks.h"
#include "apps/random_stream.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace TEFF_NAMESPACE::apps {

float* block_matrix::make_block(std::size_t row, std::size_t column) {
  declared_array<float>& there = blocks_[row * n_ + column];
  if (there == nullptr) there = zeros<float>(m_ * m_);
  return there.get();
}

void block_matrix::copy_from(const block_matrix& other) {
  if (n_ != other.n_ || m_ != other.m_) *this = block_matrix(other.n_, other.m_);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (other.blocks_[i] == nullptr) {
      blocks_[i].reset();
      continue;
    }
    if (blocks_[i] == nullptr) blocks_[i] = declared_array<float>(m_ * m_);
    std::copy_n(other.blocks_[i].get(), m_ * m_, blocks_[i].get());
  }
}

std::vector<double> block_matrix::times(const std::vector<double>& vector, part which, bool absolute) const {
  std::vector<double> product = which == part::unit_lower ? vector : std::vector<double>(vector.size());
  for (std::size_t place = 0; place < blocks_.size(); ++place) {
    if (blocks_[place] == nullptr) continue;
    const float* next = blocks_[place].get();
    for (std::size_t row = place / n_ * m_, i = 0; i < m_; ++i, ++row) {
      for (std::size_t column = place % n_ * m_, j = 0; j < m_; ++j, ++column, ++next) {
        if (which != part::all && (which == part::upper) != (row <= column)) continue;
        const double own = static_cast<double>(*next);
        product[row] += (absolute ? std::abs(own) : own) * vector[column];
      }
    }
  }
  return product;
}

std::uint64_t block_matrix::contents() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (blocks_[i] != nullptr) sum = fingerprint(blocks_[i].get(), m_ * m_ * sizeof(float), sum ^ i);
  }
  return sum;
}

block_matrix make_sparse_matrix(std::size_t n, std::size_t m, std::uint64_t seed) {
  block_matrix made(n, m);
  random_stream from(seed);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t less = std::min(i, j), more = std::max(i, j);
      if (more - less > 1 && (less % 6 != 0 || more % 2 != 0)) continue;
      float* const block = made.make_block(i, j);
      for (std::size_t at = 0; at < m * m; ++at) block[at] = static_cast<float>(from.unit() - 0.5);
      if (i != j) continue;
      // More than the sum of all others in its row, so that no pivot is small.
      for (std::size_t at = 0; at < m; ++at) block[at * m + at] = static_cast<float>(n * m);
    }
  }
  return made;
}

block_matrix blocks_of_entries(const matrix_entries& matrix, std::size_t m) {
  const std::size_t n = (matrix.rows + m - 1) / m;
  block_matrix made(n, m);
  for (std::size_t i = 0; i < n; ++i) made.make_block(i, i);
  for (const auto& [row, column, value] : matrix.all)
    made.make_block(row / m, column / m)[row % m * m + column % m] = static_cast<float>(value);
  for (std::size_t row = matrix.rows; row < n * m; ++row) made.make_block(row / m, row / m)[row % m * m + row % m] = 1;
  return made;
}

std::string wrong_factors(const block_matrix& matrix, const block_matrix& factors) {
  using part = block_matrix::part;
  const std::size_t rows = matrix.n() * matrix.m();
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t block = row / matrix.m(), i = row % matrix.m();
    const float pivot = factors.block(block, block)[i * matrix.m() + i];
    // The last one is divided by nowhere.
    if (std::isfinite(pivot) && (pivot != 0 || row + 1 == rows)) continue;
    return "without pivots this matrix has no factors: the number on the diagonal of row " + std::to_string(row + 1) +
           " became 0, or nearly so";
  }
  std::vector<double> vector(rows);
  random_stream from;
  for (double& each : vector) each = from.unit() + 0.5;
  const auto expected = matrix.times(vector, part::all);
  const auto found = factors.times(factors.times(vector, part::upper), part::unit_lower);
  // What the roundings of a row can come to is a part of this; they are as often up as down, so that they grow as a root.
  const auto bound = factors.times(factors.times(vector, part::upper, true), part::unit_lower, true);
  const double unit = 4 * std::numeric_limits<float>::epsilon() * std::sqrt(static_cast<double>(rows));
  for (std::size_t row = 0; row < rows; ++row) {
    if (std::abs(found[row] - expected[row]) <= unit * bound[row]) continue;
    return "L times U is not the matrix in row " + std::to_string(row + 1);
  }
  return {};
}

void factorise(float* diagonal, std::size_t m) {
  for (std::size_t k = 0; k < m; ++k) {
    const float* const pivot_row = diagonal + k * m;
    for (std::size_t i = k + 1; i < m; ++i) {
      float* const row = diagonal + i * m;
      const float factor = row[k] /= pivot_row[k];
      for (std::size_t j = k + 1; j < m; ++j) row[j] -= factor * pivot_row[j];
    }
  }
}

void solve_lower(const float* diagonal, float* block, std::size_t m) {
  for (std::size_t k = 0; k < m; ++k) {
    const float* const solved = block + k * m;
    for (std::size_t i = k + 1; i < m; ++i) {
      float* const row = block + i * m;
      const float factor = diagonal[i * m + k];
      for (std::size_t j = 0; j < m; ++j) row[j] -= factor * solved[j];
    }
  }
}

void solve_upper(const float* diagonal, float* block, std::size_t m) {
  for (std::size_t i = 0; i < m; ++i) {
    float* const row = block + i * m;
    for (std::size_t k = 0; k < m; ++k) {
      const float* const upper = diagonal + k * m;
      const float factor = row[k] /= upper[k];
      for (std::size_t j = k + 1; j < m; ++j) row[j] -= factor * upper[j];
    }
  }
}

void subtract_product(const float* left, const float* above, float* block, std::size_t m) {
  for (std::size_t i = 0; i < m; ++i) {
    float* const row = block + i * m;
    for (std::size_t k = 0; k < m; ++k) {
      const float factor = left[i * m + k];
      const float* const upper = above + k * m;
      for (std::size_t j = 0; j < m; ++j) row[j] -= factor * upper[j];
    }
  }
}

}  // namespace TEFF_NAMESPACE::apps
