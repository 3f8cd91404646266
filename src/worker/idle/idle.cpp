// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/idle/idle.h"

#include "base/assert.h"
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
    self.carried_by != nullptr ? sleep_elsewhere(self) : sleep_at_home(self);
    self.account.came();
  }
  end_wait();
  self.word.store(sleepers::awake, platform::relaxed);  // relaxed: once it is notified, nobody else writes it
}

void idle::end_wait() {
  // acq_rel: in one order with arrive and announce, where the last of all is found.
  const std::uint32_t waited = waiting_.fetch_sub(1, platform::acq_rel), announced = announced_.fetch_sub(1, platform::acq_rel);
  TEFF_REQUIRE(waited != 0 && announced != 0, "a worker that sleeps is counted as one");
}

/// Effect: the worker's own thread sleeps until it is woken. Meanwhile another one may carry the worker.
void idle::sleep_at_home(member& self) {
  self.home_slept_on.set(platform::processor_here());
  std::uint32_t expected = sleepers::sleepy;
  // [wake] acquire, as in sleepers::sleep: who has changed the word has woken this thread: nobody borrows a worker that is awake.
  if (!self.word.compare_exchange(expected, sleepers::asleep, platform::acq_rel)) return;
  for (;; self.home_slept_on.set(platform::processor_here())) {
    std::uint32_t lent = self.lent.load(platform::acquire);  // [lent]
    if ((lent & is_lent) != 0) {
      // relaxed: it is only asked for.
      if ((lent & home_waits) != 0 || self.lent.compare_exchange(lent, lent | home_waits, platform::relaxed))
        platform::park(self.lent, lent | home_waits, what_it_awaits);
      continue;
    }
    // [wake] acquire; and in this order: if nobody has borrowed the worker up to the second look at `lent`, the word is this
    // thread's, and what is not asleep is a wake-up.
    if (self.word.load(platform::acquire) == sleepers::asleep) platform::park(self.word, sleepers::asleep, what_it_awaits);
    else if (self.lent.load(platform::relaxed) == lent) return;
  }
}

/// Effect: another thread, which carries the worker, sleeps until that is woken. On the word the worker's own may wait, to which
/// a wake-up would go.
void idle::sleep_elsewhere(member& self) {
  std::uint32_t expected = sleepers::sleepy;
  // [wake] acquire, both, as in sleepers::sleep.
  if (!self.word.compare_exchange(expected, sleepers::asleep_elsewhere, platform::acq_rel)) return;
  for (;;) {
    const std::uint32_t calls = self.calls_elsewhere.load(platform::acquire);  // [elsewhere] before the word
    if (self.word.load(platform::acquire) != sleepers::asleep_elsewhere) return;
    platform::park(self.calls_elsewhere, calls, what_it_awaits);
  }
}

/// Effect: the system wakes whoever carries a worker that was asleep so. Pre: its word says that it is woken.
void idle::call(member& sleeper, std::uint32_t was) {
  const platform::account_scope waking(account_part::waking);
  sleeper.account.called();
  if (was == sleepers::asleep) return platform::wake_one(sleeper.word);
  sleeper.calls_elsewhere.fetch_add(1, platform::release);  // [elsewhere] behind the word
  platform::wake_one(sleeper.calls_elsewhere);
}

bool idle::borrow(member& sleeper) {
  std::uint32_t lent = sleeper.lent.load(platform::relaxed);  // relaxed: the exchange decides
  // acq_rel, before the word: who sees that changed sees whose it is. And what the last one who had the worker did is visible.
  if ((lent & is_lent) != 0 || !sleeper.lent.compare_exchange(lent, lent + is_lent, platform::acq_rel)) return false;
  // [lent] release: what this thread writes to the word from here on, without any order of its own, comes behind the exchange.
  platform::fence(platform::release);
  if (!sleepers_.take_over(sleeper.word)) {
    end_loan(sleeper);
    return false;
  }
  wakes_.fetch_add(1, platform::seq_cst);  // as in wake
  end_wait();
  return true;
}

void idle::end_loan(member& sleeper) {
  std::uint32_t lent = sleeper.lent.load(platform::relaxed);  // relaxed: the exchange decides
  // [lent] release: its thread, or who borrows it next, sees what was done meanwhile.
  while (!sleeper.lent.compare_exchange(lent, (lent & ~home_waits) + is_lent, platform::acq_rel)) {
  }
  if ((lent & home_waits) != 0) platform::wake_one(sleeper.lent);
}

void idle::give_back(member& sleeper, bool asleep) {
  sleeper.slept_on.set(sleeper.home_slept_on.value());
  if (asleep) {
    std::uint32_t expected = sleepers::sleepy;
    // acq_rel: as in sleepers::sleep. If somebody has woken it meanwhile, it is woken.
    asleep = sleeper.word.compare_exchange(expected, sleepers::asleep, platform::acq_rel);
  } else {
    // As who is woken is, and does not know it yet.
    wakes_.fetch_add(1, platform::seq_cst);  // as in wake: it may just have been seen asleep
    // acq_rel, both: as announce and arrive.
    announced_.fetch_add(1, platform::acq_rel);
    waiting_.fetch_add(1, platform::acq_rel);
    sleeper.word.store(sleepers::notified, platform::release);  // [wake]
  }
  end_loan(sleeper);
  if (!asleep) call(sleeper, sleepers::asleep);
}

bool idle::wake(member& sleeper) {
  const std::uint32_t was = sleepers_.wake(sleeper.word);
  if (was == sleepers::awake) return false;
  // seq_cst: counted before the caller sleeps: all_asleep reads it before and after the words.
  wakes_.fetch_add(1, platform::seq_cst);
  if (was != sleepers::sleepy) call(sleeper, was);
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
