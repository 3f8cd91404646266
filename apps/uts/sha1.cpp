// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/uts/sha1.h"

#include <algorithm>
#include <bit>

namespace TEFF_NAMESPACE::apps {

namespace {

constexpr std::size_t block_bytes = 64, length_bytes = 8;

using state = std::array<std::uint32_t, 5>;

constexpr state initial{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};

std::uint32_t word_at(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 | bytes[3];
}

/// Twenty rounds with one function and constant. In each the five words change their parts; after five all are back.
template <class Function>
inline void twenty_rounds(state& s, const std::uint32_t* schedule, std::uint32_t constant, Function mix) {
  auto [a, b, c, d, e] = s;
  const auto round = [&](std::uint32_t v, std::uint32_t& w, std::uint32_t x, std::uint32_t y, std::uint32_t& z,
                         std::uint32_t word) {
    z += std::rotl(v, 5) + mix(w, x, y) + constant + word;
    w = std::rotl(w, 30);
  };
  for (const std::uint32_t* const end = schedule + 20; schedule < end; schedule += 5) {
    round(a, b, c, d, e, schedule[0]);
    round(e, a, b, c, d, schedule[1]);
    round(d, e, a, b, c, schedule[2]);
    round(c, d, e, a, b, schedule[3]);
    round(b, c, d, e, a, schedule[4]);
  }
  s = {a, b, c, d, e};
}

void add_block(state& sum, const std::uint8_t* bytes) {
  std::array<std::uint32_t, 80> schedule;
  for (unsigned t = 0; t < 16; ++t) schedule[t] = word_at(bytes + 4 * t);
  for (unsigned t = 16; t < 80; ++t)
    schedule[t] = std::rotl(schedule[t - 3] ^ schedule[t - 8] ^ schedule[t - 14] ^ schedule[t - 16], 1);
  const auto parity = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) { return x ^ y ^ z; };
  const auto choice = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) { return z ^ (x & (y ^ z)); };
  const auto majority = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) { return (x & y) | (z & (x | y)); };
  state s = sum;
  twenty_rounds(s, schedule.data(), 0x5a827999, choice);
  twenty_rounds(s, schedule.data() + 20, 0x6ed9eba1, parity);
  twenty_rounds(s, schedule.data() + 40, 0x8f1bbcdc, majority);
  twenty_rounds(s, schedule.data() + 60, 0xca62c1d6, parity);
  for (unsigned i = 0; i < sum.size(); ++i) sum[i] += s[i];
}

}  // namespace

sha1_digest sha1(std::span<const std::uint8_t> message) {
  state sum = initial;
  std::size_t done = 0;
  for (; message.size() - done >= block_bytes; done += block_bytes) add_block(sum, message.data() + done);
  // What is left, a one bit, zeros, and the length in bits: in one block, or two.
  std::array<std::uint8_t, 2 * block_bytes> last{};
  const std::size_t left = message.size() - done;
  std::copy_n(message.data() + done, left, last.begin());
  last[left] = 0x80;
  const std::size_t end = left + 1 + length_bytes <= block_bytes ? block_bytes : 2 * block_bytes;
  for (std::size_t i = 0; i < length_bytes; ++i)
    last[end - 1 - i] = static_cast<std::uint8_t>(std::uint64_t{message.size()} * 8 >> (8 * i));
  for (std::size_t at = 0; at < end; at += block_bytes) add_block(sum, last.data() + at);
  sha1_digest digest;
  for (std::size_t i = 0; i < digest.size(); ++i) digest[i] = static_cast<std::uint8_t>(sum[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

}  // namespace TEFF_NAMESPACE::apps
