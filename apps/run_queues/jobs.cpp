// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/run_queues/jobs.h"

#include <bit>
#include <cmath>

namespace TEFF_NAMESPACE::apps {

double job_rules::mean_tasks() const {
  const auto number = static_cast<double>(tasks);
  return batch == "uniform" ? (1 + number) / 2 : number;
}

double job_rules::mean_work() const {
  if (!iterates()) return mean_tasks() * compute;
  const double mean_iterations = (1 + static_cast<double>(iterations)) / 2;
  return mean_tasks() * mean_iterations * (compute + (is("lock") ? hold : 0));
}

job_plan::job_plan(const job_rules& rules, std::uint64_t seed, std::uint64_t number)
    : rules_(rules), seed_(seed), number_(number) {
  // Drawn with a mean of 1: so a job is the same at every load.
  gap_ = stream(seed, number, arrival).exponential(1) * rules.mean_work() / (rules.load * static_cast<double>(rules.processors));
  stream draws(seed, number, shape);
  const auto most = static_cast<std::uint32_t>(rules.tasks);
  if (rules.batch == "uniform") tasks_ = draws.whole_up_to(most);
  else tasks_ = rules.batch == "exponential" ? draws.whole_exponential(rules.mean_tasks()) : most;
  if (rules.iterates()) iterations_ = draws.whole_up_to(static_cast<std::uint32_t>(rules.iterations));
}

job_plan::computations job_plan::of_task(std::uint32_t index) const {
  return {rules_, stream(seed_, number_, means), stream(seed_, number_, first_task + index)};
}

std::uint64_t job_plan::computations::next() {
  double time = 0;
  if (!rules_.iterates()) {
    time = of_task_.varied(rules_.compute, rules_.cv);
  } else {
    // §7.1, and so read for §6.1, too: an iteration has a mean for all tasks of the job, around which they differ.
    const double mean = of_job_.varied(rules_.compute, rules_.cv);
    time = mean * of_task_.between(1 - rules_.vary, 1 + rules_.vary);
  }
  return static_cast<std::uint64_t>(std::llround(time * static_cast<double>(rules_.unit)));
}

std::uint64_t job_plan::hold() const {
  return static_cast<std::uint64_t>(std::llround(rules_.hold * static_cast<double>(rules_.unit)));
}

std::uint64_t job_plan::barrier() const {
  const auto levels = static_cast<double>(std::bit_width(tasks_ - 1u));
  return static_cast<std::uint64_t>(std::llround(rules_.network * levels * static_cast<double>(rules_.unit)));
}

}  // namespace TEFF_NAMESPACE::apps
