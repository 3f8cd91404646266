// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A run's memory is as new, whatever the run before it left there.
#include "sim/arena.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <gtest/gtest.h>

namespace TEFF_NAMESPACE::sim {
namespace {

TEST(arenas, are_zero_again_after_a_run_of_any_size) {
  constexpr std::size_t block = 512;
  for (const unsigned blocks : {1u, 2u, 10u, 100u, 300u}) {  // the last beyond what is zeroed by hand
    arena tested;
    for (unsigned run = 0; run < 2; ++run) {
      for (unsigned each = 0; each < blocks; ++each) {
        auto* const bytes = static_cast<unsigned char*>(tested.allocate(block, alignof(std::max_align_t)));
        ASSERT_NE(bytes, nullptr);
        EXPECT_TRUE(std::all_of(bytes, bytes + block, [](unsigned char byte) { return byte == 0; }))
            << "run " << run << ", block " << each << " of " << blocks;
        std::memset(bytes, 0xff, block);
      }
      tested.reset();
    }
  }
}

}  // namespace
}  // namespace TEFF_NAMESPACE::sim
