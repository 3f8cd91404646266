// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory of workloads, of which their tasks say what they read and write: natively memory as any other, but for its alignment.
#pragma once

#include "teff/task.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

namespace TEFF_NAMESPACE::apps {

#ifdef TEFF_SIMULATED
inline constexpr bool declares_memory = true;
#else
/// Whether there is anybody to whom memory is declared.
inline constexpr bool declares_memory = false;
#endif

/// Effect: the calling task, or thread, reads or writes so many elements: takes time where caches are simulated.
template <class T>
void reads(const T* from, std::size_t count = 1) {
  this_task::touch(from, count * sizeof(T), this_task::access::read);
}
template <class T>
void writes(const T* to, std::size_t count = 1) {
  this_task::touch(to, count * sizeof(T), this_task::access::write);
}

/// Blocks of it begin where blocks of simulated caches begin, so that runs are the same whatever the host's heap looks like.
inline constexpr std::align_val_t declared_alignment{512};

template <class T>
struct declared_allocator {
  using value_type = T;

  declared_allocator() = default;
  template <class Other>
  explicit(false) declared_allocator(const declared_allocator<Other>&) {}

  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), declared_alignment)); }
  void deallocate(T* memory, std::size_t count) {
    this_task::forget(memory, count * sizeof(T));
    ::operator delete(memory, declared_alignment);
  }
  bool operator==(const declared_allocator&) const { return true; }
};

template <class T>
using declared_vector = std::vector<T, declared_allocator<T>>;

/// An array that is not initialised. Owns: its memory.
template <class T>
class declared_array {
  static_assert(std::is_trivial_v<T>);

 public:
  declared_array() = default;
  explicit declared_array(std::size_t count) {
    auto* const begin = static_cast<std::byte*>(::operator new(header_bytes + count * sizeof(T), declared_alignment));
    new (begin) std::size_t(count);
    memory_.reset(reinterpret_cast<T*>(begin + header_bytes));
  }

  T* get() const { return memory_.get(); }
  T& operator[](std::size_t i) const { return memory_[i]; }
  bool operator==(std::nullptr_t) const { return memory_ == nullptr; }
  void reset() { memory_.reset(); }

 private:
  static constexpr auto header_bytes = static_cast<std::size_t>(declared_alignment);  ///< in which its size stands

  struct deleter {
    void operator()(T* memory) const {
      std::byte* const begin = reinterpret_cast<std::byte*>(memory) - header_bytes;
      this_task::forget(memory, *reinterpret_cast<const std::size_t*>(begin) * sizeof(T));
      ::operator delete(begin, declared_alignment);
    }
  };
  std::unique_ptr<T[], deleter> memory_;
};

/// Returns: one that is full of zeros.
template <class T>
declared_array<T> zeros(std::size_t count) {
  declared_array<T> made(count);
  std::fill_n(made.get(), count, T{});
  return made;
}

}  // namespace TEFF_NAMESPACE::apps
