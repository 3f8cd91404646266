// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Workers without a team, and threads for them: for tests of what lies below a team, on either side of the seam.
#pragma once

#include "platform/platform.h"
#include "task/worker.h"

#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace TEFF_NAMESPACE::testing_support {

/// Workers 0 … count − 1.
class crew {
 public:
  explicit crew(std::size_t count, std::uint64_t seed = 0) {
    static constexpr worker_operations none{};
    while (size() < count) {
      const unsigned id = size();
      workers_.push_back(std::make_unique<worker>(none, id, seed + id + 1));
    }
  }

  worker& operator[](unsigned id) { return *workers_[id]; }
  unsigned size() const { return static_cast<unsigned>(workers_.size()); }
  std::uint64_t sum(trace::counter which) const {
    std::uint64_t total = 0;
    for (const auto& each : workers_) total += each->stats.value(which);
    return total;
  }

 private:
  std::vector<std::unique_ptr<worker>> workers_;
};

/// Effect: runs work(0) … work(count − 1), each on a thread of its own, the first on the caller's; joins them.
inline void run_on_each(unsigned count, const std::function<void(unsigned)>& work) {
  struct participant {
    const std::function<void(unsigned)>* work;
    unsigned number;
    platform::thread thread;
  };
  std::vector<participant> participants(count);
  for (unsigned i = 1; i < count; ++i) {
    participants[i].work = &work;
    participants[i].number = i;
    const unsigned place = i % static_cast<unsigned>(platform::machine().places.size());
    const bool started = participants[i].thread.start(
        [](void* pointer) {
          auto& mine = *static_cast<participant*>(pointer);
          (*mine.work)(mine.number);
        },
        &participants[i], {&place, 1});
    ASSERT_TRUE(started);
  }
  work(0);
  for (unsigned i = 1; i < count; ++i) participants[i].thread.join();
}

inline void never_run(worker&, void*) { FAIL() << "this task is only carried about"; }

/// A task that is known by its number.
inline task numbered(std::uintptr_t number) { return {&never_run, reinterpret_cast<void*>(number)}; }
inline std::uintptr_t number_of(const task& carried) {
  EXPECT_EQ(carried.entry, &never_run);
  return reinterpret_cast<std::uintptr_t>(carried.argument);
}

/// Plants refusals for a scope: that many more blocks of memory are given, then none. Also in a task: other workers may look at
/// it.
class memory_runs_out {
 public:
  explicit memory_runs_out(std::int64_t after) { plant(after); }
  ~memory_runs_out() { plant(platform::faults().allocations_until_refusal); }
  memory_runs_out(const memory_runs_out&) = delete;
  memory_runs_out& operator=(const memory_runs_out&) = delete;

 private:
  static void plant(std::int64_t after) {
    __atomic_store_n(&platform::planted_faults().allocations_until_refusal, after, __ATOMIC_RELAXED);
  }
};

}  // namespace TEFF_NAMESPACE::testing_support
