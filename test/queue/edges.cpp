// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Aligned memory of this program lies across multiples of 2 GiB, every second one of 4 GiB: rings of deques, too, whose tests
/// are linked to it. Addresses of one ring differ there in their upper halves, and in the sign of the lower ones.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>

extern "C" void __libc_free(void* block);

namespace {

constexpr std::uintptr_t edge = std::uintptr_t{1} << 31, page = 4'096, line = 64;
/// Neither the heap of the C library nor what the system maps by itself lies there.
constexpr std::uintptr_t begin = std::uintptr_t{1} << 40, end = std::uintptr_t{1} << 45;

std::atomic<std::uint64_t> blocks{0};

/// In front of a block.
struct mapping {
  void* at;
  std::size_t bytes;
};

bool is_at_an_edge(const void* block) {
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  return address >= begin && address < end;
}

/// Returns: a block with a multiple of 2 GiB inside, before some line of it; nullptr if the system refuses it.
void* block_at(std::uintptr_t multiple, std::uint64_t drawn, std::size_t bytes) {
  const std::uintptr_t lines = (bytes + line - 1) / line, first = multiple - drawn % lines * line;
  const std::uintptr_t from = (first - line) / page * page, to = (first + bytes + page - 1) / page * page;
  void* const wanted = reinterpret_cast<void*>(from);
  void* const made =
      mmap(wanted, to - from, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (made == MAP_FAILED) return nullptr;
  auto* const block = reinterpret_cast<char*>(first);
  *reinterpret_cast<mapping*>(block - sizeof(mapping)) = {made, to - from};
  return block;
}

TEST(edges, lie_in_aligned_memory) {
  constexpr std::size_t bytes = 3 * line;
  unsigned of_signs = 0, of_upper_halves = 0;
  for (unsigned i = 0; i < 32; ++i) {
    void* const block = std::aligned_alloc(line, bytes);
    ASSERT_TRUE(is_at_an_edge(block));
    const auto first = reinterpret_cast<std::uintptr_t>(block), last = first + bytes;
    if (first % edge != 0) ((first >> 32) == (last >> 32) ? of_signs : of_upper_halves) += first / edge != last / edge ? 1 : 0;
    std::free(block);
  }
  EXPECT_GE(of_signs, 3u);
  EXPECT_GE(of_upper_halves, 3u);
}

}  // namespace

extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  constexpr std::uint64_t pairs = (end - begin) / edge / 2 - 1;
  for (unsigned tries = 0; tries < 16 && alignment <= line; ++tries) {
    const std::uint64_t turn = blocks.fetch_add(1), drawn = turn * 0x9E3779B97F4A7C15u >> 32;
    const std::uint64_t number = 2 * (1 + turn % pairs) + drawn % 2;  // one of a pair: who makes blocks in turn gets both kinds
    if (void* const block = block_at(begin + number * edge, drawn / 2, bytes)) return block;
  }
  errno = ENOMEM;
  return nullptr;
}

extern "C" void free(void* block) noexcept {
  if (!is_at_an_edge(block)) return __libc_free(block);
  const mapping gone = *reinterpret_cast<mapping*>(static_cast<char*>(block) - sizeof(mapping));
  munmap(gone.at, gone.bytes);
}
