// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The waits of a team: README.md beside this file says why none of them is missed.
#include "compat/openmp/events.h"
#include "compat/openmp/sleep.h"
#include "compat/openmp/timed.h"
#include "platform/tuning.h"

namespace TEFF_NAMESPACE::openmp {

namespace {

void release(team& all, const meeting& at) {
  // relaxed: the others see it by [barrier]. From one that may be left somebody may have gone on, to put tasks.
  if (at.may_be_left) all.loop_cancelled.store(false, platform::relaxed);
  else all.forget_tasks();
  at.epoch.fetch_add(1, platform::seq_cst);                               // [barrier]
  if (all.sleepers.count().load(platform::seq_cst) != 0) all.wake_all();  // [sleep]: the addition is a fence, too
}

/// Effect: completes the barrier, unless somebody else has. Pre: all have arrived, and no task is left. Returns: whether it did.
/// Nobody arrives a second time before the caller, which has not left: the number is not that of the next barrier.
bool complete(team& all, const meeting& at) {
  std::uint32_t expected = all.size;
  if (!at.arrived.compare_exchange(expected, 0, platform::acq_rel)) return false;
  release(all, at);
  return true;
}

/// Effect: completes the barrier if it can be. Returns: whether it did.
bool try_to_complete(team& all, const meeting& at) {
  platform::fence(platform::seq_cst);  // [last]
  return at.arrived.load(platform::acquire) == all.size && all.live() == 0 && complete(all, at);
}

/// Effect: who has announced its sleep runs a task; a wake-up that came meanwhile, or before (`owes`), was meant for another one.
/// Returns: true.
bool run_awake(member& current, task_block* next, pool::advice advised, bool owes) {
  const bool owes_now = retract(current) || owes;
  // One that is called for either is enough, unless the pool says who.
  if (!owes_now || advised.end != 0 || advised.what == pool::advice::wake_all) current.in.follow(advised, current);
  if (owes_now) current.in.wake_one(current.id);
  execute_in_barrier(current, next);
  return true;
}

/// A sleeper's last look. Returns: whether it ran a task, and sleeps no more.
bool look_and_run(member& current, const meeting& at, std::uint32_t epoch, bool owes) {
  if (task_block* const first = take_urgent(current)) return run_awake(current, first, pool::advice::wake_none, owes);
  engine* const pool = pool_of(current);
  if (pool == nullptr) return false;
  task next;
  pool::get_result found = pool::get_result::retry;
  const auto is_vain = [&] { return is_over(current.in, at, epoch); };  // a hint: the caller's loop looks again
  while (found.what == pool::get_result::retry && !is_vain()) found = pool->get(current, next, pool::reach::whole);
  while (!found.has_task() && !is_vain()) {
    found = pool->get(current, next, pool::reach::force);
    if (found.has_task()) break;
    current.in.follow(found.advised, current);  // it may have shown what it did not get
    if (found.what == pool::get_result::empty) return false;
  }
  return found.has_task() && run_awake(current, static_cast<task_block*>(next.argument), found.advised, owes);
}

/// Effect: announces a sleep, unless there is something to do, which is done. Returns: whether the announcement stands. Post: it
/// owes no call any more: it has made it, or found nothing. [call]
bool find_nothing_to_do(member& current, const meeting& at, std::uint32_t epoch, bool owes) {
  team& all = current.in;
  announce(current, false);
  if (look_and_run(current, at, epoch, owes)) return false;
  // [sleep] behind the announcement's fence
  if (!is_over(all, at, epoch) && !(all.has_tasks.load(platform::relaxed) && try_to_complete(all, at))) return true;
  if (retract(current) || owes) all.wake_one(current.id);  // for a task of what comes behind the barrier
  return false;
}

/// Effect: sleeps in a barrier until woken, unless there is something to do. Returns: whether it was called for a task.
bool sleep_at_barrier(member& current, const meeting& at, std::uint32_t epoch, bool owes) {
  if (!find_nothing_to_do(current, at, epoch, owes)) return false;
  const platform::account_scope asleep(account_part::parked);
  sleep_beside_events(current, "a barrier");
  return stand_up(current);
}

void wait_at_barrier(member& current, const meeting& at, std::uint32_t epoch, const void* caller) {
  team& all = current.in;
  const timed_wait idle(current.clock, current.clock != nullptr ? barrier_at(caller) : wait_place{});
  bool owes = false;  // it was called, and has not begun a task since, nor looked by force. [call]
  for (wait_rounds rounds = rounds_of(current);;) {
    if (is_over(all, at, epoch)) {
      if (owes) all.wake_one(current.id);
      return;
    }
    const bool has_tasks = all.has_tasks.load(platform::relaxed);
    if (has_tasks && run_tasks(current, owes)) {
      owes = false;
      rounds.begin_at(0);  // it checks at once: what has ended here may have been the last task
      continue;
    }
    tell_search(current.clock);  // before others may learn that all is done
    if (has_tasks && rounds.have_multiple_of(tuning::looks_per_check) && try_to_complete(all, at)) return;
    if (rounds.may_spin()) {
      if (rounds.are_time_to_force() || (has_tasks && rounds.are_for_kept_tasks(owes) && (owes || others_keep_tasks(current)))) {
        const bool has_looked = find_nothing_to_do(current, at, epoch, owes);
        owes = has_looked && retract(current);
        if (!has_looked) {
          rounds.begin_at(0);
          continue;
        }
        current.steals.force_was_in_vain();
      }
      rounds.spin();
    } else {
      owes = sleep_at_barrier(current, at, epoch, owes);
      // Who owes a call looks by force soon, however long others spin.
      rounds.begin_behind_sleep(owes);
    }
  }
}

[[gnu::always_inline]] inline void meet(member& current, const meeting& at, const void* caller) {
  team& all = current.in;
  if (all.size == 1) return meet_alone(current);
  if (all.is_left_behind()) end_forked_child();
  if (at.may_be_left && all.is_cancelled()) return;
  const std::uint32_t epoch = at.epoch.load(platform::relaxed);  // it cannot change before this member arrives
  // Not the put says so, as the quick half of it has no time. Who arrives last sees it by `arrived`.
  const std::uint64_t created = current.created.load(platform::relaxed);
  if (created != current.created_before) {
    current.created_before = created;
    all.has_tasks.store(true, platform::relaxed);
  }
  // That there are no tasks may be new: then somebody has completed the barrier between the two looks.
  // acq_rel: the last to arrive sees what the others did before, and what they said of tasks.
  if (at.arrived.fetch_add(1, platform::acq_rel) + 1 == all.size && !all.has_tasks.load(platform::relaxed) && complete(all, at))
    return;
  wait_at_barrier(current, at, epoch, caller);
}

}  // namespace

void barrier(member& current, const void* caller) { meet(current, current.in.inside(), caller); }
void barrier_at_end(member& current) { meet(current, current.in.at_end(), nullptr); }

namespace {

/// Effect: sleeps until the children are done, or there may be something to run. `nap`: for a while only, and without being
/// called for tasks. Returns: whether it was woken, or napped, in vain.
bool sleep_for_children(member& current, node* of, bool gone, bool nap) {
  // seq_cst: the word and the bit are in one order before the look at the children: who ends the last one sees both.
  if (nap) current.word.store(member::napping, platform::seq_cst);
  else announce(current, true);
  of->elsewhere.fetch_or(node::awaited, platform::seq_cst);
  const bool done = of->is_done(gone);
  task_block* const found = done ? nullptr : find_descendant(current, wanted_by(current, of, gone), pool::reach::force);
  bool called = false;
  // Behind the look for events, which sets aside what they let begin.
  const bool stays_awake = done || found != nullptr || has_set_aside(current);
  if (stays_awake) {
    called = retract(current);
  } else if (nap) {
    const platform::account_scope asleep(account_part::parked);
    platform::park_until(current.word, member::napping, platform::now_ns() + tuning::member_nap_ns, "children");
    called = retract(current);
  } else {
    const platform::account_scope asleep(account_part::parked);
    sleep_beside_events(current, "children");
    called = stand_up(current);
  }
  of->elsewhere.fetch_sub(node::awaited, platform::relaxed);  // relaxed: nothing goes by the bit's absence
  const bool ends = stays_awake || of->is_done(gone);
  task_block* const next = ends ? nullptr : find_descendant(current, wanted_by(current, of, gone), pool::reach::passing);
  if (called) current.in.wake_one(current.id);  // the call may have been for several tasks, or for another one than it runs now
  if (task_block* const mine = found != nullptr ? found : next) execute(current, mine);
  return !ends && next == nullptr;
}

/// Returns: a descendant that others keep to themselves, maybe, for a member that does not sleep.
task_block* look_by_force(member& current, const descendants& wanted) {
  announce(current, true);
  task_block* const found = find_descendant(current, wanted, pool::reach::force);
  if (retract(current)) current.in.wake_one(current.id);
  return found;
}

/// Effect: waits until the children are done or one descendant has run. `covered`: above those in the own queue there are others.
void wait_slowly(member& current, node* of, bool gone, bool covered) {
  if (current.in.is_left_behind()) end_forked_child();
  // To find one at once is the runtime's work, where nobody else could make any: then a search says that it is idle.
  const timed_briefly looks(current.clock, current.in.size == 1 ? activity::runtime : activity::idle);
  look_at_lane_again(current);
  bool in_vain = false;
  for (wait_rounds rounds = rounds_of(current); !of->is_done(gone);) {
    task_block* next = nullptr;
    const auto wanted = [&] { return wanted_by(current, of, gone); };
    // Looks get rarer, as each keeps others off the pool for a moment.
    if (rounds.have_power_of_two() || rounds.have_multiple_of(tuning::looks_apart))
      next = find_descendant(current, wanted(), covered && rounds.are_before(1) ? pool::reach::whole : pool::reach::passing);
    const bool sleeps_next = !rounds.may_spin();
    if (next == nullptr && (sleeps_next || rounds.are_time_to_force())) {
      look_wider(current, of);
      if (!sleeps_next) next = look_by_force(current, wanted());
    }
    if (next != nullptr) return execute(current, next);
    if (run_set_aside_in_wait(current)) {
      rounds.pass();
      continue;
    }
    tell_search(current.clock);
    if (!sleeps_next) {
      rounds.spin();
      continue;
    }
    rounds.begin_behind_sleep(false);
    in_vain = sleep_for_children(current, of, gone, in_vain) && !in_vain;
  }
}

}  // namespace

void wait_for_children(member& current, node* of, bool gone) {
  const std::uint8_t state = begin_to_wait(current, of);
  while (!of->is_done(gone)) {
    task next;
    bool covered = false;
    task_block* const kept = take_kept(current);
    if (kept != nullptr || (current.first_look != nullptr && current.first_look->pop(next))) {
      auto* const newest = kept != nullptr ? kept : static_cast<task_block*>(next.argument);
      if (newest->parent() == of || have(current, wanted_by(current, of, gone), newest)) {
        execute_and_keep(current, newest);
        continue;
      }
      if (kept != nullptr) {
        push_ready(current, kept);
        continue;
      }
      covered = (state & (node::beside | node::creates)) != 0 || (!gone && have(current, {of, true}, newest));
      // The last child may have ended meanwhile: then nobody looks at the pool any more.
      show(current, current.first_look->put_back());
    } else if (current.first_look != nullptr) {
      show(current, current.first_look->is_wanted_after_all());
    }
    wait_slowly(current, of, gone, covered);
    if (of->is_done(gone)) run_set_aside(current);  // what an event has let begin, and was not waited for
  }
  of->wait.store(state, platform::relaxed);  // relaxed: as above: its own
  if (task_block* const kept = take_kept(current)) push_ready(current, kept);
}

}  // namespace TEFF_NAMESPACE::openmp
