// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "worker/idle/unfinished.h"
#include "worker/member.h"

#include <cstdint>
#include <vector>

namespace TEFF_NAMESPACE::workers {

/// What decides that a run is over: tasks that were created and have finished, and sources from which more may come.
///
/// idle/README.md, *Nobody leaves while work can appear, and the end is found*, has the proof.
/// Threads: any. Cost: two loads to ask; live: two for each worker; one read-modify-write for what comes from outside.
class termination {
 public:
  /// Borrows the members until it is destroyed.
  explicit termination(const std::vector<member*>& members) : members_(members) {}

  /// Effect: counts tasks that no worker creates. Called before one of them can be taken: created is never less than finished.
  void created_outside(std::uint64_t tasks) { outside_created_.fetch_add(tasks, platform::release); }
  /// Effect: they were refused. Pre: nobody could take one.
  void refused_outside(std::uint64_t tasks) { outside_created_.fetch_sub(tasks, platform::release); }

  // acq_rel: who sees it open does not end the run; what comes through it is counted by itself.
  void open_source() { open_sources_.fetch_add(1, platform::acq_rel); }
  /// Effect: one source less. A caller that is no worker says so around it by begin_closing and end_closing.
  /// [source] release: who sees the source closed sees what came through it.
  void close_source() { open_sources_.fetch_sub(1, platform::acq_rel); }
  void begin_closing() { closing_.fetch_add(1, platform::relaxed); }  // ordered by [source]
  /// Post: the team may be gone.
  void end_closing() { closing_.fetch_sub(1, platform::release); }  // [closed]
  /// Effect: returns when nobody is between begin_closing and end_closing.
  void await_closers() {
    // [closed] acquire: the last injector may be about to wake somebody, and the team may be destroyed afterwards.
    platform::spin_until(closing_, [](std::uint32_t closing) { return closing == 0; }, "the caller of run: an injector to close");
  }
  /// seq_cst: a verdict reads it after the words of the workers, in one order with the wake-ups of who closes.
  bool has_open_source() const { return open_sources_.load(platform::seq_cst) != 0; }

  /// Returns: 0 only if every task that was created has finished; else any number, while somebody works.
  std::uint64_t live() const {
    return unfinished(static_cast<unsigned>(members_.size()), by_number{members_}, &outside_created_);
  }
  /// Returns: how many tasks were created.
  std::uint64_t made() const {
    std::uint64_t sum = outside_created_.load(platform::acquire);  // acquire: as in live
    // [created] relaxed: a task that was counted before one that the caller knows to have finished is visible by [finished].
    for (const member* each : members_) sum += each->created.load(platform::relaxed);
    return sum;
  }
  /// Whether every task that was created has finished, and no source is open; `by_workers`: announcement::unfinished of the last.
  bool all_finished(std::uint64_t by_workers) const {
    // acquire, behind the announcements and before the count: what came through a source that is closed is counted.
    return open_sources_.load(platform::acquire) == 0 &&
           (outside_created_.load(platform::acquire) + by_workers) << announced_bits == 0;  // acquire: likewise
  }

 private:
  struct by_number {
    const std::vector<member*>& members;
    const member& operator()(unsigned id) const { return *members[id]; }
  };

  const std::vector<member*>& members_;
  alignas(cache_line_bytes) platform::atomic<std::uint64_t> outside_created_{0};  ///< initial and injected tasks
  platform::atomic<std::uint64_t> open_sources_{0};
  platform::atomic<std::uint32_t> closing_{0};  ///< threads inside close_source of the team
};

}  // namespace TEFF_NAMESPACE::workers
