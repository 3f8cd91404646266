// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/settings.h"
#include "worker/idle/participants.h"

#include <cstdint>
#include <span>

namespace TEFF_NAMESPACE::workers {

/// How idle workers sleep and are woken: README.md beside this file names the events and proves that no wake-up is lost.
///
/// Threads: announce, retract, is_answered, is_woken, arrive, spin, wait are called by the worker itself; the wake functions by
/// anybody. Cost: wake_one with nobody asleep: a fence and a load.
class idle {
 public:
  /// Borrows both until it is destroyed. `spin` is false if the workers outnumber the processors.
  idle(std::span<member* const> members, participants& taking_part, pool::wait_policy wait, bool spin)
      : members_(members), taking_part_(taking_part), wait_(wait), spin_(spin) {}

  /// Effect: says that `self` will sleep unless it finds something now. Returns: whether now all that take part have said so.
  bool announce(member& self) {
    sleepers_.announce(self.word);
    // acq_rel: the last to announce sees everything that those before it did before they announced.
    return announced_.fetch_add(1, platform::acq_rel) + 1 == taking_part_.count();
  }
  /// Whether none of those that take part has announced itself. Who found a task after its announcement asks for itself: of
  /// several the last to take its announcement back learns so. acquire: in the order of those changes.
  bool nobody_has_announced() const { return announced_.load(platform::acquire) == 0; }

  /// Effect: takes the announcement back. Returns: true if somebody had woken `self` meanwhile: that wake-up is now the caller's
  /// to pass on.
  bool retract(member& self) {
    announced_.fetch_sub(1, platform::acq_rel);  // acq_rel: as announce
    if (sleepers_.take_back(self.word)) return false;
    self.word.store(sleepers::awake, platform::relaxed);  // relaxed: once it is notified, nobody else writes it
    return true;
  }

  /// Effect: gives others a while to answer the request that an announcement is. Returns: whether somebody woke `self`.
  bool is_answered(member& self) const;

  /// Whether somebody has woken `self` since it announced itself: then it need not look any further before it waits.
  static bool is_woken(const member& self) {
    return self.word.load(platform::relaxed) == sleepers::notified;  // relaxed: `wait` acquires it
  }

  /// Effect: says that the look after the announcement found nothing. Returns: whether now all have said so.
  // acq_rel: the last one sees what the others did before.
  bool arrive() { return waiting_.fetch_add(1, platform::acq_rel) + 1 == taking_part_.count(); }
  /// Effect: waits as long as it spins. Returns: whether somebody woke `self`. Pre: announced and arrived.
  bool spin(member& self) const;
  /// Effect: sleeps until woken. Pre: likewise. Post: awake; neither announced nor arrived.
  void wait(member& self);

  /// Effect: the calling thread, which is none of the team's, carries the worker from here on, as if it had been woken. Returns:
  /// false if it does not sleep, or somebody else has just borrowed it.
  bool borrow(member& sleeper);
  /// Effect: its own thread has it again: asleep, if it was announced, has arrived, and nobody has woken it since; else woken.
  /// Pre: it was borrowed; without `asleep` it is not announced. Post: the caller touches nothing of it any more.
  void give_back(member& sleeper, bool asleep);

  /// Effect: wakes one sleeping worker, if there is one, beginning behind `from`. If each that sleeps is kept, and the caller is
  /// no worker, wakes all. With `end` not 0, all that holds of workers first … end − 1. Returns: whether it woke somebody.
  bool wake_one(unsigned from, worker* waker, unsigned first = 0, unsigned end = 0);
  /// Effect: the same among workers first … end − 1, or, if none of them sleeps, among all.
  bool wake_near(unsigned from, worker* waker, unsigned first, unsigned end);
  /// Effect: wakes the sleeping workers of first … end − 1. Cost: as wake_one with nobody asleep.
  void wake_range(unsigned first, unsigned end);
  void wake_all();
  /// Effect: wakes worker 0, if it sleeps: the first to be told of the end of a run. Pre: the end is visible.
  void wake_root();
  /// Effect: wakes those sleeping workers whom worker `id` has to tell of the end of a run. Pre: likewise.
  void wake_below(unsigned id);
  /// Effect: wakes this worker, if it sleeps; calls it, if it takes no part in the run. Pre: what it is woken for is visible.
  bool wake_that(member& sleeper);

  /// Whether idle workers have processors of their own to spin on.
  bool spins() const { return spin_; }
  /// Whether every worker has announced, looked again in vain, and was not woken since. Cost: a load per worker.
  bool all_asleep() const;
  /// Changes whenever somebody is woken: equal before and after a look means that nobody left in between.
  std::uint32_t wake_count() const { return wakes_.load(platform::seq_cst); }
  /// Not 0 while some worker has announced itself and was not woken, nor has retracted: a request to those who have tasks.
  const platform::atomic<std::uint32_t>& sleeping() const { return sleepers_.count(); }

 private:
  /// Of member::lent.
  static constexpr std::uint32_t home_waits = 1, is_lent = 2;
  /// Effect: a worker that announced itself and arrived has done neither.
  void end_wait();
  void sleep_at_home(member& self);
  static void sleep_elsewhere(member& self);
  static void call(member& sleeper, std::uint32_t was);
  static void end_loan(member& sleeper);
  /// Effect: wakes this worker, if it sleeps. Pre: a fence since what it is woken for became visible.
  bool wake(member& sleeper);
  /// Effect: wakes one of so many workers from `first` on that sleeps and is not kept; if there is a choice, one that did not go to
  /// sleep on the caller's processor. Pre: likewise.
  bool wake_one_of(unsigned from, worker* waker, unsigned first, unsigned count);
  /// Effect: as wake_one. Pre: likewise.
  bool wake_any_of(unsigned from, worker* waker, unsigned first, unsigned count);
  void tell_end(std::size_t id);

  const std::span<member* const> members_;
  participants& taking_part_;
  const pool::wait_policy wait_;
  const bool spin_;

  sleepers sleepers_;
  /// Members between announce and their own leaving (retract, end of wait).
  alignas(cache_line_bytes) platform::atomic<std::uint32_t> announced_{0};
  platform::atomic<std::uint32_t> waiting_{0};  ///< members between arrive and the end of wait
  platform::atomic<std::uint32_t> wakes_{0};    ///< workers that were woken, borrowed, or given back awake
};

}  // namespace TEFF_NAMESPACE::workers
