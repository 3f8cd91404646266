// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/worker_places.h"
#include "worker/idle/sleepers.h"
#include "worker/member.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace TEFF_NAMESPACE::workers {

class run_totals;

/// Which workers take part in a run, and how those that do not are called: README.md beside this file, *Who takes part*, has the
/// rules, and why no run ends beside one that comes, or goes on for long without one that it needs.
///
/// Threads: open: the caller of run; await, leave: the worker's own; the others: anybody in the run, if nothing else is said.
class participants {
 public:
  /// The word of a worker that takes no part. Nobody but its thread changes it from there.
  static constexpr std::uint32_t absent = sleepers::users_first;

  /// With `by_need` workers are called when there is work for them; else all take part from the begin.
  explicit participants(bool by_need) : by_need_(by_need) {}
  /// Effect: the workers of worker 0's domain are called at the begin of a run, but no more than there are processors. Pre: no
  /// thread awaits a run yet.
  void begin_with(const pool::worker_places& places, std::size_t processors);
  /// Borrows the members and their totals until it is destroyed. Pre: no run goes on.
  void expect(std::span<member* const> members, const run_totals& progress);

  /// Effect: a run begins: worker 0 takes part in it, and others are called. [run]: what was set up for it is visible to them.
  void open();
  /// Effect: the worker's thread waits until it takes part in a run. Returns: false at the end of the team.
  bool await(member& self);
  /// Effect: the run is over: nobody comes into it from here on.
  void close() { entered_.fetch_or(is_closed, platform::acq_rel); }  // acq_rel: [enter]
  /// Effect: the worker takes no part any more. Pre: the run is over.
  void leave(member& self);
  /// Effect: the member's thread leaves `await` for good. Pre: no run goes on. May be called before `expect`.
  void end_thread(member& of);

  /// Returns: how many take part. Those that were counted are visible by [enter]. Threads: any.
  std::uint32_t count() const { return entered_.load(platform::acquire) & ~is_closed; }
  bool is_over() const { return (entered_.load(platform::acquire) & is_closed) != 0; }  // [enter]
  bool all_take_part() const { return count() == members_.size(); }
  /// No worker with this number or a larger one takes part, as far as the caller's last fence is behind its announcement.
  unsigned end() const { return end_.load(platform::relaxed); }  // ordered by fences, as words are

  /// Returns: that number, for pools; nullptr if all take part.
  const platform::atomic<std::uint32_t>* end_of_active() const { return by_need_ ? &end_ : nullptr; }

  /// Whether somebody would have to watch, should nobody be asleep.
  bool lacks_a_watch() const { return !all_are_called() && !somebody_watches_.load(platform::relaxed); }  // as see_to_watch

  /// Effect: a worker that searched has a task. If it is its first in this run, it calls others, if it is time for more. If it
  /// was to watch, or `nobody_sleeps`, somebody watches from here on. Cost: a load where all were called.
  void found_a_task(member& self, bool nobody_sleeps);
  /// Effect: something for this worker alone is visible: it is called, if it takes no part; into the next run, if none goes on.
  /// Pre: a fence since. Threads: any.
  void call_if_absent(member& receiver);
  /// Effect: something came from outside, and nobody slept who could be woken for it: calls one more. Pre: the caller keeps the
  /// run from ending. Threads: any.
  void call_another();
  /// Effect: calls all that take no part.
  void call_all();
  /// Returns: how many are called at the begin of a run, those with the smallest numbers.
  unsigned called_first() const {
    const auto all = static_cast<unsigned>(members_.size());
    return by_need_ ? std::min(first_group_, all) : all;
  }
  /// Effect: the worker has a task at the begin of the next run, and is called into it. Pre: no run goes on.
  void has_initial(unsigned id) {
    if (id >= called_first()) call_all_next();
  }

 private:
  static constexpr std::uint32_t is_closed = std::uint32_t{1} << 31;
  /// Of words for calls: the team ends; the worker is to come, not only to watch, until its thread takes note; a call.
  static constexpr std::uint32_t ends = 1, is_to_come = 2, one_call = 4;
  enum class purpose : std::uint8_t { to_come, to_watch };
  enum class nap_end : std::uint8_t { called, time_to_come, given_up };

  /// What was seen of a run: tasks that had ended then, and how often its workers had begun to search.
  struct look {
    std::uint64_t at_ns = 0, progress = 0, searches_begun = 0;
  };

  /// Whether all were called in this run, or take part. relaxed: an old number calls somebody in vain, or sees to a watch.
  bool all_are_called() const { return !by_need_ || next_.load(platform::relaxed) >= members_.size(); }
  /// Those that are called at the begin of each run sleep on one word.
  bool has_own_calls(const member& called) const { return by_need_ && called.id >= first_group_; }
  sleepers::word& calls_to(member& called) { return has_own_calls(called) ? called.calls : calls_to_group_; }
  /// Effect: all are called at the begin of the next run.
  void call_all_next() { all_next_.store(true, platform::relaxed); }  // relaxed: ordered by fences, or by who calls run
  void await_call(member& self);
  bool try_to_take_part(member& self);
  void call(member& absentee, purpose why = purpose::to_come);
  bool call_next(purpose why = purpose::to_come);
  static bool give_watch(member& absentee);
  bool wants_more(const member& self, look& before, std::uint64_t now_ns);
  void see_to_watch();
  void give_up_watch(member& self);
  bool somebody_sleeps() const;
  nap_end nap(member& self);
  bool stops_watching(member& self);

  const bool by_need_;
  const run_totals* progress_ = nullptr;
  unsigned first_group_ = 1;
  unsigned first_far_ = 0;  ///< the first worker of another package than worker 0's; as many as there are: none is
  std::span<member* const> members_;

  /// [enter] How many take part, and whether the run is over. Who takes part or closes it releases what it did before.
  alignas(cache_line_bytes) platform::atomic<std::uint32_t> entered_{is_closed};
  alignas(cache_line_bytes) platform::atomic<std::uint32_t> end_{0};   ///< thieves read it each time
  alignas(cache_line_bytes) platform::atomic<std::uint32_t> next_{0};  ///< to be called, if it takes no part
  platform::atomic<std::uint32_t> wanted_{0};                          ///< so many are to be called
  platform::atomic<std::uint64_t> begun_ns_{0};
  platform::atomic<bool> somebody_watches_{false};  ///< member::watches of somebody
  platform::atomic<bool> all_next_{false};
  alignas(cache_line_bytes) sleepers::word calls_to_group_{0};
};

}  // namespace TEFF_NAMESPACE::workers
