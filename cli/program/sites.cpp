// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/program/sites.h"

#include "cli/program/names.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <sstream>

namespace teff::cli {

namespace {

/// A line about a place, before that has a name.
struct counted_line {
  std::string kind;
  code_place at, in, longest_at, chain_at;
  report::program_site numbers;
};

struct mapping {
  std::uint64_t begin, end, offset;
  std::string object;
};

/// Reads what one process after the other has left.
class record_reader {
 public:
  void read(const std::string& left) {
    std::istringstream lines(left);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string kind;
      words >> kind;
      if (kind == "process") mappings_.clear();
      else if (kind == "map") add_mapping(words);
      else if (kind == "region" || kind == "task" || kind == "lock" || kind == "barrier") add_line(kind, words);
    }
  }
  const std::vector<counted_line>& lines() const { return lines_; }

 private:
  void add_mapping(std::istringstream& words) {
    mapping added{};
    words >> std::hex >> added.begin >> added.end >> added.offset >> std::ws;
    if (std::getline(words, added.object)) mappings_.push_back(std::move(added));
  }

  code_place place_of(std::uint64_t address, bool is_behind) const {
    for (const mapping& each : mappings_)
      if (address >= each.begin && address < each.end) return {each.object, address - each.begin + each.offset, is_behind};
    return {"", address, is_behind};
  }

  void add_line(const std::string& kind, std::istringstream& words) {
    std::uint64_t at = 0, in = 0;
    if (!(words >> std::hex >> at >> in)) return;
    counted_line added{kind, place_of(at, kind == "lock" || kind == "barrier"), place_of(in, false), {}, {}, {}};
    for (std::string word; words >> word;) {
      const std::size_t equal = word.find('=');
      if (equal == std::string::npos) continue;
      const std::string name = word.substr(0, equal), value = word.substr(equal + 1);
      if (name == "longest_at") added.longest_at = place_of(std::strtoull(value.c_str(), nullptr, 16), false);
      else if (name == "chain_at") added.chain_at = place_of(std::strtoull(value.c_str(), nullptr, 16), false);
      else added.numbers.numbers[name] = std::strtod(value.c_str(), nullptr);
    }
    lines_.push_back(std::move(added));
  }

  std::vector<mapping> mappings_;
  std::vector<counted_line> lines_;
};

/// Whether the largest counts of several, not the sum.
bool is_largest(const std::string& name) {
  return name == "longest_ns" || name == "longest_task_ns" || name == "longest_chain_ns" || name == "kind";
}

void add(report::program_site& to, const report::program_site& from) {
  if (from["longest_task_ns"] > to["longest_task_ns"]) to.longest_at = from.longest_at;
  if (from["longest_chain_ns"] > to["longest_chain_ns"]) to.chain_at = from.chain_at;
  for (const auto& [name, value] : from.numbers) {
    double& sum = to.numbers[name];
    sum = is_largest(name) ? std::max(sum, value) : sum + value;
  }
}

/// Effect: adds it to the one of the same name, which it may be the first of.
void add_to(std::vector<report::program_site>& all, const report::program_site& added) {
  const auto same = [&](const report::program_site& each) { return each.at == added.at && each.in == added.in; };
  const auto known = std::find_if(all.begin(), all.end(), same);
  add(known != all.end() ? *known : all.emplace_back(report::program_site{added.at, added.in, {}, "", ""}), added);
}

std::string name_in(const code_names& names, const code_place& of, const char* of_none) {
  if (of.object.empty() && of.offset == 0) return of_none;
  const auto found = names.of.find(of);
  return found == names.of.end() ? of_none : found->second;
}

}  // namespace

report::program_sites sites_in(const std::string& left) {
  record_reader record;
  record.read(left);
  std::vector<code_place> places;
  for (const counted_line& each : record.lines()) places.insert(places.end(), {each.at, each.in, each.longest_at, each.chain_at});
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::erase_if(places, [](const code_place& each) { return each.object.empty() && each.offset == 0; });
  const code_names names = name_places(places);
  report::program_sites found;
  found.remark = names.remark;
  for (const counted_line& each : record.lines()) {
    report::program_site named = each.numbers;
    named.at = name_in(names, each.at, report::other_places);
    named.in = name_in(names, each.in, "");
    named.longest_at = name_in(names, each.longest_at, "");
    named.chain_at = name_in(names, each.chain_at, "");
    // What was not over when the process ended has no time yet.
    if (each.kind == "region" && named["calls"] > 0) add_to(found.regions, named);
    if (each.kind == "task" && named["tasks"] > 0) add_to(found.tasks, named);
    if (each.kind == "lock") add_to(found.locks, named);
    if (each.kind == "barrier") add_to(found.barriers, named);
  }
  report::fit_fine_tasks(found);
  return found;
}

}  // namespace teff::cli
