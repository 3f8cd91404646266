// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where memory is refused: a team that cannot be made leaves no thread, no memory and no damage; a run that cannot go on says
/// so. A program of its own, because it replaces operator new.
#include "helpers.h"

#include <teff/sync.hpp>

#include <csignal>
#include <cstdlib>
#include <new>
#include <thread>
#include <unistd.h>

namespace {
// Negative: nothing is refused. Only the thread that makes teams allocates while it is not.
long granted = -1;
}  // namespace

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  if (granted == 0) throw std::bad_alloc();
  if (granted > 0) --granted;
  if (void* block = std::malloc(bytes)) return block;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  if (granted == 0) throw std::bad_alloc();
  if (granted > 0) --granted;
  const auto unit = static_cast<std::size_t>(alignment);
  if (void* block = std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit)) return block;
  throw std::bad_alloc();
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void* operator new[](std::size_t bytes, std::align_val_t alignment) { return operator new(bytes, alignment); }
[[gnu::noinline]] void operator delete(void* block) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::size_t) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete[](void* block) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete[](void* block, std::size_t) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete[](void* block, std::align_val_t) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }

namespace TEFF_NAMESPACE::testing_runtime {
namespace {

/// Returns: whether the team could be made, and then works, with so many allocations granted to its construction.
bool made_with(long allocations, const std::string& pool) {
  team_options options{.pool = pool, .workers = 4, .settings = {"wait=park"}};
  granted = allocations;
  try {
    team on(std::move(options));
    granted = -1;
    tree tasks(5);
    tasks.start(on);
    on.run();
    EXPECT_EQ(tasks.first_not_run(1), 0u);
    return true;
  } catch (const std::bad_alloc&) {
    granted = -1;
    return false;
  }
}

TEST(construction, without_memory_throws_wherever_it_is_refused) {
  static_cast<void>(platform::machine());  // read once per process
  for (const std::string& pool : pool_names()) {
    long allocations = 0;
    while (!made_with(allocations, pool)) ASSERT_LT(++allocations, 1000) << pool;
    EXPECT_GT(allocations, 4) << pool;
  }
}

/// The worker gets no stack, so that its task waits on the thread's own; for itself, and without memory.
[[noreturn]] void wait_for_itself_without_stack_and_memory() {
  platform::stack_supply::plan_refusal(0);
  team on({.pool = "sq4", .workers = 1});
  task_group group;
  on.init([&](context& here) {
    group.put(here, [&](context& below) {
      granted = 0;
      group.wait(below);
    });
    group.wait(here);
  });
  on.run();
  std::_Exit(0);
}

// What was thrown for want of memory left through the task that waited: its fiber was woken twice, or the program died of it.
TEST(construction_death, the_end_is_told_without_memory) {
  EXPECT_EXIT(wait_for_itself_without_stack_and_memory(), ::testing::KilledBySignal(SIGABRT),
              "teff: the run cannot end, and there is no memory to say why.*own stack.*the program ends here");
}

/// A task waits for a lock that it has, and that a thread outside might open, as far as can be told without memory. Ends the
/// process when that is said.
[[noreturn]] void wait_for_an_outsider_without_memory(long allocations) {
  int ends[2];
  if (pipe(ends) != 0) std::_Exit(1);
  const int standard_error = dup(STDERR_FILENO);
  dup2(ends[1], STDERR_FILENO);
  alarm(60);
  std::thread([from = ends[0], standard_error] {
    // It has told that a stack was refused, too: one write each.
    char text[512];
    for (ssize_t bytes; (bytes = read(from, text, sizeof text)) > 0;) {
      const std::string_view said(text, static_cast<std::size_t>(bytes));
      if (write(standard_error, said.data(), said.size()) != bytes) std::_Exit(1);
      if (said.find("outside") != said.npos) std::_Exit(0);
    }
  }).detach();
  team on({.pool = "sq4", .workers = 1});
  event from_outside;
  on.init([&](context&) {
    granted = allocations;
    from_outside.wait();
  });
  on.run();
  std::_Exit(1);
}

TEST(construction_death, a_wait_for_somebody_outside_is_told_without_memory) {
  // With none there is no thread that looks later; with a few there is, but then it sees nothing.
  for (const long allocations : {0, 1, 2, 3}) {
    SCOPED_TRACE(allocations);
    EXPECT_EXIT(wait_for_an_outsider_without_memory(allocations), ::testing::ExitedWithCode(0),
                "teff: no task can go on, unless a thread outside of the team helps .no");
  }
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_runtime
