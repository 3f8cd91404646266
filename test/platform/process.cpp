// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/platform.h"
#include "platform/process_wide.h"
#include "platform/sanitizers.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <linux/membarrier.h>
#include <memory>
#include <set>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

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

/// What it takes to fence other threads is asked for while there are none: later it takes milliseconds.
TEST(process_death, is_registered_for_fences_before_main) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const long known = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
        const bool possible = known >= 0 && (known & MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0;
        std::_Exit(possible && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0 ? 1 : 0);
      },
      testing::ExitedWithCode(0), "");
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

/// Whoever makes it first does not get on before it may.
struct made_slowly {
  made_slowly() noexcept {
    if (getpid() == first) {
      is_begun.store(true, release);
      while (!may_end.load(acquire)) std::this_thread::yield();
    }
    value = 7;
  }
  int value = 0;

  inline static const pid_t first = getpid();
  inline static atomic<bool> is_begun{false}, may_end{false};
};

TEST(process, an_object_that_another_thread_is_just_making_is_made_anew_in_a_child) {
  std::thread other([] { EXPECT_EQ(process_wide<made_slowly>().value, 7); });
  while (!made_slowly::is_begun.load(acquire)) std::this_thread::yield();
  for (const auto make : {&fork, &_Fork}) {
    EXPECT_TRUE(holds_in_child(
        [] {
          alarm(120);
          return process_wide<made_slowly>().value == 7;
        },
        make));
  }
  made_slowly::may_end.store(true, release);
  other.join();
  EXPECT_EQ(&process_wide<made_slowly>(), &process_wide<made_slowly>());
}

TEST(process, an_object_is_made_by_one_of_those_who_ask_and_the_others_find_it_whole) {
  static atomic<int> asked{0}, made{0};
  static constexpr int askers = 4;
  struct counted {
    counted() noexcept {
      while (asked.load(relaxed) < askers) std::this_thread::yield();
      is_whole = true;
      made.fetch_add(1, relaxed);
    }
    bool is_whole = false;
  };
  std::vector<std::thread> threads;
  for (int thread = 0; thread < askers; ++thread)
    threads.emplace_back([] {
      asked.fetch_add(1, relaxed);
      EXPECT_TRUE(process_wide<counted>().is_whole);
    });
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(made.load(relaxed), 1);
}

TEST(process, a_pointer_with_a_mark_is_there_in_the_process_of_the_mark_alone) {
  EXPECT_EQ(current_here(), nullptr);
  process_mark mark;
  int seen = 0, other = 0;
  set_current_here(&seen, &mark);
  EXPECT_EQ(current_here(), &seen);
  std::thread([] { EXPECT_EQ(current_here(), nullptr); }).join();
  for (const auto make : {&fork, &_Fork}) {
    EXPECT_TRUE(holds_in_child([] { return current_here() == nullptr; }, make));
    EXPECT_TRUE(holds_in_child(
        [&] {
          process_generation();
          process_mark of_child;
          if (current_here() != nullptr) return false;
          set_current_here(&other, &mark);
          if (current_here() != nullptr) return false;
          set_current_here(&other, &of_child);
          return current_here() == &other && holds_in_child([] { return current_here() == nullptr; });
        },
        make));
  }
  EXPECT_EQ(current_here(), &seen);
  set_current_here(nullptr, &mark);
  EXPECT_EQ(current_here(), nullptr);
  set_current_here(&seen, nullptr);
  EXPECT_EQ(current_here(), nullptr);
  set_current_here(&seen, &mark);
  mark.clear();
  EXPECT_EQ(current_here(), nullptr);
  {
    const process_mark gone;
    set_current_here(&seen, &gone);
    EXPECT_EQ(current_here(), &seen);
  }
  EXPECT_EQ(current_here(), nullptr);
  set_current_here(nullptr, nullptr);
}

TEST(process, marks_have_lines_of_their_own_which_the_next_ones_get) {
  constexpr unsigned marks = 200, room = 4 * 64;  // more than a page has room for
  std::set<std::uintptr_t> all;
  for (int round = 0; round < 3; ++round) {
    std::vector<std::unique_ptr<process_mark>> made;
    std::set<std::uintptr_t> lines;
    for (unsigned each = 0; each < marks; ++each) {
      made.push_back(std::make_unique<process_mark>());
      lines.insert(reinterpret_cast<std::uintptr_t>(&made.back()->place()) / 64);
      EXPECT_EQ(made.back()->place().load(relaxed), 1u);
    }
    EXPECT_EQ(lines.size(), marks);
    all.merge(lines);
    EXPECT_LE(all.size(), room);
    EXPECT_TRUE(holds_in_child([&] {
      const process_mark of_child;
      int seen = 0;
      set_current_here(&seen, made[marks / 2].get());
      return current_here() == nullptr && of_child.place().load(relaxed) == 1;
    }));
  }
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
