// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What gcc calls for parallel, barrier, single, critical, atomic and teams.
#include "compat/openmp/cancel.h"
#include "compat/openmp/entry.h"
#include "compat/openmp/refuse.h"
#include "compat/openmp/tasks.h"
#include "compat/openmp/thread_end.h"

#include <algorithm>
#include <cxxabi.h>

namespace TEFF_NAMESPACE::openmp {

namespace {

constinit lock_word unnamed_critical, atomics;

/// A word that is 0 from the program's start is a free lock.
lock_word& lock_in(void** word) { return *reinterpret_cast<lock_word*>(word); }

}  // namespace

void run_region(task_function function, void* data, unsigned asked, unsigned flags, const loop* first_loop,
                prepare_team* prepare) {
  if (flags > bind_spread) [[unlikely]]
    refuse("GOMP_parallel with the flags %#x is not supported by this version of Teff's OpenMP: it knows the flags 0 to %#x",
           flags, unsigned{bind_spread});
  team& made = open_region(self(), function, data, asked, first_loop, static_cast<std::uint8_t>(flags), prepare);
  try {
    function(data);
  } catch (abi::__forced_unwind&) {
    unwind_from(made);
    throw;
  }
  close_region(made[0]);
}

TEFF_ENTRY void GOMP_parallel(task_function function, void* data, unsigned threads, unsigned flags) {
  run_region(function, data, threads, flags);
}

TEFF_ENTRY void GOMP_parallel_start(task_function function, void* data, unsigned threads) {
  open_region(self(), function, data, threads);
}

TEFF_ENTRY void GOMP_parallel_end() { close_region(self()); }

TEFF_ENTRY void GOMP_barrier() { barrier(self(), __builtin_return_address(0)); }
TEFF_SAME(GOMP_loop_end, GOMP_barrier);
TEFF_SAME(GOMP_sections_end, GOMP_barrier);

namespace {

cancellable cancellable_of(int which) {
  if (which == 1 || which == 2 || which == 4 || which == 8) [[likely]]
    return static_cast<cancellable>(which);
  refuse("a cancel construct of the kind %#x is not supported by this version of Teff's OpenMP: it knows 1, 2, 4 and 8",
         static_cast<unsigned>(which));
}

}  // namespace

// While cancellation is off nothing is ever cancelled: the answer is no, and the program goes on.
TEFF_ENTRY bool GOMP_cancellation_point(int which) {
  return process().cancellation && is_cancelled(self(), cancellable_of(which));
}
TEFF_ENTRY bool GOMP_cancel(int which, bool really) {
  if (!process().cancellation) return false;
  return really ? cancel(self(), cancellable_of(which)) : GOMP_cancellation_point(which);
}
TEFF_ENTRY bool GOMP_barrier_cancel() {
  member& current = self();
  barrier(current, __builtin_return_address(0));
  return current.in.is_cancelled();
}
TEFF_SAME(GOMP_loop_end_cancel, GOMP_barrier_cancel);
TEFF_SAME(GOMP_sections_end_cancel, GOMP_barrier_cancel);

namespace {

/// Who is late sees, the first time it fails, how far ahead the others are, and is not in their way until it is there. A look
/// before the exchange would bring the line twice. A team of one counts nothing, and jumps nowhere.
[[gnu::always_inline]] inline bool is_first(member& current) {
  if (current.in.size == 1) [[likely]]
    return true;
  const std::uint64_t mine = current.singles++;
  if (mine < current.singles_taken) return false;
  std::uint64_t taken = mine;
  const bool first = current.in.singles.compare_exchange(taken, mine + 1, platform::relaxed);  // only the number goes by it
  current.singles_taken = first ? mine + 1 : taken;
  return first;
}

/// Of a thread that is none of a team yet.
[[gnu::noinline]] bool is_first_of_new_team() { return is_first(self()); }

}  // namespace

TEFF_ENTRY bool GOMP_single_start() {
  member* const current = known_self();
  return current != nullptr ? is_first(*current) : is_first_of_new_team();
}

TEFF_ENTRY void* GOMP_single_copy_start() {
  if (GOMP_single_start()) return nullptr;
  member& current = self();
  barrier(current, __builtin_return_address(0));
  return current.in.is_cancelled() ? nullptr : current.in.copied;  // who has it may be gone
}

/// Behind the copying the program has another barrier, so nobody writes while somebody reads.
TEFF_ENTRY void GOMP_single_copy_end(void* copied) {
  member& current = self();
  current.in.copied = copied;
  barrier(current, __builtin_return_address(0));
}

TEFF_ENTRY void GOMP_critical_start() {
  expect_locks();
  unnamed_critical.acquire_for_program(wait_kind::critical);
}
TEFF_ENTRY void GOMP_critical_end() {
  forget_lock();
  unnamed_critical.release();
}
TEFF_ENTRY void GOMP_critical_name_start(void** word) {
  expect_locks();
  lock_in(word).acquire_for_program(wait_kind::critical);
}
TEFF_ENTRY void GOMP_critical_name_end(void** word) {
  forget_lock();
  lock_in(word).release();
}
TEFF_ENTRY void GOMP_atomic_start() { atomics.acquire_for_program(wait_kind::atomic); }
TEFF_ENTRY void GOMP_atomic_end() { atomics.release(); }

TEFF_ENTRY void GOMP_teams_reg(task_function function, void* data, unsigned teams, unsigned thread_limit, unsigned flags) {
  if (flags != 0) [[unlikely]]
    refuse("GOMP_teams_reg with the flags %#x is not supported by this version of Teff's OpenMP: it knows no flag", flags);
  member& current = self();
  const process_icvs& all = process();
  team& home = current.in;
  const icvs before = icvs_of(current);
  const unsigned limit = thread_limit != 0 ? thread_limit : all.teams_thread_limit;
  icvs at_begin = before;
  if (limit != 0) at_begin.thread_limit = limit;
  home.teams = teams != 0 ? teams : std::max(1u, all.teams);
  for (home.team_number = 0; home.team_number < home.teams; ++home.team_number) {
    set_icvs(current, at_begin);  // what one team changes is not the next one's
    function(data);
    barrier(current);
  }
  home.teams = 1;
  home.team_number = 0;
  set_icvs(current, before);
}

}  // namespace TEFF_NAMESPACE::openmp
