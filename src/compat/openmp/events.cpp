// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/events.h"

#include "compat/openmp/depend_record.h"
#include "compat/openmp/entry.h"
#include "compat/openmp/refuse.h"
#include "compat/openmp/tasks.h"
#include "platform/foreign.h"
#include "platform/process_wide.h"

#include <cstring>
#include <memory>
#include <new>

namespace TEFF_NAMESPACE::openmp {

namespace {

/// Around the lists of all teams, and the wake-ups of who adds to one: when it is free the team may be gone.
struct lock_of_lists {
  platform::lock all;
};
platform::lock& list_lock() { return platform::process_wide<lock_of_lists>().all; }

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

event* make_event(member& current, task_function of) {
  node* const parent = settle(current);
  team& all = current.in;
  event* const made = new (std::nothrow) event{.parent = parent, .of = &all, .task = of};
  if (made == nullptr) fail("no memory for the event of a task");
  ++parent->spawned;
  current.created.store(current.created.load(platform::relaxed) + 1, platform::relaxed);       // [created] its own
  if (!all.has_events.load(platform::relaxed)) all.has_events.store(true, platform::relaxed);  // a hint
  open_events().add(*made, current.id);
  return made;
}

void fulfil(std::uint64_t number) {
  event* const of = open_events().take(number);
  if (of == nullptr)
    refuse(
        "omp_fulfill_event was called for the event %#llx, which was fulfilled before; allowed: once for each task with detach",
        static_cast<unsigned long long>(number));
  member* const current = known_self();
  // relaxed: it is awake for itself alone. If not, this is a handler of a signal that found the thread asleep, or about to be:
  // nobody would wake it for what it had counted itself.
  if (current != nullptr && &current->in == of->of && current->word.load(platform::relaxed) == workers::sleepers::awake) {
    complete(*current, of);
    return run_set_aside(*current);
  }
  const platform::unsignalled no_handler;  // which might want the lock
  const platform::lock_guard guard(list_lock());
  team& all = *of->of;
  of->next = all.fulfilled.load(platform::relaxed);  // under the lock
  all.fulfilled.store(of, platform::release);        // [event]
  all.wake_all();                                    // [sleep] a fence comes first
}

void begin_events_anew() {
  std::construct_at(&list_lock());
  open_events().begin_anew();
}

void complete_fulfilled(member& current) {
  const platform::unsignalled no_handler;  // which might want the lock, or find memory half freed
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

TEFF_ENTRY void omp_fulfill_event(std::uint64_t number) {
  if (!event_table::is_number(number))
    refuse("omp_fulfill_event was called with %#llx, which is no event; allowed: what a detach clause has written",
           static_cast<unsigned long long>(number));
  fulfil(number);
}
/// Programs that use the module pass the event, those with omp_lib.h where it is.
TEFF_ENTRY void omp_fulfill_event_(std::uint64_t number) {
  if (number != 0 && !event_table::is_number(number)) std::memcpy(&number, reinterpret_cast<const void*>(number), sizeof number);
  omp_fulfill_event(number);
}

}  // namespace TEFF_NAMESPACE::openmp
