// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the inline half of the seam needs of the simulator: cheap outside a run, one call inside.
#pragma once

#include "sim/line_origins.h"
#include "sim/operation.h"

#include <cstddef>
#include <cstdint>

namespace TEFF_NAMESPACE::sim {

class simulator;

/// The simulator during a run, else null. Changed by the one thread that simulates.
extern constinit simulator* active;

/// The same if plain memory, instructions and the system take time: by virtual time. Other strategies leave that out, as clocks
/// decide nothing there but when timers fire.
extern constinit simulator* timed;

/// What platform::current() answers: belongs to the running processor; outside a run, to the program.
extern constinit void* current_pointer;

/// What platform::ledger_here() answers: belongs to the running processor, as current_pointer.
extern constinit void* current_ledger;

bool access_simulated(const void* word, operation what) noexcept;
void written_simulated() noexcept;
void constructed_simulated(const void* word) noexcept;
void touch_simulated(const void* memory, std::size_t bytes, bool writes) noexcept;
line_origins touch_program_simulated(const void* memory, std::size_t bytes, bool writes) noexcept;
void forget_program_simulated(const void* memory, std::size_t bytes) noexcept;
void put_or_get_simulated(int tasks) noexcept;

/// Effect: in a run, a scheduling point and the cost of the access. The access itself follows before anybody else runs.
/// Returns: whether written() has to be called after the word was changed.
inline bool access(const void* word, operation what) noexcept { return active != nullptr && access_simulated(word, what); }

/// Effect: whoever watches the line of the last access looks again.
inline void written(bool watched) noexcept {
  if (watched) written_simulated();
}

/// Effect: an atomic begins its life here: what was known of an earlier object at this address is forgotten.
inline void constructed(const void* word) noexcept {
  if (active != nullptr) constructed_simulated(word);
}

}  // namespace TEFF_NAMESPACE::sim
