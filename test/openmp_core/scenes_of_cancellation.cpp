// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Regions, loops and taskgroups that are cancelled: all come to the end, nothing begins any more, and what follows is whole.
#include "scenes_of_cancellation.h"

#include "compat/openmp/team.h"
#include "constructs.h"

#include <array>

namespace TEFF_NAMESPACE::testing_openmp {

namespace {

enum : int { region = 1, of_loop = 2, group = 8 };

void expect_whole_region(unsigned members) {
  counter came{0}, ran{0};
  parallel(members, [&] {
    add(came);
    expect(!GOMP_barrier_cancel(), "a region is cancelled from its beginning");
    expect(read(came) == members, "behind a cancelled region a barrier lets a member go too early");
    task([&ran] { add(ran); });
    expect(!GOMP_barrier_cancel(), "a region is cancelled, and nobody has done it");
    expect(read(ran) == members, "behind a cancelled region a barrier lets a member go before all tasks have run");
  });
}

/// The others wait in a barrier that one will not come to.
void cancelled_regions(unsigned members) {
  for (unsigned who = 0; who < 2; ++who) {
    parallel(members, [&] {
      if (number() == who) {
        expect(GOMP_cancel(region, true), "a region cannot be cancelled");
        return;
      }
      expect(GOMP_barrier_cancel(), "a barrier of a cancelled region lets a member go on in it");
    });
    expect_whole_region(members);
  }
}

/// One cancels behind a barrier, which others may be leaving; they go on to the end, or to the next barrier and then there.
void cancelled_behind_a_barrier(unsigned members) {
  counter came{0}, ran{0};
  parallel(members, [&] {
    add(came);
    if (GOMP_barrier_cancel()) return;
    expect(read(came) == members, "a barrier let a member go before all had come");
    if (number() == 0) {
      task([&ran] { add(ran); });
      GOMP_cancel(region, true);
      return;
    }
    if (GOMP_cancellation_point(region)) return;
    task([&ran] { add(ran); });
    expect(GOMP_barrier_cancel(), "a barrier of a cancelled region lets a member go on in it");
  });
  const unsigned before = read(ran);
  expect(before < members + 1, "a task ran twice");
  expect_whole_region(members);
  expect(read(ran) == before, "a task of a cancelled region ran in the next one");
}

/// A barrier that does not know of cancellation, and a turn that nobody passes on.
void cancelled_beside_orders(unsigned members) {
  counter first{0};
  parallel(members, [&] {
    if (number() == 1) {
      platform::spin_until(first, [](unsigned times) { return times != 0; }, "an iteration before its own");
      platform::charge(10'000);
      GOMP_cancel(region, true);
      return;
    }
    if (number() == 3) GOMP_barrier();
    loop_nowait(ordered_fixed, 6, [&](long) { ordered([&] { add(first); }); });
    expect(GOMP_barrier_cancel(), "a barrier of a cancelled region lets a member go on in it");
  });
  expect_whole_region(members);
}

/// Loops one behind the other: the first is cancelled, and the second not.
void cancelled_loops(unsigned members) {
  constexpr long count = 9;
  std::array<counter, count> first{}, second{};
  parallel(members, [&] {
    long from = 0, to = 0;
    for (bool more = any_order.start(0, count, 1, 1, &from, &to); more; more = any_order.next(&from, &to)) {
      add(first[static_cast<std::size_t>(from)]);
      if (GOMP_cancel(of_loop, from == 4) || GOMP_cancellation_point(of_loop)) break;
    }
    expect(!GOMP_loop_end_cancel(), "a region is cancelled with a loop in it");
    for (bool more = any_order.start(0, count, 1, 1, &from, &to); more; more = any_order.next(&from, &to)) {
      add(second[static_cast<std::size_t>(from)]);
      expect(!GOMP_cancellation_point(of_loop), "a loop behind a cancelled one is cancelled");
    }
    expect(!GOMP_loop_end_cancel(), "a region is cancelled with a loop in it");
  });
  for (const counter& times : first) expect(read(times) <= 1, "an iteration of a cancelled loop ran twice");
  for (const counter& times : second) expect(read(times) == 1, "an iteration behind a cancelled loop did not run once");
}

/// What is put into a cancelled group, by tasks that have begun as well, does not begin.
void cancelled_taskgroups(unsigned members) {
  counter ran{0}, others{0};
  parallel(members, [&] {
    single_nowait([&] {
      task([&others] { add(others); });
      taskgroup([&] {
        task([&others] { add(others); });
        taskgroup([&] {
          task([] { GOMP_cancel(group, true); });
          GOMP_taskwait();
          for (unsigned each = 0; each < 3; ++each)
            task([&ran] {
              add(ran);
              task([&ran] { add(ran); });
            });
          task_at_once([&ran] { add(ran); });
        });
        task([&others] { add(others); });
        expect(!GOMP_cancellation_point(group), "a taskgroup is cancelled with one in it");
      });
      expect(read(others) >= 2, "a taskgroup let its task go before its tasks had ended");
    });
  });
  expect(read(ran) == 0, "a task of a cancelled taskgroup ran");
  expect(read(others) == 3, "a task beside a cancelled taskgroup did not run once");
}

/// Tasks that run leave at a cancellation point, wherever they run; the group ends.
void a_search(unsigned members) {
  counter found{0};
  parallel(members, [&] {
    single_nowait([&] {
      taskgroup([&] {
        for (unsigned each = 0; each < 4; ++each)
          task([&found, each] {
            for (unsigned look = 0;; ++look) {
              if (GOMP_cancellation_point(group)) return;
              if (look >= each && GOMP_cancel(group, true)) return add(found);
            }
          });
      });
    });
  });
  expect(read(found) >= 1, "nobody has found anything, and all have stopped");
}

/// Several groups are cancelled at the same time, some by more than one task; when they are over, nothing of it is left.
void groups_cancelled_at_once(unsigned members) {
  counter ran{0};
  parallel(members, [&] {
    for (unsigned round = 0; round < 2; ++round) {
      taskgroup([] {
        for (unsigned each = 0; each < 2; ++each) task([] { GOMP_cancel(group, true); });
        taskgroup([] { task([] { GOMP_cancel(group, true); }); });
      });
    }
    GOMP_barrier();
    const openmp::team& all = openmp::known_self()->in;
    // relaxed: behind the barrier.
    expect(!all.has_cancelled(), "tasks look for a cancelled taskgroup when there is none any more");
    expect(all.puts_all.load(platform::relaxed) == 0, "tasks do not run at once behind a cancelled taskgroup");
    taskgroup([&ran] { task([&ran] { add(ran); }); });
    expect(!GOMP_cancellation_point(group), "a taskgroup behind a cancelled one is cancelled");
  });
  expect(read(ran) == members, "a task behind cancelled taskgroups did not run once");
}

/// Tasks beside it begin, below others that may be ending: each looks upwards as long as the group is not over.
void tasks_beside_a_cancelled_group(unsigned members) {
  counter cancelled{0}, ran{0};
  const unsigned all = (members - 1) * 40;
  parallel(members, [&] {
    if (number() == 0) {
      taskgroup([&] {
        GOMP_cancel(group, true);
        add(cancelled);
        platform::spin_until(ran, [all](unsigned now) { return now == all; }, "the tasks of the others");
      });
      return;
    }
    platform::spin_until(cancelled, [](unsigned now) { return now != 0; }, "the cancelled group");
    for (unsigned each = 0; each < 8; ++each)
      task([&ran] {
        for (unsigned child = 0; child < 5; ++child) task([&ran] { add(ran); });
      });
  });
  expect(read(ran) == all, "a task beside a cancelled taskgroup did not run once");
}

/// A long chain beside it, whose steps look upwards after they have made the next one.
void step_with_points(counter& ran, unsigned left) {
  add(ran);
  if (left > 0) task([&ran, left] { step_with_points(ran, left - 1); });
  for (unsigned looks = 0; looks < 4; ++looks)
    expect(!GOMP_cancellation_point(group), "a taskgroup beside a cancelled one is cancelled");
}
void a_long_chain_beside_a_cancelled_group(unsigned members) {
  constexpr unsigned steps = 60;
  counter ran{0};
  parallel(members, [&] {
    if (number() == 1) {
      taskgroup([&] {
        GOMP_cancel(group, true);
        platform::spin_until(ran, [](unsigned now) { return now == steps + 1; }, "the end of a chain");
      });
    } else if (number() == 0) {
      taskgroup([&] { step_with_points(ran, steps); });
    }
  });
  expect(read(ran) == steps + 1, "a task of a long chain did not run once");
}

/// Neither tasks that go to the pool nor those that run at once, of a loop with a group of its own and one without.
void taskloops_in_a_cancelled_group(unsigned members) {
  counter ran{0};
  parallel(members, [&] {
    single_nowait([&] {
      taskgroup([&] {
        GOMP_cancel(group, true);
        for (const unsigned more : {0u, 1u << 10, 1u << 11, 3u << 10}) taskloop(3, [&ran](long) { add(ran); }, more);
      });
    });
  });
  expect(read(ran) == 0, "a taskloop in a cancelled taskgroup begins a task");
}

constexpr scene all_scenes[] = {
    {"cancelled_regions", 3, cancelled_regions, false, true},
    {"cancelled_behind_a_barrier", 3, cancelled_behind_a_barrier, false, true},
    {"cancelled_beside_orders", 4, cancelled_beside_orders, false, true},
    {"cancelled_loops", 3, cancelled_loops, false, true},
    {"cancelled_taskgroups", 3, cancelled_taskgroups, false, true},
    {"groups_cancelled_at_once", 3, groups_cancelled_at_once, false, true},
    {"tasks_beside_a_cancelled_group", 3, tasks_beside_a_cancelled_group, false, true},
    {"a_long_chain_beside_a_cancelled_group", 4, a_long_chain_beside_a_cancelled_group, false, true},
    {"taskloops_in_a_cancelled_group", 2, taskloops_in_a_cancelled_group, false, true},
    {"a_search", 3, a_search, false, true},
};

}  // namespace

std::span<const scene> scenes_of_cancellation() { return all_scenes; }

}  // namespace TEFF_NAMESPACE::testing_openmp
