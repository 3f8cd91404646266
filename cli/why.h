// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Costs of the simulated machine that are taken away one after the other, to see what a difference is made of.
#pragma once

#include "cli/engine.h"

#include <string>
#include <vector>

namespace teff::cli {

/// Numbers of the machine that are one cost to a reader.
struct knock_out_plan {
  std::string name;                  ///< what the cost is, in a few words
  std::string shown;                 ///< "park = 0, wake = 0"
  std::vector<std::string> parts;    ///< of the time account, that the cost is in
  std::vector<std::string> without;  ///< as --machine takes it: without the cost …
  std::vector<std::string> with;     ///< … and as it was
};

/// Returns: all of them, for the machine as it is described now; without those that cost nothing anyway.
std::vector<knock_out_plan> knock_outs_of(const engine::side& side);

}  // namespace teff::cli
