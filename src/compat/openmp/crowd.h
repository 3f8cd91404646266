// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How many threads are in regions at once, or nearly.
#pragma once

#include "base/cache_line.h"
#include "platform/platform.h"

#include <algorithm>
#include <cstdint>
#include <utility>

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

/// The threads of the regions that each thread of the program opened lately, outside of others: most may be at work in between,
/// or asleep, and come back while another one's region waits. A hint. Cost, if several threads open regions: a look at the clock.
class openers {
 public:
  /// What an opener is counted with.
  class own {
   public:
    own() = default;
    own(const own&) = delete;
    own& operator=(const own&) = delete;
    ~own() {
      if (all_ != nullptr) all_->leave(*this);
    }

   private:
    friend openers;
    openers* all_ = nullptr;  ///< in which it is counted
    std::uint64_t period_ = 0;
    std::uint32_t threads_ = 0;
  };

  /// Effect: there are none, as in a child of fork(), whose thread that is.
  void begin_anew(own& opener) {
    opener.all_ = nullptr;
    opener.period_ = opener.threads_ = 0;
    count_.store(0, only_numbers);
    for (auto& each : slots_) each.store(0, only_numbers);
  }
  /// Effect: an opener begins a region of so many threads. Returns: how many there were lately, in all.
  std::uint32_t open(own& opener, std::uint32_t threads) {
    if (std::exchange(opener.all_, this) == nullptr) count_.fetch_add(1, only_numbers);
    if (count_.load(only_numbers) == 1) return threads;
    const std::uint64_t now = platform::now_ns() / period_ns;
    if (std::exchange(opener.period_, now) != now) opener.threads_ = 0;
    if (opener.threads_ < threads) add(now, threads - std::exchange(opener.threads_, threads));
    return std::max(in(now), in(now - 1));
  }

 private:
  static constexpr std::uint64_t period_ns = 16'000'000;
  static constexpr platform::order only_numbers = platform::relaxed;  // nothing else goes by them

  /// Of one period in two. The upper half says which.
  platform::atomic<std::uint64_t>& slot_of(std::uint64_t period) { return slots_[period % 2]; }
  static bool is_of(std::uint64_t slot, std::uint64_t period) { return slot >> 32 == (period & 0xffff'ffff); }
  std::uint32_t in(std::uint64_t period) {
    const std::uint64_t slot = slot_of(period).load(only_numbers);
    return is_of(slot, period) ? static_cast<std::uint32_t>(slot) : 0;
  }
  void add(std::uint64_t period, std::uint32_t threads) {
    std::uint64_t seen = slot_of(period).load(only_numbers);
    std::uint64_t next;
    do next = (is_of(seen, period) ? seen : period << 32) + threads;
    while (!slot_of(period).compare_exchange(seen, next, only_numbers));
  }
  void leave(const own& opener) {
    count_.fetch_sub(1, only_numbers);
    std::uint64_t seen = slot_of(opener.period_).load(only_numbers);
    bool done = false;
    while (is_of(seen, opener.period_) && !done)
      done = slot_of(opener.period_).compare_exchange(seen, seen - opener.threads_, only_numbers);
  }

  alignas(cache_line_bytes) platform::atomic<std::uint32_t> count_{0};
  platform::atomic<std::uint64_t> slots_[2] = {};
};

inline openers all_openers;

}  // namespace TEFF_NAMESPACE::openmp
