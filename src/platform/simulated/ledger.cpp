// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/platform.h"

#include "sim/simulator.h"

#include <algorithm>

namespace TEFF_NAMESPACE::platform {

using sim::timed;

namespace {

/// Effect: what was counted beyond a moment is taken off again: of this part as far as it is there, then of those behind it.
void take_off(std::uint64_t (&parts)[account_part_count], account_part first, std::uint64_t beyond) {
  for (unsigned step = 0; step < account_part_count && beyond != 0; ++step) {
    std::uint64_t& part = parts[(static_cast<unsigned>(first) + step) % account_part_count];
    const std::uint64_t taken = std::min(part, beyond);
    part -= taken;
    beyond -= taken;
  }
}

}  // namespace

account_part ledger::enter(account_part next) noexcept {
  if (timed == nullptr) return std::exchange(part_, next);
  const std::uint64_t now = timed->clock(), with_waiting = timed->account().time_with_waiting(now);
  // Who was called while it was on its way to sleep may come before the time at which it was called.
  if (now < since_) take_off(parts_, account_part::parked, since_ - now);
  const std::uint64_t spent = now - std::min(now, since_);
  parts_[index(part_)] += spent;
  const std::uint64_t beside_tasks = std::min(spent, with_waiting - with_waiting_);
  if (part_ == account_part::searching_alone) move(part_, account_part::searching_beside_tasks, beside_tasks);
  if (part_ == account_part::parked) move(part_, account_part::parked_beside_tasks, beside_tasks);
  since_ = now;
  with_waiting_ = with_waiting;
  return std::exchange(part_, next);
}

void ledger::was(account_part on) noexcept {
  const account_part before = std::exchange(part_, on);
  enter(before);
}

void ledger::called() noexcept {
  if (timed == nullptr || (part_ != account_part::parked && part_ != account_part::outside_runs)) return;
  // Hits of its cache may have put the sleeper's clock ahead of the caller's.
  if (timed->clock() > since_) enter(account_part::being_woken);
  else part_ = account_part::being_woken;
}

void ledger::was_in_vain(std::uint64_t cycles) noexcept {
  if (timed == nullptr) return;
  const bool beside = timed->account().some_wait();
  move(account_part::stealing, beside ? account_part::searching_beside_tasks : account_part::searching_alone, cycles);
}

void ledger::restart(std::uint64_t now) noexcept {
  std::fill(std::begin(parts_), std::end(parts_), 0);
  since_ = now;
}

void ledger::read(std::uint64_t, std::uint64_t now, std::uint64_t (&spent)[account_part_count]) const noexcept {
  std::copy(std::begin(parts_), std::end(parts_), std::begin(spent));
  if (timed == nullptr) return;
  if (now >= since_) {
    spent[index(part_)] += now - since_;
    return;
  }
  take_off(spent, part_, since_ - now);  // of one that is ahead
}

void bind_ledger(ledger* own) noexcept {
  if (ledger* const before = ledger_here(); before != nullptr) before->enter(account_part::outside_runs);
  sim::current_ledger = own;
  if (own != nullptr) own->enter(ledger::base);
}

std::uint64_t account_now() noexcept { return timed != nullptr ? timed->clock() : 0; }
std::uint64_t account_ns(std::uint64_t cycles) noexcept { return timed != nullptr ? timed->ns_of(cycles) : 0; }

std::vector<shared_resource> shared_resources(std::span<const ledger* const>) {
  if (timed == nullptr) return {};
  std::vector<shared_resource> all = timed->resources();
  for (shared_resource& each : all) {
    each.busy = account_ns(each.busy);
    each.waited = account_ns(each.waited);
  }
  return all;
}

void restart_resources() noexcept {
  if (timed != nullptr) timed->begin_account();
}

void tasks_wait(std::int64_t more) noexcept {
  if (timed != nullptr) timed->account().tasks_wait(more, timed->clock());
}

void name_line(const void* word, const char* name, unsigned number) noexcept {
  if (timed != nullptr) timed->account().name_line(word, name, number);
}

void lock_watch::took(const void* lock, lock_label label) noexcept {
  if (timed != nullptr) timed->account().took(lock, label, timed->clock());
}
void lock_watch::frees(const void* lock, lock_label) noexcept {
  if (timed != nullptr) timed->account().freed(lock, timed->clock());
}

void lock_watch::made(const void* lock) noexcept {
  if (timed != nullptr) timed->account().made(lock);
}
void lock_watch::left(const void* lock) noexcept {
  if (timed != nullptr) timed->account().left(lock, timed->clock());
}

lock_access::lock_access(const void* lock, lock_label label) noexcept : lock_(lock), label_(label), own_(ledger_here()) {
  if (timed == nullptr || own_ == nullptr || own_->going_on() == account_part::lock_wait) own_ = nullptr;
  if (own_ == nullptr) return;
  part_ = own_->enter(own_->going_on());
  before_ = own_->spent(part_);
  beside_tasks_before_ = own_->spent(account_part::searching_beside_tasks);
}

lock_access::~lock_access() {
  if (own_ == nullptr) return;
  own_->enter(part_);
  // A search may be of two parts.
  const std::uint64_t beside_tasks =
      part_ == account_part::searching_alone ? own_->spent(account_part::searching_beside_tasks) - beside_tasks_before_ : 0;
  const std::uint64_t spent = own_->spent(part_) - before_;
  // Costs that are moved by a hundredth are still those of a hit.
  const std::uint64_t hit = timed->costs().own_line_hit + timed->costs().read_modify_write_extra;
  if (spent + beside_tasks <= hit + hit / 16 + 1) return;
  own_->move(part_, account_part::lock_wait, spent);
  own_->move(account_part::searching_beside_tasks, account_part::lock_wait, beside_tasks);
  timed->account().waited(lock_, label_, spent + beside_tasks);
}

lock_wait::lock_wait(const void* lock, lock_label label, bool is_in_line) noexcept
    : lock_(lock), label_(label), is_in_line_(is_in_line && timed != nullptr), since_(account_now()) {
  if (is_in_line_) timed->account().comes_in_line(lock, label);
}
lock_wait::~lock_wait() {
  if (timed == nullptr) return;
  timed->account().waited(lock_, label_, timed->clock() - since_);
  if (is_in_line_) timed->account().leaves_line(lock_);
}

}  // namespace TEFF_NAMESPACE::platform
