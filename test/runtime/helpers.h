// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the tests of the public interface share: a body on either side of the seam, threads, and closures that are counted.
#pragma once

#include "teff/teff.hpp"

#include "platform/platform.h"

#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#ifdef TEFF_SIMULATED
#include "sim/sim.h"
#endif

namespace TEFF_NAMESPACE::testing_runtime {

inline constexpr platform::faults no_faults{};

/// Effect: plants these refusals from now on. The idle threads of an earlier test's default team may look meanwhile.
inline void plant(const platform::faults& wanted) {
  platform::faults& planted = platform::planted_faults();
  __atomic_store_n(&planted.allocations_until_refusal, wanted.allocations_until_refusal, __ATOMIC_RELAXED);
  __atomic_store_n(&planted.threads_until_refusal, wanted.threads_until_refusal, __ATOMIC_RELAXED);
  __atomic_store_n(&planted.no_fence_everywhere, wanted.no_fence_everywhere, __ATOMIC_RELAXED);
}

/// Effect: calls the body with these refusals planted: once natively, under several random schedules in simulation.
inline void on_this_side([[maybe_unused]] unsigned processors, const platform::faults& planted,
                         const std::function<void()>& body) {
  plant(planted);
#ifdef TEFF_SIMULATED
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    sim::options options;
    options.processors_at_most = processors;
    options.strategy = sim::strategy::random;
    options.seed = seed;
    const sim::outcome outcome = sim::simulate(options, body);
    EXPECT_TRUE(outcome.ok()) << outcome.report;
    EXPECT_EQ(outcome.leftover_blocks, 0u) << "seed " << seed;
    if (::testing::Test::HasFailure()) break;
  }
#else
  body();
#endif
  plant(no_faults);
}

inline void on_this_side(unsigned processors, const std::function<void()>& body) { on_this_side(processors, no_faults, body); }

/// A thread that is no worker; joined at the end of its scope.
class foreign_thread {
 public:
  explicit foreign_thread(std::function<void()> work) : work_(std::move(work)) {
    const bool started = thread_.start([](void* pointer) { static_cast<foreign_thread*>(pointer)->work_(); }, this, {});
    EXPECT_TRUE(started);
  }
  foreign_thread(const foreign_thread&) = delete;
  foreign_thread& operator=(const foreign_thread&) = delete;
  ~foreign_thread() { thread_.join(); }

 private:
  std::function<void()> work_;
  platform::thread thread_;
};

/// Counts the objects that hold one of its tokens, and what they were used for.
class census {
 public:
  class token {
   public:
    explicit token(census& of) : of_(&of) { of_->alive_.fetch_add(1, platform::relaxed); }
    token(const token& other) : token(*other.of_) {}
    token(token&& other) noexcept : token(*other.of_) {}
    token& operator=(const token&) = delete;
    ~token() { of_->alive_.fetch_sub(1, platform::acq_rel); }

    void ran() const { of_->runs_.fetch_add(1, platform::relaxed); }

   private:
    census* of_;
  };

  token make() { return token(*this); }
  int alive() const { return alive_.load(platform::acquire); }
  int runs() const { return runs_.load(platform::acquire); }

 private:
  platform::atomic<int> alive_{0}, runs_{0};
};

/// A complete binary tree of tasks; the run of each is counted in a cell of its own.
class tree {
 public:
  explicit tree(unsigned depth) : runs_(std::size_t{1} << depth) {}

  void start(team& on) {
    on.init([this](context& here) { node(here, 1); });
  }
  void node(context& here, std::size_t id) {
    runs_[id].fetch_add(1, platform::relaxed);
    if (2 * id >= runs_.size()) return;
    here.put([this, id](context& child) { node(child, 2 * id); });
    here.put([this, id](context& child) { node(child, 2 * id + 1); });
  }
  std::size_t tasks() const { return runs_.size() - 1; }
  /// Returns: the first task that did not run so many times, or 0.
  std::size_t first_not_run(int times) const {
    for (std::size_t id = 1; id < runs_.size(); ++id) {
      if (runs_[id].load(platform::relaxed) != times) return id;
    }
    return 0;
  }

 private:
  std::vector<platform::atomic<int>> runs_;
};

/// Returns: the sentence of the usage_error that `action` throws, or an empty one.
inline std::string sentence_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const usage_error& wrong) {
    return wrong.what();
  }
  return {};
}

inline std::vector<std::string> pool_names() {
  std::vector<std::string> names;
  for (const catalogue_line& each : list_pools()) names.emplace_back(each.name);
  return names;
}

}  // namespace TEFF_NAMESPACE::testing_runtime
