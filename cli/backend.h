// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where programs run: on this machine as it is, or inside the simulator on a machine that is described. Compiled twice.
#pragma once

#include "cli/engine.h"
#include "teff/teff.hpp"

#ifdef TEFF_SIMULATED
#include "sim/machines.h"
#include "sim/sim.h"
#endif

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::cli {

/// What a run draws its numbers from.
struct draws {
  std::uint64_t seed;       ///< of the order of events, where it is drawn
  std::uint64_t variation;  ///< of how the machine differs from its description; 0: in nothing
};

/// Effect: calls the function, and turns what it throws into a sentence: nothing that a user wrote may end in a crash.
/// `if_no_memory`: the one for refused memory.
void guarded(engine::problem& wrong, const char* if_no_memory, const std::function<void()>& function);

class backend {
 public:
#ifdef TEFF_SIMULATED
  static constexpr bool simulated = true;
#else
  static constexpr bool simulated = false;
#endif

  /// Effect: calls the body, in virtual time on that many virtual processors where there is such a thing.
  /// Errors: what the body throws; std::logic_error with the simulator's report if the body cannot end.
  /// `settings`: the team's; `domains` among them describes the simulated machine, too.
  void simulate(unsigned processors, draws drawn, const std::vector<std::string>& settings,
                const std::function<void()>& body) const;
  /// Effect: likewise, for a serial program, which waits for nobody: no number of steps is a livelock.
  void simulate_serial(draws drawn, const std::function<void()>& body) const;

  /// How many workers the machine has processors for; natively how many there may be.
  unsigned processors() const;
  /// Returns: the name of the described machine, or nothing.
  std::string machine_name() const;
  /// Effect: adds the costs of the machine, their values and where these are from.
  void list_costs(engine::text_table& table) const;
  /// Effect: adds the machines that may be named.
  void list_machines(engine::text_table& table) const;
  /// Effect: chooses a machine if the first word is a name or a file, and changes costs, by "name=value". Returns: an empty text,
  /// or a sentence.
  std::string describe(const std::vector<std::string>& words);

#ifdef TEFF_SIMULATED
  sim::described_machine& machine() { return machine_; }
  const sim::described_machine& machine() const { return machine_; }

 private:
  sim::options options_for(unsigned processors, draws drawn) const;

  sim::described_machine machine_ = sim::generic_machine();
#endif
};

}  // namespace TEFF_NAMESPACE::cli
