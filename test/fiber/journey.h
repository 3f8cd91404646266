// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A program that waits in all places, on pools under which a fiber goes on on another worker each time.
#pragma once

#include "migrating.h"
#include "setting_aside.h"

#include "pool/catalogue.h"
#include "runtime/make_team.h"
#include "test/worker/script.h"
#include "worker/loop.h"

#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>

#ifdef TEFF_SIMULATED
#include "sim/sim.h"
#endif

namespace TEFF_NAMESPACE::testing_fiber {

using pool::wrap::violations;

template <class Pool, class... Others>
inline constexpr bool is_one_of = (std::is_same_v<Pool, Others> || ...);

template <class Pool, class Rules = workers::rules>
workers::team_of<Pool, Rules> make_team(unsigned workers, const pool::wrap::instruments& with = {}) {
  const workers::team_shape shape{
      .workers = workers, .seed = 1, .pin = {}, .argument_bytes = 64, .wake = {}, .wait = pool::wait_policy::park};
  return workers::team_of<Pool, Rules>(
      shape, pool::settings{},
      [](unsigned real, std::size_t task_block_bytes) { return runtime::make_memory("dlf", real, task_block_bytes, 64); },
      [&with](const pool::environment& from) {
        static_cast<void>(with);
        if constexpr (std::is_constructible_v<Pool, const pool::environment&, const pool::wrap::instruments&>)
          return Pool(from, with);
        else return Pool(from);
      });
}

/// Effect: says so if a task does not know its worker.
inline void look_around(context& here, const char* when, violations& found) {
  if (&here.current() != platform::current()) found.add(std::string("the context stands for another worker ") + when);
}

/// A task that is set aside while it waits, in a catch block, while an exception unwinds its stack, and with a lock.
class traveller {
 public:
  explicit traveller(violations& found) : found_(found) {}

  /// Effect: as many tasks as it says, each through all of it.
  void go(context& here, unsigned tasks) {
    task_group group;
    for (unsigned task = 0; task < tasks; ++task) group.put(here, [this](context& own) { travel(own); });
    group.wait(here);
    look_around(here, "after the wait for all", found_);
    if (inside_ != 0 || travelled_ != tasks) found_.add("not every task came to its end, each once inside the lock");
  }

 private:
  struct steps_aside_in_its_end {
    context& here;
    ~steps_aside_in_its_end() { step_aside(here); }
  };

  void travel(context& here) {
    for (unsigned leg = 0; leg < 3; ++leg) {
      step_aside(here);
      look_around(here, "after a switch", found_);
    }
    wait_for_children(here);
    throw_and_catch(here);
    const std::lock_guard guard(one_at_a_time_);
    if (inside_++ != 0) found_.add("two tasks hold one mutex");
    step_aside(here);
    ++travelled_;
    --inside_;
  }

  void wait_for_children(context& here) {
    task_group children;
    for (unsigned child = 0; child < 3; ++child) {
      children.put(here, [this](context& own) {
        step_aside(own);
        look_around(own, "in a child", found_);
      });
    }
    children.wait(here);
    look_around(here, "after the wait for children", found_);
  }

  void throw_and_catch(context& here) {
    try {
      const steps_aside_in_its_end guard{here};
      throw std::runtime_error("planted");
    } catch (const std::runtime_error& caught) {
      look_around(here, "in a catch block", found_);
      if (std::uncaught_exceptions() != 0) found_.add("an exception that was caught counts as uncaught");
      step_aside(here);
      if (std::string(caught.what()) != "planted" || std::current_exception() == nullptr)
        found_.add("a caught exception is gone after a switch");
    }
    if (std::current_exception() != nullptr) found_.add("an exception is current after its catch block");
  }

  violations& found_;
  mutex one_at_a_time_;
  unsigned inside_ = 0, travelled_ = 0;  // under the mutex
};

/// Effect: one run of a new team.
inline void travel_on(workers::team_base& on, violations& found) {
  traveller program(found);
  conformance::script tasks;
  conformance::step& root = tasks.add([&](worker& current) { program.go(*current.here, 6); });
  on.init(root.as_task());
  if (on.run() != workers::run_result::finished) found.add("the run is stuck");
  if (on.take_exception() != nullptr) found.add("an exception escaped");
  const auto totals = on.totals();
  const auto of = [&](trace::counter which) { return totals.counters[static_cast<unsigned>(which)]; };
  if (of(trace::counter::tasks_run) != of(trace::counter::puts) + 1) found.add("the counters of tasks do not add up");
}

/// Effect: one run. Returns: the first problem; how often a fiber changed its worker is added to `migrations`.
template <class Pool, class Rules = workers::rules>
std::string travel_once(unsigned workers, std::uint64_t& migrations) {
  violations found;
  {
    auto on = make_team<migrating<Pool>, Rules>(workers, {.found = &found});
    travel_on(on, found);
    migrations += on.pool().migrations();
  }
  return found.first();
}

/// Effect: calls visit.operator()<Pool>(entry) for one pool of each form, and for one whose waits suspend: where a pool keeps its
/// tasks makes no difference to fibers, and a team takes a second to compile.
template <class Visitor>
void for_each_form(Visitor&& visit) {
  pool::for_each_pool([&]<class Pool>(const pool::entry& each) {
    if constexpr (is_one_of<Pool, pool::sq1, pool::sq4, pool::dq1, pool::dq5, pool::dq8, pool::sdq1,
                            pool::hierarchical_run_queues, pool::default_pool>)
      visit.template operator()<Pool>(each);
  });
}

#ifdef TEFF_SIMULATED
inline sim::options random_schedule(unsigned workers, std::uint64_t seed) {
  sim::options options;
  options.processors_at_most = workers;
  options.strategy = sim::strategy::random;
  options.seed = seed;
  return options;
}
#endif

/// Effect: once natively, under several random schedules in simulation. Returns: the first problem.
template <class Pool, class Rules = workers::rules>
std::string travel(unsigned workers, std::uint64_t& migrations, [[maybe_unused]] bool expects_failure = false) {
#ifdef TEFF_SIMULATED
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    sim::options options = random_schedule(workers, seed);
    options.expects_failure = expects_failure;
    std::string problem;
    const sim::outcome ended = sim::simulate(options, [&] { problem = travel_once<Pool, Rules>(workers, migrations); });
    if (!ended.ok()) return ended.report;
    if (!problem.empty()) return problem + " (strategy=random seed=" + std::to_string(seed) + ")";
  }
  return {};
#else
  return travel_once<Pool, Rules>(workers, migrations);
#endif
}

}  // namespace TEFF_NAMESPACE::testing_fiber
