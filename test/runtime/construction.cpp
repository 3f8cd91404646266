// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A team that cannot be made for want of memory leaves no thread, no memory and no damage. A program of its own, because it
/// replaces operator new.
#include "helpers.h"

#include <cstdlib>
#include <new>

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

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_runtime
