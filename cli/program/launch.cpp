// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/program/launch.h"

#include "cli/build_information.h"
#include "cli/plan.h"
#include "cli/program/binary.h"
#include "report/text.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace teff::cli {

namespace {

using report::format;

constexpr const char* library_path = "LD_LIBRARY_PATH";
constexpr const char* preload = "LD_PRELOAD";
constexpr const char* sanitizer_options = "ASAN_OPTIONS";
constexpr const char* settings_variable = "TEFF_SET";
// Where the library is seen from the command's folder: as it is built, and as it is installed (that may be an absolute path).
constexpr const char* built_folder = "../lib/gomp";
constexpr const char* installed_folder = TEFF_LIBRARY_FOLDER "/teff/gomp";

bool is_openmp(const parallel_runtime& of) { return of.kind == runtime_kind::openmp; }

/// Returns: the list without what lies in that folder, or is that folder; as it is, if there is nothing of that.
std::string without(const std::string& list, const std::string& folder, const char* separators) {
  if (folder.empty() || list.find(folder) == std::string::npos) return list;
  std::string kept;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find_first_of(separators, begin), list.size());
    const std::string each = list.substr(begin, end - begin);
    if (!each.empty() && each != folder && !each.starts_with(folder + "/")) kept += (kept.empty() ? "" : ":") + each;
    begin = end + 1;
  }
  return kept;
}

/// Returns: what to preload. The loader takes a space or colon for the end of a name: then the folder in front must do.
std::string preloaded_from(const std::string& folder) {
  return folder.find_first_of(": ") == std::string::npos ? folder + "/" + gomp_name : gomp_name;
}

os::variable list_variable(const char* name, const std::string& text) {
  return {name, text.empty() ? std::nullopt : std::optional<std::string>(text)};
}

/// Returns: these settings and, unless these are all, those of the environment that are others, as TEFF_SET has them.
std::string settings_text(const std::vector<std::string>& settings, bool only_these) {
  std::string text;
  for (const std::string& each : settings) text += (text.empty() ? "" : ",") + each;
  const auto is_set = [&](const std::string& name) {
    return std::any_of(settings.begin(), settings.end(), [&](const std::string& each) { return setting_name(each) == name; });
  };
  if (only_these) return text;
  for (const std::string& each : settings_of_environment()) {
    if (!is_set(setting_name(each))) text += "," + each;
  }
  return text;
}

std::string refuse_file(const std::string& name, const std::string& path) {
  switch (os::kind_of(path)) {
    case os::file_kind::missing:
      return format("there is no program '{}'", name);
    case os::file_kind::directory:
      return format("'{}' is a folder, no program", name);
    case os::file_kind::not_executable:
      return format("'{}' may not be executed", name);
    case os::file_kind::other_owner:
      return format("'{}' gets the rights of its owner or group when it starts: the system lets nobody put a library into it",
                    name);
    case os::file_kind::plain:
      break;
  }
  return {};
}

std::string refuse_binary(const std::string& name, const binary& of) {
  switch (of.is) {
    case binary::kind::foreign:
      return format("'{}' is a program for another architecture ({}); Teff here is for " TEFF_ARCHITECTURE, name,
                    of.architecture);
    case binary::kind::fixed:
      return format("'{}' is linked statically: it has its OpenMP runtime inside, and nothing can be put in front of it", name);
    case binary::kind::unknown:
      return format("'{}' is no program that this system can load", name);
    default:
      return {};  // one that may be executed but not read is for the system to judge
  }
}

std::string refuse_version(const std::string& name, const std::string& version) {
  if (version.empty()) return {};
  return format("'{}' needs the version {} of {}, which Teff's does not have: it has all of gcc up to 14", name, version,
                gomp_name);
}

target::contents contents_of(const binary& of) {
  if (of.is == binary::kind::script) return target::contents::script;
  return of.is == binary::kind::unreadable ? target::contents::unreadable : target::contents::known;
}

}  // namespace

bool target::teff_is_in_charge() const {
  const auto first = std::find_if(with_teff.begin(), with_teff.end(), is_openmp);
  return first != with_teff.end() && first->what == teff_words && std::any_of(stock.begin(), stock.end(), is_like_gcc);
}

std::vector<std::string> settings_of_environment() {
  std::vector<std::string> found;
  std::istringstream given(os::variable_of(settings_variable).value_or(""));
  for (std::string each; std::getline(given, each, ',');) found.push_back(each);
  return found;
}

std::string drop_in_folder() {
  const auto here = std::filesystem::path(os::own_path()).parent_path();
  for (const auto& each : {here / built_folder, here / ".." / installed_folder}) {
    std::error_code error;
    const auto folder = std::filesystem::weakly_canonical(each, error);
    if (!error && std::filesystem::exists(folder / gomp_name, error)) return folder;
  }
  return {};
}

std::vector<os::variable> environment_without(const std::optional<std::string>& workers) {
  const std::string folder = drop_in_folder();
  std::vector<os::variable> changes = {
      list_variable(library_path, without(os::variable_of(library_path).value_or(""), folder, ":;")),
      list_variable(preload, without(os::variable_of(preload).value_or(""), folder, ": "))};
  if (workers) changes.emplace_back("OMP_NUM_THREADS", *workers);
  return changes;
}

std::vector<os::variable> environment_with_teff(const run_wishes& wishes) {
  const std::string folder = drop_in_folder();
  std::vector<os::variable> changes = environment_without(wishes.workers);
  std::string& path = changes[0].second.emplace(changes[0].second.value_or(""));
  path = folder + (path.empty() ? "" : ":") + path;
  std::string& first = changes[1].second.emplace(changes[1].second.value_or(""));
  first = preloaded_from(folder) + (first.empty() ? "" : ":") + first;
  if (!wishes.pool.empty()) changes.emplace_back("TEFF_POOL", wishes.pool);
  if (!wishes.settings.empty() || wishes.only_these)
    changes.push_back(list_variable(settings_variable, settings_text(wishes.settings, wishes.only_these)));
  if (wishes.stats) changes.emplace_back("TEFF_STATS", "1");
  // AddressSanitizer refuses to come behind what is preloaded, which for a library without functions of the C library's is no
  // matter. What the user says holds, as it comes last.
  const std::string given = os::variable_of(sanitizer_options).value_or("");
  changes.emplace_back(sanitizer_options, "verify_asan_link_order=0" + (given.empty() ? "" : ":" + given));
  return changes;
}

std::string find_target(const std::vector<std::string>& words, target& found) {
  if (words.empty() || words.front().empty()) return "which program? it stands behind '--', and its arguments behind it";
  const auto path = os::find_executable(words.front());
  if (!path) return format("there is no program '{}' in the folders of PATH", words.front());
  if (std::string wrong = refuse_file(words.front(), *path); !wrong.empty()) return wrong;
  const binary of = read_binary(*path);
  if (std::string wrong = refuse_binary(words.front(), of); !wrong.empty()) return wrong;
  found = {*path, words, contents_of(of), of.loader, {}, {}, ""};
  if (found.is != target::contents::known) return {};
  const std::string folder = drop_in_folder();
  const library_list stock = libraries_of(*path, of.loader, environment_without(std::nullopt));
  found.wrong = stock.wrong;
  found.stock = found.with_teff = runtimes_in(stock.libraries, folder);
  if (folder.empty()) return {};
  const library_list with_teff = libraries_of(*path, of.loader, environment_with_teff({}));
  found.with_teff = runtimes_in(with_teff.libraries, folder);
  return refuse_version(words.front(), missing_version(with_teff, folder));
}

std::string refuse_without_drop_in() {
  return drop_in_folder().empty() ? "Teff's libgomp.so.1 is not beside this command: it was not built or not installed with it"
                                  : "";
}

std::string failure_of(const os::ending& how) {
  if (how.error != 0) return "cannot be started: " + os::error_text(how.error);
  if (how.signal != 0) return "signal " + os::signal_name(how.signal);
  if (how.exit_code == 0) return {};
  const std::string said = how.errors.substr(0, how.errors.find('\n'));
  return format("exit code {}{}{}", how.exit_code, said.empty() ? "" : ": ", said);
}

std::string remark_on(const target& of) {
  if (std::any_of(of.stock.begin(), of.stock.end(), is_like_gcc)) return {};
  const auto other = std::find_if(of.stock.begin(), of.stock.end(), is_openmp);
  if (other == of.stock.end()) return {};
  return format("'{}' runs on {} ({}), which Teff does not stand for", of.words.front(), other->what, other->from.name);
}

std::string remark_on_unserved(const target& of, std::uint64_t callers) {
  const std::string what = "no region of OpenMP ran on Teff: ", counted = "no region of OpenMP was counted on Teff: ";
  const std::string name = of.words.front(), or_hidden = ", or could not be counted";
  if (!of.wrong.empty()) return what + format("'{}' did not start: {}", name, of.wrong);
  if (callers > 0) {
    return of.is != target::contents::known || !of.teff_is_in_charge()
               ? what +
                     format("Teff's {} was called in '{}' or a program that it started, but nobody opened one", gomp_name, name)
               : what + format("'{}' loads Teff's {}, but opened none", name, gomp_name);
  }
  if (of.is != target::contents::known)
    return counted + format("neither '{}' nor a program that it started came to Teff's {} with one", name, gomp_name) + or_hidden;
  if (of.teff_is_in_charge())
    return counted + format("'{}' loads Teff's {}, but called nothing of it", name, gomp_name) + or_hidden;
  if (const std::string other = remark_on(of); !other.empty()) return counted + other;
  return counted +
         format(
             "'{}' does not load {} when it starts, and neither what it loaded later nor a program that it started "
             "came to Teff's with one",
             name, gomp_name) +
         or_hidden;
}

}  // namespace teff::cli
