// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sim/operation.h"
#include "sim/sim.h"

#include <cstdint>
#include <limits>
#include <memory>

namespace TEFF_NAMESPACE::sim {

/// Who goes on: the contract of a strategy. It keeps the processors that could run but do not; the running one is not among
/// them. Clocks are in cycles.
class chooser {
 public:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  virtual ~chooser() = default;

  /// Effect: the processor could run from `clock` on.
  virtual void add(processor_id which, std::uint64_t clock) = 0;

  /// A scheduling point. Returns: who goes on, possibly `running` itself; if it is another one, `running` was added in its place.
  virtual processor_id next_after(processor_id running, std::uint64_t clock) = 0;

  /// The running one cannot go on. Returns: who does, or nobody.
  virtual processor_id next() = 0;

  /// Returns: the earliest clock of those that could run; never if there are none.
  virtual std::uint64_t earliest() const = 0;

  /// The running processor waits for others in a loop: whoever starves others must let them go on.
  virtual void yielded(processor_id) {}

  /// Returns: a number below `count`: which of several waiters is woken.
  virtual std::uint32_t pick(std::uint32_t) { return 0; }

  /// Returns: whether this park returns early.
  virtual bool spurious_wakeup() { return false; }

  /// Returns: whether it never leaves a processor at such an operation, which touches nothing that others see.
  virtual bool indifferent_to(operation) const { return false; }

  /// Returns: whether a recorded choice was not possible.
  virtual bool diverged() const { return false; }
};

/// One file each.
std::unique_ptr<chooser> make_virtual_time(const options&);
std::unique_ptr<chooser> make_random(const options&);
std::unique_ptr<chooser> make_pct(const options&);
std::unique_ptr<chooser> make_replay(const options&);
std::unique_ptr<chooser> make_exhaustive(const options&);

inline std::unique_ptr<chooser> make_chooser(const options& wanted) {
  switch (wanted.strategy) {
    case strategy::random:
      return make_random(wanted);
    case strategy::pct:
      return make_pct(wanted);
    case strategy::replay:
      return make_replay(wanted);
    case strategy::exhaustive:
      return make_exhaustive(wanted);
    case strategy::virtual_time:
      break;
  }
  return make_virtual_time(wanted);
}

}  // namespace TEFF_NAMESPACE::sim
