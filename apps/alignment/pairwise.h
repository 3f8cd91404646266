// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The best local alignment of two proteins, in memory that grows with their lengths, not with the product.
///
/// Source: the local alignment of Smith & Waterman (1981) with Gotoh's gaps (1982): a gap of k letters costs open + k · extend.
/// The alignment itself is found by halves, after Myers & Miller 1988 (Optimal alignments in linear space, CABIOS 4).
/// Idea: one pass finds the best score and where it ends; a second one, backwards from there, where it begins. What lies between
/// is aligned end to end: the first half of one protein is aligned with each beginning of the other, the second half with each
/// end of it, and where both together are best it is divided.
/// Cost: about four times the product of the lengths in cells.
#pragma once

#include "apps/alignment/proteins.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace TEFF_NAMESPACE::apps {

struct alignment_result {
  std::int32_t score = 0;
  std::uint32_t columns = 0;                                                   ///< pairs of letters, and letters beside a gap
  std::uint32_t identities = 0;                                                ///< pairs of the same letter
  std::uint32_t first_one = 0, last_one = 0, first_other = 0, last_other = 0;  ///< which letters are in it: last ones excluded
  bool operator==(const alignment_result&) const = default;
};

class pairwise {
 public:
  static constexpr int gap_open = 11, gap_extend = 1;

  /// Returns: the best alignment; zeros if no two letters are alike.
  alignment_result align(std::span<const std::uint8_t> one, std::span<const std::uint8_t> other);
  /// Returns: cells that the last call computed.
  std::uint64_t cells() const { return cells_; }
  /// Returns: what the last call's alignment is worth, reckoned column by column. It is the score.
  int score_of_alignment() const { return aligned_score_; }

 private:
  /// Letters, forwards or backwards.
  struct letters {
    const std::uint8_t* first;
    std::ptrdiff_t step;
    std::size_t size;
    std::uint8_t operator[](std::size_t i) const { return first[static_cast<std::ptrdiff_t>(i) * step]; }
  };
  /// The best scores of a half beside each beginning of the other protein: at all, and with a gap at its end.
  struct frontier {
    std::vector<int> best, gapped;
  };
  enum class column { pair, only_one, only_other };
  struct ending {
    int score = 0;
    std::size_t one = 0, other = 0;
  };

  ending best_end(letters one, letters other);
  ending best_start(letters one, letters other, int score);
  void advance(letters rows, letters columns, int open_first, frontier& to);
  void align_ends(letters one, letters other, int open_begin, int open_end);
  void align_letter(std::uint8_t one, letters other, int open_begin, int open_end);
  void add_columns(column kind, std::size_t count);
  void add_pair(std::uint8_t one, std::uint8_t other);

  frontier before_, after_;
  alignment_result result_;
  column last_ = column::pair;
  std::uint64_t cells_ = 0;
  int aligned_score_ = 0;
};

}  // namespace TEFF_NAMESPACE::apps
