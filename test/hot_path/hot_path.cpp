// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Joins and puts on the default pool, with one worker, between calls of functions that hot_path.py finds in a trace.
#include "teff/teff.hpp"

#include <cstdio>
#include <cstring>

// In a trace: here a join, or a put, begins; the first function is called, the second one; here it has ended.
extern "C" {
[[gnu::noinline]] void hot_path_begins() { asm volatile(""); }
[[gnu::noinline]] void hot_path_first() { asm volatile(""); }
[[gnu::noinline]] void hot_path_second() { asm volatile(""); }
[[gnu::noinline]] void hot_path_ends() { asm volatile(""); }
}

namespace {

/// So many times: the first ones warm lists and arrays up.
constexpr unsigned times = 100;

/// Each join's functions take a number along and return it, as those of a recursion do.
unsigned join_often(teff::context& here) {
  unsigned sum = 0;
  for (unsigned i = 0; i < times; ++i) {
    hot_path_begins();
    const auto [left, right] = teff::join(
        here,
        [i](teff::context&) {
          hot_path_first();
          return i;
        },
        [i](teff::context&) {
          hot_path_second();
          return i;
        });
    sum += left + right;
    hot_path_ends();
  }
  return sum;
}

/// Each task puts the next one.
struct chained {
  unsigned left;
  unsigned long carried;

  void operator()(teff::context& here) const {
    hot_path_second();
    if (left == 0) return;
    hot_path_begins();
    here.put(chained{left - 1, carried + left});
    hot_path_ends();
  }
};

}  // namespace

int main(int argc, char** argv) {
  const bool puts = argc == 2 && std::strcmp(argv[1], "put") == 0;
  if (!puts && (argc != 2 || std::strcmp(argv[1], "join") != 0)) {
    std::fprintf(stderr, "hot_path takes one word; allowed: join, put\n");
    return 2;
  }
  teff::team alone({.pool = "teff", .workers = 1});
  unsigned sum = times * (times - 1);
  if (puts) alone.init(chained{times, 0});
  else alone.init([&](teff::context& here) { sum = join_often(here); });
  alone.run();
  return sum == times * (times - 1) && alone.stats().value("puts") == times ? 0 : 1;
}
