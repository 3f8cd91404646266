// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a region begins and ends.
#include "compat/openmp/crowd.h"
#include "compat/openmp/forked.h"
#include "compat/openmp/groups.h"
#include "compat/openmp/os_thread.h"
#include "compat/openmp/refuse.h"
#include "compat/openmp/tasks.h"
#include "compat/openmp/team.h"
#include "platform/tuning.h"

#include <algorithm>

namespace TEFF_NAMESPACE::openmp {

namespace {

/// Returns: how many threads a region would have, if no other region had any.
unsigned region_size(const member& opener, unsigned asked) {
  const icvs& own = icvs_of(opener);
  if (asked == 1 || opener.in.active_level >= own.active_levels) return 1;
  unsigned size = asked != 0 ? asked : own.threads;
  if (own.dynamic) size = std::min(size, processors());
  if (own.thread_limit != 0) size = std::min(size, own.thread_limit);
  if (size > tuning::workers_at_most) {
    static platform::atomic<bool> told{false};
    // relaxed: it is said once, and nothing goes by it.
    if (!told.exchange(true, platform::relaxed))
      say("a region asks for %u threads; allowed: 1 … %u; it runs with %u", size, tuning::workers_at_most,
          tuning::workers_at_most);
    size = tuning::workers_at_most;
  }
  return std::max(1u, size);
}

/// Returns: the team that counts the threads of a contention group: that of its initial thread.
team& group_of(const member& opener) {
  const member* at = &opener;
  while (at->in.opener != nullptr && !at->in.is_target) at = at->in.opener;
  return at->in;
}

/// Effect: the group has as many more threads, of those wanted, as thread-limit-var leaves. Returns: how many.
unsigned reserve_threads(team& group, unsigned limit, unsigned wanted) {
  std::uint32_t others = group.other_threads.load(platform::relaxed), granted;  // only a number goes by it
  do granted = std::min(wanted, limit - 1 - std::min(limit - 1, others));
  while (granted != 0 && !group.other_threads.compare_exchange(others, others + granted, platform::relaxed));
  return granted;
}

/// Effect: in a child of fork, forgets what threads of the parent may have been at work on.
void leave_parent(member& opener) {
  // relaxed: the child has one thread. Around a target region there is another group.
  for (const member* at = &opener; at != nullptr; at = at->in.opener) at->in.other_threads.store(0, platform::relaxed);
  if (opener.in.size > 1 && !opener.in.left_behind) leave_regions();  // after _Fork(), which calls no handler
}

/// Returns: a team for a region, of as many members as there may be and the system has threads for.
team& engage(const member& opener, unsigned asked) {
  unsigned size = region_size(opener, asked);
  const unsigned limit = icvs_of(opener).thread_limit;
  team* const group = limit != 0 && size > 1 ? &group_of(opener) : nullptr;
  if (group != nullptr) size = 1 + reserve_threads(*group, limit, size - 1);
  team& made = opener.thread->engage(size);
  made.group = group;
  // relaxed: only a number goes by it.
  if (group != nullptr && made.size < size) group->other_threads.fetch_sub(size - made.size, platform::relaxed);
  return made;
}

/// Effect: what the tasks of the region inherit.
void hand_down(team& to, const member& opener) {
  const process_icvs& all = process();
  const icvs& own = icvs_of(opener);
  to.environment = &own;
  const unsigned next = own.list_position + 1;
  if (to.bind == own.bind && next >= all.thread_list.size() && next >= all.bind_list.size()) return;
  to.own_environment = own;
  to.own_environment.bind = to.bind;  // regions inside do as this one does, unless OMP_PROC_BIND has a word for them
  to.own_environment.list_position = next;
  if (next < all.thread_list.size()) to.own_environment.threads = all.thread_list[next];
  if (next < all.bind_list.size()) to.own_environment.bind = all.bind_list[next];
  to.environment = &to.own_environment;
}

/// Pre: nobody is in a barrier of the team. relaxed: the others see it by [send].
void begin_uncancelled(team& made) {
  made.loop_cancelled.store(false, platform::relaxed);
  if (made.is_cancelled()) made.arrived.store(0, platform::relaxed);  // some have left the barrier that they came to
  made.at_begin.store(0, platform::relaxed);
}

}  // namespace

void member::enter() {
  implicit.begin(nullptr, 0, in.environment, id, 0);
  running = &implicit;
  if (retired.any()) retired.come_to_region(in.of_nodes.region());
  shared = {};
  shared.at = in.first_share;
  singles = 0;
  singles_taken = 0;
  takes_locks = false;
  locks_held = 0;
  check_at = 0;
  at_once = 0;  // how many live tasks there were before says nothing
  at_bound = false;
  if (clock != nullptr && in.opener != nullptr) clock->start();
}

namespace {

/// Effect: who opens a region does nothing for its own team until that ends.
void leave_own(member& opener) {
  if (opener.thread->abandon_if_forked()) leave_parent(opener);
  else share_tasks(opener);
}

/// Effect: the region is counted, and its time is no more the opener's.
void count(const team& made, const member& opener, bool asked) {
  if (!process().counts_regions) return;
  if (opener.clock != nullptr) opener.clock->stop();
  if (made.members[0].clock != nullptr) made.members[0].clock->open(reinterpret_cast<const void*>(made.function));
  count_region(made.size, asked);
}

/// Returns: whether the thread is in a region with others, which is counted: a target region may lie in between, and one of a
/// parent process is not.
bool is_in_crowd(const member& opener) {
  const member* at = &opener;
  while (at != nullptr && at->in.size == 1) at = at->in.opener;
  return at != nullptr && !at->in.is_left_behind();
}

/// Effect: the team learns whether too many threads are in regions.
void join_crowd(team& made, const member& opener) {
  if (made.size == 1) return;
  const bool inside = is_in_crowd(opener);
  const std::uint32_t more = made.size - (inside ? 1 : 0);
  made.in_crowd.store(more, platform::relaxed);  // relaxed, twice: as it says in the team
  const std::uint32_t now = threads_in_regions.enter(more);
  const std::uint32_t lately = inside ? 0 : all_openers.open(opener.thread->opens, made.size);
  made.crowded.store(std::max(now, lately) > made.awake_enough, platform::relaxed);
}

/// Effect: the team, whose region is over, counts no longer. A store waits for nothing; an exchange would wait for a line that
/// the members have read.
void leave_crowd(team& over) {
  threads_in_regions.leave(over.in_crowd.load(platform::relaxed));  // relaxed, twice: as it says in the team
  over.in_crowd.store(0, platform::relaxed);
}

/// Effect: the members begin.
void send_in(team& made, member& opener) {
  opener.thread->send_all(made);
  platform::set_current(&made[0]);
  made[0].enter();
}

/// Effect: nothing has happened in the region. relaxed: the others see it by [send].
void begin_anew(team& made) {
  made.singles.store(0, platform::relaxed);
  made.puts_all.store(0, platform::relaxed);
  made.of_nodes.begin_region();
  if (made.can_be_cancelled) begin_uncancelled(made);
  else made.at_begin.store(0, platform::relaxed);  // relaxed: as above
}

}  // namespace

team& open_region(member& opener, task_function function, void* data, unsigned asked, const loop* first_loop, std::uint8_t bind,
                  prepare_team* prepare) {
  leave_own(opener);
  team& made = engage(opener, asked);
  made.opener = &opener;
  made.is_target = false;
  made.level = opener.in.level + 1;
  made.active_level = opener.in.active_level + (made.size > 1 ? 1 : 0);
  made.teams = opener.in.teams;
  made.team_number = opener.in.team_number;
  made.function = function;
  made.data = data;
  made.bind = icvs_of(opener).bind == 0 || bind == 0 ? icvs_of(opener).bind : bind;
  hand_down(made, opener);
  count(made, opener, asked != 0 || icvs_of(opener).threads != process().initial.threads);
  made.first_share = nullptr;
  if (first_loop != nullptr) {
    workshare_position begin;
    made.first_share = &made.shares.advance(begin, made.size);
    describe(*made.first_share, *first_loop, made.size);
  }
  begin_anew(made);
  join_crowd(made, opener);
  if (prepare != nullptr) prepare(made, data);
  send_in(made, opener);
  if (process().display_affinity) opener.thread->show_affinity(made[0]);
  return made;
}

team& open_target(member& opener, unsigned thread_limit) {
  leave_own(opener);
  team& made = opener.thread->engage(1);
  made.opener = &opener;
  made.is_target = true;
  made.group = nullptr;
  made.other_threads.store(0, platform::relaxed);  // relaxed: nobody else knows the group
  made.level = 0;
  made.active_level = 0;
  made.teams = 1;
  made.team_number = 0;
  made.own_environment = process().initial;
  if (thread_limit != 0) made.own_environment.thread_limit = thread_limit;
  made.environment = &made.own_environment;
  made.function = nullptr;  // there are no others to call it
  made.data = nullptr;
  made.bind = made.own_environment.bind;
  made.first_share = nullptr;
  count(made, opener, true);
  begin_anew(made);
  send_in(made, opener);
  return made;
}

void close_region(member& first) {
  team& over = first.in;
  end_part(first);
  barrier_at_end(first);
  member& opener = *over.opener;
  if (first.clock != nullptr) {
    first.clock->end_region(over);
    first.clock->end();
  }
  if (opener.clock != nullptr && opener.in.opener != nullptr) opener.clock->resume();
  // relaxed: only a number goes by it.
  if (over.group != nullptr) over.group->other_threads.fetch_sub(over.size - 1, platform::relaxed);
  if (over.size > 1) leave_crowd(over);
  over.shares.reset();
  over.records.clear();
  platform::set_current(&opener);
  opener.thread->disengage(over);
}

}  // namespace TEFF_NAMESPACE::openmp
