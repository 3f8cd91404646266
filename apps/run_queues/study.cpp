// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/run_queues/study.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>

namespace TEFF_NAMESPACE::apps {

/// What passes between the last arrival at a barrier and the next iteration.
struct barrier_time {
  std::uint64_t units;
  void operator()() const noexcept { this_task::charge(units); }
};

namespace {

wait_policy policy_of(const job_rules& rules) {
  if (rules.wait == "spin") return wait_policy::spin;
  return rules.wait == "block" ? wait_policy::block : wait_policy::spin_then_block;
}

/// Returns: nanoseconds in a number of units of charge. Natively the least of several: what disturbs only adds.
double time_of(std::uint64_t units) {
  std::uint64_t least = ~std::uint64_t{0};
  for (int each = 0; each < 5; ++each) {
    const std::uint64_t since = platform::now_ns();
    this_task::charge(units);
    least = std::min(least, platform::now_ns() - since);
  }
  return static_cast<double>(std::max<std::uint64_t>(least, 1));
}

worker_times times_of(const team& workers) {
  const statistics counted = workers.stats();
  return {counted.value("spun_ns"), counted.value("queue_access_ns")};
}

}  // namespace

tally& tally::operator+=(const tally& other) {
  tasks += other.tasks;
  computations += other.computations;
  charged += other.charged;
  elapsed_ns += other.elapsed_ns;
  useful_ns += other.useful_ns;
  waiting_ns += other.waiting_ns;
  waits += other.waits;
  begun_twice += other.begun_twice;
  not_exclusive += other.not_exclusive;
  out_of_phase += other.out_of_phase;
  return *this;
}

/// Made when it arrives; its last task destroys it. In lines of its own, so that what lies beside it does not matter.
struct alignas(64) study::job {
  job(study& its_study, std::uint64_t its_number)
      : in(its_study),
        number(its_number),
        plan(its_study.rules_, its_study.seed_, its_number),
        unfinished(plan.tasks()),
        lock(policy_of(its_study.rules_)),
        begun(plan.tasks()) {
    if (in.rules_.is("barrier")) barrier.emplace(plan.tasks(), barrier_time{plan.barrier()}, policy_of(its_study.rules_));
  }

  study& in;
  const std::uint64_t number;
  const job_plan plan;
  platform::atomic<std::uint32_t> unfinished;
  mutex lock;
  unsigned inside = 0;  ///< tasks that hold the lock
  std::optional<teff::TEFF_PLATFORM::barrier<barrier_time>> barrier;
  platform::atomic<std::uint64_t> arrivals{0};  ///< at the barrier
  std::vector<std::uint8_t> begun;              ///< each written by one task
};

void study::task_of_job::operator()(context& here) const { of->in.run_task(here, *of, index); }

void study::run(team& workers) {
  ns_per_time_ = time_of(rules_.unit);
  workers_ = workers.workers();
  tallies_.clear(workers_);
  ends_ns_.assign(rules_.jobs, 0);
  arrivals_.clear();
  double now = 0;
  for (std::uint64_t number = 0; number < rules_.jobs; ++number)
    arrivals_.push_back(now += job_plan(rules_, seed_, number).gap());
  workers.init([this, &workers](context&) { blocking([&] { be_front_end(workers); }); });
  workers.run();
}

void study::be_front_end(team& workers) {
  had_own_thread_ = platform::current() == nullptr;  // else it is still its worker's
  injector entry(workers);
  start_ns_ = platform::now_ns();
  first_ns_ = moment(arrivals_[rules_.warmup]);
  last_ns_ = moment(arrivals_.back());
  std::vector<task_of_job> together;
  for (std::uint64_t number = 0; number < rules_.jobs; ++number) {
    // An access is a test of the queue's lock and a visit, each with a delay of the front end's network (§4).
    sync::sleep_until(moment(arrivals_[number] + 2 * rules_.front));
    auto made = std::make_unique<job>(*this, number);
    together.clear();
    for (std::uint32_t index = 0; index < made->plan.tasks(); ++index) together.push_back({made.get(), index});
    entry.put_all(std::span(together));
    [[maybe_unused]] const job* const left = made.release();  // its tasks have it
    // After the insertion, which it does not delay so.
    if (number == rules_.warmup) at_first_ = times_of(workers);
    if (number + 1 == rules_.jobs) at_last_ = times_of(workers);
  }
}

void study::run_task(context& here, job& own, std::uint32_t index) {
  tally& seen = tallies_[here.worker_id()];
  ++seen.tasks;
  if (own.begun[index]++ != 0) ++seen.begun_twice;
  auto demands = own.plan.of_task(index);
  for (std::uint32_t iteration = 0; iteration < own.plan.iterations(); ++iteration) {
    ++tallies_[here.worker_id()].computations;
    compute(here, demands.next());
    if (rules_.is("lock")) in_turn(here, own);
    else if (rules_.is("barrier")) meet(here, own, iteration);
  }
  end_task(own);
}

void study::compute(context& here, std::uint64_t units) {
  const std::uint64_t since = platform::now_ns();
  this_task::charge(units);
  const std::uint64_t now = platform::now_ns();
  tally& seen = tallies_[here.worker_id()];
  seen.charged += units;
  seen.elapsed_ns += now - since;
  seen.useful_ns += counted_part(since, now);
}

/// The critical section. A task that is alone needs no lock (§6.1).
void study::in_turn(context& here, job& own) {
  if (own.plan.tasks() == 1) return compute(here, own.plan.hold());
  const std::uint64_t since = platform::now_ns();
  own.lock.lock();
  note_wait(here, since);
  if (++own.inside != 1) ++tallies_[here.worker_id()].not_exclusive;
  compute(here, own.plan.hold());
  if (--own.inside != 0) ++tallies_[here.worker_id()].not_exclusive;
  own.lock.unlock();
}

void study::meet(context& here, job& own, std::uint32_t iteration) {
  const std::uint64_t tasks = own.plan.tasks();
  if (tasks == 1) return;
  const std::uint64_t since = platform::now_ns();
  own.arrivals.fetch_add(1, platform::relaxed);  // the barrier orders it
  if (own.barrier) own.barrier->arrive_and_wait();
  note_wait(here, since);
  // All have arrived, and this one has not arrived again.
  const std::uint64_t arrived = own.arrivals.load(platform::relaxed);
  if (arrived < (iteration + 1) * tasks || arrived >= (iteration + 2) * tasks) ++tallies_[here.worker_id()].out_of_phase;
}

void study::end_task(job& own) {
  // acq_rel: the last one sees what the others did, and that they are done with the job.
  if (own.unfinished.fetch_sub(1, platform::acq_rel) != 1) return;
  ends_ns_[own.number] = platform::now_ns();
  delete &own;
}

void study::note_wait(context& here, std::uint64_t since) {
  tally& seen = tallies_[here.worker_id()];
  ++seen.waits;
  seen.waiting_ns += counted_part(since, platform::now_ns());
}

std::uint64_t study::counted_part(std::uint64_t from, std::uint64_t to) const {
  from = std::max(from, first_ns_);
  to = std::min(to, last_ns_);
  return from < to ? to - from : 0;
}

tally study::total() const {
  tally sum;
  tallies_.for_each([&](const tally& each) { sum += each; });
  return sum;
}

std::vector<double> study::ends() const {
  std::vector<double> ends;
  ends.reserve(ends_ns_.size());
  for (const std::uint64_t each : ends_ns_) ends.push_back(static_cast<double>(each - start_ns_) / ns_per_time_);
  return ends;
}

}  // namespace TEFF_NAMESPACE::apps
