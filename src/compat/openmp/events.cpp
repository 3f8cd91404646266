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

void fulfil(event* of) {
  member* const current = known_self();
  if (current != nullptr && &current->in == of->of) return complete(*current, of);
  platform::lock_guard guard(list_lock());
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
}

TEFF_ENTRY void omp_fulfill_event(event* of) {
  if (of == nullptr) refuse("omp_fulfill_event was called with 0, which is no event; allowed: the event of a task with detach");
  fulfil(of);
}
/// Programs that use the module pass the event, those with omp_lib.h where it is.
TEFF_ENTRY void omp_fulfill_event_(event* of) {
  if (of != nullptr && of->is_event != event::first_word) std::memcpy(&of, static_cast<const void*>(of), sizeof of);
  omp_fulfill_event(of);
}

}  // namespace TEFF_NAMESPACE::openmp
