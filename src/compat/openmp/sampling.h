// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is measured with TEFF_STATS=1, and what is only counted: SITES.md, *Fine tasks are sampled* and *Short regions, too*.
#pragma once

#include "platform/platform.h"

#include <cstdint>

namespace TEFF_NAMESPACE::openmp {

/// What a member's time goes into.
enum class activity : std::uint8_t { implicit, task, runtime, idle };
inline constexpr unsigned activities = 4;
/// What measured time is told apart by: these, and thefts, which are taken off idle time. One in a taskyield is the task's.
inline constexpr unsigned thieving = activities, time_kinds = activities + 1;

/// A task that is measured, on the stack of who runs it.
struct measured_frame {
  const void* code;
  std::uint64_t outer_own, outer_looks;
  std::uint64_t ns;       ///< when it has ended: what it took; 0: it was not measured
  std::uint32_t stretch;  ///< in which it began: it is measured if it ends in the same one, and that is no pause
  bool outer_opens;       ///< who runs it had opened a region since its task began
  activity before;
};

/// What takes longer is no work of the runtime for one task, and no fine task.
inline constexpr std::uint64_t runtime_at_most_ns = 20'000, short_ns = 100'000;

// Where tasks are fine, some are measured (clock.h).
/// So many of each member come first in a call that is measured: one with fewer is known in full.
inline constexpr std::uint32_t measured_first = 1024;
/// Behind a call that had many for each member, in the mean, it is so few: enough are measured later.
inline constexpr std::uint32_t measured_again = 64, many_tasks = 16 * measured_first;
/// Then so many in a row, which are one in so many: what measuring one takes, 250 ns, is 2 ns for each.
inline constexpr std::uint32_t measured_of = 16, measured_one_in = 128;
/// One that took more than so many times the mean of its place stands for others as one that took as much: an interrupt in it
/// would be taken for as many as it stands for.
inline constexpr std::uint64_t spike_times = 16;
/// The time for a task and what the runtime does for it, below which it is fine. Four looks at the clock are 2 % of it.
inline constexpr std::uint64_t fine_ns = 4'000;
/// Time that nobody looked at is taken to be as what was measured, but for what is longer than so many times that, and than
/// runtime_at_most_ns: tasks of one place differ by as much.
inline constexpr std::uint64_t excess_times = 4;
/// A starter's ticks are half as far apart, and find any task that takes longer than this. The coarse clock's step is this at
/// most, where the system has 250 interrupts in a second or more: its ticks find a task of twice this.
inline constexpr std::uint64_t tick_ns = 4'000'000;
/// If none comes for so long, and again, they are taken to have stopped.
inline constexpr std::uint64_t ticks_stopped_ns = 1'000'000'000;
inline constexpr std::uint32_t all_tasks = ~0u;

/// Effect: measures what a look at the clock costs, with all that a change does. Pre: nothing is measured yet.
void measure_look();
/// Returns: that.
std::uint64_t look_ns();

// Of regions that are brief and of fine tasks, some calls are measured (region_calls.h).
/// The first ones are all: in some of them threads are made and pages are touched, the others are taken to be like those behind.
inline constexpr std::uint64_t calls_warming = 4, calls_first = 8;
/// Then, by chance, one in half as many as there were; in the long run one in so many.
inline constexpr std::uint64_t calls_one_in = 64;
/// What takes longer is not brief: to measure measured_first tasks is 2 % of it.
inline constexpr std::uint64_t brief_ns = 4 * tick_ns;
/// In a call with fine tasks looks at the clock take up to so many times what they take alone: nothing else goes on meanwhile.
inline constexpr double look_at_most = 4;

}  // namespace TEFF_NAMESPACE::openmp
