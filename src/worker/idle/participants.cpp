// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/idle/participants.h"

#include "platform/tuning.h"

#include <algorithm>
#include <utility>

namespace TEFF_NAMESPACE::workers {

namespace {

const char* const next_run = "a worker thread: the next run of its team";

}  // namespace

void participants::begin_with(const pool::worker_places& places, std::size_t processors) {
  // Where each has a domain of its own the machine may not say what its processors share.
  const std::size_t in_domain = places.siblings(0).size() > 1 ? places.siblings(0).size() : places.workers();
  first_group_ = static_cast<unsigned>(std::min(in_domain, std::max<std::size_t>(processors, 1)));
  while (first_far_ < places.workers() && places.distance(0, first_far_) < 2) ++first_far_;
}

void participants::expect(std::span<member* const> members, const run_totals& progress) {
  members_ = members;
  progress_ = &progress;
  platform::name_line(&entered_, "line of how many take part in a run");
  platform::name_line(&end_, "line of the end of those that take part");
  platform::name_line(&next_, "line of who is called next");
  platform::name_line(&calls_to_group_, "line of the begin of a run");
  if (!by_need_) return;
  // relaxed: published by the first call.
  for (member* each : members) each->word.store(absent, platform::relaxed);
}

void participants::open() {
  const auto all = static_cast<std::uint32_t>(members_.size()), first = called_first();
  // relaxed, all: who takes part sees them by [enter]. A note from before the run, for initial tasks, is seen here already.
  end_.store(all_next_.load(platform::relaxed) ? all : first, platform::relaxed);
  if (by_need_) {
    next_.store(first, platform::relaxed);
    wanted_.store(first, platform::relaxed);  // relaxed, all of these, likewise
    begun_ns_.store(first < all ? platform::now_ns() : 0, platform::relaxed);
    members_[0]->word.store(sleepers::awake, platform::relaxed);
  }
  entered_.store(by_need_ ? 1 : all, platform::release);  // [enter]
  // [call] Either this fence is before the one of a thread that finds the run over, or is to be called into the next: then it
  // finds this one. Or behind it, and what it left is seen here.
  if (by_need_) platform::fence(platform::seq_cst);
  if (first > 1) {
    for (unsigned id = 1; id < first; ++id) members_[id]->account.called();
    calls_to_group_.fetch_add(one_call, platform::release);  // [run]
    platform::wake_all(calls_to_group_);
  } else {
    see_to_watch();
  }
  // relaxed, both: behind the fence; nobody else takes the note.
  if (!all_next_.load(platform::relaxed) || !all_next_.exchange(false, platform::relaxed)) return;
  end_.store(all, platform::relaxed);  // relaxed: those that are still to come may have tasks, and see it by their calls
  call_all();
}

bool participants::await(member& self) {
  for (nap_end how = nap_end::given_up;;) {
    if (how == nap_end::given_up) await_call(self);
    sleepers::word& calls = calls_to(self);
    std::uint32_t seen = calls.load(platform::acquire);  // [run]
    if ((seen & ends) != 0) return false;
    if (!by_need_) {
      self.calls_seen = seen;
      return true;
    }
    const bool is_called = !has_own_calls(self) || (seen & is_to_come) != 0;
    // acquire: [run]
    while ((seen & is_to_come) != 0 && !calls.compare_exchange(seen, seen & ~is_to_come, platform::acq_rel)) {
    }
    if ((seen & ends) != 0) return false;
    self.calls_seen = seen & ~is_to_come;
    if ((is_called || how == nap_end::time_to_come) && try_to_take_part(self)) return true;
    // relaxed, both: seen by the call; a word that another thread carries on is its own affair.
    const bool may_watch = self.watches.load(platform::relaxed) && self.word.load(platform::relaxed) == absent;
    how = may_watch ? nap(self) : nap_end::given_up;
  }
}

void participants::await_call(member& self) {
  sleepers::word& calls = calls_to(self);
  const auto is_called = [seen = self.calls_seen](std::uint32_t number) { return number != seen; };
  if (platform::spin_until_for(calls, is_called, tuning::idle_spin_rounds, next_run)) return;
  // [run] acquire: pairs with the release of who calls: what was set up for the run is visible.
  while (calls.load(platform::acquire) == self.calls_seen) platform::park(calls, self.calls_seen, next_run);
}

bool participants::try_to_take_part(member& self) {
  // relaxed: another thread that carries it in a run has left it behind what this one sees by [enter].
  if (self.word.load(platform::relaxed) != absent) return false;
  std::uint32_t now = entered_.load(platform::relaxed);  // relaxed: acquired by the exchange
  if ((now & is_closed) != 0) {
    // Something for it alone: it is called for that, and the next run is to call it.
    if (has_own_calls(self) && !self.mailbox.seems_empty()) call_all_next();
    platform::fence(platform::seq_cst);      // [call]
    now = entered_.load(platform::relaxed);  // relaxed: ordered by the fence, and acquired by the exchange
  }
  do {
    if ((now & is_closed) != 0) {
      self.account.was_called_in_vain();
      return false;
    }
  } while (!entered_.compare_exchange(now, now + 1, platform::acq_rel));  // [enter]
  std::uint32_t end = end_.load(platform::relaxed);
  // relaxed: ordered by the fence of its announcement, before which nobody looks for it.
  while (end <= self.id && !end_.compare_exchange(end, self.id + 1, platform::relaxed)) {
  }
  self.word.store(sleepers::awake, platform::relaxed);  // relaxed: nobody else writes it before it is announced
  platform::fence(platform::seq_cst);                   // [watch]
  self.is_new = true;
  if (self.id + 1 == called_first()) see_to_watch();
  return true;
}

void participants::leave(member& self) {
  if (!by_need_) return;
  if (self.watches.load(platform::relaxed)) give_up_watch(self);  // relaxed: the exchange decides
  self.word.store(absent, platform::relaxed);                     // relaxed: ordered by the fence
  // [call] Who puts something into its mailbox fences before it reads the word.
  platform::fence(platform::seq_cst);
  if (!self.mailbox.seems_empty()) call_all_next();
}

void participants::end_thread(member& of) {
  calls_to(of).fetch_or(ends, platform::release);  // [run]
  platform::wake_all(calls_to(of));
}

void participants::call(member& absentee, purpose why) {
  const std::uint32_t bit = why == purpose::to_come ? is_to_come : 0;
  std::uint32_t seen = absentee.calls.load(platform::relaxed);  // relaxed: the exchange decides
  // release: [run]
  while (!absentee.calls.compare_exchange(seen, (seen + one_call) | bit, platform::acq_rel)) {
  }
  const platform::account_scope waking(account_part::waking);
  if (why == purpose::to_come) absentee.account.called();
  platform::wake_one(absentee.calls);
}

/// Effect: calls the next worker that was not called in this run and takes no part. Returns: whether there is one.
bool participants::call_next(purpose why) {
  // relaxed, both: each number is had once; who has come meanwhile is called in vain.
  for (std::uint32_t id; (id = next_.fetch_add(1, platform::relaxed)) < members_.size();) {
    member& next = *members_[id];
    if (next.word.load(platform::relaxed) != absent) continue;
    if (why == purpose::to_watch && !give_watch(next)) continue;
    call(next, why);
    return true;
  }
  return false;
}

void participants::call_if_absent(member& receiver) {
  // Those of the first group are called into each run. relaxed: behind the caller's fence.
  if (!by_need_ || receiver.id < first_group_ || receiver.word.load(platform::relaxed) != absent) return;
  call(receiver);
}

void participants::call_another() {
  if (!is_over() && !all_are_called()) call_next();
}

void participants::call_all() {
  if (!by_need_) return;
  next_.store(static_cast<std::uint32_t>(members_.size()), platform::relaxed);  // relaxed, both: as in call_next
  for (member* each : members_) {
    if (each->word.load(platform::relaxed) == absent) call(*each);
  }
}

void participants::found_a_task(member& self, bool nobody_sleeps) {
  const bool is_first = std::exchange(self.is_new, false);
  const bool watched = self.watches.load(platform::relaxed);  // relaxed: the exchange decides
  if (watched) give_up_watch(self);
  if (all_are_called()) return;
  // relaxed, both: about so many.
  for (unsigned more = 0; is_first && more < 2 && next_.load(platform::relaxed) < wanted_.load(platform::relaxed); ++more)
    call_next();
  if (watched || nobody_sleeps) see_to_watch();
}

}  // namespace TEFF_NAMESPACE::workers
