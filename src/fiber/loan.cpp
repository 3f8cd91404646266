// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A worker whose own thread sleeps, and that another thread carries meanwhile (../worker/guest.h).
#include "fiber/carrier.h"

namespace TEFF_NAMESPACE::fibers {

carrier::loan carrier::lend() { return {thread_stack_, std::exchange(running_, nullptr), worker_.here}; }

void carrier::take_back(const loan& lent) {
  thread_stack_ = lent.stack;
  running_ = lent.running;
  worker_.here = lent.here;
}

carried carrier::carry_call(thread_stack& from, fiber& base, const task& first) {
  prepare(base);
  base.begins_with_task = true;
  copy_task(first, base.frame.what);
  return begin(from, base);
}

void carrier::begin_anew() {
  fiber& left = *running_;
  fiber& next = *take();
  pending_ = {&retire, &left};
  enter(next);
  left.where.leave_to(next.where);
}

}  // namespace TEFF_NAMESPACE::fibers
