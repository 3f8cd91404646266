// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where programs run: on this machine as it is, or inside the simulator on a machine that is described. Compiled twice.
#pragma once

#include "cli/engine.h"
#include "teff/teff.hpp"

#ifdef TEFF_SIMULATED
#include "sim/sim.h"
#endif

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::cli {

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
  void simulate(unsigned processors, std::uint64_t seed, const std::vector<std::string>& settings,
                const std::function<void()>& body) const;

  /// Effect: adds the costs of the machine and their values.
  void list_costs(engine::text_table& table) const;
  /// Effect: sets one, from "name=value". Returns: an empty text, or a sentence.
  std::string set_cost(const std::string& text);

 private:
#ifdef TEFF_SIMULATED
  sim::machine_description machine_;
#endif
};

}  // namespace TEFF_NAMESPACE::cli
