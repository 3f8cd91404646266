// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

namespace TEFF_NAMESPACE::workers {

/// The loop's and the protocol's steps that tests leave out to show that they are needed.
struct rules {
  static constexpr bool confirms_after_announcing = true;
  static constexpr bool counts_before_stopping = true;
  /// A waiting task runs its own children on its stack, not whatever it finds.
  static constexpr bool waits_run_children_only = true;
  /// After a task the loop looks which worker it runs on now.
  static constexpr bool rereads_worker = true;
  /// A worker that found a task looks whether a fiber came back to it meanwhile, and makes that ready.
  static constexpr bool gives_on_who_returned = true;
  /// A worker to which a fiber came back before it slept wakes the next one.
  static constexpr bool passes_on_when_returned_to = true;
  /// A worker that its pool tells to look again looks at who came back and into its mailbox again, too.
  static constexpr bool looks_again_at_all = true;
  /// Who found a task sees to it that somebody comes when the run wants more.
  static constexpr bool sees_to_others = true;
};

}  // namespace TEFF_NAMESPACE::workers
