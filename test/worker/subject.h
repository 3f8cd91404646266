// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A team on any pool, with everything around it that can find a mistake; and the schedules under which it is tried.
#pragma once

#include "mem/wrap/counting.h"
#include "pool/catalogue.h"
#include "pool/wrap/checking.h"
#include "pool/wrap/counting.h"
#include "pool/wrap/faulty.h"
#include "runtime/make_team.h"
#include "script.h"
#include "worker/loop.h"

#include <functional>
#include <optional>
#include <string>
#include <type_traits>

#ifdef TEFF_SIMULATED
#include "sim/sim.h"
#endif

namespace teff::inline TEFF_PLATFORM::conformance {

/// How a pool is tried.
struct plan {
  unsigned workers = 1;
  pool::order alone = pool::order::lifo;  ///< promised to a single worker
  std::string memory = "dlf";
  pool::wrap::fault planted = {};  ///< for pools with a `faulty` around them
  std::uint64_t seeds = 2;         ///< schedules for each scenario, in simulation
  bool expects_failure = false;    ///< the run may be left without an end: what it owns then is no leak
};

/// What went wrong; the first sentence is kept. Threads: any.
class findings : public pool::wrap::violations {
 public:
  void expect(bool holds, const std::string& otherwise) {
    if (!holds) add(otherwise);
  }
  void expect_none(const std::string& problem) { expect(problem.empty(), problem); }
};

/// Effect: calls the body: once natively, under several random schedules in simulation. Returns: the first problem, or nothing.
inline std::string on_this_side([[maybe_unused]] const plan& how, const std::function<void(findings&)>& body) {
#ifdef TEFF_SIMULATED
  for (std::uint64_t seed = 1; seed <= how.seeds; ++seed) {
    sim::options options;
    options.processors_at_most = how.workers;
    options.strategy = sim::strategy::random;
    options.seed = seed;
    options.expects_failure = how.expects_failure;
    findings found;
    const sim::outcome ended = sim::simulate(options, [&] { body(found); });
    if (!ended.ok()) return ended.report;
    found.expect(ended.leftover_blocks == 0, std::to_string(ended.leftover_blocks) + " blocks of the system are left");
    if (found.count() > 0) return found.first() + " (strategy=random seed=" + std::to_string(seed) + ")";
  }
  return {};
#else
  findings found;
  body(found);
  return found.first();
#endif
}

/// Bare: the pool alone, so that no lock but its own orders anything. Checked: the contract and every block are watched.
enum class dressing { bare, checked };

/// A team of the planned size on Pool. Effect of its end: says what is wrong with what is left.
template <class Pool, dressing Dressing>
class subject {
 public:
  using tested = std::conditional_t<Dressing == dressing::checked, pool::wrap::checking<pool::wrap::counting<Pool>>, Pool>;

  subject(const plan& how, findings& found, pool::wake_policy wake = {}, pool::wait_policy wait = pool::wait_policy::park)
      : found_(found), instruments_{&numbers_, nullptr, &violations_, &how.planted} {
    const workers::team_shape shape{
        .workers = how.workers, .seed = 1, .pin = false, .argument_bytes = 64, .wake = wake, .wait = wait};
    team_.emplace(
        shape, set_,
        [&](unsigned workers, std::size_t task_block_bytes) {
          // Small amounts, so that blocks are used up and lists are handed over often.
          mem::amounts sizes;
          sizes.elements_per_block = 8;
          sizes.elements_per_list = 32;
          sizes.local_limit = 4;
          mem::memory plain = runtime::make_memory(how.memory, workers, task_block_bytes, 64, sizes);
          return Dressing == dressing::checked ? mem::wrap::counted(std::move(plain), blocks_) : std::move(plain);
        },
        [this](const pool::environment& from) { return make_pool(from); });
  }
  subject(const subject&) = delete;
  subject& operator=(const subject&) = delete;

  ~subject() {
    // What runs first because of the bound is never put; a creator that keeps its worker goes on without the pool.
    const auto puts = value(trace::counter::puts) - value(trace::counter::run_first), inits = value(trace::counter::inits);
    team_.reset();
    if (Dressing == dressing::bare) return;
    found_.expect_none(violations_.first());
    found_.expect_none(blocks_.problem());
    found_.expect_none(numbers_.add_up(0));
    using pool::wrap::answer;
    using pool::wrap::operation;
    found_.expect(numbers_.calls(operation::put) == puts, "the pool saw other puts than the team counted");
    found_.expect(numbers_.calls(operation::init) - numbers_.value(operation::init, answer::refused) == inits,
                  "the pool saw other initial tasks than the team counted");
  }

  workers::team_of<tested>& team() { return *team_; }
  tested& pool() { return team_->pool(); }
  unsigned workers() const { return team_->workers(); }

  void init(step& initial) { found_.expect(team_->init(initial.as_task()), "an initial task was refused"); }

  /// Effect: one run, after which everything must add up.
  void run() {
    const auto result = team_->run();
    found_.expect(result == workers::run_result::finished, "the run is stuck: tasks are left that no worker can get");
    using enum trace::counter;
    found_.expect(value(tasks_run) == value(puts) + value(inits) + value(injections),
                  "tasks_run is " + std::to_string(value(tasks_run)) + ", but puts, inits and injections are " +
                      std::to_string(value(puts) + value(inits) + value(injections)));
    found_.expect(value(steal_attempts) == value(steals_got) + value(steals_empty) + value(steals_lost),
                  "steal attempts are not the sum of those that got, found nothing, and lost");
    found_.expect(value(tasks_stolen) >= value(steals_got), "fewer tasks were stolen than steals succeeded");
  }

  std::uint64_t value(trace::counter which) const { return team_->totals().counters[static_cast<unsigned>(which)]; }
  /// Whether the pool took every task that was put; else some ran at once, in an order of their own.
  bool took_every_task() const { return value(trace::counter::in_place_for_memory) == 0; }

 private:
  tested make_pool(const pool::environment& from) const {
    if constexpr (std::is_constructible_v<tested, const pool::environment&, const pool::wrap::instruments&>) {
      return tested(from, instruments_);
    } else {
      return tested(from);
    }
  }

  findings& found_;
  const pool::settings set_;
  // What outlives the pool, because it is asked afterwards.
  mem::wrap::block_book blocks_;
  pool::wrap::tally numbers_;
  pool::wrap::violations violations_;
  const pool::wrap::instruments instruments_;
  std::optional<workers::team_of<tested>> team_;
};

}  // namespace teff::inline TEFF_PLATFORM::conformance
