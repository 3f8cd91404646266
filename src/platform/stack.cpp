// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/stack.h"
#include "platform/system_stack.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define VALGRIND_STACK_REGISTER(begin, end) 0
#define VALGRIND_STACK_DEREGISTER(number) static_cast<void>(number)
#endif

namespace TEFF_NAMESPACE::platform {

namespace {

std::size_t page_bytes() noexcept { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

#ifndef TEFF_SIMULATED

/// Returns: how many bytes below `from` are mapped without a gap, `at_most` at the most.
std::size_t mapped_below(const char* from, std::size_t at_most) noexcept {
  const std::size_t page = page_bytes();
  const auto address = reinterpret_cast<std::uintptr_t>(from);
  std::size_t mapped = address % page;
  for (unsigned char resident; mapped < at_most; mapped += page) {
    if (mincore(reinterpret_cast<void*>(address - mapped - page), page, &resident) != 0) break;
  }
  return std::min(mapped, at_most);
}

bool can_map(std::size_t bytes) noexcept {
  void* const tried = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (tried == MAP_FAILED) return false;
  munmap(tried, bytes);
  return true;
}

[[gnu::noinline]] void touch_below(std::size_t bytes) noexcept { static_cast<volatile char*>(__builtin_alloca(bytes))[0] = 0; }

#endif

}  // namespace

std::size_t thread_stack_left(std::size_t at_most) noexcept {
#ifndef TEFF_SIMULATED  // whose threads' stacks are large, and are not the system's
  const stack_bounds all = stack_of_system_thread();
  if (all.bottom == nullptr) return at_most / 4;
  const auto* const here = static_cast<const char*>(__builtin_frame_address(0));
  const std::size_t left = std::min(static_cast<std::size_t>(here - all.bottom), at_most);
  // The first thread's grows when it is used. Where the system refuses that, it ends the process by a signal; so it is asked for
  // as much in another way before.
  const std::size_t margin = 2 * page_bytes();
  if (mapped_below(here, left) < left && left > margin && can_map(left)) touch_below(left - margin);
  return mapped_below(here, left);
#else
  return at_most;
#endif
}

stack stack::map(std::size_t bytes) noexcept {
  stack_piece made;
  return map_side_by_side(bytes, {&made, 1}) == 1 ? adopt(made) : stack();
}

std::size_t stack::map_side_by_side(std::size_t bytes, std::span<stack_piece> into) noexcept {
  const std::size_t page = page_bytes();
  const std::size_t usable = (bytes + page - 1) / page * page, each = page + usable;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
  void* const mapped = mmap(nullptr, into.size() * each, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (mapped == MAP_FAILED) return 0;
  auto* guard = static_cast<char*>(mapped);
  for (std::size_t made = 0; made < into.size(); ++made, guard += each) {
    if (mprotect(guard, page, PROT_NONE) != 0) {
      munmap(guard, (into.size() - made) * each);
      return made;
    }
    into[made] = announced({guard + page, usable, true, 0});
  }
  return into.size();
}

stack_piece stack::announced(stack_piece piece) noexcept {
  piece.valgrind_number = VALGRIND_STACK_REGISTER(piece.bottom, piece.top());
  return piece;
}

stack stack::adopt(const stack_piece& piece) noexcept {
  stack owner;
  owner.bottom_ = piece.bottom;
  owner.bytes_ = piece.bytes;
  owner.valgrind_number_ = piece.valgrind_number;
  return owner;
}

stack::~stack() {
  if (bottom_ == nullptr) return;
  VALGRIND_STACK_DEREGISTER(valgrind_number_);
  // The next mapping at these addresses must not inherit what abandoned frames left in the shadow.
  sanitizers::mark_usable(bottom_, bytes_);
  const std::size_t page = page_bytes();
  munmap(static_cast<char*>(bottom_) - page, bytes_ + page);
}

#if defined(TEFF_ADDRESS_SANITIZER)

stack_in_use::stack_in_use() noexcept : from_(static_cast<const char*>(__builtin_frame_address(0))) {
  const stack_bounds all = stack_of_system_thread();
  // A simulated thread's is another one.
  if (from_ > all.bottom && from_ < all.bottom + all.bytes) bytes_ = static_cast<std::size_t>(all.bottom + all.bytes - from_);
  if (bytes_ != 0) __lsan_register_root_region(from_, bytes_);
}

stack_in_use::~stack_in_use() {
  if (bytes_ != 0) __lsan_unregister_root_region(from_, bytes_);
}

#endif

}  // namespace TEFF_NAMESPACE::platform
