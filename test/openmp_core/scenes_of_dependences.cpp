// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tasks that depend on others: each begins behind those that it depends on, and begins.
#include "scenes_of_dependences.h"

#include "constructs.h"
#include "guarded.h"

#include <initializer_list>
#include <sys/mman.h>
#include <vector>

extern "C" {
void omp_fulfill_event(void* event);
void GOMP_taskwait_depend(void** depend);
void GOMP_taskwait_depend_nowait(void** depend);
}

namespace TEFF_NAMESPACE::testing_openmp {

namespace {

enum class how : std::uintptr_t { in = 1, out = 2, mutexinoutset = 4, inoutset = 5 };
struct on {
  how uses;
  const void* address;
};

/// What gcc passes for depend clauses: all of them as objects.
struct passed {
  explicit passed(std::initializer_list<on> all) {
    words[1] = reinterpret_cast<void*>(all.size());
    for (std::size_t at = 0; const on& each : all) {
      objects[at][0] = const_cast<void*>(each.address);
      objects[at][1] = reinterpret_cast<void*>(each.uses);
      words[5 + at] = objects[at];
      ++at;
    }
  }
  void* words[5 + 4] = {};
  void* objects[4][2] = {};
};

/// `#pragma omp task depend(…)`.
template <class Body>
void task_on(std::initializer_list<on> all, Body body, bool deferred = true) {
  static_assert(std::is_trivially_copyable_v<Body>);
  passed words(all);
  constexpr unsigned depend = 1 << 3;
  GOMP_task([](void* data) { (*static_cast<Body*>(data))(); }, &body, nullptr, sizeof body, alignof(Body), deferred, depend,
            words.words, 0, nullptr);
}
void taskwait_on(std::initializer_list<on> all) { GOMP_taskwait_depend(passed(all).words); }

/// One thread makes tasks, others come in the region's end, and see each number as the one before left it. Plain numbers, for
/// ThreadSanitizer.
void step(unsigned& at, unsigned expected) {
  expect(at == expected, "a task ran before one that it depends on had ended");
  at = expected + 1;
}

/// Fails if somebody else is inside. The number is plain, for ThreadSanitizer.
void be_alone(counter& inside, unsigned& runs) {
  // relaxed: in simulation all is in one order.
  expect(inside.fetch_add(1, platform::relaxed) == 0, "two tasks with mutexinoutset ran at once");
  ++runs;
  inside.fetch_sub(1, platform::relaxed);
}

void chain(unsigned members, unsigned length) {
  unsigned x = 0;
  parallel(members, [&] {
    single_nowait([&] {
      for (unsigned each = 0; each < length; ++each) task_on({{how::out, &x}}, [&x, each] { step(x, each); });
    });
  });
  expect(x == length, "a task of a chain is lost");
}
void a_chain_of_dependences(unsigned members) { chain(members, 6); }
/// More than a team holds.
void a_long_chain_of_dependences(unsigned members) { chain(members, 120); }

/// One member runs tasks that are ready, while their creator makes ones that are not: it does not go without, until it looks by
/// force, as these are put by nobody.
void tasks_beside_held_ones(unsigned members) {
#ifdef TEFF_SIMULATED
  constexpr unsigned ready = 24, held_at_most = 400;
#else
  constexpr unsigned ready = 8, held_at_most = 16;  // fewer than the bound of small constants
#endif
  unsigned x = 0, held = 0;
  counter began{0}, may_end{0}, ran{0};
  parallel(members, [&] {
    if (number() != 0) return;
    task_on({{how::out, &x}}, [&] {
      raise(began);
      await(may_end);
    });
    await(began);
    for (unsigned each = 0; each < ready; ++each) {
      task([&] {
        platform::charge(1'500);  // briefer ones may be left to who makes them
        add(ran);
      });
    }
    for (; held < held_at_most && read(ran) < ready; ++held) task_on({{how::in, &x}}, [] {});
    raise(may_end);
  });
#ifdef TEFF_SIMULATED
  expect(held < held_at_most, "a member went without tasks for long, while another one kept some");
#endif
}

void a_wavefront_of_tasks(unsigned members) {
  constexpr unsigned size = 4;
  unsigned cell[size + 1][size + 1] = {};
  parallel(members, [&] {
    single_nowait([&] {
      for (unsigned i = 1; i <= size; ++i) {
        for (unsigned j = 1; j <= size; ++j) {
          unsigned* const here = &cell[i][j];
          unsigned* const above = &cell[i - 1][j];
          task_on({{how::in, here - 1}, {how::in, above}, {how::out, here}}, [here, above, i, j] {
            expect((j == 1 || here[-1] == i + j - 1) && (i == 1 || *above == i + j - 1),
                   "a task ran before one above or beside it");
            *here = i + j;
          });
        }
      }
    });
  });
  expect(cell[size][size] == 2 * size, "a task of a wavefront is lost");
}

/// Those of a group in any order, one of another group behind all of them.
void groups_of_dependences(unsigned members) {
  unsigned x = 0, alone = 0;
  counter sets{0}, readers{0}, inside{0};
  parallel(members, [&] {
    single_nowait([&] {
      task_on({{how::out, &x}}, [&] { x = 1; });
      for (unsigned each = 0; each < 3; ++each)
        task_on({{how::in, &x}}, [&] { expect(x == 1, "a reader read too early"), add(readers); });
      for (unsigned each = 0; each < 3; ++each) {
        task_on({{how::mutexinoutset, &x}}, [&] {
          expect(read(readers) == 3, "a task ran before readers had ended");
          be_alone(inside, alone);
        });
      }
      for (unsigned each = 0; each < 3; ++each) {
        task_on({{how::inoutset, &x}}, [&] {
          expect(alone == 3, "a task ran before those with mutexinoutset had ended");
          add(sets);
        });
      }
      task_on({{how::out, &x}}, [&] { expect(read(sets) == 3, "a task ran before those with inoutset had ended"), x = 2; });
    });
  });
  expect(x == 2 && alone == 3, "a task of a group is lost, or two ran at once");
}

/// Each gate keeps tasks out that have others as well; a task that is not deferred waits there, too.
void gates(unsigned members) {
  unsigned x = 0, y = 0;
  counter in_x{0}, in_y{0};
  parallel(members, [&] {
    single_nowait([&] {
      for (unsigned each = 0; each < 3; ++each) {
        task_on({{how::mutexinoutset, &x}, {how::mutexinoutset, &y}}, [&] { be_alone(in_x, x), be_alone(in_y, y); });
        task_on({{how::mutexinoutset, &y}}, [&] { be_alone(in_y, y); });
        task_on({{how::mutexinoutset, &x}}, [&] { be_alone(in_x, x); }, each != 1);
      }
      taskwait_on({{how::in, &x}});
      expect(x == 6, "tasks with mutexinoutset ran at once");
    });
  });
  expect(x == 6 && y == 6, "tasks with mutexinoutset ran at once, or are lost");
}

/// Who waits for some tasks and holds a lock runs none that wants the lock.
void waits_for_some(unsigned members) {
  unsigned x = 0, y = 0;
  parallel(members, [&] {
    single_nowait([&] {
      critical([&] {
        task_on({{how::out, &x}}, [&] { step(x, 0); });
        task_on({{how::out, &y}}, [&] { critical([&] { step(y, 0); }); });
        task_on({{how::out, &x}}, [&] { step(x, 1); });
        taskwait_on({{how::in, &x}});
        expect(x == 2, "a taskwait ended before what it depends on");
        task_on({{how::out, &x}}, [&] { step(x, 2); });
        const bool deferred = false;
        task_on({{how::in, &x}}, [&] { expect(x == 3, "a task that is not deferred ran too early"); }, deferred);
      });
    });
  });
  expect(x == 3 && y == 1, "a task is lost");
}

/// Who waits for some tasks runs none that these let begin and that it does not wait for, neither before the wait is over nor at
/// its end: others do.
void waits_that_let_others_begin(unsigned members) {
  unsigned x = 0, y = 0, z = 0;
  counter behind{0};
  parallel(members, [&] {
    single_nowait([&] {
      critical([&] {
        task_on({{how::out, &y}}, [&] { step(y, 0); });
        task_on({{how::out, &x}}, [&] { step(x, 0); });
        task_on({{how::in, &x}}, [&] { critical([&] { add(behind); }); });
        taskwait_on({{how::in, &x}, {how::in, &y}});
        expect(x == 1 && y == 1, "a taskwait ended before what it depends on");
        task_on({{how::out, &z}}, [&] { step(z, 0); });
        task_on({{how::in, &z}}, [&] { critical([&] { add(behind); }); });
        taskwait_on({{how::in, &z}});
        expect(z == 1, "a taskwait ended before what it depends on");
      });
    });
  });
  expect(read(behind) == 2, "a task is lost");
}

/// What a taskgroup's tasks depend on is outside of it, and nobody else may run what else is there.
void dependences_out_of_a_taskgroup(unsigned members) {
  unsigned x = 0, y = 0, z = 0;
  parallel(members, [&] {
    single_nowait([&] {
      critical([&] {
        task_on({{how::out, &z}}, [&] { critical([&] { step(z, 0); }); });
        task_on({{how::out, &x}}, [&] { step(x, 0); });
        task_on({{how::in, &x}, {how::out, &y}}, [&] { step(y, 0); });
        taskgroup([&] {
          task_on({{how::out, &y}}, [&] { step(y, 1); });
          taskgroup([&] { task_on({{how::out, &y}}, [&] { step(y, 2); }); });
          expect(y == 3, "a taskgroup ended before its task");
          task_on({{how::out, &y}}, [&] { step(y, 3); });
          task_on({{how::in, &y}, {how::out, &x}}, [&] { step(x, 1); });
        });
        expect(x == 2, "a taskgroup ended before its tasks");
      });
    });
  });
  expect(y == 4 && z == 1, "a task is lost");
}

/// The parent is gone before its children.
void children_alone(unsigned members) {
  unsigned x[2] = {};
  parallel(members, [&] {
    single_nowait([&] {
      for (unsigned each = 0; each < 2; ++each) {
        task([&x, each] {
          unsigned& own = x[each];
          for (unsigned number = 0; number < 3; ++number) task_on({{how::out, &own}}, [&own, number] { step(own, number); });
          task_on({{how::mutexinoutset, &own}}, [&own] { ++own; });
          task_on({{how::mutexinoutset, &own}}, [&own] { ++own; });
        });
      }
    });
  });
  expect(x[0] == 5 && x[1] == 5, "a task whose parent has ended is lost");
}

/// A detached task is complete when its event is fulfilled: by another task, or by who has made it.
void events_and_dependences(unsigned members) {
  unsigned x = 0;
  counter fulfilled{0};
  parallel(members, [&] {
    single_nowait([&] {
      for (unsigned each = 0; each < 2; ++each) {
        struct arguments {
          void* event;
        } all{nullptr};
        passed words({{how::out, &x}});
        void* event = nullptr;
        GOMP_task([](void*) {}, &all, nullptr, sizeof all, alignof(arguments), true, 1 << 3 | 1 << 13, words.words, 0, &event);
        task_on({{how::out, &x}}, [&, each] {
          expect(read(fulfilled) == each + 1, "a task ran before an event was fulfilled that it depends on");
          step(x, each);
        });
        const auto happen = [&fulfilled, event] {
          add(fulfilled);
          omp_fulfill_event(event);
        };
        if (each == 0) {
          task(happen);
          taskwait_on({{how::in, &x}});
        } else {
          happen();
        }
      }
    });
  });
  expect(x == 2, "a task behind an event is lost");
}

/// Tasks that are cancelled let those that depend on them go on, which may be in no group that is.
void cancelled_dependences(unsigned members) {
  unsigned x = 0, y = 0;
  parallel(members, [&] {
    single_nowait([&] {
      taskgroup([&] {
        task_on({{how::out, &y}}, [] { GOMP_cancel(8, true); });
        for (unsigned each = 0; each < 3; ++each) task_on({{how::out, &y}}, [&x] { ++x; });
        for (unsigned each = 0; each < 3; ++each) task_on({{how::mutexinoutset, &y}}, [&x] { ++x; });
        task_on({{how::in, &y}}, [&x] { ++x; });
      });
      expect(x == 0, "a task in a cancelled taskgroup ran");
      for (unsigned each = 0; each < 2; ++each) task_on({{how::out, &y}}, [&x, each] { step(x, each); });
    });
  });
  expect(x == 2, "a task behind a cancelled one is lost");
}

/// Who waits at a gate while its group is cancelled does not enter.
void gates_of_a_cancelled_group(unsigned members) {
  unsigned x = 0, y = 0;
  parallel(members, [&] {
    single_nowait([&] {
      taskgroup([&] {
        for (unsigned each = 0; each < 4; ++each) {
          task_on({{how::mutexinoutset, &y}}, [&x] {
            ++x;
            GOMP_cancel(8, true);
          });
        }
      });
      task_on({{how::out, &y}}, [&y] { step(y, 0); });
    });
  });
  expect(x != 0 && y == 1, "a task behind a cancelled one is lost");
}

/// Children of two tasks, one of which is the other's, that name the same address.
void cousins(unsigned members) {
  unsigned x = 0, y = 0;
  parallel(members, [&] {
    single_nowait([&] {
      task_on({{how::out, &x}}, [&] {
        task_on({{how::out, &x}}, [&] { step(y, 0); });
        task_on({{how::out, &x}}, [&] { step(y, 1); });
        taskwait_on({{how::in, &x}});
        step(y, 2);
      });
      task_on({{how::out, &x}}, [&] { step(y, 3); });
      taskwait_on({{how::in, &x}});
      expect(y == 4, "a taskwait ended before its task");
    });
  });
}

/// A task that makes others while enough wait, the oldest of which is not its own: that one may not run on top of it. The wait
/// begins with the newest.
void makers_beside_older_tasks(unsigned members) {
  unsigned x = 0;
  counter older{0}, fillers{0};
  counter making[2] = {0, 0};  // for each member
  parallel(members, [&] {
    single_nowait([&] {
      task([&] {
        expect(read(making[number()]) == 0, "a task ran on top of one that is no ancestor of it");
        add(older);
      });
      task([&] {
        counter& here = making[number()];
        add(here);
        task_on({{how::out, &x}}, [&] { step(x, 0); });
        for (unsigned each = 0; each < 8; ++each) task([&] { add(fillers); });
        for (unsigned each = 1; each < 5; ++each) task_on({{how::out, &x}}, [&x, each] { step(x, each); });
        here.store(0, platform::relaxed);  // relaxed: in simulation all is in one order
      });
      GOMP_taskwait();
    });
  });
  expect(x == 5 && read(older) == 1 && read(fillers) == 8, "a task is lost");
}

constexpr unsigned steps_of_spine = 6;
struct spine_of_dependences {
  unsigned held = 0, way[steps_of_spine + 1] = {};
  counter leaves{0};
  std::vector<unsigned> depth;
};
void step_on(spine_of_dependences& of, unsigned left) {
  unsigned& depth = of.depth[number()];
  expect(++depth <= 2, "a task that ran before another one was made let others run before it made more");
  if (left > 0) task_on({{how::out, &of.way[left]}}, [&of, left] { step_on(of, left - 1); });
  for (unsigned each = 0; each < 4; ++each) task_on({{how::in, &of.way[left]}}, [&of] { add(of.leaves); });
  --depth;
}
/// Each step makes the next one, and four tasks behind that, which let it begin before they are made, as there are many: behind
/// one that runs.
void a_spine_beside_held_tasks(unsigned members) {
  spine_of_dependences one{.depth = std::vector<unsigned>(members)};
  counter began{0}, may_end{0};
  parallel(members, [&] {
    if (number() != 0) return;
    task_on({{how::out, &one.held}}, [&] {
      raise(began);
      await(may_end);
    });
    await(began);
    for (unsigned each = 0; each < 6 * members; ++each) task_on({{how::in, &one.held}}, [&one] { add(one.leaves); });
    step_on(one, steps_of_spine);
    raise(may_end);
  });
  expect(read(one.leaves) == 6 * members + 4 * (steps_of_spine + 1), "a task beside a spine did not run once");
}

/// So many tasks that their maker runs some before the next one; but these want a lock that it holds.
void many_dependences_and_a_lock(unsigned members) {
  guarded one;
  unsigned x[20] = {};
  parallel(members, [&] {
    single_nowait([&] {
      task([&] {
        one.enter();
        for (unsigned& each : x) task_on({{how::out, &each}}, [&] { one.pass(); });
        one.leave();
      });
    });
  });
  expect(one.entries == 21, "a task beside a lock did not run once");
}

/// What depends on everything, and on nothing but that.
void all_memory(unsigned members) {
  unsigned x = 0, y = 0;
  parallel(members, [&] {
    single_nowait([&] {
      task_on({{how::out, &x}}, [&] { step(x, 0); });
      task_on({{how::in, &y}}, [&] { expect(y == 0, "a reader was too late"); });
      task_on({{how::out, nullptr}}, [&] { step(x, 1), step(y, 0); });
      task_on({{how::out, &y}}, [&] { step(y, 1); });
      GOMP_taskwait_depend_nowait(passed({{how::in, &y}, {how::out, &x}}).words);
      task_on({{how::in, &x}}, [&] { expect(x == 2 && y == 2, "a task ran before what a taskwait without a wait is for"); });
      taskwait_on({{how::out, nullptr}});
      expect(x == 2 && y == 2, "a taskwait for all ended before them");
    });
  });
}

/// Returns: what gcc passes of an iterator that takes no step: two zeros, behind which nothing is read.
void** no_dependences() {
  constexpr std::size_t half = 1 << 17;  // whole pages, whatever their size
  static char* const memory = []() -> char* {
    void* const made = mmap(nullptr, 2 * half, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED || mprotect(static_cast<char*>(made) + half, half, PROT_NONE) != 0) return nullptr;
    return static_cast<char*>(made);
  }();
  if (memory == nullptr) return expect(false, "the system refuses memory"), nullptr;
  return reinterpret_cast<void**>(memory + half) - 2;
}

/// A task with such is behind nobody, and nobody is behind it.
void iterators_of_no_steps(unsigned members) {
  void** const none = no_dependences();
  if (none == nullptr) return;
  counter ran{0};
  unsigned x = 0;
  parallel(members, [&] {
    single_nowait([&] {
      task_on({{how::out, &x}}, [&] { step(x, 0); });
      for (const bool deferred : {true, false}) {
        struct counted {
          counter* ran;
        } own{&ran};
        GOMP_task([](void* data) { add(*static_cast<counted*>(data)->ran); }, &own, nullptr, sizeof own, alignof(counted),
                  deferred, 1 << 3, none, 0, nullptr);
      }
      GOMP_taskwait_depend(none);
      GOMP_taskwait_depend_nowait(none);
      task_on({{how::out, &x}}, [&] { step(x, 1); });
      taskwait_on({{how::in, &x}});
      expect(x == 2, "a taskwait let its task go before one that it is for");
    });
  });
  expect(read(ran) == 2, "a task behind nobody is lost");
}

/// The thread that plays this ends afterwards, and all that it has made must be gone.
void dependences_outside_of_regions(unsigned) {
  unsigned x = 0;
  void* arguments = nullptr;
  passed words({{how::out, &x}});
  void* event = nullptr;
  GOMP_task([](void*) {}, &arguments, nullptr, sizeof arguments, alignof(void*), true, 1 << 3 | 1 << 13, words.words, 0, &event);
  omp_fulfill_event(event);
  task_on({{how::out, &x}}, [&] { step(x, 0); });
  GOMP_taskwait();
  expect(x == 1, "a task outside of all regions is lost");
}

constexpr bool none_waits = false, some_wait = true, never = false, cancels = true, takes_time = true;
constexpr scene all_with_dependences[] = {
    {"a_chain_of_dependences", 3, a_chain_of_dependences},
    {"a_long_chain_of_dependences", 2, a_long_chain_of_dependences},
    {"tasks_beside_held_ones", 3, tasks_beside_held_ones, some_wait, never, takes_time},
    {"a_wavefront_of_tasks", 3, a_wavefront_of_tasks},
    {"groups_of_dependences", 3, groups_of_dependences},
    {"gates", 3, gates},
    {"waits_for_some", 3, waits_for_some},
    {"waits_for_some_of_one", 1, waits_for_some},
    {"waits_that_let_others_begin", 3, waits_that_let_others_begin},
    {"waits_that_let_others_begin_of_one", 1, waits_that_let_others_begin},
    {"dependences_out_of_a_taskgroup", 2, dependences_out_of_a_taskgroup},
    {"dependences_out_of_a_taskgroup_of_one", 1, dependences_out_of_a_taskgroup},
    {"children_alone", 3, children_alone},
    {"events_and_dependences", 3, events_and_dependences},
    {"cancelled_dependences", 3, cancelled_dependences, none_waits, cancels},
    {"gates_of_a_cancelled_group", 3, gates_of_a_cancelled_group, none_waits, cancels},
    {"cousins", 2, cousins},
    {"makers_beside_older_tasks", 2, makers_beside_older_tasks},
    {"makers_beside_older_tasks_of_one", 1, makers_beside_older_tasks},
    {"a_spine_beside_held_tasks", 2, a_spine_beside_held_tasks, some_wait},
    {"many_dependences_and_a_lock", 2, many_dependences_and_a_lock},
    {"all_memory", 3, all_memory},
    {"iterators_of_no_steps", 3, iterators_of_no_steps},
    {"dependences_outside_of_regions", 1, dependences_outside_of_regions},
};

}  // namespace

std::span<const scene> scenes_of_dependences() { return all_with_dependences; }

}  // namespace TEFF_NAMESPACE::testing_openmp
