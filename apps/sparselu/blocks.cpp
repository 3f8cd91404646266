// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/sparselu/blocks.h"

#include "apps/in_tasks.h"
#include "apps/random_stream.h"

#include <algorithm>
#include <cmath>

namespace TEFF_NAMESPACE::apps {

float* block_matrix::make_block(std::size_t row, std::size_t column) {
  std::unique_ptr<float[]>& there = blocks_[row * n_ + column];
  if (there == nullptr) there = std::make_unique<float[]>(m_ * m_);
  return there.get();
}

void block_matrix::copy_from(const block_matrix& other) {
  if (n_ != other.n_ || m_ != other.m_) *this = block_matrix(other.n_, other.m_);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (other.blocks_[i] == nullptr) {
      blocks_[i].reset();
      continue;
    }
    if (blocks_[i] == nullptr) blocks_[i] = std::make_unique_for_overwrite<float[]>(m_ * m_);
    std::copy_n(other.blocks_[i].get(), m_ * m_, blocks_[i].get());
  }
}

bool block_matrix::is_finite() const {
  return std::all_of(blocks_.begin(), blocks_.end(), [this](const std::unique_ptr<float[]>& each) {
    return each == nullptr || std::all_of(each.get(), each.get() + m_ * m_, [](float number) { return std::isfinite(number); });
  });
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
