/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the operating system says of this process, for the C++ and the Rust programs. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

double versus_cpu_seconds(void);
uint64_t versus_context_switches(void);
/* Returns: the most memory that was resident. */
uint64_t versus_peak_bytes(void);
/* Effect: sleeps. */
void versus_rest(uint64_t nanoseconds);

#ifdef __cplusplus
}
#endif
