// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/fib/fib.h"

#include "helpers.h"

namespace TEFF_NAMESPACE::apps {
namespace {

TEST(fib, runs_a_task_for_each_call) {
  const auto some = make_fib();
  const std::uint64_t calls[] = {1, 1, 3, 5, 9, 15, 25};
  for (unsigned n = 0; n < std::size(calls); ++n) {
    for (const char* by : {"group", "future", "join"}) {
      expect_both_versions_right(*some, "n=" + std::to_string(n) + ",by=" + by, "dq8", 2);
      EXPECT_EQ(some->tasks_run(), calls[n]);
    }
  }
}

TEST(fib, is_right_on_every_pool) {
  for (const catalogue_line& each : list_pools()) {
    for (const unsigned workers : {1u, 2u, 8u, 64u}) {
      expect_both_versions_right(*make_fib(), "tiny", each.name, workers);
      expect_both_versions_right(*make_fib(), "n=9,by=future", each.name, workers);
      expect_both_versions_right(*make_fib(), "n=12,by=join", each.name, workers);
    }
  }
}

/// The suite's own count for fib(33) with its standard cut-off, and the root.
TEST(fib, has_tasks_down_to_the_cut_off) {
  const auto some = make_fib();
  for (const char* by : {"group", "future", "join"}) {
    expect_both_versions_right(*some, "n=16,cutoff=manual,by=" + std::string(by), "dq8", 2);
    EXPECT_EQ(some->tasks_run(), 1'769u);
  }
  expect_both_versions_right(*some, "n=21,cutoff=manual,by=group", "teff", 3);
  EXPECT_EQ(some->tasks_run(), 2'047u);
}

TEST(fib, a_run_that_did_nothing_is_wrong) {
  const auto some = make_fib();
  some->prepare(1, 1);
  EXPECT_NE(some->verify(), "");
}

TEST(fib, sizes_are_checked) {
  const auto some = make_fib();
  EXPECT_NE(some->choose_size("n=51").find("51"), std::string::npos);
  EXPECT_NE(some->choose_size("by=thread").find("thread"), std::string::npos);
  EXPECT_EQ(some->choose_size("n=3"), "");
  EXPECT_EQ(some->size(), "n=3,by=group,cutoff=none");
}

/// Returns: the most fibers that existed at once while fib(n) ran by groups.
std::uint64_t peak_fibers(const std::string& pool, unsigned workers, unsigned n) {
  const auto some = make_fib();
  EXPECT_EQ(some->choose_size("n=" + std::to_string(n)), "");
  some->prepare(1, workers);
  std::uint64_t peak = 0;
  on_this_side(workers, [&] {
    team made({.pool = pool, .workers = workers});
    some->tasks(made);
    peak = made.stats().peak_fibers;
  });
  EXPECT_EQ(some->verify(), "");
  return peak;
}

/// Narlikar & Blelloch 1998, §3.2, in kind: the order of tasks decides how many threads of control are alive.
TEST(fib, newest_first_keeps_few_fibers_and_oldest_first_many) {
  constexpr unsigned n = 16;  // 3,193 calls, 987 + 609 of them leaves
  for (const unsigned workers : {1u, 2u, 4u}) {
    for (const char* pool : {"teff", "sq1", "sq2", "dq1", "dq2", "dq3", "dq5", "dq6", "dq7", "dq8", "sdq1"}) {
      EXPECT_LE(peak_fibers(pool, workers, n), (n + 2) * workers) << pool << " on " << workers;
    }
    for (const char* pool : {"sq3", "sq4"}) EXPECT_GE(peak_fibers(pool, workers, n), 500u) << pool << " on " << workers;
  }
}

}  // namespace
}  // namespace TEFF_NAMESPACE::apps
