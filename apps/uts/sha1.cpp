// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/uts/sha1.h"

#include <algorithm>
#include <bit>
#include <type_traits>

namespace TEFF_NAMESPACE::apps {

namespace {

constexpr std::size_t block_bytes = 64, length_bytes = 8;

using state = std::array<std::uint32_t, 5>;

constexpr state initial{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};

std::uint32_t word_at(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 | bytes[3];
}

/// The schedule: of its 80 words the last 16, which are all that the next one is made of.
using words = std::array<std::uint32_t, 16>;

template <std::size_t Number>
[[gnu::always_inline]] inline std::uint32_t next_word(words& last) {
  std::uint32_t& word = last[Number % 16];
  if constexpr (Number >= 16)
    word = std::rotl(last[(Number - 3) % 16] ^ last[(Number - 8) % 16] ^ last[(Number - 14) % 16] ^ word, 1);
  return word;
}

/// Twenty rounds from that one on, with one function and constant. In each the five words change their parts; after five all are
/// back.
template <std::size_t First, class Function>
[[gnu::always_inline]] inline void twenty_rounds(state& s, words& last, std::uint32_t constant, Function mix) {
  auto [a, b, c, d, e] = s;
  const auto round = [&](std::uint32_t v, std::uint32_t& w, std::uint32_t x, std::uint32_t y, std::uint32_t& z,
                         std::uint32_t word) {
    z += std::rotl(v, 5) + mix(w, x, y) + constant + word;
    w = std::rotl(w, 30);
  };
  const auto five = [&]<std::size_t From>(std::integral_constant<std::size_t, From>) {
    round(a, b, c, d, e, next_word<From>(last));
    round(e, a, b, c, d, next_word<From + 1>(last));
    round(d, e, a, b, c, next_word<From + 2>(last));
    round(c, d, e, a, b, next_word<From + 3>(last));
    round(b, c, d, e, a, next_word<From + 4>(last));
  };
  five(std::integral_constant<std::size_t, First>{});
  five(std::integral_constant<std::size_t, First + 5>{});
  five(std::integral_constant<std::size_t, First + 10>{});
  five(std::integral_constant<std::size_t, First + 15>{});
  s = {a, b, c, d, e};
}

void add_block(state& sum, const std::uint8_t* bytes) {
  words last;
  for (unsigned t = 0; t < last.size(); ++t) last[t] = word_at(bytes + std::size_t{4} * t);
  const auto parity = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) { return x ^ y ^ z; };
  const auto choice = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) { return z ^ (x & (y ^ z)); };
  const auto majority = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) { return (x & y) | (z & (x | y)); };
  state s = sum;
  twenty_rounds<0>(s, last, 0x5a827999, choice);
  twenty_rounds<20>(s, last, 0x6ed9eba1, parity);
  twenty_rounds<40>(s, last, 0x8f1bbcdc, majority);
  twenty_rounds<60>(s, last, 0xca62c1d6, parity);
  for (unsigned i = 0; i < sum.size(); ++i) sum[i] += s[i];
}

}  // namespace

sha1_digest sha1(std::span<const std::uint8_t> message) {
  state sum = initial;
  std::size_t done = 0;
  for (; message.size() - done >= block_bytes; done += block_bytes) add_block(sum, message.data() + done);
  // What is left, a one bit, zeros, and the length in bits: in one block, or two.
  std::array<std::uint8_t, block_bytes> last{};
  const std::size_t left = message.size() - done;
  std::copy_n(message.data() + done, left, last.begin());
  last[left] = 0x80;
  if (left + 1 + length_bytes > block_bytes) {
    add_block(sum, last.data());
    last = {};
  }
  for (std::size_t i = 0; i < length_bytes; ++i)
    last[block_bytes - 1 - i] = static_cast<std::uint8_t>(std::uint64_t{message.size()} * 8 >> (8 * i));
  add_block(sum, last.data());
  sha1_digest digest;
  for (std::size_t i = 0; i < digest.size(); ++i) digest[i] = static_cast<std::uint8_t>(sum[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

}  // namespace TEFF_NAMESPACE::apps
