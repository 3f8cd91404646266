// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <cstddef>
#include <cstdint>

namespace TEFF_NAMESPACE::platform {

/// Memory for a stack, handed out by stack_supply. A guarded one has a page below it that may not be touched; a plain one lies
/// directly above another, and its user has to look after its lowest bytes.
struct stack_piece {
  void* bottom = nullptr;  ///< lowest usable byte
  std::size_t bytes = 0;
  bool guarded = false;
  unsigned valgrind_number = 0;

  explicit operator bool() const noexcept { return bottom != nullptr; }
  char* top() const noexcept { return static_cast<char*>(bottom) + bytes; }
};

/// The stacks of this process: takes them from the system and keeps what is given back.
///
/// Idea: each guarded stack costs the kernel two mappings, of which a process may have 65,530 by default; so past
///   `guarded_at_most` of them, and for stacks too small to be worth a guard page, slabs of many stacks are mapped at once,
///   without guards between them.
/// Threads: any. Below the seam: the lock is a real one in simulation too, where it is never contended.
/// Cost: a lock; system calls for each 64th plain stack at most, and each time guarded ones are used up: then some are mapped at
/// once.
namespace stack_supply {

inline constexpr std::size_t guarded_at_most = 16'000;
/// Below this size a guard page would be a third of the memory and more.
inline constexpr std::size_t least_guarded_bytes = std::size_t{16} * 1024;
inline constexpr std::size_t least_bytes = std::size_t{8} * 1024;
/// That may not be touched, right below a guarded one.
inline constexpr std::size_t guard_bytes = 4'096;

/// Returns: a stack of at least that many bytes (whole pages); an empty one if the system refuses.
stack_piece take(std::size_t bytes) noexcept;
void give_back(stack_piece piece) noexcept;

struct census {
  std::size_t guarded, plain;  ///< that exist, in use or kept
};
census count() noexcept;

/// For tests: after so many more requests all are refused, as if the address space were used up. Below 0: none is.
void plan_refusal(std::int64_t requests_until_refusal) noexcept;
/// For tests: so many guarded stacks at most, from now on.
void plan_guarded_at_most(std::size_t stacks) noexcept;

}  // namespace stack_supply
}  // namespace TEFF_NAMESPACE::platform
