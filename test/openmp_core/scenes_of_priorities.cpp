// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tasks with priorities: the highest first where one thread chooses, and nothing else than before where several do. And tasks
/// that become ready outside of all regions, which lie in the same place.
#include "scenes_of_priorities.h"

#include "constructs.h"
#include "platform/tuning.h"

#include <array>

extern "C" void omp_fulfill_event(void* event);

namespace TEFF_NAMESPACE::testing_openmp {

namespace {

enum : unsigned { has_depend = 1 << 3, has_priority = 1 << 4, has_event = 1 << 13 };

/// A number, as gcc passes it among addresses.
void* as_passed(std::uintptr_t number) { return reinterpret_cast<void*>(number); }

/// What gcc passes for one address.
enum class use { in, out, mutexinoutset };
std::array<void*, 6> on(use how, void* address) {
  if (how == use::mutexinoutset) return {as_passed(0), as_passed(1), as_passed(0), as_passed(1), as_passed(0), address};
  return {as_passed(1), as_passed(how == use::out ? 1 : 0), address};
}

/// `#pragma omp task priority(…)`, with `depend` if there is an address.
template <class Body>
void task_of(int priority, Body body, void* address = nullptr, use how = use::in) {
  static_assert(std::is_trivially_copyable_v<Body>);
  auto depend = on(how, address);
  const unsigned flags = has_priority | (address != nullptr ? has_depend : 0u);
  GOMP_task([](void* data) { (*static_cast<Body*>(data))(); }, &body, nullptr, sizeof body, alignof(Body), true, flags,
            depend.data(), priority, nullptr);
}

/// Returns: the event of a task that does nothing, is behind others that use the address, and before those that do later.
void* event_at(void* address, use how = use::out) {
  void *event = nullptr, *arguments = nullptr;
  auto depend = on(how, address);
  GOMP_task([](void*) {}, &arguments, nullptr, sizeof arguments, alignof(void*), true, has_depend | has_event, depend.data(), 0,
            &event);
  return event;
}

/// Plain numbers, as one thread alone writes them. Fails if a task runs behind one of a lower priority.
struct record {
  int last = 100;
  unsigned ran = 0;
  void note(int priority) {
    expect(priority <= last, "a task ran behind one of a lower priority");
    last = priority;
    ++ran;
  }
};

void make_some(record& in) {
  for (const int priority : {1, 5, 0, 9, 3, 5, -7, 0, 20, 2}) {
    const int counts = priority < 0 ? 0 : priority > 9 ? 9 : priority;
    task_of(priority, [&in, counts] { in.note(counts); });
  }
}

/// At the end of a region, in a taskwait, a taskgroup, and where there is no other task.
void priorities_of_one(unsigned) {
  record at_end, in_wait, in_group;
  parallel(1, [&] {
    task([] {});
    GOMP_taskwait();  // so that there is a pool, and who has it looks there
    make_some(in_wait);
    GOMP_taskwait();
    expect(in_wait.ran == 10, "a taskwait let its task go before its children");
    taskgroup([&] { make_some(in_group); });
    expect(in_group.ran == 10, "a taskgroup let its task go before its tasks");
    task([] {});
    make_some(at_end);
  });
  expect(at_end.ran == 10, "a task with a priority is lost");
}

/// Those that others release are in order with the rest, those that met somebody at a gate among them.
void priorities_of_released_tasks(unsigned) {
  record order;
  char x = 0, y = 0;
  parallel(1, [&] {
    task_of(9, [] {}, &x, use::out);
    task_of(1, [&order] { order.note(1); }, &x);
    task_of(2, [&order] { order.note(2); });
    task_of(5, [&order] { order.note(5); }, &x);
    task_of(3, [&order] { order.note(3); });
    task([&order] { order.note(0); });
    task_of(4, [&order] { order.note(4); }, &y, use::mutexinoutset);
    task_of(6, [&order] { order.note(6); }, &y, use::mutexinoutset);
  });
  expect(order.ran == 7, "a task with a priority is lost");
}

/// The first ones with a priority of a region are released by one without, behind another one without.
void released_priorities_alone(unsigned) {
  record order;
  char x = 0;
  parallel(1, [&] {
    task_of(0, [] {}, &x, use::out);
    task_of(1, [&order] { order.note(1); }, &x);
    task_of(2, [&order] { order.note(2); }, &x);
    task_of(0, [&order] { order.note(0); }, &x);
  });
  expect(order.ran == 3, "a task with a priority is lost");
}

/// One that has been at a busy gate keeps its priority.
void priorities_at_a_gate(unsigned) {
  record order;
  char x = 0;
  parallel(1, [&] {
    void* const event = event_at(&x, use::mutexinoutset);
    GOMP_taskyield();  // its code
    task_of(2, [&order] { order.note(2); }, &x, use::mutexinoutset);
    for (unsigned yields = 0; yields <= tuning::idle_yields; ++yields) GOMP_taskyield();  // those behind a put do nothing
    task_of(1, [&order] { order.note(1); });
    omp_fulfill_event(event);
  });
  expect(order.ran == 2, "a task with a priority is lost");
}

/// Who waits for one finds it behind many that it may not run.
void priorities_behind_others(unsigned members) {
  counter ran{0};
  parallel(members, [&] {
    single_nowait([&] {
      for (int each = 0; each < 9; ++each) task_of(9, [&ran] { add(ran); });
      task_at_once([&ran] {
        counter own{0};
        task_of(1, [&own] { add(own); });
        GOMP_taskwait();
        expect(read(own) == 1, "a taskwait let its task go before its child");
        add(ran);
      });
    });
  });
  expect(read(ran) == 10, "a task with a priority is lost");
}

/// The first one of a region, beside tasks enough for all: it depends on nothing that there is, and waits all the same.
void priorities_beside_enough_others(unsigned) {
  unsigned ran = 0;
  bool made = false;
  char x = 0;
  parallel(1, [&] {
    for (int each = 0; each < 12; ++each) task([&ran] { ++ran; });
    const auto run = [&] {
      expect(made, "a task with a priority ran at once beside enough others");
      ++ran;
    };
    task_of(5, run, &x, use::out);
    made = true;
  });
  expect(ran == 13, "a task is lost");
}

/// No other task is put, so that there is no pool.
void priorities_alone(unsigned members) {
  counter ran{0};
  parallel(members, [&] {
    single_nowait([&] {
      for (int each = 1; each < 4; ++each) task_of(each, [&ran] { add(ran); });
    });
  });
  expect(read(ran) == 3, "a region ended before a task with a priority");
}

/// Who has put one waits until somebody else has begun it.
void priorities_for_others(unsigned members) {
  counter ran{0};
  const auto is_so = [](unsigned number) { return number != 0; };
  parallel(members, [&] {
    single_nowait([&] {
      for (const int priority : {0, 2}) {
        task_of(priority, [] {});
        GOMP_taskwait();
      }
      task_of(1, [&ran] { add(ran); });
      platform::spin_until(ran, is_so, "a task of another member's");
    });
  });
}

/// Below steps of a long chain, where others look up from them while those between end.
void priorities_beside_a_long_chain(unsigned members) {
  constexpr unsigned steps = 30;  // as many leaves
  counter ran{0};
  parallel(members, [&] {
    single_nowait([&] {
      taskgroup([&] { step_among_lookers(steps - 1, [&ran] { task_of(1, [&ran] { add(ran); }); }); });
      expect(read(ran) == steps, "a taskgroup let its task go before a chain in it had ended");
    });
  });
}

void priorities_in_trees(unsigned members) {
  counter ran{0};
  parallel(members, [&] {
    single_nowait([&] {
      for (int each = 0; each < 3; ++each) {
        task_of(each, [&ran, each] {
          for (int number = 0; number < 3; ++number) task_of((each + number) % 3, [&ran] { add(ran); });
          if (each == 0) GOMP_taskwait();
          taskgroup([&ran] { task_of(2, [&ran] { task_of(1, [&ran] { add(ran); }); }); });
          add(ran);
        });
      }
      task([&ran] { add(ran); });
    });
    GOMP_barrier();
    expect(read(ran) == 16, "a barrier let a member go before a task with a priority");
  });
}

/// Who waits and holds a lock runs none that wants the lock, whatever its priority.
void priorities_and_a_lock(unsigned members) {
  unsigned inside = 0;
  parallel(members, [&] {
    single_nowait([&] {
      for (int each = 0; each < 2; ++each) {
        task_of(3, [&inside] {
          critical([&inside] {
            task_of(1, [&inside] { ++inside; });
            GOMP_taskwait();
          });
        });
        task_of(9, [&inside] { critical([&inside] { ++inside; }); });
      }
    });
  });
  expect(inside == 4, "a task is lost, or two ran at once");
}

/// Gates, events and releases beside priorities, on several threads.
void priorities_and_dependences(unsigned members) {
  unsigned x = 0, y = 0;
  parallel(members, [&] {
    single_nowait([&] {
      void* const event = event_at(&x);
      for (unsigned each = 0; each < 3; ++each) {
        task_of(
            static_cast<int>(each),
            [&x, each] {
              expect(x == each, "a task ran before one that it depends on had ended");
              x = each + 1;
            },
            &x, use::out);
      }
      for (int each = 1; each < 4; ++each) task_of(each, [&y] { ++y; }, &y, use::mutexinoutset);
      task_of(8, [event] { omp_fulfill_event(event); });
    });
  });
  expect(x == 3 && y == 3, "a task with a priority and dependences is lost");
}

void cancelled_priorities(unsigned members) {
  counter begun{0}, ran{0};
  char x = 0;
  parallel(members, [&] {
    single_nowait([&] {
      taskgroup([&] {
        GOMP_cancel(8, true);
        for (int each = 1; each < 4; ++each) task_of(each, [&begun] { add(begun); });
        task_of(5, [&begun] { add(begun); }, &x, use::mutexinoutset);
      });
      for (int each = 1; each < 4; ++each) task_of(each, [&ran] { add(ran); });
      task_of(5, [&ran] { add(ran); }, &x, use::mutexinoutset);
    });
  });
  expect(read(begun) == 0, "a task with a priority ran in a cancelled taskgroup");
  expect(read(ran) == 4, "a task with a priority behind a cancelled taskgroup is lost");
}

/// Regions of one team, with priorities and without, so that nobody keeps what it knew of the one before.
void priorities_now_and_then(unsigned members) {
  counter ran{0};
  for (int each = 0; each < 3; ++each) {
    parallel(members, [&ran, each] {
      single_nowait([&ran, each] {
        for (int number = 0; number < 3; ++number) task_of(each == 1 ? 2 : 0, [&ran] { task([&ran] { add(ran); }); });
      });
    });
  }
  expect(read(ran) == 9, "a task is lost");
}

/// Outside of all regions who fulfils an event runs what that lets begin: one behind the other, and none inside of the one that
/// let it begin.
void ready_outside_of_regions(unsigned) {
  unsigned ran = 0;
  char x = 0, y = 0;
  bool inside = false;
  void* const first = event_at(&x);
  void* const second = event_at(&y);
  for (int each = 9; each > 4; --each) {
    task_of(
        0,
        [&, each] {
          expect(!inside, "a task ran inside of another one");
          inside = true;
          expect(each != 7 || ran >= 2, "a task ran before one that it depends on");
          ++ran;
          if (each == 9) omp_fulfill_event(second);
          inside = false;
        },
        each > 6 ? &x : &y, each == 7 ? use::out : use::in);
  }
  omp_fulfill_event(first);
  expect(ran == 5, "a task outside of all regions is lost");
  void* const third = event_at(&x);
  bool child_ran = false;
  task_of(
      0,
      [&] {
        char z = 0;
        void* const own = event_at(&z);
        task_of(0, [&child_ran] { child_ran = true; }, &z);
        omp_fulfill_event(own);
        GOMP_taskwait();
        expect(child_ran, "a taskwait let its task go before a child");
      },
      &x);
  omp_fulfill_event(third);
  expect(child_ran, "a task outside of all regions is lost");
}

constexpr bool awaits_no_task = false, is_cancelled = true;
constexpr scene all_with_priorities[] = {
    {"priorities_of_one", 1, priorities_of_one},
    {"priorities_of_released_tasks", 1, priorities_of_released_tasks},
    {"released_priorities_alone", 1, released_priorities_alone},
    {"priorities_at_a_gate", 1, priorities_at_a_gate},
    {"priorities_behind_others", 3, priorities_behind_others},
    {"priorities_behind_others_of_one", 1, priorities_behind_others},
    {"priorities_beside_enough_others", 1, priorities_beside_enough_others},
    {"priorities_alone", 3, priorities_alone},
    {"priorities_for_others", 3, priorities_for_others},
    {"priorities_beside_a_long_chain", 3, priorities_beside_a_long_chain},
    {"priorities_in_trees", 3, priorities_in_trees},
    {"priorities_and_a_lock", 3, priorities_and_a_lock},
    {"priorities_and_dependences", 3, priorities_and_dependences},
    {"cancelled_priorities", 3, cancelled_priorities, awaits_no_task, is_cancelled},
    {"priorities_now_and_then", 2, priorities_now_and_then},
    {"ready_outside_of_regions", 1, ready_outside_of_regions},
};

}  // namespace

std::span<const scene> scenes_of_priorities() { return all_with_priorities; }

}  // namespace TEFF_NAMESPACE::testing_openmp
