// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The memory of what the simulator keeps about a run. Most of it is needed inside of accesses, which cannot fail: where the
/// system refuses it, the run ends there, and simulate() throws.
#pragma once

#include "base/namespace.h"

#include <cstddef>
#include <new>

namespace TEFF_NAMESPACE::sim {

/// Effect: inside a run, ends it. Outside, where the caller may be told: nothing.
void end_for_want_of_memory();

template <class T>
struct model_memory {
  using value_type = T;

  model_memory() = default;
  template <class Other>
  model_memory(const model_memory<Other>&) noexcept {}

  T* allocate(std::size_t count) {
    static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    if (void* const made = count <= PTRDIFF_MAX / sizeof(T) ? ::operator new(count * sizeof(T), std::nothrow) : nullptr)
      return static_cast<T*>(made);
    end_for_want_of_memory();
    throw std::bad_alloc();
  }
  void deallocate(T* gone, std::size_t) noexcept { ::operator delete(gone); }

  bool operator==(const model_memory&) const = default;
};

}  // namespace TEFF_NAMESPACE::sim
