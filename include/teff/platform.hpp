// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which side of the seam a program is compiled against. Programs use the native one; the simulator compiles the same sources
/// again with TEFF_PLATFORM=simulated.
#pragma once

#ifndef TEFF_PLATFORM
#define TEFF_PLATFORM native
#endif
