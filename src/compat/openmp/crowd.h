// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How many threads are in regions at once.
#pragma once

#include "base/cache_line.h"
#include "platform/platform.h"

#include <cstdint>

namespace TEFF_NAMESPACE::openmp {

/// The threads of the process that are in regions with others: of several teams at once, where several threads of a program open
/// regions, or regions are nested. Where they are more than processors, a wait gives the processor away: who spins may hold up
/// another team. A hint: a team learns of it when its region begins, and keeps to that.
class crowd {
 public:
  /// Effect: so many threads are in regions besides. Returns: how many are in all.
  std::uint32_t enter(std::uint32_t threads) { return threads_.fetch_add(threads, platform::relaxed) + threads; }
  void leave(std::uint32_t threads) { threads_.fetch_sub(threads, platform::relaxed); }
  /// Effect: nobody is in a region. Pre: no region is open that will be closed, as in a child of fork().
  void begin_anew() { threads_.store(0, platform::relaxed); }

 private:
  alignas(cache_line_bytes) platform::atomic<std::uint32_t> threads_{0};  // relaxed: only numbers go by it
};

inline crowd threads_in_regions;

}  // namespace TEFF_NAMESPACE::openmp
