// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/program/launch.h"
#include "cli/program/program.h"
#include "report/fact.h"
#include "report/json.h"
#include "report/text.h"

#include <algorithm>

namespace teff::cli {

namespace {

using report::fact;
using report::format;

const char* group_of(runtime_kind kind) {
  switch (kind) {
    case runtime_kind::openmp:
      return "OpenMP";
    case runtime_kind::tbb:
      return "TBB";
    default:
      return "BLAS";
  }
}

std::vector<fact> facts_of(const target& of) {
  std::vector<fact> facts = {{"program", "path", of.path, of.path, ""}};
  for (const parallel_runtime& each : of.stock)
    facts.push_back({group_of(each.kind), each.from.name, each.from.path, format("{}: {}", each.what, each.from.path), ""});
  return facts;
}

/// Returns: the first that is OpenMP; nullptr if there is none. `foreign`: that Teff does not stand for.
const parallel_runtime* first_openmp(const std::vector<parallel_runtime>& among, bool foreign = false) {
  const auto found = std::find_if(among.begin(), among.end(), [&](const parallel_runtime& each) {
    return each.kind == runtime_kind::openmp && !(foreign && is_like_gcc(each));
  });
  return found == among.end() ? nullptr : &*found;
}

std::vector<std::string> charge_of(const target& of) {
  constexpr const char* under_run =
      "'teff run -- ...' puts Teff's in front of gcc's in it and in what it starts, and says at its end if no region came to it";
  if (of.is == target::contents::script) return {format("what a script loads is not known before it runs; {}", under_run)};
  if (of.is == target::contents::unreadable)
    return {format("it may be executed but not read: what it loads is not known before it runs; {}", under_run)};
  if (!of.wrong.empty()) return {format("it will not start: {}", of.wrong)};
  const parallel_runtime* const stock = first_openmp(of.stock);
  if (stock == nullptr) return {format("no OpenMP runtime is loaded when it starts; {} may still be loaded later", gomp_name)};
  std::vector<std::string> lines = {format("in charge of OpenMP by itself: {} ({})", stock->what, stock->from.name)};
  const parallel_runtime* const foreign = first_openmp(of.stock, true);
  if (const std::string missing = refuse_without_drop_in(); !missing.empty()) {
    lines.push_back(format("in charge of OpenMP under 'teff run': nobody, it refuses: {}", missing));
  } else if (of.teff_is_in_charge()) {
    lines.push_back(format("in charge of OpenMP under 'teff run': {}, by LD_PRELOAD{}", teff_words,
                           foreign != nullptr ? ", for what gcc built" : ""));
    if (foreign != nullptr) lines.push_back(format("for what calls it by its own functions: still {}", foreign->what));
  } else if (foreign != nullptr) {
    lines.push_back(format("in charge of OpenMP under 'teff run': still {}, which Teff does not stand for", foreign->what));
  } else {
    lines.push_back(format("in charge of OpenMP under 'teff run': still {}: the loader does not put {} in front of it",
                           stock->what, gomp_name));
  }
  return lines;
}

/// What may hurt: runtimes beside one another, each with threads of its own.
std::vector<std::string> advice_on(const target& of) {
  std::vector<std::string> lines = charge_of(of);
  const auto count = [&](runtime_kind kind) {
    return std::count_if(of.stock.begin(), of.stock.end(), [&](const auto& each) { return each.kind == kind; });
  };
  if (count(runtime_kind::openmp) > 1)
    lines.push_back(
        "several OpenMP runtimes are loaded: calls go to the first that has the function, and each may have its threads");
  if (count(runtime_kind::openmp) > 0 && count(runtime_kind::tbb) > 0)
    lines.push_back("TBB has threads of its own beside OpenMP's: together they may be more than there are processors");
  return lines;
}

std::string text_of(const std::vector<fact>& facts) {
  std::vector<std::vector<std::string>> rows;
  for (const fact& each : facts) rows.push_back({each.group, each.name, each.text});
  return report::columns(rows, {report::align::left, report::align::left, report::align::left});
}

}  // namespace

exit_code examine_program(const arguments& words, console& to) {
  target found;
  if (const std::string wrong = find_target({words.subject}, found); !wrong.empty()) {
    to.complain(wrong);
    return exit_code::wrong_usage;
  }
  const auto facts = facts_of(found);
  const auto lines = advice_on(found);
  if (words.doctor_as_json) {
    to.machine_readable(report::json(facts, lines));
    return exit_code::success;
  }
  to.result(text_of(facts) + "\n");
  for (const std::string& each : lines) to.result(each + "\n");
  return exit_code::success;
}

}  // namespace teff::cli
