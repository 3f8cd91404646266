// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The time account of one worker on this machine: by a clock that slow paths read. simulated/ledger.h is its other side.
#pragma once

#include "base/account_parts.h"
#include "base/lock_label.h"
#include "base/shared_resource.h"
#include "platform/native/atomic.h"
#include "platform/tuning.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace TEFF_NAMESPACE::platform {

/// Idea: time since the last change of parts belongs to the part that was entered then. What no slow path takes off is the
/// program's own work, puts and gets included; who reads the account splits that.
/// Threads: its worker's; read by others at any time (a snapshot).
class ledger {
 public:
  /// What a worker is about when nothing was entered.
  static constexpr account_part base = account_part::own_work;
  /// What it is about in the program's functions.
  static constexpr account_part program = account_part::own_work;

  /// Returns: the part that went on until now. What of a long time the thread lost, though it had work, is `without_processor`.
  /// Cost: a look at the clock; behind a long time one or two calls of the system more.
  account_part enter(account_part next) noexcept;
  account_part going_on() const noexcept { return static_cast<account_part>(part_.value()); }
  std::uint64_t spent(account_part on) const noexcept { return parts_[index(on)].value(); }
  void move(account_part from, account_part to, std::uint64_t ns) noexcept {
    parts_[index(from)].add(0 - ns);
    parts_[index(to)].add(ns);
  }
  /// Returns: for how long its thread, while ready, had no processor, also while it searched or waited for a lock: parts of these
  /// have that time.
  std::uint64_t lost() const noexcept { return spent(account_part::without_processor) + lost_idle_.value(); }
  /// Effect: the time since the last change of parts was that part's. Pre: nobody carries its worker.
  void was(account_part on) noexcept;
  /// Effect: its worker, which sleeps, is woken: what it takes to come is a part of its own. Threads: who wakes it. Cost: a look
  /// at the clock, before a call of the system.
  void called() noexcept;
  /// Effect: nobody has called it. Threads: its worker's, which takes no part in a run.
  void was_called_in_vain() noexcept { called_at_.store(0, relaxed); }  // relaxed: as in `called`
  /// Effect: its worker runs: the time since it was called, if it was since it began to sleep, is taken off that part.
  void came() noexcept;
  /// Effect: from now on scopes of `stealing` are a part of their own, or (`are_told`: false) stay in the part that goes on, and
  /// cost no look at the clock. Threads: its worker's.
  void tell_thefts(bool are_told) noexcept { tells_thefts_ = are_told; }
  bool tells(account_part on) const noexcept { return tells_thefts_ || on != account_part::stealing; }
  /// Effect: the worker begins to look at others' queues. Returns: what it has spent on such looks that brought tasks.
  std::uint64_t begins_to_look() noexcept {
    in_vain_ = 0;
    return spent(account_part::stealing);
  }
  /// Effect: looks for tasks that took so long were in vain.
  void was_in_vain(std::uint64_t ns) noexcept {
    move(account_part::stealing, account_part::searching_alone, ns);
    in_vain_ = ns;
  }
  /// Effect: the last of those saw tasks.
  void saw_tasks_in_vain() noexcept {
    move(account_part::searching_alone, account_part::searching_beside_tasks, in_vain_);
    in_vain_ = 0;
  }
  /// Effect: of the time of the part that goes on so much was the system's for memory, which was measured for some blocks. Kept
  /// apart: parts only grow, and who looks at the account takes it off.
  void add_estimated_memory(std::uint64_t ns) noexcept { estimated_memory_[part_.value()].add(ns); }
  /// Returns: what the system took for memory, as far as that is measured or estimated.
  std::uint64_t memory() const noexcept {
    std::uint64_t sum = spent(account_part::system_memory);
    for (const statistic& each : estimated_memory_) sum += each.value();
    return sum;
  }
  /// Effect: takes what is estimated off what was spent, at most what there is.
  void apply_estimates(std::uint64_t (&spent)[account_part_count]) const noexcept;

  /// Effect: counts anew, from a moment of account_now() on. Pre: its worker is in no run, or calls.
  void restart(std::uint64_t now) noexcept;
  /// Effect: what was spent from `begin`, when it was restarted, until `now`; the parts add up to that at any time.
  void read(std::uint64_t begin, std::uint64_t now, std::uint64_t (&spent)[account_part_count]) const noexcept;

  /// Whether a measured event may stand for others: it takes no longer than the one before by much. One that lost its processor
  /// is alone; a lock or a system that is slow is so each time.
  class typical {
   public:
    bool is(std::uint64_t ns) noexcept {
      const std::uint64_t before = std::exchange(before_, ns);
      return ns <= tuning::account_event_at_most_ns || ns / 4 <= before;
    }

   private:
    std::uint64_t before_ = 0;
  };
  /// What its worker knows of the locks of one kind: measured waits, and what sampled acquisitions stand for.
  struct locks {
    statistic waited_ns, uses, held_ns;
    atomic<const void*> one{nullptr};  ///< the lock of the first acquisition that was timed
    atomic<bool> are_several{false};   ///< another one was another lock's
    typical stands_for_others;
  };
  /// Events of which some are measured.
  struct sampled {
    unsigned until_timed = 1;
    statistic measured, spent_ns;
    typical stands_for_others;
    std::uint64_t estimate(std::uint64_t events) const noexcept {
      const std::uint64_t known = measured.value(), spent = spent_ns.value();
      return known != 0 ? spent / known * events + spent % known * events / known : 0;
    }
  };
  sampled puts, gets;  ///< the owner's, of pools without a lane

  const locks& locks_of(guarded what) const noexcept { return locks_[static_cast<unsigned>(what)]; }

 private:
  friend class lock_watch;
  friend class lock_wait;
  static unsigned index(account_part of) noexcept { return static_cast<unsigned>(of); }
  /// Effect: as enter. `was_idle`: what the thread has lost of its processor stays in the part that ends.
  account_part leave(bool was_idle, account_part next) noexcept;
  /// Whether a thread has no processor in it, and needs none; or has one, and nothing to do.
  static constexpr bool is_asleep(account_part on) noexcept {
    return on == account_part::parked || on == account_part::being_woken || on == account_part::outside_runs;
  }
  static constexpr bool is_idle(account_part on) noexcept {
    return is_asleep(on) || on == account_part::lock_wait || on == account_part::stealing ||
           on == account_part::searching_alone || on == account_part::searching_beside_tasks;
  }

  statistic parts_[account_part_count];
  statistic estimated_memory_[account_part_count];
  statistic lost_idle_;
  statistic since_;
  atomic<std::uint64_t> called_at_{0};  ///< by who wakes the worker; it may be an old one, from before it slept
  statistic part_;
  std::uint64_t in_vain_ = 0;
  bool tells_thefts_ = true;
  locks locks_[guarded_count];
  const void* sampled_lock_ = nullptr;
  std::uint64_t sampled_since_ = 0;

 public:
  ledger() noexcept { part_.set(index(account_part::outside_runs)); }
  unsigned until_allocation_is_timed = 1;  ///< the owner's: small blocks from the system until one is measured
  bool measures_event = false;             ///< a sampled event is measured, so each block in it is
  typical allocations;
};

/// Returns: the ledger of the worker that the calling thread carries, or nullptr. A call, so that no compiler keeps the place of
/// a thread's variable over a switch.
ledger* ledger_here() noexcept;
/// Effect: the thread carries the worker of that ledger from here on, or, with nullptr, none.
void bind_ledger(ledger* own) noexcept;

/// The clock of ledgers, and what it is in ns.
std::uint64_t account_now() noexcept;
inline std::uint64_t account_ns(std::uint64_t ticks) noexcept { return ticks; }
/// Returns: what two looks at the clock one after the other are apart.
std::uint64_t account_clock_cost() noexcept;

/// Returns: what workers with these ledgers waited for, by kind of lock. Lines of the cache are known in simulation alone.
std::vector<shared_resource> shared_resources(std::span<const ledger* const> of);
/// Effect: what no ledger has of them is counted anew: here nothing.
inline void restart_resources() noexcept {}

/// For a scope, the worker's time is that part's, if its ledger tells it: on slow paths, as it reads the clock twice. The scope
/// may be left on another worker's thread than it was entered on.
class account_scope {
 public:
  explicit account_scope(account_part on) noexcept {
    ledger* const own = ledger_here();
    is_told_ = own == nullptr || own->tells(on);
    if (own != nullptr && is_told_) before_ = own->enter(on);
  }
  ~account_scope() {
    if (!is_told_) return;
    if (ledger* const own = ledger_here(); own != nullptr) own->enter(before_);
  }
  account_scope(const account_scope&) = delete;
  account_scope& operator=(const account_scope&) = delete;

 private:
  bool is_told_;
  account_part before_ = ledger::base;
};

/// In simulation the same as account_scope; here a clock would cost too much.
class [[maybe_unused]] account_mark {
 public:
  constexpr explicit account_mark(account_part) noexcept {}
};

/// For a scope, an event of which some are measured: what it takes beside parts that are entered in it. Never left on another
/// worker than it was entered on. Cost: an instruction and a branch.
class sampled_event {
 public:
  [[gnu::always_inline]] sampled_event(ledger& own, ledger::sampled& of) noexcept : own_(own), of_(of) {
    if (--of.until_timed == 0) [[unlikely]]
      begin();
  }
  [[gnu::always_inline]] ~sampled_event() {
    if (is_timed_) [[unlikely]]
      end();
  }
  /// Effect: it came to nothing, and does not count.
  void came_to_nothing() noexcept { counts_ = false; }
  sampled_event(const sampled_event&) = delete;
  sampled_event& operator=(const sampled_event&) = delete;

 private:
  static constexpr unsigned one_in = tuning::account_one_in;
  [[gnu::cold]] void begin() noexcept;
  [[gnu::cold]] void end() noexcept;

  ledger& own_;
  ledger::sampled& of_;
  std::uint64_t spent_before_ = 0;
  bool is_timed_ = false, counts_ = true;
};

/// Known in simulation alone.
inline void tasks_wait(std::int64_t) noexcept {}
inline constexpr unsigned no_number = lock_label::no_number;
inline void name_line(const void*, const char*, unsigned = no_number) noexcept {}

/// A lock's part of the account: one acquisition in `one_in` (tuning::account_one_in) is timed until its release, and stands for
/// as many. Under the lock. Cost: an instruction and a branch for each of both.
class lock_watch {
 public:
  static constexpr std::uint8_t one_in = tuning::account_one_in;

  /// Known in simulation alone: when a lock is made, and when its release is done.
  static constexpr void made(const void*) noexcept {}
  static constexpr void left(const void*) noexcept {}

  void took(const void* lock, lock_label label) noexcept {
    if (--until_timed_ == 0) [[unlikely]]
      begin(lock, label);
  }
  void frees(const void* lock, lock_label label) noexcept {
    if (until_timed_ == 0) [[unlikely]]
      end(lock, label);
  }

 private:
  [[gnu::cold]] void begin(const void* lock, lock_label label) noexcept;
  [[gnu::cold]] void end(const void* lock, lock_label label) noexcept;

  std::uint8_t until_timed_ = one_in;
};
/// Where a lock's cache line comes from is known in simulation alone.
class lock_access {
 public:
  constexpr lock_access(const void*, lock_label) noexcept {}
};
/// For a scope, the worker waits for a lock. `is_in_line`: it will take it, and is not waking who does, which is work: who is
/// woken may get its processor.
class lock_wait {
 public:
  lock_wait(const void* lock, lock_label label, bool is_in_line = true) noexcept;
  ~lock_wait();
  lock_wait(const lock_wait&) = delete;
  lock_wait& operator=(const lock_wait&) = delete;

 private:
  ledger* const own_;
  const lock_label label_;
  const bool is_in_line_;
  account_part before_ = ledger::base;
  std::uint64_t spent_before_ = 0;
};

}  // namespace TEFF_NAMESPACE::platform
