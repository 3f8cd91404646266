// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Events of tasks with a detach clause: README.md, *Events*.
#pragma once

#include "compat/openmp/event_table.h"
#include "compat/openmp/team.h"

namespace TEFF_NAMESPACE::openmp {

/// Returns: an open event, a new child of the running node. `of`: the task's function. Errors: ends the program if there is no
/// memory.
event* make_event(member& current, task_function of);
/// Effect: the event of that number has happened. Errors: ends the program if none of that number is open. Threads: any, also
/// such as are in no team.
void fulfil(std::uint64_t number);

void complete_fulfilled(member& current);
/// Effect: what others have fulfilled is counted by this member.
[[gnu::always_inline]] inline void look_for_events(member& current) {
  // [event] a hint, but for who has announced its sleep: behind that fence it sees it, or is woken.
  if (current.in.fulfilled.load(platform::relaxed) != nullptr) [[unlikely]]
    complete_fulfilled(current);
}

/// Effect: in a forked child, whose other threads are in the parent process, nobody holds a lock of events.
void begin_events_anew();

/// Effect: the member sleeps as long as its word is sleepy; if all of the team sleep for long, it says which events are open.
/// `what`: what it waits for, for reports.
void sleep_beside_events(member& current, const char* what);

}  // namespace TEFF_NAMESPACE::openmp
