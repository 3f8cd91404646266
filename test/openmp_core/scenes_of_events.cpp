// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Detached tasks: whoever waits for one goes on when its code has ended and its event is fulfilled, by whom and when that may
/// be.
#include "scenes_of_events.h"

#include "compat/openmp/member.h"
#include "constructs.h"
#include "guarded.h"
#include "platform/tuning.h"

#include <array>

extern "C" {
void omp_fulfill_event(void* event);
void GOMP_taskwait_depend(void** depend);
void GOMP_critical_name_start(void** word);
void GOMP_critical_name_end(void** word);
}

namespace TEFF_NAMESPACE::testing_openmp {

namespace {

/// `#pragma omp task detach(event)`, with the event as the first of its arguments. Returns: it.
template <class Body>
void* detached(Body body, bool deferred = true) {
  struct arguments {
    void* event;
    Body call;
  } all{nullptr, body};
  static_assert(std::is_trivially_copyable_v<arguments>);
  constexpr unsigned detach = 1 << 13;
  void* event = nullptr;
  GOMP_task(
      [](void* data) {
        auto& own = *static_cast<arguments*>(data);
        own.call(own.event);
      },
      &all, nullptr, sizeof all, alignof(arguments), deferred, detach, nullptr, 0, &event);
  return event;
}

/// A number, as gcc passes it among addresses.
void* word(std::uintptr_t number) { return reinterpret_cast<void*>(number); }

/// A thread that is none of OpenMP's fulfils what it is told.
class outsider {
 public:
  outsider() {
    const auto run = [](void* itself) {
      auto& own = *static_cast<outsider*>(itself);
      platform::spin_until(own.event_, [](void* told) { return told != nullptr; }, "an event");
      add(own.fulfilled);
      omp_fulfill_event(own.event_.load(platform::acquire));
    };
    if (!thread_.start(run, this, {})) expect(false, "the system refuses a thread");
  }
  ~outsider() { thread_.join(); }
  void fulfil(void* event) { event_.store(event, platform::release); }
  counter fulfilled{0};

 private:
  platform::atomic<void*> event_{nullptr};
  platform::thread thread_;
};

enum : unsigned { with_depend = 1 << 3, with_priority = 1 << 4, with_event = 1 << 13 };
using depend_words = std::array<void*, 7>;
depend_words reads(void* address) { return {word(1), word(0), address}; }
depend_words writes(void* address) { return {word(1), word(1), address}; }
depend_words excludes(void* address) { return {word(0), word(1), word(0), word(1), word(0), address}; }

depend_words writes_and_excludes(void* written, void* address) {
  return {word(0), word(2), word(1), word(1), word(0), written, address};
}

/// `#pragma omp task depend(…) priority(…)`.
template <class Body>
void task_using(depend_words depend, Body body, bool deferred = true, int priority = 0) {
  static_assert(std::is_trivially_copyable_v<Body>);
  const unsigned flags = with_depend | (priority != 0 ? with_priority : 0u);
  GOMP_task([](void* data) { (*static_cast<Body*>(data))(); }, &body, nullptr, sizeof body, alignof(Body), deferred, flags,
            depend.data(), priority, nullptr);
}
/// Returns: the event of such a task, which does nothing.
void* event_using(depend_words depend) {
  void *event = nullptr, *arguments = nullptr;
  GOMP_task([](void*) {}, &arguments, nullptr, sizeof arguments, alignof(void*), true, with_depend | with_event, depend.data(), 0,
            &event);
  return event;
}

/// Returns: the same, of a task that has begun, and counts in `begun`, which lives until that task is known to have ended.
void* event_of_one_begun(depend_words depend, counter& begun) {
  struct arguments {
    void* event;
    counter* begun;
  } all{nullptr, &begun};
  void* event = nullptr;
  GOMP_task([](void* data) { add(*static_cast<arguments*>(data)->begun); }, &all, nullptr, sizeof all, alignof(arguments), true,
            with_depend | with_event, depend.data(), 0, &event);
  while (read(begun) == 0) GOMP_taskyield();
  return event;
}

/// By its own code, by who has made it, before it begins or later, and by another task.
void events_of_members(unsigned members) {
  counter ran{0}, fulfilled{0};
  parallel(members, [&] {
    single_nowait([&] {
      detached([&ran, &fulfilled](void* own) {
        add(fulfilled);
        omp_fulfill_event(own);
        add(ran);
      });
      void* const early = detached([&ran](void*) { add(ran); });
      add(fulfilled);
      omp_fulfill_event(early);
      void* const others = detached([&ran](void*) { add(ran); });
      task([&fulfilled, others] {
        add(fulfilled);
        omp_fulfill_event(others);
      });
      GOMP_taskwait();
      expect(read(ran) == 3 && read(fulfilled) == 3,
             "a taskwait let its task go before a child had ended and its event was fulfilled");
    });
  });
}

/// In a taskgroup, of a grandchild; and in the barrier at the region's end.
void events_in_groups(unsigned members) {
  outsider one, other;
  counter ran{0};
  parallel(members, [&] {
    single_nowait([&] {
      taskgroup([&] { task([&] { one.fulfil(detached([&ran](void*) { add(ran); })); }); });
      expect(read(one.fulfilled) == 1 && read(ran) == 1, "a taskgroup let its task go before an event was fulfilled");
      other.fulfil(detached([&ran](void*) { add(ran); }));
    });
    GOMP_barrier();
    expect(read(other.fulfilled) == 1 && read(ran) == 2, "a barrier let a member go before an event was fulfilled");
  });
}

void an_event_at_the_end(unsigned members) {
  outsider one;
  counter ran{0};
  parallel(members, [&] {
    if (number() + 1 == members) one.fulfil(detached([&ran](void*) { add(ran); }));
  });
  expect(read(one.fulfilled) == 1 && read(ran) == 1, "a region ended before an event was fulfilled");
}

/// The creator waits for both; what the task leaves behind it does not wait for.
void an_event_of_a_task_at_once(unsigned members) {
  outsider one;
  counter ran{0};
  parallel(members, [&] {
    single_nowait([&] {
      const bool deferred = false;
      detached(
          [&](void* own) {
            one.fulfil(own);
            add(ran);
          },
          deferred);
      expect(read(one.fulfilled) == 1 && read(ran) == 1,
             "a task that is not deferred let its creator go before its event was fulfilled");
    });
  });
}

/// Of three members one holds the lock and waits for its task behind an event, one waits for a task, and one runs that, which
/// wants the lock. Whichever of the two that wait hears of the event has the task that it lets begin, and may not be who may run
/// it.
void an_event_heard_by_another(unsigned members) {
  outsider one;
  std::uint32_t lock = 0, busy = 0;
  counter has_lock{0}, wants_lock{0}, ran{0};
  void* event = nullptr;
  char x = 0;
  const auto on_x = [&x](bool out) { return std::array<void*, 3>{word(1), word(out ? 1 : 0), &x}; };
  const auto is_so = [](std::uint32_t number) { return number != 0; };
  omp_set_lock(&busy);
  parallel(members, [&] {
    single_nowait([&] {
      taskgroup([&] {
        task([&] {
          omp_set_lock(&lock);
          constexpr unsigned depend = 1 << 3, detach = 1 << 13;
          void* arguments = nullptr;
          auto out = on_x(true), in = on_x(false);
          const auto nothing = [](void*) {};
          GOMP_task(nothing, &arguments, nullptr, sizeof arguments, alignof(void*), true, depend | detach, out.data(), 0, &event);
          counter* behind = &ran;
          GOMP_task([](void* data) { add(**static_cast<counter**>(data)); }, &behind, nullptr, sizeof behind, alignof(void*),
                    true, depend, in.data(), 0, nullptr);
          raise(has_lock);  // and there is an event
          GOMP_taskwait();
          expect(read(ran) == 1, "a taskwait let its task go before the child behind an event");
          omp_unset_lock(&lock);
        });
        omp_test_lock(&busy);  // in vain: others see the task
        task([&] {
          platform::spin_until(has_lock, is_so, "a task with the lock");
          task([&] {
            add(wants_lock);
            omp_set_lock(&lock);
            omp_unset_lock(&lock);
          });
          omp_test_lock(&busy);
          platform::spin_until(wants_lock, is_so, "a task that wants the lock");
          one.fulfil(event);
          GOMP_taskwait();
        });
      });
    });
  });
  expect(read(ran) == 1, "a task behind an event is lost");
}

/// Of three members one waits for its task behind an event, and looks at what others keep to themselves as it may want that.
/// Another one makes tasks, which the third is to run, however the looks of the first come in between.
void tasks_beside_who_waits(unsigned members) {
  outsider one;
  counter waits{0}, ran{0};
  void* event = nullptr;
  char x = 0;
  parallel(members, [&] {
    single_nowait([&] {
      taskgroup([&] {
        task([&] {
          event = event_using(writes(&x));
          task_using(reads(&x), [&ran] { add(ran); });
          raise(waits);  // and there is an event
          GOMP_taskwait();
        });
        task([&] {
          await(waits);
          constexpr unsigned others = 20;
          for (unsigned number = 1; number <= others; ++number) {
            counter done{0};
            task([&done] { raise(done); });
            await(done);
          }
          one.fulfil(event);
        });
      });
    });
  });
  expect(read(ran) == 1, "a task behind an event is lost");
}

/// Effect: as often as tasks may be ready, lets one begin.
void begin_some() {
  for (int each = 0; each < 3; ++each) GOMP_taskyield();  // of which one, behind a new task, does nothing
}

/// Who waits at a gate has a task before it in the row, which is behind an event.
void wait_at_a_gate_behind(int priority) {
  outsider one;
  counter ran{0};
  char x = 0;
  void* const event = event_using(excludes(&x));
  begin_some();
  const bool deferred = true;
  task_using(excludes(&x), [&ran] { add(ran); }, deferred, priority);
  begin_some();
  one.fulfil(event);
  task_using(excludes(&x), [&ran] { add(ran); }, !deferred);
  GOMP_taskwait();
  expect(read(ran) == 2 && read(one.fulfilled) == 1, "a task with mutexinoutset is lost");
}
void wait_at_a_gate() { wait_at_a_gate_behind(0); }

/// The same of who waits for a task that is in such a row.
void wait_for_one_at_a_gate() {
  outsider one;
  counter ran{0}, begun{0};
  char x = 0, y = 0;
  void* const event = event_of_one_begun(excludes(&x), begun);  // nobody else is inside before its event
  task_using(excludes(&x), [&ran] { add(ran); });
  begin_some();
  task_using(writes_and_excludes(&y, &x), [&ran] { add(ran); });
  begin_some();
  one.fulfil(event);
  GOMP_taskwait_depend(reads(&y).data());
  expect(read(ran) != 0 && read(one.fulfilled) == 1, "a taskwait let its task go before one that it is for");
  GOMP_taskwait();
  expect(read(ran) == 2, "a task with mutexinoutset is lost");
}

/// The same of a taskgroup, of which those before in the row are not a part.
void wait_for_a_group_at_a_gate() {
  outsider one;
  counter ran{0}, ran_in_group{0};
  char x = 0;
  void* const event = event_using(excludes(&x));
  begin_some();
  task_using(excludes(&x), [&ran] { add(ran); });
  begin_some();
  taskgroup([&] {
    task_using(excludes(&x), [&ran_in_group] { add(ran_in_group); });
    begin_some();
    one.fulfil(event);
  });
  expect(read(ran_in_group) == 1, "a taskgroup let its task go before one of its tasks");
  GOMP_taskwait();
  expect(read(ran) == 1 && read(one.fulfilled) == 1, "a task with mutexinoutset is lost");
}

void waits_at_gates(unsigned members) {
  parallel(members, [] {
    single_nowait([] {
      wait_at_a_gate();
      wait_at_a_gate_behind(3);
      wait_for_one_at_a_gate();
      wait_for_a_group_at_a_gate();
    });
  });
}

/// A task that is not deferred is in its gate until its event is fulfilled.
void an_event_in_a_gate(unsigned members) {
  outsider one;
  counter begun{0}, ran{0};
  char x = 0;
  parallel(members, [&] {
    single_nowait([&] {
      task_using(excludes(&x), [&] {
        expect(read(begun) == 0 || read(one.fulfilled) == 1, "two tasks with mutexinoutset ran at once");
        add(ran);
      });
      struct arguments {
        void* event;
        outsider* one;
        counter* begun;
      } all{nullptr, &one, &begun};
      void* event = nullptr;
      auto depend = excludes(&x);
      const auto run = [](void* data) {
        auto& own = *static_cast<arguments*>(data);
        add(*own.begun);
        own.one->fulfil(own.event);
      };
      GOMP_task(run, &all, nullptr, sizeof all, alignof(arguments), false, with_depend | with_event, depend.data(), 0, &event);
      expect(read(one.fulfilled) == 1, "a task that is not deferred let its creator go before its event was fulfilled");
    });
  });
  expect(read(ran) == 1, "a task with mutexinoutset is lost");
}

/// Who waits for the second event waits for the task that fulfils it, which the first one lets begin.
void wait_for_what_a_task_fulfils() {
  outsider one;
  counter ran{0};
  char x = 0, y = 0;
  one.fulfil(event_using(writes(&x)));
  void* const other = event_using(writes(&y));
  task_using(reads(&x), [&ran, other] {
    add(ran);
    omp_fulfill_event(other);
  });
  GOMP_taskwait_depend(reads(&y).data());
  expect(read(ran) == 1 && read(one.fulfilled) == 1, "a taskwait let its task go before an event was fulfilled");
}

/// Outside of all regions; and in a task that became ready there.
void waits_outside_of_regions(unsigned) {
  wait_at_a_gate();
  wait_for_what_a_task_fulfils();
  unsigned ran = 0;
  char x = 0;
  void* const event = event_using(writes(&x));
  for (void (*const wait)() : {wait_at_a_gate, wait_for_what_a_task_fulfils}) {
    task_using(reads(&x), [&ran, wait] {
      wait();
      ++ran;
    });
  }
  omp_fulfill_event(event);
  expect(ran == 2, "a task outside of all regions is lost");
}

/// So many generations further down.
template <class Body>
void generations_down(unsigned generations, Body body) {
  if (generations == 0) return body();
  task([generations, body] { generations_down(generations - 1, body); });
}

/// What comes to be ready in the barrier at a region's end lies below tasks that have ended.
void tasks_behind_an_event(unsigned members) {
  outsider one;
  counter ran{0};
  char x = 0;
  parallel(members, [&] {
    single_nowait([&] {
      generations_down(2, [&] {
        void* const event = event_using(writes(&x));
        task_using(reads(&x), [&ran] { add(ran); });
        one.fulfil(event);
      });
    });
  });
  expect(read(ran) == 1, "a region ended before a task behind an event had run");
}

/// Who makes one more task than there may be runs what that one is behind, a few generations further down.
void a_creator_waits_for_a_descendant(unsigned members) {
  counter ran{0};
  char x = 0;
  const unsigned many = 3 * tuning::live_tasks_per_member;
  parallel(members, [&] {
    single_nowait([&] {
      void* const event = event_using(writes(&x));
      generations_down(3, [event] { omp_fulfill_event(event); });
      for (unsigned each = 0; each < many; ++each) task_using(writes(&x), [&ran] { add(ran); });
    });
  });
  expect(read(ran) == many, "a task of a chain behind an event did not run once");
}

/// The same of a task that is put while its creator waits already. Who puts it may not run it: it waits for another one.
void a_creator_waits_for_what_is_put_meanwhile(unsigned members) {
  counter ran{0};
  char x = 0;
  const unsigned many = 3 * members * tuning::live_tasks_per_member;
  parallel(members, [&] {
    single_nowait([&] {
      void* const outer = event_using(writes(&x));
      task([outer] {
        char y = 0;
        void* const inner = event_using(writes(&y));
        generations_down(2, [outer, inner] {
          omp_fulfill_event(inner);
          omp_fulfill_event(outer);
        });
        GOMP_taskwait();
      });
      for (unsigned each = 0; each < many; ++each) task_using(writes(&x), [&ran] { add(ran); });
    });
  });
  expect(read(ran) == many, "a task of a chain behind an event did not run once");
}

/// Not so if it holds a lock, which that may want.
void a_creator_with_a_lock_waits(unsigned members) {
  counter begun{0}, wants{0}, ran{0}, chained{0};
  char x = 0, y = 0;
  const unsigned many = 3 * members * tuning::live_tasks_per_member;
  const auto is_so = [](unsigned number) { return number != 0; };
  parallel(members, [&] {
    single_nowait([&] {
      openmp::member& creator = openmp::self();
      void* const outer = event_using(writes(&x));
      GOMP_critical_start();
      task([&, outer] {
        void* const inner = event_using(writes(&y));
        task_using(reads(&y), [&] {
          add(wants);
          critical([&] { add(ran); });
        });
        add(begun);
        platform::spin_until(
            creator.word, [](unsigned word) { return word != workers::sleepers::awake; }, "the sleep of who makes tasks");
        omp_fulfill_event(inner);
        platform::spin_until(wants, is_so, "who wants the lock");
        omp_fulfill_event(outer);
      });
      platform::spin_until(begun, is_so, "a task");
      for (unsigned each = 0; each < many; ++each) task_using(writes(&x), [&chained] { add(chained); });
      GOMP_critical_end();
    });
  });
  expect(read(chained) == many && read(ran) == 1, "a task of a chain behind an event did not run once");
}

/// A task ends when its event is fulfilled, by a task that is made later. All wait for such ones, so that nobody else is there to
/// run it.
void waits_for_what_another_task_brings_about(unsigned members) {
  constexpr bool deferred = true;
  counter ran{0};
  parallel(members, [&] {
    char x = 0;
    const auto event_of_another = [](depend_words depend) {
      void* const event = event_using(depend);
      task([event] { omp_fulfill_event(event); });
    };
    event_of_another(writes(&x));
    GOMP_taskwait_depend(reads(&x).data());
    event_of_another(writes(&x));
    task_using(reads(&x), [&ran] { add(ran); }, !deferred);
    event_of_another(excludes(&x));
    task_using(excludes(&x), [&ran] { add(ran); }, !deferred);
    const auto group_behind = [&] {
      event_of_another(writes(&x));
      taskgroup([&] { task_using(reads(&x), [&ran] { add(ran); }); });
    };
    group_behind();
    taskgroup(group_behind);
  });
  expect(read(ran) == 4 * members, "a task behind an event did not run once");
}

/// A grandchild, for which nobody waits, needs what the waiter does next: that is no task to run meanwhile.
void a_wait_for_some_and_a_grandchild(unsigned members) {
  constexpr bool deferred = true;
  outsider one;
  counter flag{0}, ran{0};
  char x = 0;
  parallel(members, [&] {
    single_nowait([&] {
      void* const event = event_using(writes(&x));
      const auto leaves_one = [&] {
        task([&] {
          await(flag);
          add(ran);
        });
      };
      task(leaves_one, !deferred);
      one.fulfil(event);
      GOMP_taskwait_depend(reads(&x).data());
      raise(flag);
    });
  });
  expect(read(ran) == 1 && read(one.fulfilled) == 1, "a grandchild did not run once");
}

/// Not on top of who holds a lock, which the other task wants.
void a_wait_for_some_beside_a_lock(unsigned members) {
  outsider one;
  counter ran{0};
  char x = 0;
  parallel(members, [&] {
    single_nowait([&] {
      critical([] {});
      GOMP_critical_start();
      void* const event = event_using(writes(&x));
      task([&ran] { critical([&ran] { add(ran); }); });
      one.fulfil(event);
      GOMP_taskwait_depend(reads(&x).data());
      GOMP_critical_end();
    });
  });
  expect(read(ran) == 1 && read(one.fulfilled) == 1, "a task that wants a lock did not run once");
}

/// What is waited for ends by another task, which takes a lock.
void wait_for_what_another_brings_about(counter& ran) {
  char x = 0;
  void* const event = event_using(writes(&x));
  task([event, &ran] {
    critical([&ran] { add(ran); });
    omp_fulfill_event(event);
  });
  GOMP_taskwait_depend(reads(&x).data());
}

/// A lock that was released, or that could not be had, does not keep a wait from running others.
void waits_for_some_behind_locks(unsigned members) {
  counter ran{0};
  std::uint32_t own = 0;
  alignas(void*) std::uint32_t nested[4] = {};
  void* named = nullptr;
  parallel(members, [&] {
    single_nowait([&] {
      critical([] {});
      GOMP_critical_name_start(&named);
      GOMP_critical_name_end(&named);
      omp_set_lock(&own);
      expect(omp_test_lock(&own) == 0, "two hold one lock");
      omp_unset_lock(&own);
      expect(omp_test_lock(&own) != 0, "a free lock is not to be had");
      omp_unset_lock(&own);
      omp_set_nest_lock(nested);
      expect(omp_test_nest_lock(nested) == 2, "a nested lock counts something else");
      omp_unset_nest_lock(nested);
      omp_unset_nest_lock(nested);
      wait_for_what_another_brings_about(ran);
    });
  });
  expect(read(ran) == 1, "a task did not run once");
}

/// Nor does one that was taken before the region, whether it is held or released there.
void waits_for_some_behind_locks_of_before(unsigned members) {
  counter ran{0};
  std::uint32_t held = 0, released = 0;
  parallel(members, [&] { single_nowait([&] { omp_set_lock(&held); }); });
  omp_set_lock(&released);
  parallel(members, [&] {
    single_nowait([&] {
      wait_for_what_another_brings_about(ran);
      omp_unset_lock(&released);
      wait_for_what_another_brings_about(ran);
    });
  });
  omp_unset_lock(&held);
  expect(read(ran) == 2, "a task did not run once");
}

constexpr scene all_with_events[] = {
    {"events_of_members", 3, events_of_members},
    {"events_in_groups", 3, events_in_groups},
    {"an_event_at_the_end", 3, an_event_at_the_end},
    {"an_event_at_the_end_of_one", 1, an_event_at_the_end},
    {"tasks_behind_an_event", 3, tasks_behind_an_event},
    {"tasks_behind_an_event_of_one", 1, tasks_behind_an_event},
    {"a_creator_waits_for_a_descendant", 1, a_creator_waits_for_a_descendant},
    {"a_creator_with_a_lock_waits", 3, a_creator_with_a_lock_waits, true},
    {"a_creator_waits_for_what_is_put_meanwhile", 2, a_creator_waits_for_what_is_put_meanwhile},
    {"an_event_of_a_task_at_once", 3, an_event_of_a_task_at_once},
    {"an_event_heard_by_another", 3, an_event_heard_by_another},
    {"tasks_beside_who_waits", 3, tasks_beside_who_waits, true},
    {"waits_outside_of_regions", 1, waits_outside_of_regions},
    {"waits_at_gates", 3, waits_at_gates},
    {"waits_at_gates_of_one", 1, waits_at_gates},
    {"an_event_in_a_gate", 3, an_event_in_a_gate},
    {"waits_for_what_another_task_brings_about", 2, waits_for_what_another_task_brings_about},
    {"waits_for_what_another_task_of_one_brings_about", 1, waits_for_what_another_task_brings_about},
    {"a_wait_for_some_and_a_grandchild", 2, a_wait_for_some_and_a_grandchild, true},
    {"a_wait_for_some_beside_a_lock", 1, a_wait_for_some_beside_a_lock},
    {"waits_for_some_behind_locks", 1, waits_for_some_behind_locks},
    {"waits_for_some_behind_locks_of_before", 1, waits_for_some_behind_locks_of_before},
};

}  // namespace

std::span<const scene> scenes_of_events() { return all_with_events; }

}  // namespace TEFF_NAMESPACE::testing_openmp
