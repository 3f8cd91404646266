// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sim/account.h"

#include "base/cache_line.h"
#include "sim/simulator.h"

#include <algorithm>
#include <map>

namespace TEFF_NAMESPACE::sim {

namespace {

std::string text_of(lock_label label) {
  std::string text = guarded_texts[static_cast<unsigned>(label.what())];
  if (label.number() != lock_label::no_number) text += " " + std::to_string(label.number());
  return text;
}

}  // namespace

void account::begin_again(std::uint64_t clock) {
  for (auto& [address, each] : locks_) {
    each.held = each.uses = each.waited = 0;
    each.since = clock;
  }
}

void account::took(const void* lock, lock_label label, std::uint64_t clock) {
  one_lock& own = locks_[lock];
  own.label = label;
  own.is_held = true;
  own.since = clock;
  ++own.uses;
}

void account::freed(const void* lock, std::uint64_t clock) {
  one_lock& own = locks_[lock];
  if (own.is_held && clock > own.since) own.held += clock - own.since;
  own.is_held = false;
}

void account::waited(const void* lock, lock_label label, std::uint64_t cycles) {
  one_lock& own = locks_[lock];
  own.label = label;
  own.waited += cycles;
}

void account::name_line(const void* word, const char* name, unsigned number) {
  std::string text = name;
  if (number != lock_label::no_number) text += " " + std::to_string(number);
  line_names_[reinterpret_cast<std::uintptr_t>(word) / cache_line_bytes] = text;
}

const std::string* account::name_of_line(std::uintptr_t key) const {
  const auto found = line_names_.find(key);
  return found != line_names_.end() ? &found->second : nullptr;
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
  std::map<std::string, shared_resource> by_name;  // several locks of one name are shown as one, the busiest
  for (const auto& [address, each] : locks_) {
    if (each.uses == 0 && each.waited == 0) continue;
    const std::uint64_t held = each.held + (each.is_held && clock > each.since ? clock - each.since : 0);
    const std::string name = text_of(each.label);
    shared_resource& made = by_name.try_emplace(name, shared_resource{name, false, 0, 0, 0}).first->second;
    made.busy = std::max(made.busy, held);
    made.uses += each.uses;
    made.waited += each.waited;
  }
  std::vector<shared_resource> all;
  for (auto& [name, each] : by_name) all.push_back(std::move(each));
  return all;
}

void simulator::begin_account() {
  account_.begin_again(clock());
  lines_.begin_account();
}

std::vector<shared_resource> simulator::resources() const {
  constexpr std::size_t lines_at_most = 12;
  std::vector<shared_resource> lines;
  std::size_t number = 0;
  for (const line& each : lines_.all()) {
    ++number;
    if (each.moves == 0) continue;
    const std::string* const name = account_.name_of_line(each.key);
    const bool of_program = each.program_moves * 2 > each.moves;
    lines.push_back({name != nullptr ? *name : (of_program ? "the program's line " : "line ") + std::to_string(number), true,
                     each.busy, each.moves, each.waited});
  }
  const std::size_t shown = std::min(lines.size(), lines_at_most);
  std::partial_sort(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(shown), lines.end(),
                    [](const auto& a, const auto& b) { return a.busy > b.busy; });
  lines.resize(shown);
  std::vector<shared_resource> all = account_.locks(clock());
  all.insert(all.end(), lines.begin(), lines.end());
  return all;
}

}  // namespace TEFF_NAMESPACE::sim
