// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What teff ends with: scripts rely on it, and 'teff --help' and the manual page say it.
#pragma once

namespace teff::cli {

enum class exit_code { success = 0, wrong_result = 1, wrong_usage = 2, interrupted = 130 };

constexpr struct {
  exit_code code;
  const char* what;
} exit_codes[] = {
    {exit_code::success, "all went well"},
    {exit_code::wrong_result, "a result, an output or an end was wrong"},
    {exit_code::wrong_usage, "the words, a file or the system did not allow it: one sentence on standard error says what"},
    {exit_code::interrupted, "interrupted (Ctrl-C); what was finished until then is told, and written to files, if anything was"},
};

}  // namespace teff::cli
