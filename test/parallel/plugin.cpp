// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library that uses Teff inside: the program that opens it (open_plugin.cpp) knows nothing of that.
#include "teff/parallel.hpp"

#include <functional>

extern "C" [[gnu::visibility("default")]] unsigned plugin_sum_below(unsigned size) {
  return teff::parallel_reduce(0u, size, 0u, [](unsigned i) { return i; }, std::plus<>());
}
