// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The team of those who made none (include/teff/default_team.hpp).
#include "teff/teff.hpp"

#include "platform/ends.h"
#include "runtime/keeper.h"
#include "worker/living_teams.h"

#include <new>

namespace TEFF_NAMESPACE {

namespace detail {

namespace {

/// A task that forked is a foreign thread in the child, while it waits there: its team is not in this process.
class foreign_after_fork {
 public:
  foreign_after_fork() {
    if (context_here() == nullptr) stand_for(nullptr);
  }
  foreign_after_fork(const foreign_after_fork&) = delete;
  foreign_after_fork& operator=(const foreign_after_fork&) = delete;
  ~foreign_after_fork() {
    if (was_ != nullptr && platform::current() == nullptr) stand_for(was_);
  }

 private:
  worker* const was_ = static_cast<worker*>(platform::current());
};

/// Whether there may be children that nobody in this process has.
bool some_may_be_nobodys() { return workers::living_teams::parent_had_some() || fibers::host::any_was_stuck(); }

void say_that_only_stuck_teams_are_left() {
  static constinit platform::atomic<bool> said{false};
  // relaxed: it is said once, and nothing goes by it.
  if (said.load(platform::relaxed) || said.exchange(true, platform::relaxed)) return;
  platform::say(
      "teff: a thread waits for tasks, and only teams whose run could not end have any: it is told when these have ended. If it "
      "is "
      "the one that would end them, it waits for ever: declare a team behind the groups and futures of its tasks (said once)\n");
}

/// What sync::group::wait_as_thread asks for. Children are made by tasks, of any team, and by threads outside, whose visits of
/// the default team last from before until their child has ended; so that who finds neither, and that neither has been since it
/// looked before, knows of no child of this process.
/// `for_long`: if only stuck teams have tasks now, that is said, once: the thread may be the one that would end them.
std::uint64_t children_so_far(bool for_long) {
  if (!platform::has_forks || !some_may_be_nobodys()) return 0;
  const auto visits = runtime::keeper::visits_if_none_goes_on();
  const auto tasks = visits ? workers::living_teams::tasks_if_none_is_left() : std::nullopt;
  if (for_long && visits && !tasks && workers::living_teams::only_stuck_ones_have_tasks()) say_that_only_stuck_teams_are_left();
  return tasks ? 1 + *visits + *tasks : 0;
}

/// Effect: a thread, or a task of the parent process, waits. Returns: false if the group's children stayed in the parent
/// process, or in a team that has ended, and forgets them: by its own word, or, for those that tasks put, because no team of this
/// process has anything to do.
bool wait_outside(sync::group& of) {
  if (of.is_left_behind()) {
    of.forget_children();
    return false;
  }
  // Children of a parent's task never end here: that ends the process, as the wait of a task would.
  if (platform::current() != nullptr && !of.has_children_from_outside()) return of.wait_as_thread();
  const foreign_after_fork alone;
  return of.wait_as_thread(platform::has_forks ? &children_so_far : nullptr);
}

}  // namespace

void wait_anywhere(sync::group& of) {
  if (context* const here = context_here(); here != nullptr) return of.wait(here->current());
  const bool was_left_behind = of.is_left_behind();
  if (wait_outside(of)) return;
  if (was_left_behind || !fibers::host::any_was_stuck())
    throw usage_error("the tasks that this waits for are in the parent process: fork() copies the calling thread alone");
  if (!workers::living_teams::parent_had_some())
    throw usage_error("the tasks that this waits for are gone with their team, whose run could not end");
  throw usage_error(
      "the tasks that this waits for are in the parent process of a fork(), or gone with a team whose run could not end");
}

bool finish_anywhere(sync::group& of, const void* owner) noexcept {
  if (context* const here = context_here(); here != nullptr && !of.is_left_behind()) {
    // A task calls exit, perhaps a child: the process ends around what has not finished.
    if (platform::is_static(owner) && platform::is_in_exit()) return false;
    of.wait(here->current());
  } else {
    wait_outside(of);
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
void detail::inject_child(sync::group&, child_head*) { refuse(); }

#else

using runtime::keeper;

void detail::call_in_default_team(void (*call)(context&, void*), void* argument) {
  const platform::uncancelled while_it_waits;
  const detail::foreign_after_fork alone;
  const keeper::visit now(keeper::of_this_process());
  auto* const current = static_cast<workers::member*>(platform::current());
  // A task of the default team itself stays where it is.
  if (context* here = context_here(); here != nullptr && &current->team == &(*now).team()) return call(*here, argument);
  (*now).call(call, argument);
}

detail::visit_of_default_team::visit_of_default_team() : keeper_(&keeper::of_this_process()) {
  const detail::foreign_after_fork alone;
  static_cast<keeper*>(keeper_)->enter();
}

void detail::visit_of_default_team::leave() noexcept { static_cast<keeper*>(keeper_)->leave(); }

void detail::inject_child(sync::group& of, child_head* made) {
  const detail::foreign_after_fork alone;
  const keeper::visit now(keeper::of_this_process());  // the child's own ends with it, perhaps before put returns
  of.add_outside();
  const task child{&run_child, made};
  if ((*now).put(child)) return;
  (*now).team().dispose(child);  // before the group hears of it: who waits may destroy what the closure refers to
  of.begin();
  of.end();
  throw std::bad_alloc();
}

unsigned default_team::workers() {
  const detail::foreign_after_fork alone;
  const keeper::visit now(keeper::of_this_process());
  return (*now).team().workers();
}

statistics default_team::stats() {
  const detail::foreign_after_fork alone;
  return keeper::of_this_process().stats();
}

void default_team::end() {
  const platform::uncancelled while_it_waits;
  const detail::foreign_after_fork alone;
  if (!keeper::of_this_process().end())
    throw usage_error("the default team cannot end while a call is going on in it: let all calls return first");
}

#endif

}  // namespace TEFF_NAMESPACE
