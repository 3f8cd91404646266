// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Events of tasks with a detach clause: README.md, *Events*.
#pragma once

#include "compat/openmp/team.h"

namespace TEFF_NAMESPACE::openmp {

struct dependent;

/// What must happen besides a task's end, which is another child of the task's parent. Ownership: of who fulfils it, once.
struct event {
  static constexpr std::uint64_t first_word = 0x7465666665767431, fulfilled = 0x7465666665767432;
  std::uint64_t is_event = first_word;
  node* parent;
  team* of;
  event* next = nullptr;         ///< in the team's list
  dependent* of_task = nullptr;  ///< the task, if others may depend on it
};

/// Returns: an event, a new child of the running node. Errors: ends the program if there is no memory.
event* make_event(member& current);
/// Effect: it has happened. Nothing refers to it any more. Threads: any, also such as are in no team.
void fulfil(event* of);

void complete_fulfilled(member& current);
/// Effect: what others have fulfilled is counted by this member.
[[gnu::always_inline]] inline void look_for_events(member& current) {
  // [event] a hint, but for who has announced its sleep: behind that fence it sees it, or is woken.
  if (current.in.fulfilled.load(platform::relaxed) != nullptr) [[unlikely]]
    complete_fulfilled(current);
}

}  // namespace TEFF_NAMESPACE::openmp
