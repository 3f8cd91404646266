// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/nqueens/nqueens.h"

#include "helpers.h"

namespace TEFF_NAMESPACE::apps {
namespace {

/// Another program for the same counts: columns and diagonals as sets of bits.
void count(nqueens_facts& all, unsigned full, unsigned columns, unsigned left, unsigned right) {
  ++all.placements;
  if (columns == full) ++all.solutions;
  for (unsigned free = full & ~(columns | left | right); free != 0; free &= free - 1) {
    const unsigned queen = free & -free;
    count(all, full, columns | queen, (left | queen) << 1, (right | queen) >> 1);
  }
}

TEST(nqueens, knows_the_right_numbers) {
  for (unsigned n = 1; n <= 11; ++n) {
    nqueens_facts all{0, 0};
    count(all, (1u << n) - 1, 0, 0, 0);
    EXPECT_EQ(nqueens_known(n).solutions, all.solutions) << n;
    EXPECT_EQ(nqueens_known(n).placements, all.placements) << n;
  }
}

TEST(nqueens, is_right_for_every_small_board) {
  const auto some = make_nqueens();
  for (unsigned n = 1; n <= 6; ++n) {
    for (const char* by : {"group", "reduce"}) {
      expect_both_versions_right(*some, "n=" + std::to_string(n) + ",by=" + by, "dq8", 2);
      EXPECT_EQ(some->tasks_run(), nqueens_known(n).placements);
    }
  }
}

TEST(nqueens, has_tasks_for_the_first_three_rows_with_a_cut_off) {
  const auto some = make_nqueens();
  for (const char* by : {"group", "reduce"}) {
    expect_both_versions_right(*some, "n=7,cutoff=manual,by=" + std::string(by), "dq8", 2);
    EXPECT_EQ(some->tasks_run(), 1u + 7 + 30 + 76);
    expect_both_versions_right(*some, "n=2,cutoff=manual,by=" + std::string(by), "dq8", 2);
    EXPECT_EQ(some->tasks_run(), 3u);
  }
}

TEST(nqueens, is_right_on_every_pool) {
  for (const catalogue_line& each : list_pools()) {
    for (const unsigned workers : {1u, 2u, 8u, 64u}) {
      for (const char* by : {"group", "reduce"}) {
        expect_both_versions_right(*make_nqueens(), "n=6,by=" + std::string(by), each.name, workers);
      }
    }
  }
}

TEST(nqueens, a_run_that_did_nothing_is_wrong) {
  const auto some = make_nqueens();
  some->prepare(1, 1);
  EXPECT_NE(some->verify(), "");
}

TEST(nqueens, sizes_are_checked) {
  const auto some = make_nqueens();
  EXPECT_NE(some->choose_size("n=16").find("16"), std::string::npos);
  EXPECT_NE(some->choose_size("n=0").find("'0'"), std::string::npos);
  EXPECT_NE(some->choose_size("by=thread").find("thread"), std::string::npos);
  EXPECT_EQ(some->choose_size("n=3"), "");
  EXPECT_EQ(some->size(), "n=3,by=group,cutoff=none");
}

}  // namespace
}  // namespace TEFF_NAMESPACE::apps
