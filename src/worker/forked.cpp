// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tasks that call fork(): what they find of their team in the child, which has none of its threads.
///
/// Idea: the child goes on in the task. As soon as it turns to the runtime below it (it returns, waits, puts), it ends with a
/// sentence. So that no step of a task asks for that, the worker that it runs on is changed once, by the handler of fork(): its
/// mailbox, at which the loop looks first, holds a task that says so; its operations do; nothing else of it works without them.
/// A child of _Fork(), which calls no handler, is found where a worker searches, or before it waits long for a lock. Other
/// threads may have held the parent's locks: none is waited for.
#include "platform/line.h"
#include "worker/team.h"

namespace TEFF_NAMESPACE::workers {

namespace {

/// Of a child that returns to its parent's runtime; include/teff/runtime.hpp promises it.
constexpr int exit_lost = 70;

}  // namespace

void team_base::end_forked_child() noexcept {
  platform::say(
      "teff: a child of fork() came back to the team of its parent, by returning from the task that forked, or by a put or a "
      "wait in it; none of the team's threads is in the child. End it in the task by exec, exit or _exit; a team of its own may "
      "run there\n");
  platform::end_process_at_once(exit_lost);
}

void team_base::leave_parent() noexcept {
  auto* const left = static_cast<member*>(platform::current());
  if (left == nullptr) return;
  static constexpr worker_operations refusals{[](worker&, task) { end_forked_child(); },
                                              [](worker&, task) { end_forked_child(); },
                                              [](worker&, task, std::uint8_t) { end_forked_child(); },
                                              [](worker&, borrowed_closure&) { end_forked_child(); },
                                              [](worker&, const void*, task&, bool) -> bool { end_forked_child(); },
                                              [](worker&, task, bool) -> bool { end_forked_child(); },
                                              [](worker&, task) { end_forked_child(); },
                                              [](worker&) -> void* { end_forked_child(); },
                                              [](worker&, void*) {},
                                              0,
                                              &run_child,
                                              &run_moved};
  static queue::inbox::node last;
  last.held = {[](worker&, void*) { end_forked_child(); }, nullptr};
  left->own_mark.clear();  // for kernels that do not
  left->operations = &refusals;
  left->tasks = &left->no_tasks;
  left->arguments = &left->team.no_arguments_;
  left->mailbox.begin_anew(last);
}

/// As long as the task that forked is alone in its process, nobody else in it holds a lock of the runtime: who does is in the
/// parent. Beside another thread, of a team or of the child's own, it waits: the two cannot be told apart.
platform::end_of_process team_base::look_before_waits() {
  const auto* const left = static_cast<member*>(platform::current());
  if (left == nullptr || left->team.is_of_this_process() || !platform::is_only_thread()) return nullptr;
  return &end_forked_child;
}

void team_base::expect_forks() noexcept {
  static constinit platform::once_in_process expected;
  expected.run([] {
    platform::in_forked_child(&leave_parent);
    platform::before_waits_for_locks(&look_before_waits);
  });
}

bool team_base::owns_this_thread() {
  for (const auto& each : members_) {
    if (each->thread.is_current()) return true;
  }
  return spares_.own_this_thread();
}

}  // namespace TEFF_NAMESPACE::workers
