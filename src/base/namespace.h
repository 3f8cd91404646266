// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which side of the seam a program is compiled against. Programs use the native one; the simulator compiles the same sources
/// again with TEFF_PLATFORM=simulated. Both may be linked into one program: each has an inline namespace of its own.
///
/// One macro for the whole of it, at the head of a name: readers of source text (ctags, editors) that do not expand macros lose
/// what stands behind an 'inline' in the middle.
#pragma once

#ifndef TEFF_PLATFORM
#define TEFF_PLATFORM native
#endif

#define TEFF_NAMESPACE teff::inline TEFF_PLATFORM
