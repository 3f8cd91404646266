// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/doacross.h"

#include "compat/openmp/team.h"
#include "compat/openmp/turns.h"
#include "platform/tuning.h"

#include <algorithm>
#include <bit>
#include <new>

namespace TEFF_NAMESPACE::openmp {

bool doacross::has_numbers(const loop& what) {
  std::uint64_t product = 1;
  for (unsigned each = 0; each < what.depth; ++each) {
    if (__builtin_mul_overflow(product, what.counts[each], &product)) return false;
  }
  return product <= std::uint64_t{1} << 63;
}

std::unique_ptr<doacross> doacross::make(const loop& what, unsigned members) {
  std::unique_ptr<doacross> made(new (std::nothrow) doacross);
  if (made == nullptr) return nullptr;
  made->depth_ = what.depth;
  made->counts_.reset(new (std::nothrow) std::uint64_t[what.depth]);
  if (made->counts_ == nullptr) return nullptr;
  std::copy_n(what.counts, what.depth, made->counts_.get());
  for (unsigned each = 1; each < what.depth; ++each) made->inner_ *= what.counts[each];
  if (what.chunk != 0) {
    made->length_ = what.chunk;
  } else {
    made->length_ = what.count / members;
    made->longer_ = what.count % members;
  }
  const std::uint64_t units = made->unit_of(what.count - 1) + 1;
  const std::uint64_t enough = std::max<unsigned>(2 * members, tuning::doacross_slots);
  const std::uint64_t slots = std::bit_ceil(std::min(units, enough));
  made->last_slot_ = slots - 1;
  made->slots_.reset(new (std::nothrow) slot[slots]);
  return made->slots_ != nullptr ? std::move(made) : nullptr;
}

std::uint64_t doacross::unit_of_longer(std::uint64_t outer) const {
  const std::uint64_t border = longer_ * (length_ + 1);
  return outer < border ? outer / (length_ + 1) : longer_ + (outer - border) / length_;
}

/// Returns: the iteration of the outermost loop behind the unit, which the last one need not have whole.
std::uint64_t doacross::end_of(std::uint64_t unit) const {
  if (has_single_units()) return unit + 1;
  return std::min((unit + 1) * length_ + std::min(unit + 1, longer_), counts_[0]);
}

void doacross::await_late(member& current, std::uint64_t unit, std::uint64_t least, const wait_place& where) {
  const auto is_due = [least](std::uint64_t done) { return done >= least; };
  await_word(current, done_in_slot_of(unit), is_due, current.in.bells[unit], "an earlier iteration", where);
}

[[gnu::always_inline]] inline void doacross::await_slot(member& current, std::uint64_t unit, std::uint64_t least,
                                                        const wait_place& where) {
  if (done_in_slot_of(unit).load(platform::acquire) < least) [[unlikely]]  // [source]
    await_late(current, unit, least, where);
}

[[gnu::always_inline]] inline void doacross::advance(member& current, std::uint64_t unit, std::uint64_t done) {
  done_in_slot_of(unit).store(done, platform::release);  // [source]
  ring(current.in.bells[unit]);
}

/// Effect: waits until the member may post in the unit's slot: the last unit that had it and is not of the member's own piece is
/// done. Of the own piece they run in order, whether they were posted or not. Units are handed out in their order, so nobody
/// waits for a later one here.
[[gnu::always_inline]] inline void doacross::begin_unit(member& current, std::uint64_t unit) {
  if (unit <= last_slot_) return;
  const std::uint64_t least = end_of(unit - last_slot_ - 1) * inner_;
  if (done_in_slot_of(unit).load(platform::acquire) >= least) return;                   // [source]
  const std::uint64_t back = ((unit - unit_of(current.shared.from)) | last_slot_) + 1;  // rounds of slots, and one more
  if (unit >= back) await_slot(current, unit - back, end_of(unit - back) * inner_, {});
}

void doacross::post(member& current, std::uint64_t outer, std::uint64_t number) {
  const std::uint64_t unit = unit_of(outer);
  begin_unit(current, unit);
  advance(current, unit, number + 1);
}

void doacross::await(member& current, std::uint64_t outer, std::uint64_t number, const wait_place& where) {
  if (outer >= current.shared.from && outer < current.shared.to) return;
  await_slot(current, unit_of(outer), number + 1, where);
}

void doacross::complete_piece(member& current) {
  const std::uint64_t first = unit_of(current.shared.from), last = unit_of(current.shared.to - 1);
  // relaxed, both: of a unit of its own it reads what it has written itself; else it waits.
  if (first == last && done_in_slot_of(first).load(platform::relaxed) >= current.shared.to * inner_) [[likely]]
    return;
  for (std::uint64_t unit = std::max(first, last - std::min(last, last_slot_)); unit <= last; ++unit) {
    const std::uint64_t end = end_of(unit) * inner_;
    if (done_in_slot_of(unit).load(platform::relaxed) >= end) continue;
    begin_unit(current, unit);
    advance(current, unit, end);
  }
}

}  // namespace TEFF_NAMESPACE::openmp
