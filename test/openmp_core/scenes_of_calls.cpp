// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Members that are called for tasks while others leave calls out, or keep new tasks private, because of that: what a sleeper is
/// needed for still comes to it.
#include "scenes_of_calls.h"

#include "compat/openmp/member.h"
#include "constructs.h"
#include "guarded.h"
#include "platform/faults.h"

namespace TEFF_NAMESPACE::testing_openmp {

namespace {

/// The holder of a lock sleeps at the end of a taskgroup, and tasks of which one is needed for that end are put among some that
/// want the lock. Who is called may find nothing at first, and one of these when it looks again.
void a_lock_and_called_members(unsigned members) {
  std::uint32_t lock = 0;
  counter inside{0}, others_put{0}, passed{0}, ran{0}, done{0};
  const unsigned wanting = members - 2;
  parallel(members, [&] {
    if (number() == 0) {
      omp_set_lock(&lock);
      taskgroup([&] {
        task([&] {
          raise(inside);
          await(others_put);
          for (unsigned each = 0; each < 2; ++each) task([&] { add(ran); });
          task([&] { raise(done); });
          await(done);
        });
        await(inside);
      });
      omp_unset_lock(&lock);
    } else if (number() == 1) {
      await(inside);
      for (unsigned each = 0; each < wanting; ++each) {
        task([&] {
          omp_set_lock(&lock);
          add(passed);
          omp_unset_lock(&lock);
        });
      }
      raise(others_put);
      await(done);
    }
  });
  expect(read(ran) == 2 && read(passed) == wanting, "a task beside a lock did not run once");
}

/// Only the sleeper may run what is put, and something that it may not run lies in view below it.
void a_task_above_one_in_view(unsigned members) {
  counter ready{0}, began{0}, may_put{0}, done{0}, ran{0};
  const auto puts = [&] {
    raise(began);
    task([&] { raise(done); });
    await(done);
  };
  const auto sleeps = [&] {
    taskgroup([&] {
      task([&] { puts(); });
      raise(may_put);
      await(began);
    });
  };
  parallel(members, [&] {
    if (number() != 0) return await(ready);
    task([&] { add(ran); });
    taskgroup([&] {
      // With a priority, so that it begins before the one that is in view.
      const auto first = [&] { sleeps(); };
      auto body = [&first] { first(); };
      GOMP_task([](void* data) { (*static_cast<decltype(body)*>(data))(); }, &body, nullptr, sizeof body, alignof(decltype(body)),
                true, 1 << 4, nullptr, 1, nullptr);
      raise(ready);
      await(may_put);
    });
  });
  expect(read(ran) == 1 && read(done) == 1, "a task did not run once");
}

/// Behind the first one, too: who asked may be through that when its creator makes no more, and is at work of its own.
void a_few_tasks_in_view(unsigned members) {
  constexpr unsigned few = 3;
  counter made{0}, ran{0};
  parallel(members, [&] {
    if (number() != 0) return await(made);
    for (unsigned each = 0; each < few; ++each) task([&] { add(ran); });
    const queue::lane* const own = openmp::self().lane;  // nullptr: another pool
    expect(own == nullptr || own->public_estimate() == few,
           "a task is private although its creator was asked, and few are in view");
    raise(made);
  });
  expect(read(ran) == few, "a task did not run once");
}

/// Who was called in one barrier leaves it late, when a task of what comes behind it waits already, and a member sleeps in the
/// next one.
void calls_over_a_barrier(unsigned members) {
  counter ran{0}, done{0};
  parallel(members, [&] {
    if (number() == 0) task([&] { add(ran); });
    GOMP_barrier();
    if (number() == 0) task([&] { raise(done); });
    if (number() + 1 < members) await(done);
  });
  expect(read(ran) == 1, "a task did not run once");
}

/// Again and again the only sleeper is called for a first task, and may have run it, looked, and gone back to sleep before the
/// second one is in the queue.
void tasks_behind_calls(unsigned members) {
  constexpr unsigned rounds = 80;
  constexpr std::uint64_t until_asleep_ns = 20'000;
  counter nothing{0}, ran{0}, done{0};
  parallel(members, [&] {
    if (number() != 0) return;
    for (unsigned round = 1; round <= rounds; ++round) {
      platform::park_until(nothing, 0, platform::now_ns() + until_asleep_ns, "the others to be asleep");
      task([&] { add(ran); });
      task([&done, round] { done.store(round, platform::release); });
      await(done, round);
    }
  });
  expect(read(ran) == rounds, "a task did not run once");
}

/// Where nobody can look at what others keep private.
void calls_without_a_fence_everywhere(unsigned members) {
  bool& no_fence = platform::planted_faults().no_fence_everywhere;
  __atomic_store_n(&no_fence, true, __ATOMIC_RELAXED);
  counter ran{0}, done{0};
  parallel(members, [&] {
    if (number() != 0) return;
    for (unsigned each = 0; each < 2; ++each) task([&] { add(ran); });
    task([&] { raise(done); });
    await(done);
  });
  expect(read(ran) == 2, "a task did not run once");
  __atomic_store_n(&no_fence, false, __ATOMIC_RELAXED);
}

constexpr scene with_calls[] = {
    {"a_lock_and_called_members", 5, a_lock_and_called_members, true},
    {"a_lock_and_called_members_of_six", 6, a_lock_and_called_members, true},
    {"a_task_above_one_in_view", 2, a_task_above_one_in_view, true},
    {"a_few_tasks_in_view", 2, a_few_tasks_in_view, true},
    {"calls_over_a_barrier", 3, calls_over_a_barrier, true},
    {"tasks_behind_calls", 2, tasks_behind_calls, true},
    {"calls_without_a_fence_everywhere", 4, calls_without_a_fence_everywhere, true},
};

}  // namespace

std::span<const scene> scenes_of_calls() { return with_calls; }

}  // namespace TEFF_NAMESPACE::testing_openmp
