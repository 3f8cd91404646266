#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows that the rules of waits, and of tasks that run at once, are needed, and tested: without each of them a test finds what is wrong.

The drop-in has no switch for a wrong rule. A mutant is its source with one place changed; the files that this concerns
are compiled again as the build has compiled them, alone or in batches, and linked with the other objects of the build.
To begin with, the tests pass on a drop-in that is made in the same way and has no change.
usage: mutants.py (--build FOLDER (--programs FOLDER | --simulated) | --there) [MUTANT...]
  --build FOLDER     the build, with compile_commands.json and the objects of the drop-in
  --programs FOLDER  programs find them: by what they say is wrong, or as they hang
  --there            nothing is built: each change finds its place in the sources
  --simulated        scenes on virtual processors find them, each within 20,000 schedules
Exit code 0 if a test fails with each mutant.
"""

import argparse
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import programs

SOURCES = Path(__file__).resolve().parents[2] / "src"
DROP_IN = "compat/openmp"
SECONDS = 10  # a program that hangs has failed
THREADS = (2, 3, 8, 1)  # 1 last: for what only who is alone does


@dataclass(frozen=True)
class Mutant:
    name: str
    file: str  # in the drop-in's folder; with a folder of its own, below src
    text: str  # that is there once
    instead: str
    compiled: tuple  # the sources that see it
    tests: tuple  # pairs of a program, which must fail, and a pool
    scenes: tuple  # likewise of a scene


def on(pool, *tests):
    return tuple((test, pool) for test in tests)


SCHEDULES = 20_000  # a scene that has not failed in so many does not find the mutant


MUTANTS = (
    # A thread then begins, on top of a task that holds a lock, one that wants it.
    Mutant("a_wait_runs_any_task", "node.h", "bool needed = true, from_scope = false, in_groups = true;",
           "return true;\n    bool needed = true, from_scope = false, in_groups = true;",
           ("barrier.cpp", "engine.cpp", "tasks.cpp"), on("teff", "lock_over_taskwait", "task_scheduling"),
           on("sq1", "a_lock_beside_others", "the_scheduling_constraint")),
    # The same with a grandchild for which nobody waits.
    Mutant("a_taskwait_runs_all_descendants", "node.h", "return all || needed;", "return true;",
           ("barrier.cpp", "engine.cpp", "tasks.cpp"), on("teff", "lock_and_grandchildren"),
           on("teff", "a_lock_and_grandchildren")),
    # A grandchild, for which its parent waits without a taskwait, has nobody to run it.
    Mutant("a_taskgroup_runs_what_a_taskwait_would", "node.h", "return all || needed;", "return needed;",
           ("barrier.cpp", "engine.cpp", "tasks.cpp"), on("teff", "taskgroup"),
           on("teff", "taskgroups_of_one")),
    # A child that was stolen together with other tasks is not found, and its thief waits for the lock. Natively no thief takes so
    # many of lock_and_stolen's tasks that the look is needed.
    Mutant("a_last_look_keeps_off_the_middle", "engine.cpp", "pool_.take(current, any, taken, passes ? how : pool::reach::whole);\n",
           "pool_.take(current, any, taken, pool::reach::passing);\n    return found;\n", ("engine.cpp",), (),
           on("teff", "a_call_for_another")),
    # Who waits for its own tasks forces others' into view, and nobody is told.
    Mutant("who_forces_tasks_tells_nobody", "engine.cpp", "forced.advised == pool::advice::wake_none ? found.advised : forced.advised",
           "found.advised", ("engine.cpp",), (), on("teff", "tasks_beside_who_waits")),
    # A thread that ends inside of a region takes with it what the others of the region use, or a task of it.
    Mutant("who_ends_in_a_region_takes_its_stack_along", "thread_end.cpp", "  await_rest(left, platform::now_ns() + unwinding_ns);\n", "", ("thread_end.cpp",),
           on("teff", "leaving"), ()),
    Mutant("who_has_ended_is_waited_for", "thread_end.cpp", "left.size - left.ended.load(platform::acquire)", "left.size - 1",
           ("thread_end.cpp",), on("teff", "leaving"), ()),
    Mutant("who_ends_in_a_region_holds_up_its_handlers", "thread_end.cpp", "await_rest(left, platform::now_ns() + unwinding_ns)",
           "await_rest(left, for_ever)", ("thread_end.cpp",), on("teff", "leaving"), ()),
    Mutant("who_has_ended_keeps_no_stack_for_long", "thread_end.cpp", "    await_rest(at->in, for_ever);\n", "", ("thread_end.cpp",),
           on("teff", "leaving"), ()),
    Mutant("a_task_of_nobody_is_waited_for", "thread_end.cpp", "  if (others == 0) return true;", "", ("thread_end.cpp",),
           on("teff", "leaving"), ()),
    Mutant("signals_let_a_stack_go", "thread_end.cpp", "now < until_ns &&", "now < until_ns && nap_ns < longest_nap_ns &&",
           ("thread_end.cpp",), on("teff", "leaving"), ()),
    Mutant("who_ends_in_a_child_leaves_its_threads", "thread_end.cpp", "    own->give_back(true);", "    ;", ("thread_end.cpp",),
           on("teff", "leaving"), ()),
    Mutant("who_ends_in_a_child_waits_for_the_parent", "thread_end.cpp", " && !at->in.is_left_behind()", "", ("thread_end.cpp",),
           on("teff", "leaving"), ()),
    Mutant("who_ends_in_a_region_forgets_its_tasks", "thread_end.cpp", " == others) return left.live() == 0;", " == others) return true;", ("thread_end.cpp",),
           on("teff", "leaving"), ()),
    # Who has put a task believes that it lies where it lay, and takes what lies there now, or nothing at all.
    Mutant("a_note_outlives_a_task_of_q", "queue/fifo_node.h", "    if (noted != nullptr) noted->empty();\n", "", ("engine.cpp",),
           (), on("q", "trees_among_others")),
    Mutant("a_note_outlives_a_task_of_l", "queue/noted_stack.h", "    if (removed->noted != nullptr) removed->noted->empty();\n", "",
           ("engine.cpp",), (), on("l", "trees_among_others")),
    Mutant("a_task_moves_away_from_its_note", "queue/noted_stack.h",
           "    if (found->noted != nullptr) found->noted->follow(found);\n", "", ("engine.cpp",), (),
           on("l", "trees_among_others")),
    # Children of who holds the lock lie among the private tasks of a thief that wants it.
    Mutant("who_waits_for_a_lock_keeps_its_tasks", "lock_word.cpp", "share_tasks();", "", ("lock_word.cpp",),
           on("dq8", "lock_and_grandchildren", "private_tasks_shared"),
           on("dq8", "tasks_behind_a_lock")),
    Mutant("who_asks_for_a_lock_keeps_its_tasks", "locks.cpp", "  share_tasks();\n  return false;", "  return false;",
           ("locks.cpp",), on("dq8", "private_tasks_shared"),
           on("dq8", "tasks_behind_who_asks_for_a_lock")),
    Mutant("who_waits_for_its_turn_keeps_its_tasks", "turns.h", "  share_tasks(current);", "", ("workshare.cpp", "doacross.cpp"),
           on("dq8", "private_tasks_shared"),
           on("dq8", "tasks_behind_a_turn")),
    Mutant("who_opens_a_region_keeps_its_tasks", "region.cpp", "else share_tasks(opener);", "", ("region.cpp",),
           on("dq8", "private_tasks_shared"),
           on("dq8", "tasks_behind_a_region")),
    Mutant("who_waits_for_children_keeps_other_tasks", "sleep.h", "if (for_tasks) share_tasks(current);", "",
           ("barrier.cpp",), on("dq8", "private_tasks_shared"),
           on("dq8", "tasks_behind_a_taskwait")),
    # The last child ends while a task that its waiter may not run is out of everybody's sight.
    Mutant("who_has_looked_at_its_newest_task_keeps_it", "barrier.cpp", "show(current, current.first_look->put_back());",
           "(void)current.first_look->put_back();", ("barrier.cpp",), (),
           on("teff", "a_task_behind_a_taskwait_that_ends")),
    # Who makes tasks may be one that waits for them as well.
    Mutant("who_makes_tasks_never_yields", "entry_tasks.cpp", "if (current.yields_left == 0 || (!makes && current.lane",
           "if (!makes && (current.yields_left == 0 || current.lane", ("entry_tasks.cpp",), (),
           on("teff", "yields_beside_many")),
    Mutant("who_has_enough_yields_for_nothing", "entry_tasks.cpp", "  --current->free_yields;\n", "", ("entry_tasks.cpp",), (),
           on("teff", "yields_beside_many")),
    Mutant("who_yields_in_vain_never_looks_again", "entry_tasks.cpp", "  --current.yields_left;\n  if (enough)", "  if (enough)",
           ("entry_tasks.cpp",), (), on("teff", "yields_for_one_of_another")),
    Mutant("who_yields_keeps_its_tasks", "entry_tasks.cpp", "share_tasks(current);", "", ("entry_tasks.cpp",),
           on("dq8", "private_tasks_shared"),
           on("dq8", "tasks_behind_a_taskyield")),
    # Who holds the lock sleeps beside a task that it waits for, and the others have begun those that came before.
    Mutant("only_the_first_of_a_queue_calls", "team.cpp", "advised == pool::advice::wake_none) return;",
           "advised != pool::advice::wake_one) return;", ("team.cpp",), on("sq4", "lock_and_sleeper"),
           on("sq4", "a_lock_and_a_sleeper")),
    # A child that wants a lock runs on top of who holds it, or on top of one whom the holder waits for.
    Mutant("tasks_run_at_once_beside_locks", "tasks.h", "current->in.puts_all.fetch_or(team::for_ever, platform::relaxed);", "",
           ("locks.cpp", "entry_regions.cpp"), on("teff", "enough_tasks"),
           on("teff", "many_tasks_and_a_lock")),
    # A chain of tasks, each of which makes the next one, overruns a stack.
    Mutant("tasks_nest_without_end", "tasks.h", "current.nested < tuning::nested_at_once_at_most", "true",
           ("put_or_run.cpp", "entry_tasks.cpp"), on("teff", "enough_tasks"),
           on("teff", "a_spine_of_tasks")),
    # Programs whose tasks wait for what their creator does go on or hang, by how many of them are put.
    Mutant("a_task_of_a_barrier_does_not_count", "execute.h", "current.enough = enough - 1;", "",
           ("barrier_tasks.cpp", "barrier.cpp"), on("teff", "enough_tasks"), ()),
    Mutant("a_task_of_a_barrier_counts_when_it_is_gone", "execute.h", "current.enough = enough;", "",
           ("barrier_tasks.cpp", "barrier.cpp"), on("teff", "enough_tasks"), ()),
    # At the bound the next step of a walk, whose leaves wait, runs at once, and the one behind that on top of it.
    Mutant("a_deep_stack_is_no_reason_to_put", "put_or_run.cpp",
           "if (is_full(*current.running) || !may_go_beyond(current)) return true;", "return true;", ("put_or_run.cpp",),
           on("teff", "deep_stacks"), ()),
    Mutant("coroutines_are_no_reason_to_put", "put_or_run.cpp",
           "if (!all.holds(here)) return current.nested >= tuning::nested_at_once_at_most;", "if (!all.holds(here)) return false;",
           ("put_or_run.cpp",),
           on("teff", "deep_stacks"), ()),
    Mutant("half_of_a_stack_is_in_use_before_that_counts", "put_or_run.cpp", "std::min(all.bytes / 8, tuning::much_stack_bytes)",
           "all.bytes / 2", ("put_or_run.cpp",), on("teff", "deep_stacks"), ()),
    # The leaves of the walk wait for ever, as the next step comes first each time.
    Mutant("at_the_bound_the_newest_is_next", "barrier_tasks.cpp",
           " || (current.at_bound && waiting >= tuning::live_tasks_per_member / 2);", ";", ("barrier_tasks.cpp",),
           on("teff", "deep_stacks"), ()),
    # Tasks that spin for older ones, which begin on other threads, hold these up.
    Mutant("who_is_held_off_takes_the_newest", "barrier_tasks.cpp",
           "    if (!robs) return pool::get_result::retry;  // somebody else is at it. The newest is not for now\n", "",
           ("barrier_tasks.cpp",), on("teff", "older_tasks"), ()),
    Mutant("in_a_barrier_the_newest_is_next", "barrier_tasks.cpp", "return flat_ ||", "return", ("barrier_tasks.cpp",),
           on("teff", "older_tasks"), ()),
    Mutant("what_leaves_none_behind_is_next_in_no_order_behind_a_theft", "barrier_tasks.cpp", "void one_was_stolen() { flat_ = true; }",
           "void one_was_stolen() { flat_ = false; }", ("barrier_tasks.cpp",), on("teff", "older_tasks"), ()),
    # A task far down makes tasks without an end, and all of them wait.
    Mutant("far_down_each_member_has_all_shares", "put_or_run.cpp", "current.in.size} + tuning::shares_beyond_on_much_stack;",
           "current.in.size} * tuning::shares_beyond_on_much_stack;", ("put_or_run.cpp",), on("teff", "deep_stacks"), ()),
    Mutant("far_down_there_is_no_bound", "put_or_run.cpp", "current.beyond_in_vain = current.in.live() >=",
           "current.beyond_in_vain = false && current.in.live() >=", ("put_or_run.cpp",), on("teff", "deep_stacks"), ()),
    # Tasks of a chain that have ended stay as long as one descends from them; or are freed while it still counts in them. (Natively
    # the first shows no more, since what ends in a long row moves, too.)
    Mutant("what_has_ended_stays_for_those_below", "priorities.cpp", "if (current.in.has_long_rows()) reparent(current, next);", "",
           ("priorities.cpp",), (), on("teff", "a_long_chain_of_tasks")),
    Mutant("nobody_knows_of_long_rows", "closed_tasks.cpp", "tell_of_long_rows(current.in, true);", "{}", ("closed_tasks.cpp",),
           on("teff", "long_chains"), on("teff", "a_long_chain_of_tasks")),
    Mutant("long_rows_are_looked_for_for_ever", "closed_tasks.cpp", "tell_of_long_rows(current.in, false);", "{}",
           ("closed_tasks.cpp",), (), on("teff", "a_long_chain_of_tasks")),
    Mutant("who_has_another_parent_is_not_counted_there", "closed_tasks.cpp",
           "  outermost->elsewhere.fetch_sub(left, platform::relaxed);\n",
           "  if (left == node::one_gone) outermost->elsewhere.fetch_sub(left, platform::relaxed);\n", ("closed_tasks.cpp",), (),
           on("teff", "a_long_chain_of_tasks")),
    Mutant("who_has_another_parent_stays_with_the_old_one", "closed_tasks.cpp",
           "  child_elsewhere(current, parent, left);\n",
           "  if (left == node::one_gone) child_elsewhere(current, parent, left);\n", ("closed_tasks.cpp",),
           on("teff", "long_chains"), on("teff", "a_long_chain_of_tasks")),
    Mutant("a_task_that_runs_becomes_a_parent", "closed_tasks.cpp", "parent->is_closed() ? find_outermost(begins) : way_up{parent, 0};", "find_outermost(begins);", ("closed_tasks.cpp",), (),
           on("teff", "a_long_chain_with_others")),
    # One that ends in a row of closed ones, whose parent ran when it began, keeps that; or others come to what is gone by that.
    Mutant("what_ends_in_a_long_row_stays_below_its_parent", "closed_tasks.cpp", "    move_up(current, ended);\n", "    {}\n",
           ("closed_tasks.cpp",), (), on("teff", "a_long_chain_that_goes_on")),
    Mutant("what_moves_up_is_not_counted_there", "closed_tasks.cpp",
           "  outermost->elsewhere.fetch_sub(left, platform::relaxed);\n",
           "  if (left != node::one_gone) outermost->elsewhere.fetch_sub(left, platform::relaxed);\n", ("closed_tasks.cpp",), (),
           on("teff", "a_long_chain_that_goes_on", "lookers_beside_a_long_chain")),
    Mutant("what_moves_up_counts_below_for_ever", "closed_tasks.cpp",
           "  child_elsewhere(current, parent, left);\n",
           "  if (left != node::one_gone) child_elsewhere(current, parent, left);\n", ("closed_tasks.cpp",), (),
           on("teff", "a_long_chain_that_goes_on")),
    Mutant("what_is_gone_is_given_back_while_others_look", "closed_tasks.cpp", "if (current.in.of_nodes.have_moved())", "if (false)",
           ("closed_tasks.cpp",), (), on("teff", "lookers_beside_a_long_chain")),
    Mutant("who_retires_late_is_taken_for_early", "retired_nodes.cpp", "  come_to_region(current.in.of_nodes.region());\n", "",
           ("retired_nodes.cpp",), (), on("teff", "retired_nodes_of_a_region")),
    Mutant("an_epoch_ends_while_others_look", "retired_nodes.cpp", "return began == 0 || began == epoch;", "return true;",
           ("retired_nodes.cpp",), (), on("teff", "lookers_beside_a_long_chain")),
    Mutant("retired_nodes_are_given_back_in_their_epoch", "retired_nodes.cpp", "now - waiting_.epoch >= 4", "true",
           ("retired_nodes.cpp",), (), on("teff", "lookers_beside_a_long_chain")),
    Mutant("an_epoch_later_all_is_given_back", "retired_nodes.cpp", "now - waiting_.epoch >= 4", "now - waiting_.epoch >= 2",
           ("retired_nodes.cpp",), (), on("teff", "epochs_of_retired_nodes")),
    Mutant("who_comes_to_a_cancellation_point_says_no_epoch", "cancel.cpp",
           "  const pin nodes_stay(current);\n  for (; at != nullptr", "  for (; at != nullptr", ("cancel.cpp",), (),
           on("teff", "a_long_chain_beside_a_cancelled_group")),
    Mutant("who_takes_part_in_a_reduction_says_no_epoch", "reductions.cpp",
           "  const pin nodes_stay(current);\n  const group_block* const nearest", "  const group_block* const nearest",
           ("reductions.cpp",), (), on("teff", "a_reduction_of_a_long_chain")),
    Mutant("who_looks_for_priorities_says_no_epoch", "priorities.cpp", "return have(current, wanted, candidate, left);",
           "return wanted.have(candidate, left);", ("priorities.cpp",), (), on("teff", "priorities_beside_a_long_chain")),
    Mutant("who_looks_says_no_epoch", "pin.h", "of_.store(current.in.of_nodes.now(), platform::release);", "{}",
           ("tasks.cpp", "cancel.cpp", "reductions.cpp"), (),
           on("teff", "lookers_beside_a_long_chain")),
    # Who may take any descendant does not find those below tasks that have ended.
    Mutant("who_looks_goes_up_from_none_that_ended", "node.h", "      from_scope = (state & node::is_scope) != 0;\n",
           "      from_scope = (state & node::is_scope) != 0;\n      if (all && !needed && !from_scope) return at->parent() == of;\n",
           ("barrier.cpp", "engine.cpp", "tasks.cpp"), (),
           on("teff", "tasks_behind_an_event_of_one", "yields_for_a_descendant_of_one", "a_creator_waits_for_a_descendant")),
    # What is put while such a creator waits, and is nobody else's, is run by nobody.
    Mutant("a_creator_beyond_the_bound_waits_as_one_with_a_lock", "depend.cpp",
           "current.locks_held > 0 ? node::beside : node::creates);", "node::beside);", ("depend.cpp",), (),
           on("teff", "a_creator_waits_for_what_is_put_meanwhile")),
    Mutant("a_creator_beyond_the_bound_holds_no_lock", "depend.cpp",
           "current.locks_held > 0 ? node::beside : node::creates);", "node::creates);", ("depend.cpp",), (),
           on("teff", "a_creator_with_a_lock_waits")),
    # Nobody takes what another member keeps while it does something else for long, until it would sleep.
    Mutant("what_others_keep_is_not_seen", "barrier_tasks.cpp",
           "if (current.pool->lane(current.in.members[each])->look() != queue::lane::contents::private_tasks) continue;", "continue;", ("barrier_tasks.cpp",), (), on("teff", "kept_tasks_are_seen")),
    # Each task that sets its number of threads leaves a record; or changes that of its children, or of others that have the same.
    Mutant("variables_that_are_equal_are_not_shared", "team.cpp", "if (found == end) {", "if (true) {", ("team.cpp",),
           on("teff", "variables_of_tasks"), ()),
    Mutant("who_changes_its_variables_changes_those_of_its_children", "team.cpp", "task == current.running && task->all_gone();",
           "task == current.running;", ("team.cpp",), on("teff", "variables_of_tasks"), on("teff", "variables_of_generations")),
    Mutant("who_shares_its_variables_changes_those_of_others", "team.cpp",
           "  if (!own.shared) static_cast<icvs&>(own) = now;\n  return !own.shared;", "  static_cast<icvs&>(own) = now;\n  return true;",
           ("team.cpp",), on("teff", "variables_of_tasks"), ()),
    Mutant("records_are_never_dropped", "team.cpp", "return !is_used(record);", "return false;", ("team.cpp",),
           on("teff", "variables_of_tasks"), ()),
    Mutant("records_in_use_are_dropped", "team.cpp", "return !is_used(record);", "return true;", ("team.cpp",),
           on("teff", "variables_of_tasks"), ()),
    Mutant("each_change_is_a_record", "team.cpp", "if (is_alone && change_in_place(task, now)) return;", "", ("team.cpp",),
           on("teff", "variables_of_tasks"), ()),
    # A child of a task that runs at once counts in a node that nobody waits for any more.
    Mutant("a_node_that_moved_away_counts_as_here", "tasks.cpp", "  from->above.store(nullptr, platform::relaxed);  // so run_on_stack sees it, on this thread", "",
           ("tasks.cpp",), (), on("teff", "many_tasks_and_a_lock")),
    Mutant("a_final_task_on_the_stack_is_as_any", "node.h", "state |= std::uint64_t{final} << 48;", ";",
           ("tasks.cpp", "put_or_run.cpp", "entry_tasks.cpp"), on("teff", "tasks"), ()),
    # Who has made a target task goes on, and what was firstprivate with it.
    Mutant("a_target_task_has_the_data_of_its_creator", "target.cpp", "if (!is_copied(region, variable) || region.addresses[variable] == nullptr) continue;",
           "continue;", ("target.cpp",), on("teff", "target", "target_tasks"), on("teff", "target_tasks_with_copies")),
    # A region changes a copy of what Fortran calls firstprivate, and the program sees it.
    Mutant("a_descriptor_has_the_elements_of_its_creator", "target.cpp", "attach_elements(region, variable, addresses);", ";",
           ("target.cpp",), on("teff", "descriptors"), ()),
    Mutant("an_array_without_memory_gets_some", "target.cpp", " || region.addresses[variable] == nullptr", "", ("target.cpp",),
           on("teff", "descriptors"), ()),
    # gcc passes the address of the creator's copy.
    Mutant("a_target_task_of_a_reduction_goes_elsewhere", "entry_target.cpp", " && !is_in_reduction(current)", "",
           ("entry_target.cpp",), (),
           on("teff", "a_reduction_with_target_tasks")),
    Mutant("data_of_a_device_come_at_once", "entry_target.cpp", "else wait_behind(*current, depend);", "", ("entry_target.cpp",),
           on("teff", "target_tasks"),
           on("teff", "a_chain_of_target_tasks")),
    Mutant("a_team_begins_before_tasks_of_the_last_end", "entry_target.cpp", "    barrier(current);\n", "", ("entry_target.cpp",),
           (), on("teff", "teams_in_target_tasks")),
    Mutant("a_target_region_is_of_the_group_outside", "region.cpp", "&& !at->in.is_target", "", ("region.cpp",),
           on("teff", "target"), ()),
    Mutant("a_target_region_has_the_variables_outside", "region.cpp", "made.own_environment = process().initial;",
           "made.own_environment = icvs_of(opener);", ("region.cpp",), on("teff", "target"), ()),
    Mutant("a_final_task_defers_target_tasks", "entry_target.cpp", "!(current.running->flags & node::final) && ", "",
           ("entry_target.cpp",), on("teff", "target_tasks"), ()),
    Mutant("a_cancelled_target_task_runs_at_once", "entry_target.cpp",
           "  if (may_discard(current) && is_discarded(current, current.running)) return;\n", "", ("entry_target.cpp",),
           on("teff", "target_tasks"), ()),
    Mutant("a_cancelled_copy_runs_at_once", "device_memory.cpp",
           "  if (may_discard(current) && is_discarded(current, current.running)) return;\n", "", ("device_memory.cpp",),
           on("teff", "device_memory_later"), ()),
    Mutant("a_box_has_any_stride", "device_memory.cpp", "__builtin_mul_overflow(stride, dimensions[at], &stride)",
           "(stride *= dimensions[at], false)", ("device_memory.cpp",), on("teff", "device_memory", "device_memory_later"), ()),
    Mutant("a_limit_that_is_not_known_is_the_largest", "entry_target.cpp",
           "static_cast<unsigned>(std::clamp<std::intptr_t>(found, 0, std::numeric_limits<int>::max()))",
           "static_cast<unsigned>(found)", ("entry_target.cpp",), on("teff", "target_old"), ()),
    Mutant("a_device_set_again_is_the_host", "queries.cpp", "device == invalid_device ? device : ", "", ("queries.cpp",),
           on("teff", "target_offload"), ()),
    Mutant("a_target_region_may_pause", "pause.cpp", "current->in.opener != nullptr", "current->in.level != 0", ("pause.cpp",),
           on("teff", "pause"), ()),
    # What two members add meets in one copy, and one part is lost.
    Mutant("members_share_a_copy", "reductions.cpp", "own = first + stride * member;", "own = first + stride * (member / 2);",
           ("reductions.cpp",), on("teff", "reductions"),
           on("teff", "reductions_of_trees", "reductions_of_regions")),
    # What a member added in an earlier reduction is added again.
    Mutant("copies_begin_with_what_was_there", "reductions.cpp", "std::memset(memory, 0, bytes);", "", ("reductions.cpp",),
           on("teff", "reductions"),
           on("teff", "reductions_in_a_row")),
    # Of a copy it is taken for that of the first variable.
    Mutant("a_copy_belongs_to_the_first_variable", "reductions.cpp", "found = {own + offset, ", "found = {own, ",
           ("reductions.cpp",), on("teff", "reductions"),
           on("teff", "reductions_of_trees")),
    # An inner group's copies, or those of outer ones, are not found.
    Mutant("only_the_innermost_group_is_asked", "reductions.cpp", "  for (; at != nullptr; at = at->parent()) {",
           "  for (; at != nullptr; at = at->parent()) {\n    if (at->is_group() && static_cast<const group_block*>(at)->reductions == nullptr) break;",
           ("reductions.cpp",), on("teff", "reductions"),
           on("teff", "reductions_in_reductions")),
    # Of two reductions on one group the first is lost.
    Mutant("a_group_has_one_reduction", "reductions.cpp", "words[words_of::others] = word(group.reductions);", "",
           ("reductions.cpp",), (), on("teff", "two_reductions_of_a_group")),
    # A member reads what has not been combined yet.
    Mutant("nobody_waits_behind_a_reduction", "entry_reductions.cpp", "if (!cancelled) barrier(current);", "",
           ("entry_reductions.cpp",), (),
           on("teff", "reductions_of_loops")),
    # A scope loses its copies when the members go on to a loop in it.
    Mutant("copies_go_with_the_workshare", "reductions.cpp", "  all.users.fetch_add(1, platform::relaxed);", "  //",
           ("reductions.cpp",), on("teff", "reductions"), ()),
    # There are no copies of a taskloop's.
    Mutant("a_taskloop_forgets_its_reduction", "entry_taskloops.cpp", "if (words != nullptr) begin_reductions(current, words);", "",
           ("entry_taskloops.cpp",), on("teff", "reductions"),
           on("teff", "reducing_taskloops")),
    # Who sleeps until its turn is not told of it.
    Mutant("turns_come_in_silence", "turns.h", "platform::wake_all(bell.rings);", "", ("workshare.cpp", "doacross.cpp"),
           on("teff", "ordered"),
           on("teff", "ordered_loops")),
    # Who is held up behind its arrival takes the number of the next barrier, and sleeps through the end of its own.
    Mutant("a_barrier_is_numbered_after_arrival", "barrier.cpp", "  wait_at_barrier(current, at, epoch, caller);\n}",
           "  wait_at_barrier(current, at, at.epoch.load(platform::relaxed), caller);\n}", ("barrier.cpp",), on("teff", "stepped_barrier"),
           on("teff", "barriers")),
    # The rest no program finds for sure: what must happen between two instructions.
    Mutant("a_barrier_forgets_its_sleepers", "barrier.cpp", "if (all.sleepers.count().load(platform::seq_cst) != 0) all.wake_all();", "",
           ("barrier.cpp",), (), on("teff", "barriers")),
    Mutant("a_barrier_does_not_wait_for_tasks", "barrier.cpp", "all.live() == 0 && ", "", ("barrier.cpp",), (),
           on("teff", "tasks_at_a_barrier")),
    Mutant("tasks_are_counted_before_they_have_put", "worker/idle/unfinished.h",
           "difference -= at(number).finished.load(platform::acquire);",
           "difference += at(number).created.load(platform::relaxed);\n  for (unsigned number = 0; number < count; ++number) difference -= at(number).finished.load(platform::acquire);\n  return difference;",
           ("team.cpp",), (), on("teff", "tasks_at_a_barrier")),
    Mutant("a_sleeper_does_not_look_again", "barrier.cpp", "if (look_and_run(current, at, epoch, owes)) return false;", "", ("barrier.cpp",),
           (), on("teff", "a_lock_beside_others") + on("sq4", "tasks_behind_a_taskwait")),
    Mutant("a_sleeper_looks_before_it_says_so", "barrier.cpp",
           "  announce(current, false);\n  if (look_and_run(current, at, epoch, owes)) return false;\n  // [sleep] behind the announcement's fence\n  if (!is_over(all, at, epoch)",
           "  const bool over = is_over(all, at, epoch);\n  announce(current, false);\n  if (look_and_run(current, at, epoch, owes)) return false;\n  if (!over",
           ("barrier.cpp",), (), on("teff", "barriers")),
    Mutant("the_last_child_wakes_nobody", "closed_tasks.cpp",
           "  if (now & node::awaited) current.in.wake(is_implicit ? parent->owner : owner);\n  else if", "  if", ("closed_tasks.cpp",), (),
           on("teff", "a_tree_of_tasks")),
    Mutant("the_last_descendant_wakes_nobody", "closed_tasks.cpp", "    if (now & node::awaited) current.in.wake(owner);\n    if", "    if",
           ("closed_tasks.cpp",), (), on("teff", "taskgroups")),
    Mutant("who_is_called_in_vain_calls_nobody", "barrier.cpp", "  if (called) current.in.wake_one(current.id);  // the call", "  // the call",
           ("barrier.cpp",), (), on("sq4", "a_call_for_another")),
    Mutant("a_piece_is_taken_in_two_steps", "worksharing.h", "share.taken.fetch_add(chunk, platform::relaxed);",
           "share.taken.load(platform::relaxed);\n  share.taken.store(begin + chunk, platform::relaxed);",
           ("entry_loops.cpp", "worksharing.cpp"), (), on("teff", "loops")),
    Mutant("chunks_come_in_pairs_the_other_way_round", "worksharing.h",
           "  const std::uint64_t begin = share.taken.fetch_add(chunk, platform::relaxed);\n",
           "  std::uint64_t begin = share.taken.fetch_add(chunk, platform::relaxed);\n"
           "  if ((begin / chunk | 1) * chunk + chunk <= count) begin = (begin / chunk ^ 1) * chunk;\n",
           ("entry_loops.cpp", "worksharing.cpp"), on("teff", "loops", "loops_ull", "parallel_loops"), on("teff", "loops_in_order")),
    # Chunks of batches: done twice, lost, or kept from who has nothing to do.
    Mutant("a_shown_chunk_is_taken_in_two_steps", "batches.cpp",
           "if (shown_.compare_exchange(seen, seen + amount_at_most, platform::relaxed)) return true;",
           "shown_.store(seen + amount_at_most, platform::relaxed);\n    return true;", ("batches.cpp",), (), on("teff", "a_long_iteration")),
    Mutant("the_number_of_a_chunk_is_of_an_older_word", "batches.cpp",
           "  while ((seen & amount_at_most) != 0) {\n    number = seen >> bits_of_amount;",
           "  number = seen >> bits_of_amount;\n  while ((seen & amount_at_most) != 0) {", ("batches.cpp",), (),
           on("teff", "a_long_iteration")),
    Mutant("who_forces_does_not_look_again", "batches.cpp", "passed ? std::min(next_.load(platform::relaxed), end) : end;",
           "passed ? next : end;", ("batches.cpp",), (), on("teff", "loops_in_a_row")),
    Mutant("the_chunk_between_is_nobodys", "batches.cpp", "  end_.store(first, platform::relaxed);", "", ("batches.cpp",), (),
           on("teff", "loops_in_a_row")),
    Mutant("who_takes_in_vain_leaves_a_chunk_out", "batches.h", "    next_.store(number, platform::relaxed);  // its own; who", "    // who",
           ("batches.cpp", "entry_loops.cpp", "worksharing.cpp"), (), on("teff", "loops_in_a_row")),
    Mutant("a_batch_that_the_end_cuts_is_lost", "batches.cpp", "std::max(number + 1, how.taken));",
           "number + wanted <= chunks ? how.taken : number + 1);", ("batches.cpp",), (), on("teff", "loops_in_a_row")),
    Mutant("nobody_takes_from_the_batches_of_others", "batches.cpp", "  if (share.in_batches.load", "  if (false && share.in_batches.load",
           ("batches.cpp",), (), on("teff", "a_long_iteration")),
    Mutant("who_ran_the_last_chunk_takes_from_others", "batches.cpp", "  if (share.in_batches.load",
           "  if (take_last(share, number)) return true;\n  if (share.in_batches.load", ("batches.cpp",),
           on("teff", "lastprivate", "fortran_lastprivate"), on("teff", "the_last_iteration")),
    Mutant("nobody_forces_a_batch", "batches.cpp", "&& !force())", "&& true)", ("batches.cpp",), (), on("teff", "a_long_iteration")),
    # In simulation a store is seen at once.
    Mutant("who_forces_does_not_wait_for_stores", "batches.cpp", "const bool passed = platform::fence_everywhere();",
           "const bool passed = true;", ("batches.cpp",), on("teff", "batches"), ()),
    Mutant("without_a_fence_chunks_are_lost", "batches.cpp", "passed ? std::min(next_.load(platform::relaxed), end) : end;",
           "passed ? std::min(next_.load(platform::relaxed), end) : next;", ("batches.cpp",), (), on("teff", "a_loop_without_fences")),
    Mutant("a_batch_on_its_way_is_not_told_of", "batches.cpp", "    own.begin_to_fill();\n", "", ("batches.cpp",), (),
           on("teff", "a_long_iteration")),
    Mutant("that_there_are_batches_is_not_told", "batches.cpp", "share.in_batches.store(true, platform::relaxed);", "{}",
           ("batches.cpp",), (), on("teff", "a_long_iteration")),
    Mutant("loops_in_order_go_in_batches", "entry_loops.cpp",
           "start(loop_of(first, end, step), {schedule::dynamic, chunk}, from, to);",
           "start(loop_of(first, end, step), in_any_order({schedule::dynamic, chunk}), from, to);", ("entry_loops.cpp",), (),
           on("teff", "loops_in_order")),
    # An iteration runs before the one that it depends on, or does not run when it may.
    Mutant("a_sink_is_missed", "entry_doacross.cpp", "  all->await(current, outer, place, {caller, wait_kind::sink});", "", ("entry_doacross.cpp",),
           on("teff", "doacross"), on("teff", "doacross_chains", "a_wavefront")),
    Mutant("a_source_counts_for_the_whole_row", "entry_doacross.cpp", "  all->post(*current, outer, place);",
           "  all->post(*current, outer, place + (all->depth() > 1 ? 3 : 0));", ("entry_doacross.cpp",), (), on("teff", "a_wavefront")),
    Mutant("a_slot_is_used_again_too_early", "doacross.cpp", "  if (unit >= back) await_slot(", "  if (false) await_slot(",
           ("doacross.cpp",), (), on("teff", "doacross_pairs")),
    Mutant("a_source_lets_nobody_go_on", "doacross.cpp", "  begin_unit(current, unit);\n  advance(current, unit, number + 1);", "",
           ("doacross.cpp",), on("teff", "doacross"), on("teff", "a_source_in_time")),
    Mutant("a_piece_without_source_holds_others_up", "workshare.cpp", "share.dependences->complete_piece(current);", "{}",
           ("workshare.cpp",), (), on("teff", "without_sources")),
    Mutant("iterations_are_posted_in_silence", "doacross.cpp", "  ring(current.in.bells[unit]);", "", ("doacross.cpp",), (),
           on("teff", "doacross_chains")),
    Mutant("a_piece_begins_when_the_one_before_is_over", "workshare.cpp",
           "  return own.has_piece = take_piece(share, current);",
           "  own.has_piece = take_piece(share, current);\n"
           "  if (share.dependences != nullptr && own.has_piece && own.from != 0)\n"
           "    share.dependences->await(current, own.from - 1, own.from - 1);\n"
           "  return own.has_piece;", ("workshare.cpp",), (),
           on("teff", "guided_pieces_side_by_side")),
    # What is cancelled goes on, or what waits for it, or for what comes behind.
    Mutant("a_cancelled_task_runs", "execute.h", "if (current.in.at_begin.load(platform::relaxed) == 0 || prepare_to_begin(current, next))",
           "if (next != nullptr)", ("barrier.cpp", "barrier_tasks.cpp", "tasks.cpp", "entry_tasks.cpp", "priorities.cpp"), (),
           on("teff", "cancelled_taskgroups")),
    Mutant("a_cancelled_task_runs_at_once", "entry_tasks.cpp",
           "  if (may_discard(current) && !(flags & task_flags::detach) && is_discarded(current, current.running)) return;", "", ("entry_tasks.cpp",),
           on("teff", "cancel"), on("teff", "cancelled_taskgroups")),
    Mutant("a_cancelled_group_cancels_those_around_it", "cancel.cpp",
           "while (at != nullptr && !at->is_group()) at = at->parent();",
           "for (node* up = at; up != nullptr; up = up->parent())\n    if (up->is_group()) at = up;", ("cancel.cpp",),
           on("teff", "cancel"), on("teff", "cancelled_taskgroups")),
    Mutant("the_answer_of_a_barrier_is_no", "entry_regions.cpp",
           "  barrier(current, __builtin_return_address(0));\n  return current.in.is_cancelled();",
           "  barrier(current, __builtin_return_address(0));\n  return false;", ("entry_regions.cpp",), on("teff", "cancel"),
           on("teff", "cancelled_regions")),
    Mutant("a_cancelled_group_is_never_over", "groups.h", "    forget_cancelled_group(current.in);", "    {}",
           ("entry_tasks.cpp", "entry_reductions.cpp", "reductions.cpp", "region.cpp", "os_thread.cpp"), (),
           on("teff", "groups_cancelled_at_once")),
    Mutant("a_group_counts_each_time_it_is_cancelled", "cancel.cpp", ".exchange(true, platform::relaxed)) return true;",
           ".exchange(true, platform::relaxed)) {}", ("cancel.cpp",), (), on("teff", "groups_cancelled_at_once")),
    Mutant("a_taskloop_begins_a_task_in_a_cancelled_group", "entry_taskloops.cpp",
           "    if (may_discard(current) && is_discarded(current, current.running)) break;\n", "", ("entry_taskloops.cpp",), (),
           on("teff", "taskloops_in_a_cancelled_group")),
    Mutant("a_region_is_cancelled_in_silence", "cancel.cpp", "  all.wake_all();", "", ("cancel.cpp",), (), on("teff", "cancelled_regions")),
    Mutant("a_turn_is_cancelled_in_silence", "cancel.cpp", "  all.bells.ring_all();", "", ("cancel.cpp",), (),
           on("teff", "cancelled_beside_orders")),
    Mutant("who_sleeps_does_not_look_for_cancellation", "team.h", "(at.may_be_left && all.is_cancelled());", "false;", ("barrier.cpp",), (),
           on("teff", "cancelled_regions")),
    Mutant("those_who_came_before_the_cancel_are_counted", "region.cpp",
           "if (made.is_cancelled()) made.arrived.store(0, platform::relaxed);", "", ("region.cpp",), (), on("teff", "cancelled_regions")),
    Mutant("a_region_ends_at_a_barrier_of_others", "team.h", "return can_be_cancelled ? meeting{", "return false ? meeting{",
           ("barrier.cpp",), (), on("teff", "cancelled_regions")),
    Mutant("a_loop_behind_a_cancelled_one_is_cancelled", "barrier.cpp",
           "if (at.may_be_left) all.loop_cancelled.store(false, platform::relaxed);", "if (at.may_be_left) {}", ("barrier.cpp",),
           on("teff", "cancel"), on("teff", "cancelled_loops")),
    # A task runs at once that waits for the one behind it.
    Mutant("a_region_begins_at_the_bound_of_the_last_one", "region.cpp", "  at_once = 0;", "", ("region.cpp",), (),
           on("sq1", "tasks_together_behind_many")),
    # What lets a task end that is waited for is a task to come, and its thread is the one that waits.
    Mutant("who_waits_for_some_looks_for_no_others", "barrier.cpp", "      look_wider(current, of);\n", "", ("barrier.cpp",),
           on("teff", "detach"), on("teff", "waits_for_what_another_task_brings_about")),
    Mutant("who_waits_for_some_looks_for_others_beside_locks", "tasks.cpp", " && current.locks_held <= 0)\n    of->", ")\n    of->",
           ("tasks.cpp",), (), on("teff", "a_wait_for_some_beside_a_lock")),
    Mutant("locks_that_were_released_count_as_held", "tasks.h", "--current->locks_held;", "(void)current;",
           ("locks.cpp", "entry_regions.cpp"), (), on("teff", "waits_for_some_behind_locks")),
    Mutant("a_lock_that_was_not_to_be_had_counts_as_held", "locks.cpp", "  forget_lock();\n  share_tasks();", "  share_tasks();",
           ("locks.cpp",), (), on("teff", "waits_for_some_behind_locks")),
    Mutant("a_named_critical_region_that_was_left_counts_as_held", "entry_regions.cpp", "  forget_lock();\n  lock_in(word).release();",
           "  lock_in(word).release();", ("entry_regions.cpp",), (), on("teff", "waits_for_some_behind_locks")),
    Mutant("a_lock_from_before_that_is_released_counts_as_held", "tasks.cpp", "locks_held <= 0", "locks_held == 0", ("tasks.cpp",), (),
           on("teff", "waits_for_some_behind_locks_of_before")),
    Mutant("locks_of_the_region_before_count_as_held", "region.cpp", "  locks_held = 0;\n", "", ("region.cpp",), (),
           on("teff", "waits_for_some_behind_locks_of_before")),
    Mutant("one_lock_at_most_counts_as_held", "tasks.h",
           "  ++current->locks_held;\n  if (current->takes_locks) [[likely]]\n    return;",
           "  if (current->takes_locks) [[likely]]\n    return;\n  ++current->locks_held;", ("locks.cpp", "entry_regions.cpp"), (),
           on("teff", "a_wait_for_some_beside_a_lock")),
    Mutant("who_waits_for_some_runs_grandchildren", "tasks.cpp", "  return {of, gone, table_number(current), state",
           "  if (state & node::wider) return {of->parent()->task(), true};\n  return {of, gone, table_number(current), state",
           ("tasks.cpp",), (), on("teff", "a_wait_for_some_and_a_grandchild")),
    Mutant("the_end_of_a_group_looks_for_no_others", "tasks.cpp", "if ((state & node::beside) && cur",
           "if ((state & node::beside) && !(of->flags & node::scope) && cur", ("tasks.cpp",), (),
           on("teff", "waits_for_what_another_task_brings_about")),
    # A detached task that is complete too early, or for ever incomplete.
    Mutant("an_event_is_no_child", "events.cpp", "  ++parent->spawned;",
           "  ++parent->spawned;\n  parent->here += node::one_ended | node::one_gone;", ("events.cpp",),
           on("teff", "detach"), on("teff", "events_of_members")),
    Mutant("a_barrier_does_not_count_events", "events.cpp", "current.created.load(platform::relaxed) + 1, platform::relaxed);",
           "current.created.load(platform::relaxed) + 0, platform::relaxed);", ("events.cpp",), (),
           on("teff", "an_event_at_the_end")),
    Mutant("a_fulfilled_event_wakes_nobody", "events.cpp", "  all.wake_all();", "", ("events.cpp",), (), on("teff", "an_event_at_the_end")),
    Mutant("who_sleeps_does_not_look_for_events", "sleep.h", "  look_for_events(current);\n", "", ("barrier.cpp",), (),
           on("teff", "events_in_groups", "an_event_at_the_end")),
    Mutant("who_hears_of_an_event_keeps_what_it_lets_begin", "events.cpp", "  share_tasks(current);\n", "", ("events.cpp",), (),
           on("dq8", "an_event_heard_by_another")),
    Mutant("who_is_alone_waits_for_no_event", "barrier_tasks.cpp", "at = current.running; has_tasks(); at = at->parent()) {",
           "at = current.running; false; at = at->parent()) {", ("barrier_tasks.cpp",), (), on("teff", "an_event_at_the_end_of_one")),
    Mutant("who_waits_for_a_task_at_once_forgets_its_event", "entry_tasks.cpp", "  current.running = group;\n  end_group(current);",
           "  current.running = group->parent();", ("entry_tasks.cpp",), on("teff", "detach"), on("teff", "an_event_of_a_task_at_once")),
    # A task begins before one that it depends on has ended, or never.
    Mutant("a_dependence_is_dropped", "depend_table.cpp",
           "    for (const use* each = at.group; each != nullptr; each = each->next) to.put_behind(task_of(*each));\n    if (at.group",
           "    if (at.group", ("depend_table.cpp",), on("teff", "depend", "depend_objects", "fortran_depend"),
           on("teff", "a_chain_of_dependences", "a_wavefront_of_tasks")),
    Mutant("one_of_several_is_not_awaited", "depend_table.cpp", "later.before.store(collected_, platform::relaxed);",
           "later.before.store(collected_ > 1 ? collected_ - 1 : 1, platform::relaxed);", ("depend_table.cpp", "depend.cpp"), on("teff", "depend"),
           on("teff", "a_wavefront_of_tasks")),
    Mutant("one_of_many_is_not_awaited", "depend_table.cpp", "rest = dependent::not_armed - earlier_;",
           "rest = dependent::not_armed - earlier_ + 1;", ("depend_table.cpp",), (), on("teff", "groups_of_dependences")),
    Mutant("what_was_kept_comes_before_its_betters", "depend_record.cpp",
           "    if (task_block* const other = take_kept(current)) push_ready(current, other);  // kept before priorities were known of\n", "",
           ("depend_record.cpp",), (), on("teff", "released_priorities_alone")),
    Mutant("a_joint_is_behind_nobody", "depend_table.cpp", "    if (before != nullptr) to.put_behind(*before);", "", ("depend_table.cpp",), (),
           on("teff", "groups_of_dependences")),
    Mutant("all_memory_is_some", "depend_table.cpp", "  if (everything_ != nullptr) to.put_behind(*everything_);", "", ("depend_table.cpp",),
           on("teff", "depend"), on("teff", "all_memory")),
    Mutant("a_gate_is_open_to_all", "depend_record.cpp", "  if (wanted.inside != nullptr && wanted.inside != &own) return false;", "",
           ("depend_record.cpp",), on("teff", "depend"), on("teff", "groups_of_dependences", "gates")),
    Mutant("who_leaves_a_gate_calls_nobody", "depend_record.cpp", "  if (next != nullptr) go_on(current, *next);", "",
           ("depend_record.cpp",), on("teff", "depend"), on("teff", "gates")),
    Mutant("who_does_not_enter_a_gate_passes_nothing_on", "depend_record.cpp",
           "    if (left.inside != nullptr && left.inside != &own) return;", "    if (left.inside != &own) return;",
           ("depend_record.cpp",), (), on("teff", "gates_of_a_cancelled_group")),
    Mutant("an_event_is_no_part_of_its_task", "depend.cpp", "happens != nullptr ? 2 : 1", "1", ("depend.cpp",), on("teff", "depend"),
           on("teff", "events_and_dependences")),
    Mutant("a_cancelled_task_is_never_complete", "execute.h", "  else skip_dependent(current, next);", "",
           ("barrier.cpp", "barrier_tasks.cpp", "tasks.cpp", "entry_tasks.cpp", "depend.cpp", "priorities.cpp"), (),
           on("teff", "cancelled_dependences")),
    Mutant("a_group_does_not_run_what_its_tasks_are_behind", "depend.cpp", "  if (to.crosses &&", "  if (false &&", ("depend.cpp",),
           (), on("teff", "dependences_out_of_a_taskgroup_of_one")),
    # What has become ready runs next on the thread that made it ready, unless that waits for something else, or is at its end.
    Mutant("a_wait_runs_whatever_it_has_made_ready", "barrier.cpp", "      if (newest->parent() == of ||",
           "      if (kept != nullptr || newest->parent() == of ||", ("barrier.cpp",), (),
           on("teff", "waits_that_let_others_begin_of_one")),
    Mutant("a_wait_that_is_over_forgets_what_it_has_made_ready", "barrier.cpp",
           "  if (task_block* const kept = take_kept(current)) push_ready(current, kept);\n", "  take_kept(current);\n", ("barrier.cpp",), (),
           on("teff", "waits_that_let_others_begin_of_one")),
    Mutant("who_runs_one_task_forgets_what_it_has_made_ready", "execute.h",
           "  if (task_block* const kept = take_kept(current)) [[unlikely]]\n    push_ready(current, kept);", "  take_kept(current);",
           ("barrier.cpp", "depend_ahead.cpp", "entry_tasks.cpp", "priorities.cpp", "tasks.cpp"), (), on("teff", "makers_beside_older_tasks")),
    Mutant("of_two_that_are_ready_one_is_lost", "depend_record.cpp",
           "if (task_block* const other = std::exchange(current.kept, ready.task)) push_ready(current, other);",
           "current.kept = ready.task;", ("depend_record.cpp",), on("teff", "depend"), on("teff", "groups_of_dependences")),
    Mutant("what_is_ready_comes_before_its_betters", "depend_record.cpp",
           "if (ready.has_priority || current.first_look == nullptr || current.in.opener == nullptr)",
           "if (current.in.opener == nullptr)", ("depend_record.cpp",), (), on("teff", "released_priorities_alone")),
    # An address of the table is not found any more.
    Mutant("an_address_stays_behind_a_hole", "depend_room.cpp",
           "    place_of(kept.address) = kept;\n  }\n}\n\nvoid", "    at = kept;\n  }\n}\n\nvoid", ("depend_room.cpp",), on("teff", "depend"), ()),
    Mutant("who_waits_for_some_runs_all", "depend_record.cpp", "return own.in == table && own.needed;", "return own.in == table;",
           ("depend_record.cpp",), on("teff", "depend"), on("teff", "waits_for_some_of_one")),
    Mutant("children_of_others_are_siblings", "depend.cpp",
           "return newest != nullptr && newest->of == current.running->task() ? newest : nullptr;", "return newest;",
           ("depend.cpp",), on("teff", "depend"), on("teff", "cousins")),
    # Who makes a task beside enough others runs the oldest of them, if that is its own, and keeps none.
    Mutant("the_oldest_runs_wherever_it_is_found", "depend_ahead.cpp",
           "if (have(current, {current.running->task(), true}, found)) return found;", "return found;",
           ("depend_ahead.cpp",), (), on("teff", "makers_beside_older_tasks", "makers_beside_older_tasks_of_one")),
    Mutant("the_oldest_is_lost_where_it_may_not_run", "depend_ahead.cpp", "  push_ready(current, found);", "",
           ("depend_ahead.cpp",), (), on("teff", "makers_beside_older_tasks", "makers_beside_older_tasks_of_one")),
    # Who makes a task beside more than stay in a cache runs ready ones: not beside locks, not without end, and none is lost.
    Mutant("ready_tasks_run_beside_locks", "depend_ahead.cpp", "left != 0 && may_run_more(current, current.lane); --left", "left != 0; --left",
           ("depend_ahead.cpp",), (), on("teff", "many_dependences_and_a_lock")),
    Mutant("ready_tasks_nest_without_end", "depend_ahead.cpp", " || current.nested != 0) return;", ") return;", ("depend_ahead.cpp",), (), on("teff", "a_spine_beside_held_tasks")),
    Mutant("the_last_ready_one_is_lost", "depend_ahead.cpp", "  if (next != nullptr) push_ready(current, next);\n}", "}",
           ("depend_ahead.cpp",), (), on("teff", "a_long_chain_of_dependences")),
    Mutant("nobody_frees_what_a_parent_left", "depend_record.cpp", "    if (seen & dependent::forgotten) free_dependent(current, done);", "",
           ("depend_record.cpp",), (), on("teff", "children_alone")),
    # Priorities are no order, or what has one is lost, or runs where it may not.
    Mutant("priorities_are_ignored", "priorities.cpp", "return each.priority < wanted; });", "return each.priority != wanted; });",
           ("priorities.cpp",), on("teff", "priorities"), on("teff", "priorities_of_one")),
    Mutant("what_has_no_priority_comes_first", "priorities.cpp", "    current.first_look = nullptr;\n    // relaxed, both",
           "    // relaxed, both", ("priorities.cpp",), on("teff", "priorities"), on("teff", "priorities_of_one")),
    Mutant("a_released_task_has_no_priority", "tasks.cpp", "if (child->spawned != 0 || current.in.opener == nullptr)",
           "child->spawned = 0;\n  if (current.in.opener == nullptr)", ("tasks.cpp",), (), on("teff", "priorities_of_released_tasks")),
    Mutant("a_region_ends_without_those_with_a_priority", "priorities.cpp", "      count_child(current, child);\n      return push_ready",
           "      ++child->parent()->spawned;\n      return push_ready", ("priorities.cpp",), (), on("teff", "priorities_in_trees")),
    Mutant("a_task_with_a_priority_calls_nobody", "priorities.cpp", "  all.follow(pool::advice::wake_one, current);", "", ("priorities.cpp",),
           (), on("teff", "priorities_for_others")),
    Mutant("who_sleeps_does_not_look_at_priorities", "barrier.cpp", "task_block* const first = take_urgent(current)",
           "task_block* const first = nullptr", ("barrier.cpp",), (), on("teff", "priorities_for_others")),
    Mutant("a_wait_runs_any_task_with_a_priority", "priorities.cpp", "return have(current, wanted, candidate, left);",
           "return wanted.have(candidate, left) || true;", ("priorities.cpp",), (), on("teff", "priorities_and_a_lock")),
    Mutant("what_knows_of_priorities_never_forgets", "priorities.cpp", "  current.first_look = current.lane;\n  return true;",
           "  return true;", ("priorities.cpp",), (), on("teff", "priorities_now_and_then")),
    Mutant("no_look_sees_all_with_a_priority", "priorities.cpp", "how == pool::reach::force ? all.take(may) : ", "", ("priorities.cpp",),
           (), on("teff", "priorities_behind_others_of_one")),
    Mutant("one_with_a_priority_and_dependences_runs_at_once", "depend.cpp",
           "wanted.priority != 0 ? is_beyond_bound(current) : !may_put(current);", "!may_put(current);", ("depend.cpp",), (),
           on("teff", "priorities_beside_enough_others")),
    # Nobody wakes who sleeps for what a handler has counted for it.
    Mutant("who_sleeps_counts_what_its_handler_fulfils", "events.cpp",
           " && current->word.load(platform::relaxed) == workers::sleepers::awake", "", ("events.cpp",), on("teff", "detach"), ()),
    # What becomes ready outside of all regions is lost, or runs inside of what let it begin.
    Mutant("nobody_runs_what_an_event_let_begin", "events.cpp", "    return run_set_aside(*current);", "    return;", ("events.cpp",),
           on("teff", "depend"), on("teff", "ready_outside_of_regions")),
    Mutant("a_task_runs_inside_of_what_let_it_begin", "tasks.cpp", "if (child->spawned != 0 || current.in.opener == nullptr) put_urgent",
           "if (current.in.opener == nullptr) execute(current, child);\n  else if (child->spawned != 0) put_urgent", ("tasks.cpp",), (),
           on("teff", "ready_outside_of_regions")),
    # A wait outside of all regions needs what such a task will do, and nobody runs it.
    Mutant("who_waits_outside_of_regions_runs_only_what_it_waits_for", "barrier.cpp",
           "if (run_set_aside_in_wait(current)) {", "if (false) {", ("barrier.cpp",), (), on("teff", "waits_outside_of_regions")),
    Mutant("who_waits_in_a_task_set_aside_runs_no_other", "barrier.cpp",
           "if (run_set_aside_in_wait(current)) {", "run_set_aside(current);\n    if (false) {", ("barrier.cpp",), (),
           on("teff", "waits_outside_of_regions")),
    Mutant("who_sleeps_outside_of_regions_does_not_look", "barrier.cpp", " || has_set_aside(current);", ";", ("barrier.cpp",), (),
           on("teff", "waits_outside_of_regions")),
    # Somebody waits at a gate behind a task that it may not run.
    Mutant("who_waits_at_a_gate_runs_nothing", "depend.cpp", "    if (!marked) table.mark_at_gates(*own);\n", "", ("depend.cpp",), (),
           on("teff", "waits_at_gates_of_one")),
    Mutant("who_waits_for_some_runs_none_before_them_at_a_gate", "depend_room.cpp", "    if (one.needed) await_gates(one, true);\n", "",
           ("depend_room.cpp",), (), on("teff", "waits_at_gates_of_one")),
    Mutant("a_group_runs_none_of_others_at_its_gates", "depend_table.cpp",
           "  if (own.next != nullptr) to.crosses |= task_of(*own.next).parent != to.later.parent;\n", "", ("depend_table.cpp",), (),
           on("teff", "waits_at_gates_of_one")),
    Mutant("events_are_told_of_beside_a_thread_at_work", "event_watch.cpp",
           "now == before && all.sleepers.count().load(platform::relaxed) == all.size ? quiet + 1 : 0;", "quiet + 1;",
           ("event_watch.cpp",), on("teff", "detach_wrong"), ()),
    Mutant("nothing_is_said_of_open_events", "event_watch.cpp", "  tell(all);\n", "", ("event_watch.cpp",),
           on("teff", "detach_wrong"), ()),
    Mutant("a_fulfilled_event_stays_open", "event_table.cpp", "    *at = found->next;\n", "", ("event_table.cpp",),
           on("teff", "detach_wrong"), ()),
    # Who made it ready may have others to tell; and a task that nobody has room for is a task all the same.
    Mutant("what_is_ready_without_memory_begins_at_once", "tasks.cpp",
           "may_run ? run_refused(current, child) : put_urgent(current, child);", "run_refused(current, child);", ("tasks.cpp",), (),
           on("teff", "ready_in_want_of_one", "ready_in_want_by_priority_of_one")),
    Mutant("what_is_ready_without_memory_is_lost", "tasks.cpp",
           "may_run ? run_refused(current, child) : put_urgent(current, child);", "if (may_run) run_refused(current, child);",
           ("tasks.cpp",), (), on("teff", "ready_in_want", "ready_in_want_by_priority")),
    Mutant("a_task_that_the_pool_refuses_is_lost", "tasks.cpp", "{ execute(current, child); }", "{}", ("tasks.cpp",), (),
           on("teff", "tasks_in_want")),
    Mutant("a_large_task_without_memory_is_written_to", "blocks.cpp", "  if (block == nullptr) return nullptr;\n", "",
           ("blocks.cpp",), (), on("teff", "large_tasks_in_want")),
    Mutant("a_nested_lock_is_its_threads", "locks.cpp", "return settle(self())->task();",
           "return reinterpret_cast<const node*>(&self());", ("locks.cpp",), (), on("teff", "nested_locks_over_waits")),
    Mutant("the_owner_of_a_nested_lock_moves", "locks.cpp", "return settle(self())->task();", "return self().running->task();",
           ("locks.cpp",), (), on("teff", "nested_locks_over_waits")),
    Mutant("a_nested_lock_is_free_at_once", "locks.cpp", "    if (--count > 0) return;\n    __atomic_store_n(&owner, nullptr",
           "    --count;\n    __atomic_store_n(&owner, nullptr", ("locks.cpp",), (), on("teff", "nested_locks")),
    Mutant("a_static_loops_chunk_is_taken_for_flags", "entry_loops.cpp", "flags_or_chunk > bind_spread;", "false;",
           ("entry_loops.cpp",), (), on("teff", "loops_that_are_regions_of_each_kind")),
    Mutant("a_loop_of_long_numbers_has_a_sign", "workshare.h", "if (up) made.count = start < end ?",
           "if (up) made.count = static_cast<long>(start) < static_cast<long>(end) ?", ("entry_loops.cpp",), (),
           on("teff", "loops_over_the_middle_of_long_numbers")),
    Mutant("an_iterator_of_no_steps_has_words_behind_it", "depend_list.cpp", "  if (size_ == 0) {", "  if (false) {",
           ("depend_list.cpp",), (), on("teff", "iterators_of_no_steps")),
    Mutant("who_waits_for_an_event_has_left_its_gate", "entry_tasks.cpp",
           "  current.running = group;\n  end_group(current);\n  if (depend != nullptr) end_behind(current, inside);",
           "  if (depend != nullptr) end_behind(current, inside);\n  current.running = group;\n  end_group(current);",
           ("entry_tasks.cpp",), (), on("teff", "an_event_in_a_gate")),
    Mutant("who_has_been_at_a_gate_has_no_priority", "priorities.cpp", "if (taken != nullptr && !has_gates(taken)) taken->spawned",
           "if (taken != nullptr) taken->spawned", ("priorities.cpp",), (), on("teff", "priorities_at_a_gate")),
    Mutant("a_section_is_taken_in_two_steps", "workshare.cpp", "share.taken.fetch_add(what.chunk, platform::relaxed);",
           "share.taken.load(platform::relaxed);\n  share.taken.store(from + what.chunk, platform::relaxed);", ("workshare.cpp",), (),
           on("teff", "sections")),
    Mutant("who_is_alone_goes_on_behind_the_last_loop", "workshare_chain.cpp", "    before->become_fresh();\n", "",
           ("workshare_chain.cpp",), on("teff", "loops"), on("teff", "loops_of_one")),
    Mutant("who_is_alone_keeps_what_a_loop_had", "workshare_chain.cpp", "    before->give_back();\n", "",
           ("workshare_chain.cpp",), on("teff", "loops"), ()),
    Mutant("a_share_is_used_again_too_early", "workshare_chain.cpp", "platform::acq_rel) + 1 == size)",
           "platform::acq_rel) + 2 == size)", ("workshare_chain.cpp",), (), on("teff", "loops")),
    Mutant("who_spins_for_no_round_does_not_look", "turns.h", "!is_due(word.load(platform::acquire)) &&  // [turn], [source]", "",
           ("workshare.cpp", "doacross.cpp"), (), on("teff", "ordered_loops")),
    Mutant("a_pool_is_not_closed", "team.cpp", "if (owned_pool != nullptr) owned_pool->close(members[0]);", "", ("team.cpp",), (),
           on("sq4", "a_tree_of_tasks")),
    Mutant("a_thread_is_sent_without_a_wake_up", "os_thread.cpp",
           "if (word_.exchange(sent, platform::acq_rel) == asleep) platform::wake_one(word_);  // [send]",
           "word_.exchange(sent, platform::acq_rel);", ("os_thread.cpp",), (), on("teff", "regions_in_a_row")),
    Mutant("two_have_a_single", "entry_regions.cpp",
           "current.in.singles.compare_exchange(taken, mine + 1, platform::relaxed);",
           "current.in.singles.load(platform::relaxed) == mine;\n  current.in.singles.store(mine + 1, platform::relaxed);",
           ("entry_regions.cpp",), (), on("teff", "singles")),
    Mutant("a_called_member_does_not_take_its_call", "sleep.h",
           "current.word.exchange(workers::sleepers::awake, platform::seq_cst) == member::called;",
           "current.word.load(platform::seq_cst) == member::called;", ("barrier.cpp",), (), on("teff", "calls_beside_many")),
    # Tasks that are ready stay where nobody finds them but by force, while their creator makes others that are not.
    Mutant("who_makes_held_tasks_keeps_the_others", "depend.cpp", "  else show_if_asked(current);\n", "", ("depend.cpp",), (),
           on("teff", "tasks_beside_held_ones")),
    # Memory of tasks.
    Mutant("a_team_has_one_slab", "blocks.cpp", "made->next = slabs_;", "made->next = nullptr;", ("blocks.cpp",), (),
           on("teff", "more_tasks_than_wait")),
    Mutant("a_new_block_is_given_twice", "blocks.cpp", "to.length = static_cast<unsigned>(count - 1);",
           "to.length = static_cast<unsigned>(count - 1);\n  if (count > 1) unused_ -= bytes;", ("blocks.cpp",), (),
           on("teff", "more_tasks_than_wait")),
    # Where a call is left out, or a task stays private, because of one that is on its way.
    Mutant("who_finds_nothing_at_first_owes_no_call", "barrier.cpp", "try_to_complete(all, at)) return;\n",
           "try_to_complete(all, at)) return;\n    if (has_tasks) owes = false;\n", ("barrier.cpp",), (), on("teff", "a_lock_and_called_members_of_six")),
    Mutant("who_finds_something_by_force_owes_no_call", "barrier.cpp", "const bool owes_now = retract(current) || owes;",
           "const bool owes_now = retract(current);", ("barrier.cpp",), (),
           on("teff", "a_lock_and_called_members_of_six")),
    Mutant("who_leaves_a_barrier_owes_no_call", "barrier.cpp", "if (owes) all.wake_one(current.id);", "", ("barrier.cpp",), (),
           on("teff", "calls_over_a_barrier")),
    Mutant("who_is_called_and_runs_something_calls_nobody", "barrier_tasks.cpp",
           "    if (woken && !ran) current.in.wake_one(current.id);\n", "", ("barrier_tasks.cpp",), (), on("teff", "a_lock_and_called_members")),
    Mutant("a_task_stays_private_without_a_call", "put_or_run.cpp", "own.heeds(current.in.sleepers.count()) && current.in.has_called();",
           "own.heeds(current.in.sleepers.count());", ("put_or_run.cpp",), (),
           on("teff", "a_task_above_one_in_view")),
    Mutant("a_task_stays_private_where_nobody_forces", "put_or_run.cpp",
           "own.heeds(current.in.sleepers.count()) && ", "", ("put_or_run.cpp",),
           (), on("teff", "calls_without_a_fence_everywhere")),
    Mutant("who_asked_gets_one_task", "put_or_run.cpp", "  if (in_view == 0 || in_view >= tuning::tasks_in_view || ",
           "  if (in_view != tuning::tasks_in_view || ",
           ("put_or_run.cpp",), (), on("teff", "a_few_tasks_in_view")),
    Mutant("a_put_looks_for_a_call_first", "tasks.cpp", "  if (current.lane != nullptr) [[likely]]\n    begun = current.lane->push(ready);\n  if (begun != queue::pushed::kept && (begun != queue::pushed::asked || !shows_enough(current)))",
           "  bool leaves = false;\n  if (current.lane != nullptr) [[likely]]\n    leaves = leaves_to_called(current), begun = current.lane->push(ready);\n  if (begun != queue::pushed::kept && (begun != queue::pushed::asked || !leaves))", ("tasks.cpp",), (),
           on("teff", "tasks_behind_calls")),
)  # fmt: skip


UNCHANGED = Mutant("no_change", "node.h", "return all || needed;", "return all || needed;", ("barrier.cpp", "engine.cpp"),
                   tuple(sorted({run for each in MUTANTS for run in each.tests})),
                   tuple(sorted({run for each in MUTANTS for run in each.scenes})))


class WrongMutant(Exception):
    pass


def place_of(mutant):
    """Returns: the mutant's file, below src."""
    return Path(mutant.file) if "/" in mutant.file else Path(DROP_IN) / mutant.file


def changed_text(mutant):
    """Returns: the text of the mutant's file, with its change."""
    text = (SOURCES / place_of(mutant)).read_text(encoding="utf-8")
    if text.count(mutant.text) != 1:
        raise WrongMutant(f"{mutant.name}: {mutant.file} has '{mutant.text}' {text.count(mutant.text)} times, not once")
    return text.replace(mutant.text, mutant.instead)


def changed_sources(mutant, folder):
    """Effect: a copy of the drop-in's sources with the mutant's change lies in the folder."""
    shutil.copytree(SOURCES / DROP_IN, folder / DROP_IN)
    changed = folder / place_of(mutant)
    changed.parent.mkdir(parents=True, exist_ok=True)
    changed.write_text(changed_text(mutant), encoding="utf-8")


def commands_of(build, target):
    """Returns: the calls of the compiler for a target."""
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    return [command for command in commands if f"/{target}.dir/" in command["command"]]


def output_of(command):
    words = shlex.split(command["command"])
    return Path(command["directory"], words[words.index("-o") + 1])


def files_of(command):
    """Returns: the sources that a call of the compiler is for: one, or those of a batch."""
    file = Path(command["file"])
    if "Unity" not in file.parts:
        return [file]
    return [Path(found) for found in re.findall(r'^#include "(.*)"$', file.read_text(encoding="utf-8"), re.MULTILINE)]


def compile_again(command, folder):
    """Returns: the object, of the sources that lie in the folder. Headers of it come first."""
    words = shlex.split(command["command"])
    file = Path(command["file"])
    source, made = folder / file.name, folder / output_of(command).name
    source.write_text("".join(f'#include "{changed_place(each, folder)}"\n' for each in files_of(command)), encoding="utf-8")
    words[words.index("-c") + 1] = str(source)
    words[words.index("-o") + 1] = str(made)
    first = next(place for place, word in enumerate(words) if word.startswith("-"))
    words[first:first] = [f"-I{folder}", "-w"]
    subprocess.run(words, cwd=command["directory"], check=True)
    return made


def changed_place(file, folder):
    return folder / DROP_IN / file.name if file.parent == SOURCES / DROP_IN else file


def link(build, objects, folder):
    """Effect: the folder has a libgomp.so.1 of these objects, linked as the drop-in's CMakeLists.txt says."""
    exports = build / "src" / DROP_IN / "gomp.map"
    options = [f"-Wl,--version-script={exports}", "-Wl,-Bsymbolic-functions", "-Wl,-soname,libgomp.so.1", "-Wl,-z,nodelete"]
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8").splitlines()
    compiler = next(line.partition("=")[2] for line in cache if line.startswith("CMAKE_CXX_COMPILER:"))
    subprocess.run([compiler, "-shared", "-static-libstdc++", "-static-libgcc", *options, "-o",
                    folder / "libgomp.so.1", *objects], check=True)


def compiled_again(mutant, build, folder, target):
    """Returns: the mutant's objects, compiled as the target's, and those of the build in whose place they are. Effect: its sources lie
    in the folder."""
    changed_sources(mutant, folder)
    wanted = {SOURCES / DROP_IN / source for source in mutant.compiled}
    commands = [command for command in commands_of(build, target) if wanted.intersection(files_of(command))]
    missing = wanted.difference(file for command in commands for file in files_of(command))
    if missing:
        raise WrongMutant(f"{mutant.name}: the build compiles no {', '.join(map(str, missing))}")
    return [compile_again(command, folder) for command in commands], {output_of(command) for command in commands}


def build_mutant(mutant, build, folder):
    """Effect: the folder has the mutant's library."""
    objects, replaced = compiled_again(mutant, build, folder, "teff_gomp")
    others = {output_of(command) for command in commands_of(build, "teff_gomp")} - replaced
    link(build, [*sorted(others), *objects], folder)


def build_schedules(mutant, build, folder):
    """Returns: the program that plays scenes, with the mutant's objects in front of the archive that has the others."""
    objects, _ = compiled_again(mutant, build, folder, "teff_openmp_simulated")
    asked = subprocess.run(["ninja", "-t", "commands", "openmp_schedules"], cwd=build, check=True, capture_output=True, text=True)
    words = shlex.split(asked.stdout.splitlines()[-1].removeprefix(": && ").removesuffix(" && :"))
    place = words.index("-o")
    made = folder / "openmp_schedules"
    words[place:place + 2] = [*map(str, objects), "-o", str(made)]
    subprocess.run(words, cwd=build, check=True)
    return made


def survives_scene(program, scene, pool, schedules):
    """Returns: whether the scene holds; one that crashes does not."""
    return subprocess.run([program, str(schedules), scene, pool], capture_output=True, check=False).returncode == 0


def survives(runner, test, pool):
    """Returns: whether the test passes, however many threads it has."""
    return not any(runner.run(test, case, threads, pool) for threads in THREADS for case in programs.cases_of(test))


def found_otherwise(mutant, words):
    """Returns: what is wrong with a mutant; of the unchanged drop-in, which tests fail."""
    wrong, word = (False, "fails") if mutant is UNCHANGED else (True, "passes")
    build = words.build.resolve()
    with tempfile.TemporaryDirectory() as name:
        if words.simulated:
            program, schedules = build_schedules(mutant, build, Path(name)), SCHEDULES // 20 if mutant is UNCHANGED else SCHEDULES
            return [f"{mutant.name}: the scene {scene} on {pool} {word}" for scene, pool in mutant.scenes
                    if survives_scene(program, scene, pool, schedules) == wrong]
        build_mutant(mutant, build, Path(name))
        runner = programs.Runner(words.programs, Path(name), seconds=SECONDS)
        return [f"{mutant.name}: the test {test} on {pool} {word}" for test, pool in mutant.tests
                if survives(runner, test, pool) == wrong]


def problems_with(mutant, words):
    try:
        changed_text(mutant)
        return [] if words.there else found_otherwise(mutant, words)
    except WrongMutant as wrong:
        return [str(wrong)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    finders = parser.add_mutually_exclusive_group(required=True)
    finders.add_argument("--programs", type=Path)
    finders.add_argument("--simulated", action="store_true")
    finders.add_argument("--there", action="store_true")
    parser.add_argument("--build", type=Path)
    parser.add_argument("names", nargs="*")
    words = parser.parse_args()
    if not words.there and words.build is None:
        parser.error("--programs and --simulated need --build, the folder of a build")
    chosen = [each for each in MUTANTS if words.there or (each.scenes if words.simulated else each.tests)
              and (not words.names or each.name in words.names)]
    found = [problem for mutant in [*([] if words.there else [UNCHANGED]), *chosen] for problem in problems_with(mutant, words)]
    print("\n".join([*found, f"{len(chosen)} mutants, {len(found)} problems"]))
    return 1 if found or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
