// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Wake-up latency: a task of a runtime that has been idle offers another task and goes on computing; how long until another
/// thread begins it? A task that is not begun within 50 ms, or is begun by the thread that offers, counts as 50 ms: nobody was
/// told, or nobody came.
#pragma once

#include "../common/harness.h"

#include <atomic>
#include <thread>

namespace versus {

class wake {
 public:
  static constexpr const char* name = "wake";
  static constexpr const char* unit = "wake-up";
  static constexpr std::int64_t given_up_ns = 50'000'000;

  std::uint64_t trials = 200;

  std::vector<number> numbers() { return {{"trials", &trials, 1, 100'000}}; }
  void make_small() {}
  std::uint64_t repeats() const { return trials; }
  /// Long enough that whoever is idle has gone to sleep.
  void prepare() {
    versus_rest(5'000'000);
    offered_by_ = std::thread::id();
    begun_ns_.store(0);
    times_begun_.store(0);
  }

  /// Effect: called by the task that offers, before it does.
  void offer() {
    offered_by_ = std::this_thread::get_id();
    offered_ns_ = now_ns();
  }
  /// Effect: called by the task that is offered.
  void begin() {
    begun_ns_.store(std::this_thread::get_id() == offered_by_ ? offered_ns_ + given_up_ns : now_ns());
    times_begun_.fetch_add(1);
  }
  /// Effect: called by the task that has offered, when it has: it computes until the other one has begun.
  void compute_meanwhile() const {
    while (begun_ns_.load(std::memory_order_relaxed) == 0 && now_ns() - offered_ns_ < given_up_ns) {
    }
  }

  std::uint64_t units() const { return 1; }
  std::uint64_t data_bytes() const { return 0; }
  double seconds() const { return static_cast<double>(std::min(begun_ns_.load() - offered_ns_, given_up_ns)) * 1e-9; }
  std::string verify() const {
    return times_begun_.load() == 1 ? "" : "the task ran " + std::to_string(times_begun_.load()) + " times instead of once";
  }

 private:
  static std::int64_t now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  std::thread::id offered_by_;
  std::int64_t offered_ns_ = 0;
  std::atomic<std::int64_t> begun_ns_ = 0;
  std::atomic<std::uint64_t> times_begun_ = 0;
};

}  // namespace versus
