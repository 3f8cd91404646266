// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tasks for which there is no memory: new ones run at once, and those that become ready begin when who made them ready has told
/// all the others.
#include "scenes_of_refused_memory.h"

#include "constructs.h"
#include "platform/faults.h"

#include <array>
#include <cstdint>

extern "C" void omp_fulfill_event(void* event);

namespace TEFF_NAMESPACE::testing_openmp {

namespace {

/// While it lives, so many more blocks are granted.
class refusal {
 public:
  explicit refusal(std::int64_t granted) { plant(granted); }
  ~refusal() { plant(-1); }
  refusal(const refusal&) = delete;
  refusal& operator=(const refusal&) = delete;

 private:
  static void plant(std::int64_t granted) {
    __atomic_store_n(&platform::planted_faults().allocations_until_refusal, granted, __ATOMIC_RELAXED);
  }
};

struct clause {
  enum : unsigned { depend = 1 << 3, priority = 1 << 4, detach = 1 << 13 };
};
std::array<void*, 3> words_of(void* address, bool out) {
  const auto word = [](std::uintptr_t number) { return reinterpret_cast<void*>(number); };
  return {word(1), word(out ? 1 : 0), address};
}

/// Returns: the event of a task that others may be behind.
void* event_before(void* address) {
  void *event = nullptr, *arguments = nullptr;
  auto depend = words_of(address, true);
  GOMP_task([](void*) {}, &arguments, nullptr, sizeof arguments, alignof(void*), true, clause::depend | clause::detach,
            depend.data(), 0, &event);
  return event;
}

/// `#pragma omp task depend(in: address[0]) priority(…)`.
template <class Body>
void task_behind(void* address, int priority, Body body) {
  auto depend = words_of(address, false);
  GOMP_task([](void* data) { (*static_cast<Body*>(data))(); }, &body, nullptr, sizeof body, alignof(Body), true,
            clause::depend | (priority != 0 ? clause::priority : 0u), depend.data(), priority, nullptr);
}

/// Effect: one task, and then many at once, become ready while no pool has memory for more. `priority`: of every second one.
void release_in_want(unsigned members, int priority) {
  constexpr unsigned count = 16;  // below the bound on live tasks of one member
  counter ran{0}, telling{0};
  char x = 0;
  parallel(members, [&] {
    single_nowait([&] {
      task([&ran] { add(ran); });  // so that there is a pool
      GOMP_taskwait();
      void* const event = event_before(&x);
      for (unsigned each = 0; each < count; ++each) {
        task_behind(&x, each % 2 == 0 ? priority : 0, [&, members] {
          expect(members > 1 || read(telling) == 0, "a task began before who made it ready had told the others");
          add(ran);
        });
      }
      // Nobody is to make room meanwhile: with one member the event's task has run.
      if (members == 1) GOMP_taskyield();
      {
        const refusal in_want(0);
        add(telling);
        omp_fulfill_event(event);
        telling.store(0, platform::relaxed);
        GOMP_taskwait();
      }
      expect(read(ran) == count + 1, "a task that became ready without memory is lost");
    });
  });
}
void ready_in_want(unsigned members) { release_in_want(members, 0); }
void ready_in_want_by_priority(unsigned members) { release_in_want(members, 3); }

/// Of a taskloop. A taskgroup needs memory.
constexpr unsigned if_true = 1 << 10, no_group = 1 << 11;

/// Whatever is refused first: the task, its place in the pool, or nothing.
void tasks_in_want(unsigned members) {
  for (std::int64_t granted = 0; granted < 6; ++granted) {
    counter ran{0};
    parallel(members, [&] {
      single_nowait([&] {
        task([&ran] { add(ran); });
        GOMP_taskwait();
        {
          const refusal in_want(granted);
          for (unsigned each = 0; each < 12; ++each) {
            task([&ran, each] {
              // What is copied is the task's own, also of one that runs at once.
              expect(each < 12, "a task has other data than it was given");
              add(ran);
            });
          }
          taskloop(5, [&ran](long) { add(ran); }, if_true | no_group);
          GOMP_taskwait();
        }
        expect(read(ran) == 18, "a task without memory is lost");
      });
    });
    expect(read(ran) == 18, "a task without memory is lost");
  }
}

/// Large ones, whose blocks are never kept: each asks the system.
void large_tasks_in_want(unsigned members) {
  struct large {
    std::array<unsigned, 1000> numbers;
  };
  for (std::int64_t granted = 0; granted < 4; ++granted) {
    counter right{0};
    parallel(members, [&] {
      single_nowait([&] {
        task([] {});  // so that there is a pool
        GOMP_taskwait();
        const refusal in_want(granted);
        for (unsigned each = 0; each < 5; ++each) {
          large own{};
          own.numbers.back() = each;
          task([&right, own, each] {
            if (own.numbers.back() == each) add(right);
          });
        }
        GOMP_taskwait();
      });
    });
    expect(read(right) == 5, "a large task without memory is lost, or has other data");
  }
}

constexpr scene all_in_want[] = {
    {"ready_in_want", 3, ready_in_want},
    {"ready_in_want_of_one", 1, ready_in_want},
    {"ready_in_want_by_priority", 3, ready_in_want_by_priority},
    {"ready_in_want_by_priority_of_one", 1, ready_in_want_by_priority},
    {"tasks_in_want", 3, tasks_in_want},
    {"large_tasks_in_want", 2, large_tasks_in_want},
};

}  // namespace

std::span<const scene> scenes_of_refused_memory() { return all_in_want; }

}  // namespace TEFF_NAMESPACE::testing_openmp
