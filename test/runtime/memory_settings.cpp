// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The settings of memory managers reach them through a team, and are refused where nobody has them.
#include "helpers.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace TEFF_NAMESPACE::testing_runtime {
namespace {

constexpr unsigned tasks = 24;

/// Returns: what a team of one counts while a task puts `tasks` others.
statistics counted(const char* memory, const std::vector<std::string>& settings) {
  statistics found;
  on_this_side(1, [&] {
    team on({.pool = "dq1", .memory = memory, .workers = 1, .settings = settings});
    on.init([](context& here) {
      for (unsigned i = 0; i < tasks; ++i) here.put([](context&) {});
    });
    on.run();
    found = on.stats();
  });
  return found;
}

bool has(const char* memory, const char* setting) {
  const auto lines = list_manager_settings(memory);
  return std::any_of(lines.begin(), lines.end(), [&](const setting_line& each) { return std::strcmp(each.name, setting) == 0; });
}

/// Effect: compares a counter between two values of a setting, for every manager that has it. Returns: how many these are.
int compare(const char* setting, const char* small, const char* large, const char* counter,
            const std::function<void(std::uint64_t, std::uint64_t, const char*)>& expect) {
  int managers = 0;
  for (const catalogue_line& memory : list_managers()) {
    if (!has(memory.name, setting)) continue;
    ++managers;
    const auto value = [&](const char* text) { return counted(memory.name, {std::string(setting) + "=" + text}).value(counter); };
    expect(value(small), value(large), memory.name);
  }
  return managers;
}

TEST(memory_settings, chunk_is_how_many_elements_come_at_once) {
  const auto fewer = [](std::uint64_t small, std::uint64_t large, const char* memory) {
    EXPECT_GE(small, 2 * tasks) << memory;  // a block and an argument for each
    EXPECT_LE(large, 4u) << memory;         // one for each kind; a second one of items where tasks and arguments are listed
  };
  EXPECT_EQ(compare("chunk", "1", "1000", "system_allocations", fewer), 9);
  EXPECT_EQ(counted("dgbkof", {"chunk=5"}).value("system_allocations"), 2u * 5);
}

TEST(memory_settings, list_is_how_many_elements_there_are_from_the_start) {
  const auto none = [](std::uint64_t small, std::uint64_t large, const char* memory) {
    EXPECT_GE(small, 2 * tasks - 2) << memory;
    EXPECT_EQ(large, 0u) << memory;
  };
  EXPECT_EQ(compare("list", "1", "100", "system_allocations", none), 3);
}

TEST(memory_settings, local_is_how_many_free_elements_a_worker_keeps) {
  // All that were needed at once end up free; those beyond the worker's own list go to the central one, at least two kinds.
  const auto more = [](std::uint64_t small, std::uint64_t large, const char* memory) {
    EXPECT_GE(small, large + 2 * (tasks - 3)) << memory;
  };
  EXPECT_EQ(compare("local", "2", "1000000", "central_locks", more), 9);
}

TEST(memory_settings, hold_for_teams_of_several) {
  for (const char* memory : {"cgbkob", "cgbk1b", "clf"}) {
    on_this_side(4, [&] {
      tree all(8);
      team on({.pool = "dq5",
               .memory = memory,
               .workers = 4,
               .settings = has(memory, "chunk") ? std::vector<std::string>{"chunk=3", "local=2", "wait=park"}
                                                : std::vector<std::string>{"local=2"}});
      for (int run = 1; run <= 3; ++run) {
        all.start(on);
        on.run();
        EXPECT_EQ(all.first_not_run(run), 0u);
      }
    });
  }
}

/// Returns: the sentence that refuses such a team.
std::string refusal(const char* memory, const char* setting) {
  return sentence_of([&] { team refused({.pool = "dq1", .memory = memory, .settings = {setting}}); });
}

TEST(memory_settings, wrong_values_are_named_with_the_allowed_ones) {
  for (const char* wrong : {"0", "1048577", "-1", "4x", "", " 4", "99999999999999999999"}) {
    const std::string named = "cannot be '" + std::string(wrong) + "'; allowed: ";
    EXPECT_EQ(refusal("cgbk", ("chunk=" + std::string(wrong)).c_str()), "setting chunk " + named + "1 … 1048576");
    EXPECT_EQ(refusal("bk", ("list=" + std::string(wrong)).c_str()), "setting list " + named + "1 … 1048576");
  }
  EXPECT_EQ(refusal("cl", "local=1"), "setting local cannot be '1'; allowed: 2 … 1000000");
  EXPECT_EQ(refusal("cl", "local=1000001"), "setting local cannot be '1000001'; allowed: 2 … 1000000");
  EXPECT_EQ(refusal("cl", "local"), "setting 'local' has no value: write name=value");
}

TEST(memory_settings, of_other_managers_are_refused) {
  EXPECT_EQ(refusal("dlf", "chunk=4"),
            "unknown setting of pool dq1 and memory manager dlf 'chunk': only others have it (elements that a memory "
            "manager asks the system for at once); allowed: wake, wait, stack, outside, domains, pin");
  EXPECT_EQ(refusal("cgbk1", "lokal=4"),
            "unknown setting of pool dq1 and memory manager cgbk1 'lokal'; did you mean 'local'? allowed: wake, wait, stack, "
            "outside, domains, pin, "
            "chunk, local");
  EXPECT_EQ(sentence_of([] { list_manager_settings("dlff"); }).substr(0, 53),
            "unknown memory manager 'dlff'; did you mean 'dlf'? al");
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_runtime
