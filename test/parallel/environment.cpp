// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the default team makes of its variables.
#include "runtime/environment.h"

#include "teff/teff.hpp"

#include <gtest/gtest.h>

namespace TEFF_NAMESPACE::testing_parallel {
namespace {

using runtime::wishes;

wishes understood(const variables& given) {
  std::vector<std::string> complaints;
  const wishes of = runtime::understand_environment(given, complaints);
  for (const std::string& each : complaints) ADD_FAILURE() << each;
  return of;
}

/// Returns: the one sentence about this variable.
std::string complaint(const std::string& name, const std::string& value) {
  std::vector<std::string> complaints;
  const wishes of = runtime::understand_environment({{name, value}}, complaints);
  const wishes standard = wishes();
  EXPECT_EQ(complaints.size(), 1u);
  EXPECT_TRUE(of.team.pool == standard.team.pool && of.team.memory == standard.team.memory &&
              of.team.workers == standard.team.workers && of.team.settings == standard.team.settings &&
              of.team.seed == standard.team.seed && of.stats == standard.stats)
      << "changed something";
  return complaints.empty() ? "" : complaints[0];
}

TEST(environment, chooses_everything) {
  const wishes of = understood({{"TEFF_NUM_THREADS", "3"},
                                {"TEFF_POOL", "dq5"},
                                {"TEFF_MEMORY", "clb"},
                                {"TEFF_WAIT", "power"},
                                {"TEFF_SEED", "18446744073709551615"},
                                {"TEFF_STATS", "1"},
                                {"TEFF_DISPLAY", "0"},
                                {"TEFF_WATCHDOG", "0.5"}});
  EXPECT_EQ(of.team.workers, 3u);
  EXPECT_EQ(of.team.pool, "dq5");
  EXPECT_EQ(of.team.memory, "clb");
  EXPECT_EQ(of.team.settings, std::vector<std::string>{"wait=park"});
  EXPECT_EQ(of.team.seed, ~std::uint64_t{0});
  EXPECT_TRUE(of.stats);
}

TEST(environment, that_is_empty_leaves_what_is_usual) {
  const wishes of = understood({{"TEFF_POOL", ""}, {"TEFF_NUM_THREADS", ""}});
  EXPECT_EQ(of.team.pool, team_options().pool);
  EXPECT_EQ(of.team.workers, 0u);
  EXPECT_FALSE(of.stats);
}

TEST(environment, every_mode_and_every_name_can_be_asked_for) {
  for (const char* mode : {"latency", "balanced", "power"}) understood({{"TEFF_WAIT", mode}});
  for (const catalogue_line& each : list_pools()) {
    for (const char* mode : {"latency", "balanced", "power"}) {
      runtime::team_plan plan;
      EXPECT_EQ(runtime::understand(understood({{"TEFF_POOL", each.name}, {"TEFF_WAIT", mode}}).team, plan), "");
    }
  }
  for (const catalogue_line& each : list_managers()) understood({{"TEFF_MEMORY", each.name}});
}

TEST(environment, has_settings_of_the_pool_and_the_manager) {
  const wishes of =
      understood({{"TEFF_SET", "victims=random,domains=2x4,local=7"}, {"TEFF_WAIT", "power"}, {"TEFF_NUM_THREADS", "8"}});
  EXPECT_EQ(of.team.settings, (std::vector<std::string>{"wait=park", "victims=random", "domains=2x4", "local=7"}));
  EXPECT_NE(complaint("TEFF_SET", "block=4").find("the variable TEFF_SET: unknown setting of pool teff"), std::string::npos);
  EXPECT_NE(complaint("TEFF_SET", "domains=3x").find("setting domains cannot be '3x'; allowed: cache, socket, node, or two numbers"),
            std::string::npos);
  EXPECT_NE(complaint("TEFF_SET", "nothing").find("setting 'nothing' has no value: write name=value; it is ignored"),
            std::string::npos);
}

TEST(environment, keeps_the_settings_beside_one_that_is_wrong) {
  std::vector<std::string> complaints;
  const wishes of = runtime::understand_environment(
      {{"TEFF_SET", "victims=random,wait=spin,domains=3x,local=7,block=4,lcoal=8,victims=linear,stack"}, {"TEFF_WAIT", "power"}},
      complaints);
  EXPECT_EQ(of.team.settings, (std::vector<std::string>{"wait=park", "victims=random", "local=7"}));
  ASSERT_EQ(complaints.size(), 6u);
  const std::string about = "the variable TEFF_SET: ";
  EXPECT_EQ(complaints[0], about + "setting wait is given twice; it is ignored, wait is park");
  EXPECT_EQ(complaints[1], about +
                               "setting domains cannot be '3x'; allowed: cache, socket, node, or two numbers from 1 to 1024 as 2x4; "
                               "it is ignored, domains is cache");
  EXPECT_NE(complaints[2].find("'block': only others have it"), std::string::npos);
  EXPECT_TRUE(complaints[2].ends_with("; it is ignored")) << complaints[2];
  EXPECT_NE(complaints[3].find("'lcoal'; did you mean 'local'?"), std::string::npos);
  EXPECT_TRUE(complaints[3].ends_with("; it is ignored")) << complaints[3];
  EXPECT_EQ(complaints[4], about + "setting victims is given twice; it is ignored, victims is random");
  EXPECT_EQ(complaints[5], about + "setting 'stack' has no value: write name=value; it is ignored, stack is 64K");
}

TEST(environment, is_answered_by_a_sentence_where_it_is_wrong) {
  EXPECT_EQ(complaint("TEFF_NUM_THREADS", "0"), "the variable TEFF_NUM_THREADS cannot be '0'; allowed: 1 … 256; it is ignored");
  for (const char* wrong : {"257", "-1", "two", "2x", " 2", "99999999999999999999"}) {
    EXPECT_NE(complaint("TEFF_NUM_THREADS", wrong).find("'" + std::string(wrong) + "'; allowed: 1 … 256"), std::string::npos);
  }
  EXPECT_NE(complaint("TEFF_POOL", "dq55").find("unknown pool 'dq55'; did you mean 'dq5'? allowed: sq1, "), std::string::npos);
  EXPECT_NE(complaint("TEFF_MEMORY", "dlg").find("unknown memory manager 'dlg'; did you mean "), std::string::npos);
  EXPECT_NE(complaint("TEFF_WAIT", "balance")
                .find("unknown way to wait 'balance'; did you mean 'balanced'? allowed: latency, balanced, power"),
            std::string::npos);
  EXPECT_EQ(complaint("TEFF_SEED", "-1"),
            "the variable TEFF_SEED cannot be '-1'; allowed: 0 … 18446744073709551615; it is ignored");
  EXPECT_EQ(complaint("TEFF_STATS", "yes"), "the variable TEFF_STATS cannot be 'yes'; allowed: 0, 1; it is ignored");
  EXPECT_EQ(complaint("TEFF_DISPLAY", "2"), "the variable TEFF_DISPLAY cannot be '2'; allowed: 0, 1; it is ignored");
  EXPECT_NE(complaint("TEFF_WATCHDOG", "soon").find("allowed: seconds from"), std::string::npos);
  EXPECT_NE(
      complaint("TEFF_NUM_THREAD", "2").find("unknown environment variable 'TEFF_NUM_THREAD'; did you mean 'TEFF_NUM_THREADS'?"),
      std::string::npos);
}

TEST(environment, is_known_to_the_public_list) {
  EXPECT_EQ(list_variables().size(), runtime::known_variables().size());
  EXPECT_EQ(wrong_variable("TEFF_SEED", "7"), "");
  EXPECT_NE(wrong_variable("TEFF_SEED", "x"), "");
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_parallel
