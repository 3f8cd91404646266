// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/assert.h"
#include "mem/memory.h"
#include "platform/tuning.h"
#include "pool/pool.h"
#include "worker/team.h"

#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace teff::inline TEFF_PLATFORM::workers {

/// The loop's and the protocol's steps that tests leave out to show that they are needed.
struct rules {
  static constexpr bool confirms_after_announcing = true;
  static constexpr bool counts_before_stopping = true;
  /// A waiting task runs its own children on its stack, not whatever it finds.
  static constexpr bool waits_run_children_only = true;
  /// After a task the loop looks which worker it runs on now.
  static constexpr bool rereads_worker = true;
  /// A worker that found a task looks whether a fiber came back to it meanwhile, and makes that ready.
  static constexpr bool gives_on_who_returned = true;
  /// A worker to which a fiber came back before it slept wakes the next one.
  static constexpr bool passes_on_when_returned_to = true;
};

/// Lets std::optional hold what a function returns without moving it.
template <class Maker>
struct built_in_place {
  Maker make;
  operator std::invoke_result_t<Maker>() const { return make(); }
};

/// A team on a pool of a given type: the worker loop.
///
/// Idea: get a task and run it; else search; else announce, look again, and sleep; else stop. Who announces last checks whether
///   all is done.
template <pool::task_pool Pool, class Rules = rules>
class team_of final : public team_base {
 public:
  /// `make_memory(workers, task_block_bytes)` and `make_pool(environment)` are called once the real number of workers is known.
  team_of(const team_shape& shape, const pool::settings& set,
          const std::function<mem::memory(unsigned workers, std::size_t task_block_bytes)>& make_memory,
          const std::function<Pool(const pool::environment&)>& make_pool)
      : team_base(shape),
        set_(set),
        operations_{&put,       &offer,       &end_push,          &run_lent,      &take_child,
                    &take_back, &execute_now, &allocate_argument, &release_argument, shape.argument_bytes} {
    try {
      start(operations_);
      for (const auto& each : members_) domains_.push_back(each->domain);
      memory_.emplace(make_memory(workers(), Pool::task_block_bytes(set_)));
      const pool::environment around{workers(), *memory_, set_, domains_, shape_.seed, &idle_->sleepers()};
      pool_.emplace(built_in_place{[&] { return make_pool(around); }});
      for (const auto& each : members_) {
        mem::counted_list* const own = memory_->list_of(*each, mem::block_kind::argument);
        if (own != nullptr && shape.argument_bytes >= quick_argument_bytes) each->arguments = own;
        if constexpr (in_line) each->tasks = &pool_->tasks_of(*each);
      }
    } catch (...) {
      stop_threads();
      throw;
    }
  }

  ~team_of() override {
    stop_threads();
    task unrun;
    for (const auto& each : members_) {
      while (look_again(*each, unrun)) discard(*each, unrun);
    }
    if constexpr (requires { pool_->close(*members_[0]); }) pool_->close(*members_[0]);
  }

  Pool& pool() { return *pool_; }

 private:
  /// Whether tasks put and join by the pool's private path themselves. Not those of mutants, who would go around their faults.
  static constexpr bool in_line = pool::is_in_line<Pool> && std::is_same_v<Rules, rules>;

  // --- what a running task may ask for ---------------------------------------------------------------------------------

  static team_of& team_behind(member& self) { return static_cast<team_of&>(self.team); }

  static void put(worker& current, task ready) {
    current.created.add_alone(1, platform::relaxed);  // [created], before it can be taken
    offer(current, ready);
  }

  static void offer(worker& current, task ready) {
    auto& self = static_cast<member&>(current);
    team_of& team = team_behind(self);
    if constexpr (requires { Pool::put_done; }) {
      if (const auto begun = team.pool_->begin_put(self, ready); begun != Pool::put_done) [[unlikely]]
        team.end_put(self, ready, begun);
    } else if (!team.runs_first(self, ready)) {
      const pool::advice advised = team.pool_->put(self, ready);
      if (advised != pool::advice::wake_none) [[unlikely]]
        team.follow(advised, self, ready);
    }
  }

  /// Effect: if the worker's tasks have reached their bound, the new one runs now, on a fiber of its own, and its creator
  /// becomes ready: it may go on on another worker. Returns: whether it is so.
  bool runs_first(member& self, task ready) {
    if constexpr (requires { pool_->is_full(self); }) {
      if (!pool_->is_full(self)) return false;
      if (give_way(self, ready)) {
        static_cast<member*>(platform::current())->count(trace::counter::run_first);
        return true;
      }
      self.count(trace::counter::beyond_bound);
    }
    return false;
  }

  static void end_push(worker& current, task ready, [[maybe_unused]] std::uint8_t pushed) {
    auto& self = static_cast<member&>(current);
    if constexpr (in_line) team_behind(self).end_put(self, ready, static_cast<queue::pushed>(pushed));
    else offer(self, ready);
  }

  template <class Begun>
  [[gnu::noinline]] void end_put(member& self, task ready, Begun begun) {
    if (begun == Pool::put_nothing && runs_first(self, ready)) return;
    const pool::advice advised = pool_->end_put(self, ready, begun);
    if (advised != pool::advice::wake_none) follow(advised, self, ready);
  }

  [[gnu::noinline]] void follow(pool::advice advised, member& self, task ready) {
    switch (advised) {
      case pool::advice::refused:
        return run_without_memory(self, ready);
      case pool::advice::wake_none:
        return;
      case pool::advice::wake_if_every:
        if (shape_.wake == pool::wake_policy::every_put) idle_->wake_one(self.id, &self);
        return;
      case pool::advice::wake_one:
        idle_->wake_one(self.id, &self);
        return;
      case pool::advice::wake_all:
        return idle_->wake_all();
    }
  }

  static void run_lent(worker& current, lent_closure& lent) {
    auto& self = static_cast<member&>(current);
    self.created.add_alone(1, platform::relaxed);  // [created], as in put
    team_behind(self).run_without_memory(self, lent);
  }

  static bool take_child(worker& current, const void* group, task& taken, bool can_suspend) {
    // A mutant takes whatever it finds, but for fibers, which would not come back.
    const auto is_wanted = [group](const task& candidate) {
      return is_child_of(candidate, group) || (!Rules::waits_run_children_only && candidate.entry != &fibers::resume_entry);
    };
    return take_own(current, is_wanted, taken, can_suspend);
  }
  static bool take_back(worker& current, task wanted, bool can_suspend) {
    task taken;
    return take_own(current, [&](const task& candidate) { return candidate == wanted; }, taken, can_suspend);
  }

  /// Effect: takes a task that is the caller's to run in place. Returns: false if there is none that this worker finds.
  template <class Predicate>
  static bool take_own(worker& current, Predicate is_wanted, task& taken, bool can_suspend) {
    if (pool::waiters_suspend_at_once<Pool> && can_suspend) return false;
    auto& pool = *team_behind(static_cast<member&>(current)).pool_;
    bool found = pool.get_if(current, is_wanted, taken);
    if constexpr (requires { pool.get_if_by_force(current, is_wanted, taken); }) {
      if (!found && !can_suspend) found = pool.get_if_by_force(current, is_wanted, taken);
    }
    if constexpr (requires { pool.owes_wake_up(current); }) {
      if (pool.owes_wake_up(current)) team_behind(static_cast<member&>(current)).idle_->wake_one(current.id, &current);
    }
    return found;
  }
  static void execute_now(worker& current, task taken) {
    auto& self = static_cast<member&>(current);
    team_behind(self).execute(self, taken);
  }

  static void* allocate_argument(worker& current) {
    return team_behind(static_cast<member&>(current)).memory_->allocate(current, mem::block_kind::argument);
  }
  static void release_argument(worker& current, void* argument) {
    team_behind(static_cast<member&>(current)).memory_->release(current, mem::block_kind::argument, argument);
  }

  // --- the loop ----------------------------------------------------------------------------------------------------------

  void work(member& first, bool has_task) override {
    member* self = &first;
    full_frame& frame = first.own_carrier.running()->frame;
    first.here->frame = &frame;
    task& next = frame.what;
    while (has_task || look(*self, next) || search(*self, frame)) {
      has_task = false;
      member& now = execute(*self, next);
      if constexpr (Rules::rereads_worker) self = &now;  // the task may have moved this thread of control to another worker
    }
  }

  fibers::fiber* work_without_stack(member& self) override {
    full_frame frame;
    self.here->frame = &frame;
    task& next = frame.what;
    while (look(self, next) || search(self, frame)) {
      if (next.entry == &fibers::resume_entry) return static_cast<fibers::fiber*>(next.argument);
      execute(self, next);
    }
    return nullptr;
  }

  bool take_at_once(worker& current, task& next) override {
    // As look begins.
    if (!static_cast<member&>(current).mailbox.seems_empty()) return false;
    if constexpr (pool::tells_at_once<Pool>) return pool_->get_at_once(current, next);
    else return false;
  }

  /// Effect: one look at everything that `self` may run. In line in the loop.
  [[gnu::always_inline]] bool look(member& self, task& next) {
    if (self.mailbox.pop(next)) [[unlikely]]
      return true;
    if constexpr (in_line) {
      return static_cast<typename Pool::deque*>(self.tasks)->pop(next) || take(self, [&] { return pool_->get_slow(self, next); });
    } else {
      return take(self, [&] { return pool_->get(self, next); });
    }
  }

  [[gnu::noinline]] bool look_again(member& self, task& next) { return look(self, next); }

  /// Effect: a look where only one that spares no cost sees something, if nobody wakes this worker for a while.
  bool look_by_force(member& self, task& next) {
    if constexpr (requires { pool_->get_by_force(self, next); }) {
      return !idle_->is_answered(self) && take(self, [&] { return pool_->get_by_force(self, next); });
    }
    return false;
  }

  template <class Get>
  bool take(member& self, Get get) {
    for (;;) {
      switch (get()) {
        case pool::get_result::got:
          return true;
        case pool::get_result::got_and_wake_one:
          idle_->wake_one(self.id, &self);
          return true;
        case pool::get_result::empty:
          return false;
        case pool::get_result::retry:
          platform::pause();
          continue;
      }
    }
  }

  [[gnu::noinline]] bool search(member& self, full_frame& frame) {
    require_own_process();
    TEFF_REQUIRE(self.here->frame == &frame, "a task was left by longjmp for one below it on the stack: let it return");
    open_return_slot(self);  // first of all: who waited here may be ready in a moment
    task& next = frame.what;
    frame.begin(nullptr);  // the last task's label would say that it still runs
    self.count(trace::counter::searches);
    const std::uint64_t since = platform::now_ns();
    const std::uint64_t parked = self.stats.value(trace::counter::parked_ns);
    const bool found = search_rounds(self, next) || sleep(self, next);
    if (fibers::fiber* const back = self.returning.close(); back != nullptr && Rules::gives_on_who_returned) make_ready_anywhere(*back);
    const std::uint64_t asleep = self.stats.value(trace::counter::parked_ns) - parked;
    self.count(trace::counter::searching_ns, platform::now_ns() - since - asleep);
    return found;
  }

  /// Effect: fibers that waited on this worker may come back to it, if it need not share a processor with who hands them in.
  void open_return_slot(member& self) {
    if (pool::lets_fibers_return<Pool> && workers() > 1 && idle_->spins()) self.returning.open();
  }

  /// Effect: as look, and before that at who came back; closes the slot if somebody did.
  bool look_with_slot(member& self, task& next) {
    if (self.returning.holds_one()) {
      next = {&fibers::resume_entry, self.returning.close()};
      return true;
    }
    return look_again(self, next);
  }

  bool search_rounds(member& self, task& next) {
    for (unsigned round = 0; round < tuning::idle_search_rounds; ++round) {
      platform::pause();
      if (look_with_slot(self, next)) return true;
    }
    return false;
  }

  /// Effect: announces, looks again, sleeps; until there is a task or the run is over. Returns: whether there is a task.
  bool sleep(member& self, task& next) {
    bool woken = false;
    for (;;) {
      const bool last = idle_->announce(self);
      bool found = Rules::confirms_after_announcing && look_with_slot(self, next);
      if (!found && stop_.load(platform::acquire)) break;
      if (!found && last && (!Rules::counts_before_stopping || all_finished())) {
        declare_stop(run_result::finished);
        break;
      }
      if (found || (Rules::confirms_after_announcing && look_by_force(self, next))) {
        // A wake-up that came too late for this worker is passed on; one that came in time calls the next worker, in case
        // that what woke it was more than one task.
        if (idle_->retract(self) || woken) idle_->wake_one(self.id, &self);
        return true;
      }
      if (idle_->arrive() && is_stuck()) declare_stop(run_result::stuck);
      // A worker that is asleep is no place to go back to. Who has handed a fiber in wakes this worker.
      fibers::fiber* const back = idle_->spin(self) ? nullptr : self.returning.close();
      idle_->wait(self);
      if (back != nullptr) {
        next = {&fibers::resume_entry, back};
        if (Rules::passes_on_when_returned_to) idle_->wake_one(self.id, &self);  // the wake-up may have been for another task
        return true;
      }
      if (stop_.load(platform::acquire)) return false;
      woken = true;
      open_return_slot(self);
      if (look_with_slot(self, next)) {
        idle_->wake_one(self.id, &self);
        return true;
      }
    }
    idle_->retract(self);
    return false;
  }

  void share([[maybe_unused]] member& self) override {
    if constexpr (requires { pool_->share(self); }) pool_->share(self);
  }
  bool look_for(member& self, bool (*wanted)(const task&), task& taken) override { return take_own(self, wanted, taken, false); }

  bool put_again(member& waker, task again) override {
    const pool::advice advised = pool_->put(waker, again);
    if (advised == pool::advice::refused) return false;
    if (advised != pool::advice::wake_none) follow(advised, waker, again);
    return true;
  }
  bool init_in_pool(member& first, task initial) override { return pool_->init(first, initial) != pool::advice::refused; }
  bool inject_into_pool(task ready) override { return pool_->inject(ready) != pool::advice::refused; }

  void add_pool_totals(team_totals& totals) const override {
    totals.peak_live_tasks = pool_->peak_live_tasks();
    totals.peak_bytes = memory_->peak_bytes();
    totals.counters[static_cast<unsigned>(trace::counter::queue_lock_waits)] = pool_->lock_waits();
    if constexpr (requires { pool_->overflows(); }) {
      totals.peak_bytes += pool_->array_bytes();
      totals.counters[static_cast<unsigned>(trace::counter::overflows)] = pool_->overflows();
    }
  }
  void reset_pool_totals() override { pool_->reset_statistics(); }

  const pool::settings set_;
  const worker_operations operations_;
  std::vector<unsigned> domains_;
  std::optional<mem::memory> memory_;
  std::optional<Pool> pool_;
};

}  // namespace teff::inline TEFF_PLATFORM::workers
