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
  return wake(sleeper);
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
  for (unsigned step = 1; step <= count; ++step) {
    member& candidate = *members_[first + (from + step) % count];
    // [kept] relaxed: ordered by the fences, as the word.
    if (woken(candidate.word.load(platform::relaxed)) || candidate.kept.load(platform::relaxed)) continue;
    if (!wake(candidate)) continue;
    if (waker != nullptr) waker->count(trace::counter::wakes);
    return true;
  }
  return false;
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
  return wake_any_of(from, waker, first, (end != 0 ? end : static_cast<unsigned>(members_.size())) - first);
}

bool idle::wake_near(unsigned from, worker* waker, unsigned first, unsigned end) {
  if (!sleepers_.any()) return false;
  return wake_one_of(from, waker, first, end - first) || wake_any_of(from, waker, 0, static_cast<unsigned>(members_.size()));
}

bool idle::all_asleep() const {
  // In this order: a worker that was awake at one of the loads of words has counted whom it woke before it was waiting.
  const std::uint32_t wakes = wake_count();
  const auto is_sleepy = [](const member* each) { return sleepers::sleeps(each->word.load(platform::seq_cst)); };
  return std::all_of(members_.begin(), members_.end(), is_sleepy) && waiting_.load(platform::seq_cst) == members_.size() &&
         wake_count() == wakes;
}

void idle::wake_range(unsigned first, unsigned end) {
  if (!sleepers_.any()) return;
  for (unsigned each = first; each < end; ++each) {
    // relaxed: ordered by the fences, as in wake_one.
    if (!woken(members_[each]->word.load(platform::relaxed))) wake(*members_[each]);
  }
}

void idle::wake_below(unsigned id) {
  const std::size_t first = 2 * std::size_t{id} + 1, end = std::min(first + 2, members_.size());
  if (first >= end) return;
  platform::fence(platform::seq_cst);  // [sleep], as in sleepers::any
  for (std::size_t below = first; below < end; ++below) wake(*members_[below]);
}

void idle::wake_all() {
  platform::fence(platform::seq_cst);  // [sleep], as in sleepers::any
  for (member* sleeper : members_) wake(*sleeper);
}

}  // namespace TEFF_NAMESPACE::workers
