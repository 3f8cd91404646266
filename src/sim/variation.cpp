// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sim/variation.h"

#include "platform/random.h"
#include "sim/machine_costs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace TEFF_NAMESPACE::sim {

namespace {

/// Parts of a cycle, as many as leave room for the largest cost.
unsigned fine_enough(const machine_description& machine) {
  constexpr unsigned parts_wanted = 256;
  unsigned largest = machine.access_jitter;
  for (const whole_cost& each : whole_costs) largest = std::max(largest, machine.*each.member);
  for (unsigned i = 0; i < machine.levels; ++i) largest = std::max(largest, machine.level[i].transfer);
  const unsigned room = std::numeric_limits<unsigned>::max() / 2 / std::max(largest, 1u);
  return std::clamp(room, 1u, parts_wanted);
}

}  // namespace

machine_description varied(const machine_description& machine, std::uint64_t number) {
  machine_description made = machine;
  if (number == as_described) return made;
  platform::random draw(number);
  const unsigned parts = fine_enough(machine);
  // From −1 to 1 in steps that are fine beside what they move.
  constexpr std::uint32_t steps = 1 << 16;
  const auto moved = [&](unsigned cycles) {
    const double share = 2.0 * draw.below(steps + 1) / steps - 1;
    return static_cast<unsigned>(std::llround(cycles * static_cast<double>(parts) * (1 + share / variation_parts)));
  };
  for (const whole_cost& each : whole_costs) made.*each.member = moved(machine.*each.member);
  for (unsigned i = 0; i < machine.levels; ++i) made.level[i].transfer = moved(machine.level[i].transfer);
  if (machine.states_capacities()) {
    for (const cache_number& each : cache_numbers) {
      if (!each.is_size) made.*each.number.member = moved(machine.*each.number.member);
    }
    // Places to which memory is equally near share one: what is equal stays so.
    for (unsigned i = 0; i < machine.levels; ++i) {
      const bool is_as_nearer = i > 0 && machine.level[i].memory == machine.level[i - 1].memory;
      made.level[i].memory = is_as_nearer ? made.level[i - 1].memory : moved(machine.level[i].memory);
    }
  }
  made.access_jitter = machine.access_jitter * parts;
  made.cycles_per_ns = machine.cycles_per_ns * parts;
  made.cycles_per_charge_unit = machine.cycles_per_charge_unit * parts;
  return made;
}

}  // namespace TEFF_NAMESPACE::sim
