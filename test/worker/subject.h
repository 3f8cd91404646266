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

namespace TEFF_NAMESPACE::conformance {

/// How a pool is tried.
struct plan {
  unsigned workers = 1;
  pool::order alone = pool::order::lifo;  ///< promised to a single worker
  std::string memory = "dlf";
  pool::wrap::fault planted = {};  ///< for pools with a `faulty` around them
  std::uint64_t seeds = 2;         ///< schedules for each scenario, in simulation
  pool::domain_grid domains = {};
  bool expects_failure = false;  ///< the run may be left without an end: what it owns then is no leak
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

/// What the suite asks of a pool, whatever its type: so the suite is compiled once, and a pool adds its team and these few calls.
class pool_face {
 public:
  virtual ~pool_face() = default;
  virtual pool::advice put(worker& current, const task& next) = 0;
  virtual pool::advice inject(const task& next) = 0;
  virtual pool::get_result get(worker& current, task& out) = 0;
  virtual bool take_back(worker& current, const task& wanted) = 0;
  virtual bool take(worker& current, const std::function<bool(const task&)>& wanted, task& out) = 0;
  virtual void close(worker& first) = 0;
};

template <class Pool>
class face_of final : public pool_face {
 public:
  explicit face_of(Pool& of) : of_(of) {}
  pool::advice put(worker& current, const task& next) override { return of_.put(current, next); }
  pool::advice inject(const task& next) override { return of_.inject(std::span<const task>(&next, 1)); }
  pool::get_result get(worker& current, task& out) override { return of_.get(current, out, pool::reach::whole); }
  bool take_back(worker& current, const task& wanted) override {
    task out;
    return of_.take(current, pool::exactly{wanted}, out, pool::reach::own).has_task();
  }
  bool take(worker& current, const std::function<bool(const task&)>& wanted, task& out) override {
    return of_.take(current, wanted, out, pool::reach::whole).has_task();
  }
  void close([[maybe_unused]] worker& first) override {
    if constexpr (pool::closes<Pool>) of_.close(first);
  }

 private:
  Pool& of_;
};

/// A team on some pool.
class any_team {
 public:
  virtual ~any_team() = default;
  virtual workers::team_base& team() = 0;
  virtual pool_face& pool() = 0;
};

template <class Pool>
class team_on final : public any_team {
 public:
  using make_memory = std::function<mem::memory(unsigned workers, std::size_t task_block_bytes)>;
  team_on(const workers::team_shape& shape, const pool::settings& set, const make_memory& memory,
          const pool::wrap::instruments& with)
      : team_(shape, set, memory, [&](const pool::environment& from) { return make_pool(from, with); }), face_(team_.pool()) {}
  workers::team_base& team() override { return team_; }
  pool_face& pool() override { return face_; }

 private:
  static Pool make_pool(const pool::environment& from, [[maybe_unused]] const pool::wrap::instruments& with) {
    if constexpr (std::is_constructible_v<Pool, const pool::environment&, const pool::wrap::instruments&>) {
      return Pool(from, with);
    } else {
      return Pool(from);
    }
  }

  workers::team_of<Pool> team_;
  face_of<Pool> face_;
};

/// A pool without a team.
class any_pool {
 public:
  virtual ~any_pool() = default;
  virtual pool_face& face() = 0;
};

template <class Pool>
class pool_alone final : public any_pool {
 public:
  explicit pool_alone(const pool::environment& from) : pool_(from), face_(pool_) {}
  pool_face& face() override { return face_; }

 private:
  Pool pool_;
  face_of<Pool> face_;
};

/// What is tried: a type of pools, and how it is dressed.
struct trial {
  dressing dressed;
  const pool::pool_traits* traits;
  std::unique_ptr<any_pool> (*make_pool)(const pool::environment& from);
  std::unique_ptr<any_team> (*make_team)(const workers::team_shape& shape, const pool::settings& set,
                                         const std::function<mem::memory(unsigned, std::size_t)>& memory,
                                         const pool::wrap::instruments& with);
};

template <class Pool, dressing Dressing>
inline constexpr trial trial_of = {
    Dressing,
    &Pool::traits,
    [](const pool::environment& from) -> std::unique_ptr<any_pool> { return std::make_unique<pool_alone<Pool>>(from); },
    [](const workers::team_shape& shape, const pool::settings& set,
       const std::function<mem::memory(unsigned, std::size_t)>& memory,
       const pool::wrap::instruments& with) -> std::unique_ptr<any_team> {
      using tested = std::conditional_t<Dressing == dressing::checked, pool::wrap::checking<pool::wrap::counting<Pool>>, Pool>;
      return std::make_unique<team_on<tested>>(shape, set, memory, with);
    },
};

/// A team of the planned size on a pool. Effect of its end: says what is wrong with what is left.
class subject {
 public:
  subject(const trial& of, const plan& how, findings& found, pool::wake_policy wake = {},
          pool::wait_policy wait = pool::wait_policy::park);
  subject(const subject&) = delete;
  subject& operator=(const subject&) = delete;
  ~subject();

  workers::team_base& team() { return team_->team(); }
  pool_face& pool() { return team_->pool(); }
  unsigned workers() const { return team_->team().workers(); }

  void init(step& initial) { found_.expect(team().init(initial.as_task()), "an initial task was refused"); }
  void init(step& initial, unsigned worker_id) {
    found_.expect(team().init(worker_id, initial.as_task()), "an initial task was refused");
  }
  /// Effect: one run, after which everything must add up.
  void run();

  std::uint64_t value(trace::counter which) const { return team_->team().totals().counters[static_cast<unsigned>(which)]; }
  /// Whether the pool took every task that was put; else some ran at once, in an order of their own.
  bool took_every_task() const { return value(trace::counter::in_place_for_memory) == 0; }

 private:
  const dressing dressed_;
  findings& found_;
  const pool::settings set_;
  // What outlives the pool, because it is asked afterwards.
  mem::wrap::block_book blocks_;
  pool::wrap::tally numbers_;
  pool::wrap::violations violations_;
  const pool::wrap::instruments instruments_;
  std::unique_ptr<any_team> team_;
};

}  // namespace TEFF_NAMESPACE::conformance
