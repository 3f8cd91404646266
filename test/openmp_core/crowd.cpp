// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which teams know that too many threads are in regions.
#include "compat/openmp/crowd.h"

#include "compat/openmp/entry.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <functional>
#include <thread>
#include <utility>

namespace TEFF_NAMESPACE::openmp {
namespace {

/// Effect: opens a region of so many threads; its first member runs the body.
void in_region(unsigned threads, std::function<void(bool crowded)> body) {
  const auto part = [](void* data) {
    member& current = self();
    if (current.id == 0) (*static_cast<std::function<void(bool)>*>(data))(current.in.crowded.load(platform::relaxed));
  };
  run_region(part, &body, threads, 0);
}

/// Effect: the same, by a thread of its own, as soon as it is there.
void in_region_of_another_thread(unsigned threads, const std::function<void(bool crowded)>& body) {
  std::thread another(in_region, threads, body);
  another.join();
}

TEST(crowd, is_of_all_teams_whose_regions_are_open) {
  const unsigned all = processors();
  unsigned calls = 0;
  in_region(all, [&](bool alone) {
    EXPECT_FALSE(alone);
    in_region_of_another_thread(std::max(2u, all), [&](bool crowded) {
      EXPECT_TRUE(crowded);
      ++calls;
    });
    in_region_of_another_thread(1, [&](bool crowded) {
      EXPECT_FALSE(crowded) << "a thread without others waits for nobody";
      ++calls;
    });
  });
  in_region(all, [&](bool crowded) {
    EXPECT_FALSE(crowded) << "the others are over";
    ++calls;
  });
  in_region(all + 1, [&](bool crowded) {
    EXPECT_TRUE(crowded);
    ++calls;
  });
  EXPECT_EQ(calls, 4u);
}

TEST(crowd, has_the_opener_of_a_region_inside_once) {
  const unsigned outer = std::max(2u, processors());
  const auto threads = [] { return threads_in_regions.enter(0); };
  const unsigned levels = std::exchange(own_icvs(self()).active_levels, 2);
  in_region(outer, [&](bool) {
    EXPECT_EQ(threads(), outer);
    in_region(2, [&](bool crowded) {
      EXPECT_TRUE(crowded);
      EXPECT_EQ(threads(), outer + 1);
    });
    in_region(1, [&](bool) { EXPECT_EQ(threads(), outer); });
  });
  EXPECT_EQ(threads(), 0u);
  own_icvs(self()).active_levels = levels;
}

TEST(crowd, is_left_when_a_thread_ends_inside_of_a_region) {
  std::thread ending([] { in_region(2, [](bool) { pthread_exit(nullptr); }); });
  ending.join();
  EXPECT_EQ(threads_in_regions.enter(0), 0u);
}

}  // namespace
}  // namespace TEFF_NAMESPACE::openmp
