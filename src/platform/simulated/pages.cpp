// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/simulated/pages.h"

#include <cstdint>
#include <sys/mman.h>

namespace TEFF_NAMESPACE::platform {

char* map_pages(std::size_t bytes, std::size_t alignment) noexcept {
  const std::size_t mapped = bytes + alignment;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* memory = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  const std::size_t beyond = reinterpret_cast<std::uintptr_t>(memory) & (alignment - 1);
  const std::size_t before = beyond == 0 ? 0 : alignment - beyond;
  char* const begin = static_cast<char*>(memory) + before;
  if (before != 0) munmap(memory, before);
  if (alignment != before) munmap(begin + bytes, alignment - before);
  return begin;
}

void unmap_pages(char* begin, std::size_t bytes) noexcept { munmap(begin, bytes); }

void zero_pages(char* begin, std::size_t bytes) noexcept { madvise(begin, bytes, MADV_DONTNEED); }

}  // namespace TEFF_NAMESPACE::platform
