// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace teff::report {

/// The style sheet of the page. Holds no character that XML reserves.
extern const char* const page_style;

/// Sorts tables by their heads; without it the page only lacks the sorting. Holds neither < nor &.
extern const char* const page_script;

}  // namespace teff::report
