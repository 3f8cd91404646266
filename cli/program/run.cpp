// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/foreground.h"
#include "cli/program/launch.h"
#include "cli/program/program.h"
#include "cli/program/sites.h"
#include "cli/program/wishes.h"
#include "report/text.h"

namespace teff::cli {

namespace {

/// Effect: says what was counted by place, or why nothing was.
void say_sites(const std::string& left, console& to) {
  const report::program_sites sites = sites_in(left);
  for (const std::string& each : report::site_lines(sites)) to.complain(each);
  if (sites.empty())
    to.complain("the program left nothing about its places: it was ended by force, or had no way to the file for that in /proc");
}

/// Returns: why the program does not run; it does not return if it runs.
std::string run_to_its_end(const arguments& words, const engine::side& side, console& to) {
  program_wishes wishes;
  target found;
  if (std::string wrong = prepare(words, side, to, wishes, found); !wrong.empty()) return wrong;
  os::region_counter counter;
  auto environment =
      environment_with_teff({wishes.pools.front().name, wishes.workers, words.stats, wishes.pools.front().settings});
  environment.push_back(counter.entry());
  os::ending how;
  how.error = counter.error();
  if (how.error == 0) how = os::accompany({found.path, found.words, environment}, counter, words.stats);
  if (how.error != 0) return report::format("'{}' cannot be started: {}", words.program.front(), os::error_text(how.error));
  if (counter.regions() == 0) to.complain(remark_on_unserved(found, counter.callers()));
  else if (words.stats) say_sites(counter.left(), to);
  os::end_like(how);
}

}  // namespace

exit_code run_program(const arguments& words, const engine::side& side, console& to) {
  to.complain(run_to_its_end(words, side, to));
  return exit_code::wrong_usage;
}

}  // namespace teff::cli
