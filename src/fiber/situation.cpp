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
