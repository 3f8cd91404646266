// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/idle/idle.h"

#include "platform/tuning.h"

#include <algorithm>

namespace TEFF_NAMESPACE::workers {

namespace {

const char* const what_it_awaits = "an idle worker: work or the end of the run";

bool woken(std::uint32_t word) { return !sleepers::sleeps(word); }

}  // namespace

bool idle::is_answered(member& self) const {
  // [wake] acquire, as in wait.
  return spin_
             ? platform::spin_until_for(self.word, woken, tuning::idle_request_rounds, "an idle worker: an answer to its request")
             : woken(self.word.load(platform::acquire));
}

bool idle::wake_that(member& sleeper) {
  platform::fence(platform::seq_cst);  // [sleep], as in sleepers::any
  if (wake(sleeper)) return true;
  taking_part_.call_if_absent(sleeper);
  return false;
}

bool idle::spin(member& self) const {
  if (wait_ == pool::wait_policy::spin) {
    platform::spin_until(self.word, woken, what_it_awaits);
    return true;
  }
  return wait_ == pool::wait_policy::spin_then_park && spin_ &&
         platform::spin_until_for(self.word, woken, tuning::idle_spin_rounds, what_it_awaits);
}

void idle::wait(member& self) {
  // [wake] acquire, as in sleepers::sleep.
  if (!woken(self.word.load(platform::acquire))) {
    self.count(trace::counter::parks);
    const platform::account_scope asleep(account_part::parked);
    self.slept_on.set(platform::processor_here());
    sleepers::sleep(self.word, what_it_awaits);
    self.account.came();
  }
  // acq_rel: in one order with arrive and announce, where the last of all is found.
  waiting_.fetch_sub(1, platform::acq_rel);
  announced_.fetch_sub(1, platform::acq_rel);
  self.word.store(sleepers::awake, platform::relaxed);  // relaxed: once it is notified, nobody else writes it
}

bool idle::wake(member& sleeper) {
  const std::uint32_t was = sleepers_.wake(sleeper.word);
  if (was == sleepers::awake) return false;
  // seq_cst: counted before the caller sleeps: all_asleep reads it before and after the words.
  wakes_.fetch_add(1, platform::seq_cst);
  if (was == sleepers::asleep) {
    const platform::account_scope waking(account_part::waking);
    sleeper.account.called();
    platform::wake_one(sleeper.word);
  }
  return true;
}

bool idle::wake_one_of(unsigned from, worker* waker, unsigned first, unsigned count) {
  const auto wake_if = [&](auto is_wanted) {
    for (unsigned step = 1; step <= count; ++step) {
      member& candidate = *members_[first + (from + step) % count];
      // [kept] relaxed: ordered by the fences, as the word.
      if (woken(candidate.word.load(platform::relaxed)) || candidate.kept.load(platform::relaxed)) continue;
      if (!is_wanted(candidate) || !wake(candidate)) continue;
      if (waker != nullptr) waker->count(trace::counter::wakes);
      return true;
    }
    return false;
  };
  bool passed_over = false;
  const std::uint64_t here = platform::processor_here();
  const auto slept_elsewhere = [&](const member& candidate) {
    const bool elsewhere = candidate.slept_on.value() != here;
    passed_over |= !elsewhere;
    return elsewhere;
  };
  return wake_if(slept_elsewhere) || (passed_over && wake_if([](const member&) { return true; }));
}

bool idle::wake_any_of(unsigned from, worker* waker, unsigned first, unsigned count) {
  if (wake_one_of(from, waker, first, count)) return true;
  // A worker that puts looks at what it put before it sleeps, and wakes the kept ones if it is to be kept, too. Nobody else does.
  bool woke = false;
  for (unsigned step = 0; waker == nullptr && step < count; ++step) woke |= wake(*members_[first + step]);
  return woke;
}

bool idle::wake_one(unsigned from, worker* waker, unsigned first, unsigned end) {
  if (!sleepers_.any()) return false;
  return wake_any_of(from, waker, first, (end != 0 ? end : taking_part_.end()) - first);
}

bool idle::wake_near(unsigned from, worker* waker, unsigned first, unsigned end) {
  if (!sleepers_.any()) return false;
  return wake_one_of(from, waker, first, end - first) || wake_any_of(from, waker, 0, taking_part_.end());
}

bool idle::all_asleep() const {
  // In this order: a worker that was awake at one of the loads of words has counted whom it woke before it was waiting.
  const std::uint32_t wakes = wake_count();
  const auto is_asleep = [](const member* each) {
    const std::uint32_t seen = each->word.load(platform::seq_cst);  // seq_cst: in that order
    return sleepers::sleeps(seen) || seen == participants::absent;
  };
  return std::all_of(members_.begin(), members_.end(), is_asleep) && waiting_.load(platform::seq_cst) == taking_part_.count() &&
         wake_count() == wakes;
}

void idle::wake_range(unsigned first, unsigned end) {
  if (!sleepers_.any()) return;
  for (unsigned each = first; each < end; ++each) {
    // relaxed: ordered by the fences, as in wake_one.
    if (!woken(members_[each]->word.load(platform::relaxed))) wake(*members_[each]);
  }
}

/// Effect: wakes that worker; if it takes no part, or has left, those whom it would have to tell.
void idle::tell_end(std::size_t id) {
  if (id >= taking_part_.end()) return;
  // relaxed: since the run is over nobody takes part who did not before.
  if (members_[id]->word.load(platform::relaxed) != participants::absent) {
    wake(*members_[id]);
    return;
  }
  tell_end(2 * id + 1);
  tell_end(2 * id + 2);
}

void idle::wake_root() {
  platform::fence(platform::seq_cst);  // [sleep], as in sleepers::any
  wake(*members_[0]);                  // it may have left
}

void idle::wake_below(unsigned id) {
  const std::size_t first = 2 * std::size_t{id} + 1;
  if (first >= members_.size()) return;
  platform::fence(platform::seq_cst);  // [sleep], as in sleepers::any; and before a look at the end of those that take part
  tell_end(first);
  tell_end(first + 1);
}

void idle::wake_all() {
  platform::fence(platform::seq_cst);  // [sleep], as in sleepers::any
  for (unsigned id = 0; id < taking_part_.end(); ++id) wake(*members_[id]);
}

}  // namespace TEFF_NAMESPACE::workers
