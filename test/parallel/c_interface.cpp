// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Calls, loops and reductions through C.
#include "teff/teff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace {

struct call {
  unsigned n;
  unsigned result;
};

void fib(teff_worker* self, void* argument) {
  auto& own = *static_cast<call*>(argument);
  EXPECT_NE(self, nullptr);
  EXPECT_EQ(self, teff_self());
  own.result = own.n;
  if (own.n < 2) return;
  call one_before{own.n - 1, 0}, two_before{own.n - 2, 0};
  ASSERT_EQ(teff_join(fib, &one_before, fib, &two_before), TEFF_OK);
  own.result = one_before.result + two_before.result;
}

void nothing(teff_worker*, void*) {}
void fail(teff_worker*, void*) { throw std::runtime_error("planted"); }

TEST(c_parallel, joins_inside_and_outside_of_teams) {
  call number{12, 0}, again{10, 0};
  EXPECT_EQ(teff_self(), nullptr);
  EXPECT_EQ(teff_join(fib, &number, fib, &again), TEFF_OK);
  EXPECT_EQ(number.result, 144u);
  EXPECT_EQ(again.result, 55u);
  teff_team* team = nullptr;
  teff_worker* first = nullptr;
  ASSERT_EQ(teff_create(&team, "dq5", nullptr, 3, 0, nullptr, nullptr, 0), TEFF_OK);
  ASSERT_EQ(teff_worker_of(team, 0, &first), TEFF_OK);
  ASSERT_EQ(teff_init(first, fib, &number), TEFF_OK);
  EXPECT_EQ(teff_run(team), TEFF_OK);
  EXPECT_EQ(number.result, 144u);
  EXPECT_EQ(teff_finalize(&team), TEFF_OK);
}

TEST(c_parallel, self_puts_tasks) {
  std::atomic<int> runs{0};
  const auto put = [](teff_worker*, void* argument) {
    call small{5, 0};
    EXPECT_EQ(teff_join(fib, &small, nothing, nullptr), TEFF_OK);
    const auto count = [](teff_worker*, void* counter) { ++*static_cast<std::atomic<int>*>(counter); };
    EXPECT_EQ(teff_put(teff_self(), count, argument), TEFF_OK);
  };
  EXPECT_EQ(teff_join(put, &runs, put, &runs), TEFF_OK);
  EXPECT_EQ(teff_default_end(), TEFF_OK);  // when all tasks have run
  EXPECT_EQ(runs, 2);
}

TEST(c_parallel, loops_cover_all_indices_once) {
  for (const std::size_t grain : {TEFF_ANY_GRAIN, std::size_t{1}, std::size_t{100}}) {
    std::vector<std::atomic<int>> counts(1'000);
    struct both {
      std::vector<std::atomic<int>>& counts;
      std::size_t grain;
    } data{counts, grain};
    const auto body = [](std::size_t begin, std::size_t end, void* pointer) {
      const auto& own = *static_cast<both*>(pointer);
      EXPECT_LE(end - begin, own.grain);
      for (std::size_t i = begin; i < end; ++i) ++own.counts[i];
    };
    EXPECT_EQ(teff_parallel_for(10, 1'000, grain, body, &data), TEFF_OK);
    EXPECT_TRUE(std::all_of(counts.begin() + 10, counts.end(), [](const auto& each) { return each == 1; }));
    EXPECT_TRUE(std::all_of(counts.begin(), counts.begin() + 10, [](const auto& each) { return each == 0; }));
    EXPECT_EQ(teff_parallel_for(10, 10, grain, body, &data), TEFF_OK);
    EXPECT_EQ(teff_parallel_for(10, 9, grain, body, &data), TEFF_OK);
  }
}

void add_terms(std::size_t begin, std::size_t end, void* value, void*) {
  double sum = *static_cast<double*>(value);
  for (std::size_t i = begin; i < end; ++i) sum += std::sin(static_cast<double>(i));
  *static_cast<double*>(value) = sum;
}
void add_double(void* left, const void* right, void*) { *static_cast<double*>(left) += *static_cast<const double*>(right); }

TEST(c_parallel, reductions_are_bitwise_equal_each_time) {
  std::uint64_t first = 0;
  double in_order = 0;
  add_terms(0, 5'000, &in_order, nullptr);
  for (int round = 0; round < 20; ++round) {
    double sum = 0;
    ASSERT_EQ(teff_parallel_reduce(0, 5'000, TEFF_ANY_GRAIN, &sum, sizeof sum, add_terms, add_double, nullptr), TEFF_OK);
    EXPECT_NEAR(sum, in_order, 1e-9);
    if (round == 0) first = std::bit_cast<std::uint64_t>(sum);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(sum), first);
  }
  double untouched = 7;
  EXPECT_EQ(teff_parallel_reduce(5, 5, 1, &untouched, sizeof untouched, add_terms, add_double, nullptr), TEFF_OK);
  EXPECT_EQ(untouched, 7);
}

/// Vectors may lie in them: of a size that is kept in place, and of a larger one.
template <std::size_t Doubles>
void expect_aligned_copies() {
  struct alignas(64) row {
    double of[Doubles];
  };
  const auto is_aligned = [](const void* value) { return reinterpret_cast<std::uintptr_t>(value) % alignof(row) == 0; };
  static std::atomic<unsigned> wrong;
  static constexpr auto look = +is_aligned;
  wrong = 0;
  const auto body = [](std::size_t begin, std::size_t end, void* value, void*) {
    wrong += look(value) ? 0 : 1;
    for (double& each : static_cast<row*>(value)->of) each += static_cast<double>(end - begin);
  };
  const auto combine = [](void* left, const void* right, void*) {
    wrong += look(left) && look(right) ? 0 : 1;
    for (std::size_t each = 0; each < Doubles; ++each)
      static_cast<row*>(left)->of[each] += static_cast<const row*>(right)->of[each];
  };
  row all{};
  ASSERT_EQ(teff_parallel_reduce(0, 5'000, 16, &all, sizeof all, body, combine, nullptr), TEFF_OK);
  EXPECT_EQ(all.of[Doubles - 1], 5'000);
  EXPECT_EQ(wrong, 0u);
}

TEST(c_parallel, values_of_reductions_are_aligned) {
  expect_aligned_copies<8>();
  expect_aligned_copies<24>();
}

/// So many iterations that parts of any grain would be larger.
TEST(c_parallel, no_part_is_larger_than_the_grain) {
  constexpr std::size_t grain = 3;
  std::atomic<std::size_t> largest{0};
  const auto note = [](std::size_t begin, std::size_t end, void* pointer) {
    auto& seen = *static_cast<std::atomic<std::size_t>*>(pointer);
    for (std::size_t before = seen; before < end - begin && !seen.compare_exchange_weak(before, end - begin);) continue;
  };
  EXPECT_EQ(teff_parallel_for(0, 200'000, grain, note, &largest), TEFF_OK);
  EXPECT_EQ(largest, grain);
  largest = 0;
  int value = 0;
  const auto note_part = [](std::size_t begin, std::size_t end, void*, void* pointer) {
    auto& seen = *static_cast<std::atomic<std::size_t>*>(pointer);
    for (std::size_t before = seen; before < end - begin && !seen.compare_exchange_weak(before, end - begin);) continue;
  };
  EXPECT_EQ(teff_parallel_reduce(
                0, 20'000, grain, &value, sizeof value, note_part, [](void*, const void*, void*) {}, &largest),
            TEFF_OK);
  EXPECT_EQ(largest, grain);
}

/// What is combined need not commute: here each part has to begin where the one to its left ends.
TEST(c_parallel, reductions_combine_in_the_order_of_indices) {
  struct stretch {
    std::size_t begin = 0, end = 0;
    bool joined = true;
  } all;
  const auto cover = [](std::size_t begin, std::size_t end, void* value, void*) {
    auto& own = *static_cast<stretch*>(value);
    if (own.begin == own.end) own.begin = begin;
    own.end = end;
  };
  const auto append = [](void* left, const void* right, void*) {
    auto& own = *static_cast<stretch*>(left);
    const auto& other = *static_cast<const stretch*>(right);
    own.joined = own.joined && other.joined && own.end == other.begin;
    own.end = other.end;
  };
  EXPECT_EQ(teff_parallel_reduce(5, 5'000, 16, &all, sizeof all, cover, append, nullptr), TEFF_OK);
  EXPECT_TRUE(all.joined);
  EXPECT_EQ(all.begin, 5u);
  EXPECT_EQ(all.end, 5'000u);
}

TEST(c_parallel, values_of_reductions_may_be_large) {
  using histogram = std::array<unsigned, 100>;
  histogram all{};
  const auto count = [](std::size_t begin, std::size_t end, void* value, void*) {
    for (std::size_t i = begin; i < end; ++i) ++(*static_cast<histogram*>(value))[i % 100];
  };
  const auto combine = [](void* left, const void* right, void*) {
    for (std::size_t i = 0; i < 100; ++i) (*static_cast<histogram*>(left))[i] += (*static_cast<const histogram*>(right))[i];
  };
  EXPECT_EQ(teff_parallel_reduce(0, 10'000, 64, &all, sizeof all, count, combine, nullptr), TEFF_OK);
  EXPECT_TRUE(std::all_of(all.begin(), all.end(), [](unsigned each) { return each == 100; }));
}

TEST(c_parallel, loops_are_dealt_out_as_is_said) {
  std::vector<unsigned> counts(1'000);
  std::atomic<unsigned> parts;
  struct seen_by_loop {
    std::vector<unsigned>& counts;
    std::atomic<unsigned>& parts;
  } seen{counts, parts};
  const auto count = [](std::size_t begin, std::size_t end, void* data) {
    auto& own = *static_cast<seen_by_loop*>(data);
    ++own.parts;
    for (std::size_t i = begin; i < end; ++i) ++own.counts[i];
  };
  const auto deal = [&](teff_loop_by by, std::size_t grain) {
    counts.assign(counts.size(), 0);
    parts = 0;
    EXPECT_EQ(teff_parallel_for_by(0, counts.size(), by, grain, count, &seen), TEFF_OK);
    EXPECT_TRUE(std::all_of(counts.begin(), counts.end(), [](unsigned each) { return each == 1; }));
    return parts.load();
  };
  const auto workers = static_cast<unsigned>(teff_default_workers());
  deal(TEFF_BY_HALVES, TEFF_ANY_GRAIN);
  EXPECT_EQ(deal(TEFF_BY_EACH, TEFF_ANY_GRAIN), 1'000u);
  EXPECT_EQ(deal(TEFF_BY_EACH, 10), 100u);
  EXPECT_EQ(deal(TEFF_BY_EVEN, TEFF_ANY_GRAIN), workers);
  EXPECT_GE(deal(TEFF_BY_QUEUE, TEFF_ANY_GRAIN), workers);
  EXPECT_EQ(teff_parallel_for_by(0, 1, TEFF_BY_EVEN, 3, count, &seen), TEFF_BAD_GRAIN);
  EXPECT_EQ(teff_parallel_for_by(0, 1, TEFF_BY_EACH, 0, count, &seen), TEFF_BAD_GRAIN);
  EXPECT_EQ(teff_parallel_for_by(0, 1, static_cast<teff_loop_by>(4), 1, count, &seen), TEFF_BAD_DEALING);
  EXPECT_EQ(teff_parallel_for_by(0, 1, TEFF_BY_EACH, 1, nullptr, &seen), TEFF_NULL_POINTER);
}

TEST(c_parallel, misuse_is_answered) {
  double sum = 1;
  EXPECT_EQ(teff_join(nullptr, nullptr, nothing, nullptr), TEFF_NULL_POINTER);
  EXPECT_EQ(teff_join(nothing, nullptr, nullptr, nullptr), TEFF_NULL_POINTER);
  EXPECT_EQ(teff_parallel_for(0, 1, 1, nullptr, nullptr), TEFF_NULL_POINTER);
  EXPECT_EQ(teff_parallel_for(0, 1, 0, [](std::size_t, std::size_t, void*) {}, nullptr), TEFF_BAD_GRAIN);
  EXPECT_EQ(teff_parallel_reduce(0, 1, 0, &sum, sizeof sum, add_terms, add_double, nullptr), TEFF_BAD_GRAIN);
  EXPECT_EQ(teff_parallel_reduce(0, 1, 1, nullptr, sizeof sum, add_terms, add_double, nullptr), TEFF_NULL_POINTER);
  EXPECT_EQ(teff_parallel_reduce(0, 1, 1, &sum, sizeof sum, nullptr, add_double, nullptr), TEFF_NULL_POINTER);
  EXPECT_EQ(teff_parallel_reduce(0, 1, 1, &sum, sizeof sum, add_terms, nullptr, nullptr), TEFF_NULL_POINTER);
  EXPECT_EQ(teff_join(fail, nullptr, nothing, nullptr), TEFF_EXCEPTION);
  EXPECT_EQ(teff_join(nothing, nullptr, fail, nullptr), TEFF_EXCEPTION);
  const auto throwing = [](std::size_t, std::size_t, void*, void*) { throw 1; };
  EXPECT_EQ(teff_parallel_reduce(0, 100, 1, &sum, sizeof sum, throwing, add_double, nullptr), TEFF_EXCEPTION);
  EXPECT_EQ(sum, 1);
}

TEST(c_parallel, the_default_team_ends_when_no_call_goes_on) {
  EXPECT_GE(teff_default_workers(), 1);
  const auto end = [](teff_worker*, void* found) { *static_cast<teff_status*>(found) = teff_default_end(); };
  teff_status inside = TEFF_OK;
  EXPECT_EQ(teff_join(nothing, nullptr, end, &inside), TEFF_OK);
  EXPECT_EQ(inside, TEFF_NOT_NOW);
  EXPECT_EQ(teff_default_end(), TEFF_OK);
  EXPECT_EQ(teff_default_end(), TEFF_OK);
}

}  // namespace
