// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Whether a new task goes to the pool or runs at once (README.md, Tasks).
#include "compat/openmp/tasks.h"
#include "platform/foreign.h"
#include "platform/stack_pointer.h"
#include "platform/tuning.h"

#include <algorithm>

namespace TEFF_NAMESPACE::openmp {

bool is_full(node& of) {
  if (of.spawned < node::many_children) [[likely]]
    return false;
  if (!of.all_gone()) return true;
  of.forget_children();
  return false;
}

namespace {

/// Returns: as has_enough, where threads ask for tasks, but one that was called has not come yet, and there is something for it.
bool has_enough_for_called(const member& current) {
  return may_run_more(current, current.lane) && current.lane->length() >= current.enough &&
         current.lane->public_estimate() != 0 && current.in.has_called();
}

/// Returns: how many tasks may be put before has_enough can say something else.
std::uint64_t puts_until_enough(const member& current) {
  if (current.in.puts_all.load(platform::relaxed) != 0) return ~std::uint64_t{0};
  if (current.lane == nullptr) return current.pool == nullptr ? current.enough : ~std::uint64_t{0};  // unknown yet; another pool
  const std::uint32_t waiting = current.lane->length();
  return waiting < current.enough ? current.enough - waiting : 1;
}

/// Returns: whether the team has too many tasks, or the running one too many children. Effect: else says how many may be put
/// before it is looked again.
bool is_at_bound(member& current, std::uint64_t& until_next_look) {
  if (current.at_once != 0) {
    --current.at_once;
    return true;
  }
  const team& all = current.in;
  const std::uint64_t live = all.live();
  const std::uint64_t most = std::uint64_t{tuning::live_tasks_per_member} * all.size;
  current.at_bound = live >= (current.at_bound ? most / 2 : most);
  if (current.at_bound || is_full(*current.running)) {
    current.at_once = tuning::run_at_once_in_a_row;
    return true;
  }
  until_next_look = std::max<std::uint64_t>(1, (most - live) / all.size);
  return false;
}

/// Tasks that lie on a stack before it counts how much of that is in use; the same for three quarters of one that is not known.
constexpr tuning::rounds nested_before_stack_counts{16, 2}, nested_on_most_of_a_stack{256, 8};
/// How much is much, if that is less than half of the stack; and how many times the bound a team may have where much is in use,
/// or three quarters of the stack.
constexpr std::size_t much_stack_bytes = std::size_t{4} << 20;
constexpr unsigned times_bound_on_much = 16, times_bound_on_most = 256;

/// Returns: how many times as many tasks as the bound says the team may have, rather than that one more lies on this stack: the
/// more of that is in use, the more. Not without an end: who makes many where much is in use needs no stack for them.
unsigned times_bound(member& current) {
  if (current.nested < nested_before_stack_counts) return 1;
  if (!current.has_asked_for_stack) current.stack = platform::stack_of_this_thread();
  current.has_asked_for_stack = true;
  const platform::stack_bounds& all = current.stack;
  const char* const here = platform::stack_pointer();
  if (!all.holds(here)) {  // the program's own, or not known
    if (current.nested < tuning::nested_at_once_at_most) return 1;
    return current.nested < nested_on_most_of_a_stack ? times_bound_on_much : times_bound_on_most;
  }
  const std::size_t used = all.used(here);
  if (used > all.bytes - all.bytes / 4) return times_bound_on_most;
  return used > std::min(all.bytes / 2, much_stack_bytes) ? times_bound_on_much : 1;
}

/// Pre: the team is at the bound. Returns: whether a new task goes to the pool all the same.
bool may_go_beyond(member& current) {
  const unsigned times = times_bound(current);
  return times != 1 && current.in.live() < std::uint64_t{times} * tuning::live_tasks_per_member * current.in.size;
}

}  // namespace

bool is_beyond_bound(member& current) {
  const std::uint64_t created = current.created.load(platform::relaxed);  // its own
  if (created < current.bound_at) return false;
  std::uint64_t until_bound = 0;
  if (is_at_bound(current, until_bound)) {
    if (is_full(*current.running) || !may_go_beyond(current)) return true;
    until_bound = tuning::run_at_once_in_a_row;  // as seldom as those that run at once
  }
  current.bound_at = created + until_bound;
  return false;
}

bool has_room_again(member& current) {
  if (current.in.live() >= tuning::live_tasks_per_member * current.in.size / 2 || is_full(*current.running)) return false;
  current.at_bound = false;
  current.at_once = 0;
  return true;
}

void show(member& current, bool wanted) {
  if (wanted) current.in.follow(current.pool->put(current, {}, queue::pushed::asked), current);
}

void show_asked(member& current) { show(current, !leaves_to_called(current)); }

bool leaves_to_called(const member& current) {
  const queue::lane& own = *current.lane;
  return own.public_estimate() != 0 && own.heeds(current.in.sleepers.count()) && current.in.has_called();
}

bool look_whether_to_put(member& current) {
  if (current.in.opener == nullptr) return false;  // outside of all regions nobody else would run it, and no barrier follows
  const std::uint64_t created = current.created.load(platform::relaxed);
  if (has_enough(current) || has_enough_for_called(current)) return false;
  if (is_beyond_bound(current)) return false;
  current.check_at = created + std::min(puts_until_enough(current), current.bound_at - created);
  return true;
}

}  // namespace TEFF_NAMESPACE::openmp
