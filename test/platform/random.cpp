// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/platform.h"

#include <array>
#include <gtest/gtest.h>

namespace TEFF_NAMESPACE::platform {
namespace {

TEST(random, same_seed_same_numbers) {
  random one(42), two(42), other(43);
  bool differs = false;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t number = one.next();
    EXPECT_EQ(number, two.next());
    differs = differs || number != other.next();
  }
  EXPECT_TRUE(differs);
}

TEST(random, numbers_are_those_of_the_published_generator) {
  // The first outputs of SplitMix64 for the seed 1234567, as the reference implementation prints them.
  random generator(1234567);
  EXPECT_EQ(generator.next(), 6457827717110365317U);
  EXPECT_EQ(generator.next(), 3203168211198807973U);
  EXPECT_EQ(generator.next(), 9817491932198370423U);
}

TEST(random, below_stays_below_and_reaches_everything) {
  random generator(1);
  std::array<unsigned, 7> hits{};
  for (int i = 0; i < 7000; ++i) ++hits.at(generator.below(7));
  for (const unsigned count : hits) EXPECT_GT(count, 800U);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(generator.below(1), 0U);
}

}  // namespace
}  // namespace TEFF_NAMESPACE::platform
