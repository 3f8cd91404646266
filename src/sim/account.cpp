// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sim/account.h"

#include "base/cache_line.h"
#include "sim/simulator.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace TEFF_NAMESPACE::sim {

namespace {

std::string text_of(lock_label label) {
  std::string text = guarded_texts[static_cast<unsigned>(label.what())];
  if (label.number() != lock_label::no_number) text += " " + std::to_string(label.number());
  return text;
}

}  // namespace

void account::one_lock::goes_on(std::uint64_t clock) {
  if (now != state::free && clock > since) busy += clock - since;
  since = std::max(since, clock);
}

void account::several_locks::add(const one_lock& each) {
  if (each.uses == 0 && each.waited == 0) return;
  ++count;
  // Of equals one that does not depend on where they lie.
  const auto rank = [](const one_lock& of) { return std::tie(of.busy, of.waited, of.uses); };
  if (count == 1 || rank(each) > rank(busiest)) busiest = each;
}

void account::begin_again(std::uint64_t clock) {
  gone_.clear();
  for (auto& [address, each] : locks_) {
    each.busy = each.uses = each.waited = 0;
    each.since = clock;
  }
}

void account::made(const void* lock) {
  const auto before = locks_.find(lock);
  if (before == locks_.end()) return;
  gone_[before->second.label.bits].add(before->second);
  locks_.erase(before);
}

void account::took(const void* lock, lock_label label, std::uint64_t clock) {
  one_lock& own = locks_[lock];
  own.goes_on(clock);
  own.label = label;
  own.now = one_lock::state::held;
  ++own.uses;
}

void account::freed(const void* lock, std::uint64_t clock) {
  one_lock& own = locks_[lock];
  if (own.now != one_lock::state::held) return;
  own.goes_on(clock);
  own.now = one_lock::state::handed_on;
}

void account::left(const void* lock, std::uint64_t clock) {
  const auto found = locks_.find(lock);
  if (found == locks_.end() || found->second.now != one_lock::state::handed_on || found->second.in_line != 0) return;
  found->second.goes_on(clock);
  found->second.now = one_lock::state::free;
}

void account::comes_in_line(const void* lock, lock_label label) {
  one_lock& own = locks_[lock];
  own.label = label;
  ++own.in_line;
}

void account::leaves_line(const void* lock) {
  const auto found = locks_.find(lock);
  if (found != locks_.end() && found->second.in_line != 0) --found->second.in_line;
}

void account::waited(const void* lock, lock_label label, std::uint64_t cycles) {
  one_lock& own = locks_[lock];
  own.label = label;
  own.waited += cycles;
}

void account::name_line(const void* word, const char* name, unsigned number) try {
  std::string text = name;
  if (number != lock_label::no_number) text += " " + std::to_string(number);
  line_names_[reinterpret_cast<std::uintptr_t>(word) / cache_line_bytes] = text;
} catch (const std::bad_alloc&) {
  end_for_want_of_memory();
  throw;
}

std::string account::name_of_line(std::uintptr_t key) const {
  if (const auto found = line_names_.find(key); found != line_names_.end()) return found->second;
  auto block = blocks_.upper_bound(key * cache_line_bytes + cache_line_bytes - 1);
  if (block == blocks_.begin()) return {};
  --block;
  const std::uintptr_t offset = std::max(key * cache_line_bytes, block->first) - block->first;
  if (offset >= block->second) return {};
  return "line " + std::to_string(offset / cache_line_bytes) + " of a block of " + std::to_string(block->second) +
         " bytes from the system";
}

void account::tasks_wait(std::int64_t more, std::uint64_t clock) {
  time_with_waiting(clock);
  waiting_ += more;
}

std::uint64_t account::time_with_waiting(std::uint64_t clock) {
  if (clock > waited_until_) {
    if (waiting_ > 0) with_waiting_ += clock - waited_until_;
    waited_until_ = clock;
  }
  return with_waiting_;
}

std::vector<shared_resource> account::locks(std::uint64_t clock) const {
  locks_by_label by_label = gone_;
  for (const auto& [address, each] : locks_) {
    one_lock until_now = each;
    until_now.goes_on(clock);
    by_label[each.label.bits].add(until_now);
  }
  std::vector<shared_resource> all;
  for (const auto& [bits, each] : by_label) {
    if (each.count == 0) continue;
    const one_lock& most = each.busiest;
    std::string name = text_of(most.label);
    if (each.count > 1) name += " (the busiest of " + std::to_string(each.count) + ")";
    all.push_back({std::move(name), false, most.busy, most.uses, most.waited});
  }
  return all;
}

void simulator::begin_account() {
  account_.begin_again(clock());
  lines_.begin_account();
}

namespace {

/// Effect: a lock has its own line with it: waits for the line are waits for the lock already, and while it is on its way nobody
/// has the lock. Returns: whether the line is a lock's.
bool is_of_lock(std::vector<shared_resource>& locks, const std::string& name, std::uint64_t busy) {
  constexpr std::string_view begin = "line of the ";
  if (!name.starts_with(begin)) return false;
  const auto found =
      std::find_if(locks.begin(), locks.end(), [&](const auto& each) { return each.name == name.substr(begin.size()); });
  if (found == locks.end()) return false;
  found->busy = std::max(found->busy, busy);
  return true;
}

}  // namespace

std::vector<shared_resource> simulator::resources() const {
  constexpr std::size_t lines_at_most = 12;
  std::vector<shared_resource> lines, all = account_.locks(clock());
  std::size_t number = 0;
  for (const line& each : lines_.all()) {
    ++number;
    if (each.moves == 0) continue;
    const bool of_program = each.program_moves * 2 > each.moves;
    std::string name = of_program ? std::string() : account_.name_of_line(each.key);
    if (name.empty()) name = (of_program ? "the program's line " : "line ") + std::to_string(number);
    if (!is_of_lock(all, name, each.busy)) lines.push_back({name, true, each.busy, each.moves, each.waited});
  }
  const std::size_t shown = std::min(lines.size(), lines_at_most);
  std::partial_sort(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(shown), lines.end(),
                    [](const auto& a, const auto& b) { return a.busy > b.busy; });
  all.insert(all.end(), lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(shown));
  return all;
}

}  // namespace TEFF_NAMESPACE::sim
