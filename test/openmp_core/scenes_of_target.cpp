// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Target regions on the host: as tasks they begin behind what they depend on, with data of their own; regions and teams inside
/// of them belong to nobody else.
#include "scenes_of_target.h"

#include "constructs.h"

#include <bit>
#include <cstddef>

extern "C" {
void GOMP_target_ext(int device, outlined*, std::size_t count, void** addresses, std::size_t* sizes, unsigned short* kinds,
                     unsigned flags, void** depend, void** arguments);
void GOMP_target_update_ext(int device, std::size_t count, void** addresses, std::size_t* sizes, unsigned short* kinds,
                            unsigned flags, void** depend);
bool GOMP_teams4(unsigned least, unsigned most, unsigned thread_limit, bool first);
void GOMP_taskgroup_reduction_register(std::uintptr_t* words);
void GOMP_taskgroup_reduction_unregister(std::uintptr_t* words);
void GOMP_task_reduction_remap(std::size_t count, std::size_t originals, void** addresses);
int omp_get_level();
int omp_get_num_teams();
int omp_get_team_num();
}

namespace TEFF_NAMESPACE::testing_openmp {

namespace {

constexpr unsigned nowait = 1;

/// What gcc passes for `depend(out: …)`.
struct depend_out {
  explicit depend_out(void* address) { words[2] = address; }
  void* words[3] = {reinterpret_cast<void*>(1), reinterpret_cast<void*>(1), nullptr};
};

/// `#pragma omp target firstprivate(body)`.
template <class Body>
void target(Body& body, unsigned flags = 0, void* depend = nullptr) {
  void* addresses[] = {&body};
  std::size_t sizes[] = {sizeof body};
  unsigned short kinds[] = {static_cast<unsigned short>(12 | std::countr_zero(alignof(Body)) << 8)};
  depend_out words(depend);
  GOMP_target_ext(
      -1, [](void* data) { (*static_cast<Body*>(*static_cast<void**>(data)))(); }, 1, addresses, sizes, kinds, flags,
      depend != nullptr ? words.words : nullptr, nullptr);
}

/// Each sees what the one before has left, be it a region, a task or nothing but data. Plain numbers, for ThreadSanitizer.
void a_chain_of_target_tasks(unsigned members) {
  unsigned x = 0;
  parallel(members, [&] {
    single_nowait([&] {
      for (unsigned each = 0; each < 4; ++each) {
        auto body = [&x, each] {
          expect(x == each, "a target task ran before one that it depends on had ended");
          expect(omp_get_level() == 0, "a target region is nested in another region");
          x = each + 1;
        };
        target(body, nowait, &x);
        depend_out words(&x);
        GOMP_target_update_ext(-1, 0, nullptr, nullptr, nullptr, each % 2, words.words);
        if (each % 2 == 0) expect(x == each + 1, "target update went on before what it depends on had ended");
      }
    });
  });
  expect(x == 4, "a target task was lost");
}

void target_tasks_with_copies(unsigned members) {
  counter right{0};
  parallel(members, [&] {
    single_nowait([&] {
      for (unsigned each = 0; each < 3; ++each) {
        struct {
          counter& right;
          unsigned number, expected;
          void operator()() const {
            if (number == expected) add(right);
          }
        } body{right, each, each};
        target(body, nowait);
        body.number = 77;  // the task has its own
      }
    });
  });
  expect(read(right) == 3, "a target task has the data of who made it");
}

/// The opener's copy has one writer: a target task comes with its address.
void a_reduction_with_target_tasks(unsigned members) {
  static constinit counter steps{0};
  constexpr std::size_t bytes = 64;
  long sum = 0;
  const auto copy_of = [](long& variable) {
    void* address = &variable;
    GOMP_task_reduction_remap(1, 0, &address);
    return static_cast<long*>(address);
  };
  const auto add_to = [](long* copy) {  // in pieces, so that another member may come between them
    const long before = *copy;
    add(steps);
    *copy = before + 1;
  };
  parallel(members, [&] {
    single_nowait([&] {
      std::uintptr_t words[10] = {1, bytes, bytes, 0, 0, 0, 0, reinterpret_cast<std::uintptr_t>(&sum), 0, 0};
      GOMP_taskgroup_start();
      GOMP_taskgroup_reduction_register(words);
      for (unsigned each = 0; each < 3; ++each) {
        auto body = [add_to, copy = copy_of(sum)] { add_to(copy); };
        target(body, nowait);
        add_to(copy_of(sum));
        task([&sum, add_to, copy_of] { add_to(copy_of(sum)); });
      }
      GOMP_taskgroup_end();
      for (unsigned each = 0; each < members; ++each) sum += *reinterpret_cast<const long*>(words[2] + bytes * each);
      GOMP_taskgroup_reduction_unregister(words);
    });
  });
  expect(sum == 9, "a reduction lost what a target task has added");
}

/// Each member has a region inside of a target region, whose tasks end there.
void target_regions_of_members(unsigned members) {
  counter inside{0};
  parallel(members, [&] {
    unsigned before = 0;
    task([&inside] { add(inside); });
    auto body = [&inside, &before] {
      parallel(2, [&] {
        expect(omp_get_level() == 1, "a region in a target region is not the first");
        single_nowait([&] { task([&before] { ++before; }); });
      });
      task([&inside] { add(inside); });
    };
    target(body);
    expect(before == 1, "a target region ended before a task inside");
  });
  expect(read(inside) == 2 * members, "a task beside a target region, or inside, was lost");
}

/// gcc asks before each team.
void teams_in_target_tasks(unsigned members) {
  counter ran{0};
  parallel(members, [&] {
    auto body = [&ran] {
      unsigned expected = 0;
      for (bool first = true; GOMP_teams4(2, 2, 0, first); first = false) {
        expect(omp_get_num_teams() == 2 && omp_get_team_num() == static_cast<int>(expected), "a team has a wrong number");
        parallel(2, [&] { expect(omp_get_num_teams() == 2, "a region in a team knows nothing of it"); });
        task([&ran, expected] {
          expect(omp_get_team_num() == static_cast<int>(expected), "a task of a team ran in the next one");
          add(ran);
        });
        ++expected;
      }
    };
    target(body, nowait);
  });
  expect(read(ran) == 2 * members, "a team of a target region was lost, or ran twice");
}

constexpr scene all_with_target[] = {
    {"a_chain_of_target_tasks", 3, a_chain_of_target_tasks},
    {"target_tasks_with_copies", 3, target_tasks_with_copies},
    {"a_reduction_with_target_tasks", 3, a_reduction_with_target_tasks},
    {"target_regions_of_members", 2, target_regions_of_members},
    {"teams_in_target_tasks", 2, teams_in_target_tasks},
};

}  // namespace

std::span<const scene> scenes_of_target() { return all_with_target; }

}  // namespace TEFF_NAMESPACE::testing_openmp
