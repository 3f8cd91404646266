// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/program/launch.h"
#include "cli/program/program.h"
#include "cli/program/wishes.h"
#include "report/text.h"

namespace teff::cli {

namespace {

/// Returns: why the program does not run; it does not return if it runs.
std::string become_program(const arguments& words, const engine::side& side, console& to) {
  program_wishes wishes;
  target found;
  if (std::string wrong = prepare(words, side, to, wishes, found); !wrong.empty()) return wrong;
  const std::string pool = wishes.pools.empty() ? "" : wishes.pools.front();
  const int error = os::become({found.path, found.words, environment_with_teff(found, {pool, wishes.workers, words.stats})});
  return report::format("'{}' cannot be started: {}", words.program.front(), os::error_text(error));
}

}  // namespace

exit_code run_program(const arguments& words, const engine::side& side, console& to) {
  to.complain(become_program(words, side, to));
  return exit_code::wrong_usage;
}

}  // namespace teff::cli
