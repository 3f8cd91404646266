// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every constant that was chosen rather than derived: value, unit, reason. Tests and simulation use the small values, so that
/// the rare paths (parking, growth, overflow) are common there.
#pragma once

#include "base/namespace.h"

#include <cstddef>
#include <cstdint>

namespace TEFF_NAMESPACE::tuning {

#if defined(TEFF_SIMULATED)
/// Which values hold: the small ones, as tests want them, until who predicts a real run says otherwise, before it makes a team.
inline bool small = true;
#elif defined(TEFF_SMALL_CONSTANTS)
inline constexpr bool small = true;
#else
inline constexpr bool small = false;
#endif

/// A number (of rounds, if nothing else is said) with its value in use and its value under test.
struct rounds {
  unsigned standard, tested;
  operator unsigned() const { return small ? tested : standard; }
};

/// Rounds (each about 40 cycles) that a lock spins before it parks. The critical sections of queues are 20–100 cycles long, a
/// park and a wake cost about 10,000: spinning for longer than a few sections only helps while the holder is running.
inline constexpr rounds lock_spin_rounds{60, 2};

/// Rounds that a waiter in the line of a fifo_lock spins before it parks. It waits for all before it, so long lines of short
/// sections have to pass: with `lock_spin_rounds` every hand-over among 8 wakes somebody, 5.6 µs instead of 0.3.
inline constexpr rounds line_spin_rounds{4'000, 2};

/// How long a thread naps that spun in vain for a brief lock, in rounds of spinning (platform::time_of_rounds_ns): natively 50
/// µs, a small part of the time slice that the holder waits for, and many times what going to sleep costs. In rounds, since a
/// described machine on which all goes faster or slower has shorter or longer sections, too.
inline constexpr rounds lock_nap_rounds{1'250, 25};

/// Rounds after which a waiter that gives way to another one, for twice as long each time, comes back at the latest: many times
/// what a cache line takes to get around among some hundred processors, and little beside a time slice.
inline constexpr rounds give_way_rounds{65'536, 2};

/// In ns. Who watches a run whether it wants more workers looks for the first time when waking some is little beside what it has
/// lasted; and again each time behind an eighth of the run's age, at most the longest interval, of which a look is a hundredth.
inline constexpr rounds first_watch_ns{20'000, 500}, watch_interval_ns{10'000, 200}, longest_watch_ns{1'000'000, 2'000};
/// More workers of the package are called if tasks take so long, in ns, some times what a theft from another domain costs; or if
/// the run has lasted so long, for each as many as it began with: then what they lose by shorter tasks is little beside it.
inline constexpr rounds long_task_ns{1'000, 1'000}, long_run_ns{150'000, 1'000};

/// In ns. What of a loop takes no longer is not divided for who is hungry: some times what it costs to hand a part on, and less
/// than a task that calls workers of other domains (`long_task_ns`). Nor is what takes less than this part of the time since the
/// loop began: by as much its workers may end one behind the other.
inline constexpr rounds brief_part_ns{700, 100};
inline constexpr unsigned brief_part_of_loop = 64;

/// Rounds of searching all queues before an idle worker announces that it sleeps. A round over a few empty queues takes about
/// 50–100 ns, so this is roughly the cost of one park and wake (5–10 µs).
inline constexpr rounds idle_search_rounds{64, 1};

/// Rounds that an announced worker spins on its own word before it parks ('spin then park').
inline constexpr rounds idle_spin_rounds{400, 2};

/// Rounds that an announced worker gives others to answer its request before it serves itself by force: some times what that
/// costs, which it does not pay if a task or the end of the run comes meanwhile.
inline constexpr rounds idle_request_rounds{1'000, 2};

/// Slots of a deque from the start: a page of them; doubled when they are full.
inline constexpr rounds deque_slots{256, 4};

/// Tasks that one worker's deque holds before a task that puts another one has to let that run first. Many enough for thieves,
/// and a few hundred KiB with their arguments.
inline constexpr rounds live_tasks_per_worker{4096, 128};

/// Natively the time account measures one of so many puts, gets and acquisitions of locks: two looks at the clock take about as
/// long as one of those, so this is little beside them all. Of small blocks from the system more, as those are fewer. Primes, so
/// that events that come in a rhythm are not always the same ones of it.
inline constexpr unsigned account_one_in = 61, account_allocations_one_in = 13;
/// One that took longer, in ns, and four times as long as the one before stands for itself alone: its thread has lost its
/// processor meanwhile, as seldom others do.
inline constexpr std::uint64_t account_event_at_most_ns = 5'000;
/// Of a part of a worker's time that is not as long, in ns, nobody asks whether its thread had a processor: the call of the
/// system that says it takes up to 0.7 µs.
inline constexpr std::uint64_t lost_at_least_ns = 250'000;
/// Behind so long, in ns, a thread is asked how long it ran, also if no other one had its processor: a tick of Linux as most
/// distributions set it, at which the scheduler counts anyway.
inline constexpr std::uint64_t runs_unasked_ns = 4'000'000;

/// Tasks that a thief takes in one step: what it copies before its compare-and-swap is in vain if another thief is faster.
inline constexpr rounds stolen_at_most{32, 2};

/// Meetings of workers at the word that counts a group's children before the children are counted in cells: by then the line has
/// cost about what the memory of the cells does.
inline constexpr rounds group_meetings{16, 1};

/// Rounds that a waiter of policy 'spin then block' spins: about the time in which a fiber is set aside and continued.
inline constexpr rounds wait_spin_rounds{20, 2};

/// Rounds, of some tens of nanoseconds each, that a member of an OpenMP team spins before it sleeps, if the environment asks for
/// nothing else: many times what a park and a wake cost. Where members outnumber processors, somebody whom it waits for may want
/// the processor: next to none; or, where waits are to be active, about the time of a wake.
inline constexpr rounds member_spin_rounds{4'000, 8}, crowded_spin_rounds{40, 1}, active_crowded_spin_rounds{1'000, 4};
/// In such a team a round gives the processor to whoever else wants it, and takes as long as that keeps it. From so many ns on it
/// was away for a time slice, which Linux makes 1.5 ms long at the least on two processors.
inline constexpr unsigned long_yield_ns = 500'000;
/// In ns. For how long, at the least, it is watched whether other programs have processors meanwhile: some ticks, as the system
/// knows how long the threads on other processors ran but up to one. For how long waits do without such rounds then, the first
/// time and at the most: what is lost while it is watched is not felt beside that.
inline constexpr unsigned gauged_ns = 16'000'000, yields_paused_ns = 32'000'000, yields_paused_at_most_ns = 1'024'000'000;
/// In a wait that may last, such a round counts as one more for each so many ns.
inline constexpr unsigned ns_per_long_round = 20'000;

/// Taskyields in a row that may do nothing: where tasks are made between them, so few of these are put for the sake of one that
/// is taken, and who yields until one of them has run yields so many times more; where they find nothing, what comes to another
/// queue is seen so late, and as seldom another thread may have the processor, which takes some hundred times as long.
inline constexpr rounds idle_yields{63, 3};

/// In ns. A member of an OpenMP team whose theft brought less than this, some times what one costs, leaves others alone for as
/// long, and twice as long each time, up to the second one: by so much a longer task may be late that comes then.
inline constexpr rounds brief_theft_ns{400, 60}, thefts_apart_ns{6'400, 200};

/// In ns, the same for looks by force at what others keep: twice what one costs, and for how long at least, and at most, the
/// member makes none.
inline constexpr rounds brief_force_ns{30'000, 200}, forced_looks_apart_ns{8'000, 100},
    forced_looks_apart_at_most_ns{1'000'000, 1'000};

/// Where a member of an OpenMP team is asked for tasks, each put shows some until so many are in view: one would do if it were
/// not brief, and who shows four does a locked instruction for each task of small trees.
inline constexpr unsigned tasks_in_view = 3;

/// Looks for tasks in a barrier between two looks whether all are done, which read a line of every member.
inline constexpr unsigned looks_per_check = 8;

/// Rounds between the looks for tasks of a wait that has lasted for a while: each keeps others off the pool for a moment.
inline constexpr rounds looks_apart{256, 4};

/// The first round of a wait of OpenMP that finds no task in which the member looks whether others keep some: behind the time in
/// which who puts or takes brief ones would have shown them.
inline constexpr rounds first_for_kept_tasks{32, 2};

/// The first round of a wait in which a member looks by force at what others keep to themselves, behind the spinning of those
/// that sleep (they do so anyway), and how many rounds later it does so for ever, doubling in between: others pay for it.
inline constexpr rounds first_force{4'096, 16}, forces_apart{65'536, 64};
static_assert(first_force.standard > member_spin_rounds.standard);

/// How long a member naps that was called for tasks which it may not run: many times what going to sleep costs.
inline constexpr rounds member_nap_ns{1'000'000, 2'000};

/// Tasks for each member that an OpenMP team holds at most, beyond those that run, by weight. One member may hold them all, in a
/// ring of 32 bytes a slot that never shrinks: so half of live_tasks_per_worker. Beyond it
/// so many tasks run at once before that is looked at again, which reads a line of every member.
inline constexpr rounds live_tasks_per_member{2'048, 24}, run_at_once_in_a_row{128, 3};

/// Beyond that bound a task is put all the same where much of its creator's stack is in use: an eighth, or so many bytes. It
/// counts only with so many tasks on the stack. The team may have so many members' shares more then: what walks need that do not
/// end in a barrier. Who makes many far down needs no stack for them, and each share is 0.2 to 2 MB.
inline constexpr std::size_t much_stack_bytes = std::size_t{1} << 20;
inline constexpr rounds nested_before_stack_counts{16, 2};
inline constexpr unsigned shares_beyond_on_much_stack = 16;

/// From so many tasks of a team for each member on, who makes one with dependences first runs those of its own queue that are
/// ready, so many at the most before it makes as many for each member: the blocks and records of more do not stay in a cache.
inline constexpr rounds tasks_in_cache_per_member{128, 6}, ready_in_a_row{64, 2};

/// Tasks for each member of its team that wait in a member's own queue before it runs further ones at once, as long as nobody
/// asks for some: plenty for thieves, and no more than gcc's library has wait before it does the same. So many may lie on one
/// stack then.
inline constexpr rounds enough_tasks_per_member{64, 3}, nested_at_once_at_most{64, 2};

/// Chunks of a dynamic loop of OpenMP that a member takes at once, if that many take less than `batch_ns`: many more cost little
/// less; beyond `long_batch` times that, one again. Batches between looks at the clock, at the most, where each is one chunk.
inline constexpr rounds chunks_per_batch{64, 3}, batch_ns{1'000, 200}, looks_at_chunks_apart{32, 2};
inline constexpr unsigned long_batch = 4;

/// Chunks of a loop for each member up to which they are taken one by one: what a batch needs, looks at the clock among it, takes
/// as long as that many.
inline constexpr rounds chunks_without_batches{16, 2};

/// Rounds that who has no chunk left gives another member to do those of its batch, before it takes them: about what that costs.
inline constexpr rounds patience_with_chunks{200, 2};

/// Units of a doacross loop that may be under way at once, a line each: far more than members, so that nobody waits for a slow
/// one before it has to.
inline constexpr rounds doacross_slots{256, 3};

/// A task with dependences on so many others is put behind all of them last, when it is known how many they are: a
/// read-modify-write less for each. Few have more.
inline constexpr rounds edges_collected{6, 2};

/// So many OpenMP tasks that ended before their children, one below the other, are a long row: trees have shorter ones. A member
/// looks behind so many of them. Then one in so many tasks that begin looks at the row above it, and becomes a child of the
/// outermost one if at least `closed_between` lie between, or of one that is as far up as a look goes. Behind so many looks at
/// short rows there are none any more.
inline constexpr rounds long_row{64, 3}, closed_per_look{64, 2}, begins_per_reparent{4, 1};
/// So is it for one in so many that end before their children, in a row of closed ones. What that makes superfluous is retired,
/// and given back by so many at once: that takes a system call.
inline constexpr rounds closes_per_move{4, 1}, retired_at_once{256, 1};
inline constexpr rounds closed_between{8, 2}, closed_between_at_most{1'024, 6}, short_rows_in_a_row{256, 4};

/// Records of variables that OpenMP tasks have changed, of which one that has the same is sought among the newest: few programs
/// have more.
inline constexpr unsigned records_per_look = 64;

/// Steps up from tasks to whoever waits for them, in a look that may miss some: a part of the pool is closed to others meanwhile,
/// for 10 µs and, where other processors wrote all the nodes, some hundreds. Waits lie some thousands deep in trees that are
/// narrow, as those of `uts`; in others nobody comes near it.
inline constexpr rounds ancestors_per_look{4'096, 8};

/// Tasks with a priority that a waiting member of OpenMP looks at in passing, under a lock of the team's: as many as gcc's
/// library has wait for each thread. Before it sleeps it looks at all.
inline constexpr rounds urgent_per_look{64, 4};

/// What a worker has put and waits find where it lies, in pools that put tasks with others: entries, at most; of those a look
/// goes through the newest, and in passing through the newest tasks of each queue.
inline constexpr rounds notes_at_most{16'384, 16}, notes_per_look{64, 4}, newest_per_look{8, 2};

/// Free blocks of tasks that go from one member to others in one step, under a lock; new ones that are made at once.
inline constexpr rounds blocks_per_batch{256, 2}, blocks_at_once{16, 2};
/// What a member has from the system at a time for its tasks: few of them have little, and many cost few calls.
inline constexpr rounds first_slab_bytes{4'096, 256}, slab_bytes_at_most{65'536, 512};

/// Workers of one team, and processors, at the most. 64-bit sets and 16-bit counts bound it; the simulator goes further.
inline constexpr unsigned workers_at_most = 256;
inline constexpr unsigned simulated_workers_at_most = 1024;

}  // namespace TEFF_NAMESPACE::tuning
