// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Whom a wake-up goes to, if several sleep: not to one that went to sleep on the processor which the waker keeps, unless no other
/// sleeps. Simulated only.
#include "schedules.h"

#include "pool/catalogue.h"
#include "runtime/make_team.h"
#include "sim/sim.h"
#include "sync/event.h"
#include "worker/guest.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <utility>

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

/// A thread outside, on one processor, that does something when all workers sleep.
class outsider {
 public:
  outsider(unsigned processor, std::function<void()> does) : does_(std::move(does)) {
    EXPECT_TRUE(thread_.start(
        [](void* self) {
          wait_for_sleep();
          static_cast<outsider*>(self)->does_();
        },
        this, std::span(&processor, 1)));
  }
  ~outsider() { thread_.join(); }
  outsider(const outsider&) = delete;
  outsider& operator=(const outsider&) = delete;

 private:
  const std::function<void()> does_;
  platform::thread thread_;
};

/// Effect: a run, beside which a thread outside, on one processor, does something when all workers sleep.
void run_beside_outsider(workers::team_base& on, const script& tasks, std::string& wrong, unsigned processor,
                         const std::function<void()>& does) {
  on.open_source();
  const outsider beside(processor, [&] {
    does();
    on.close_source();
  });
  run_once(on, tasks, wrong);
}

/// A call from outside, on its caller's thread, which puts a task, and waits as a thread until it has begun, and perhaps as a
/// task until it has ended, which takes long enough to fall asleep.
struct call_on_caller {
  call_on_caller(workers::team_base& on, script& tasks)
      : on(on), child(tasks.add([this](worker& current) {
          of_child.tell(current);
          wait_for_sleep();
          child_has_ended.set();
        })) {}

  workers::team_base& on;
  step& child;
  bool waits_as_a_task = false;
  whereabouts of_call, of_child;
  sync::event child_has_ended;
  workers::guest caller;

  void make() { EXPECT_TRUE(on.run_on_caller({&run, this}, caller)); }
  static void run(worker& current, void* pointer) {
    auto& self = *static_cast<call_on_caller*>(pointer);
    self.of_call.tell(current);
    put(current, self.child);
    self.of_child.await();
    if (self.waits_as_a_task) self.child_has_ended.wait();
    self.on.end_on_caller(self.caller);
  }
};

/// A thread outside, on the processor of the worker that is the first to be looked at.
TEST(wake_choice, goes_by_the_processor_of_a_thread_outside) {
  play_on(3, [&](std::string& wrong) {
    whereabouts injected;
    script tasks;
    step& from_outside = tasks.add([&](worker& current) { injected.tell(current); });
    auto on = some_workers<pool::split_deques<>, workers::rules>(3);
    run_beside_outsider(on, tasks, wrong, 1, [&] { on.inject(from_outside.as_task()); });
    EXPECT_EQ(injected.worker, 2u);
  });
}

/// The caller is on the processor of worker 1: if it carried another one, there would be none left to wake but that.
TEST(wake_choice, of_a_call_leaves_the_worker_asleep_that_slept_elsewhere) {
  play_on(2, [&](std::string& wrong) {
    script tasks;
    auto on = some_workers<pool::split_deques<>, workers::rules>(2);
    call_on_caller call(on, tasks);
    run_beside_outsider(on, tasks, wrong, 1, [&] { call.make(); });
    EXPECT_EQ(call.of_call.worker, 1u);
    EXPECT_EQ(call.of_child.worker, 0u);
    EXPECT_EQ(call.of_child.processor, 0u);
  });
}

/// Two callers, each on the processor of a worker, call again and again: at no moment are both workers carried.
TEST(wake_choice, is_that_of_one_caller_at_a_time) {
  play_on(2, [&](std::string& wrong) {
    script tasks;
    auto on = some_workers<pool::split_deques<>, workers::rules>(2);
    std::array<unsigned, 2> carried{};  // how often each worker was, by calls that may not meet
    struct short_call {
      workers::team_base& on;
      std::array<unsigned, 2>& carried;
      workers::guest caller{};
      static void run(worker& current, void* pointer) {
        auto& self = *static_cast<short_call*>(pointer);
        ++self.carried[current.id];
        EXPECT_EQ(static_cast<workers::member&>(self.on.worker_at(1 - current.id)).carried_by, nullptr);
        self.on.end_on_caller(self.caller);
      }
    };
    const auto call_often = [&] {
      for (int calls = 0; calls < 20; ++calls) {
        short_call made{on, carried};
        while (!on.run_on_caller({&short_call::run, &made}, made.caller)) platform::charge(100);
      }
    };
    run_beside_outsider(on, tasks, wrong, 0, [&] {
      const outsider second(1, call_often);
      wait_for_sleep();
      call_often();
    });
    EXPECT_EQ(carried[0] + carried[1], 40u);
    EXPECT_GE(std::min(carried[0], carried[1]), 10u);
  });
}

/// Worker 0 sleeps on processor 1 while its caller there waits, and on its own, that of worker 3, when it has been given back.
TEST(wake_choice, knows_where_the_thread_of_a_worker_sleeps_that_was_carried) {
  play_on(4, [&](std::string& wrong) {
    platform::thread on_processor_1;  // where else worker 1 would be
    EXPECT_TRUE(on_processor_1.start([](void*) { wait_for_sleep(); }, nullptr, {}));
    script tasks;
    whereabouts put_last;
    step& last = tasks.add([&](worker& current) { put_last.tell(current); });
    step& puts = tasks.add([&](worker& current) {
      put(current, last);
      put_last.await();
    });
    auto on = some_workers<pool::sq1, workers::rules>(4);
    call_on_caller call(on, tasks);
    call.waits_as_a_task = true;
    run_beside_outsider(on, tasks, wrong, 1, [&] {
      call.make();
      wait_for_sleep();
      on.make_ready(3, puts.as_task());
      put_last.await();
    });
    on_processor_1.join();
    EXPECT_EQ(call.of_call.worker, 0u);
    EXPECT_EQ(put_last.worker, 1u);
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::conformance
