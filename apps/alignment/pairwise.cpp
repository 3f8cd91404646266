// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/alignment/pairwise.h"

#include <algorithm>
#include <array>

namespace TEFF_NAMESPACE::apps {

namespace {

constexpr int gap_begins = pairwise::gap_open + pairwise::gap_extend;
/// Less than any score, with room to take something off.
constexpr int no_score = -1'000'000'000;

int cost_of_gap(std::size_t size, int open) { return size == 0 ? 0 : open + static_cast<int>(size) * pairwise::gap_extend; }

/// The substitution scores, a row for each letter.
struct score_table {
  score_table() {
    for (std::size_t one = 0; one < amino_acids.size(); ++one) {
      for (std::size_t other = 0; other < amino_acids.size(); ++other)
        rows[one][other] = substitution_score(static_cast<std::uint8_t>(one), static_cast<std::uint8_t>(other));
    }
  }
  std::array<std::array<int, amino_acids.size()>, amino_acids.size()> rows;
};

const score_table& scores() {
  static const score_table table;
  return table;
}

}  // namespace

/// Effect: adds columns from the left to the right.
void pairwise::add_columns(column kind, std::size_t count) {
  if (count == 0) return;
  if (kind != column::pair) aligned_score_ -= cost_of_gap(count, kind != last_ ? gap_open : 0);
  result_.columns += static_cast<std::uint32_t>(count);
  last_ = kind;
}

void pairwise::add_pair(std::uint8_t one, std::uint8_t other) {
  add_columns(column::pair, 1);
  aligned_score_ += scores().rows[one][other];
  result_.identities += one == other;
}

/// Returns: the best score of any local alignment, and the letters up to its end.
pairwise::ending pairwise::best_end(letters one, letters other) {
  ending found;
  before_.best.assign(other.size + 1, 0);
  before_.gapped.assign(other.size + 1, no_score);
  int *const best = before_.best.data(), *const gapped = before_.gapped.data();
  for (std::size_t i = 0; i < one.size; ++i) {
    const auto& row = scores().rows[one[i]];
    int diagonal = 0, along = no_score;
    for (std::size_t j = 1; j <= other.size; ++j) {
      along = std::max(along - gap_extend, best[j - 1] - gap_begins);
      gapped[j] = std::max(gapped[j] - gap_extend, best[j] - gap_begins);
      const int here = std::max(std::max(0, diagonal + row[other[j - 1]]), std::max(along, gapped[j]));
      diagonal = best[j];
      best[j] = here;
      if (here > found.score) found = {here, i + 1, j};
    }
  }
  cells_ += static_cast<std::uint64_t>(one.size) * other.size;
  return found;
}

/// Returns: how many letters of both an alignment has that begins with the first ones and is worth `score`. Pre: there is one.
pairwise::ending pairwise::best_start(letters one, letters other, int score) {
  before_.best.resize(other.size + 1);
  before_.gapped.assign(other.size + 1, no_score);
  int *const best = before_.best.data(), *const gapped = before_.gapped.data();
  for (std::size_t j = 0; j <= other.size; ++j) best[j] = -cost_of_gap(j, gap_open);
  for (std::size_t i = 0; i < one.size; ++i) {
    const auto& row = scores().rows[one[i]];
    int diagonal = best[0], along = no_score;
    best[0] = -cost_of_gap(i + 1, gap_open);
    for (std::size_t j = 1; j <= other.size; ++j) {
      along = std::max(along - gap_extend, best[j - 1] - gap_begins);
      gapped[j] = std::max(gapped[j] - gap_extend, best[j] - gap_begins);
      const int here = std::max(diagonal + row[other[j - 1]], std::max(along, gapped[j]));
      diagonal = best[j];
      best[j] = here;
      if (here == score) {
        cells_ += static_cast<std::uint64_t>(i + 1) * other.size;
        return {here, i + 1, j};
      }
    }
  }
  return {};
}

/// Effect: `to` says what all rows are worth, end to end, beside the first 0, 1, 2 … columns. A gap in the columns at the first
/// row costs `open_first` to open.
void pairwise::advance(letters rows, letters columns, int open_first, frontier& to) {
  to.best.resize(std::max(to.best.size(), columns.size + 1));
  to.gapped.resize(std::max(to.gapped.size(), columns.size + 1));
  int *const best = to.best.data(), *const gapped = to.gapped.data();
  for (std::size_t j = 0; j <= columns.size; ++j) {
    best[j] = -cost_of_gap(j, gap_open);
    gapped[j] = best[j] - gap_open;
  }
  gapped[0] = -open_first;
  for (std::size_t i = 0; i < rows.size; ++i) {
    const auto& row = scores().rows[rows[i]];
    int diagonal = best[0], along = no_score;
    best[0] = gapped[0] = gapped[0] - gap_extend;
    for (std::size_t j = 1; j <= columns.size; ++j) {
      along = std::max(along - gap_extend, best[j - 1] - gap_begins);
      gapped[j] = std::max(gapped[j] - gap_extend, best[j] - gap_begins);
      const int here = std::max(diagonal + row[columns[j - 1]], std::max(along, gapped[j]));
      diagonal = best[j];
      best[j] = here;
    }
  }
  cells_ += static_cast<std::uint64_t>(rows.size) * columns.size;
}

/// Effect: aligns one letter with all of the other protein: beside the letter where that is best, or beside a gap, next to the
/// end at which that is cheaper.
void pairwise::align_letter(std::uint8_t one, letters other, int open_begin, int open_end) {
  int best = -(std::min(open_begin, open_end) + gap_extend) - cost_of_gap(other.size, gap_open);
  std::size_t beside = other.size;
  for (std::size_t j = 0; j < other.size; ++j) {
    const int here = scores().rows[one][other[j]] - cost_of_gap(j, gap_open) - cost_of_gap(other.size - 1 - j, gap_open);
    if (here > best) {
      best = here;
      beside = j;
    }
  }
  cells_ += other.size;
  if (beside != other.size) {
    add_columns(column::only_other, beside);
    add_pair(one, other[beside]);
    add_columns(column::only_other, other.size - 1 - beside);
  } else if (open_begin <= open_end) {
    add_columns(column::only_one, 1);
    add_columns(column::only_other, other.size);
  } else {
    add_columns(column::only_other, other.size);
    add_columns(column::only_one, 1);
  }
}

/// Effect: aligns both end to end, and adds the columns. A gap beside `one` at the begin and at the end costs so much to open: 0
/// if it goes on beyond.
void pairwise::align_ends(letters one, letters other, int open_begin, int open_end) {
  if (other.size == 0) return add_columns(column::only_one, one.size);
  if (one.size == 0) return add_columns(column::only_other, other.size);
  if (one.size == 1) return align_letter(one[0], other, open_begin, open_end);
  const auto part = [](letters of, std::size_t from, std::size_t size) {
    return letters{of.first + of.step * static_cast<std::ptrdiff_t>(from), of.step, size};
  };
  const auto backwards = [](letters of) {
    return letters{of.first + of.step * (static_cast<std::ptrdiff_t>(of.size) - 1), -of.step, of.size};
  };
  const std::size_t half = one.size / 2, rest = one.size - half;
  advance(part(one, 0, half), other, open_begin, before_);
  advance(backwards(part(one, half, rest)), backwards(other), open_end, after_);
  int best = no_score;
  std::size_t at = 0;
  bool through_gap = false;  // the gap that ends the first half goes on in the second one
  for (std::size_t j = 0; j <= other.size; ++j) {
    const int met = before_.best[j] + after_.best[other.size - j];
    const int joined = before_.gapped[j] + after_.gapped[other.size - j] + gap_open;
    if (met > best) best = met, at = j, through_gap = false;
    if (joined > best) best = joined, at = j, through_gap = true;
  }
  const letters low = part(other, 0, at), high = part(other, at, other.size - at);
  if (!through_gap) {
    align_ends(part(one, 0, half), low, open_begin, gap_open);
    align_ends(part(one, half, rest), high, gap_open, open_end);
    return;
  }
  align_ends(part(one, 0, half - 1), low, open_begin, 0);
  add_columns(column::only_one, 2);  // the letters at both sides of the division
  align_ends(part(one, half + 1, rest - 1), high, 0, open_end);
}

alignment_result pairwise::align(std::span<const std::uint8_t> one, std::span<const std::uint8_t> other) {
  result_ = {};
  cells_ = 0;
  aligned_score_ = 0;
  const ending end = best_end({one.data(), 1, one.size()}, {other.data(), 1, other.size()});
  if (end.score == 0) return result_;
  const ending start =
      best_start({one.data() + end.one - 1, -1, end.one}, {other.data() + end.other - 1, -1, end.other}, end.score);
  result_.score = end.score;
  result_.first_one = static_cast<std::uint32_t>(end.one - start.one);
  result_.last_one = static_cast<std::uint32_t>(end.one);
  result_.first_other = static_cast<std::uint32_t>(end.other - start.other);
  result_.last_other = static_cast<std::uint32_t>(end.other);
  last_ = column::pair;
  align_ends({one.data() + result_.first_one, 1, start.one}, {other.data() + result_.first_other, 1, start.other}, gap_open,
             gap_open);
  return result_;
}

}  // namespace TEFF_NAMESPACE::apps
