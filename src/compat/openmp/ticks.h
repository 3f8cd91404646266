// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What goes on every few milliseconds, and is looked at for each task: SITES.md, *Fine tasks are sampled*.
#pragma once

#include "base/cache_line.h"
#include "base/region_count.h"
#include "compat/openmp/sampling.h"
#include "platform/platform.h"

#include <cstdint>

namespace TEFF_NAMESPACE::openmp {

/// Ticks of the `teff run --stats` around the process, which waits meanwhile: a load. Without one they are those of the coarse
/// clock, six times as dear.
///
/// Alone in its line: or else words of the program's locks lie beside it.
///
/// [tick] release by that process, which first says how long the last tick was back; acquire by who looks at that.
class alignas(cache_line_bytes) tick_source {
 public:
  /// Effect: ticks are those of the starter, if it makes some. Pre: no region began.
  void take(region_count& starter) {
    auto* const number = reinterpret_cast<counter*>(&starter.ticks.number);
    if (number->load(platform::relaxed) == 0) return;  // relaxed: nothing else is read
    starter_ = &starter.ticks;
    number_.store(number, platform::relaxed);  // relaxed: other threads begin later
  }

  /// Returns: another number than some milliseconds ago, the last tick's.
  [[gnu::always_inline]] std::uint64_t last() const {
    // relaxed: a mapping, there as long as the process; and a number by which nothing else is read.
    const counter* const number = number_.load(platform::relaxed);
    return number != nullptr ? number->load(platform::relaxed) : platform::recent_ns();
  }

  /// Whether at least half of so long a time was surely spent since a certain moment, up to now. `before` was the last tick then,
  /// is none now, and had been looked at when the time began: so what is not of it lies between that tick and the next one.
  bool is_mostly_behind(std::uint64_t before, std::uint64_t ns) const {
    // relaxed: who sees late that ticks are those of the clock takes what it has to be of the starter.
    if (starter_ == nullptr || before > number_at_most) return ns >= 2 * tick_ns;
    if (number_.load(platform::relaxed) == nullptr) return false;  // it is not known when the next one came
    read(starter_->number, platform::acquire);                     // [tick] the next one has come, and says when
    // [tick] acquire: if it was overwritten by a later one, that one's number, or the one before it, is seen below.
    const std::uint64_t next_ns = read(starter_->apart_ns[(before + 1) % region_ticks::kept], platform::acquire);
    const std::uint64_t passed = read(starter_->number, platform::acquire) - before;
    return passed < region_ticks::kept ? ns >= 2 * next_ns : 2 * (passed - 1) * region_ticks::least_apart_ns >= ns;
  }

  /// Effect: if that tick is still the last one, its process is taken to be gone, or stopped: from now on ticks are the coarse
  /// clock's.
  void give_up(std::uint64_t tick) {
    if (last() == tick) number_.store(nullptr, platform::relaxed);  // relaxed: as in last
  }

 private:
  using counter = platform::atomic<std::uint64_t>;
  static constexpr std::uint64_t number_at_most = 1'000'000'000;  ///< 23 days of ticks; the clock's second

  template <class Order>
  static std::uint64_t read(const std::uint64_t& shared, Order order) {
    return reinterpret_cast<const counter*>(&shared)->load(order);
  }

  platform::atomic<const counter*> number_{nullptr};
  const region_ticks* starter_ = nullptr;
};
static_assert(sizeof(platform::atomic<std::uint64_t>) == sizeof(region_ticks::number), "one may stand where the other is");

extern tick_source ticks;

}  // namespace TEFF_NAMESPACE::openmp
