// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sync/waiting.h"

#include "fiber/carrier.h"
#include "fiber/timer.h"
#include "platform/tuning.h"

namespace teff::inline TEFF_PLATFORM::sync {

namespace {

platform::atomic<wait_policy> policy_of_all{wait_policy::block};

/// Marks an identity as a foreign thread's; frames are aligned.
constexpr std::uintptr_t foreign_mark = 1;

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
  wake_up late;
  {
    platform::lock_guard guard(lock);
    if (is_over(self.word.load(platform::relaxed))) return;
    in.remove(self);
    late = wake_up(self, waiter::timed_out);
  }
  late.deliver();
}

void release_lock(void* lock) TEFF_NOT_ANALYSED { static_cast<platform::lock*>(lock)->release(); }

/// Effect: a thread waits, its worker with it if it has one. Pre: the lock is held; it is free afterwards.
void wait_as_thread(platform::lock& held, wait_list& in, waiter& self, std::uint64_t deadline_ns) TEFF_NOT_ANALYSED {
  held.release();
  while (!is_over(self.word.load(platform::acquire))) {
    if (deadline_ns == no_deadline) platform::park(self.word, waiter::waiting, foreign);
    else if (!platform::park_until(self.word, waiter::waiting, deadline_ns, foreign)) return give_up(held, in, self);
  }
}

/// Effect: as wait, after spinning. Pre: the lock is held; it is free afterwards.
void wait_as_task(worker& current, const fibers::awaited& what, platform::lock& held, wait_list& in, waiter& self,
                  std::uint64_t deadline_ns) TEFF_NOT_ANALYSED {
  fibers::fiber* own = current.carrier->running();
  if (own == nullptr) return wait_as_thread(held, in, self, deadline_ns);
  fibers::host& home = own->home;
  timed_wait timer{{deadline_ns, [](fibers::timer& due) {
                      auto& wait = static_cast<timed_wait&>(due);
                      give_up(wait.lock, wait.in, wait.self);
                    }},
                   held, in, self};
  // The timer may fire at once: it waits for the lock, and finds the waiter in the list.
  const bool timed = deadline_ns != no_deadline;
  if (timed && !home.add_timer(timer)) return wait_as_thread(held, in, self, deadline_ns);
  self.fiber = own;
  if (!current.carrier->suspend(what, &release_lock, &held)) {
    self.fiber = nullptr;
    wait_as_thread(held, in, self, deadline_ns);
  }
  if (timed) home.cancel_timer(timer);
}

}  // namespace

wait_policy default_policy() { return policy_of_all.load(platform::relaxed); }
void set_default_policy(wait_policy policy) { policy_of_all.store(policy, platform::relaxed); }

identity this_identity() {
  if (auto* current = static_cast<worker*>(platform::current()); current != nullptr && current->here != nullptr) {
    return current->here->frame;
  }
  return reinterpret_cast<identity>(reinterpret_cast<std::uintptr_t>(platform::this_thread()) | foreign_mark);
}

const task_frame* task_of(identity who) {
  return (reinterpret_cast<std::uintptr_t>(who) & foreign_mark) == 0 ? static_cast<const task_frame*>(who) : nullptr;
}

wake_up::wake_up(waiter& ended, std::uint32_t how) : fiber_(ended.fiber) {
  if (fiber_ == nullptr) word_ = &ended.word;
  // [wait] release: what was done for the waiter is visible to it. A waiter that spins, or a thread, may be gone from here on.
  ended.word.store(how, platform::release);
}

void wake_up::deliver() const {
  if (fiber_ != nullptr) fiber_->home.make_ready(*fiber_);
  else if (word_ != nullptr) platform::wake_one(*word_);  // by its address: whatever lies there now may wake early
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

bool wait(const fibers::awaited& what, platform::lock& held, wait_list& in, waiter& self, wait_policy policy,
          std::uint64_t deadline_ns) TEFF_NOT_ANALYSED {
  if (policy == wait_policy::spin && deadline_ns == no_deadline) {
    held.release();
    platform::spin_until(self.word, is_over, spinning);
    return true;
  }
  if (policy != wait_policy::block) {
    held.release();
    const bool over = platform::spin_until_for(self.word, is_over, tuning::wait_spin_rounds, spinning);
    if (over) return self.word.load(platform::acquire) == waiter::woken;
    held.acquire();
    if (is_over(self.word.load(platform::acquire))) {
      held.release();
      return self.word.load(platform::acquire) == waiter::woken;
    }
  }
  auto* current = static_cast<worker*>(platform::current());
  if (current != nullptr && current->here != nullptr) wait_as_task(*current, what, held, in, self, deadline_ns);
  else wait_as_thread(held, in, self, deadline_ns);
  return self.word.load(platform::acquire) == waiter::woken;
}

}  // namespace teff::inline TEFF_PLATFORM::sync
