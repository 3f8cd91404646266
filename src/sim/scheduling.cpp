// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sim/access.h"
#include "sim/model_memory.h"
#include "sim/simulator.h"

#include <algorithm>
#include <new>
#include <utility>

namespace TEFF_NAMESPACE::sim {

void simulator::scheduling_point() {
  if (++steps_without_progress_ > steps_allowed_) [[unlikely]]
    stop(outcome::end::livelock);
  processor& self = *running_;
  while (timers_.earliest() <= self.clock) fire_earliest_timer();
  const std::uint32_t chosen = recorded(chooser_->next_after(self.id, self.clock));
  if (chosen == self.id) return;
  processor& next = *processors_[chosen];
  become(next);
  self.context.switch_to(next.context);
}

/// Effect: `next` is the running processor, but for its stack.
void simulator::become(processor& next) {
  running_->current = std::exchange(current_pointer, next.current);
  running_->ledger = std::exchange(current_ledger, next.ledger);
  running_ = &next;
}

void simulator::wait(processor::state how, const char* what, std::uint64_t deadline) {
  processor& self = *running_;
  self.doing = how;
  self.waits_for = what;
  self.waits_since = self.clock;
  self.timed_out = false;
  ++self.waits;
  if (deadline != chooser::never) timers_.set({deadline, self.id, self.waits});
  processor& next = next_processor();
  if (&next == &self) return;  // its own timer was the next event
  become(next);
  self.context.switch_to(next.context);
}

/// Returns: who goes on when the running one cannot. If nobody can, time jumps to the next timer; without one it is a deadlock.
processor& simulator::next_processor() {
  while (timers_.earliest() != chooser::never && timers_.earliest() <= chooser_->earliest()) fire_earliest_timer();
  const processor_id chosen = chooser_->next();
  if (chosen == nobody) stop(outcome::end::deadlock);
  return *processors_[recorded(chosen)];
}

void simulator::fire_earliest_timer() {
  const timers::timer fired = timers_.take_earliest();
  processor& woken = *processors_[fired.which];
  if (woken.waits != fired.wait) return;
  std::uint64_t begin = fired.deadline;
  if (woken.doing == processor::state::watching) {
    remove(lines_[woken.waits_on].watchers, woken, processors_);
  } else if (woken.doing == processor::state::parked) {
    remove(lines_[woken.waits_on].parked, woken, processors_);
    begin += moved(costs().wake_latency);
  } else {
    return;  // that wait has ended already
  }
  woken.timed_out = true;
  make_runnable(woken, begin);
}

void simulator::make_runnable(processor& woken, std::uint64_t clock) {
  woken.doing = processor::state::runnable;
  woken.clock = std::max(woken.clock, clock);
  chooser_->add(woken.id, woken.clock);
}

std::uint32_t simulator::recorded(std::uint32_t choice) {
  if (options_.record) try {
      outcome_.choices.push_back(choice);
    } catch (const std::bad_alloc&) {
      end_for_want_of_memory();
    }
  return choice;
}

void simulator::note(operation what, line_number where) {
  ++outcome_.events;
  const std::uint64_t event =
      (std::uint64_t{running_->id} << 40) ^ (std::uint64_t{static_cast<std::uint8_t>(what)} << 56) ^ where;
  std::uint64_t hash = (outcome_.hash ^ event) * 0x9e3779b97f4a7c15;
  hash = (hash ^ (hash >> 32) ^ running_->clock) * 0xbf58476d1ce4e5b9;
  outcome_.hash = hash ^ (hash >> 29);
}

}  // namespace TEFF_NAMESPACE::sim
