// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace teff::cli {

extern const char* const version_text;
/// Of the sources: an abbreviated hash, with "-modified" if they differ from it; "unknown" without git.
extern const char* const commit_text;

}  // namespace teff::cli
