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
    current.beyond_in_vain = false;
    return true;
  }
  until_next_look = std::max<std::uint64_t>(1, (most - live) / all.size);
  return false;
}

/// Returns: whether much of the thread's stack is in use.
bool is_deep(member& current) {
  if (current.nested < tuning::nested_before_stack_counts) return false;
  if (!current.has_asked_for_stack) current.stack = platform::stack_of_this_thread();
  current.has_asked_for_stack = true;
  const platform::stack_bounds& all = current.stack;
  const char* const here = platform::stack_pointer();
  if (!all.holds(here)) return current.nested >= tuning::nested_at_once_at_most;  // the program's own, or not known
  return all.used(here) > std::min(all.bytes / 8, tuning::much_stack_bytes);
}

/// Pre: the team is at the bound. Returns: whether a new task goes to the pool all the same, rather than that it lies on this
/// stack. If there are too many for that, it is not asked again for as many tasks as run at once in a row: that reads a line of
/// every member.
bool may_go_beyond(member& current) {
  if (current.beyond_in_vain || !is_deep(current)) return false;
  const std::uint64_t shares = std::uint64_t{current.in.size} + tuning::shares_beyond_on_much_stack;
  current.beyond_in_vain = current.in.live() >= shares * tuning::live_tasks_per_member;
  return !current.beyond_in_vain;
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
  current.at_bound = current.beyond_in_vain = false;
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

bool shows_enough(member& current) {
  if (leaves_to_called(current)) return true;
  queue::lane& own = *current.lane;
  team& all = current.in;
  const std::uint32_t in_view = own.public_estimate();
  if (in_view == 0 || in_view >= tuning::tasks_in_view || all.sleepers.any() || !own.heeds(all.sleepers.count())) return false;
  // It stays asked. [request] Who sleeps is looked for behind the change of the lane, as by the pool.
  if (current.row_of != current.running && own.publish(false) != 0 && all.sleepers.any())
    all.follow(pool::advice::wake_one, current);
  return true;
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
