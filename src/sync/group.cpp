// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sync/group.h"

#include "base/assert.h"
#include "fiber/carrier.h"
#include "platform/ends.h"
#include "platform/tuning.h"

#include <algorithm>
#include <new>
#include <utility>

namespace TEFF_NAMESPACE::sync {

namespace {

/// How often a thread asks whether its wait has an end: seldom beside what that costs, and soon for who waits to be told; where
/// others go on it asks less and less often.
constexpr std::uint64_t hopeless_look_ns = 50'000'000, longest_look_ns = 1'000'000'000;

}  // namespace

void group::end(unsigned in) {
  const platform::account_mark joining(account_part::put_get);
  // [group] acq_rel: by the cell to who ends its last child, and by the word to the waiter, what the children did.
  if (in != 0 && unfinished(counted_in(in).fetch_sub(one_unfinished, platform::acq_rel)) != 1) return;
  std::uint64_t before = word_.load(platform::relaxed);  // relaxed: ordered by the exchange below
  for (;;) {
    const bool wakes = unfinished(before) == 1 && (before & waiter_sleeps) != 0;
    // [group] acq_rel: to the waiter, what the children did; from it, waiter_.
    if (word_.compare_exchange(before, before - one_unfinished - (wakes ? waiter_sleeps : 0), platform::acq_rel)) {
      if (wakes) return end_wait();
      return;  // If the waiter does not sleep, it may have seen the last child finish and gone on: the group is no longer ours.
    }
    // relaxed: a statistic. The group is there: this child has not ended.
    if (met_.fetch_add(1, platform::relaxed) + 1 == tuning::group_meetings) make_cells();
  }
}

/// Effect: the waiter goes on. Pre: it sleeps, and the last child has ended.
void group::end_wait() {
  if (waiter_ == nullptr) return waiting_thread_->set();
  fibers::fiber& waiter = *waiter_;
  waiter.home.make_ready_where_it_waited(waiter);
}

unsigned group::add_to_cell(worker& current) {
  cells& made = *cells_.load(platform::acquire);  // [cells]
  // Those of a parent process keep what they held there.
  if (made.made_in != current.made_in) return add(), 0;
  const unsigned number = current.id % cells_at_most;
  platform::atomic<std::uint64_t>& in = made.each[number].word;
  // relaxed, all: as in add. The word counts the cell before the cell is not 0: who finds it so relies on that.
  std::uint64_t seen = in.load(platform::relaxed);
  while (unfinished(seen) != 0) {
    if (in.compare_exchange(seen, seen + one_unfinished + one_unstarted, platform::relaxed)) return number + 1;
  }
  word_.fetch_add(one_unfinished, platform::relaxed);
  // If another worker of that cell came first, it has counted the cell, which is not 0 before this child ends: nor is the word.
  if (unfinished(in.fetch_add(one_unfinished + one_unstarted, platform::relaxed)) != 0)
    word_.fetch_sub(one_unfinished, platform::relaxed);
  return number + 1;
}

/// Without memory for them the children go on meeting at the word.
void group::make_cells() {
  void* const block = platform::system_allocate(sizeof(cells), alignof(cells));
  if (block == nullptr) return;
  cells* expected = nullptr;
  const auto* const current = static_cast<const worker*>(platform::current());
  auto* const made = ::new (block) cells(current == nullptr ? nullptr : current->operations);
  if (!cells_.compare_exchange(expected, made, platform::acq_rel)) platform::system_release(block, sizeof(cells));  // [cells]
}

void group::release_cells() { platform::system_release(cells_.load(platform::acquire), sizeof(cells)); }

bool group::any_unstarted() const {
  if (unstarted(word_.load(platform::relaxed)) != 0) return true;  // relaxed: a hint
  const cells* const made = cells_.load(platform::acquire);        // [cells]
  if (made == nullptr) return false;
  // [begun] acquire, and those that were begun first: each of them is counted as put below, so there are no fewer left than this.
  // Numbers modulo 2^32. When all workers sleep it is exact: a verdict on a run that stands still rests on it.
  std::uint64_t left = 0 - made->begun_by_others.load(platform::acquire);
  for (const cell& each : made->each) left -= each.begun.load(platform::acquire);
  for (const cell& each : made->each) left += unstarted(each.word.load(platform::relaxed));  // relaxed: by [begun]
  return static_cast<std::uint32_t>(left) != 0;
}

void group::keep_exception() noexcept {
  std::exception_ptr caught = platform::caught_exception();
  // relaxed: it elects one who writes; who reads that is ordered by [group].
  if (exceptions_.fetch_add(1, platform::relaxed) == 0) first_exception_ = std::move(caught);
}

std::exception_ptr group::take_exception() { return std::exchange(first_exception_, nullptr); }

std::uint64_t group::take_exception_count() {
  const std::uint64_t count = exceptions_.load(platform::relaxed);  // ordered by [group]: all have finished
  if (count != 0) [[unlikely]]
    exceptions_.store(0, platform::relaxed);
  return count;
}

bool group::run_one_in_place(worker& current) {
  if (current.carrier == nullptr || !any_unstarted()) return false;
  if (!current.carrier->has_room()) return false;
  full_frame own;
  if (!current.operations->take_child(current, this, own.what, true)) return false;
  const task_above now(*current.here, own);
  current.count(trace::counter::in_place_runs);
  current.operations->execute(current, own.what);
  return true;
}

/// On another stack: the waiter's is out of use.
void group::fall_asleep(void* pointer) {
  const sleeper come = *static_cast<sleeper*>(pointer);  // it lies on the stack of who may go on
  if (come.who == nullptr) return;
  group& self = come.at;
  std::uint64_t before = self.word_.load(platform::relaxed);  // relaxed: ordered by the exchange below
  while (unfinished(before) != 0) {
    TEFF_REQUIRE((before & waiter_sleeps) == 0,
                 "one task or thread at a time waits for a group: give each that waits a group of its own");
    self.waiter_ = come.who;
    self.waits_in_ = platform::process_generation();
    // [group] release: waiter_ is visible to who ends the last child.
    if (self.word_.compare_exchange(before, before | waiter_sleeps, platform::acq_rel)) return;
  }
  // The last child ended while the waiter was on its way: nobody else wakes it.
  come.who->home.make_ready(*come.who);
}

bool group::has_unbegun() const noexcept { return any_unstarted(); }

bool group::take_unbegun(worker& current, task& taken) const {
  return has_unbegun() && current.operations->take_child(current, this, taken, false);
}

/// Effect: the waiter does not sleep. Returns: false if the last child has ended, and wakes it.
bool group::stay_awake() {
  std::uint64_t before = word_.load(platform::acquire);  // [group]
  while ((before & waiter_sleeps) != 0) {
    // [group] acquire: what the children did before.
    if (word_.compare_exchange(before, before - waiter_sleeps, platform::acq_rel)) return true;
  }
  return false;
}

/// Effect: undoes fall_asleep. Returns: false if the waiter does not sleep, or is made ready.
bool group::stay_awake(void* pointer) {
  const sleeper& come = *static_cast<sleeper*>(pointer);
  return come.who != nullptr && come.at.stay_awake();
}

/// Effect: what stands for a worker while its task is elsewhere refuses in its own words.
void group::refuse_wait(worker& nobody) {
  task none;
  nobody.operations->take_child(nobody, this, none, false);
}

void group::wait(worker& first) {
  const platform::account_mark joining(account_part::put_get);
  worker* current = &first;
  context& here = *current->here;  // the fiber's: it follows the fiber from worker to worker
  while (!finished()) {
    if (!run_one_in_place(*current)) {
      if (current->carrier == nullptr) return refuse_wait(*current);
      const bool for_itself = here.frame->group() == this;
      sleeper self{*this, for_itself ? nullptr : current->carrier->waiter()};
      current->carrier->suspend(*this, &fall_asleep, &self, &stay_awake);
    }
    current = &here.current();
  }
}

/// Then who ends the last child wakes nobody, and a thread may wait.
void group::forget(const fibers::host& ending) const noexcept {
  std::uint64_t seen = word_.load(platform::acquire);  // [group]: whose the waiter is
  while ((seen & waiter_sleeps) != 0 && waiter_ != nullptr && &waiter_->home == &ending) {
    if (word_.compare_exchange(seen, seen - waiter_sleeps, platform::acq_rel)) return;  // [group], as in stay_awake
  }
}

/// Effect: ends the wait of a thread for children that nobody here has: the group is empty, and the waiter awake. Returns:
/// whether that is so.
bool group::forget_if_nobodys(std::uint64_t (*made)(bool for_long), bool for_long) {
  const std::uint64_t before = made(for_long);
  if (before == 0) return false;
  // Between two answers that are the same nobody here has a child: those of this word are others'. Any that comes later makes it
  // another word as long as it is there. acquire: the second answer is read later.
  std::uint64_t seen = word_.load(platform::acquire);
  if ((seen & waiter_sleeps) == 0 || made(for_long) != before) return false;
  if (!word_.compare_exchange(seen, 0, platform::acq_rel)) return false;  // [group], as in stay_awake
  // relaxed: those that were counted there are nobody's, and who puts the next ones, which no team had before, comes after this.
  if (cells* const with = cells_.load(platform::relaxed); with != nullptr) {
    for (cell& each : with->each) {
      each.word.store(0, platform::relaxed);
      each.begun.store(0, platform::relaxed);
    }
    with->begun_by_others.store(0, platform::relaxed);
  }
  forget_results();
  return true;
}

bool group::wait_as_thread(std::uint64_t (*made)(bool for_long)) {
  while (!finished()) {
    event ended(false, wait_policy::spin_then_block);
    std::uint64_t before = word_.load(platform::acquire);  // [group]: whose the waiter is
    while (unfinished(before) != 0) {
      if (made != nullptr && sleeps_elsewhere(before)) {
        if (forget_if_nobodys(made)) return false;
        ended.wait_until(platform::now_ns() + hopeless_look_ns);  // nobody sets it: children of this process go on
        before = word_.load(platform::acquire);                   // [group]
        continue;
      }
      TEFF_REQUIRE((before & waiter_sleeps) == 0,
                   "one task or thread at a time waits for a group: give each that waits a group of its own");
      waiter_ = nullptr;
      waits_in_ = platform::process_generation();
      waiting_thread_ = &ended;
      // [group] release: both are visible to who ends the last child.
      if (!word_.compare_exchange(before, before | waiter_sleeps, platform::acq_rel)) continue;
      std::uint64_t between = hopeless_look_ns;
      while (!ended.wait_until(made != nullptr ? platform::now_ns() + between : no_deadline)) {
        if (forget_if_nobodys(made, between == longest_look_ns)) return false;
        between = std::min(2 * between, longest_look_ns);
      }
      break;
    }
  }
  return true;
}

}  // namespace TEFF_NAMESPACE::sync
