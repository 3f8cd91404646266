// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/team.h"

#include "compat/openmp/environment.h"
#include "compat/openmp/os_thread.h"
#include "compat/openmp/refuse.h"
#include "compat/openmp/tasks.h"
#include "platform/tuning.h"
#include "worker/idle/unfinished.h"

#include <algorithm>
#include <memory>
#include <new>
#include <string>

namespace TEFF_NAMESPACE::openmp {

namespace {

/// Members reach the pool by `pool`, not by the table that other teams' workers have.
constexpr worker_operations no_operations{};

/// Effect: says once that a region has more threads than the setting `domains` has places for, or what is other than that may
/// make one think.
void tell_of_other_domains(pool::domain_grid named, unsigned threads) {
  if (named.is_machines() && named.by == pool::domain_grid::shared::cache) return;  // known everywhere: no look at the machine
  static platform::atomic<bool> told{false};
  const bool has_places = named.is_machines() || threads <= named.places();
  const std::string remark = has_places ? named.remark(threads) : std::string();
  if (has_places && remark.empty()) return;
  // relaxed: it is said once, and nothing goes by it.
  if (told.exchange(true, platform::relaxed)) return;
  if (has_places) return say("TEFF_SET: %s", remark.c_str());
  say("TEFF_SET names domains with places for %u thread%s, but a region has %u: it takes the machine's",
      static_cast<unsigned>(named.places()), named.places() == 1 ? "" : "s", threads);
}

/// Returns: where the threads of these members are bound, as numbers of the machine's places; empty: to none that it knows, or it
/// is one thread, whose place no pool asks for.
std::vector<unsigned> bound_to(const team& all) {
  const auto& named = process().places;
  std::vector<unsigned> found;
  if (named.empty() || all.size == 1) return found;
  const auto& of_machine = platform::machine().places;
  const bool in_region = all.opener != nullptr;
  const stretch places = in_region ? all.opener->places : all.members[0].places;
  const unsigned first = in_region ? os_thread::first_place_of(all) : 0;
  for (unsigned number = 0; number < all.size; ++number) {
    const unsigned place = place_of_member(all.bind, number, all.size, first, places);
    const unsigned processor = named[place].front();
    const auto at =
        std::find_if(of_machine.begin(), of_machine.end(), [&](const auto& each) { return each.system_index == processor; });
    if (at == of_machine.end()) return {};
    found.push_back(static_cast<unsigned>(at - of_machine.begin()));
  }
  return found;
}

static_assert(tuning::workers_at_most <= 256, "a node's owner is a byte");

}  // namespace

member::member(team& its_team, unsigned number)
    : worker(no_operations, number, number + 1),
      in(its_team),
      enough(tuning::enough_tasks_per_member * its_team.size + 1),
      stack_state(node::stack_state(number)),
      gauge(its_team.awake_enough),
      memory(its_team.free_memory) {}

team::team(unsigned size_of_it, os_thread* first_of_others)
    : size(size_of_it),
      members(static_cast<member*>(::operator new(size * sizeof(member), std::align_val_t{alignof(member)}))),
      first_thread(first_of_others),
      awake_enough(processors()),
      can_be_cancelled(process().cancellation),
      spin_alone(spin_rounds(false)),
      spin_crowded(spin_rounds(true)),
      bells(size) {
  for (unsigned number = 0; number < size; ++number) ::new (members + number) member(*this, number);
  if (!process().stats) return;
  for (unsigned number = 0; number < size; ++number)
    members[number].clock = new activity_clock(members[number].account, members[0].clock);
  remember_team(*this);
}

team::~team() {
  if (process().stats) forget_team(*this);
  if (owned_pool != nullptr) owned_pool->close(members[0]);
  owned_pool.reset();
  for (unsigned number = 0; number < size; ++number) delete members[number].clock;
  std::destroy_n(members, size);
  ::operator delete(members, std::align_val_t{alignof(member)});
}

engine& team::make_pool() try {
  platform::lock_guard guard(slow);
  if (owned_pool == nullptr) {
    tell_of_other_domains(process().set.domains, size);
    owned_pool = make_engine(process().pool, size, process().set, bound_to(*this), sleepers.count());
    if (owned_pool == nullptr) throw std::bad_alloc();
    // [pool] release: members that see it see a whole pool.
    pool.store(owned_pool.get(), platform::release);  // [pool]
  }
  return *owned_pool;
} catch (const std::bad_alloc&) {
  fail("no memory for the tasks of a team of %u threads", size);
}

std::uint64_t team::live() const {
  return workers::unfinished(size, [this](unsigned number) -> const member& { return members[number]; });
}

void team::drop_records() {
  const auto is_used = [&](const std::unique_ptr<changed_icvs>& record) {
    return std::any_of(members, members + size, [&](const member& each) {
      return each.implicit.data_environment == record.get() || each.running->data_environment == record.get();
    });
  };
  std::erase_if(records, [&](const auto& record) { return !is_used(record); });
}

bool team::wake(unsigned number, std::uint32_t why) {
  auto& word = members[number].word;
  std::uint32_t napping = member::napping;
  // relaxed: one who naps looks again by itself; who is woken acquires what the swap releases.
  const bool naps = why != member::called && word.load(platform::relaxed) == napping;  // who naps is not called
  if (!(naps ? word.compare_exchange(napping, why, platform::acq_rel) : sleepers.wake(word, why))) return false;
  const platform::account_scope waking(account_part::waking);
  platform::wake_one(word);
  return true;
}

bool team::wake_one_of(unsigned from, unsigned first, unsigned end, bool choosy) {
  for (unsigned step = 1; step < size; ++step) {
    if (sleepers.count().load(platform::relaxed) == 0) return true;  // relaxed: a hint, as below
    const unsigned number = (from + step) % size;
    if (number < first || number >= end) continue;
    const member& each = members[number];
    // relaxed: hints, behind the fence in `any`; wake compares.
    if (each.word.load(platform::relaxed) == workers::sleepers::sleepy &&
        each.waits_for_tasks.load(platform::relaxed) == choosy && wake(number, member::called)) {
      last_called.store(number, platform::relaxed);  // relaxed: a hint
      return true;
    }
  }
  return false;
}

void team::wake_one(unsigned from, pool::advice whom) {
  const bool anybody = whom.end == 0 || whom.or_others;
  if (!sleepers.any() || (anybody && has_called())) return;  // [call] who comes may run anything
  if (whom.or_others && wake_one_of(from, whom.first, whom.end, false)) return;
  for (const bool choosy : {false, true}) {
    if (wake_one_of(from, anybody ? 0 : whom.first, anybody ? size : whom.end, choosy)) return;
  }
}

void team::wake_all(unsigned first, unsigned end) {
  if (!sleepers.any()) return;
  for (unsigned number = first; number < (end != 0 ? end : size); ++number) wake(number);
}

void team::follow(pool::advice advised, member& current) {
  if (size == 1 || advised == pool::advice::wake_none) return;  // spares the fence
  if (advised.what == pool::advice::wake_all) wake_all(advised.first, advised.end);
  // Behind other tasks, too: a sleeper may wait for just that one, while everybody else begins those before it.
  else wake_one(current.id, advised);
}

namespace {

using icv_records = std::vector<std::unique_ptr<changed_icvs>>;

/// Returns: a record with these variables for the task. Pre: the caller holds the lock. Cost: time is bounded, as of many
/// different ones the newest are looked at.
const icvs* record_for(node* task, icv_records& all, const icvs& now) {
  const auto end = all.rbegin() + std::min(std::ssize(all), std::ptrdiff_t{tuning::records_per_look});
  const auto found = std::find_if(all.rbegin(), end, [&](const auto& each) { return *each == now; });
  if (found == end) {
    all.push_back(std::make_unique<changed_icvs>(now));
    task->flags |= node::changed;
    return all.back().get();
  }
  (*found)->shared = true;
  task->flags &= static_cast<std::uint8_t>(~node::changed);
  return found->get();
}

/// Returns: whether the task's variables could be changed where they are, and were. Pre: the caller holds the lock; no other task
/// lies in it.
bool change_in_place(node* task, const icvs& now) {
  if (!(task->flags & node::changed)) return false;
  auto& own = const_cast<changed_icvs&>(static_cast<const changed_icvs&>(*task->data_environment));
  if (!own.shared) static_cast<icvs&>(own) = now;
  return !own.shared;
}

}  // namespace

/// Tasks keep where the variables are of who made them, so these do not change as long as such a task is there. Those of an
/// explicit task are a record of the team's, which several may have; an implicit one has its own.
void set_icvs(member& current, const icvs& now) try {
  if (now == icvs_of(current)) return;
  node* const task = current.running->task();
  const bool is_alone = task == current.running && task->all_gone();
  const icvs* record = &current.variables;
  if (is_alone && task->parent() == nullptr) {
    current.variables = now;
  } else {
    platform::lock_guard guard(current.in.slow);
    if (is_alone && change_in_place(task, now)) return;
    record = record_for(task, current.in.records, now);
  }
  for (node* at = current.running; at != task; at = at->parent()) at->data_environment = record;
  task->data_environment = record;
} catch (const std::bad_alloc&) {
  fail("no memory for the variables of a task");
}

}  // namespace TEFF_NAMESPACE::openmp
