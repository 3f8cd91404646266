// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/sanitizers.h"
#include "platform/stack_supply.h"

#include <cstddef>
#include <span>
#include <utility>

namespace TEFF_NAMESPACE::platform {

/// A stack in pages of its own, with a page below it that may not be touched, so that an overflow ends the program instead of
/// damaging it. Pages that were never touched cost no memory. Owns: the pages.
class stack {
 public:
  stack() = default;
  stack(stack&& other) noexcept { swap(other); }
  stack& operator=(stack&& other) noexcept {
    swap(other);
    return *this;
  }
  ~stack();

  /// Returns: a stack of at least that many bytes; an empty one if the system refuses. Cost: two system calls.
  static stack map(std::size_t bytes) noexcept;
  /// Effect: the first ones of `into`, as many as it returns, are stacks of at least that many bytes, whose pages lie side by
  /// side: all of them, unless the system refuses some. Cost: a system call, and one for each.
  static std::size_t map_side_by_side(std::size_t bytes, std::span<stack_piece> into) noexcept;

  /// Returns: the owner of a guarded piece that was handed over.
  static stack adopt(const stack_piece& piece) noexcept;
  /// Returns: the piece, known to the tools that watch stacks.
  static stack_piece announced(stack_piece piece) noexcept;

  explicit operator bool() const noexcept { return bottom_ != nullptr; }
  void* bottom() const noexcept { return bottom_; }
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  void swap(stack& other) noexcept {
    std::swap(bottom_, other.bottom_);
    std::swap(bytes_, other.bytes_);
    std::swap(valgrind_number_, other.valgrind_number_);
  }

  void* bottom_ = nullptr;  ///< lowest usable byte; the guard page lies right below
  std::size_t bytes_ = 0;
  unsigned valgrind_number_ = 0;
};

/// Returns: how many bytes of the calling thread's own stack lie below the caller's frame and are there to be used, `at_most` at
/// the most. Effect: a stack that grows, as a process's first thread's does, has grown by so much, if the system grants it.
std::size_t thread_stack_left(std::size_t at_most) noexcept;

/// While it lives, what the calling thread's own stack refers to is no leak, though the thread runs on other stacks: whoever
/// looks for leaks, as when a task calls exit, looks at the stack on which a thread is. Threads: the one that made it.
class stack_in_use {
 public:
#if defined(TEFF_ADDRESS_SANITIZER)
  stack_in_use() noexcept;
  ~stack_in_use();
  stack_in_use(const stack_in_use&) = delete;
  stack_in_use& operator=(const stack_in_use&) = delete;

 private:
  const char* const from_;
  std::size_t bytes_ = 0;
#else
  stack_in_use() {}
  ~stack_in_use() {}
#endif
};

}  // namespace TEFF_NAMESPACE::platform
