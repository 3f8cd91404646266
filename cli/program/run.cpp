// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/build_information.h"
#include "cli/foreground.h"
#include "cli/program/launch.h"
#include "cli/program/program.h"
#include "cli/program/sites.h"
#include "cli/program/wishes.h"
#include "report/program.h"
#include "report/text.h"

namespace teff::cli {

namespace {

/// Effect: says what was counted by place, or why nothing was.
void say_sites(const report::program_sites& sites, console& to) {
  for (const std::string& each : report::site_lines(sites)) to.complain(each);
  if (sites.empty())
    to.complain("the program left nothing about its places: it was ended by force, or had no way to the file for that in /proc");
}

/// Returns: how the run ended, and its regions.
report::program_record record_of(const target& program, const program_wishes& wishes, const os::ending& how,
                                 const os::region_counter& counter) {
  const pool_wish& pool = wishes.pools.front();
  report::program_record made;
  made.runtime = pool.name.empty() ? wishes.unnamed : pool.name;
  made.settings = pool.settings;
  made.threads = wishes.workers ? static_cast<unsigned>(std::stoul(*wishes.workers)) : 0;
  made.seconds = {how.seconds};
  made.processor_seconds = {how.processor_seconds};
  made.peak_bytes = how.peak_bytes;
  made.failure = failure_of(how);
  made.output = report::sameness::unknown;
  made.statistics["regions"] = std::to_string(counter.regions());
  if (made.failure.empty() && counter.regions() == 0) made.failure = remark_on_unserved(program, counter.callers());
  return made;
}

/// Returns: an empty text if the record may go there, or a sentence.
std::string check_record(const std::string& path, const target& program) {
  if (os::is_standard_stream(path))
    return report::format("--json {}: standard output and standard error are the program's; name another file", path);
  for (const char* open : {"/dev/fd/", "/proc/self/fd/", "/dev/stdin"}) {
    if (path.starts_with(open))
      return report::format("--json {}: what this command has open is closed while the program runs; name a file or a named pipe",
                            path);
  }
  if (is_same_file(path, program.path)) return report::format("--json {}: that is the program; name another file", path);
  return check_output(path);
}

/// Effect: writes what came of it. A file that cannot be written gets a sentence: the exit code is the program's. Who reads it
/// may be slow: an interrupt ends this process.
void save(const report::program_comparison& of, const std::string& path, console& to) {
  os::accept_interrupts();
  output_file file;
  std::string wrong = file.open(path);
  if (wrong.empty()) {
    const std::string text = report::json(of);
    file.write(text.data(), text.size());
    wrong = file.commit();
  }
  if (!wrong.empty()) to.complain(wrong);
}

/// Returns: why the program does not run; it does not return if it runs.
std::string run_to_its_end(const arguments& words, const engine::side& side, console& to) {
  program_wishes wishes;
  target found;
  std::string wrong = prepare(words, side, to, wishes, found);
  if (wrong.empty() && words.json_file) wrong = check_record(*words.json_file, found);
  if (!wrong.empty()) return wrong;
  report::program_comparison result{found.words, words.json_file ? side.usable_processors() : 0, commit_text, {}};
  os::region_counter counter;
  auto environment =
      environment_with_teff({wishes.pools.front().name, wishes.workers, words.stats, wishes.pools.front().settings});
  environment.push_back(counter.entry());
  os::ending how;
  how.error = counter.error();
  if (how.error == 0) how = os::accompany({found.path, found.words, environment}, counter, words.stats);
  if (how.error != 0) return report::format("'{}' cannot be started: {}", words.program.front(), os::error_text(how.error));
  report::program_record& record = result.records.emplace_back(record_of(found, wishes, how, counter));
  if (words.stats) record.sites = sites_in(counter.left());
  if (counter.regions() == 0) to.complain(remark_on_unserved(found, counter.callers()));
  else if (words.stats) say_sites(record.sites, to);
  if (words.json_file) save(result, *words.json_file, to);
  os::end_like(how);
}

}  // namespace

exit_code run_program(const arguments& words, const engine::side& side, console& to) {
  to.complain(run_to_its_end(words, side, to));
  return exit_code::wrong_usage;
}

}  // namespace teff::cli
