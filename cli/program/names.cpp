// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/program/names.h"

#include "cli/process.h"
#include "cli/program/symbols.h"
#include "report/text.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace teff::cli {

namespace {

using report::format;

constexpr const char* reader = "addr2line";
constexpr const char* lister = "objdump";
constexpr std::uint64_t listed_at_most = 1 << 20;  ///< bytes of a table of lines: its listing takes a second
constexpr const char* readers_package = "binutils";
constexpr std::size_t addresses_at_once = 1'000;  ///< the system bounds what words of a command take

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename(); }

/// Returns: the name of the function in the program's text, of one that gcc made out of a part of it: "f" of "f._omp_fn.1",
/// "f(int)" of "f(int) [clone ._omp_fn.1]".
std::string without_parts(const std::string& name) {
  for (const char* mark : {" [clone ", "._omp_", "_omp_fn"}) {
    const std::size_t at = name.find(mark);
    if (at != std::string::npos && at != 0) return name.substr(0, at);
  }
  return name;
}

bool is_number(const std::string& text) { return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos; }

/// Returns: the last part of "path/file.c:12 (discriminator 3)"; empty if the line is not known.
std::string line_name(const std::string& text) {
  const std::size_t end = text.rfind(" (discriminator "), colon = text.rfind(':', end);  // the file's name may have both
  const std::string number = colon == std::string::npos ? "" : text.substr(colon + 1, end - colon - 1);
  if (!is_number(number) || number == "0") return {};
  return file_name(text.substr(0, colon)) + ":" + number;
}

/// Where a place lies in one file.
struct wanted {
  const code_place* place;
  std::uint64_t address;
};

/// Returns: the first line that the table has for each of these addresses. A function that gcc made of a directive's text begins
/// with the directive; addr2line gives the last one, which may be that of a call that was put in line there.
std::map<std::uint64_t, std::string> first_lines(const std::string& object, const symbols& known) {
  std::map<std::uint64_t, std::string> found;
  const auto tool = os::find_executable(lister);
  if (!tool || known.line_bytes() == 0 || known.line_bytes() > listed_at_most) return found;
  std::istringstream rows(os::run({*tool, {lister, "--dwarf=decodedline", object}, {}}).output);
  for (std::string row; std::getline(rows, row);) {
    // "file.c  12  0x1234  x": the name may have spaces.
    const std::size_t address = row.find(" 0x");
    if (address == std::string::npos) continue;
    const std::size_t end = row.find_last_not_of(' ', address), begin = row.find_last_of(' ', end);
    if (begin == std::string::npos || begin >= end) continue;
    const std::string line = row.substr(begin + 1, end - begin);
    // "-" is the end of what one file has there: another one may begin with that address.
    if (is_number(line)) found.try_emplace(std::strtoull(row.c_str() + address + 1, nullptr, 16), line);
  }
  return found;
}

/// A function and a line, as the tool has them: of calls that were put in line the innermost and the outermost.
struct frames {
  std::string function, line, outer_function, outer_line;
};

/// Returns: those of the places asked for, in their order.
std::vector<frames> ask(const std::string& tool, const std::string& object, const wanted* first, const wanted* last) {
  os::command_line command{tool, {reader, "-a", "-f", "-C", "-i", "-e", object}, {}};
  for (const wanted* each = first; each != last; ++each)
    command.words.push_back(format("{:#x}", each->address - (each->place->is_behind ? 1 : 0)));
  std::istringstream answers(os::run(command).output);
  std::vector<frames> found;
  for (std::string function, line; std::getline(answers, function);) {
    if (function.starts_with("0x")) {
      found.emplace_back();
      continue;
    }
    if (found.empty() || !std::getline(answers, line)) break;
    frames& now = found.back();
    if (now.line.empty()) now.function = function, now.line = line;
    now.outer_function = function, now.outer_line = line;
  }
  return found;
}

/// Effect: adds the names of so many places of one file, of those that have a line.
void name_by_lines(const std::string& tool, const std::string& object, const std::map<std::uint64_t, std::string>& lines,
                   const wanted* first, const wanted* last, code_names& into) {
  for (const frames& each : ask(tool, object, first, last)) {
    const wanted& asked = *first++;
    const bool inside = asked.place->is_behind;
    std::string name = line_name(inside ? each.line : each.outer_line);
    if (name.empty()) continue;
    const auto begins = lines.find(asked.address);
    if (!inside && begins != lines.end()) name = name.substr(0, name.rfind(':') + 1) + begins->second;
    const std::string& function = inside ? each.function : each.outer_function;
    into.of[*asked.place] = name + (function == "??" ? "" : " (" + without_parts(function) + ")");
  }
}

void name_those_of(const std::string& object, const std::vector<code_place>& places, code_names& into) {
  const symbols known(object);
  const auto tool = os::find_executable(reader);
  std::vector<wanted> asked;
  for (const code_place& each : places) {
    const auto address = known.address_of(each.offset);
    const std::string symbol = address ? known.name_of(*address) : "";
    into.of[each] = !symbol.empty() ? symbol : format("{} + {:#x}", file_name(object), address.value_or(each.offset));
    if (address) asked.push_back({&each, *address});
  }
  if (!known.has_debug_information() || asked.empty()) return;
  if (!tool) {
    into.remark =
        format("places are named by symbols: there is no {} to look files and lines up; Debian has it in the package {}", reader,
               readers_package);
    return;
  }
  const auto lines = first_lines(object, known);
  for (std::size_t at = 0; at < asked.size(); at += addresses_at_once)
    name_by_lines(*tool, object, lines, asked.data() + at, asked.data() + std::min(at + addresses_at_once, asked.size()), into);
}

}  // namespace

code_names name_places(const std::vector<code_place>& places) {
  code_names names;
  std::map<std::string, std::vector<code_place>> by_object;
  for (const code_place& each : places) {
    if (each.object.empty()) names.of[each] = format("address {:#x}", each.offset);
    else by_object[each.object].push_back(each);
  }
  for (const auto& [object, its_places] : by_object) name_those_of(object, its_places, names);
  return names;
}

}  // namespace teff::cli
