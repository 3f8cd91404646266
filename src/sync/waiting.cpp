// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sync/waiting.h"

#include "fiber/carrier.h"
#include "fiber/timer.h"
#include "platform/tuning.h"

namespace TEFF_NAMESPACE::sync {

namespace {

platform::atomic<wait_policy> policy_of_all{wait_policy::block};

bool is_over(std::uint32_t word) { return word != waiter::waiting; }

const char* const spinning = "a spinning waiter";
const char* const foreign = "a foreign thread at an object of a team";

/// A wait with a deadline: what its timer has to know.
struct timed_wait : fibers::timer {
  platform::lock& lock;
  wait_list& in;
  waiter& self;
};

/// Effect: ends the wait, if nobody else has. Pre: the lock is held by nobody who waits for the timer.
void give_up(platform::lock& lock, wait_list& in, waiter& self) {
  wake_ups late;
  {
    platform::lock_guard guard(lock);
    if (self.ended != waiter::waiting) return;
    in.remove(self);
    late.add(self, waiter::timed_out);
  }
  late.deliver();
}

void release_lock(void* lock) TEFF_NOT_ANALYSED { static_cast<platform::lock*>(lock)->release(); }

/// Effect: a thread waits, its worker with it if it has one. Pre: the lock is held; it is free afterwards.
void wait_as_thread(platform::lock& held, wait_list& in, waiter& self, std::uint64_t deadline_ns) TEFF_NOT_ANALYSED {
  held.release();
  while (!is_over(self.word.load(platform::acquire))) {  // [wait]
    if (deadline_ns == no_deadline) {
      platform::park(self.word, waiter::waiting, foreign);
    } else if (!platform::park_until(self.word, waiter::waiting, deadline_ns, foreign)) {
      // If somebody else is ending the wait just now, the word says so soon.
      give_up(held, in, self);
      deadline_ns = no_deadline;
    }
  }
}

/// Effect: as wait, after spinning. Pre: the lock is held; it is free afterwards.
void wait_as_task(worker& current, const fibers::awaited& what, platform::lock& held, wait_list& in, waiter& self,
                  std::uint64_t deadline_ns) TEFF_NOT_ANALYSED {
  fibers::fiber* own = current.carrier->waiter();
  if (own == nullptr) return wait_as_thread(held, in, self, deadline_ns);
  fibers::host& home = own->home;
  timed_wait timer{{deadline_ns,
                    [](fibers::timer& due) {
                      auto& wait = static_cast<timed_wait&>(due);
                      give_up(wait.lock, wait.in, wait.self);
                    }},
                   held,
                   in,
                   self};
  // The timer may fire at once: it waits for the lock, and finds the waiter in the list.
  const bool timed = deadline_ns != no_deadline;
  if (timed && !home.add_timer(timer)) return wait_as_thread(held, in, self, deadline_ns);
  self.fiber = own;
  current.carrier->suspend(what, &release_lock, &held);
  if (timed) home.cancel_timer(timer);
}

}  // namespace

wait_policy default_policy() { return policy_of_all.load(platform::relaxed); }  // relaxed: only a number goes by it
// relaxed: likewise.
void set_default_policy(wait_policy policy) { policy_of_all.store(policy, platform::relaxed); }

const task_frame* task_of(identity who) { return is_foreign(who) ? nullptr : frame_of(who); }

void wake_ups::add(waiter& ended, std::uint32_t how) {
  ended.ended = how;
  ended_.push(ended);
}

void wake_ups::deliver() {
  while (waiter* each = ended_.pop()) {
    fibers::fiber* const sleeping = each->fiber;
    platform::atomic<std::uint32_t>& word = each->word;
    // [wait] release: what was done for the waiter is visible to it. One that spins, or a thread, may be gone from here on.
    word.store(each->ended, platform::release);
    if (sleeping != nullptr) sleeping->home.make_ready(*sleeping);
    else platform::wake_one(word);  // by its address: whatever lies there now may wake early
  }
}

void wait_list::push(waiter& last) {
  last.next = nullptr;
  last.before = last_;
  (last_ != nullptr ? last_->next : first_) = &last;
  last_ = &last;
}

void wait_list::remove(waiter& gone) {
  (gone.before != nullptr ? gone.before->next : first_) = gone.next;
  (gone.next != nullptr ? gone.next->before : last_) = gone.before;
}

waiter* wait_list::pop() {
  waiter* taken = first_;
  if (taken != nullptr) remove(*taken);
  return taken;
}

namespace {

/// Counts, until the end of the scope, for how long spinning keeps a worker. Of foreign threads nothing is counted, nor what is
/// brief, unless looks at the clock are free.
/// Cost: two looks at a clock that is cheap, and exact in simulation alone: a brief spin is a thousandth of its step natively.
template <bool IsBrief>
class spin_time {
 public:
  spin_time() : of_(is_counted ? static_cast<worker*>(platform::current()) : nullptr) {
    if (of_ != nullptr) since_ns_ = platform::recent_ns();
  }
  ~spin_time() {
    if (of_ != nullptr) of_->count(trace::counter::spun_ns, platform::recent_ns() - since_ns_);
  }
  spin_time(const spin_time&) = delete;
  spin_time& operator=(const spin_time&) = delete;

 private:
  static constexpr bool is_counted = !IsBrief || platform::clock_is_free;

  worker* const of_;
  std::uint64_t since_ns_ = 0;
};

/// Effect: spins until the wait is over, which the deadline may make it. Pre: the lock is held; it is free afterwards.
void spin_to_the_end(platform::lock& held, wait_list& in, waiter& self, std::uint64_t deadline_ns) TEFF_NOT_ANALYSED {
  const spin_time<false> counted;
  held.release();
  if (deadline_ns != no_deadline) {
    while (!platform::spin_until_for(self.word, is_over, tuning::wait_spin_rounds, spinning)) {
      if (platform::now_ns() < deadline_ns) continue;
      // If somebody else is ending the wait just now, the word says so soon.
      give_up(held, in, self);
      break;
    }
  }
  platform::spin_until(self.word, is_over, spinning);
}

/// Effect: spins for about as long as being set aside takes. Returns: whether the wait is over; the lock is free then, else held.
/// Pre: the lock is held.
bool spin_briefly(platform::lock& held, waiter& self) TEFF_NOT_ANALYSED {
  const spin_time<true> counted;
  held.release();
  if (platform::spin_until_for(self.word, is_over, tuning::wait_spin_rounds, spinning)) return true;
  held.acquire();
  if (self.ended == waiter::waiting) return false;
  held.release();
  platform::spin_until(self.word, is_over, spinning);
  return true;
}

}  // namespace

void object::forget(const fibers::host& ending) const noexcept {
  const platform::lock_guard guard(lock_);
  for (waiter* each = waiters_.first(); each != nullptr;) {
    waiter* const next = each->next;
    if (each->fiber != nullptr && &each->fiber->home == &ending) waiters_.remove(*each);
    each = next;
  }
}

void object::leave_waiters() {
  static const struct final : fibers::awaited {
    const char* kind() const noexcept override { return "an object that was destroyed"; }
    bool only_tasks_end_it() const noexcept override { return true; }
  } gone;
  if (!waiters_.empty() && platform::is_static(this)) return;  // the process ends around them
  while (const waiter* each = waiters_.pop()) {
    TEFF_REQUIRE(each->fiber != nullptr && each->fiber->home.is_stuck(),
                 "an object must not be destroyed while somebody waits at it");
    each->fiber->waits_for = &gone;
  }
}

bool wait(const fibers::awaited& what, platform::lock& held, wait_list& in, waiter& self, wait_policy policy,
          std::uint64_t deadline_ns) TEFF_NOT_ANALYSED {
  if (deadline_ns == has_passed) {
    in.remove(self);
    held.release();
    return false;
  }
  if (policy == wait_policy::spin) {
    spin_to_the_end(held, in, self, deadline_ns);
  } else if (policy == wait_policy::block || !spin_briefly(held, self)) {
    auto* current = static_cast<worker*>(platform::current());
    if (current != nullptr && current->here != nullptr) wait_as_task(*current, what, held, in, self, deadline_ns);
    else wait_as_thread(held, in, self, deadline_ns);
  }
  return self.word.load(platform::acquire) == waiter::woken;  // [wait]
}

}  // namespace TEFF_NAMESPACE::sync
