// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Holds one thread up between two machine instructions of a call while the others go on; between the next two the next time.
// A race that needs a member to be late in a window of a few instructions, which chance meets once in millions of calls, is met
// by the round that holds it there. With the processor's trap flag every instruction ends in a signal. Include it first.
#pragma once

#define _GNU_SOURCE
#include "check.h"

#include <signal.h>
#include <string.h>
#include <ucontext.h>

enum { trap_flag = 0x100 };

/// One hold: of one member, while the others go through the same call.
struct hold {
  int is_held;  // the member is where it is held, or has gone through the call before it came there
  int begun;    // others that have begun the call
  int ended;    // others that are through
};

static __thread int instructions_left;  // until the thread is held
static struct hold* current_hold;
static int others_awaited;

/// The others get the processors until one of them is through, or all have begun and had a while for what they can do alone.
static void stay(void) {
  store(&current_hold->is_held, 1);
  for (int look = 0; look < 30000 && load(&current_hold->begun) < others_awaited; ++look) sched_yield();
  for (int look = 0; look < 30 && load(&current_hold->ended) == 0; ++look) sched_yield();
}

static void end_instruction(int number, siginfo_t* info, void* context) {
  (void)number;
  (void)info;
  if (--instructions_left > 0) return;
  ((ucontext_t*)context)->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)trap_flag;
  stay();
}

static inline void prepare_holds(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = end_instruction;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  check(sigaction(SIGTRAP, &action, NULL) == 0, "no handler for traps");
}

/// Effect: the calling thread is held behind its INSTRUCTIONS-th instruction from here. OTHERS will say so when they begin the call.
static inline void be_held(struct hold* at, int instructions, int others) {
  current_hold = at;
  others_awaited = others;
  instructions_left = instructions;
  __builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() | trap_flag);
}

/// Effect: the call in which the thread was to be held is over.
static inline void leave_hold(struct hold* at) {
  __builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() & ~(unsigned long long)trap_flag);
  store(&at->is_held, 1);
}

/// Effect: waits until the held member is in the call; not for ever, as it may sleep there before it comes to the instruction.
static inline void begin_beside(struct hold* at) {
  for (int look = 0; look < 100 && load(&at->is_held) == 0; ++look) sched_yield();
  add(&at->begun, 1);
}
