// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where a loop runs: the same for all forms of loops.
#pragma once

#include "teff/parallel.hpp"

#include <utility>

namespace TEFF_NAMESPACE::detail {

/// Effect: calls function(context&), which runs a whole loop, as the caller's task; a thread that is no worker has the default team
/// call it. `given` is the caller's context; nullptr: it is looked for. Reports name the loop by `label`.
template <class Function>
void run_whole(context* given, const char* label, Function function) {
  labelled_call whole(label, std::move(function));
  context* const here = given != nullptr ? given : context_here();
  if (here != nullptr) call_with_room(*here, whole);
  else default_team::call(whole);
}

}  // namespace TEFF_NAMESPACE::detail
