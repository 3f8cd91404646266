// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

constexpr std::size_t state_bytes = 20;
constexpr unsigned children_at_most = 100;
static_assert(std::endian::native == std::endian::little);

std::uint32_t big_endian(const unsigned char* bytes) {
  std::uint32_t value;
  std::memcpy(&value, bytes, sizeof value);
  return __builtin_bswap32(value);
}

void put_big_endian(std::uint32_t value, unsigned char* bytes) {
  value = __builtin_bswap32(value);
  std::memcpy(bytes, &value, sizeof value);
}

/// The words that SHA-1 works on.
struct sha1_state {
  std::uint32_t a, b, c, d, e;
};

/// Twenty rounds of SHA-1 (FIPS 180-4, section 6.1.2), which share a function and a constant.
template <class Function>
void twenty_rounds(sha1_state& s, const std::uint32_t* words, std::uint32_t constant, Function function) {
  for (unsigned t = 0; t < 20; ++t) {
    const std::uint32_t next = std::rotl(s.a, 5) + function(s.b, s.c, s.d) + s.e + words[t] + constant;
    s = {next, s.a, std::rotl(s.b, 30), s.c, s.d};
  }
}

std::uint32_t choose(std::uint32_t b, std::uint32_t c, std::uint32_t d) { return (b & c) | (~b & d); }
std::uint32_t parity(std::uint32_t b, std::uint32_t c, std::uint32_t d) { return b ^ c ^ d; }
std::uint32_t majority(std::uint32_t b, std::uint32_t c, std::uint32_t d) { return (b & c) | (b & d) | (c & d); }

/// SHA-1 of a message that fits one block.
void sha1(const unsigned char* message, std::size_t bytes, unsigned char* digest) {
  std::array<unsigned char, 64> block{};
  std::memcpy(block.data(), message, bytes);
  block[bytes] = 0x80;
  put_big_endian(static_cast<std::uint32_t>(8 * bytes), &block[60]);
  std::array<std::uint32_t, 80> words;
  for (unsigned t = 0; t < 16; ++t) words[t] = big_endian(&block[4 * t]);
  for (unsigned t = 16; t < 80; ++t) words[t] = std::rotl(words[t - 3] ^ words[t - 8] ^ words[t - 14] ^ words[t - 16], 1);
  const sha1_state start{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  sha1_state end = start;
  twenty_rounds(end, &words[0], 0x5A827999, choose);
  twenty_rounds(end, &words[20], 0x6ED9EBA1, parity);
  twenty_rounds(end, &words[40], 0x8F1BBCDC, majority);
  twenty_rounds(end, &words[60], 0xCA62C1D6, parity);
  const std::uint32_t sums[] = {start.a + end.a, start.b + end.b, start.c + end.c, start.d + end.d, start.e + end.e};
  for (unsigned i = 0; i < 5; ++i) put_big_endian(sums[i], digest + 4 * i);
}

std::int64_t median(std::int64_t a, std::int64_t b, std::int64_t c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

}  // namespace

void versus_charge(std::uint64_t units) {
  for (std::uint64_t i = 0; i < units; ++i) asm volatile("" :::);
}

unsigned versus_queens_places(const signed char* rows, unsigned row, unsigned n, signed char* places) {
  unsigned count = 0;
  for (int place = 0; place < static_cast<int>(n); ++place) {
    bool free = true;
    for (int above = 0; free && above < static_cast<int>(row); ++above) {
      const int distance = static_cast<int>(row) - above, other = rows[above];
      free = other != place && other != place - distance && other != place + distance;
    }
    if (free) places[count++] = static_cast<signed char>(place);
  }
  return count;
}

void versus_uts_root(std::uint32_t seed, unsigned char* state) {
  unsigned char message[state_bytes] = {};
  put_big_endian(seed, message + 16);
  sha1(message, sizeof message, state);
}

void versus_uts_child(const unsigned char* parent, std::uint32_t index, unsigned char* state) {
  unsigned char message[state_bytes + 4];
  std::memcpy(message, parent, state_bytes);
  put_big_endian(index, message + state_bytes);
  sha1(message, sizeof message, state);
}

unsigned versus_uts_children(const unsigned char* state, unsigned depth, unsigned branching, unsigned depth_limit) {
  if (depth >= depth_limit) return 0;
  const double drawn = static_cast<double>(big_endian(state + 16) & 0x7FFFFFFF) / 2147483648.0;
  const double ending = 1.0 / (1.0 + branching);
  const double children = std::floor(std::log(1 - drawn) / std::log(1 - ending));
  return std::min(static_cast<unsigned>(children), children_at_most);
}

void versus_partition(std::int64_t* begin, std::int64_t* end, std::int64_t** smaller_end, std::int64_t** greater_begin) {
  const std::int64_t pivot = median(*begin, begin[(end - begin) / 2], end[-1]);
  *smaller_end = std::partition(begin, end, [pivot](std::int64_t each) { return each < pivot; });
  *greater_begin = std::partition(*smaller_end, end, [pivot](std::int64_t each) { return each == pivot; });
}

void versus_sort(std::int64_t* begin, std::int64_t* end) { std::sort(begin, end); }
