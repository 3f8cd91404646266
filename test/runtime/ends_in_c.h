// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Ends inside of tasks, as C programs write them: each runs a team of two workers, or the default team.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// A C program's way to end: in one of its tasks, or around the run of its team.
struct end_in_c {
  const char* name;
  void (*happen)(void);
};

/// Ends with a null name.
extern const struct end_in_c ends_in_c[];

#ifdef __cplusplus
}
#endif
