// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The functions for the memory of devices: here they all speak of the host's.
#include "compat/openmp/depend.h"
#include "compat/openmp/entry.h"
#include "compat/openmp/entry_tasks.h"
#include "compat/openmp/target.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <vector>

namespace TEFF_NAMESPACE::openmp {

namespace {

constexpr int done = 0, wrong = EINVAL, no_memory = ENOMEM;

/// A part of an array with these many dimensions, the same in two arrays.
struct box {
  std::size_t element;
  const std::size_t *volume, *to_offsets, *from_offsets, *to_dimensions, *from_dimensions;

  /// Effect: copies it, from dimension `at` of `count` on. Returns: the error.
  int copy(char* to, const char* from, int at, int count) const;
};

/// Returns: the bytes of one step in dimension `at`; 0 if they are more than there are.
std::size_t stride_of(std::size_t element, const std::size_t* dimensions, int at, int count) {
  std::size_t bytes = element;
  for (int inner = at + 1; inner < count; ++inner)
    if (__builtin_mul_overflow(bytes, dimensions[inner], &bytes)) return 0;
  return bytes;
}

int box::copy(char* to, const char* from, int at, int count) const {
  const std::size_t to_stride = stride_of(element, to_dimensions, at, count);
  const std::size_t from_stride = stride_of(element, from_dimensions, at, count);
  std::size_t to_begin = 0, from_begin = 0, length = 0;
  if (__builtin_mul_overflow(to_stride, to_offsets[at], &to_begin) ||
      __builtin_mul_overflow(from_stride, from_offsets[at], &from_begin))
    return wrong;
  if (at + 1 == count) {
    if (__builtin_mul_overflow(element, volume[at], &length)) return wrong;
    if (length != 0) std::memcpy(to + to_begin, from + from_begin, length);
    return done;
  }
  if (volume[at] != 0 && (to_stride == 0 || from_stride == 0)) return wrong;
  for (std::size_t step = 0; step < volume[at]; ++step)
    if (const int error = copy(to + to_begin + step * to_stride, from + from_begin + step * from_stride, at + 1, count))
      return error;
  return done;
}

/// What a copy of either kind is, for a task that does it.
struct copying {
  void* to;
  const void* from;
  std::size_t bytes, to_offset, from_offset;

  static void run(void* arguments) {
    const auto& all = *static_cast<const copying*>(arguments);
    if (all.bytes != 0)
      std::memcpy(static_cast<char*>(all.to) + all.to_offset, static_cast<const char*>(all.from) + all.from_offset, all.bytes);
  }
};

constexpr int box_dimensions_at_most = std::numeric_limits<int>::max();

/// Returns: the error in the arguments; nothing is said of the sizes.
int check_box(const void* to, const void* from, int count, int to_device, int from_device) {
  return is_host(to_device) && is_host(from_device) && to != nullptr && from != nullptr && count > 0 ? done : wrong;
}

/// The numbers of a box lie behind it in a task's arguments: the program may change its own.
struct boxed_copying {
  char* to;
  const char* from;
  std::size_t element;
  int count;

  static std::size_t bytes(int count) {
    return sizeof(boxed_copying) + 5 * static_cast<std::size_t>(count) * sizeof(std::size_t);
  }
  std::size_t* numbers() { return reinterpret_cast<std::size_t*>(this + 1); }

  box whole() {
    std::size_t* const at = numbers();
    return {element, at, at + count, at + 2 * count, at + 3 * count, at + 4 * count};
  }
  static void run(void* arguments) {
    auto& all = *static_cast<boxed_copying*>(arguments);
    all.whole().copy(all.to, all.from, 0, all.count);
  }
};
static_assert(sizeof(boxed_copying) % alignof(std::size_t) == 0);

/// Effect: makes a task with arguments that are copied bit by bit, behind others as depend objects say.
void add_behind(task_function function, void* arguments, std::size_t bytes, int objects, void* list) {
  struct depend_object {  // as omp_depend_t
    void* words[2];
  };
  member& current = self();
  const timed in_runtime(current.clock, activity::runtime);
  const task_request wanted{function, arguments, nullptr, bytes, alignof(std::size_t), 0};
  const bool deferred = !(current.running->flags & node::final);
  if (objects <= 0) return add_task(current, wanted, how_to_put(wanted, deferred));
  // As gcc passes depend clauses that have nothing but objects: dependence_list.
  std::vector<void*> depend{nullptr, reinterpret_cast<void*>(static_cast<std::uintptr_t>(objects)), nullptr, nullptr, nullptr};
  for (int each = 0; each < objects; ++each) depend.push_back(static_cast<depend_object*>(list) + each);
  if (deferred) add_dependent(current, wanted, depend.data(), nullptr);
  else run_behind(current, wanted, depend.data());
}

}  // namespace

TEFF_ENTRY void* omp_target_alloc(std::size_t bytes, int device) {
  return is_host(device) ? platform::system_allocate(std::max<std::size_t>(1, bytes)) : nullptr;
}
TEFF_ENTRY void omp_target_free(void* memory, int device) {
  if (memory != nullptr && is_host(device)) platform::system_release(memory, 0);
}
TEFF_ENTRY int omp_target_is_present(const void* memory, int device) { return memory == nullptr || is_host(device); }
TEFF_ENTRY int omp_target_is_accessible(const void*, std::size_t, int device) { return is_host(device); }
TEFF_ENTRY void* omp_get_mapped_ptr(const void* memory, int device) {
  return is_host(device) ? const_cast<void*>(memory) : nullptr;
}

// What the host has cannot be elsewhere.
TEFF_ENTRY int omp_target_associate_ptr(const void*, const void*, std::size_t, std::size_t, int device) {
  static_cast<void>(is_host(device));
  return wrong;
}
TEFF_ENTRY int omp_target_disassociate_ptr(const void*, int device) {
  static_cast<void>(is_host(device));
  return wrong;
}

TEFF_ENTRY int omp_target_memcpy(void* to, const void* from, std::size_t bytes, std::size_t to_offset, std::size_t from_offset,
                                 int to_device, int from_device) {
  if (!is_host(to_device) || !is_host(from_device)) return wrong;
  copying all{to, from, bytes, to_offset, from_offset};
  copying::run(&all);
  return done;
}

TEFF_ENTRY int omp_target_memcpy_async(void* to, const void* from, std::size_t bytes, std::size_t to_offset,
                                       std::size_t from_offset, int to_device, int from_device, int objects, void* list) try {
  if (!is_host(to_device) || !is_host(from_device)) return wrong;
  copying all{to, from, bytes, to_offset, from_offset};
  add_behind(copying::run, &all, sizeof all, objects, list);
  return done;
} catch (const std::bad_alloc&) {
  return no_memory;
}

TEFF_ENTRY int omp_target_memcpy_rect(void* to, const void* from, std::size_t element, int count, const std::size_t* volume,
                                      const std::size_t* to_offsets, const std::size_t* from_offsets,
                                      const std::size_t* to_dimensions, const std::size_t* from_dimensions, int to_device,
                                      int from_device) {
  if (to == nullptr && from == nullptr) return box_dimensions_at_most;
  if (const int error = check_box(to, from, count, to_device, from_device)) return error;
  const box whole{element, volume, to_offsets, from_offsets, to_dimensions, from_dimensions};
  return whole.copy(static_cast<char*>(to), static_cast<const char*>(from), 0, count);
}

TEFF_ENTRY int omp_target_memcpy_rect_async(void* to, const void* from, std::size_t element, int count, const std::size_t* volume,
                                            const std::size_t* to_offsets, const std::size_t* from_offsets,
                                            const std::size_t* to_dimensions, const std::size_t* from_dimensions, int to_device,
                                            int from_device, int objects, void* list) try {
  if (to == nullptr && from == nullptr) return box_dimensions_at_most;
  if (const int error = check_box(to, from, count, to_device, from_device)) return error;
  std::vector<std::size_t> memory(boxed_copying::bytes(count) / sizeof(std::size_t));
  auto* const all = ::new (memory.data()) boxed_copying{static_cast<char*>(to), static_cast<const char*>(from), element, count};
  std::size_t* next = all->numbers();
  for (const std::size_t* each : {volume, to_offsets, from_offsets, to_dimensions, from_dimensions})
    next = std::copy_n(each, count, next);
  add_behind(boxed_copying::run, all, boxed_copying::bytes(count), objects, list);
  return done;
} catch (const std::bad_alloc&) {
  return no_memory;
}

}  // namespace TEFF_NAMESPACE::openmp
