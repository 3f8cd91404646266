// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the recursive workloads compute, beside other programs for the same.
#include "apps/fft/fft.h"
#include "apps/floorplan/floor.h"
#include "apps/health/country.h"
#include "apps/knapsack/knapsack.h"
#include "apps/matrix_file.h"
#include "apps/sort/merging.h"
#include "apps/sort/sort.h"
#include "apps/sparselu/blocks.h"
#include "apps/sparselu/sparselu.h"
#include "apps/strassen/matrix_parts.h"
#include "apps/strassen/strassen.h"
#include "helpers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

namespace TEFF_NAMESPACE::apps {
namespace {

/// Returns: the serial version's tasks, after it was verified.
std::uint64_t tasks_of(workload& some, const std::string& size) {
  EXPECT_EQ(some.choose_size(size), "");
  some.prepare(1, 1);
  on_this_side(1, [&] { some.serial(); });
  EXPECT_EQ(some.verify(), "");
  return some.tasks_run();
}

// --- sparselu

/// The suite's own counts, of 50 × 50 blocks.
TEST(sparselu, has_as_many_tasks_as_the_suite_counts) {
  for (const char* by : {"single", "for"}) {
    const auto some = make_sparselu();
    expect_both_versions_right(*some, "n=50,m=1,by=" + std::string(by), "teff", 2);
    EXPECT_EQ(some->tasks_run(), 11'675u);
  }
}

TEST(sparselu, the_factors_of_blocks_give_the_matrix_again) {
  constexpr std::size_t m = 7;
  const block_matrix made = make_sparse_matrix(2, m, 3);
  block_matrix factors;
  factors.copy_from(made);
  factorise(factors.block(0, 0), m);
  solve_lower(factors.block(0, 0), factors.block(0, 1), m);
  solve_upper(factors.block(0, 0), factors.block(1, 0), m);
  subtract_product(factors.block(1, 0), factors.block(0, 1), factors.block(1, 1), m);
  factorise(factors.block(1, 1), m);
  const auto of = [](const block_matrix& matrix, std::size_t i, std::size_t j) {
    return static_cast<double>(matrix.block(i / m, j / m)[i % m * m + j % m]);
  };
  for (std::size_t i = 0; i < 2 * m; ++i) {
    for (std::size_t j = 0; j < 2 * m; ++j) {
      double product = i <= j ? of(factors, i, j) : 0;
      for (std::size_t k = 0; k < i && k <= j; ++k) product += of(factors, i, k) * of(factors, k, j);
      EXPECT_NEAR(product, of(made, i, j), 1e-4) << i << ", " << j;
    }
  }
}

TEST(sparselu, wrong_factors_are_told_from_right_ones) {
  const block_matrix made = make_sparse_matrix(1, 6, 3);
  block_matrix factors;
  factors.copy_from(made);
  EXPECT_NE(wrong_factors(made, factors), "");
  factorise(factors.block(0, 0), 6);
  EXPECT_EQ(wrong_factors(made, factors), "");
  for (std::size_t i = 0; i < 36; ++i) {
    float& number = factors.block(0, 0)[i];
    const float right = std::exchange(number, number + 0.01f);
    EXPECT_NE(wrong_factors(made, factors).find("L times U is not the matrix in row " + std::to_string(i / 6 + 1)),
              std::string::npos);
    number = right;
  }
}

TEST(sparselu, a_matrix_that_needs_pivots_is_said_to) {
  block_matrix made = blocks_of_entries({3, {{0, 0, 2}, {0, 1, 4}, {1, 0, 1}, {1, 1, 2}, {1, 2, 1}, {2, 1, 1}}}, 3);
  block_matrix factors;
  factors.copy_from(made);
  factorise(factors.block(0, 0), 3);
  EXPECT_EQ(wrong_factors(made, factors),
            "without pivots this matrix has no factors: the number on the diagonal of row 2 became 0, or nearly so");
}

TEST(sparselu, the_made_matrix_has_the_suites_blocks) {
  const block_matrix made = make_sparse_matrix(14, 1, 1);
  EXPECT_TRUE(made.has(5, 5) && made.has(5, 6) && made.has(6, 5));
  EXPECT_TRUE(made.has(0, 4) && made.has(4, 0) && made.has(6, 12) && made.has(12, 6) && made.has(0, 12));
  EXPECT_FALSE(made.has(4, 8) || made.has(8, 4) || made.has(3, 6) || made.has(6, 3) || made.has(0, 3) || made.has(6, 11));
}

std::string matrix_refusal(std::string_view text) {
  matrix_entries read;
  return parse_matrix(text, read);
}

TEST(matrix_files, are_read) {
  matrix_entries read;
  ASSERT_EQ(parse_matrix("%%MatrixMarket matrix coordinate real symmetric\n% a comment\n3 3 4\n1 1 2.5\n2 2 4\n3 1 -1e0\n3 3 8\n",
                         read),
            "");
  EXPECT_EQ(read.rows, 3u);
  EXPECT_EQ(read.all.size(), 5u);
  const block_matrix blocks = blocks_of_entries(read, 2);
  ASSERT_EQ(blocks.n(), 2u);
  EXPECT_EQ(blocks.block(0, 0)[0], 2.5f);
  EXPECT_EQ(blocks.block(0, 1)[0], -1.0f);
  EXPECT_EQ(blocks.block(1, 0)[0], -1.0f);
  EXPECT_EQ(blocks.block(1, 1)[0], 8.0f);
  EXPECT_EQ(blocks.block(1, 1)[3], 1.0f) << "fills the block up";
}

TEST(matrix_files, are_read_from_arrays) {
  matrix_entries read;
  ASSERT_EQ(parse_matrix("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n", read), "");
  const block_matrix general = blocks_of_entries(read, 2);
  EXPECT_EQ(std::vector<float>(general.block(0, 0), general.block(0, 0) + 4), (std::vector<float>{1, 3, 2, 4}));
  ASSERT_EQ(parse_matrix("%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n", read), "");
  const block_matrix symmetric = blocks_of_entries(read, 2);
  EXPECT_EQ(std::vector<float>(symmetric.block(0, 0), symmetric.block(0, 0) + 4), (std::vector<float>{1, 2, 2, 3}));
  EXPECT_NE(matrix_refusal("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n").find("it ends where a number"),
            std::string::npos);
  EXPECT_NE(matrix_refusal("%%MatrixMarket matrix array real general\n1 1\ninf\n").find("line 3, column 1: 'inf' is not a"),
            std::string::npos);
}

TEST(matrix_files, say_where_they_are_wrong) {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  EXPECT_NE(matrix_refusal("").find("it is empty"), std::string::npos);
  EXPECT_NE(matrix_refusal("1 1 1\n").find("line 1, column 1: '1' begins no head"), std::string::npos);
  EXPECT_NE(matrix_refusal(head + "2 3 1\n1 1 1\n").find("line 2, column 3: it has 2 rows and 3 columns"), std::string::npos);
  EXPECT_NE(matrix_refusal(head + "2 2 2\n1 1 1\n").find("line 4, column 1: it ends where a row"), std::string::npos);
  EXPECT_NE(matrix_refusal(head + "2 2 1\n1 3 1\n").find("line 3, column 3: '3' is not a column, a whole number from 1 to 2"),
            std::string::npos);
  EXPECT_NE(matrix_refusal(head + "2 2 1\n1 1 x\n").find("line 3, column 5: 'x' is not a number"), std::string::npos);
  EXPECT_NE(matrix_refusal(head + "2 2 1\n1 1 1\n2 2 1\n").find("line 4, column 1: '2' stands behind the last of the 1"),
            std::string::npos);
}

// --- strassen

TEST(strassen, one_level_gives_the_product) {
  constexpr std::size_t n = 8, half = n / 2;
  std::vector<double> a(n * n), b(n * n), c(n * n), expected(n * n), memory(11 * half * half);
  for (std::size_t i = 0; i < n * n; ++i) {
    a[i] = static_cast<double>(i * 7 % 11) - 5;
    b[i] = static_cast<double>(i * 5 % 13) - 6;
  }
  const matrix_part whole_a{a.data(), n}, whole_b{b.data(), n}, whole_c{c.data(), n};
  multiply_directly({expected.data(), n}, whole_a, whole_b, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      ASSERT_EQ(expected[i * n + j], sum);
    }
  }
  matrix_part parts[11];
  for (std::size_t i = 0; i < 11; ++i) parts[i] = {memory.data() + i * half * half, half};
  const strassen_sums sums{{parts[0], parts[1], parts[2], parts[3]}, {parts[4], parts[5], parts[6], parts[7]}};
  add_quarters(sums, whole_a, whole_b, half);
  const auto quarter = [](const matrix_part& of, std::size_t i, std::size_t j) { return of.quarter(i, j, half); };
  multiply_directly(parts[8], quarter(whole_a, 0, 0), quarter(whole_b, 0, 0), half);
  multiply_directly(quarter(whole_c, 0, 0), quarter(whole_a, 0, 1), quarter(whole_b, 1, 0), half);
  multiply_directly(quarter(whole_c, 0, 1), sums.s[3], quarter(whole_b, 1, 1), half);
  multiply_directly(quarter(whole_c, 1, 0), quarter(whole_a, 1, 1), sums.t[3], half);
  multiply_directly(quarter(whole_c, 1, 1), sums.s[0], sums.t[0], half);
  multiply_directly(parts[9], sums.s[1], sums.t[1], half);
  multiply_directly(parts[10], sums.s[2], sums.t[2], half);
  combine_products(whole_c, parts[8], parts[9], parts[10], half);
  EXPECT_EQ(c, expected);
}

TEST(strassen, a_wrong_product_is_told_from_a_right_one) {
  constexpr std::size_t n = 4;
  std::vector<double> a(n * n), b(n * n), c(n * n);
  for (std::size_t i = 0; i < n * n; ++i) {
    a[i] = static_cast<double>(i * 7 % 11) - 5;
    b[i] = static_cast<double>(i * 5 % 13) - 6;
  }
  multiply_directly({c.data(), n}, {a.data(), n}, {b.data(), n}, n);
  EXPECT_TRUE(is_product(c.data(), a.data(), b.data(), n));
  for (double& each : c) {
    const double right = std::exchange(each, each + 1e-3);
    EXPECT_FALSE(is_product(c.data(), a.data(), b.data(), n));
    each = right;
  }
  c[5] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(is_product(c.data(), a.data(), b.data(), n));
}

TEST(strassen, squares_the_matrix_of_a_file) {
  const std::string path = testing::TempDir() + "strassen-" + TEFF_TEST_SIDE + ".mtx";
  const auto some = make_strassen();
  const auto refusal = [&](const char* text) {
    std::ofstream(path) << "%%MatrixMarket matrix coordinate real general\n" << text;
    return some->read_input(path, "");
  };
  EXPECT_NE(refusal("3 3 1\n1 1 1\n").find("' has 3 rows; allowed: 1, 2, 4 ... 16384"), std::string::npos);
  EXPECT_NE(refusal("2 2 1\n3 1 1\n").find("line 3, column 1: '3' is not a row"), std::string::npos);
  ASSERT_EQ(some->choose_size("n=4"), "");
  EXPECT_NE(refusal("4 4 1\n1 1 1\n").find("'n=' is for input that is made"), std::string::npos);
  ASSERT_EQ(some->choose_size("base=1,cutoff=manual"), "");
  EXPECT_EQ(refusal("4 4 3\n1 2 3\n2 1 0.5\n4 4 7\n"), "");
  EXPECT_EQ(some->size(), "n=4,base=1,cutoff=manual");
  some->prepare(1, 1);
  on_this_side(1, [&] { some->serial(); });
  EXPECT_EQ(some->verify(), "");
  EXPECT_EQ(some->tasks_run(), 56u);
  std::remove(path.c_str());
}

TEST(strassen, has_seven_tasks_for_each_one_that_is_divided) {
  const auto some = make_strassen();
  EXPECT_EQ(tasks_of(*some, "n=32,base=4,cutoff=none"), 7u + 49u + 343u);
  EXPECT_EQ(tasks_of(*some, "n=32,base=4,cutoff=manual"), 7u + 49u);
  EXPECT_EQ(tasks_of(*some, "n=8,base=8,cutoff=none"), 0u);
  EXPECT_EQ(tasks_of(*some, "n=8,base=1,cutoff=none"), 7u + 49u + 343u);
}

// --- sort

TEST(sort, sorts_any_number_of_integers) {
  const auto some = make_sort();
  for (const unsigned n : {0, 1, 2, 3, 4, 5, 21, 22, 100, 999}) {
    for (const unsigned threshold : {4, 5, 64, 1000})
      expect_both_versions_right(*some, "n=" + std::to_string(n) + ",threshold=" + std::to_string(threshold), "teff", 2);
  }
}

TEST(sort, a_merge_may_be_divided) {
  const std::vector<std::int64_t> one{1, 3, 3, 3, 5, 9}, other{3, 4, 4, 6, 10, 11, 12};
  std::vector<std::int64_t> expected = one, merged(one.size() + other.size());
  expected.insert(expected.end(), other.begin(), other.end());
  std::sort(expected.begin(), expected.end());
  for (const bool exchanged : {false, true}) {
    const auto part = [](const std::vector<std::int64_t>& of) { return sorted_part{of.data(), of.data() + of.size()}; };
    const merge_of_two all{part(exchanged ? other : one), part(exchanged ? one : other), merged.data()};
    const two_merges parts = divide_merge(all);
    EXPECT_EQ(parts.low.size() + parts.high.size(), all.size());
    EXPECT_LT(parts.low.size(), all.size());
    EXPECT_GT(parts.low.size(), 0u);
    merge_serially(parts.high);
    merge_serially(parts.low);
    EXPECT_EQ(merged, expected);
  }
}

// --- fft

TEST(fft, gives_the_sums_of_the_definition) {
  for (const std::size_t n : {1, 2, 4, 8, 32, 128}) {
    std::vector<std::complex<double>> input(n);
    for (std::size_t i = 0; i < n; ++i) input[i] = {static_cast<double>(i * i % 7) - 3, static_cast<double>(i % 5)};
    const auto output = fourier_transform(input);
    for (std::size_t k = 0; k < n; ++k) {
      std::complex<double> sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double angle = -2 * std::numbers::pi * static_cast<double>(i * k % n) / static_cast<double>(n);
        sum += input[i] * std::complex<double>(std::cos(angle), std::sin(angle));
      }
      EXPECT_LT(std::abs(output[k] - sum), 1e-10) << n << ", " << k;
    }
  }
}

TEST(fft, is_right_for_every_power_of_two) {
  const auto some = make_fft();
  for (unsigned n = 1; n <= 256; n *= 2) {
    for (const char* threshold : {"1", "3", "64"})
      expect_both_versions_right(*some, "n=" + std::to_string(n) + ",threshold=" + threshold, "teff", 2);
  }
}

// --- health

TEST(health, nobody_is_lost_and_staff_comes_back) {
  country some(3, 4, 1);
  EXPECT_EQ(some.villages(), 21u);
  EXPECT_EQ(some.people(), 10u * (8 + 4 * 4 + 16 * 2));
  std::uint64_t busy_at_most = 0;
  for (unsigned step = 0; step < 400; ++step) {
    for (auto number = static_cast<std::uint32_t>(some.villages()); number-- > 0;) some.advance(number);
    EXPECT_EQ(some.people_in_lists(), some.people());
    std::uint64_t busy = 0;
    for (std::uint32_t number = 0; number < some.villages(); ++number) {
      const village& each = some.at(number);
      EXPECT_EQ(each.free_staff + some.count(each.examined) + some.count(each.treated), 1u << each.level);
      busy += (1u << each.level) - each.free_staff;
    }
    busy_at_most = std::max(busy_at_most, busy);
  }
  EXPECT_GE(busy_at_most, 3u);
}

TEST(health, is_the_same_in_whatever_order_villages_take_their_steps) {
  country one(3, 4, 1), other(3, 4, 1);
  for (unsigned step = 0; step < 200; ++step) {
    for (std::uint32_t number = 21; number-- > 0;) one.advance(number);
    for (const std::uint32_t subtree : {3u, 1u, 4u, 2u}) {
      for (std::uint32_t i = 0; i < 4; ++i) other.advance(other.at(subtree).first_child + i);
      other.advance(subtree);
    }
    other.advance(0);
  }
  EXPECT_EQ(one.fingerprint_of_all(), other.fingerprint_of_all());
}

TEST(health, the_fingerprint_sees_who_heads_a_list_and_what_is_drawn_next) {
  std::vector<inhabitant> people(4, {list_of_people::nobody, list_of_people::nobody, 0});
  std::vector<village> villages(2, {1, 2, 0, 2, random_stream(1), {}, {}, {}, {}, {}});
  villages[0].healthy = {0, 1};
  villages[1].healthy = {2, 3};
  const std::uint64_t before = fingerprint_of_country(villages, people);
  std::swap(villages[0].healthy.first, villages[1].healthy.first);
  EXPECT_NE(fingerprint_of_country(villages, people), before);
  std::swap(villages[0].healthy.first, villages[1].healthy.first);
  std::swap(villages[0].healthy, villages[0].treated);
  EXPECT_NE(fingerprint_of_country(villages, people), before);
  std::swap(villages[0].healthy, villages[0].treated);
  EXPECT_EQ(fingerprint_of_country(villages, people), before);
  villages[1].fate.next();
  EXPECT_NE(fingerprint_of_country(villages, people), before);
}

TEST(health, has_a_task_for_each_village_and_step) {
  const auto some = make_workload("health");
  EXPECT_EQ(tasks_of(*some, "levels=4,cities=3,steps=5,cutoff=none"), 5u * (3 + 9 + 27));
  EXPECT_EQ(tasks_of(*some, "levels=4,cities=3,steps=5,cutoff=manual"), 5u * (3 + 9));
  EXPECT_EQ(tasks_of(*some, "levels=1,cities=3,steps=5,cutoff=none"), 0u);
  EXPECT_NE(some->choose_size("levels=8,cities=1000").find("too many villages; allowed: 1 ... 4000000"), std::string::npos);
}

// --- knapsack, floorplan

TEST(knapsack, the_optimum_is_the_best_of_all_choices) {
  const std::vector<knapsack_item> items{{3, 4}, {4, 5}, {7, 10}, {8, 11}, {9, 13}, {2, 1}, {5, 5}};
  for (std::int64_t capacity = 0; capacity <= 38; ++capacity) {
    std::int64_t best = 0;
    for (unsigned choice = 0; choice < 1u << items.size(); ++choice) {
      std::int64_t weight = 0, value = 0;
      for (std::size_t i = 0; i < items.size(); ++i) {
        if ((choice >> i & 1) == 0) continue;
        weight += items[i].weight;
        value += items[i].value;
      }
      if (weight <= capacity) best = std::max(best, value);
    }
    EXPECT_EQ(knapsack_optimum(items, capacity), best) << capacity;
  }
}

TEST(knapsack, the_search_finds_the_optimum_whatever_the_spread) {
  for (const char* spread : {"0", "1", "30", "1000"}) {
    for (const unsigned n : {1, 2, 9, 13}) tasks_of(*make_knapsack(), "cutoff=none,n=" + std::to_string(n) + ",spread=" + spread);
  }
}

/// Effect: expects the serial version to visit so many nodes, which its bound decides, and to find so much.
void expect_search(const char* name, const char* size, double nodes, double found) {
  const auto some = make_workload(name);
  tasks_of(*some, size);
  EXPECT_EQ(some->metrics().at(0).value.value(), nodes) << name << ' ' << size;
  EXPECT_EQ(some->metrics().at(1).value.value(), found) << name << ' ' << size;
}

TEST(knapsack, visits_as_many_nodes_as_its_bound_leaves) {
  expect_search("knapsack", "tiny", 85, 2'842);
  if (testing::Test::HasFailure()) return;  // without a bound the next one never ends
  expect_search("knapsack", "small", 9'257, 11'188);
}

TEST(floorplan, visits_as_many_nodes_as_its_bound_leaves) {
  expect_search("floorplan", "tiny", 19, 76);
  if (testing::Test::HasFailure()) return;  // without a bound the next one never ends
  expect_search("floorplan", "small", 3'249, 210);
}

/// Effect: lowers `least` to the least area of any floor that begins so.
void try_all(const std::vector<floor_cell>& cells, const floor_plan& begun, std::uint32_t& least) {
  if (begun.cells() == cells.size()) {
    least = std::min(least, begun.area());
    return;
  }
  const floor_cell& next = cells[begun.cells()];
  for (const cell_shape& shape : next.shapes) {
    for (std::size_t place = 0; place < places_of(begun.cells()); ++place) {
      if (const auto more = begun.with(next, shape, place)) try_all(cells, *more, least);
    }
  }
}

TEST(floorplan, the_area_is_the_least_of_all_floors) {
  const auto some = make_workload("floorplan");
  for (std::size_t n = 1; n <= 4; ++n) {
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    try_all(make_cells(n, 1), {}, least);
    tasks_of(*some, "n=" + std::to_string(n) + ",cutoff=none");
    EXPECT_EQ(some->metrics().at(1).value.value(), least);
  }
}

TEST(floorplan, cells_do_not_stand_on_each_other) {
  const std::vector<floor_cell> cells{
      {{{1, 1}}, {}}, {{{3, 1}}, {0, 0}}, {{{2, 2}}, {1, 0}}, {{{1, 1}, {2, 1}}, {2, 0}}, {{{1, 1}}, {1, 0}}};
  constexpr std::size_t right = 0, below = 1, right_of_other = 2, below_other = 3;
  const auto two = floor_plan().with(cells[0], {1, 1}, 0)->with(cells[1], {3, 1}, right);
  EXPECT_EQ(two->area(), 4u);
  EXPECT_FALSE(two->with(cells[2], {2, 2}, right_of_other)) << "where the second cell stands";
  const auto three = two->with(cells[2], {2, 2}, below);  // from (1, 1) to (3, 3)
  EXPECT_EQ(three->area(), 12u);
  EXPECT_TRUE(three->with(cells[3], {1, 1}, below_other)) << "just beside the third one";
  EXPECT_FALSE(three->with(cells[3], {2, 1}, below_other)) << "one too wide for that";
  EXPECT_TRUE(three->with(cells[3], {1, 1}, right));
  EXPECT_EQ(three->with(cells[3], {2, 1}, right)->area(), 15u);
}

TEST(floorplan, there_is_always_room_in_a_row) {
  const auto cells = make_cells(20, 5);
  ASSERT_EQ(cells.size(), 20u);
  floor_plan row;
  std::uint32_t sum = 0;
  for (const floor_cell& each : cells) {
    const auto more = row.with(each, each.shapes[0], 0);  // to the right of the one before: there is always room
    ASSERT_TRUE(more.has_value());
    row = *more;
    sum += std::uint32_t{each.shapes[0].width} * each.shapes[0].height;
  }
  EXPECT_GE(row.area(), sum);
}

}  // namespace
}  // namespace TEFF_NAMESPACE::apps
