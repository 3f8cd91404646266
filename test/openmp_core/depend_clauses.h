// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tasks with dependences, as calls of what gcc makes of them.
#pragma once

#include "constructs.h"

#include <cstdint>
#include <initializer_list>
#include <type_traits>

namespace TEFF_NAMESPACE::testing_openmp {

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

}  // namespace TEFF_NAMESPACE::testing_openmp
