// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sim/lines.h"

#include "base/cache_line.h"

#include <algorithm>
#include <bit>

namespace TEFF_NAMESPACE::sim {

namespace {

std::uintptr_t key_of(const void* word) { return reinterpret_cast<std::uintptr_t>(word) / cache_line_bytes; }

/// Effect: the account has one way more between processors.
void moved(line& one, std::uint64_t busy, std::uint64_t waited) {
  one.busy += busy;
  one.waited += waited;
  ++one.moves;
}

}  // namespace

place place_in(const machine_description& machine, unsigned number, unsigned places) {
  place made;
  made.number = number;
  for (unsigned i = 0; i < machine.levels; ++i) {
    const unsigned width = machine.level[i].width;
    const unsigned first = number / width * width;
    made.within[i] = {first, std::min(first + width, places)};
  }
  return made;
}

void lines::reset(const machine_description& machine) {
  machine_ = machine;
  lines_.clear();
  overflow_.clear();
  used_ = 0;
  ++run_;
}

std::size_t lines::slot_of(std::uintptr_t key) const {
  const std::size_t mask = table_.size() - 1;
  const int shift = std::countl_zero(mask);
  std::size_t index = (key * 0x9e3779b97f4a7c15) >> shift;
  while (table_[index].run == run_ && table_[index].key != key) index = (index + 1) & mask;
  return index;
}

void lines::grow() {
  slots old(table_.size() * 2);
  old.swap(table_);
  for (const slot& kept : old) {
    if (kept.run == run_) table_[slot_of(kept.key)] = kept;
  }
}

line_number lines::touch(const void* word) {
  const std::uintptr_t key = key_of(word);
  slot* found = &table_[slot_of(key)];
  if (found->run == run_ && found->number != no_line) return found->number;
  if (found->run != run_) {
    if (++used_ * 2 > table_.size()) {
      grow();
      found = &table_[slot_of(key)];
    }
    found->run = run_;
    found->key = key;
  }
  found->number = static_cast<line_number>(lines_.size());
  lines_.emplace_back();
  lines_.back().key = key;
  return found->number;
}

line_number lines::find(const void* word) const {
  const slot& found = table_[slot_of(key_of(word))];
  return found.run == run_ ? found.number : no_line;
}

void lines::begin_account() {
  for (line& each : lines_) {
    each.busy = each.waited = 0;
    each.moves = each.program_moves = 0;
  }
}

void lines::forget(const void* word) {
  slot& found = table_[slot_of(key_of(word))];
  if (found.run != run_ || found.number == no_line) return;
  const line& old = lines_[found.number];
  if (old.watchers.empty() && old.parked.empty()) found.number = no_line;
}

std::uint64_t lines::serve(line_number number, operation what, const place& by, std::uint64_t clock) {
  line& served = lines_[number];
  switch (what) {
    case operation::load:
      return read(served, by, clock);
    case operation::store:
      return write(served, by, clock, 0);
    default:
      return write(served, by, clock, machine_.read_modify_write_extra);
  }
}

bool lines::hit(line_number number, operation what, const place& by) {
  line& accessed = lines_[number];
  const bool is_load = what == operation::load;
  if (accessed.holders.empty()) accessed.holders.become_only(by.number);
  else if (is_load ? !accessed.holders.contains(by.number, overflow_) : !accessed.holders.is_only(by.number)) return false;
  accessed.modified |= !is_load;
  return true;
}

unsigned lines::transfer_from_nearest(const holder_set& holders, const place& to) const {
  unsigned at = 0;
  while (at + 1 < machine_.levels && holders.count_in(to.within[at], overflow_) == 0) ++at;
  return machine_.level[at].transfer;
}

unsigned lines::transfer_from_farthest(const holder_set& holders, const place& to) const {
  unsigned at = 0;
  while (at + 1 < machine_.levels && holders.count_outside(to.within[at], overflow_) != 0) ++at;
  return machine_.level[at].transfer;
}

std::uint64_t lines::read(line& read, const place& by, std::uint64_t clock) {
  if (read.holders.contains(by.number, overflow_)) return clock + machine_.own_line_hit;
  if (read.holders.empty()) {
    read.holders.add(by.number, overflow_);
    return clock + machine_.own_line_hit;
  }
  const std::uint64_t begin = std::max(clock, read.busy_until);
  const std::uint64_t done = begin + transfer_from_nearest(read.holders, by);
  read.busy_until = read.modified ? done : begin + machine_.shared_read_occupancy;
  moved(read, read.busy_until - begin, done - clock);
  read.modified = false;
  read.holders.add(by.number, overflow_);
  return done;
}

std::uint64_t lines::write(line& written, const place& by, std::uint64_t clock, unsigned extra) {
  std::uint64_t done = 0;
  if (written.holders.empty() || written.holders.is_only(by.number)) {
    done = clock + machine_.own_line_hit + extra;
  } else {
    const std::uint64_t begin = std::max(clock, written.busy_until);
    done = begin + transfer_from_farthest(written.holders, by) + extra;
    moved(written, done - begin, done - clock);
  }
  written.busy_until = std::max(written.busy_until, done);
  written.modified = true;
  written.holders.become_only(by.number);
  return done;
}

}  // namespace TEFF_NAMESPACE::sim
