// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The team of those who made none (include/teff/default_team.hpp).
#include "teff/teff.hpp"

#include "platform/ends.h"
#include "runtime/keeper.h"
#include "worker/living_teams.h"

#include <new>

namespace TEFF_NAMESPACE {

namespace detail {

context* context_here() {
  auto* current = static_cast<worker*>(platform::current());
  if (current == nullptr || current->here == nullptr) return nullptr;
  return static_cast<workers::member*>(current)->team.is_of_this_process() ? current->here : nullptr;
}

namespace {

/// A task that forked is a foreign thread in the child, while it waits there: its team is not in this process.
class foreign_after_fork {
 public:
  foreign_after_fork() {
    if (context_here() == nullptr) platform::set_current(nullptr);
  }
  foreign_after_fork(const foreign_after_fork&) = delete;
  foreign_after_fork& operator=(const foreign_after_fork&) = delete;
  ~foreign_after_fork() {
    if (was_ != nullptr && platform::current() == nullptr) platform::set_current(was_);
  }

 private:
  void* const was_ = platform::current();
};

#ifdef TEFF_SIMULATED
bool is_in_use_here() { return false; }
#else
/// Whether calls go on in this process's default team, which may not have made their tasks yet.
bool is_in_use_here() { return runtime::keeper::any_visit(); }
#endif

/// Whether no task of this process has to do anything, so that a group with unfinished children has those of tasks of the parent
/// process: if a task of this one makes a child, the task or that child is left until there is none.
bool no_task_is_left() { return !is_in_use_here() && !workers::living_teams::any_has_tasks(); }

/// Effect: a thread, or a task of the parent process, waits. Returns: false if the group's children stayed in the parent
/// process: by its own word, or, for those that tasks put, because no team of this process has anything to do.
bool wait_outside(sync::group& of) {
  if (of.is_left_behind()) return false;
  // Children of a parent's task never end here: that ends the process, as the wait of a task would.
  if (platform::current() != nullptr && !of.has_children_from_outside()) return of.wait_as_thread();
  const foreign_after_fork alone;
  return of.wait_as_thread(workers::living_teams::parent_had_some() ? &no_task_is_left : nullptr);
}

}  // namespace

void wait_anywhere(sync::group& of) {
  if (context* const here = context_here(); here != nullptr) return of.wait(here->current());
  if (wait_outside(of)) return;
  of.forget_children();
  throw usage_error("the tasks that this waits for are in the parent process: fork() copies the calling thread alone");
}

bool finish_anywhere(sync::group& of, const void* owner) noexcept {
  if (context* const here = context_here(); here != nullptr && !of.is_left_behind()) {
    // A task calls exit, perhaps a child: the process ends around what has not finished.
    if (platform::is_static(owner)) return false;
    of.wait(here->current());
  } else if (!wait_outside(of)) {
    of.forget_children();
  }
  return true;
}

void refuse_second_team() {
  throw usage_error(
      "a worker_local belongs to one team, and is used by tasks of a second one: make one for each, or clear it in between");
}

}  // namespace detail

#ifdef TEFF_SIMULATED

namespace {

[[noreturn]] void refuse() { throw usage_error("in simulation there is no default team: call this from a task of a team"); }

}  // namespace

void detail::call_in_default_team(void (*)(context&, void*), void*) { refuse(); }
unsigned default_team::workers() { refuse(); }
statistics default_team::stats() { refuse(); }
void default_team::end() { refuse(); }
detail::visit_of_default_team::visit_of_default_team() { refuse(); }
void detail::visit_of_default_team::leave() noexcept {}
void detail::inject_child(sync::group&, task) { refuse(); }

#else

using runtime::keeper;

void detail::call_in_default_team(void (*call)(context&, void*), void* argument) {
  const platform::uncancelled while_it_waits;
  const keeper::visit now(keeper::of_this_process());
  auto* const current = static_cast<workers::member*>(platform::current());
  // A task of the default team itself stays where it is.
  if (context* here = context_here(); here != nullptr && &current->team == &(*now).team()) return call(*here, argument);
  const detail::foreign_after_fork alone;
  (*now).call(call, argument);
}

detail::visit_of_default_team::visit_of_default_team() : keeper_(&keeper::of_this_process()) {
  static_cast<keeper*>(keeper_)->enter();
}

void detail::visit_of_default_team::leave() noexcept { static_cast<keeper*>(keeper_)->leave(); }

void detail::inject_child(sync::group& of, task child) {
  const keeper::visit now(keeper::of_this_process());  // the child's own ends with it, perhaps before put returns
  const detail::foreign_after_fork alone;
  of.add_outside();
  if ((*now).put(child)) return;
  (*now).team().dispose(child);  // before the group hears of it: who waits may destroy what the closure refers to
  of.begin();
  of.end();
  throw std::bad_alloc();
}

unsigned default_team::workers() {
  const keeper::visit now(keeper::of_this_process());
  return (*now).team().workers();
}

statistics default_team::stats() { return keeper::of_this_process().stats(); }

void default_team::end() {
  const platform::uncancelled while_it_waits;
  if (!keeper::of_this_process().end())
    throw usage_error("the default team cannot end while a call is going on in it: let all calls return first");
}

#endif

}  // namespace TEFF_NAMESPACE
