// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The time account of one worker in simulation: cycles of the processor that carries it. native/ledger.h is its other side.
#pragma once

#include "base/account_parts.h"
#include "base/lock_label.h"
#include "base/shared_resource.h"
#include "sim/access.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace TEFF_NAMESPACE::platform {

/// Idea: time since the last change of parts belongs to the part that was entered then. So each cycle is counted once, whatever
/// lets the clock go on. By virtual time only; else nothing is counted.
class ledger {
 public:
  /// What a worker is about when nothing was entered.
  static constexpr account_part base = account_part::put_get;
  /// What it is about in the program's functions, but for what they charge.
  static constexpr account_part program = account_part::own_memory;

  /// Returns: the part that went on until now.
  account_part enter(account_part next) noexcept;
  account_part going_on() const noexcept { return part_; }
  std::uint64_t spent(account_part on) const noexcept { return parts_[index(on)]; }
  /// Effect: so much of the time of one part belongs to another one.
  void move(account_part from, account_part to, std::uint64_t cycles) noexcept {
    parts_[index(from)] -= cycles;
    parts_[index(to)] += cycles;
  }
  /// Effect: the time since the last change of parts was that part's. Pre: nobody carries its worker.
  void was(account_part on) noexcept;
  /// Effect: its worker, which sleeps, is woken: what it takes to come is a part of its own. Threads: who wakes it.
  void called() noexcept;
  /// Effect: nobody has called it. Pre: it takes no part in a run.
  void was_called_in_vain() noexcept { part_ = account_part::outside_runs; }
  void came() noexcept {}  // the next part that it enters says so
  std::uint64_t begins_to_look() const noexcept { return spent(account_part::stealing); }
  /// Effect: looks for tasks that took so long were in vain.
  void was_in_vain(std::uint64_t cycles) noexcept;
  void saw_tasks_in_vain() noexcept {}  // was_in_vain knows whether there were any

  /// Each thread has a processor of its own.
  std::uint64_t lost() const noexcept { return 0; }
  /// Here nothing is estimated.
  std::uint64_t memory() const noexcept { return spent(account_part::system_memory); }
  void apply_estimates(std::uint64_t (&)[account_part_count]) const noexcept {}
  struct sampled {
    std::uint64_t estimate(std::uint64_t) const noexcept { return 0; }
  };
  [[no_unique_address]] sampled puts;
  [[no_unique_address]] sampled gets;

  /// Effect: counts anew, from a moment of account_now() on.
  void restart(std::uint64_t now) noexcept;
  /// Effect: what was spent until `now` by part, also if the worker's processor has gone ahead of that, or not come to it yet.
  void read(std::uint64_t begin, std::uint64_t now, std::uint64_t (&spent)[account_part_count]) const noexcept;

 private:
  static unsigned index(account_part of) noexcept { return static_cast<unsigned>(of); }

  std::uint64_t parts_[account_part_count] = {};
  std::uint64_t since_ = 0;
  std::uint64_t with_waiting_ = 0;  ///< sim::account::time_with_waiting when that part was entered
  account_part part_ = account_part::outside_runs;
};

/// Returns: the ledger of the worker that the running thread carries, or nullptr.
inline ledger* ledger_here() noexcept { return static_cast<ledger*>(sim::current_ledger); }
/// Effect: the thread carries the worker of that ledger from here on, or, with nullptr, none.
void bind_ledger(ledger* own) noexcept;

/// The clock of ledgers: that of the running processor, in cycles, and what it is in ns. No time passes.
std::uint64_t account_now() noexcept;
std::uint64_t account_ns(std::uint64_t cycles) noexcept;

/// Returns: the locks of the run, and the lines that were busiest, in ns.
std::vector<shared_resource> shared_resources(std::span<const ledger* const>);
/// Effect: they are counted anew.
void restart_resources() noexcept;

/// For a scope, the worker's time is that part's. The scope may be left on another worker's thread than it was entered on.
class account_scope {
 public:
  explicit account_scope(account_part on) noexcept {
    if (ledger* const own = ledger_here(); own != nullptr) before_ = own->enter(on);
  }
  ~account_scope() {
    if (ledger* const own = ledger_here(); own != nullptr) own->enter(before_);
  }
  account_scope(const account_scope&) = delete;
  account_scope& operator=(const account_scope&) = delete;

 private:
  account_part before_ = ledger::base;
};
/// The same where natively a clock would cost too much.
using account_mark = account_scope;

class sampled_event {
 public:
  sampled_event(ledger&, ledger::sampled&) noexcept {}
  ~sampled_event() {}
  void came_to_nothing() noexcept {}
};

/// Effect: so many tasks more wait to be begun, or fewer.
void tasks_wait(std::int64_t more) noexcept;

inline constexpr unsigned no_number = lock_label::no_number;
/// Effect: reports call the cache line of the word so, with that number.
void name_line(const void* word, const char* name, unsigned number = no_number) noexcept;

/// A lock's part of the account. One byte, as natively.
class lock_watch {
 public:
  /// Effect: a lock begins at that address, where another one may have been.
  static void made(const void* lock) noexcept;
  /// Effect: its release is done. The lock may be gone.
  static void left(const void* lock) noexcept;
  void took(const void* lock, lock_label label) noexcept;
  void frees(const void* lock, lock_label label) noexcept;

 private:
  [[maybe_unused]] std::uint8_t unused_ = 0;
};
/// For a scope, the access to a lock's word: where its line has to come from another processor, that is a wait for the lock.
class lock_access {
 public:
  lock_access(const void* lock, lock_label label) noexcept;
  ~lock_access();
  lock_access(const lock_access&) = delete;
  lock_access& operator=(const lock_access&) = delete;

 private:
  const void* const lock_;
  const lock_label label_;
  ledger* own_;
  account_part part_ = ledger::base;
  std::uint64_t before_ = 0, beside_tasks_before_ = 0;
};
/// For a scope, the worker waits for a lock. `is_in_line`: it will take it, and is not waking who does.
class lock_wait {
 public:
  lock_wait(const void* lock, lock_label label, bool is_in_line = true) noexcept;
  ~lock_wait();
  lock_wait(const lock_wait&) = delete;
  lock_wait& operator=(const lock_wait&) = delete;

 private:
  const void* const lock_;
  const lock_label label_;
  const bool is_in_line_;
  const std::uint64_t since_;
  const account_scope scope_{account_part::lock_wait};
};

}  // namespace TEFF_NAMESPACE::platform
