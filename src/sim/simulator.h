// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One run of the simulator, and what is kept between runs. Used by the simulated side of the seam (through access.h) and by
/// simulate().
///
/// Invariants: exactly one processor is running between the begin and the end of a run, and it is the one whose stack executes;
/// every other runnable one is with the chooser; a waiting one is in exactly one wait list or is named by joined_by.
#pragma once

#include "platform/context.h"
#include "platform/faults.h"
#include "platform/random.h"
#include "platform/topology.h"
#include "sim/account.h"
#include "sim/arena.h"
#include "sim/caches.h"
#include "sim/chooser.h"
#include "sim/lines.h"
#include "sim/processor.h"
#include "sim/sim.h"
#include "sim/timers.h"
#include "sim/wait_lists.h"

#include <exception>
#include <functional>
#include <memory>
#include <vector>

namespace TEFF_NAMESPACE::sim {

class simulator {
 public:
  simulator();
  outcome run(const options& wanted, const std::function<void()>& body);

  // What the running processor does.
  /// Returns: whether somebody watches the line, so that the caller has to say written() after it changed the word.
  bool access(const void* word, operation what);
  void written();
  /// Effect: plain memory is accessed. Pre: plain memory takes time.
  void touch(const void* memory, std::size_t bytes, bool writes);
  /// Effect: the program's memory is accessed. Returns: where its lines came from. Pre: by virtual time.
  line_origins touch_program(const void* memory, std::size_t bytes, bool writes);
  /// Effect: what gets the addresses of this memory next begins anew.
  void forget_program(const void* memory, std::size_t bytes) {
    if (costs().states_capacities()) caches_.forget(memory, bytes);
  }
  /// Effect: time passes, and nobody sees it: no scheduling point.
  void spend(std::uint64_t cycles) { running_->clock += cycles; }
  /// Effect: time passes.
  void advance(operation what, std::uint64_t cycles);
  /// Effect: sleeps until the line is written. Returns: false if the deadline (cycles) passed first.
  bool watch(const void* word, std::uint64_t deadline, const char* what);
  /// Effect: sleeps until woken. Returns: false if the deadline passed first. Pre: the word was touched just before.
  bool park(const void* word, std::uint64_t deadline, const char* what);
  void wake(const void* word, bool all);
  /// Returns: the number of the new processor, or nobody if there are too many or there is no memory for its stack.
  processor_id start(processor::entry_function entry, void* argument, int place);
  void join(processor_id other);
  /// Effect: the thread is one that nobody joins: the end of the run waits for it. Pre: it has just been started.
  void detach(processor_id started);
  /// Effect: the running thread calls `finish(argument)` when it ends; replaces what it asked for before.
  void at_end(processor::entry_function finish, void* argument);
  void progress() { steps_without_progress_ = 0; }

  std::uint64_t clock() const { return running_->clock; }
  /// Tells the running processor from others.
  const void* running() const { return running_; }
  processor_id running_number() const { return running_->id; }
  unsigned place_here() const { return running_->at.number; }
  bool is_running(processor_id which) const { return running_->id == which; }
  const machine_description& costs() const { return options_.machine; }
  std::uint64_t cycles_of(std::uint64_t ns) const;
  /// Not const: what a charge takes may be drawn.
  std::uint64_t cycles_of_charge(std::uint64_t units);
  std::uint64_t ns_of(std::uint64_t cycles) const;
  sim::lines& lines() { return lines_; }
  sim::arena& arena() { return arena_; }
  sim::account& account() { return account_; }
  /// Effect: the account of locks, lines and waiting tasks begins anew.
  void begin_account();
  /// Returns: the locks, and the twelve lines that were longest on their way from processor to processor, in cycles.
  std::vector<shared_resource> resources() const;
  const platform::topology& topology() const { return topology_; }
  platform::faults& faults() { return faults_; }

 private:
  // simulator.cpp: a run from its begin to its end.
  void reset(const options& wanted);
  void describe_machine();
  outcome finished_outcome();
  processor* unused_processor();
  void allow_steps_of(std::uint64_t threads);
  bool prepare(processor& made, processor::entry_function entry, void* argument, unsigned place_number);
  static void processor_main(void* pointer);
  [[noreturn]] void run_body();
  void join_detached();
  [[noreturn]] void run_thread(processor& self);
  [[noreturn]] void stop(outcome::end how);
  friend void end_for_want_of_memory();

  // scheduling.cpp: who runs.
  void scheduling_point();
  void fire_earliest_timer();
  void wait(processor::state how, const char* what, std::uint64_t deadline);
  processor& next_processor();
  void make_runnable(processor& woken, std::uint64_t clock);
  void become(processor& next);
  std::uint64_t moved(std::uint64_t cycles);
  std::uint32_t recorded(std::uint32_t choice);
  void note(operation what, line_number where);

  // operations.cpp: what processors do.
  line_number line_of(const void* word) {
    const line_number number = lines_.touch(word);
    if (number >= known_lines_) [[unlikely]]
      begin_line(number, word);
    return number;
  }
  void begin_line(line_number number, const void* word);
  void serve(line_number number, operation what);
  void wake_one_of(line_number number, const void* word, std::uint32_t index);
  std::uint32_t parked_on(line_number number, const void* word);

  options options_;
  platform::faults faults_;
  platform::topology topology_;
  sim::lines lines_;
  sim::caches caches_;
  sim::arena arena_;
  sim::account account_;
  std::unique_ptr<chooser> chooser_;
  sim::timers timers_;
  platform::random jitter_{0}, variation_{0};
  processor_table processors_;
  processor* running_ = nullptr;
  line_number accessed_ = no_line;  ///< the line of the last access
  line_number known_lines_ = 0;     ///< lines of larger numbers are new

  outcome outcome_;
  std::size_t choices_before_ = 0;  ///< of the run before: the schedules of a search have about as many
  std::uint64_t steps_without_progress_ = 0;
  std::uint64_t steps_allowed_ = 0;  ///< without progress, to as many threads as there were at once
  const std::function<void()>* body_ = nullptr;
  std::exception_ptr escaped_;  ///< from the body
  bool out_of_memory_ = false;
  platform::context host_;
};

}  // namespace TEFF_NAMESPACE::sim
