// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fiber/carrier.h"

#include "fiber/rules.h"
#include "platform/stack.h"

#include <algorithm>
#include <utility>

namespace TEFF_NAMESPACE::fibers {

namespace {

carrier& carrier_here() { return *static_cast<worker*>(platform::current())->carrier; }

void run(after_switch& pending) {
  const after_switch now = std::exchange(pending, {});
  if (now.function != nullptr) now.function(now.argument);
}

/// As much as threads have by default; only touched pages cost memory.
constexpr std::size_t base_bytes = 8u << 20;

/// Effect: keeps the fiber if runs begin with it. Returns: whether they do. After a run that was stuck there may be another one.
bool keep_base(fiber& idle) {
  fiber* none = nullptr;
  // release: its owner takes it as it is left here.
  return idle.base != nullptr && idle.base->compare_exchange(none, &idle, platform::acq_rel);
}

}  // namespace

void carrier::arrive() { run(carrier_here().pending_); }

void carrier::enter(fiber& next) {
  if constexpr (rules::tells_context) next.here.continue_on(worker_);
  worker_.runs(&next.here);
  running_ = &next;
}

void carrier::prepare(fiber& fresh) {
  fresh.become(fiber::state::idle, fiber::state::running);
  fresh.begins_with_task = fresh.of_a_call = false;
  fresh.frame.begin(nullptr);
  auto* bottom = static_cast<char*>(fresh.memory.bottom);
  // A context begins with the rounding and exception masks of who makes it: the thread's, not those that the waiting task has
  // chosen.
  const platform::with_float_control standard(tasks_begin_with_);
  fresh.where.make(bottom, static_cast<std::size_t>(reinterpret_cast<char*>(&fresh) - bottom), &fiber_main, &fresh);
}

/// Returns: a fiber on which a loop may begin; nullptr if the system refuses a stack.
fiber* carrier::take() {
  if (!keep_one()) return nullptr;
  fiber& taken = kept_.take();
  prepare(taken);
  return &taken;
}

fiber& carrier::continued(fiber& ready) {
  ready.become(fiber::state::ready, fiber::state::running);
  resumptions_.add(1);
  return ready;
}

/// Returns: an idle fiber whose loop begins with the task. Pre: keep_one.
fiber& carrier::begin_with(const task& first) {
  fiber& idle = *take();
  idle.begins_with_task = true;
  copy_task(first, idle.frame.what);
  return idle;
}

/// Returns: what this worker runs after the fiber that it sets aside. Pre: keep_one.
fiber& carrier::take_next() {
  task next;
  const bool found = home_.take_at_once(worker_, next);
  if (!found) return *take();
  if (next.entry == &resume_entry) {
    platform::tasks_wait(-1);  // no loop gets it
    return continued(*static_cast<fiber*>(next.argument));
  }
  return begin_with(next);
}

/// Returns: an idle fiber with a stack as large as a thread's, for the begin of a run; nullptr if the system refuses it.
fiber* carrier::take_base(platform::atomic<fiber*>& kept) {
  // acquire: what was left there, by whomever.
  if (fiber* const left = kept.exchange(nullptr, platform::acquire); left != nullptr) return left;
  return make(home_, worker_, std::max(base_bytes, home_.stack_bytes), &kept);
}

carried carrier::carry(thread_stack& from, bool again) {
  tasks_begin_with_ = platform::float_control::current();
  fiber* first = again ? nullptr : take_base(base_);
  if (first != nullptr) prepare(*first);
  else first = take();
  if (first == nullptr) {
    running_ = nullptr;
    tell_refusal();
    return carried::refused;
  }
  return begin(from, *first);
}

/// Effect: switches from the thread's own stack, which goes on when this worker's part in the run has ended, or was given away.
carried carrier::begin(thread_stack& from, fiber& first) {
  thread_stack_ = &from;
  from.given_away = false;
  enter(first);
  const platform::stack_in_use own;
  from.root.switch_to(first.where);
  run(from.pending);
  return from.given_away ? carried::given_away : carried::ended;
}

departure carrier::depart(const awaited& why) {
  fiber& left = *running_;
  left.waits_for = &why;
  left.since_ns = platform::recent_ns();
  left.become(fiber::state::running, fiber::state::blocked);
  if (home_.tracks_started) home_.left(worker_, left);
  running_ = nullptr;
  worker_.runs(nullptr);
  return {left, *thread_stack_};
}

void departure::come_back() {
  const auto make_ready = [](void* pointer) {
    auto& back = *static_cast<fiber*>(pointer);
    back.home.make_ready(back);
  };
  own.pending = {make_ready, &left};
  own.given_away = true;
  left.where.switch_to(own.root);
  carrier::arrive();
}

/// Whether there is a fiber to go on with. Asked before a task is taken, for which there would be no stack.
bool carrier::can_switch() {
  // First of all: what it may have damaged is the next fiber.
  if (running_ != nullptr) check_canary(*running_);
  if (running_ != nullptr && keep_one()) [[likely]]
    return true;
  tell_refusal();
  return false;
}

void carrier::block(fiber& left, const awaited& what) {
  left.waits_for = &what;
  left.since_ns = platform::recent_ns();
  worker_.count(trace::counter::suspensions);
  left.become(fiber::state::running, fiber::state::blocked);
  if (home_.tracks_started) [[unlikely]]
    home_.left(worker_, left);
}

void carrier::leave_for(fiber& next, const awaited& what, void (*commit)(void*), void* argument) {
  fiber& left = *running_;
  block(left, what);
  pending_ = {commit, argument};
  enter(next);
  left.where.switch_to(next.where);
  // Another worker's, perhaps: nothing of `this` may be used from here on.
  arrive();
}

void carrier::suspend(const awaited& what, void (*commit)(void*), void* argument, bool (*withdraw)(void*)) {
  const platform::account_mark here(account_part::fibers);
  if (!can_switch()) [[unlikely]]
    return keep_worker(what, commit, argument, withdraw);
  leave_for(take_next(), what, commit, argument);
}

bool carrier::suspend_for(const task& first, const awaited& what, void (*commit)(void*), void* argument) {
  const platform::account_mark here(account_part::fibers);
  if (!can_switch()) return false;
  leave_for(begin_with(first), what, commit, argument);
  return true;
}

/// As suspend, while there is no stack. `commit` is called on the stack of who waits: nobody can go on there before this worker
/// takes what says so out of its mailbox (`bound`). It stays bound until it goes on: who makes it ready may be looking.
void carrier::keep_worker(const awaited& what, void (*commit)(void*), void* argument, bool (*withdraw)(void*)) {
  TEFF_REQUIRE(waiter() != nullptr, "tasks wait on workers that a thread carries");
  fiber& own = *waiter();
  own.bound = true;
  block(own, what);
  commit(argument);
  kept_wait wait{own, running_ != nullptr, commit, withdraw, argument};
  const kept_end end = home_.wait_kept(worker_, wait);
  if (end == kept_end::ran_in_place) return;  // nothing of `this` may be used
  if (end == kept_end::went_on) {
    continued(own);
  } else if (end == kept_end::run_ended) {
    own.where.switch_to(thread_stack_->root);  // for good
  } else {
    fiber& next = end == kept_end::other_fiber ? continued(*wait.next) : take_next();
    pending_ = {};
    enter(next);
    own.where.switch_to(next.where);
    arrive();
  }
  own.bound = false;
}

void carrier::resume(fiber& ready) {
  const platform::account_mark here(account_part::fibers);  // who goes on is in a scope of its own
  fiber& left = *running_;
  pending_ = {&retire, &left};
  enter(continued(ready));
  left.where.leave_to(ready.where);
}

void carrier::retire(void* pointer) {
  auto& idle = *static_cast<fiber*>(pointer);
  check_canary(idle);
  idle.become(fiber::state::running, fiber::state::idle);
  if (keep_base(idle)) return;
  // A thread that gives its worker away runs this without one.
  if (auto* const own = static_cast<worker*>(platform::current()); own != nullptr) own->carrier->kept_.keep(idle);
  else if (!idle.home.left_over.keep(idle)) destroy(idle);
}

void carrier::fiber_main(void* pointer) {
  auto& self = *static_cast<fiber*>(pointer);
  const platform::account_mark in_loop(account_part::put_get);
  arrive();
  self.home.loop(self.begins_with_task);
  thread_stack& last = *carrier_here().thread_stack_;
  last.pending = {&retire, &self};
  self.where.leave_to(last.root);
}

bool carrier::has_room(std::size_t parts) const {
  const fiber* const on = waiter();
  if (on == nullptr) return true;
  const auto* here = static_cast<const char*>(__builtin_frame_address(0));
  const auto* bottom = static_cast<const char*>(on->memory.bottom);
  return here > bottom && static_cast<std::size_t>(here - bottom) > on->memory.bytes / parts;
}

void resume_entry(worker& current, void* ready) {
  // The team is ending: what a task that waited for ever owned stays as it is, also if somebody made it ready too late.
  if (current.discarding()) return;
  current.carrier->resume(*static_cast<fiber*>(ready));
}

}  // namespace TEFF_NAMESPACE::fibers
