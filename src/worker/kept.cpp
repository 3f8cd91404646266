// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Workers that are idle on the stack of a task that waits, because the system refuses another stack: idle/README.md says how
/// they sleep.
#include "base/assert.h"
#include "platform/stack.h"
#include "worker/team.h"

#include <cstdlib>
#include <utility>

namespace TEFF_NAMESPACE::workers {

namespace {

/// As much of a thread's own stack as tasks may use; less, if less is left.
constexpr std::size_t thread_stack_bytes = std::size_t{512} * 1024;
/// The part of a stack, of so many, that has to be left if a task runs on it for which there is no memory.
constexpr std::size_t last_parts = 8;

bool is_fiber(const task& candidate) { return candidate.entry == &fibers::resume_entry; }

}  // namespace

/// Not one stack: tasks run on the thread's own, and those that wait keep their worker waiting. Other workers may have stacks.
fibers::carried team_base::carry_without_stack(member& self, fibers::thread_stack& from) {
  const std::size_t bytes = platform::thread_stack_left(thread_stack_bytes);
  const auto top = reinterpret_cast<char*>(__builtin_frame_address(0));
  fibers::fiber on_thread(*this, self, {top - bytes, bytes, true, 0}, nullptr);
  on_thread.become(fibers::fiber::state::idle, fibers::fiber::state::running);
  all.add(on_thread, self.id);
  self.own_carrier.stand_on_thread(&on_thread);
  self.runs(&on_thread.here);
  fibers::fiber* const ready = work_without_stack(self);
  self.runs(nullptr);
  self.own_carrier.stand_on_thread(nullptr);
  all.remove(on_thread);
  return ready != nullptr ? self.own_carrier.carry_on(from, *ready) : fibers::carried::refused;
}

/// A task on the thread's own stack cannot be left where it is when the run ends. An exception, as of memory that is used up,
/// would leave through the task that waits.
void team_base::end_for_want_of_stacks() noexcept {
  std::string text;
  platform::say(
      {"teff: ", watchdog_.explain_end(text),
       "  and a task waits on a thread's own stack, which the end of the run would take away: the program ends here\n"});
  std::abort();
}

/// A task for which there is neither memory, to keep it for later, nor a stack, to run it on now.
void team_base::require_room(const member& self) {
  if (self.own_carrier.has_room(last_parts)) return;
  platform::say(
      "teff: the system refused memory for a task, there is no other stack on which it could run instead, and the one that puts "
      "it has "
      "used up its own: the program ends here; let fewer tasks wait at once, or lower the setting stack\n");
  std::abort();
}

/// Effect: fibers that are ready where this worker alone looks, which waits on a thread's own stack and cannot go on with them,
/// go on on the workers on which they waited: those have stacks to leave. Others stay where they are: who takes them from there
/// may run them sooner than the one that they waited on, which may even wait for what they do.
void team_base::hand_fibers_on(member& self, const fibers::fiber& own) {
  const auto is_other = [&own](const task& candidate) { return is_fiber(candidate) && candidate.argument != &own; };
  for (task ready; self.mailbox.take_if(is_other, ready) || look_for(self, is_fiber, ready, found_by::nobody_else);) {
    auto& woken = *static_cast<fibers::fiber*>(ready.argument);
    auto& receiver = static_cast<member&>(woken.here.current());
    TEFF_REQUIRE(&receiver != &self, "a worker that has set a fiber aside has a stack to leave");
    woken.ready_node.held = ready;
    receiver.mailbox.push(woken.ready_node);
    idle_->wake_that(receiver);
  }
}

/// Effect: one look at everything that may end the wait. Returns: whether something did; with ran_in_place, `taken` is to be run,
/// and the wait is withdrawn.
bool team_base::look_while_kept(member& self, fibers::kept_wait& wait, fibers::kept_end& end, task& taken) {
  const fibers::fiber* const own = &wait.own;
  const auto is_own = [own](const task& candidate) { return is_fiber(candidate) && candidate.argument == own; };
  if (self.mailbox.take_if(is_own, taken)) {
    end = fibers::kept_end::went_on;
    return true;
  }
  if (!wait.has_stack_to_leave) hand_fibers_on(self, *own);
  if (wait.has_stack_to_leave) {
    if (self.mailbox.take_if(is_fiber, taken) || look_for(self, is_fiber, taken, found_by::anybody)) {
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
  if (own->waits_for->take_unbegun(self, taken)) return true;
  wait.commit(wait.argument);
  return false;
}

fibers::kept_end team_base::wait_kept(worker& current, fibers::kept_wait& wait) {
  auto& self = static_cast<member&>(current);
  fibers::kept_end end;
  task taken;
  while (!look_while_kept(self, wait, end, taken)) {
    // [kept] relaxed: ordered by the fences of announce and of who wakes.
    if (!self.kept.load(platform::relaxed)) {
      self.kept.store(true, platform::relaxed);
      share(self);
      idle_->wake_all();  // the others look at what this worker leaves to them
      taking_part_.call_all();
    }
    idle_->announce(self);
    const bool found = look_while_kept(self, wait, end, taken);
    // acquire: pairs with declare_stop.
    if (found || stop_.load(platform::acquire)) {
      if (idle_->retract(self)) idle_->wake_one(self.id, &self);
      if (!found) end = fibers::kept_end::run_ended;
      break;
    }
    const bool last = idle_->arrive();
    const bool below = last && take_below(self, wait, taken);
    if (!below && last && is_stuck()) declare_stop(run_result::stuck);
    idle_->spin(self);
    idle_->wait(self);
    // Who woke this one may have taken it for one that can run anything.
    if (!std::exchange(self.has_turn, false)) idle_->wake_one(self.id, &self);
    end = fibers::kept_end::ran_in_place;
    if (below) break;
  }
  self.kept.store(false, platform::relaxed);  // [kept] relaxed: a waker that still sees it passes over one that is awake
  if (end == fibers::kept_end::run_ended && !wait.has_stack_to_leave) end_for_want_of_stacks();
  if (end != fibers::kept_end::ran_in_place) return end;
  wait.own.become(fibers::fiber::state::blocked, fibers::fiber::state::running);
  await_inspection();
  if (tracks_started) goes_on_without_pool(wait.own);
  wait.own.bound = false;
  self.count(trace::counter::in_place_runs);
  execute_in_place(self, taken);
  return end;
}

/// Effect: takes a task that nobody has begun and that is below what the worker's own waits for, if all others sleep; withdraws
/// the wait, and wakes the worker. Returns: whether there is one. It ends the worker's turn, if it is its.
bool team_base::take_below(member& self, fibers::kept_wait& wait, task& taken) {
  platform::lock_guard guard(outside_lock_);
  if (!taking_part_.all_take_part() || !idle_->all_asleep()) return false;
  count_turns();
  if (turn_ == self.id) ++turn_;
  if (wait.withdraw == nullptr || !self.own_carrier.has_room(last_parts)) return false;
  const fibers::awaited* const below = unbegun_below(wait.own);
  if (below == nullptr || !wait.withdraw(wait.argument)) return false;
  if (below->take_unbegun(self, taken)) {
    idle_->wake_that(self);  // before anybody else holds the lock, and takes it for one that sleeps
    return true;
  }
  wait.commit(wait.argument);
  return false;
}

/// Returns: a wait below the fiber's, from child to child's child, for a task that nobody may have begun; nullptr if the way ends
/// elsewhere. It goes one way: with waits for other things than children there may be another. Pre: outside_lock_ is held, and
/// every worker sleeps, so that all that is read stays.
const fibers::awaited* team_base::unbegun_below(const fibers::fiber& waiting) {
  const fibers::awaited* at = waiting.waits_for;
  for (std::uint64_t step = 0; !at->has_unbegun(); ++step) {
    const void* const sought = at->seen_as();
    const fibers::fiber* below = nullptr;
    std::uint64_t count = 0;
    all.for_each([&](const fibers::fiber& each) {
      ++count;
      // acquire: whoever set it aside has written what it waits for before.
      if (each.now.load(platform::acquire) == fibers::fiber::state::blocked && each.runs_child_of(sought)) below = &each;
    });
    if (below == nullptr || step > count) return nullptr;
    at = below->waits_for;
  }
  return at;
}

/// Effect: turns begin anew if something has happened since. Pre: outside_lock_ is held.
void team_base::count_turns() {
  const std::uint64_t reached = progress();
  if (reached == turns_at_) return;
  turns_at_ = reached;
  turn_ = 0;
}

/// Effect: wakes the next kept worker whose turn it is to look while all others sleep: for stacks that were given back, which
/// wakes nobody, and for what it may take from below. Returns: false if each had its turn. Pre: outside_lock_ is held, every
/// worker sleeps.
bool team_base::give_turn() {
  count_turns();
  for (; turn_ < members_.size(); ++turn_) {
    member& next = *members_[turn_];
    // [kept] relaxed: every worker sleeps, and has passed a fence since it wrote this.
    if (!next.kept.load(platform::relaxed)) continue;
    next.has_turn = true;
    idle_->wake_that(next);
    return true;
  }
  return false;
}

}  // namespace TEFF_NAMESPACE::workers
