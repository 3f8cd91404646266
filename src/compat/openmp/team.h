// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "compat/openmp/icv.h"
#include "compat/openmp/member.h"
#include "compat/openmp/priorities.h"
#include "platform/foreign.h"

#include <memory>
#include <vector>

namespace TEFF_NAMESPACE::openmp {

struct team;
struct event;

/// Where all members of a team come together: a barrier of the region, or the one at its end, which are the same unless regions
/// can be cancelled. Then who is in one of the former leaves it, and comes to the latter.
struct meeting {
  platform::atomic<std::uint32_t>& arrived;
  platform::atomic<std::uint32_t>& epoch;
  bool may_be_left;
};

/// The threads that run one parallel region, and what they share. Kept by the thread that opened it, for its next region of that
/// size.
///
/// README.md beside this file says how a region begins and ends, who sleeps on what and who wakes whom.
struct team {
  /// Errors: std::bad_alloc.
  explicit team(unsigned members, os_thread* first_of_others = nullptr);
  ~team();
  team(const team&) = delete;
  team& operator=(const team&) = delete;

  member& operator[](unsigned number) { return members[number]; }

  /// Effect: wakes this member if it sleeps, which sees the state `why`. Returns: whether it did.
  bool wake(unsigned number, std::uint32_t why = workers::sleepers::notified);
  /// Effect: calls a sleeping member for a task, if there is one: one that may run any task if possible.
  /// Not if another call is on its way, and `awake_enough` members are awake. [call]
  /// `whom`: of these members, or rather of these than of others.
  void wake_one(unsigned from, pool::advice whom = pool::advice::wake_one);
  /// Returns: whether it is so. Pre, for who leaves a call out because of it: what the call would be
  /// for was made visible, and a seq_cst fence passed; or it lies in a queue where who is called finds it by force; else a hint.
  bool has_called() const {
    return size - sleepers.count().load(platform::relaxed) >= awake_enough &&
           members[last_called.load(platform::relaxed)].word.load(platform::relaxed) == member::called;
  }
  /// Effect: calls one of members first … end − 1 that sleeps for certain tasks, or for any. Returns: whether the search is over.
  bool wake_one_of(unsigned from, unsigned first, unsigned end, bool choosy);
  void wake_all(unsigned first = 0, unsigned end = 0);
  /// Effect: does what a pool advises. A put behind other tasks calls a member, too, whatever the policy of the pool is.
  void follow(pool::advice advised, member& current);
  /// Returns: the weight of the tasks that were put and have not ended; 0, if all members have arrived at a barrier, only if no
  /// task is left.
  std::uint64_t live() const;
  /// Effect: frees the variables of tasks that are gone. Pre: all members are in a barrier, and no task is left.
  void drop_records();
  /// Effect: there are no tasks. Pre: as drop_records.
  void forget_tasks() {
    if (!records.empty()) drop_records();
    // relaxed: all are in the barrier, and see it by [barrier].
    if (has_tasks.load(platform::relaxed)) has_tasks.store(false, platform::relaxed);
  }
  /// Returns: the pool, which is made at the first call. Errors: ends the program if there is no memory for it.
  engine& make_pool();

  const unsigned size;
  shared_blocks free_memory;
  member* const members;

  /// Whether this is the child's copy, in which none of the other members is. Cost: that of process_generation().
  bool is_left_behind() const { return size > 1 && (left_behind || made_in != platform::process_generation()); }

  const std::uint64_t made_in = platform::process_generation();
  os_thread* const first_thread;  ///< of the other members; nullptr: there are none
  const unsigned awake_enough;    ///< so many members that are awake keep the processors busy
  const bool can_be_cancelled;    ///< OMP_CANCELLATION
  const unsigned spin_alone, spin_crowded;  ///< rounds before a member sleeps, where `crowded` is false, and true

  // What the opener says before it sends the others in: in one line, as each of them reads it.
  alignas(cache_line_bytes) task_function function = nullptr;
  void* data = nullptr;
  const icvs* environment = nullptr;
  workshare* first_share = nullptr;  ///< what the members begin in
  member* opener = nullptr;          ///< nullptr: the initial thread's team, outside of all regions
  team* group = nullptr;             ///< in which the other members are counted, if there is a limit to them
  std::uint8_t bind = 0;             ///< how its members lie at places
  unsigned level = 0, active_level = 0;
  /// As many of its threads are counted in `threads_in_regions`. relaxed: who takes it off leaves 0.
  platform::atomic<std::uint32_t> in_crowd{0};
  /// More threads are in regions than there are processors, as far as its opener saw. relaxed: a hint; who leaves the barrier of
  /// one region may read what the opener says of the next one.
  platform::atomic<bool> crowded{false};
  unsigned spin() const { return spin(crowded.load(platform::relaxed)); }
  unsigned spin(bool is_crowded) const { return is_crowded ? spin_crowded : spin_alone; }
  bool left_behind = false;             ///< in the parent process, but for the thread that forked: said by the handler of fork()
  unsigned teams = 1, team_number = 0;  ///< of a teams region
  bool is_target = false;               ///< of a target region: its member is the initial thread of a contention group
  icvs own_environment;

  platform::atomic<engine*> pool{nullptr};
  std::unique_ptr<engine> owned_pool;
  platform::lock slow;                         ///< around the making of the pool, and `records`
  std::vector<std::unique_ptr<changed_icvs>>
      records;  ///< variables that tasks have changed: each is that of several, if they are equal
  workshare_chain shares;
  turn_bells bells;
  team* next_measured = nullptr;  ///< of those that are measured
  void* copied = nullptr;         ///< what the last single copyprivate hands on

  /// Members whose threads have ended inside the region, which is then never over.
  platform::atomic<std::uint32_t> ended{0};
  /// Of an initial thread's team: the other threads of its contention group, if thread-limit-var limits them.
  platform::atomic<std::uint32_t> other_threads{0};

  alignas(cache_line_bytes) platform::atomic<std::uint32_t> arrived{0};
  /// The singles of this region that somebody runs or ran; each member counts those that it came to.
  alignas(cache_line_bytes) platform::atomic<std::uint64_t> singles{0};
  /// Changes when a barrier is complete. [barrier] release by who completes it, acquire by who leaves it.
  alignas(cache_line_bytes) platform::atomic<std::uint32_t> epoch{0};
  platform::atomic<bool> has_tasks{false};  ///< somebody put one since the last barrier
  /// If not 0, tasks do not run at once as long as there is room for them: `for_ever`, if a member has taken a lock of OpenMP in
  /// this region, put a task with a priority, or cancelled it, and `one_group` for each taskgroup that is cancelled and not over.
  /// A hint.
  platform::atomic<std::uint32_t> puts_all{0};
  static constexpr std::uint32_t for_ever = 1, one_group = 2;
  workers::sleepers sleepers;
  platform::atomic<std::uint32_t> last_called{0};  ///< the number of a member. A hint

  /// What whoever begins a task has to know: what is cancelled in this region (`whole_region`, and `one_group` for each taskgroup
  /// that is not over); whether a task with a priority was put; whether there are long rows of tasks that ended before their
  /// children.
  platform::atomic<std::uint32_t> at_begin{0};
  static constexpr std::uint32_t whole_region = 1, long_rows = 1u << 30, has_priorities = 1u << 31;
  /// Whether anything is. A hint, but to who has cancelled it.
  bool has_cancelled() const { return (at_begin.load(platform::relaxed) & ~(has_priorities | long_rows)) != 0; }
  /// Whether a task with a priority was put. A hint, but to who has put it.
  bool orders() const { return (at_begin.load(platform::relaxed) & has_priorities) != 0; }
  /// A hint.
  bool has_long_rows() const { return (at_begin.load(platform::relaxed) & long_rows) != 0; }
  platform::atomic<bool> loop_cancelled{false};  ///< a loop or sections, until the next barrier
  /// Whether the region is. A hint to others, unless a fence says more.
  bool is_cancelled() const { return (at_begin.load(platform::relaxed) & whole_region) != 0; }

  // Apart from what each look and each begin of a task reads above: its lock changes with each task in there.
  alignas(cache_line_bytes) node_epochs of_nodes;  ///< read by each look for certain tasks, as `urgent` is, and changed seldom
  ready_by_priority urgent;

  /// Events that threads have fulfilled which are no members, or asleep. [event] release by who adds one, under a lock of all
  /// teams.
  alignas(cache_line_bytes) platform::atomic<event*> fulfilled{nullptr};
  platform::atomic<bool> has_events{false};  ///< an event was made in it, or in a region before. A hint

  // As `arrived` and `epoch`, of the barrier at the region's end, if regions can be cancelled.
  alignas(cache_line_bytes) platform::atomic<std::uint32_t> arrived_at_end{0};
  platform::atomic<std::uint32_t> epoch_of_end{0};
  meeting inside() { return {arrived, epoch, can_be_cancelled}; }
  meeting at_end() { return can_be_cancelled ? meeting{arrived_at_end, epoch_of_end, false} : meeting{arrived, epoch, false}; }
};

/// As run_all_set_aside, which a region needs no call for.
inline void run_set_aside(member& current) {
  if (current.in.opener == nullptr) [[unlikely]]
    run_all_set_aside(current);
}

inline bool is_over(const team& all, const meeting& at, std::uint32_t epoch) {
  return at.epoch.load(platform::acquire) != epoch || (at.may_be_left && all.is_cancelled());  // [barrier]
}

/// Effect: waits until all members are here and no task of the team is left, or the region is cancelled; runs tasks meanwhile.
/// `caller`: the program's place that the wait is counted for, if it has one.
void barrier(member& current, const void* caller = nullptr);
/// Effect: the same at the region's end, which is waited for in any case.
void barrier_at_end(member& current);

using prepare_team = void(team& made, void* data);
/// Effect: a region begins, whose implicit task of number 0 the calling thread runs from here on. `asked`: what num_threads says,
/// 0 if nothing. `first_loop`: what its members begin in the middle of. `bind`: what proc_bind says. `prepare`: what is called
/// with `data` when the team is there and no other member has begun; nullptr: nothing. Returns: its team.
team& open_region(member& opener, task_function function, void* data, unsigned asked, const loop* first_loop = nullptr,
                  std::uint8_t bind = 0, prepare_team* prepare = nullptr);
/// Effect: a target region begins on the host, in which the calling thread is an initial one: it is nested in nothing, has the
/// variables with which the process began, and begins a contention group. `thread_limit`: 0 if the region has none of its own.
/// Returns: its team.
team& open_target(member& opener, unsigned thread_limit);
/// Effect: the region, or target region, of the calling thread ends; it is again who opened it.
void close_region(member& first);

inline const icvs& icvs_of(const member& current) { return *current.running->data_environment; }
/// Effect: these are the variables of the current task, and of those that it makes from now on.
void set_icvs(member& current, const icvs& now);
/// Effect: change(icvs&) changes them.
template <class Change>
void change_icvs(member& current, Change change) {
  icvs now = icvs_of(current);
  change(now);
  set_icvs(current, now);
}
/// Returns: the variables of the calling thread's task: a question makes no member of it.
inline const icvs& current_icvs() {
  const member* const known = known_self();
  return known != nullptr ? icvs_of(*known) : process().initial;
}

}  // namespace TEFF_NAMESPACE::openmp
