// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/os_thread.h"

#include "compat/openmp/refuse.h"
#include "compat/openmp/tasks.h"
#include "compat/openmp/thread_end.h"

#include <algorithm>

namespace TEFF_NAMESPACE::openmp {

namespace {

/// Returns: whether nothing happens in a region that its opener does not come back to: all others wait in a barrier, which it
/// cannot complete without the opener, and no task is left.
bool is_at_rest(team& left) {
  const auto have_come_to = [&](const meeting& at) { return at.arrived.load(platform::acquire) == left.size - 1; };
  // Where a region is cancelled, members leave its inner barriers without a word.
  return (have_come_to(left.at_end()) || (!left.is_cancelled() && have_come_to(left.inside()))) && left.live() == 0;
}

void say_that_it_ends() {
  static platform::atomic<bool> told{false};
  // relaxed: it is said once, and nothing goes by it.
  if (!told.exchange(true, platform::relaxed))
    say("a thread ends inside a parallel region; the other threads of the region wait for it for ever");
}

/// Effect: half of await_others. Nobody wakes the opener: who comes to a barrier does not look for one that ends. So it looks by
/// itself, less and less often.
void await_rest(member& opener) {
  if (opener.in.size == 1) return;
  share_tasks(opener);
  platform::atomic<std::uint32_t> word{0};
  std::uint64_t nap_ns = 100'000;
  for (; !is_at_rest(opener.in); nap_ns = std::min<std::uint64_t>(2 * nap_ns, 20'000'000))
    platform::park_until(word, 0, platform::now_ns() + nap_ns, "the others of a region, at a thread's end");
}

}  // namespace

void await_others(member& opener) {
  if (opener.in.size == 1 || opener.in.is_left_behind()) return;
  say_that_it_ends();
  await_rest(opener);
}

void end_thread(void* itself) {
  auto* const own = static_cast<os_thread*>(itself);
  if (own == nullptr) return;  // one that a region had, dismissed
  member* const left = known_self();
  platform::set_current(nullptr);
  if (own->is_of_program() && !own->is_engaged()) {
    own->forget_children();
    delete own;
    return;
  }
  if (own->is_of_parent() || left == nullptr) return;
  say_that_it_ends();
  // Those that it opened, the innermost first.
  for (member* at = left; at->id == 0 && at->in.opener != nullptr; at = at->in.opener) await_rest(*at);
}

}  // namespace TEFF_NAMESPACE::openmp
