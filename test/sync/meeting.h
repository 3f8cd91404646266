// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tasks and foreign threads that meet at an object, all drawn from a seed: pool, workers, who is a task, and how they wait.
#pragma once

#include "teff/teff.hpp"

#include "platform/platform.h"
#include "test/support/linearizability.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef TEFF_SIMULATED
#include "sim/sim.h"
#endif

namespace TEFF_NAMESPACE::testing_sync {

/// The first thing that was wrong, said by any party.
class verdict {
 public:
  void expect(bool holds, const char* what) {
    const char* none = nullptr;
    if (!holds) wrong_.compare_exchange(none, what, platform::acq_rel);
  }
  std::string wrong() const {
    const char* const found = wrong_.load(platform::acquire);
    return found != nullptr ? found : "";
  }

 private:
  platform::atomic<const char*> wrong_{nullptr};
};

/// What all parties did and when, for the check whether one order of their calls explains it.
class history {
 public:
  using call = testing_support::call;

  explicit history(unsigned parties) : calls_(parties) {}
  /// Effect: notes a call; `made()` makes it and returns its result. Threads: each party on its own behalf.
  template <class Function>
  int note(unsigned party, int what, int argument, Function made) {
    const std::uint32_t begin = clock_.fetch_add(1, platform::seq_cst);
    const int result = made();
    calls_[party].push_back({what, argument, result, begin, clock_.fetch_add(1, platform::seq_cst)});
    return result;
  }
  template <class Model>
  bool is_explained_by(const Model& initial) const {
    std::vector<call> all;
    for (const auto& each : calls_) all.insert(all.end(), each.begin(), each.end());
    return testing_support::is_linearizable(all, initial);
  }

 private:
  std::vector<std::vector<call>> calls_;
  platform::atomic<std::uint32_t> clock_{0};
};

class meeting {
 public:
  explicit meeting(std::uint64_t seed) : dice_(seed * 0x9E3779B97F4A7C15 + 1), tasks_(dice_.below(4)) {
    const auto pools = list_pools();
    options_.pool = pools[dice_.below(static_cast<std::uint32_t>(pools.size()))].name;
    options_.workers = 1 + dice_.below(3);
    const bool only_threads = tasks_ == 0;
    // A task that only spins keeps its worker from running the one for which it waits.
    constexpr wait_policy all[] = {wait_policy::block, wait_policy::spin_then_block, wait_policy::spin};
    policy = all[dice_.below(only_threads ? 3 : 2)];
  }

  /// Returns: a number below `bound`. Threads: who prepares the meeting.
  unsigned draw(unsigned bound) { return dice_.below(bound); }
  /// Effect: a further party: a task, or a foreign thread.
  void add(std::function<void()> party) { (dice_.below(4) < tasks_ ? tasks_of_ : threads_).push_back(std::move(party)); }

  /// Effect: all parties, at once. Returns: what the team found wrong, or an empty text.
  std::string run() {
    team on(options_);
    for (auto& each : tasks_of_) on.init([&each](context&) { each(); });
    std::vector<platform::thread> running(threads_.size());
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      if (!running[i].start([](void* work) { (*static_cast<std::function<void()>*>(work))(); }, &threads_[i], {}))
        throw std::runtime_error("no thread");
    }
    std::string wrong;
    try {
      on.run();
    } catch (const std::logic_error& stuck) {
      wrong = stuck.what();
    }
    for (platform::thread& each : running) each.join();
    return wrong;
  }

  wait_policy policy;

 private:
  platform::random dice_;
  const unsigned tasks_;  ///< of four parties, on average, so many are tasks (0: none, 3: most)
  team_options options_;
  std::vector<std::function<void()>> tasks_of_, threads_;
};

/// Effect: one meeting. Returns: what was wrong, or an empty text.
template <class Scenario>
std::string play(std::uint64_t seed) {
  meeting drawn(seed);
  // Not destroyed if something was wrong: somebody may wait at its objects.
  auto* scenario = new Scenario(drawn);
  std::string wrong = drawn.run();
  if (wrong.empty()) wrong = scenario->end();
  if (wrong.empty()) delete scenario;
  return wrong;
}

/// Effect: plays one seed on this side of the seam. Returns: what was wrong, deadlocks included, or an empty text.
template <class Scenario>
std::string play_here(std::uint64_t seed, [[maybe_unused]] bool expects_failure = false) {
#ifdef TEFF_SIMULATED
  sim::options simulated;
  simulated.strategy = sim::strategy::random;
  simulated.seed = seed;
  simulated.expects_failure = expects_failure;
  std::string wrong;
  const sim::outcome ended = sim::simulate(simulated, [&] { wrong = play<Scenario>(seed); });
  if (!ended.ok()) return ended.report;
  return wrong;
#else
  return play<Scenario>(seed);
#endif
}

struct finding {
  std::uint64_t seed = 0;  ///< the first that found something; 0: none did
  std::string what;
};

template <class Scenario>
finding first_finding(std::uint64_t seeds, bool expects_failure = false) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    std::string wrong = play_here<Scenario>(seed, expects_failure);
    if (!wrong.empty()) return {seed, wrong};
  }
  return {};
}

}  // namespace TEFF_NAMESPACE::testing_sync
