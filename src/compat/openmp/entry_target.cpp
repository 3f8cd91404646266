// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What gcc calls for target constructs, and for teams inside of them. README.md, *Target regions*.
#include "compat/openmp/cancel.h"
#include "compat/openmp/depend.h"
#include "compat/openmp/entry.h"
#include "compat/openmp/entry_tasks.h"
#include "compat/openmp/reductions.h"
#include "compat/openmp/refuse.h"
#include "compat/openmp/target.h"
#include "compat/openmp/timed.h"

#include <algorithm>
#include <limits>

namespace TEFF_NAMESPACE::openmp {

namespace {

/// The bits of the flags of target constructs.
struct target_flags {
  enum : unsigned { nowait = 1, exits = 2 };
};

void expect_flags(const char* function, unsigned flags, unsigned known) {
  if (flags & ~known)
    refuse("%s with the flags %#x is not supported by this version of Teff's OpenMP: it knows the flags %#x", function, flags,
           known);
}

/// Returns: the thread_limit of the region; 0 if there is none, or gcc cannot know it before the region begins: then it passes
/// −1. `arguments`: words, the last of which is 0; nullptr: there are none. In a word
///   bits 0-6  are the device that it is for, 0 for all;
///   bit 7     says that the value is the next word, else it is bits 16 and up, with their sign;
///   bits 8-15 are what the value is.
unsigned thread_limit_in(void** arguments) {
  constexpr std::intptr_t devices = 0x7f, in_next_word = 0x80, what = 0xff00, thread_limit = 0x200;
  std::intptr_t found = 0;
  for (void** at = arguments; at != nullptr && *at != nullptr; ++at) {
    const auto word = reinterpret_cast<std::intptr_t>(*at);
    const std::intptr_t value = word & in_next_word ? reinterpret_cast<std::intptr_t>(*++at) : word >> 16;
    if ((word & devices) == 0 && (word & what) == thread_limit) found = value;
  }
  return static_cast<unsigned>(std::clamp<std::intptr_t>(found, 0, std::numeric_limits<int>::max()));
}

/// A target task that somebody may run later. One that takes part in a reduction has from gcc the copies of the thread that makes
/// it, so it runs there.
void run_nowait(member& current, target_region& region, void** depend) {
  if (may_discard(current) && is_discarded(current, current.running)) return;
  const timed in_runtime(current.clock, activity::runtime);
  const task_request wanted = task_of(region);
  const bool deferred = !(current.running->flags & node::final) && !is_in_reduction(current);
  if (depend == nullptr) add_task(current, wanted, how_to_put(wanted, deferred));
  else if (deferred) add_dependent(current, wanted, depend, nullptr);
  else run_behind(current, wanted, depend);
}

/// Effect: what a construct does that only moves data between devices.
void do_nothing_behind(void** depend, unsigned flags) {
  member* const current = depend != nullptr ? known_self() : nullptr;
  if (current == nullptr) return;  // there are no tasks
  const timed in_runtime(current->clock, activity::runtime);
  if (flags & target_flags::nowait) add_joint(*current, depend);
  else wait_behind(*current, depend);
}

/// Effect: one of the teams of a target region begins: its variables are those with which the region began.
void begin_team(member& current, unsigned thread_limit) {
  change_icvs(current, [&](icvs& own) {
    if (current.in.is_target) own = current.in.own_environment;
    if (thread_limit != 0) own.thread_limit = thread_limit;
  });
}

}  // namespace

TEFF_ENTRY void GOMP_target(int device, task_function function, const void*, std::size_t count, void** addresses, std::size_t*,
                            unsigned char*) {
  expect_host(device);
  run_target(self(), {function, addresses, nullptr, nullptr, count, 0});
}

TEFF_ENTRY void GOMP_target_ext(int device, task_function function, std::size_t count, void** addresses, std::size_t* sizes,
                                std::uint16_t* kinds, unsigned flags, void** depend, void** arguments) {
  expect_flags("GOMP_target_ext", flags, target_flags::nowait);
  expect_host(device);
  member& current = self();
  target_region region{function, addresses, sizes, kinds, count, thread_limit_in(arguments)};
  if (flags & target_flags::nowait) return run_nowait(current, region, depend);
  if (depend == nullptr) return run_target(current, region);
  const timed in_runtime(current.clock, activity::runtime);
  run_behind(current, task_of(region), depend);
}

TEFF_ENTRY void GOMP_target_data(int device, const void*, std::size_t, void**, std::size_t*, unsigned char*) {
  expect_host(device);
}
TEFF_ENTRY void GOMP_target_data_ext(int device, std::size_t, void**, std::size_t*, std::uint16_t*) { expect_host(device); }
TEFF_ENTRY void GOMP_target_end_data() {}

TEFF_ENTRY void GOMP_target_update(int device, const void*, std::size_t, void**, std::size_t*, unsigned char*) {
  expect_host(device);
}
TEFF_ENTRY void GOMP_target_update_ext(int device, std::size_t, void**, std::size_t*, std::uint16_t*, unsigned flags,
                                       void** depend) {
  expect_flags("GOMP_target_update_ext", flags, target_flags::nowait);
  expect_host(device);
  do_nothing_behind(depend, flags);
}
TEFF_ENTRY void GOMP_target_enter_exit_data(int device, std::size_t, void**, std::size_t*, std::uint16_t*, unsigned flags,
                                            void** depend) {
  expect_flags("GOMP_target_enter_exit_data", flags, target_flags::nowait | target_flags::exits);
  expect_host(device);
  do_nothing_behind(depend, flags);
}

/// The interop directive: the host has no runtime of its own to share, so what is made is no object, as what is left behind.
TEFF_ENTRY void GOMP_interop(int device, int made_count, std::uintptr_t* const* made, const void*, const void*, int, const void*,
                             int destroyed_count, std::uintptr_t* const* destroyed, unsigned flags, void** depend) {
  expect_flags("GOMP_interop", flags, target_flags::nowait);
  expect_host(device);
  do_nothing_behind(depend, flags);
  for (int each = 0; each < made_count; ++each) *made[each] = 0;
  for (int each = 0; each < destroyed_count; ++each) *destroyed[each] = 0;
}

/// What code has that versions of gcc before 12 built: the region's one team goes on.
TEFF_ENTRY void GOMP_teams(unsigned, unsigned thread_limit) {
  if (thread_limit != 0) change_icvs(self(), [&](icvs& own) { own.thread_limit = thread_limit; });
}

/// Returns: whether there is a team to run; gcc calls it before each. There are as many as there must be at least.
TEFF_ENTRY bool GOMP_teams4(unsigned teams, unsigned, unsigned thread_limit, bool first) {
  member& current = self();
  team& home = current.in;
  if (first) {
    home.teams = std::max(1u, teams);
    home.team_number = 0;
  } else {
    barrier(current);
    ++home.team_number;
    if (home.team_number >= home.teams) {
      home.teams = 1;
      home.team_number = 0;
      return false;
    }
  }
  begin_team(current, thread_limit);
  return true;
}

/// Code for other devices, which a program has with it: there are none.
TEFF_ENTRY void GOMP_offload_register(const void*, int, const void*) {}
TEFF_ENTRY void GOMP_offload_register_ver(unsigned, const void*, int, const void*) {}
TEFF_ENTRY void GOMP_offload_unregister(const void*, int, const void*) {}
TEFF_ENTRY void GOMP_offload_unregister_ver(unsigned, const void*, int, const void*) {}
/// Where a function is on the device by which the host's address is known.
TEFF_ENTRY void* GOMP_target_map_indirect_ptr(void* address) { return address; }

}  // namespace TEFF_NAMESPACE::openmp
