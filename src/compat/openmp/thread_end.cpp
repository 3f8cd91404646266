// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/os_thread.h"

#include "compat/openmp/crowd.h"
#include "compat/openmp/refuse.h"
#include "compat/openmp/tasks.h"
#include "compat/openmp/thread_end.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace TEFF_NAMESPACE::openmp {

namespace {

/// In ns. The naps between looks at the others, from the first to the longest; and how long a thread stays where its stack is
/// unwound to a region: handlers further out may be what lets the others go on.
constexpr std::uint64_t first_nap_ns = 100'000, longest_nap_ns = 20'000'000, unwinding_ns = 500'000'000;
constexpr std::uint64_t for_ever = std::numeric_limits<std::uint64_t>::max();

/// Returns: whether nothing happens any more in a region: each member has ended, or waits in a barrier, which is not complete
/// without those that have; and no task is left.
bool is_at_rest(team& left) {
  // acquire, too, of the barriers: what who ended, or came there, has used, is over.
  const std::uint32_t others = left.size - left.ended.load(platform::acquire);
  if (others == 0) return true;  // nobody is left to run a task
  if (left.at_end().arrived.load(platform::acquire) == others) return left.live() == 0;
  // Where a region is cancelled, by its last task, too, members leave its inner barriers without a word.
  return left.inside().arrived.load(platform::acquire) == others && left.live() == 0 && !left.is_cancelled();
}

/// Effect: a member of a region that others are in, whose thread ends, counts as one that does nothing there any more; its tasks
/// come into view. The first time in the process this is said.
void count_as_ended(member& ending) {
  if (std::exchange(ending.has_ended, true)) return;
  static platform::atomic<bool> told{false};
  // relaxed: it is said once, and nothing goes by it.
  if (!told.exchange(true, platform::relaxed))
    say("a thread ends inside a parallel region; the other threads of the region wait for it for ever");
  share_tasks(ending);
  ending.in.ended.fetch_add(1, platform::release);  // release: pairs with the look in is_at_rest
  // None of those is ever closed, and sooner or later they have nothing to do.
  for (const member* at = &ending; at != nullptr; at = at->in.opener)
    threads_in_regions.leave(at->in.in_crowd.exchange(0, platform::relaxed));  // relaxed: as it says in the team
}

/// Effect: waits until the region is at rest, or that time has come. Nobody wakes the caller: who comes to a barrier does not
/// look for threads that end. So it looks by itself, less and less often, and behind each signal.
void await_rest(team& left, std::uint64_t until_ns) {
  platform::atomic<std::uint32_t> word{0};
  std::uint64_t nap_ns = first_nap_ns;
  for (std::uint64_t now = platform::now_ns(); now < until_ns && !is_at_rest(left); now = platform::now_ns()) {
    platform::park_until(word, 0, std::min(now + nap_ns, until_ns), "the others of a region, at a thread's end");
    nap_ns = std::min(2 * nap_ns, longest_nap_ns);
  }
}

}  // namespace

void unwind_from(team& left) {
  if (left.size == 1 || left.is_left_behind()) return;
  count_as_ended(left[0]);
  await_rest(left, platform::now_ns() + unwinding_ns);
}

void end_thread(void* itself) {
  auto* const own = static_cast<os_thread*>(itself);
  if (own == nullptr) return;  // dismissed, in simulation; natively that is not called then
  member* const left = known_self();
  platform::set_current(nullptr);
  if (!own->is_engaged()) {
    if (own->is_of_program()) {
      own->forget_children();
      delete own;
      return;
    }
    own->give_back(true);  // else threads that it started would wait for its next region for ever
  }
  // The innermost region first: its members may use what those around it share. Behind fork() the others are another process'.
  for (member* at = left; at != nullptr && at->in.opener != nullptr && !at->in.is_left_behind(); at = at->in.opener) {
    if (at->in.size == 1) continue;
    count_as_ended(*at);
    if (at->id != 0) return;  // the region is another thread's
    await_rest(at->in, for_ever);
  }
}

}  // namespace TEFF_NAMESPACE::openmp
