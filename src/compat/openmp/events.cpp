// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/events.h"

#include "compat/openmp/depend_record.h"
#include "compat/openmp/entry.h"
#include "compat/openmp/refuse.h"
#include "compat/openmp/tasks.h"

#include <cstring>
#include <new>

namespace TEFF_NAMESPACE::openmp {

namespace {

/// Around the lists of all teams, and the wake-ups of who adds to one: when it is free the team may be gone.
platform::lock& list_lock() {
  static platform::lock all;
  return all;
}

/// Effect: the event counts as a child that ended, and as a task that did.
void complete(member& current, event* happened) {
  node* const parent = happened->parent;
  if (happened->of_task != nullptr) part_ended(current, *happened->of_task);
  static_cast<volatile std::uint64_t&>(happened->is_event) = 0;
  delete happened;
  child_done(current, parent, node::one_ended | node::one_gone);
  // [finished] release: as a task's end.
  current.finished.store(current.finished.load(platform::relaxed) + 1, platform::release);
}

}  // namespace

event* make_event(member& current) {
  node* const parent = settle(current);
  event* const made = new (std::nothrow) event{.parent = parent, .of = &current.in};
  if (made == nullptr) fail("no memory for the event of a task");
  ++parent->spawned;
  current.created.store(current.created.load(platform::relaxed) + 1, platform::relaxed);  // [created] its own
  return made;
}

namespace {

/// Errors: ends the program if the event was fulfilled before. A hint: the memory of one that is complete may be another one's.
void check_first_time(const event& of) {
  if (of.is_event == event::first_word) return;
  refuse(
      "omp_fulfill_event was called with what is no event, or was fulfilled before; allowed: the event of a task with detach, "
      "once");
}

}  // namespace

void fulfil(event* of) {
  check_first_time(*of);
  member* const current = known_self();
  if (current != nullptr && &current->in == of->of) {
    complete(*current, of);
    return run_set_aside(*current);
  }
  platform::lock_guard guard(list_lock());
  check_first_time(*of);
  of->is_event = event::fulfilled;
  team& all = *of->of;
  of->next = all.fulfilled.load(platform::relaxed);  // under the lock
  all.fulfilled.store(of, platform::release);        // [event]
  all.wake_all();                                    // [sleep] a fence comes first
}

void complete_fulfilled(member& current) {
  event* first = nullptr;
  {
    platform::lock_guard guard(list_lock());
    first = current.in.fulfilled.load(platform::relaxed);  // under the lock
    current.in.fulfilled.store(nullptr, platform::relaxed);
  }
  while (event* const happened = first) {
    first = happened->next;
    complete(current, happened);
  }
  // Who is about to sleep has shared its tasks before: not those that this has let begin.
  share_tasks(current);
}

TEFF_ENTRY void omp_fulfill_event(event* of) {
  if (of == nullptr) refuse("omp_fulfill_event was called with 0, which is no event; allowed: the event of a task with detach");
  fulfil(of);
}
/// Programs that use the module pass the event, those with omp_lib.h where it is.
TEFF_ENTRY void omp_fulfill_event_(event* of) {
  if (of != nullptr && of->is_event != event::first_word && of->is_event != event::fulfilled)
    std::memcpy(&of, static_cast<const void*>(of), sizeof of);
  omp_fulfill_event(of);
}

}  // namespace TEFF_NAMESPACE::openmp
