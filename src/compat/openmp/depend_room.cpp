// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The memory of a table of dependences, and what goes through all that is in it.
#include "compat/openmp/depend_table.h"
#include "compat/openmp/refuse.h"

#include <algorithm>
#include <bit>

namespace TEFF_NAMESPACE::openmp {

namespace {

constexpr std::uint32_t fewest_entries = 32, fewest_things = 64;

template <class T>
void make(row<T>& made, std::uint32_t room) {
  // NOLINTNEXTLINE(bugprone-sizeof-expression): there are rows of pointers
  made.at = static_cast<T*>(platform::system_allocate(room * sizeof(T)));
  if (made.at == nullptr) fail("no memory for the dependences of a task");
  made.room = room;
  made.length = 0;
}

void await_gates(dependent& of, bool awaited) {
  for (std::uint32_t number = 0; number < of.gates; ++number) of.gates_begin()[number]->awaited = awaited;
}

}  // namespace

dependences::dependences(node* its_task, std::uint64_t its_number)
    : of(its_task), number(its_number), until_collection_(fewest_things), since_collection_(0), everything_(nullptr) {
  make(entries_, fewest_entries);
  std::fill_n(entries_.at, entries_.room, entry{});
  make(all_, 2 * fewest_things);
}

void dependences::make_room(member& current, std::uint32_t addresses) {
  const auto is_full = [&] { return 2 * (entries_.length + addresses) > entries_.room; };
  // A table that is full of what is complete would grow, and become small again, time after time: so a collection comes first, if
  // a quarter of what makes it due has come, which pays for it.
  if (1 + addresses > until_collection_ || (is_full() && 3 * std::uint64_t{since_collection_} >= until_collection_))
    collect(current, addresses);
  until_collection_ -= 1 + addresses;
  since_collection_ += 1 + addresses;
  if (is_full()) move_entries(std::max(entries_.room, entries_.length + addresses));
}

/// Effect: the addresses lie in a table with room for so many.
void dependences::move_entries(std::uint32_t addresses) {
  row<entry> before = entries_;
  make(entries_, std::bit_ceil(std::max(fewest_entries, 2 * addresses)));
  std::fill_n(entries_.at, entries_.room, entry{});
  entries_.length = before.length;
  for (std::uint32_t each = 0; each < before.room; ++each)
    if (before.at[each].group != nullptr) place_of(before.at[each].address) = before.at[each];
  platform::system_release(before.at, 0);
}

/// Effect: those that are complete are gone.
void dependences::collect(member& current, std::uint32_t more) {
  // What the next collection goes through besides: the records that are left with their addresses, and the table of addresses. It
  // is due when as many new ones have come, so that each pays for one of these.
  std::uint32_t left = 0, records_left = 0;
  for (std::uint32_t each = 0; each < all_.length; ++each) {
    dependent& one = *all_.at[each];
    if (one.is_complete()) {
      one.gone = true;  // of no other: others count off in that line
      continue;
    }
    left += 1 + one.uses;
    ++records_left;
  }
  if (everything_ != nullptr && everything_->gone) everything_ = nullptr;
  keep_entries(current);
  if (16 * (entries_.length + more) < entries_.room) move_entries(2 * entries_.length + more);
  until_collection_ = std::max({fewest_things, left, entries_.room, more + 1});
  since_collection_ = 0;
  row<dependent*> records = all_;
  // A task with n addresses may add n joints, and itself: as many as it counts for.
  const bool fits = records_left + until_collection_ <= all_.room;
  if (!fits) make(all_, 2 * (records_left + until_collection_));
  all_.length = 0;
  for (std::uint32_t each = 0; each < records.length; ++each) {
    if (records.at[each]->gone) free_dependent(current, records.at[each]);
    else append(*records.at[each]);
  }
  if (!fits) platform::system_release(static_cast<void*>(records.at), 0);
}

/// Effect: there are no addresses, and room for so many. Not for as many as there were: the next time goes through all of it.
void dependences::forget_addresses(member& current, std::uint32_t more) {
  for (std::uint32_t each = 0; each < entries_.room; ++each) leave_gate(current, entries_.at[each]);
  if (const std::uint32_t room = std::bit_ceil(std::max(fewest_entries, 2 * more)); room < entries_.room) {
    platform::system_release(entries_.at, 0);
    make(entries_, room);
  }
  std::fill_n(entries_.at, entries_.room, entry{});
  entries_.length = 0;
}

/// Effect: no address has anything that is gone, or nothing at all. Those that are left come nearer to where they are looked for
/// first: each goes through the free places before it, behind those that do so.
void dependences::keep_entries(member& current) {
  const std::uint32_t last = entries_.room - 1;
  std::uint32_t begin = 0;
  while (entries_.at[begin].group != nullptr) ++begin;  // half of them are free, so none has gone beyond this one
  for (std::uint32_t each = begin + 1; each <= begin + last; ++each) {
    entry& at = entries_.at[each & last];
    if (at.group == nullptr) continue;
    if (at.before != nullptr && at.before->gone) at.before = nullptr;
    use** link = &at.group;
    while (use* const member_of = *link) {
      if (task_of(*member_of).gone) {
        *link = member_of->next;
        --at.members;
      } else {
        link = &member_of->next;
      }
    }
    if (at.group == nullptr) {
      leave_gate(current, at);
      --entries_.length;
      continue;
    }
    if (first_place_of(at.address) == (each & last)) continue;
    const entry kept = at;
    at = {};
    place_of(kept.address) = kept;
  }
}

void dependences::mark(const node* of_these, const dependent* last) {
  // The latest first: who is behind one has been seen before it. What is not complete yet has all its edges in memory that is
  // there: this thread frees those of its children.
  for (std::uint32_t each = all_.length; each != 0; --each) {
    dependent& one = *all_.at[each - 1];
    const std::uintptr_t seen = one.later.load(platform::acquire);  // [edge]
    const bool open = (seen & dependent::complete) == 0;
    one.needed = open && of_these != nullptr && one.parent == of_these;
    for (const edge* at = open ? reinterpret_cast<edge*>(seen) : nullptr; at != nullptr && !one.needed; at = at->next)
      one.needed = at->later == last || (at->later->wait == nullptr && at->later->needed);
    if (one.needed) await_gates(one, true);
  }
  mark_awaited();
  for (std::uint32_t each = 0; each < all_.length; ++each) await_gates(*all_.at[each], false);
}

void dependences::mark_at_gates(dependent& of_these) {
  for (std::uint32_t each = 0; each < all_.length; ++each) all_.at[each]->needed = false;
  await_gates(of_these, true);
  mark_awaited();
  await_gates(of_these, false);
}

/// Effect: those with a gate that is awaited are needed: one of them may be the first in its row, and hold up all others there.
void dependences::mark_awaited() {
  for (std::uint32_t each = 0; each < all_.length; ++each) {
    dependent& one = *all_.at[each];
    const auto is_awaited = [](const gate* wanted) { return wanted->awaited; };
    if (!one.needed && !one.is_complete()) one.needed = std::any_of(one.gates_begin(), one.gates_begin() + one.gates, is_awaited);
  }
}

void dependences::forget(member& current) {
  for (std::uint32_t each = 0; each < entries_.room; ++each) leave_gate(current, entries_.at[each]);
  for (std::uint32_t each = 0; each < all_.length; ++each) {
    dependent* const one = all_.at[each];
    // [edge] Whoever of the two comes last frees it.
    if (one->later.fetch_or(dependent::forgotten, platform::acq_rel) & dependent::complete) free_dependent(current, one);
  }
  platform::system_release(entries_.at, 0);
  platform::system_release(static_cast<void*>(all_.at), 0);
}

}  // namespace TEFF_NAMESPACE::openmp
