// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Idea: a child of fork() goes on in its parent's region, alone. It may open regions of its own; as soon as it waits for members
/// that are not in it, it ends with a sentence. Waits look whether their team is left behind before they last, and so that no
/// task asks for that, the pool of the member that forked is changed once, by the handler of fork(), for one that only ends the
/// process. _Fork() calls no handler: its child may run tasks of its copy of the region before it comes to a wait.
#include "compat/openmp/forked.h"

#include "compat/openmp/crowd.h"
#include "compat/openmp/events.h"
#include "compat/openmp/os_thread.h"
#include "compat/openmp/refuse.h"
#include "compat/openmp/tasks.h"

#include <cstddef>
#include <memory>
#include <new>

namespace TEFF_NAMESPACE::openmp {

namespace {

class lost_engine final : public engine {
 public:
  pool::get_result get(worker&, task&, pool::reach) override { end_forked_child(); }
  pool::get_result take(worker&, const descendants&, task&, pool::reach) override { end_forked_child(); }
  pool::advice share(worker&) override { return pool::advice::wake_none; }  // which precedes a region of the child's own
  queue::lane* lane(worker&) override { return nullptr; }
  pool::advice put(worker&, task, queue::pushed) override { end_forked_child(); }
  void close(worker&) override {}
};

/// Never destroyed: threads outlive main.
alignas(lost_engine) std::byte lost[sizeof(lost_engine)];

}  // namespace

void end_forked_child() {
  refuse(
      "a child of fork() came back to a parallel region of its parent, by returning from the task that forked, by a put or by a "
      "wait; "
      "none of the region's other threads is in the child. End it there by exec, exit or _exit; regions of its own may run");
}

platform::end_of_process look_before_waits() {
  for (const member* each = known_self(); each != nullptr; each = each->in.opener) {
    if (each->in.is_left_behind()) return &end_forked_child;
    if (each->in.size > 1) break;
  }
  return nullptr;
}

void end_if_left_behind() {
  if (const platform::end_of_process end = look_before_waits(); end != nullptr) end();
}

void leave_regions() noexcept {
  begin_events_anew();
  threads_in_regions.begin_anew();
  if (const member* const self = known_self(); self != nullptr) all_openers.begin_anew(self->thread->opens);
  for (member* each = known_self(); each != nullptr; each = each->in.opener) {
    if (each->in.size == 1) continue;
    each->in.left_behind = true;
    each->in.in_crowd.store(0, platform::relaxed);  // there is nobody else
    // Another thread of the parent may have had them: the child must get as far as its end, or its own regions.
    std::construct_at(&each->in.slow);
    std::construct_at(&each->in.records);  // its memory is lost
    each->in.free_memory.begin_anew();
    each->in.shares.begin_anew(each->in.size);
    each->in.arrived.store(0, platform::relaxed);         // nobody is the last to arrive
    each->in.arrived_at_end.store(0, platform::relaxed);  // likewise
    each->pool = ::new (lost) lost_engine;
    each->use(nullptr, false);
  }
}

}  // namespace TEFF_NAMESPACE::openmp
