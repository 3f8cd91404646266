// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/icv.h"

#include "compat/openmp/environment.h"
#include "compat/openmp/lock_word.h"
#include "compat/openmp/refuse.h"
#include "platform/native/foreign.h"

#include <new>

namespace teff::inline TEFF_PLATFORM::openmp {

namespace {

constinit platform::atomic<process_icvs*> known{nullptr};  ///< [process] release by who made it
constinit lock_word making;

}  // namespace

unsigned processors() { return platform::machine().usable_processors; }

/// Never freed: threads that outlive main may still ask.
process_icvs& process() {
  process_icvs* found = known.load(platform::acquire);  // [process]
  if (found != nullptr) [[likely]]
    return *found;
  platform::in_forked_child([] { making.reset(); });  // who holds it is another process' thread
  lock_word_guard guard(making);
  found = known.load(platform::relaxed);
  if (found != nullptr) return *found;
  found = new (std::nothrow) process_icvs;
  if (found == nullptr) fail("no memory for the variables of OpenMP");
  read_environment(*found);
  known.store(found, platform::release);  // [process]
  return *found;
}

}  // namespace teff::inline TEFF_PLATFORM::openmp
