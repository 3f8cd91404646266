// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// OpenMP's allocators: all memory is the system's; what an allocator adds is alignment, a limit, and what happens beyond it.
#include "compat/openmp/entry.h"
#include "compat/openmp/refuse.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

namespace TEFF_NAMESPACE::openmp {

namespace {

using handle = std::uintptr_t;

/// The numbers that omp.h gives names to.
constexpr handle no_allocator = 0, default_allocator = 1, last_own_allocator = 8;
constexpr handle last_space = 4;
enum class key : int { sync_hint = 1, alignment, access, pool_size, fallback, fallback_data, pinned, partition };
enum value : std::uintptr_t {
  standard = ~std::uintptr_t{0},
  no = 0,
  fallback_to_default = 11,
  fallback_to_null,
  fallback_to_abort,
  fallback_to_other
};

struct trait {
  key what;
  std::uintptr_t value;
};

struct allocator {
  std::size_t alignment = alignof(std::max_align_t);
  std::size_t limit = 0;  ///< 0: none
  std::uintptr_t fallback = fallback_to_default;
  handle other = no_allocator;
  platform::atomic<std::size_t> used{0};
};

/// In front of each piece of memory.
struct head {
  void* block;
  std::size_t bytes;      ///< that the program may use
  std::size_t accounted;  ///< in `from`
  allocator* from;
};

allocator* made_by_program(handle number) { return number > last_own_allocator ? reinterpret_cast<allocator*>(number) : nullptr; }

bool is_power_of_two(std::uintptr_t number) { return number != 0 && (number & (number - 1)) == 0; }

/// Returns: whether the trait is possible.
bool apply(allocator& to, const trait& wanted) {
  const bool usual = wanted.value == standard;
  switch (wanted.what) {
    case key::alignment:
      if (usual) return true;
      to.alignment = std::max<std::size_t>(to.alignment, wanted.value);
      return is_power_of_two(wanted.value);
    case key::pool_size:
      to.limit = usual ? 0 : wanted.value;
      return true;
    case key::fallback:
      to.fallback = usual ? std::uintptr_t{fallback_to_default} : wanted.value;
      return to.fallback >= fallback_to_default && to.fallback <= fallback_to_other;
    case key::fallback_data:
      to.other = wanted.value;
      return true;
    case key::pinned:
      return usual || wanted.value == no;  // memory that stays in place is not had
    case key::sync_hint:
      return usual || (wanted.value >= 3 && wanted.value <= 6);
    case key::access:
      return usual || (wanted.value >= 7 && wanted.value <= 10);
    case key::partition:
      return usual || (wanted.value >= 15 && wanted.value <= 18);
  }
  return false;
}

/// Effect: counts bytes against the limit. Returns: false if it would be passed.
bool reserve(allocator& from, std::size_t bytes) {
  if (from.limit == 0) return true;
  std::size_t used = from.used.load(platform::relaxed);  // only a number goes by it
  do {
    if (bytes > from.limit || used > from.limit - bytes) return false;
  } while (!from.used.compare_exchange(used, used + bytes, platform::relaxed));
  return true;
}

void count_back(allocator* from, std::size_t bytes) {
  // relaxed: only a number goes by it.
  if (from != nullptr && from->limit != 0) from->used.fetch_sub(bytes, platform::relaxed);
}

/// `credit`: bytes of the limit that the caller has already.
void* take(allocator* from, std::size_t alignment, std::size_t bytes, std::size_t credit) {
  if (from != nullptr) alignment = std::max(alignment, from->alignment);
  const std::size_t more = sizeof(head) + alignment - alignof(std::max_align_t);  // the system aligns its blocks so far
  if (bytes > std::numeric_limits<std::size_t>::max() / 2 - more) return nullptr;
  const std::size_t beyond = bytes + more - std::min(credit, bytes + more);
  if (from != nullptr && !reserve(*from, beyond)) return nullptr;
  void* const block = platform::system_allocate(bytes + more);
  if (block == nullptr) {
    count_back(from, beyond);
    return nullptr;
  }
  const auto first = reinterpret_cast<std::uintptr_t>(block) + sizeof(head);
  auto* const start = reinterpret_cast<head*>((first + alignment - 1) / alignment * alignment) - 1;
  ::new (start) head{block, bytes, bytes + more, from};
  return start + 1;
}

head& head_of(void* memory) { return static_cast<head*>(memory)[-1]; }

/// `old`: memory whose bytes of its allocator's limit are the new memory's, if it has the same allocator.
void* allocate(std::size_t alignment, std::size_t bytes, handle number, const head* old = nullptr) {
  if (bytes == 0) return nullptr;
  alignment = std::max(alignment, alignof(std::max_align_t));
  if (number == no_allocator) number = icvs_of(self()).allocator;
  for (;;) {
    allocator* const from = made_by_program(number);
    const std::size_t credit = old != nullptr && old->from == from ? old->accounted : 0;
    if (void* const memory = take(from, alignment, bytes, credit)) return memory;
    if (from == nullptr || from->fallback == fallback_to_null) return nullptr;
    if (from->fallback == fallback_to_abort) fail("an allocator with the trait abort_fb has no %zu bytes left", bytes);
    // Without data there is no other. (The task's default allocator may be this one.)
    const bool has_other = from->fallback == fallback_to_other && from->other != no_allocator;
    number = has_other ? from->other : default_allocator;
  }
}

/// Effect: `kept` bytes stay counted.
void give_back(const head& own, std::size_t kept) {
  count_back(own.from, own.accounted - kept);
  platform::system_release(own.block, own.accounted);
}
void release(void* memory) {
  if (memory != nullptr) give_back(head_of(memory), 0);
}

/// Effect: the memory moves, and is counted against its allocator's limit once: a pool that has room for the difference is
/// enough.
void* resize(void* memory, std::size_t bytes, handle number) {
  const head& old = head_of(memory);
  if (number == no_allocator) number = old.from != nullptr ? reinterpret_cast<handle>(old.from) : default_allocator;
  void* const moved = allocate(1, bytes, number, &old);
  if (moved == nullptr) return nullptr;
  std::memcpy(moved, memory, std::min(bytes, old.bytes));
  const head& now = head_of(moved);
  give_back(old, now.from == old.from ? std::min(old.accounted, now.accounted) : 0);
  return moved;
}

void* zeroed(std::size_t alignment, std::size_t count, std::size_t bytes, handle number) {
  if (bytes != 0 && count > std::numeric_limits<std::size_t>::max() / bytes) return nullptr;
  void* const memory = allocate(alignment, count * bytes, number);
  if (memory != nullptr) std::memset(memory, 0, count * bytes);
  return memory;
}

handle make(handle space, std::int64_t count, const trait* traits) {
  if (space > last_space || count < 0) return no_allocator;
  std::unique_ptr<allocator> made(new (std::nothrow) allocator);
  if (made == nullptr || !std::all_of(traits, traits + count, [&](const trait& each) { return apply(*made, each); }))
    return no_allocator;
  return reinterpret_cast<handle>(made.release());
}

}  // namespace

TEFF_ENTRY handle omp_init_allocator(handle space, int count, const trait* traits) { return make(space, count, traits); }
TEFF_ENTRY handle omp_init_allocator_(const handle* space, const std::int32_t* count, const trait* traits) {
  return make(*space, *count, traits);
}
TEFF_ENTRY handle omp_init_allocator_8_(const handle* space, const std::int64_t* count, const trait* traits) {
  return make(*space, *count, traits);
}
TEFF_ENTRY void omp_destroy_allocator(handle number) { delete made_by_program(number); }
TEFF_ENTRY void omp_destroy_allocator_(const handle* number) { delete made_by_program(*number); }
TEFF_ENTRY handle omp_get_default_allocator() { return current_icvs().allocator; }
TEFF_FORTRAN(omp_get_default_allocator);
TEFF_ENTRY void omp_set_default_allocator(handle number) {
  change_icvs(self(), [&](icvs& own) { own.allocator = number != no_allocator ? number : default_allocator; });
}
TEFF_ENTRY void omp_set_default_allocator_(const handle* number) { omp_set_default_allocator(*number); }

TEFF_ENTRY void* omp_alloc(std::size_t bytes, handle number) { return allocate(1, bytes, number); }
TEFF_ENTRY void* omp_aligned_alloc(std::size_t alignment, std::size_t bytes, handle number) {
  return is_power_of_two(alignment) ? allocate(alignment, bytes, number) : nullptr;
}
TEFF_ENTRY void* omp_calloc(std::size_t count, std::size_t bytes, handle number) { return zeroed(1, count, bytes, number); }
TEFF_ENTRY void* omp_aligned_calloc(std::size_t alignment, std::size_t count, std::size_t bytes, handle number) {
  return is_power_of_two(alignment) ? zeroed(alignment, count, bytes, number) : nullptr;
}
TEFF_ENTRY void omp_free(void* memory, handle) { release(memory); }
TEFF_ENTRY void* omp_realloc(void* memory, std::size_t bytes, handle number, handle) {
  if (memory == nullptr) return allocate(1, bytes, number);
  if (bytes != 0) return resize(memory, bytes, number);
  release(memory);
  return nullptr;
}

TEFF_ENTRY void* GOMP_alloc(std::size_t alignment, std::size_t bytes, handle number) {
  void* const memory = allocate(std::max<std::size_t>(1, alignment), bytes, number);
  if (memory == nullptr && bytes != 0) fail("no memory for a variable of %zu bytes in an allocate clause", bytes);
  return memory;
}
TEFF_ENTRY void GOMP_free(void* memory, handle) { release(memory); }

}  // namespace TEFF_NAMESPACE::openmp
