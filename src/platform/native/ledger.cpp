// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/native/processor_time.h"
#include "platform/platform.h"

#include <algorithm>

namespace TEFF_NAMESPACE::platform {

namespace {

/// Reached by calls alone.
[[gnu::tls_model("initial-exec")]] constinit thread_local ledger* bound = nullptr;

}  // namespace

ledger* ledger_here() noexcept { return bound; }

void bind_ledger(ledger* own) noexcept {
  if (bound != nullptr) bound->enter(account_part::outside_runs);
  bound = own;
  if (own == nullptr) return;
  own->came();
  own->enter(ledger::base);
}

std::uint64_t account_now() noexcept { return now_ns(); }

std::uint64_t account_clock_cost() noexcept {
  static constinit atomic<std::uint64_t> kept{0};
  // relaxed, both: whoever measures finds about the same.
  std::uint64_t least = kept.load(relaxed);
  if (least != 0) return least;
  least = ~std::uint64_t{0};
  for (unsigned round = 0; round < 100; ++round) {
    const std::uint64_t before = account_now();
    least = std::min(least, account_now() - before);
  }
  kept.store(std::max(least, std::uint64_t{1}), relaxed);
  return least;
}

account_part ledger::enter(account_part next) noexcept { return leave(is_idle(going_on()), next); }

account_part ledger::leave(bool was_idle, account_part next) noexcept {
  std::uint64_t now = account_now(), lost = 0;
  const account_part before = going_on();
  const std::uint64_t since = since_.value();
  // Both look at the clock again: a sampled event, which is shorter than such a look, may begin behind it.
  if (now - since >= tuning::lost_at_least_ns) [[unlikely]]
    lost = lost_time(since, now);
  else if (was_idle && !is_idle(next)) forget_lost_time(now);
  if (was_idle) {
    if (!is_asleep(before)) lost_idle_.add(lost);
    lost = 0;
  }
  parts_[index(before)].add(now - since - lost);
  if (lost != 0) parts_[index(account_part::without_processor)].add(lost);
  since_.set(now);
  part_.set(index(next));
  return before;
}

void ledger::was(account_part on) noexcept {
  const std::uint64_t now = account_now();
  parts_[index(on)].add(now - since_.value());
  since_.set(now);
}

// relaxed, all of called_at_: a moment that comes late or not at all makes one wake-up count as sleep.
void ledger::called() noexcept { called_at_.store(account_now(), relaxed); }

void ledger::came() noexcept {
  const std::uint64_t called = called_at_.load(relaxed), since = since_.value();
  if (called <= since) return;
  called_at_.store(0, relaxed);
  parts_[index(going_on())].add(called - since);
  since_.set(called);
  part_.set(index(account_part::being_woken));
}

void ledger::restart(std::uint64_t now) noexcept {
  for (statistic& each : parts_) each.clear();
  for (statistic& each : estimated_memory_) each.clear();
  lost_idle_.clear();
  for (locks& each : locks_) {
    // relaxed, both: its worker is in no run.
    each.one.store(nullptr, relaxed);
    each.are_several.store(false, relaxed);
    each.waited_ns.clear();
    each.uses.clear();
    each.held_ns.clear();
  }
  for (sampled* each : {&puts, &gets}) {
    each->measured.clear();
    each->spent_ns.clear();
  }
  in_vain_ = 0;
  since_.set(now);
}

void ledger::apply_estimates(std::uint64_t (&spent)[account_part_count]) const noexcept {
  for (unsigned which = 0; which < account_part_count; ++which) {
    const std::uint64_t memory = std::min(spent[which], estimated_memory_[which].value());
    spent[which] -= memory;
    spent[index(account_part::system_memory)] += memory;
  }
}

/// Its worker may go from part to part meanwhile, so that parts do not fit one another: none is more than what is left of the
/// whole, and what is missing belongs to the part that goes on.
void ledger::read(std::uint64_t begin, std::uint64_t now, std::uint64_t (&spent)[account_part_count]) const noexcept {
  const account_part last = going_on();
  std::uint64_t left = now > begin ? now - begin : 0;
  for (unsigned which = 0; which < account_part_count; ++which) {
    const auto found = static_cast<std::int64_t>(parts_[which].value());
    spent[which] = std::min(left, static_cast<std::uint64_t>(std::max(found, std::int64_t{0})));
    left -= spent[which];
  }
  spent[index(last)] += left;
  apply_estimates(spent);
}

std::vector<shared_resource> shared_resources(std::span<const ledger* const> of) {
  std::vector<shared_resource> all;
  for (unsigned which = 0; which < guarded_count; ++which) {
    shared_resource sum{guarded_texts[which], false, 0, 0, 0};
    const void* one = nullptr;
    bool are_several = false;
    for (const ledger* each : of) {
      const ledger::locks& known = each->locks_of(static_cast<guarded>(which));
      sum.busy += known.held_ns.value();
      sum.uses += known.uses.value();
      sum.waited += known.waited_ns.value();
      // relaxed, both: a snapshot.
      const void* const lock = known.one.load(relaxed);
      are_several = are_several || known.are_several.load(relaxed) || (one != nullptr && lock != nullptr && lock != one);
      if (lock != nullptr) one = lock;
    }
    // Of several together it says nothing how long they were held: no one of them need be busy.
    if (are_several) {
      sum.name += " (several)";
      sum.busy = 0;
    }
    if (sum.uses != 0 || sum.waited != 0) all.push_back(std::move(sum));
  }
  return all;
}

void sampled_event::begin() noexcept {
  of_.until_timed = one_in;
  // A worker that searches has its time in that part.
  if (ledger_here() != &own_ || own_.going_on() != ledger::base) return;
  account_clock_cost();  // the first to ask measures it: not in the event
  is_timed_ = own_.measures_event = true;
  own_.enter(ledger::base);
  spent_before_ = own_.spent(ledger::base);
}

void sampled_event::end() noexcept {
  own_.enter(ledger::base);
  own_.measures_event = false;
  if (!counts_) return;
  const std::uint64_t spent = own_.spent(ledger::base) - spent_before_, clock = account_clock_cost();
  if (!of_.stands_for_others.is(spent)) return;
  of_.measured.add(1);
  of_.spent_ns.add(spent > clock ? spent - clock : 0);
}

void lock_watch::begin(const void* lock, lock_label) noexcept {
  ledger* const own = ledger_here();
  if (own == nullptr) return;  // until_timed_ says at the release that there is nothing to end
  own->sampled_lock_ = lock;
  own->sampled_since_ = account_now();
}

void lock_watch::end(const void* lock, lock_label label) noexcept {
  until_timed_ = one_in;
  ledger* const own = ledger_here();
  if (own == nullptr || own->sampled_lock_ != lock) return;
  own->sampled_lock_ = nullptr;
  const std::uint64_t held = account_now() - own->sampled_since_, clock = account_clock_cost();
  ledger::locks& known = own->locks_[static_cast<unsigned>(label.what())];
  // relaxed, all: only who looks at the account reads them.
  if (const void* const one = known.one.load(relaxed); one == nullptr) known.one.store(lock, relaxed);
  else if (one != lock) known.are_several.store(true, relaxed);
  const std::uint64_t stands_for = known.stands_for_others.is(held) ? one_in : 1;
  known.uses.add(one_in);
  known.held_ns.add(stands_for * (held > clock ? held - clock : 0));
}

lock_wait::lock_wait(const void*, lock_label label, bool is_in_line) noexcept
    : own_(ledger_here()), label_(label), is_in_line_(is_in_line) {
  if (own_ == nullptr) return;
  before_ = own_->enter(account_part::lock_wait);
  spent_before_ = own_->spent(account_part::lock_wait);
}

lock_wait::~lock_wait() {
  if (own_ == nullptr) return;
  own_->leave(is_in_line_, before_);
  own_->locks_[static_cast<unsigned>(label_.what())].waited_ns.add(own_->spent(account_part::lock_wait) - spent_before_);
}

}  // namespace TEFF_NAMESPACE::platform
