// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One run of a study: jobs that arrive, on a team, and what is seen of them.
#pragma once

#include "apps/per_worker.h"
#include "apps/run_queues/jobs.h"
#include "teff/teff.hpp"

#include <cstdint>
#include <vector>

namespace TEFF_NAMESPACE::apps {

/// What tasks of one worker did and saw.
struct tally {
  std::uint64_t tasks = 0;
  std::uint64_t computations = 0;
  std::uint64_t charged = 0;     ///< units, of computations and held locks
  std::uint64_t elapsed_ns = 0;  ///< meanwhile
  // Between the arrival of the first job that counts and that of the last one.
  std::uint64_t useful_ns = 0;
  std::uint64_t waiting_ns = 0;  ///< at locks and barriers
  std::uint64_t waits = 0;       ///< visits of locks and barriers, at any time
  // What must not be.
  std::uint64_t begun_twice = 0;
  std::uint64_t not_exclusive = 0;
  std::uint64_t out_of_phase = 0;

  tally& operator+=(const tally& other);
};

/// What a team has counted so far, in nanoseconds over all workers.
struct worker_times {
  std::uint64_t spun = 0;    ///< in which tasks kept them, spinning
  std::uint64_t queues = 0;  ///< at run queues; 0 where that is not counted
};

/// Jobs that arrive in a team.
///
/// A front end is a task that blocks: a thread beside the workers, which sleeps until the next job arrives, and puts the job's
/// tasks together. It never waits for a job, so that late insertion delays no later arrival. A job's response counts from its
/// arrival to the end of its last task.
/// Threads: one calls run at a time.
class study {
 public:
  /// Borrows: the rules.
  study(const job_rules& rules, std::uint64_t seed) : rules_(rules), seed_(seed) {}

  /// Effect: lets all jobs arrive, and returns when they have ended. Errors: what team::run throws; then the jobs that have not
  /// ended are left where they are, as their tasks are.
  void run(team& workers);

  /// What the tasks of all workers did in the last run.
  tally total() const;
  /// Of the last run: by the numbers of jobs, when they arrived and ended, in mean times of a task after its beginning.
  const std::vector<double>& arrivals() const { return arrivals_; }
  std::vector<double> ends() const;
  /// What the team counted between the arrival of the first job that counts and that of the last one. Each time counts where it
  /// ends: those that go on over an arrival are few.
  worker_times between() const { return {at_last_.spun - at_first_.spun, at_last_.queues - at_first_.queues}; }
  /// Whether the front end had a thread of its own. If the system refuses it, a worker sleeps with the front end: the team is
  /// smaller, and what comes to that worker's queue waits for the last arrival.
  bool had_own_thread() const { return had_own_thread_; }
  /// Returns: nanoseconds in a mean time of a task.
  double ns_per_time() const { return ns_per_time_; }
  unsigned workers() const { return workers_; }

 private:
  struct job;
  struct task_of_job {
    job* of;
    std::uint32_t index;
    void operator()(context& here) const;
  };

  void be_front_end(team& workers);
  void run_task(context& here, job& own, std::uint32_t index);
  void compute(context& here, std::uint64_t units);
  void in_turn(context& here, job& own);
  void meet(context& here, job& own, std::uint32_t iteration);
  void end_task(job& own);
  void note_wait(context& here, std::uint64_t since);
  std::uint64_t moment(double time) const { return start_ns_ + static_cast<std::uint64_t>(time * ns_per_time_); }
  std::uint64_t counted_part(std::uint64_t from, std::uint64_t to) const;

  const job_rules& rules_;
  const std::uint64_t seed_;
  double ns_per_time_ = 0;
  unsigned workers_ = 0;
  std::uint64_t start_ns_ = 0, first_ns_ = 0, last_ns_ = 0;  ///< of the run; between which it counts
  std::vector<double> arrivals_;
  std::vector<std::uint64_t> ends_ns_;  ///< each written by who ends the job
  worker_times at_first_, at_last_;     ///< written by the front end
  bool had_own_thread_ = false;
  per_worker<tally> tallies_;
};

}  // namespace TEFF_NAMESPACE::apps
