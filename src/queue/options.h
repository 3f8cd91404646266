// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mem/memory.h"
#include "platform/platform.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace TEFF_NAMESPACE::queue {

/// What shared queues are built from; each takes what it needs.
struct options {
  mem::memory& memory;
  platform::lock_kind lock = platform::lock_kind::mutex;
  std::uint32_t capacity = 4096;  ///< tasks that an array has room for from the start
  unsigned workers = 1;           ///< that will use the queue
  std::uint32_t queues = 1;       ///< of which a queue of queues consists
  std::uint64_t seed = 1;         ///< of generators that are no worker's own
};

/// The names of the settings that a queue uses, put together from those of its parts.
template <std::size_t... Counts>
constexpr auto joined_names(const std::array<const char*, Counts>&... parts) {
  std::array<const char*, (Counts + ...)> all{};
  std::size_t at = 0;
  const auto append = [&](const auto& names) {
    for (const char* name : names) all[at++] = name;
  };
  (append(parts), ...);
  return all;
}

}  // namespace TEFF_NAMESPACE::queue
