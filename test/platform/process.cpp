// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/platform.h"
#include "platform/sanitizers.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace TEFF_NAMESPACE::platform {
namespace {

/// Returns: what `condition` says in a child process.
template <class Condition>
bool holds_in_child(Condition condition, pid_t (*make)() = &fork) {
  const pid_t child = make();
  if (child == 0) _exit(condition() ? 0 : 1);
  int status = -1;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(process, generation_changes_in_the_child_only) {
  const std::uint64_t before = process_generation();
  EXPECT_TRUE(holds_in_child([before] { return process_generation() != before; }));
  EXPECT_EQ(process_generation(), before);
}

TEST(process, generation_changes_in_a_child_for_which_no_handler_is_called) {
  const std::uint64_t before = process_generation();
  EXPECT_TRUE(holds_in_child([before] { return process_generation() != before; }, &_Fork));
  EXPECT_EQ(process_generation(), before);
}

TEST(process, generation_of_a_grandchild_differs_from_the_child) {
  process_generation();
  EXPECT_TRUE(holds_in_child([] {
    const std::uint64_t child = process_generation();
    return holds_in_child([child] { return process_generation() != child; });
  }));
}

TEST(process, a_thread_is_alone_or_not) {
#if !defined(TEFF_THREAD_SANITIZER)  // that has a thread of its own, also in the child of a process without others
  EXPECT_TRUE(holds_in_child([] { return is_only_thread(); }));
#endif
  std::thread beside;
  atomic<bool> ends{false};
  beside = std::thread([&] {
    while (!ends.load(acquire)) std::this_thread::yield();
  });
  EXPECT_FALSE(is_only_thread());
  EXPECT_TRUE(holds_in_child([] { return is_only_thread(); }));
  EXPECT_TRUE(holds_in_child([] { return is_only_thread(); }, &_Fork));
  ends.store(true, release);
  beside.join();
}

TEST(process, machine_is_known_in_the_child) {
  const unsigned here = machine().usable_processors;
  EXPECT_TRUE(holds_in_child([here] { return machine().usable_processors == here; }));
}

}  // namespace
}  // namespace TEFF_NAMESPACE::platform
