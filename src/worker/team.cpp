// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/team.h"

#include "base/assert.h"
#include "platform/ends.h"
#include "platform/tuning.h"
#include "pool/worker_places.h"
#include "worker/living_teams.h"

#include <algorithm>
#include <utility>

namespace TEFF_NAMESPACE::workers {

namespace {

/// A stack for signals for as long as a thread carries workers.
struct with_signal_stack {
  platform::signal_stack own;
  with_signal_stack() { own.lend(); }
  ~with_signal_stack() { own.take_back(); }
};

}  // namespace

team_base::team_base(const team_shape& shape, bool workers_come_by_need)
    : shape_(shape), taking_part_(workers_come_by_need), calls_(shape.calls_outside), watchdog_(*this, shape.watchdog_ns) {
  stack_bytes = shape.stack_bytes;
  platform::report_overflows(&fibers::describe_overflow);
  expect_forks();
}

team_base::~team_base() {
  forget_waits();
  living_teams::remove(*this);  // from here on nothing of the program's is used
  members_.clear();  // and what their carriers keep
  all.destroy_all();
}

void team_base::make_member(const worker_operations& operations, unsigned id) {
  // Distinct streams of one seed, whatever the number of workers.
  const std::uint64_t seed = platform::random(shape_.seed + 0x1000003 * std::uint64_t{id}).next();
  members_.push_back(std::make_unique<member>(operations, id, seed, *this, *this));
  members_.back()->tasks = &members_.back()->no_tasks;
  members_.back()->arguments = &no_arguments_;
  platform::name_line(&members_.back()->finished, "line of the count of tasks that finished, worker", id);
  platform::name_line(&members_.back()->created, "line of the count of tasks that were put, worker", id);
  platform::name_line(&members_.back()->word, "line on which a worker sleeps, worker", id);
  members_.back()->made_in = made_in_;
}

void team_base::start(const worker_operations& operations) {
  const std::vector<unsigned> usable = platform::places_of_caller();
  if (shape_.pin != pool::pinning::none) makers_places_ = usable;
  spares_.confine(makers_places_);
  timers_.confine(makers_places_);
  const std::size_t processors = std::min<std::size_t>(platform::machine().usable_processors, usable.size());
  taking_part_.begin_with(pool::worker_places(shape_.workers, shape_.domains), processors);
  make_member(operations, 0);
  while (members_.size() < shape_.workers) {
    const auto id = static_cast<unsigned>(members_.size());
    make_member(operations, id);
    const std::vector<unsigned> places = pool::places_of_worker(id, shape_.pin, shape_.domains, makers_places_);
    if (members_[id]->thread.start(&thread_main, members_[id].get(), places)) continue;
    members_.pop_back();
    break;
  }
  for (const auto& each : members_) member_pointers_.push_back(each.get());
  totals_.begin();
  restart_account();
  const bool enough_processors = members_.size() <= processors;
  taking_part_.expect(member_pointers_, totals_);
  idle_ = std::make_unique<idle>(member_pointers_, taking_part_, shape_.wait, enough_processors);
  platform::name_line(&idle_->sleeping(), "line of the count of sleepers");
  platform::name_line(idle_.get(), "line of who is idle");
  platform::name_line(&stop_, "line of the end of a run");
  platform::name_line(&left_, "line of those who have left a run");
  platform::name_line(&termination_, "line of the count of tasks from outside");
  living_teams::add(*this);
}

void team_base::stop_threads() {
  for (const auto& each : members_) taking_part_.end_thread(*each);
  for (const auto& each : members_) {
    if (each->thread.started()) each->thread.join();
  }
  spares_.stop();
  timers_.stop();
}

/// Effect: stand_for, with its account.
void team_base::become(member* carried) {
  stand_for(carried);
  platform::bind_ledger(carried != nullptr ? &carried->account : nullptr);
}

void team_base::thread_main(void* pointer) {
  member& self = *static_cast<member*>(pointer);
  const with_signal_stack signals;
  stand_for(&self);
  self.team.threads_work(self);
  stand_for(nullptr);  // destructors of thread_local objects come, and nobody would carry the worker if they waited as tasks
}

void team_base::threads_work(member& self) {
  while (taking_part_.await(self)) carry(self);
}

void team_base::carry(member& self) {
  fibers::thread_stack own;
  become(&self);  // in the last run this thread may have given its worker away
  fibers::carried how = self.own_carrier.carry(own);
  if (how == fibers::carried::refused) how = carry_without_stack(self, own);
  if (how != fibers::carried::given_away) {
    idle_->wake_below(self.id);  // while its ledger is bound: it is time of the run
    platform::bind_ledger(nullptr);
    return leave(self);
  }
  platform::bind_ledger(nullptr);
  calls_.end_one();  // this thread has come back from it
}

void team_base::leave(member& self) {
  termination_.leave(self, taking_part_);
  taking_part_.leave(self);
  // [left] release: the caller of run sees all that this worker did.
  if (left_.fetch_add(1, platform::acq_rel) + 1 == taking_part_.count()) platform::wake_one(left_);
}

void team_base::call_outside(worker& first, void (*call)(void*), void* argument) {
  struct : fibers::awaited {
    const char* kind() const noexcept override { return "a call outside of the team"; }
  } outside;
  require_own_process();
  // The thread that carries the worker meanwhile needs a stack for its loop.
  const auto can_leave = [](worker& asked) {
    return asked.pinned == 0 && asked.carrier->running() != nullptr && asked.carrier->keep_one();
  };
  context& here = *first.here;
  if (!can_leave(first)) return call(argument);  // the worker waits with its task
  calls_.begin_one(*first.carrier);
  auto& current = static_cast<member&>(here.current());
  guest* const caller = current.carried_by;
  spare* other = nullptr;  // or the worker's own thread, which has lent it to the caller
  if (!can_leave(current) || (caller == nullptr && (other = spares_.take(*this)) == nullptr)) {
    calls_.end_one();
    return call(argument);
  }
  termination_.open_source();
  current.count(trace::counter::calls_outside);
  fibers::departure away = current.carrier->depart(outside);
  if (caller == nullptr) {
    become(nullptr);
    other->carry(current);
  } else {
    caller->has_a_call = true;
    give_back(current, *caller);
  }
  call(argument);
  require_own_process();
  away.come_back();  // the place of the call is free when its thread is
  termination_.close_source();
}

bool team_base::carry_again(member& taken) {
  fibers::thread_stack own;
  become(&taken);
  const fibers::carried how = taken.own_carrier.carry(own, true);
  if (how == fibers::carried::ended) idle_->wake_below(taken.id);
  become(nullptr);
  if (how == fibers::carried::given_away) return true;
  TEFF_REQUIRE(how == fibers::carried::ended,
               "a worker is given to another thread only with an idle fiber on which its loop can go on");
  leave(taken);
  return false;
}

void team_base::come_back(spare& idle, bool ended_call) {
  spares_.put_back(idle);
  if (ended_call) calls_.end_one();  // who gets the place finds this thread
}

void team_base::loop(bool has_task) {
  auto& self = *static_cast<member*>(platform::current());
  self.carried_by == nullptr ? work(self, has_task) : work_for_call(self, has_task);
}

bool team_base::init(task initial) {
  platform::lock_guard guard(init_lock_);
  if (!init_locked(next_initial_, initial)) return false;
  next_initial_ = (next_initial_ + 1) % taking_part_.called_first();
  return true;
}

bool team_base::init(unsigned worker_id, task initial) {
  platform::lock_guard guard(init_lock_);
  return init_locked(worker_id, initial);
}

bool team_base::init_locked(unsigned worker_id, task initial) {
  if (!init_in_pool(*members_[worker_id], initial)) return false;
  taking_part_.has_initial(worker_id);
  totals_.count_initial();
  termination_.created_outside(1);
  return true;
}

bool team_base::is_inside() const {
  const auto* inside = static_cast<const member*>(platform::current());
  return inside != nullptr && &inside->team == this;
}

static void tell(const std::exception_ptr& thrown) {
  constexpr std::string_view what = "teff: an exception of a task for which nobody waits: ",
                             behind = "; later ones are not told (groups, futures and calls hand on what their tasks throw)\n";
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& known) {
    platform::say({what, known.what(), behind});
  } catch (...) {
    platform::say({what, "not a std::exception", behind});
  }
}

void team_base::keep_exception() {
  std::exception_ptr caught = platform::caught_exception();
  auto& now = *static_cast<member*>(platform::current());
  if (!exception_kept_.exchange(true, platform::relaxed)) {       // relaxed: it elects one
    if (tells_exceptions_.load(platform::relaxed)) tell(caught);  // relaxed: as where it is set
    first_exception_ = std::move(caught);  // read after [left]
  }
  now.count(trace::counter::exceptions);
}

void team_base::discard(member& owner, task unrun) {
  owner.special = worker_head::is_discarding;
  unrun.entry(owner, unrun.argument);
  owner.special = 0;
}

void team_base::dispose(task unaccepted) {
  // A worker of its own, because the team's may be running: tasks from outside touch nothing of it but the mark.
  member nobody(*members_[0]->operations, 0, 0, *this, *this);
  discard(nobody, unaccepted);
}

}  // namespace TEFF_NAMESPACE::workers
