// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For programs that need a variable in the environment before they start: they start themselves again.
#pragma once

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Returns when each of the PAIRS (name, value, name, value, ..., NULL) is in the environment that this program began with.
static inline void with_environment(char* const* arguments, const char* const* pairs) {
  int missing = 0;
  for (const char* const* each = pairs; *each; each += 2) {
    const char* value = getenv(each[0]);
    if (value != NULL && strcmp(value, each[1]) == 0) continue;
    setenv(each[0], each[1], 1);
    missing = 1;
  }
  if (missing) {
    execv("/proc/self/exe", arguments);
    _exit(125);
  }
}
