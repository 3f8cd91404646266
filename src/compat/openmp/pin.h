// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Looks up the tree of tasks, while others take closed ones out of it: README.md, *Tasks that ended before their children*.
#pragma once

#include "base/assert.h"
#include "compat/openmp/team.h"

namespace TEFF_NAMESPACE::openmp {

/// As long as it lives, the nodes above a task that has not ended are there, also those from which another thread takes away what
/// is below them.
///
/// Cost: a load and two stores. Threads: the member's.
class [[nodiscard]] pin {
 public:
  explicit pin(const member& current) : of_(current.pinned) {
    TEFF_ASSERT(of_.load(platform::relaxed) == 0, "one look up the tree at a time");
    // release: who reads it, or what comes later, sees that an earlier look is over. [retired]
    of_.store(current.in.of_nodes.now(), platform::release);
    platform::fence_of_compiler();  // [retired]
  }
  ~pin() { of_.store(0, platform::release); }  // [retired]
  pin(const pin&) = delete;
  pin& operator=(const pin&) = delete;

 private:
  platform::atomic<std::uint32_t>& of_;
};

}  // namespace TEFF_NAMESPACE::openmp
