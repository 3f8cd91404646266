// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/commands.h"
#include "cli/plan.h"
#include "report/json.h"
#include "report/text.h"

#include <algorithm>

namespace teff::cli {

namespace {

using engine::list_kind;

struct list_name {
  const char* name;
  list_kind what;
  const char* remark = "";  ///< what the page says below the table
};
constexpr const char* remark_on_pools =
    "\n`waiting_task_bytes`: what a task that waits takes, as `peak_bytes` counts it, with the default manager, its closure of "
    "up to 64 bytes included; from some thousand tasks on, and where an array holds them, when it is full. glibc's malloc takes "
    "16 bytes more for each block, so that 96 bytes are resident with an array, 108 in dq8 and sdq1, 128 or 144 in lists. On "
    "teff a closure of up to 16 bytes "
    "takes none of the 64: it lies in its task's slot. Memory "
    "of tasks that have run is used again, and goes back to the system with the team.\n";
constexpr const char* remark_on_machines =
    "\n`levels`: from near to far, how many processors are of one part, and what a line costs between two of them in cycles; the "
    "last "
    "is the whole machine. `this` is the machine at hand, once `teff calibrate` has measured it. Where each number is from: "
    "`teff list machine --machine NAME`.\n";
constexpr const char* remark_on_machine =
    "\nThese are those of `generic`, which is meant if none is named; `--machine NAME` or a file lists others.\n";
constexpr list_name list_names[] = {{"pools", list_kind::pools, remark_on_pools},
                                    {"managers", list_kind::managers},
                                    {"workloads", list_kind::workloads},
                                    {"settings", list_kind::settings},
                                    {"variables", list_kind::variables},
                                    {"machines", list_kind::machines, remark_on_machines},
                                    {"machine", list_kind::machine, remark_on_machine}};

std::string sizes_of(const engine::side& side, const std::string& workload) {
  engine::text_table sizes;
  engine::problem wrong;
  side.list(list_kind::sizes, workload.c_str(), sizes, wrong);
  std::string text;
  for (std::size_t i = 0; i < sizes.cells.size(); i += 2)
    text += (i > 0 ? "; " : "") + sizes.cells[i] + ": " + sizes.cells[i + 1];
  return text;
}

/// The workloads with one more column: their named sizes.
engine::text_table with_sizes(const engine::side& side, const engine::text_table& workloads) {
  engine::text_table wide;
  wide.columns = workloads.columns;
  wide.columns.push_back("sizes");
  for (std::size_t i = 0; i < workloads.cells.size(); i += workloads.columns.size()) {
    const auto row = workloads.cells.begin() + static_cast<std::ptrdiff_t>(i);
    wide.cells.insert(wide.cells.end(), row, row + static_cast<std::ptrdiff_t>(workloads.columns.size()));
    wide.cells.push_back(sizes_of(side, workloads.cells[i]));
  }
  return wide;
}

/// Effect: adds the settings that one pool or manager has, each once, with one more column: whose they are.
void add_settings(const engine::side& side, list_kind what, const std::string& owner, engine::text_table& all) {
  engine::text_table own;
  engine::problem wrong;
  side.list(what, owner.c_str(), own, wrong);
  all.columns = own.columns;
  all.columns.push_back("of");
  for (std::size_t i = 0; i < own.cells.size(); i += own.columns.size()) {
    std::size_t at = 0;
    while (at < all.cells.size() && all.cells[at] != own.cells[i]) at += all.columns.size();
    if (at < all.cells.size()) {
      all.cells[at + own.columns.size()] += ", " + owner;
      continue;
    }
    const auto row = own.cells.begin() + static_cast<std::ptrdiff_t>(i);
    all.cells.insert(all.cells.end(), row, row + static_cast<std::ptrdiff_t>(own.columns.size()));
    all.cells.push_back(owner);
  }
}

engine::text_table all_settings(const engine::side& side) {
  engine::text_table all;
  for (const std::string& pool : names_in(side, list_kind::pools)) add_settings(side, list_kind::settings, pool, all);
  for (const std::string& memory : names_in(side, list_kind::managers))
    add_settings(side, list_kind::manager_settings, memory, all);
  return all;
}

/// The settings of a pool, of a manager, or of both.
engine::text_table settings_of(const arguments& words, const engine::side& side, engine::problem& wrong) {
  engine::text_table table;
  if (words.list_pool) side.list(list_kind::settings, words.list_pool->c_str(), table, wrong);
  if (words.list_memory && wrong.ok()) side.list(list_kind::manager_settings, words.list_memory->c_str(), table, wrong);
  return table;
}

std::string text_of(const engine::text_table& table) {
  std::vector<std::vector<std::string>> rows = {table.columns};
  for (std::size_t i = 0; i < table.cells.size(); i += table.columns.size()) {
    const auto row = table.cells.begin() + static_cast<std::ptrdiff_t>(i);
    rows.emplace_back(row, row + static_cast<std::ptrdiff_t>(table.columns.size()));
  }
  return report::columns(rows, std::vector(table.columns.size(), report::align::left));
}

/// Keys and sizes are too long for a column: they follow, a line each.
std::string text_of_workloads(const engine::text_table& table) {
  engine::text_table narrow;
  narrow.columns = {"name", "what", "source"};
  std::string rest;
  for (std::size_t i = 0; i < table.cells.size(); i += table.columns.size()) {
    const auto row = table.cells.begin() + static_cast<std::ptrdiff_t>(i);
    narrow.cells.insert(narrow.cells.end(), row, row + 3);
    rest += "\n" + row[0] + "\n  sizes  " + row[4] + "\n  keys   " + row[3] + "\n";
  }
  return text_of(narrow) + rest;
}

std::string markdown_of(const engine::text_table& table) {
  std::string text;
  const auto add_row = [&](auto begin, auto end) {
    for (text += "|"; begin != end; ++begin) {
      text += ' ';
      for (const char each : *begin) text += each == '|' ? "\\|" : std::string(1, each);
      text += " |";
    }
    text += "\n";
  };
  add_row(table.columns.begin(), table.columns.end());
  for (std::size_t i = 0; i < table.columns.size(); ++i) text += i == 0 ? "|---|" : "---|";
  text += "\n";
  const auto width = static_cast<std::ptrdiff_t>(table.columns.size());
  for (auto row = table.cells.begin(); row != table.cells.end(); row += width) add_row(row, row + width);
  return text;
}

/// All that there is of something. Pre: `what` needs no name, or is settings.
engine::text_table table_of(list_kind what, const engine::side& side) {
  if (what == list_kind::settings) return all_settings(side);
  engine::text_table table;
  engine::problem wrong;
  side.list(what, "", table, wrong);
  return what == list_kind::workloads ? with_sizes(side, table) : table;
}

/// The page is the same on every machine, whether it was measured or not.
void leave_out_this(engine::text_table& machines) {
  for (std::size_t i = 0; i < machines.cells.size(); i += machines.columns.size()) {
    if (machines.cells[i] != "this") continue;
    const auto row = machines.cells.begin() + static_cast<std::ptrdiff_t>(i);
    machines.cells.erase(row, row + static_cast<std::ptrdiff_t>(machines.columns.size()));
    return;
  }
}

std::string markdown_page(const engine::side& side) {
  std::string page =
      "# Catalogue\n\nWhat there is to choose from by name. This page is what `teff list --markdown` prints; a test keeps it "
      "so.\n";
  for (const list_name& each : list_names) {
    std::string title = each.name;
    title[0] = static_cast<char>(title[0] - 'a' + 'A');
    engine::text_table table = table_of(each.what, side);
    if (each.what == list_kind::machines) leave_out_this(table);
    page += "\n## " + title + "\n\n" + markdown_of(table) + each.remark;
  }
  return page;
}

exit_code refuse(console& to, const std::string& sentence) {
  to.complain(sentence);
  return exit_code::wrong_usage;
}

}  // namespace

exit_code list_something(const arguments& words, engine::side& side, console& to) {
  if (words.list_as_markdown && words.subject.empty() && !words.list_pool && !words.list_memory) {
    to.result(markdown_page(side));
    return exit_code::success;
  }
  const auto found = std::find_if(std::begin(list_names), std::end(list_names),
                                  [&](const list_name& each) { return words.subject == each.name; });
  if (found == std::end(list_names)) {
    std::vector<std::string> allowed;
    for (const list_name& each : list_names) allowed.emplace_back(each.name);
    if (words.subject.empty()) return refuse(to, "list what? allowed: " + report::joined(allowed));
    return refuse(to, side.unknown_name("list", words.subject, allowed));
  }
  const bool of_some = words.list_pool || words.list_memory;
  if (of_some && found->what != list_kind::settings) return refuse(to, "--pool and --memory are for 'teff list settings' only");
  if (!words.machine.empty() && found->what != list_kind::machine) return refuse(to, "--machine is for 'teff list machine' only");
  engine::problem wrong;
  side.describe_machine(words.machine, wrong);
  if (!wrong.ok()) return refuse(to, wrong.sentence);
  const engine::text_table table = of_some ? settings_of(words, side, wrong) : table_of(found->what, side);
  if (!wrong.ok()) return refuse(to, wrong.sentence);
  if (words.list_as_markdown) to.result(markdown_of(table));
  else if (words.list_as_json) to.machine_readable(report::json(table.columns, table.cells));
  else to.result(found->what == list_kind::workloads ? text_of_workloads(table) : text_of(table));
  return exit_code::success;
}

}  // namespace teff::cli
