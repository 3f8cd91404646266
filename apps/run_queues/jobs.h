// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What jobs consist of: the workload models of Dandamudi & Cheng (1996, §3, §6.1, §7.1).
#pragma once

#include "apps/run_queues/draws.h"

#include <cstdint>
#include <string>

namespace TEFF_NAMESPACE::apps {

/// What all jobs of a run are drawn from. Times are in mean times of a task, as the paper's; README.md has the keys.
struct job_rules {
  std::string program, wait, batch;
  std::uint64_t jobs = 0, warmup = 0;
  std::uint64_t processors = 0;
  std::uint64_t tasks = 0;       ///< of a job: exactly, at most, or on average: as `batch` says
  std::uint64_t iterations = 0;  ///< at most; of lock and barrier
  double load = 0;               ///< offered: work that arrives over what the processors can do
  double compute = 0, hold = 0;  ///< mean time of a computation; time for which the lock is held
  double vary = 0;               ///< tasks of a job differ by up to this share in each iteration; of lock and barrier
  double cv = 0;                 ///< coefficient of variation, of tasks (fork-join) or of the means of iterations
  double network = 0;            ///< Cd_in, of barriers
  double front = 0;              ///< Cd_fe
  std::uint64_t unit = 0;        ///< units of charge() in a mean time of a task

  bool is(const char* name) const { return program == name; }
  bool iterates() const { return !is("fork-join"); }
  double mean_tasks() const;
  /// Returns: the mean time that a job's tasks compute or hold the lock, together.
  double mean_work() const;
  /// Returns: the most tasks that a job may have; 0: any number.
  std::uint64_t largest_batch() const { return batch == "exponential" ? 0 : tasks; }
};

/// What is drawn when a job is created, and what each of its tasks will do. The same for the same seed, number and rules.
class job_plan {
 public:
  job_plan(const job_rules& rules, std::uint64_t seed, std::uint64_t number);

  std::uint32_t tasks() const { return tasks_; }
  std::uint32_t iterations() const { return iterations_; }
  /// Returns: the time since the last job's arrival.
  double gap() const { return gap_; }

  /// The computations of a task, one after the other.
  class computations {
   public:
    /// Returns: units of charge.
    std::uint64_t next();

   private:
    friend class job_plan;
    computations(const job_rules& rules, stream of_job, stream of_task) : rules_(rules), of_job_(of_job), of_task_(of_task) {}

    const job_rules& rules_;
    stream of_job_;  ///< each task goes over the means of the job's iterations for itself
    stream of_task_;
  };
  computations of_task(std::uint32_t index) const;
  /// Returns: the units for which the lock is held in each iteration.
  std::uint64_t hold() const;
  /// Returns: the units that a barrier takes after the last arrival: Cd_in × ⌈log₂ tasks⌉ (§7.1).
  std::uint64_t barrier() const;

 private:
  enum part : std::uint64_t { arrival, shape, means, first_task };

  const job_rules& rules_;
  std::uint64_t seed_, number_;
  double gap_;
  std::uint32_t tasks_, iterations_ = 1;
};

}  // namespace TEFF_NAMESPACE::apps
