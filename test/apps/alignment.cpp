// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/alignment/alignment.h"

#include "apps/alignment/pairwise.h"
#include "apps/alignment/proteins.h"
#include "helpers.h"

#include <algorithm>
#include <vector>

namespace TEFF_NAMESPACE::apps {
namespace {

/// Another program for the best local score: with the whole table, and gaps of every length at each cell.
int score_by_table(const protein& one, const protein& other) {
  std::vector<std::vector<int>> best(one.size() + 1, std::vector<int>(other.size() + 1, 0));
  const auto gap = [](std::size_t size) { return pairwise::gap_open + static_cast<int>(size) * pairwise::gap_extend; };
  int greatest = 0;
  for (std::size_t i = 1; i <= one.size(); ++i) {
    for (std::size_t j = 1; j <= other.size(); ++j) {
      int here = std::max(0, best[i - 1][j - 1] + substitution_score(one[i - 1], other[j - 1]));
      for (std::size_t k = 1; k <= i; ++k) here = std::max(here, best[i - k][j] - gap(k));
      for (std::size_t k = 1; k <= j; ++k) here = std::max(here, best[i][j - k] - gap(k));
      greatest = std::max(greatest, best[i][j] = here);
    }
  }
  return greatest;
}

protein letters_of(std::string_view text) {
  protein made;
  for (const char c : text) made.push_back(static_cast<std::uint8_t>(amino_acids.find(c)));
  return made;
}

TEST(pairwise, finds_the_best_score_and_an_alignment_that_is_worth_it) {
  pairwise some;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const auto made = make_proteins(6, 10 + seed, seed);
    for (const protein& one : made) {
      for (const protein& other : made) {
        const alignment_result result = some.align(one, other);
        EXPECT_EQ(result.score, score_by_table(one, other));
        EXPECT_EQ(some.score_of_alignment(), result.score);
        EXPECT_LE(result.identities, result.columns);
        EXPECT_GE(result.columns, result.last_one - result.first_one);
      }
    }
  }
}

TEST(pairwise, bridges_a_gap_if_both_sides_are_worth_it) {
  pairwise some;
  const protein whole = letters_of("WWWWWWHHHCCCCCC"), without = letters_of("WWWWWWCCCCCC");
  const alignment_result result = some.align(whole, without);
  EXPECT_EQ(result.score, 6 * 11 + 6 * 9 - 11 - 3);
  EXPECT_EQ(result.columns, 15u);
  EXPECT_EQ(result.identities, 12u);
  EXPECT_EQ(some.align(without, whole).identities, 12u);
  EXPECT_EQ(some.align(letters_of("WW"), letters_of("CC")), alignment_result{});
}

TEST(pairwise, scores_are_those_of_the_published_table) {
  const auto score = [](char one, char other) {
    return substitution_score(letters_of({&one, 1})[0], letters_of({&other, 1})[0]);
  };
  EXPECT_EQ(score('W', 'W'), 11);
  EXPECT_EQ(score('I', 'V'), 3);
  EXPECT_EQ(score('F', 'Y'), 3);
  EXPECT_EQ(score('P', 'F'), -4);
  EXPECT_EQ(score('B', 'D'), 4);
  EXPECT_EQ(score('X', 'X'), -1);
}

TEST(alignment, has_a_task_for_each_pair) {
  for (const char* by : {"single", "for"}) {
    const auto some = make_alignment();
    expect_both_versions_right(*some, "n=100,length=2,by=" + std::string(by), "teff", 3);
    EXPECT_EQ(some->tasks_run(), 4'950u);
  }
}

std::string refusal_of(std::string_view text) {
  std::vector<protein> read;
  return parse_fasta(text, read);
}

TEST(fasta, is_read) {
  std::vector<protein> read;
  EXPECT_EQ(parse_fasta("\n>one | first\r\nMKV\nlia\n\n>two\nW W\n", read), "");
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0], letters_of("MKVLIA"));
  EXPECT_EQ(read[1], letters_of("WW"));
}

TEST(fasta, says_where_it_is_wrong) {
  EXPECT_NE(refusal_of("").find("it is empty"), std::string::npos);
  EXPECT_NE(refusal_of(" \n").find("it is empty"), std::string::npos);
  EXPECT_EQ(refusal_of(">a\nMK\nM7K\n"),
            "line 3, column 2: '7' is none of the letters that BLOSUM62 scores; allowed: ARNDCQEGHILKMFPSTWYVBZX, "
            "in upper or lower case");
  EXPECT_NE(refusal_of("MK\n>a\nMK\n").find("line 1, column 1: 'M' stands before"), std::string::npos);
  EXPECT_NE(refusal_of(">a\nMK\n>b").find("line 3, column 1: no sequence follows '>b': the file is cut off"), std::string::npos);
  EXPECT_NE(refusal_of(">a\n>b\nMK\n").find("line 1, column 1: no sequence follows '>a'"), std::string::npos);
  EXPECT_NE(refusal_of(">a\nM>K\n").find("line 2, column 2: '>'"), std::string::npos);
  EXPECT_EQ(refusal_of(">a\nMK\n>b\n" + std::string(letters_at_most, 'A') + "\nA\n"),
            "line 5, column 1: sequence 2 has more than 100000 letters; allowed: 1 ... 100000");
  std::string many;
  for (std::size_t i = 0; i <= sequences_at_most; ++i) many += ">a\nM\n";
  EXPECT_EQ(refusal_of(many), "line 4001, column 1: it has more than 2000 sequences; allowed: 2 ... 2000");
}

}  // namespace
}  // namespace TEFF_NAMESPACE::apps
