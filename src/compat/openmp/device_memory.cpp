// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The functions for the memory of devices: here they all speak of the host's.
#include "compat/openmp/cancel.h"
#include "compat/openmp/depend.h"
#include "compat/openmp/entry.h"
#include "compat/openmp/entry_tasks.h"
#include "compat/openmp/refuse.h"
#include "compat/openmp/target.h"
#include "compat/openmp/timed.h"

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
  int count;
  const std::size_t *volume, *to_offsets, *from_offsets, *to_dimensions, *from_dimensions;

  bool is_empty() const { return element == 0 || std::find(volume, volume + count, std::size_t{0}) != volume + count; }
  /// Returns: whether each of its bytes has a number in both arrays.
  bool is_within_numbers() const {
    std::size_t unused = 0;
    return is_empty() || (find_stride(to_offsets, to_dimensions, unused) && find_stride(from_offsets, from_dimensions, unused));
  }
  /// Effect: copies it. Pre: is_within_numbers.
  void copy(char* to, const char* from) const;

 private:
  /// Effect: `stride` has the bytes of one step in the array's first dimension. Returns: false if a byte of the box would have no
  /// number, or the array has no bytes. Pre: not empty.
  bool find_stride(const std::size_t* offsets, const std::size_t* dimensions, std::size_t& stride) const;
  /// Effect: copies it, from dimension `at` on, of which these are the strides.
  void copy(char* to, const char* from, std::size_t to_stride, std::size_t from_stride, int at) const;
};

bool box::find_stride(const std::size_t* offsets, const std::size_t* dimensions, std::size_t& stride) const {
  std::size_t end = element, last = 0, begin = 0;
  stride = element;
  for (int at = count - 1;; --at) {
    if (__builtin_add_overflow(offsets[at], volume[at] - 1, &last) || __builtin_mul_overflow(last, stride, &begin) ||
        __builtin_add_overflow(end, begin, &end))
      return false;
    if (at == 0) return true;
    if (dimensions[at] == 0 || __builtin_mul_overflow(stride, dimensions[at], &stride)) return false;
  }
}

void box::copy(char* to, const char* from) const {
  std::size_t to_stride = 0, from_stride = 0;
  if (is_empty()) return;
  find_stride(to_offsets, to_dimensions, to_stride);
  find_stride(from_offsets, from_dimensions, from_stride);
  copy(to, from, to_stride, from_stride, 0);
}

void box::copy(char* to, const char* from, std::size_t to_stride, std::size_t from_stride, int at) const {
  to += to_offsets[at] * to_stride;
  from += from_offsets[at] * from_stride;
  if (at + 1 == count) {
    std::memcpy(to, from, element * volume[at]);
    return;
  }
  const std::size_t to_inner = to_stride / to_dimensions[at + 1], from_inner = from_stride / from_dimensions[at + 1];
  for (std::size_t step = 0; step < volume[at]; ++step)
    copy(to + step * to_stride, from + step * from_stride, to_inner, from_inner, at + 1);
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

struct setting {
  void* to;
  int value;
  std::size_t bytes;

  static void run(void* arguments) {
    const auto& all = *static_cast<const setting*>(arguments);
    if (all.bytes != 0) std::memset(all.to, all.value, all.bytes);
  }
};

constexpr int box_dimensions_at_most = std::numeric_limits<int>::max();

/// Returns: what the functions for boxes answer; done: there is a box to copy.
int answer_of(const box& whole, const void* to, const void* from, int to_device, int from_device) {
  if (to == nullptr && from == nullptr) return box_dimensions_at_most;
  if (!is_host(to_device) || !is_host(from_device) || to == nullptr || from == nullptr || whole.count <= 0) return wrong;
  return whole.is_within_numbers() ? done : wrong;
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
    const std::ptrdiff_t dimensions = count;
    return {element, count, at, at + dimensions, at + 2 * dimensions, at + 3 * dimensions, at + 4 * dimensions};
  }
  static void run(void* arguments) {
    auto& all = *static_cast<boxed_copying*>(arguments);
    all.whole().copy(all.to, all.from);
  }
};
static_assert(sizeof(boxed_copying) % alignof(std::size_t) == 0);

/// Effect: makes a task with arguments that are copied bit by bit, behind others as depend objects say.
void add_behind(task_function function, void* arguments, std::size_t bytes, int objects, void* list) {
  struct depend_object {  // as omp_depend_t
    void* words[2];
  };
  member& current = self();
  if (may_discard(current) && is_discarded(current, current.running)) return;
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

// These return the memory, also of a device that is not there, whose memory nobody sets.
TEFF_ENTRY void* omp_target_memset(void* to, int value, std::size_t bytes, int device) {
  setting all{to, value, bytes};
  if (is_host(device) && to != nullptr) setting::run(&all);
  return to;
}
TEFF_ENTRY void* omp_target_memset_async(void* to, int value, std::size_t bytes, int device, int objects, void* list) try {
  setting all{to, value, bytes};
  if (is_host(device) && to != nullptr) add_behind(setting::run, &all, sizeof all, objects, list);
  return to;
} catch (const std::bad_alloc&) {
  fail("no memory for a task that sets %zu bytes", bytes);
}

TEFF_ENTRY int omp_target_memcpy_rect(void* to, const void* from, std::size_t element, int count, const std::size_t* volume,
                                      const std::size_t* to_offsets, const std::size_t* from_offsets,
                                      const std::size_t* to_dimensions, const std::size_t* from_dimensions, int to_device,
                                      int from_device) {
  const box whole{element, count, volume, to_offsets, from_offsets, to_dimensions, from_dimensions};
  if (const int answer = answer_of(whole, to, from, to_device, from_device)) return answer;
  whole.copy(static_cast<char*>(to), static_cast<const char*>(from));
  return done;
}

TEFF_ENTRY int omp_target_memcpy_rect_async(void* to, const void* from, std::size_t element, int count, const std::size_t* volume,
                                            const std::size_t* to_offsets, const std::size_t* from_offsets,
                                            const std::size_t* to_dimensions, const std::size_t* from_dimensions, int to_device,
                                            int from_device, int objects, void* list) try {
  const box whole{element, count, volume, to_offsets, from_offsets, to_dimensions, from_dimensions};
  if (const int answer = answer_of(whole, to, from, to_device, from_device)) return answer;
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
