// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Whom a wake-up goes to, if several sleep: not to one that went to sleep on the processor which the waker keeps, unless no other
/// sleeps. Simulated only.
#include "schedules.h"

#include "pool/catalogue.h"
#include "runtime/make_team.h"
#include "sim/sim.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>

namespace TEFF_NAMESPACE::conformance {
namespace {

/// Long enough for all others to fall asleep.
void wait_for_sleep() { platform::charge(1'000'000); }

/// A task, and where it ran.
struct whereabouts {
  unsigned worker = ~0u, processor = ~0u;
  platform::atomic<std::uint32_t> known{0};

  void tell(const struct worker& current) {
    worker = current.id;
    processor = platform::processor_here();
    known.store(1, platform::release);
    platform::wake_all(known);
  }
  void await() {
    while (known.load(platform::acquire) == 0) platform::park(known, 0, "a task: the other one");
  }
};

/// Effect: expects that `scene` ends well by virtual time on so many processors, on which threads lie in turn.
template <class Scene>
void play_on(unsigned processors, Scene scene) {
  sim::options options;
  options.processors_at_most = processors;
  options.strategy = sim::strategy::virtual_time;
  std::string wrong;
  const sim::outcome ended = sim::simulate(options, [&] { scene(wrong); });
  ASSERT_TRUE(ended.ok()) << ended.report;
  ASSERT_EQ(wrong, "");
}

/// Worker `from` puts a task while all others sleep. Returns: where that ran.
template <class Pool>
void put_by(unsigned from, unsigned workers, whereabouts& child, std::string& wrong) {
  script tasks;
  step& put_one = tasks.add([&](worker& current) { child.tell(current); });
  step& root = tasks.add([&](worker& current) {
    wait_for_sleep();
    put(current, put_one);
    child.await();
  });
  auto on = some_workers<Pool, workers::rules>(workers);
  on.open_source();
  on.make_ready(from, root.as_task());
  on.close_source();
  run_once(on, tasks, wrong);
}

/// Worker 3 shares its processor with worker 0, the first one behind it.
TEST(wake_choice, goes_by_the_processor_that_a_worker_keeps) {
  for (const bool with_default : {false, true}) {
    play_on(3, [&](std::string& wrong) {
      whereabouts child;
      if (with_default) put_by<pool::split_deques<>>(3, 4, child, wrong);
      else put_by<pool::sq1>(3, 4, child, wrong);
      EXPECT_EQ(child.worker, 1u);
      EXPECT_EQ(child.processor, 1u);
    });
  }
}

TEST(wake_choice, falls_on_one_of_the_same_processor_if_no_other_sleeps) {
  play_on(1, [&](std::string& wrong) {
    whereabouts child;
    put_by<pool::sq1>(1, 2, child, wrong);
    EXPECT_EQ(child.worker, 0u);
  });
}

/// A thread outside, on the processor of the worker that is the first to be looked at.
TEST(wake_choice, goes_by_the_processor_of_a_thread_outside) {
  play_on(3, [&](std::string& wrong) {
    whereabouts injected;
    script tasks;
    step& from_outside = tasks.add([&](worker& current) { injected.tell(current); });
    auto on = some_workers<pool::split_deques<>, workers::rules>(3);
    on.open_source();
    struct call {
      workers::team_base& on;
      task injected;
    } made{on, from_outside.as_task()};
    const unsigned there = 1;
    platform::thread outside;
    const bool started = outside.start(
        [](void* self) {
          auto& of = *static_cast<call*>(self);
          wait_for_sleep();
          of.on.inject(of.injected);
          of.on.close_source();
        },
        &made, std::span(&there, 1));
    EXPECT_TRUE(started);
    run_once(on, tasks, wrong);
    outside.join();
    EXPECT_EQ(injected.worker, 2u);
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::conformance
