// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mem/free_list.h"
#include "platform/overflow.h"
#include "pool/pool.h"
#include "worker/guest.h"
#include "worker/idle/idle.h"
#include "worker/member.h"
#include "worker/outside_calls.h"
#include "worker/shape.h"
#include "worker/spares.h"
#include "worker/termination.h"
#include "worker/timers.h"
#include "worker/totals.h"
#include "worker/watchdog.h"

#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::workers {

/// Workers, the phases of a run, and the counters that end it: all that does not depend on the pool's type.
///
/// Owns: the members and their threads. Threads: init, source operations and totals: any; run: one at a time.
/// The thread that calls run is worker 0 while it does.
class team_base : public fibers::host {
 public:
  team_base(const team_base&) = delete;
  team_base& operator=(const team_base&) = delete;
  virtual ~team_base();

  /// Effect: adds an initial task, in turn to those with which a run begins. Pre: none goes on. Returns: false without memory.
  bool init(task initial);
  /// Effect: as init, to the queue of that worker. Pre: also, there is such a worker.
  bool init(unsigned worker_id, task initial);
  run_result run();
  /// Returns: why the last run was stuck: which task waits for what. It was printed, too. Pre: it was.
  std::string_view explanation() const { return explanation_; }
  /// Returns: the first exception of the last run, once.
  std::exception_ptr take_exception();

  /// A source of tasks from outside: while one is open, a run does not end. `tells`: nobody asks for that one's first exception.
  void open_source(bool tells = false);
  void close_source();
  /// Effect: makes tasks ready, all or, if memory is refused, none. Pre: the caller has a source open. Returns: whether it did.
  bool inject(std::span<const task> ready);
  bool inject(task ready) { return inject(std::span<const task>(&ready, 1)); }
  /// Effect: makes a task ready that only this worker may run, and wakes it. Pre: the caller has a source open; no run_on_caller.
  bool make_ready(unsigned worker_id, task ready);
  void make_ready(fibers::fiber& woken) noexcept final;
  void make_ready_where_it_waited(fibers::fiber& woken) noexcept final;
  void loop(bool has_task) final;
  /// Effect: calls call(argument), which may block, while another thread carries this worker; the task goes on as any worker.
  /// Pre: `call` throws nothing.
  void call_outside(worker& current, void (*call)(void*), void* argument) final;
  /// Effect: the calling thread runs a task, which calls end_on_caller, and others, as a worker that slept, until that task is
  /// over. Returns: false if it does not. Pre: a source is open. Threads: any.
  bool run_on_caller(const task& root, guest& caller);
  void end_on_caller(guest& caller);
  void go_on_elsewhere(member& self);  ///< the calling task does, if its thread waits for a call
  fibers::kept_end wait_kept(worker& current, fibers::kept_wait& wait) final;
  /// Effect: tells the pool that the calling task has so many more bytes of memory, or, if negative, fewer. The task may go on
  /// later, perhaps on another worker, if the pool has a quota of memory for each task.
  void allocated(worker& current, std::ptrdiff_t bytes);
  bool add_timer(fibers::timer& added) noexcept final { return timers_.add(added); }
  void cancel_timer(fibers::timer& gone) noexcept final { timers_.cancel(gone); }

  /// Effect: lets a task that came from outside, and was not accepted, dispose of its argument. Threads: any.
  void dispose(task unaccepted);

  /// Returns: how many threads there are that stand in for those of workers which are in calls outside.
  std::size_t spare_threads() { return spares_.count(); }
  worker& worker_at(unsigned id) { return *members_[id]; }
  /// Whether this process made the team; in the child of fork() nothing of it may be touched.
  bool is_of_this_process() const { return made_in_ == platform::process_generation(); }
  unsigned workers() const { return static_cast<unsigned>(members_.size()); }
  bool running() const { return running_.load(platform::acquire); }  // acquire: pairs with the end of run
  /// Whether the calling thread is one that this team has started. Threads: any. Pre: the team is of this process.
  bool owns_this_thread();
  bool is_inside() const;  ///< whether the calling thread runs a task of this team
  /// `now`: of platform::account_now, until when the time account goes.
  team_totals totals(std::uint64_t now = platform::account_now()) const;
  void reset_totals();
  /// Effect: the time account takes tasks to cost so much. Borrows: for ever.
  void expect_costs(const task_costs& found) { costs_.store(&found, platform::release); }  // [costs]

  /// Effect: a spare thread carries a worker that another one has left for a call outside. Returns: whether what ended is such a
  /// call, for which the worker was given away again; it is for the caller to say so to come_back.
  bool carry_again(member& taken);
  /// Effect: the calling thread, which has carried a worker for a call outside, is free again, as carry_again said.
  void come_back(spare& idle, bool ended_call);
  bool retire(spare& idle) { return spares_.retire(idle); }

  /// What the watchdog asks for. `outside_lock`: held by who looks why nothing runs, and by who makes a fiber ready or wakes a
  /// worker from outside: what blocked tasks wait for lives meanwhile, and who sleeps goes on sleeping.
  platform::lock& outside_lock() { return outside_lock_; }
  /// Whether every worker sleeps although tasks are left, no source is open and no timer pending. Pre: outside_lock is held.
  bool is_quiet();
  std::uint32_t wake_count() const { return idle_->wake_count(); }
  std::uint64_t progress() const { return totals_.progress(); }
  std::uint64_t live() const { return termination_.live(); }
  std::uint64_t made() const { return termination_.made(); }

  team_base* abandoned_before = nullptr;  ///< for who keeps teams of parent processes

 protected:
  team_base(const team_shape& shape, bool workers_come_by_need);

  /// Effect: makes the members and starts their threads; fewer if the system refuses. Pre: called once, by the derived class,
  /// whose `work` the threads call from the first run on.
  void start(const worker_operations& operations);
  /// Effect: ends the threads. Called by the derived class before its pool goes, also if start threw.
  void stop_threads();
  /// Effect: hands a task that was never run to its entry function for disposal. Pre: no run is going on.
  static void discard(member& owner, task unrun);

  /// Effect: the loop, beginning with the task that it has, if so. Returns: when the run has ended.
  virtual void work(member& self, bool has_task) = 0;
  virtual void work_for_call(member& self, bool has_task) = 0;  ///< the same, as long as a guest carries the worker
  /// The same on the thread's own stack, which nobody can leave. Returns: a ready fiber to go on with; nullptr at the end.
  virtual fibers::fiber* work_without_stack(member& self) = 0;
  /// Effect: puts the task of a fiber that goes on, which is not counted as created. Returns: false if memory is refused.
  virtual bool put_again(member& waker, task again) = 0;
  /// Effect: makes public what this worker keeps where others' look_for does not find it.
  virtual void share(member& self) = 0;
  enum class found_by : std::uint8_t { anybody, nobody_else };
  /// Effect: takes a wanted task wherever it may find one, or, in pools without an exchange, where it alone does. Returns: if so.
  virtual bool look_for(member& self, bool (*wanted)(const task&), task& taken, found_by whom) = 0;
  virtual bool init_in_pool(member& first, task initial) = 0;
  virtual pool::advice inject_into_pool(std::span<const task> ready) = 0;
  virtual pool::advice inject_again(task again) = 0;  ///< put_again, for who is no worker of the team
  /// Effect: tells the pool that a fiber goes on which it does not give. Pre: tracks_started.
  virtual void goes_on_without_pool(fibers::fiber& woken) = 0;
  /// Returns: whether the task that runs has used up what the pool lets it allocate until it gives way.
  virtual bool is_over_quota(member& self, std::ptrdiff_t bytes) = 0;
  virtual void add_pool_totals(team_totals& totals) const = 0;
  virtual void reset_pool_totals() = 0;

  /// Returns: the worker that goes on.
  [[gnu::always_inline]] member& execute(member& self, const task& next) {
    platform::charge_get();      // it was got, by whatever way
    context& here = *self.here;  // the fiber's: it follows the fiber from worker to worker
    try {
      const platform::account_mark by_program(account_part::own_memory);
      next.entry(self, next.argument);
    } catch (...) {
      keep_exception();
    }
    // A task that was suspended may have resumed on another worker: who runs now has finished it.
    auto& now = static_cast<member&>(here.current());
    now.finished.add_alone(1, platform::release);  // [finished]
    platform::progress();
    return now;
  }
  /// Effect: wakes whom the pool advises to wake. `waker`: nullptr if none of the team's does. Returns: false if nobody slept.
  [[gnu::noinline]] bool follow(pool::advice advised, worker* waker);
  /// Whether a task that runs here can be set aside for another one: there is a stack for that.
  static bool can_give_way(member& self);
  /// Effect: a blocked fiber is ready, but nobody knows yet.
  void become_ready(fibers::fiber& woken) noexcept;
  /// Effect: whoever has time goes on with it. Pre: it has become ready.
  void make_ready_anywhere(fibers::fiber& woken) noexcept;
  void keep_exception();
  /// Effect: the task for which memory was refused runs first, or on the caller's stack. worker_operations::run_borrowed.
  void run_without_memory(member& self, task refused, borrowed_closure* borrowed = nullptr);
  void run_without_memory(member& self, borrowed_closure& borrowed);
  void execute_in_place(member& self, task refused);
  /// Effect: ends the program with a sentence if the stack is nearly used up. Pre: there is no other one, or the task wants none.
  static void require_room(const member& self);
  /// Effect: sets the calling task aside, ready to go on, with `borrowed`, which `first` runs, as soon as that is given back;
  /// runs `first` on another fiber. Returns: true when it goes on; false, at once, if it may not be set aside, or without stack.
  bool give_way(member& self, task first, borrowed_closure* borrowed = nullptr);
  bool others_came(const guest& caller) const { return termination_.from_outside() != caller.outside_with_it; }
  bool all_finished() const { return termination_.all_finished(taking_part_); }
  bool is_at_rest() const { return termination_.is_at_rest(taking_part_); }
  bool is_stuck();  ///< whether tasks are left although every worker sleeps for good
  void declare_stop(run_result why);
  /// Effect: ends a child of fork() that is about to go on as a worker of its parent process. Cost: a load.
  void require_own_process() const {
    if (!is_of_this_process()) [[unlikely]]
      end_forked_child();
  }
  [[noreturn]] static void end_forked_child() noexcept;

  const team_shape shape_;
  const std::uint64_t made_in_ = platform::process_generation();
  std::vector<std::unique_ptr<member>> members_;
  std::vector<member*> member_pointers_;
  participants taking_part_;
  std::unique_ptr<idle> idle_;
  mem::counted_list no_arguments_;  ///< what worker_head::arguments is with most managers
  platform::atomic<bool> stop_{false};

 private:
  bool init_locked(unsigned worker_id, task initial);
  static void thread_main(void* self);
  void make_member(const worker_operations& operations, unsigned id);
  void threads_work(member& self);
  void carry(member& self);
  fibers::carried carry_without_stack(member& self, fibers::thread_stack& from);
  void hand_fibers_on(member& self, const fibers::fiber& own);
  bool look_while_kept(member& self, fibers::kept_wait& wait, fibers::kept_end& end, task& taken);
  bool take_below(member& self, fibers::kept_wait& wait, task& taken);
  const fibers::awaited* unbegun_below(const fibers::fiber& waiting);
  void count_turns();
  bool give_turn();
  [[noreturn]] void end_for_want_of_stacks() noexcept;
  static void become(member* carried);
  void leave(member& self);
  member& to_be_carried() const;
  void give_back(member& lent, guest& caller);
  void restart_account();
  bool wake_from_outside(pool::advice advised);
  static void stay_ready(fibers::fiber& woken);
  void make_ready_in_mailbox(member& receiver, fibers::fiber& woken, task again) noexcept;

  alignas(cache_line_bytes) platform::atomic<std::uint32_t> left_{0};  ///< workers that have left the current run
  platform::atomic<bool> running_{false};
  platform::atomic<run_result> result_{run_result::finished};  ///< ordered by stop_
  platform::atomic<bool> exception_kept_{false}, tells_exceptions_{false};
  std::exception_ptr first_exception_;  ///< written by who set exception_kept_, read by the caller of run after the run
  platform::lock outside_lock_{platform::lock_kind::mutex, lock_label::of(guarded::outside)};
  termination termination_{member_pointers_};
  static void expect_forks() noexcept;
  static void leave_parent() noexcept;
  static platform::end_of_process look_before_waits();
  std::vector<unsigned> makers_places_;  ///< of the machine, if workers are pinned: where its maker's thread could run
  timers timers_;
  spares spares_;
  platform::atomic<bool> has_guest_{false};  ///< [guest] of threads outside: one of them carries a worker
  outside_calls calls_;
  std::uint64_t turns_at_ = 0;  ///< in a run under outside_lock_: the progress at which turns of kept workers began
  unsigned turn_ = 0;           ///< in a run under outside_lock_: those with smaller ids had theirs
  watchdog watchdog_;
  std::string_view explanation_;         ///< of the caller of run
  std::string explanation_text_;         ///< what it is of, unless memory was refused
  platform::signal_stack signal_stack_, signal_stack_of_calls_;  ///< lent to the caller of run, to a guest
  platform::lock init_lock_;
  unsigned next_initial_ = 0;
  run_totals totals_{member_pointers_};                 ///< initial tasks: under init_lock_
  platform::atomic<const task_costs*> costs_{nullptr};  ///< [costs]
  std::uint64_t account_since_ = 0;                     ///< of platform::account_now: since when the workers' time is counted
};

}  // namespace TEFF_NAMESPACE::workers
