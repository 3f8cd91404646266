// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fiber/situation.h"

#include <algorithm>
#include <functional>

namespace TEFF_NAMESPACE::fibers {

void stacks_of_team::sort() {
  std::sort(all_.begin(), all_.end(), [](const stack& a, const stack& b) { return std::less<>()(a.bottom, b.bottom); });
}

bool stacks_of_team::hold(const task_frame* frame) const {
  const auto behind =
      std::upper_bound(all_.begin(), all_.end(), static_cast<const void*>(frame),
                       [](const void* address, const stack& each) { return std::less<>()(address, each.bottom); });
  return behind != all_.begin() && std::less<>()(frame, (behind - 1)->top);
}

void waited_children::add_wait(const fiber& blocked) {
  if (blocked.waits_for->any_team_has_children()) waits_.push_back({blocked.waits_for->seen_as(), false});
}

void waited_children::sort() {
  std::sort(waits_.begin(), waits_.end(), [](const wait& a, const wait& b) { return std::less<>()(a.group, b.group); });
  // For one group several wait if they are its children, too.
  const auto is_same = [](const wait& a, const wait& b) { return a.group == b.group; };
  waits_.erase(std::unique(waits_.begin(), waits_.end(), is_same), waits_.end());
}

void waited_children::add_tasks(const fiber& blocked) {
  const auto is_before = [](const wait& each, const void* group) { return std::less<>()(each.group, group); };
  keep_workers_ |= blocked.bound;
  for (const task_frame* each = blocked.here.frame; each != nullptr; each = each->below()) {
    tasks_ += each->full() != nullptr;
    const auto found = std::lower_bound(waits_.begin(), waits_.end(), each->group(), is_before);
    if (found != waits_.end() && found->group == each->group()) found->has_child_here = true;
  }
}

bool waited_children::may_be_elsewhere() const {
  return std::any_of(waits_.begin(), waits_.end(), [](const wait& each) { return !each.has_child_here; });
}

void situation::add(const fiber& seen) {
  stacks.add(seen);
  const fiber::state now = seen.now.load(platform::acquire);  // pairs with fiber::become: waits_for is visible
  if (now == fiber::state::running) {
    if (seen.frame.label() != nullptr) running.push_back(seen.frame.label());
    return;
  }
  if (now == fiber::state::ready) ++ready;
  if (now != fiber::state::blocked) return;
  if (seen.bound) ++kept;
  const awaited& what = *seen.waits_for;
  waiting made{tasks.size(), 0, what.seen_as(), what.kind(), what.holder(), what.held_outside(), seen.since_ns};
  for (const task_frame* each = seen.here.frame; each != nullptr; each = each->below(), ++made.count) {
    const full_frame* const full = each->full();
    if (full == nullptr) ++joined;
    const char* const given = full != nullptr ? full->name : nullptr;
    const std::string* const name = given != nullptr ? &*names_.emplace(given).first : nullptr;
    tasks.push_back({each, each->group(), name, each->label(), full != nullptr ? full->code : nullptr,
                     full != nullptr ? full->what.entry : nullptr});
  }
  fibers.push_back(made);
}

}  // namespace TEFF_NAMESPACE::fibers
