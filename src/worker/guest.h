// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fiber/carrier.h"
#include "platform/platform.h"

#include <cstdint>

namespace TEFF_NAMESPACE::workers {

struct member;

/// A thread outside that calls a function as a task, and carries a worker of the team until that has returned: README.md, *Calls
/// on the thread of their caller*, says what it may run, and why.
///
/// Lies on the stack of that thread. Threads: it, if nothing else is said.
struct guest {
  /// Whether the function has returned. Set by the worker on which it has.
  bool is_over() const { return over.load(platform::relaxed); }  // relaxed: a hint to go back soon

  /// Effect: the loop of a fiber that is about to go on on the worker ends with its task, unless it is that of a guest. Returns:
  /// false if the fiber is to go on elsewhere. Threads: the worker.
  static bool may_go_on(member& self, const fibers::fiber& ready);
  /// Whether a task makes a fiber go on that does so on its worker alone.
  static bool must_go_on(const task& found);
  /// The entry of what lies in the worker's mailbox for that.
  static void end_loop(worker& current, void* nothing);

  platform::atomic<bool> over{false};
  platform::atomic<member*> carries{nullptr};  ///< the worker; read by who sets `over`, as a hint
  std::uint64_t outside_with_it = 0;           ///< tasks that had come from outside when none was alive, and the call
  bool has_begun = false;                      ///< its call
  bool leaves_asleep = false;                  ///< the worker has announced itself, and found nothing
  bool has_a_call = false;                     ///< it gave the worker back for a call outside of the team, which is counted
  fibers::carrier::loan loan{};
};

}  // namespace TEFF_NAMESPACE::workers
