// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Workers that are idle on the stack of a task that waits, because the system refuses another stack: idle/README.md says how they
/// sleep.
#include "platform/stack.h"
#include "worker/team.h"

#include <cstdlib>
#include <utility>

namespace teff::inline TEFF_PLATFORM::workers {

namespace {

/// As much of a thread's own stack as tasks may use; less, if less is left.
constexpr std::size_t thread_stack_bytes = 512 * 1024;
/// The part of a stack, of so many, that has to be left if a task runs on it for which there is no memory.
constexpr std::size_t last_parts = 8;

bool is_fiber(const task& candidate) { return candidate.entry == &fibers::resume_entry; }

}  // namespace

/// Not one stack: tasks run on the thread's own, and those that wait keep their worker waiting. Other workers may have stacks.
fibers::carried team_base::carry_without_stack(member& self, fibers::seat& from) {
  const std::size_t bytes = platform::thread_stack_left(thread_stack_bytes);
  const auto top = reinterpret_cast<char*>(__builtin_frame_address(0));
  fibers::fiber on_thread(*this, self, {top - bytes, bytes, true, 0}, false);
  on_thread.become(fibers::fiber::state::idle, fibers::fiber::state::running);
  all.add(on_thread);
  self.own_carrier.stand_on_thread(&on_thread);
  self.here = &on_thread.here;
  fibers::fiber* const ready = work_without_stack(self);
  self.here = nullptr;
  self.own_carrier.stand_on_thread(nullptr);
  all.remove(on_thread);
  return ready != nullptr ? self.own_carrier.carry_on(from, *ready) : fibers::carried::refused;
}

/// A task on the thread's own stack cannot be left where it is when the run ends.
void team_base::end_for_want_of_stacks() {
  platform::say("teff: " + vigil_.explain_end() +
                "  and a task waits on a thread's own stack, which the end of the run would take away: the program ends here\n");
  std::abort();
}

/// A task for which there is neither memory, to keep it for later, nor a stack, to run it on now.
void team_base::require_room(const member& self) {
  if (self.own_carrier.has_room(last_parts)) return;
  platform::say(
      "teff: the system refused memory for a task and a stack on which it could run instead, and the one that puts it has used up its "
      "own: the program ends here; let fewer tasks wait at once, or lower the setting stack\n");
  std::abort();
}

/// Effect: one look at everything that may end the wait. Returns: whether something did; with ran_in_place, `taken` is to be run, and
/// the wait is withdrawn.
bool team_base::look_while_kept(member& self, fibers::kept_wait& wait, fibers::kept_end& end, task& taken) {
  const fibers::fiber* const own = &wait.own;
  const auto is_own = [own](const task& candidate) { return is_fiber(candidate) && candidate.argument == own; };
  const fibers::awaited* const errand = std::exchange(self.errand, nullptr);
  if (self.mailbox.take_if(is_own, taken)) {
    end = fibers::kept_end::went_on;
    return true;
  }
  if (wait.has_stack_to_leave) {
    if (self.mailbox.take_if(is_fiber, taken) || look_for(self, is_fiber, taken)) {
      wait.next = static_cast<fibers::fiber*>(taken.argument);
      // Its own may have come since the look before.
      end = wait.next == own ? fibers::kept_end::went_on : fibers::kept_end::other_fiber;
      return true;
    }
    if (self.own_carrier.keep_one()) {
      end = fibers::kept_end::new_stack;
      return true;
    }
  }
  if (wait.withdraw == nullptr || !self.own_carrier.has_room(last_parts) || !wait.withdraw(wait.argument)) return false;
  end = fibers::kept_end::ran_in_place;
  if (own->waits_for->take_unbegun(self, taken) || (errand != nullptr && errand->take_unbegun(self, taken))) return true;
  wait.commit(wait.argument);
  return false;
}

fibers::kept_end team_base::wait_kept(worker& current, fibers::kept_wait& wait) {
  auto& self = static_cast<member&>(current);
  self.waits_kept = &wait.own;
  self.kept.store(true, platform::relaxed);
  share(self);
  idle_->wake_all();  // the others look at what this worker leaves to them
  fibers::kept_end end;
  task taken;
  while (!look_while_kept(self, wait, end, taken)) {
    idle_->announce(self);
    const bool found = look_while_kept(self, wait, end, taken);
    if (found || stop_.load(platform::acquire)) {
      if (idle_->retract(self)) idle_->wake_one(self.id, &self);
      if (!found) end = fibers::kept_end::run_ended;
      break;
    }
    if (idle_->arrive() && is_stuck()) declare_stop(run_result::stuck);
    idle_->spin(self);
    idle_->wait(self);
    // Who woke this one may have taken it for one that can run anything. With an errand, all others sleep, and are to.
    if (self.errand == nullptr) idle_->wake_one(self.id, &self);
  }
  self.kept.store(false, platform::relaxed);
  if (end == fibers::kept_end::run_ended && !wait.has_stack_to_leave) end_for_want_of_stacks();
  if (end != fibers::kept_end::ran_in_place) return end;
  wait.own.kept = false;
  wait.own.become(fibers::fiber::state::blocked, fibers::fiber::state::running);
  await_inspection();
  self.count(trace::counter::in_place_runs);
  execute_in_place(self, taken);
  return end;
}

/// Effect: lets the kept workers look once more, one after the other, while all others sleep: stacks may have been given back, which
/// wakes nobody; and what has to run first may be below what their tasks wait for. Returns: whether one was woken. Pre: outside_lock_
/// is held, every worker sleeps, and nobody else can make a task ready.
bool team_base::let_kept_one_look() {
  if (const std::uint64_t reached = vigil_.progress(); reached != kept_looked_at_) {
    kept_looked_at_ = reached;
    kept_looked_ = 0;
  }
  while (kept_looked_ < members_.size()) {
    member& next = *members_[kept_looked_++];
    if (!next.kept.load(platform::relaxed)) continue;
    next.errand = unbegun_below(*next.waits_kept);
    idle_->wake_that(next);
    return true;
  }
  return false;
}

/// Returns: for what of which somebody has not begun a task the fiber's wait waits, from child to child's child; nullptr if the way ends
/// elsewhere. Pre: as let_kept_one_look: what is found lives until the worker that gets it has looked.
const fibers::awaited* team_base::unbegun_below(const fibers::fiber& waiting) {
  const fibers::awaited* at = waiting.waits_for;
  for (std::uint64_t step = 0; !at->has_unbegun(); ++step) {
    const void* const sought = at->seen_as();
    const fibers::fiber* below = nullptr;
    std::uint64_t count = 0;
    all.for_each([&](const fibers::fiber& each) {
      ++count;
      if (each.now.load(platform::acquire) == fibers::fiber::state::blocked && each.runs_child_of(sought)) below = &each;
    });
    if (below == nullptr || step > count) return nullptr;
    at = below->waits_for;
  }
  return at;
}

}  // namespace teff::inline TEFF_PLATFORM::workers
