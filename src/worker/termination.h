// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "worker/idle/participants.h"
#include "worker/idle/unfinished.h"
#include "worker/member.h"

#include <cstdint>
#include <vector>

namespace TEFF_NAMESPACE::workers {

/// What decides that a run is over: tasks that were created and have finished, and sources from which more may come.
///
/// idle/README.md, *Nobody leaves while work can appear, and the end is found*, has the proof.
/// Threads: any. Cost: two loads for each worker to ask; two read-modify-writes and a fence for what comes from outside.
class termination {
 public:
  /// Borrows the members until it is destroyed.
  explicit termination(const std::vector<member*>& members) : members_(members) {}

  /// Effect: counts tasks that no worker creates. Called before one of them can be taken: created is never less than finished.
  void created_outside(std::uint64_t tasks) {
    outside_created_.fetch_add(tasks, platform::release);
    came_outside_.fetch_add(tasks, platform::release);  // who sees it sees the one above
    platform::fence(platform::seq_cst);                 // [outside] before anybody can take one
  }
  /// Effect: they were refused. Pre: nobody could take one.
  void refused_outside(std::uint64_t tasks) { outside_created_.fetch_sub(tasks, platform::release); }

  /// Returns: how many, with those that were refused. Who may take such a task sees that it was counted.
  std::uint64_t from_outside() const { return came_outside_.load(platform::acquire); }  // acquire: as the sums

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
  /// Whether every task that was created has finished, and no source is open.
  bool all_finished(const participants& taking_part) const {
    // acquire, before the sums: what came through a source that is closed is counted. And behind them: a task that is counted as
    // finished may have waited until another source was open, which [finished] makes visible.
    return open_sources_.load(platform::acquire) == 0 && live(taking_part) == 0 && open_sources_.load(platform::acquire) == 0;
  }
  /// Whether no task is alive. If so: the tasks that come from then on see what the caller has done before, and what those did
  /// that have finished.
  bool is_at_rest(const participants& taking_part) const {
    const std::uint64_t came = from_outside();
    if (live(taking_part) != 0) return false;
    // [outside] Either this fence comes before that of who counts the next task, or the count is seen here.
    platform::fence(platform::seq_cst);
    return from_outside() == came;
  }
  /// live, without a look at the counters of those who take no part.
  std::uint64_t live(const participants& taking_part) const {
    const unsigned end = taking_part.end();
    bool is_end = false;
    // Who has created something that is counted as finished has raised the end before.
    std::uint64_t left = unfinished(end, by_number{members_}, &outside_created_, [&] { is_end = taking_part.end() == end; });
    if (!is_end) return live();
    for (unsigned id = taking_part.called_first(); id < end; ++id) left -= members_[id]->balance.load(platform::relaxed);
    return left + of_absent_.load(platform::relaxed);  // relaxed, both: they do not change in a run
  }

  /// Effect: the worker takes no part in the run any more: what its counters say stands in a sum. Threads: who carries it.
  void leave(member& self, const participants& taking_part) {
    if (self.id < taking_part.called_first()) return;
    // relaxed, all: what only it writes; others read both in the next run, behind [left]. Who still asks whether this one is over
    // may see either, and finds that it is over.
    const std::uint64_t now = self.created.load(platform::relaxed) - self.finished.load(platform::relaxed);
    const std::uint64_t last = self.balance.load(platform::relaxed);
    if (now == last) return;  // relaxed, all, likewise
    of_absent_.fetch_add(now - last, platform::relaxed);
    self.balance.store(now, platform::relaxed);
  }

 private:
  struct by_number {
    const std::vector<member*>& members;
    const member& operator()(unsigned id) const { return *members[id]; }
  };
  const std::vector<member*>& members_;
  alignas(cache_line_bytes) platform::atomic<std::uint64_t> outside_created_{0};  ///< initial and injected tasks
  platform::atomic<std::uint64_t> came_outside_{0};  ///< the same, and those that were refused: it only grows
  platform::atomic<std::uint64_t> open_sources_{0};
  platform::atomic<std::uint32_t> closing_{0};  ///< threads inside close_source of the team
  /// Created, less finished, of those beyond the first group, when the run began.
  platform::atomic<std::uint64_t> of_absent_{0};
};

}  // namespace TEFF_NAMESPACE::workers
