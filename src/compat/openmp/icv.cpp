// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/icv.h"

#include "compat/openmp/environment.h"
#include "compat/openmp/events.h"
#include "compat/openmp/forked.h"
#include "compat/openmp/lock_word.h"
#include "compat/openmp/refuse.h"
#include "compat/openmp/wait_rounds.h"
#include "platform/foreign.h"
#include "platform/tuning.h"

#include <algorithm>
#include <new>

namespace TEFF_NAMESPACE::openmp {

namespace {

constinit platform::atomic<process_icvs*> known{nullptr};  ///< [process] release by who made it
constinit lock_word making;

void expect_forks() {
  static constinit platform::once_in_process expected;
  expected.run([] {
    platform::in_forked_child(&leave_regions);
    platform::before_waits_for_locks(&look_before_waits);
    platform::in_forked_child([] { making.reset(); });  // who holds it is another process' thread
  });
}

}  // namespace

unsigned processors() {
  const unsigned usable = platform::usable_processors();
  if (!process().places.empty()) return usable;  // the mask may be one that a thread got here
  const unsigned of_thread = platform::count_processors_of_this_thread();
  return of_thread != 0 ? std::min(usable, of_thread) : usable;
}

unsigned spin_rounds(bool crowded) {
  const process_icvs& all = process();
  if (all.spin_rounds >= 0) return static_cast<unsigned>(std::min<std::int64_t>(all.spin_rounds, wait_rounds::for_ever));
  if (all.wait_policy == 0) return 0;
  if (all.wait_policy == 1) return crowded ? tuning::active_crowded_spin_rounds : wait_rounds::for_ever;
  return crowded ? tuning::crowded_spin_rounds : tuning::member_spin_rounds;
}

/// Never freed: threads that outlive main may still ask.
process_icvs& process() try {
  process_icvs* found = known.load(platform::acquire);  // [process]
  if (found != nullptr) [[likely]]
    return *found;
  expect_forks();
  lock_word_guard guard(making);
  found = known.load(platform::relaxed);  // it is written under the lock
  if (found != nullptr) return *found;
  platform::prepare_for_exceptions();  // tasks of programs throw
  found = new process_icvs;
  read_environment(*found);
  known.store(found, platform::release);  // [process]
  return *found;
} catch (const std::bad_alloc&) {
  fail("no memory for the variables of OpenMP");
}

}  // namespace TEFF_NAMESPACE::openmp
