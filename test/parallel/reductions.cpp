// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// parallel_reduce: the same bits, whoever computes them.
#include "scene.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace TEFF_NAMESPACE::testing_parallel {
namespace {

constexpr unsigned elements = 3'000;

double term(unsigned i) { return std::sin(static_cast<double>(i)) * std::ldexp(1.0, static_cast<int>(i % 60) - 30); }
double plus(double a, double b) { return a + b; }

std::uint64_t sum_bits(context& here, unsigned size, loop_options options = {}) {
  return std::bit_cast<std::uint64_t>(parallel_reduce(here, 0u, size, 0.0, term, plus, options));
}

/// The tree as parallel.hpp promises it.
double by_the_promise(unsigned begin, unsigned end, std::uint64_t grain) {
  if (end - begin <= grain) {
    double value = 0.0;
    for (unsigned i = begin; i < end; ++i) value = value + term(i);
    return value;
  }
  const unsigned cut = begin + (end - begin) / 2;
  const double left = by_the_promise(begin, cut, grain);
  return left + by_the_promise(cut, end, grain);
}

TEST(reductions, of_floating_point_numbers_are_bitwise_equal_on_all_pools_and_workers) {
  const auto expected = std::bit_cast<std::uint64_t>(by_the_promise(0, elements, reduction_grain(elements)));
  const auto with_grain = std::bit_cast<std::uint64_t>(by_the_promise(0, elements, 100));
  double in_order = 0.0;
  for (unsigned i = 0; i < elements; ++i) in_order += term(i);
  EXPECT_NE(std::bit_cast<std::uint64_t>(in_order), expected) << "the terms are too tame to show an order";
  EXPECT_NE(with_grain, expected);
  const auto compare = [&](context& here) {
    EXPECT_EQ(sum_bits(here, elements), expected);
    EXPECT_EQ(sum_bits(here, elements, {.grain = 100}), with_grain);
  };
  in_a_task_on_every_pool(2, compare);
  in_a_task_on_64_workers(2, compare);
}

TEST(reductions, are_bitwise_equal_under_every_seed) {
  constexpr unsigned size = 150;
  const auto expected = std::bit_cast<std::uint64_t>(by_the_promise(0, size, reduction_grain(size)));
  for (const char* pool : {"dq5", "dq8", "sq4"}) {
    in_a_task({.pool = pool, .workers = 3}, 100, [&](context& here) { EXPECT_EQ(sum_bits(here, size), expected); });
  }
}

TEST(reductions, keep_the_order_of_what_does_not_commute) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    const std::string letters = "the grain is the smallest part that is not divided any more";
    const auto join_texts = [](std::string a, const std::string& b) { return std::move(a) + b; };
    const auto text_of = [](char letter) { return std::string(1, letter); };
    EXPECT_EQ(parallel_reduce(here, letters, std::string(), text_of, join_texts), letters);
    EXPECT_EQ(parallel_reduce(here, letters, std::string(), text_of, join_texts, {.grain = 4}), letters);
  });
}

TEST(reductions, of_nothing_are_the_identity) {
  in_a_task({.pool = "dq5", .workers = 2}, 1, [](context& here) {
    const auto fail = [](int) -> int { throw std::runtime_error("called"); };
    EXPECT_EQ(parallel_reduce(here, 0, 0, 42, fail, std::plus<>()), 42);
    EXPECT_EQ(parallel_reduce(here, 3, -3, 42, fail, std::plus<>()), 42);
    EXPECT_EQ(parallel_reduce(std::vector<int>(), 42, fail, std::plus<>()), 42);
    EXPECT_NE(sentence_of([&] { parallel_reduce(here, 0, 0, 42, fail, std::plus<>(), {.grain = 0}); }).find("cannot be 0"),
              std::string::npos);
  });
}

TEST(reductions, hand_on_exceptions_of_map_and_combine_and_leave_nothing) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    census values;
    struct counted {
      census::token held;
      int sum;
    };
    const auto map = [&](int i) { return counted{values.make(), i}; };
    const auto failing_map = [&](int i) -> counted {
      if (i == 33) throw i;
      return {values.make(), i};
    };
    const auto failing_add = [](counted a, const counted& b) -> counted {
      if (b.sum > 200) throw std::runtime_error("planted");
      return {a.held, a.sum + b.sum};
    };
    EXPECT_THROW(parallel_reduce(here, 0, 64, 0, [&](int i) { return failing_map(i).sum; }, std::plus<>()), int);
    EXPECT_THROW(parallel_reduce(
                     here, 0, 64, std::make_shared<counted>(map(0)), [&](int i) { return std::make_shared<counted>(map(i)); },
                     [&](const std::shared_ptr<counted>& a, const std::shared_ptr<counted>& b) {
                       return std::make_shared<counted>(failing_add(*a, *b));
                     }),
                 std::runtime_error);
    EXPECT_EQ(values.alive(), 0);
  });
}

/// A value that is only copied, and whose copies fail one after the other: what was offered is settled before anything leaves.
TEST(reductions, whose_values_cannot_be_copied_any_more_leave_nothing) {
  struct copied {
    explicit copied(platform::atomic<int>& left, int sum) : left(&left), sum(sum) {}
    copied(const copied& from) : left(from.left), sum(from.sum) {
      if (left->fetch_add(-1, platform::relaxed) == 0) throw std::runtime_error("planted");
    }
    copied& operator=(const copied&) = default;
    platform::atomic<int>* left;
    int sum;
  };
  in_a_task_on_every_pool(1, [](context& here) {
    for (int copies = 0; copies < 60; ++copies) {
      platform::atomic<int> left{copies};
      platform::atomic<int> running{0};
      const auto map = [&](int i) {
        running.fetch_add(1, platform::relaxed);
        const copied made(left, i);
        running.fetch_add(-1, platform::relaxed);
        return made.sum;
      };
      const auto fold = [&] {
        return parallel_reduce(
            here, 0, 16, copied(left, 0), [&](int i) { return copied(left, map(i)); },
            [](const copied& a, const copied& b) { return copied(*a.left, a.sum + b.sum); }, {.grain = 1});
      };
      try {
        EXPECT_EQ(fold().sum, 120);
      } catch (const std::runtime_error& planted) {
        EXPECT_STREQ(planted.what(), "planted");
      }
      EXPECT_EQ(running.load(platform::relaxed), 0);
    }
  });
}

TEST(reductions, have_a_grain_that_depends_on_the_number_of_elements_alone) {
  EXPECT_EQ(reduction_grain(0), 1u);
  EXPECT_EQ(reduction_grain(1024), 1u);
  EXPECT_EQ(reduction_grain(1025), 2u);
  EXPECT_EQ(reduction_grain(10'000'000), 9'766u);
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_parallel
