// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/quicksort/quicksort.h"

#include "apps/quicksort/sorting.h"
#include "helpers.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

namespace TEFF_NAMESPACE::apps {
namespace {

constexpr const char* kinds[] = {"random", "sorted", "reversed", "equal"};

TEST(quicksort, is_right_on_every_pool_and_kind_of_input) {
  for (const catalogue_line& pool : list_pools()) {
    for (const char* kind : kinds)
      expect_both_versions_right(*make_quicksort(), "n=3000,threshold=50,kind=" + std::string(kind), pool.name, 4);
  }
}

TEST(quicksort, sorts_few_integers) {
  for (const unsigned n : {0, 1, 2, 3, 10}) {
    for (const unsigned threshold : {1, 2, 100})
      expect_both_versions_right(*make_quicksort(), "n=" + std::to_string(n) + ",threshold=" + std::to_string(threshold), "dq2",
                                 2);
  }
}

TEST(quicksort, equal_integers_are_one_task) {
  const auto some = make_quicksort();
  expect_both_versions_right(*some, "n=100000,threshold=1,kind=equal", "dq8", 2);
  EXPECT_EQ(some->tasks_run(), 1u);
}

TEST(quicksort, ordered_input_takes_no_more_tasks_than_there_are_integers) {
  for (const char* kind : {"sorted", "reversed"}) {
    const auto some = make_quicksort();
    expect_both_versions_right(*some, "n=20000,threshold=1,kind=" + std::string(kind), "dq8", 2);
    EXPECT_LE(some->tasks_run(), 20'000u);
  }
}

/// Sorts, and returns the deepest part that was cut.
unsigned sort_and_measure_depth(const part& some, std::size_t threshold) {
  if (!is_to_be_cut(some, threshold)) {
    sort_rest(some);
    return 0;
  }
  const two_parts parts = partition(some);
  return 1 + std::max(sort_and_measure_depth(parts.low, threshold), sort_and_measure_depth(parts.high, threshold));
}

TEST(quicksort, bad_pivots_cannot_make_it_quadratic) {
  // The organ pipe and the saw: inputs that mislead the choice of pivots.
  std::vector<std::int64_t> pipe(5'000), saw(5'000);
  for (std::size_t i = 0; i < pipe.size(); ++i) {
    pipe[i] = static_cast<std::int64_t>(std::min(i, pipe.size() - i));
    saw[i] = static_cast<std::int64_t>(i % 7);
  }
  for (auto* data : {&pipe, &saw}) {
    EXPECT_LE(sort_and_measure_depth(whole(data->data(), data->size()), 1), 2 * std::bit_width(data->size()));
    EXPECT_TRUE(std::is_sorted(data->begin(), data->end()));
  }
}

TEST(quicksort, sorts_a_part_without_partitions_left) {
  std::vector<std::int64_t> data(1'000);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::int64_t>(i * 7919 % 1'000);
  sort_rest({data.data(), data.data() + data.size(), 0});
  EXPECT_TRUE(std::is_sorted(data.begin(), data.end()));
}

TEST(quicksort, stops_cutting_when_the_partitions_are_used_up) {
  std::vector<std::int64_t> data(1'000);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::int64_t>(i * 7919 % 1'000);
  EXPECT_EQ(sort_and_measure_depth({data.data(), data.data() + data.size(), 2}, 1), 2u);
  EXPECT_TRUE(std::is_sorted(data.begin(), data.end()));
}

TEST(quicksort, the_seed_decides_the_input) {
  const auto tasks_of = [](std::uint64_t seed) {
    const auto some = make_quicksort();
    EXPECT_EQ(some->choose_size("n=5000,threshold=10"), "");
    some->prepare(seed, 1);
    on_this_side(1, [&] { some->serial(); });
    return some->tasks_run();
  };
  EXPECT_EQ(tasks_of(1), tasks_of(1));
  EXPECT_NE(tasks_of(1), tasks_of(2));
}

TEST(quicksort, an_unsorted_result_is_wrong) {
  const auto some = make_quicksort();
  some->prepare(1, 1);
  EXPECT_NE(some->verify(), "");
}

}  // namespace
}  // namespace TEFF_NAMESPACE::apps
