// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fiber/fiber.h"
#include "task/worker.h"

#include <cstdint>

namespace TEFF_NAMESPACE::fibers {

/// Something to do once the stack that was left is out of use: on the stack that goes on, before anything else there.
struct after_switch {
  void (*function)(void* argument) = nullptr;
  void* argument = nullptr;
};

/// A thread of the system that carries workers: where its own stack waits while it runs fibers.
struct thread_stack {
  platform::context root;
  after_switch pending;
  bool given_away = false;  ///< the worker goes on elsewhere: what ran here last came back from a call outside
};

/// How a thread's part in a worker ended.
enum class carried { refused, ended, given_away };

/// A fiber whose task is outside: its thread runs a call that may block, without a worker.
struct departure {
  fiber& left;
  thread_stack& own;

  /// Effect: the fiber becomes ready, and goes on when a worker takes it; its thread goes back to its own stack. Pre: on the
  /// thread that departed.
  void come_back();
};

/// A worker's way between fibers: README.md says what happens in a switch.
///
/// Threads: the worker itself. Cost: a switch: the registers, two thread-local pointers for exceptions, about 10 ns. To set a
/// fiber aside takes one of them if the next one to go on is known, else two.
class carrier {
 public:
  carrier(worker& owner, host& home) : worker_(owner), home_(home) {}
  carrier(const carrier&) = delete;
  carrier& operator=(const carrier&) = delete;

  /// Effect: runs the team's loop as this worker, on fibers, until the run ends or the worker is given away. `again`: the worker comes from another
  /// thread in the middle of a run. Returns: `refused` if the system refuses even one stack; nothing was run then, and the thread
  /// may run the loop on its own stack.
  carried carry(thread_stack& from, bool again = false);
  /// The same for a worker that was refused a stack, beginning with a fiber that was made ready.
  carried carry_on(thread_stack& from, fiber& ready) { return begin(from, continued(ready)); }

  /// What a worker has of the thread that carries it, while another one does. That thread sleeps.
  struct loan {
    thread_stack* stack;
    fiber* running;
    context* here;
  };
  /// Effect: another thread may carry the worker, whose own one sleeps. Post: take_back is called before that one goes on.
  loan lend();
  void take_back(const loan& lent);
  /// Returns: an idle fiber with a stack as large as a thread's, for carry_call; nullptr if the system refuses it.
  fiber* take_base_of_calls() { return take_base(base_of_calls_); }
  /// Effect: as carry, on a fiber that was taken for it and whose loop begins with this task.
  carried carry_call(thread_stack& from, fiber& base, const task& first);

  /// Effect: goes on with a new loop; the running fiber has nothing left to do and is kept for later. Pre: keep_one returned
  /// true.
  [[noreturn]] void begin_anew();

  /// Returns: whether there is an idle fiber, on which a loop can begin; false if the system refuses a stack.
  bool keep_one() { return kept_.make_sure(home_, worker_); }
  /// Effect: the calling task's fiber leaves the worker, which another thread may carry from here on. Pre: on a fiber; keep_one
  /// returned true.
  departure depart(const awaited& why);

  /// Effect: sets the running fiber aside, calls commit(argument) when it is out of use, and goes on with another fiber: with one
  /// that was made ready, if that is what the worker would take next and can be told at once; else with a loop. If there is no
  /// stack for another one, the worker is idle on this one (../worker/kept.cpp); with `withdraw`, which undoes commit unless the
  /// fiber has been or will be made ready, it may run there what `what` waits for. Returns when the fiber goes on, possibly on
  /// another worker; with `withdraw`, perhaps before the wait is over. Pre: `commit` makes sure that the fiber is made ready once.
  void suspend(const awaited& what, void (*commit)(void* argument), void* argument, bool (*withdraw)(void* argument) = nullptr);
  /// Effect: as suspend, and goes on with a loop that begins with `first`. Returns: false, at once, if there is no stack for it.
  bool suspend_for(const task& first, const awaited& what, void (*commit)(void* argument), void* argument);

  /// Effect: goes on with a fiber that was made ready; the running one has nothing left to do and is kept for later.
  [[noreturn]] void resume(fiber& ready);

  /// Whether a task may be run on top of the running one: at least one of so many parts of the stack is left.
  bool has_room(std::size_t parts = 2) const;
  fiber* running() const { return running_; }
  /// Returns: what is made ready when the running task's wait ends: its fiber, or what stands for the thread's own stack.
  fiber* waiter() const { return running_ != nullptr ? running_ : on_thread_; }
  /// Effect: while the worker runs tasks on the thread's own stack, this stands for it. nullptr: it does so no more.
  void stand_on_thread(fiber* own) { on_thread_ = own; }
  /// Returns: how many fibers that were set aside went on here.
  std::uint64_t resumptions() const { return resumptions_.value(); }
  /// Effect: does what is to be done first thing on a stack that goes on.
  static void arrive();

 private:
  static void fiber_main(void* fiber);
  static void retire(void* fiber);

  carried begin(thread_stack& from, fiber& first);
  bool can_switch();
  void block(fiber& left, const awaited& what);
  void leave_for(fiber& next, const awaited& what, void (*commit)(void* argument), void* argument);
  void keep_worker(const awaited& what, void (*commit)(void* argument), void* argument, bool (*withdraw)(void*));
  fiber* take();
  fiber* take_base(platform::atomic<fiber*>& kept);
  fiber& begin_with(const task& first);
  fiber& take_next();
  void prepare(fiber& fresh);
  fiber& continued(fiber& ready);
  void enter(fiber& next);

  worker& worker_;
  host& home_;
  thread_stack* thread_stack_ = nullptr;      ///< of the thread that carries this worker now
  platform::float_control tasks_begin_with_;  ///< as that thread had it
  fiber* running_ = nullptr;
  fiber* on_thread_ = nullptr;
  after_switch pending_;
  kept_fibers kept_;
  /// The fiber with which this worker begins runs, while it is idle. Written by who has it last in a run, and seen in the next
  /// one by [left] and [run].
  platform::atomic<fiber*> base_{nullptr};
  platform::atomic<fiber*> base_of_calls_{nullptr};  ///< likewise, of carry_call
  platform::statistic resumptions_;
};

/// The entry of the task that makes a ready fiber go on; its argument is the fiber.
void resume_entry(worker& current, void* ready);

}  // namespace TEFF_NAMESPACE::fibers
