// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/loop/loop.h"

#include "helpers.h"

namespace TEFF_NAMESPACE::apps {
namespace {

TEST(loop, is_right_on_every_pool) {
  for (const catalogue_line& each : list_pools()) {
    for (const unsigned workers : {1u, 2u, 8u, 64u}) {
      expect_both_versions_right(*make_loop(), "tiny", each.name, workers);
      expect_both_versions_right(*make_loop(), "n=777,work=3,shape=ramp,by=reduce", each.name, workers);
    }
  }
}

TEST(loop, without_iterations_work_or_a_second_one) {
  for (const char* size :
       {"n=0,by=for", "n=0,by=reduce", "n=0,shape=ramp", "n=1,work=0", "n=1,work=0,by=reduce", "n=5,work=0,sweeps=40"})
    expect_both_versions_right(*make_loop(), size, "teff", 3);
}

TEST(loop, counts_iterations_of_all_sweeps) {
  const auto some = make_loop();
  expect_both_versions_right(*some, "n=12,work=1,sweeps=5", "dq8", 2);
  EXPECT_EQ(some->tasks_run(), 60u);
}

TEST(loop, a_run_that_did_nothing_or_too_much_is_wrong) {
  for (const char* size : {"n=10,work=0,by=for", "n=10,work=0,by=reduce"}) {
    const auto some = make_loop();
    ASSERT_EQ(some->choose_size(size), "");
    some->prepare(1, 1);
    EXPECT_NE(some->verify(), "");
    some->serial();
    EXPECT_EQ(some->verify(), "");
    ASSERT_EQ(some->choose_size("sweeps=2," + std::string(size)), "");
    EXPECT_NE(some->verify(), "");
  }
}

TEST(loop, sizes_are_checked) {
  const auto some = make_loop();
  EXPECT_NE(some->choose_size("n=100000001").find("100000001"), std::string::npos);
  EXPECT_NE(some->choose_size("sweeps=0").find("sweeps"), std::string::npos);
  EXPECT_NE(some->choose_size("by=hand").find("hand"), std::string::npos);
  EXPECT_EQ(some->choose_size("n=3,shape=ramp"), "");
  EXPECT_EQ(some->size(), "n=3,work=100,shape=ramp,sweeps=1,by=for");
}

#ifdef TEFF_SIMULATED
/// Returns: how long the serial version took.
double serial_time(const std::string& size) {
  const auto some = make_loop();
  EXPECT_EQ(some->choose_size(size), "");
  some->prepare(1, 1);
  sim::options options;
  options.processors_at_most = 1;
  const sim::outcome outcome = sim::simulate(options, [&] { some->serial(); });
  EXPECT_TRUE(outcome.ok()) << outcome.report;
  return static_cast<double>(outcome.time_ns);
}

/// A ramp's iterations take 0, 2, 4 … 1998 units.
TEST(loop, takes_the_time_that_its_shape_says) {
  const double nothing = serial_time("n=1000,work=0,by=reduce"), even = serial_time("n=1000,work=1000,by=reduce") - nothing;
  EXPECT_GT(even, 100'000);
  EXPECT_NEAR((serial_time("n=1000,work=1000,shape=ramp,by=reduce") - nothing) / even, 0.999, 1e-4);
  EXPECT_NEAR((serial_time("n=1000,work=1000,sweeps=3,by=reduce") - nothing) / even, 3, 1e-4);
}
#endif

}  // namespace
}  // namespace TEFF_NAMESPACE::apps
