// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/stack.h"

#include "platform/platform.h"
#include "platform/sanitizers.h"
#include "test/support/address_space.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <unistd.h>

namespace TEFF_NAMESPACE::platform {
namespace {

constexpr std::size_t wanted = 512 * 1024;

/// Effect: writes to each page that is said to be there. Returns: how much that is.
std::size_t use_what_is_left() {
  const std::size_t left = thread_stack_left(wanted);
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  auto* const here = static_cast<volatile char*>(__builtin_frame_address(0));
  // From a function's own frame on down: nobody has anything there.
  for (std::size_t below = 2 * page; below + page < left; below += page) here[-static_cast<std::ptrdiff_t>(below)] = 1;
  return left;
}

#if !defined(TEFF_THREAD_SANITIZER) && !defined(TEFF_ADDRESS_SANITIZER)

/// What of the first thread's stack is not there yet may be refused: whoever uses it then is ended by a signal.
TEST(stack_death, of_the_first_thread_is_counted_as_far_as_it_is_there) {
  EXPECT_EXIT(
      {
        testing_support::leave_address_space_of(64 * 1024);
        std::_Exit(use_what_is_left() < wanted / 8 * 7 ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(
      {
        testing_support::leave_address_space_of(64 * wanted);
        std::_Exit(use_what_is_left() > wanted / 8 * 7 ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

#endif

TEST(stack, of_another_thread_is_there_as_a_whole) {
  thread other;
  std::size_t left = 0;
  ASSERT_TRUE(other.start([](void* into) { *static_cast<std::size_t*>(into) = use_what_is_left(); }, &left, {}));
  other.join();
  EXPECT_EQ(left, wanted);
}

}  // namespace
}  // namespace TEFF_NAMESPACE::platform
