// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Dependences between the children of a task: README.md, *Dependences*.
#pragma once

#include "compat/openmp/tasks.h"

#include <cstdint>

namespace TEFF_NAMESPACE::openmp {

struct dependent;
struct event;

/// How a task uses an address, by gcc's numbers. `inout` is told from `out` by nobody.
enum class access : std::uint8_t { none = 0, in = 1, out = 2, inout = 3, mutexinoutset = 4, inoutset = 5 };

/// What gcc passes of depend clauses. Either how many addresses there are, how many of them are out or inout, and these first; or
/// 0, then the number of all, of out and inout, of mutexinoutset and of in, and the addresses in that order, the rest of them
/// where a depend object lies: an address, and how it is used.
class dependence_list {
 public:
  struct item {
    void* address;
    access how;
    /// omp_all_memory, which later versions of gcc pass so.
    bool is_all_memory() const { return address == nullptr && how == access::out; }
  };

  explicit dependence_list(void** passed);
  std::uint32_t size() const { return size_; }
  /// Errors: ends the program with a sentence if a depend object says no way that there is.
  item operator[](std::uint32_t number) const;
  /// Returns: how many are mutexinoutset.
  std::uint32_t exclusive() const;

 private:
  void** first_;
  std::uint32_t size_, out_, exclusive_, in_;
};

/// Before one more is made. Effect: runs descendants of the running task, as long as the team has too many. Returns: whether it
/// has no more.
bool run_some(member& current);
/// Effect: runs the oldest task of the member's own queue, if it is a descendant of the running task. Returns: whether it was.
bool run_oldest(member& current);
/// Effect: if the team has more tasks than stay in a cache, runs ready ones of the member's own queue, the oldest first, and what
/// they let begin. Who finds none makes more: the next ones may be ready.
void run_ready(member& current);

/// Effect: makes a task that is complete when its code has ended and, if there is one, its event happened.
void add_dependent(member& current, const task_request& wanted, void** depend, event* happens);
/// Effect: waits until a task with these dependences could begin. `waits`: how it does: node::beside: it runs what it waits for
/// alone; node::creates: all descendants of the running task. Returns: who is in its gates; nullptr if there are none.
dependent* begin_behind(member& current, void** depend, std::uint8_t waits = node::beside);
/// Effect: that task is complete.
void end_behind(member& current, dependent* inside);
/// Effect: waits until the task could begin, and runs it.
void run_behind(member& current, const task_request& wanted, void** depend, std::uint8_t waits = node::beside);
/// Effect: waits until a task with these dependences could begin.
void wait_behind(member& current, void** depend);
/// Effect: the same, of a task that does nothing, for those that come later.
void add_joint(member& current, void** depend);

}  // namespace TEFF_NAMESPACE::openmp
