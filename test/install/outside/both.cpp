// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <teff/teff.h>
#include <teff/teff.hpp>

#include <cstdio>

extern "C" int workers_by_c(void);

int main() {
  try {
    teff::team refused({.pool = "dq55"});
    return 1;
  } catch (const teff::usage_error& wrong) {  // across the library's border
    std::printf("%s\n", wrong.what());
  }
  std::printf("%d workers by C, %zu pools by C++\n", workers_by_c(), teff::list_pools().size());
  return 0;
}
