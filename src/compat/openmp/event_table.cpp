// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/event_table.h"

#include "platform/process_wide.h"

#include <algorithm>
#include <memory>
#include <new>

namespace TEFF_NAMESPACE::openmp {

void event_table::add(event& made, unsigned who) {
  const std::uint64_t number = who % std::size(parts_);
  part& own = parts_[number];
  const platform::lock_guard guard(own.guard);
  constexpr std::uint64_t serials = std::uint64_t{1} << (serial_and_part_bits - part_bits);
  made.number = mark << serial_and_part_bits | (own.serial++ % serials) << part_bits | number;
  if (++own.open > own.mask) own.grow();
  event*& row = own.row_of(made.number);
  made.next = row;
  row = &made;
}

event* event_table::take(std::uint64_t number) {
  part& own = parts_[number % std::size(parts_)];
  const platform::lock_guard guard(own.guard);
  for (event** at = &own.row_of(number); *at != nullptr; at = &(*at)->next) {
    event* const found = *at;
    if (found->number != number) continue;
    *at = found->next;
    if (--own.open == 0) own.shrink();
    return found;
  }
  return nullptr;
}

/// Where there is no memory rows are longer.
void event_table::part::grow() {
  const std::size_t more = 2 * (mask + 1);
  auto** const made = new (std::nothrow) event*[more]();
  if (made == nullptr) return;
  event** const before = first;
  const std::size_t rows = mask + 1;
  first = made;
  mask = more - 1;
  for (std::size_t at = 0; at < rows; ++at) {
    while (event* const moved = before[at]) {
      before[at] = moved->next;
      event*& row = row_of(moved->number);
      moved->next = row;
      row = moved;
    }
  }
  if (before != some) delete[] before;
}

void event_table::part::shrink() {
  if (first == some) return;
  delete[] first;
  first = some;
  mask = few - 1;
}

void event_table::begin_anew() {
  for (part& each : parts_) {
    if (each.guard.try_acquire()) {
      each.guard.release();
      continue;
    }
    const std::uint64_t serial = each.serial;
    std::construct_at(&each);
    each.serial = serial + 1;
  }
}

event_table& open_events() { return platform::process_wide<event_table>(); }

}  // namespace TEFF_NAMESPACE::openmp
