// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/synthetic/synthetic.h"

#include "helpers.h"

namespace TEFF_NAMESPACE::apps {
namespace {

TEST(synthetic, counts_are_those_of_table_4) {
  EXPECT_EQ(synthetic_task_count(15), 5'149u);
  EXPECT_EQ(synthetic_task_count(20), 57'290u);
  EXPECT_EQ(synthetic_task_count(25), 635'593u);
  EXPECT_EQ(synthetic_task_count(30), 7'049'122u);
  EXPECT_EQ(synthetic_task_count(31), 11'405'739u);
  EXPECT_EQ(synthetic_task_count(32), 18'454'894u);
  EXPECT_EQ(synthetic_task_count(33), 29'860'667u);
  EXPECT_EQ(synthetic_task_count(34), 48'315'596u);
  EXPECT_EQ(synthetic_task_count(35), 78'176'299u);
}

TEST(synthetic, runs_the_tasks_of_the_recurrence) {
  const auto some = make_synthetic();
  for (const unsigned k : {1, 2, 3, 10, 15}) {
    expect_both_versions_right(*some, "k=" + std::to_string(k) + ",f=0", "dq8", 2);
    EXPECT_EQ(some->tasks_run(), synthetic_task_count(k));
  }
}

TEST(synthetic, is_right_on_every_pool) {
  for (const catalogue_line& each : list_pools()) {
    for (const unsigned workers : {1u, 2u, 8u}) expect_both_versions_right(*make_synthetic(), "tiny", each.name, workers);
  }
}

TEST(synthetic, a_run_that_did_nothing_is_wrong) {
  const auto some = make_synthetic();
  some->prepare(1, 1);
  EXPECT_NE(some->verify(), "");
}

#ifdef TEFF_SIMULATED
TEST(synthetic, computes_for_the_time_of_the_productions) {
  // P(2) is A(1), which puts A(-1) and A(0), and A(0): 160 + 3 * 100 units of f cycles each, serially.
  sim::options options;
  options.machine.cycles_per_ns = 1;
  const auto time = [&](const std::string& size) {
    const auto some = make_synthetic();
    EXPECT_EQ(some->choose_size(size), "");
    some->prepare(1, 1);
    return sim::simulate(options, [&] { some->serial(); }).time_ns;
  };
  EXPECT_EQ(time("k=2,f=1000") - time("k=2,f=0"), 460'000u);
}
#endif

}  // namespace
}  // namespace TEFF_NAMESPACE::apps
