// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Built with switches that do not tell a fiber its new worker (stale_context/fiber/rules.h): forced migration has to find that.
#include "journey.h"

#include "fiber/rules.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

namespace TEFF_NAMESPACE::testing_fiber {
namespace {

static_assert(!fibers::rules::tells_context, "this test is built with the mutant's rules");

template <class Pool>
void expect_found() {
  const auto has_failed = [](int status) { return !WIFEXITED(status) || WEXITSTATUS(status) != 0; };
  const auto travel_and_exit = [] {
    std::uint64_t migrations = 0;
    const std::string problem = travel<Pool>(2, migrations, true);
    std::fputs(problem.c_str(), stderr);
    std::_Exit(problem.empty() ? 0 : 1);
  };
  EXPECT_EXIT(travel_and_exit(), has_failed, "");
}

TEST(stale_context_death, is_found) {
  expect_found<pool::sq1>();
  expect_found<pool::dq1>();
  expect_found<pool::dq5>();
  expect_found<pool::dq8>();
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_fiber
