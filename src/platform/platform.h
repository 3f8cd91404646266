// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The seam under every scheduler: the only source of atomics, locks, parking, clock, seeded random numbers, threads, topology,
/// memory from the system, context switch and spinning. Everything above it is compiled twice, once against each side.
///
/// Both sides define, in namespace teff::TEFF_PLATFORM::platform:
///
///   atomic<T>                       T is trivially copyable and at most 8 bytes; load, store, exchange, compare_exchange,
///                                   fetch_add, fetch_sub, fetch_or, add_alone, each with an
///                                   explicit order
///   statistic                       a number one thread writes and others read for information; orders nothing
///   relaxed … seq_cst, fence(order) a standalone fence is a read-modify-write under ThreadSanitizer
///   fence_of_compiler, fence_everywhere      an asymmetric pair: free for one side, a system call for the other
///   park, park_until, wake_one, wake_all     a futex on an atomic<uint32_t>; park may return early
///   spin_until, spin_until_for,     busy waiting on one word; pause() inside is not needed
///   spin_ever_slower_for
///   pause()                         a hint inside other loops
///   now_ns()                        monotonic; virtual time in simulation
///   recent_ns()                     the same clock, some milliseconds late, at a fifth of the cost; where clock_is_free, as in
///                                   simulation, exact and at no cost
///   time_of_rounds_ns(rounds)       what so many rounds of spin_until_for take, about
///   thread                          start (may be refused), join, is_current
///   places_of_caller()              the places of machine() on which the calling thread may run; all, if it may on none of them
///   processor_here()                a number of the processor on which the caller runs just now
///   uncancelled, no_jump_across     scopes that a cancellation or a longjmp would break
///   machine()                       usable processors and the domain of each
///   usable_processors()             how many that are, sooner
///   system_allocate, system_release memory from the system; may be refused
///   charge(units)                   lets time pass: cycles in simulation, iterations of an empty loop natively
///   touch(address, bytes, how)      says that memory which is no atomic is read or written here: takes time in simulation
///   touch_pointer(pointer, how)     the same of that pointer itself
///   touch_program, forget_program   the same of the program's own memory: in simulation alone
///   charge_put(), charge_get()      say that a task was put, or got: its instructions take time in simulation
///   ledger, bind_ledger, account_scope, account_mark, lock_watch, lock_wait     the time account (src/trace/README.md)
///   tasks_wait, name_line           what the account knows in simulation alone
///   progress()                      says that useful work was finished (livelock detection; free natively)
///   current(), set_current()        one pointer per thread of control: the current worker
///   current_here(), set_current_here()     another one, which is nullptr in a child of fork(): in the process of a process_mark
///   this_thread()                   tells threads from one another
///   process_generation()            changes in a child of fork()
///   once_in_process                 what is done once, by any thread, also across fork()
///   in_forked_child, is_only_thread, before_waits_for_locks, end_process_at_once     for those who find themselves in one
///   planted_faults()                refusals that tests plant
///
/// lock.h, process_wide.h, random.h and touch_pointer.h are built on these, for both sides; context.h is the context switch.
#pragma once

#include "base/namespace.h"

#ifdef TEFF_SIMULATED
#include "platform/simulated/ledger.h"
#include "platform/simulated/simulated.h"
#else
#include "platform/native/ledger.h"
#include "platform/native/native.h"
#endif

#include "platform/lock.h"
#include "platform/random.h"
#include "platform/touch_pointer.h"
