// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The one place that knows the library that parses command lines.
#include "cli/arguments.h"

#include "cli/build_information.h"
#include "cli/exit_codes.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string_view>

namespace teff::cli {

namespace {

void add(CLI::App& to, const std::string& name, std::optional<std::string>& target, const std::string& what, const char* type) {
  to.add_option_function<std::string>(name, [&target](const std::string& value) { target = value; }, what)->type_name(type);
}

void add_repeatable(CLI::App& to, const std::string& name, std::vector<std::string>& target, const std::string& what,
                    const char* type = "NAME=VALUE") {
  to.add_option(name, target, what)->type_name(type)->allow_extra_args(false);
}

void add_machine(CLI::App& to, arguments& into, const std::string& what) {
  add_repeatable(to, "--machine", into.machine, what, "NAME|FILE|COST=VALUE");
}

/// The library's own line of usage knows nothing of what stands behind '--'.
std::string usage_with_program(const std::string& command, const std::string& options) {
  return "teff " + command + " [OPTIONS] -- PROG [ARGS]: with a program, " + options + " are the options";
}

/// Options that every command has that runs something.
void add_common(CLI::App& to, arguments& into) {
  to.add_option("workload", into.subject, "what to run: see 'teff list workloads'")->type_name("WORKLOAD");
  add(to, "--size", into.size, "tiny, small, medium, paper, or key=value,... (small)", "SIZE");
  add(to, "--seed", into.seed, "of everything random (1)", "NUMBER");
  add(to, "--json", into.json_file, "also write the records to this file; - for standard output", "FILE");
  add_repeatable(to, "--set", into.settings,
                 "a setting of the pools or managers that have it; may be repeated: see 'teff list settings'");
  add(to, "--input", into.input, "take the workload's input from this file", "FILE");
  to.add_flag("--account", into.account, "print where the workers' time went, by part, and which locks bound it");
  add(to, "--format", into.format,
      "how --input and --output are written: text or binary (by the file's name), fasta, matrix-market", "FORMAT");
}

void add_comparison(CLI::App& to, arguments& into, const std::string& standard_workers) {
  add(to, "--pools", into.pools, "all, or names separated by commas (all)", "LIST");
  add(to, "--memories", into.memories, std::string("all, or names separated by commas (") + standard_memory + ")", "LIST");
  add(to, "--workers", into.workers, "numbers separated by commas (" + standard_workers + ")", "LIST");
  add(to, "--html", into.html_file, "also write a page with the table and drawings to this file; - for standard output", "FILE");
  to.add_flag("--table", into.whole_table, "print a line for each record even where a matrix replaces many");
}

CLI::App* add_list(CLI::App& app, arguments& into) {
  CLI::App* const list = app.add_subcommand("list", "what there is to choose from, one line each");
  list->add_option("what", into.subject, "pools, managers, workloads, settings, variables, machines or machine")
      ->type_name("WHAT");
  CLI::Option* const json = list->add_flag("--json", into.list_as_json, "as a JSON array");
  list->add_flag("--markdown", into.list_as_markdown, "as a Markdown table; without WHAT: all of them, as docs/catalogue.md")
      ->excludes(json);
  add(*list, "--pool", into.list_pool, "settings: of this pool only", "NAME");
  add(*list, "--memory", into.list_memory, "settings: of this memory manager only", "NAME");
  add_machine(*list, into, "machine: of this one, or as this file describes it");
  return list;
}

CLI::App* add_run(CLI::App& app, arguments& into) {
  CLI::App* const run =
      app.add_subcommand("run", "run a workload, or behind -- a program that gcc built with -fopenmp, on one pool");
  add_common(*run, into);
  add(*run, "--pool", into.pools, std::string("see 'teff list pools' (") + standard_pool + ")", "NAME");
  add(*run, "--memory", into.memories, std::string("see 'teff list managers' (") + standard_memory + ")", "NAME");
  add(*run, "--workers", into.workers, "how many (the usable processors)", "NUMBER");
  add(*run, "--repeat", into.repeat, "how often (1)", "NUMBER");
  add(*run, "--output", into.output, "write the workload's result to this file", "FILE");
  run->add_flag("--stats", into.stats,
                "print all counters; for a program a summary at its end, and where its time went by source line");
  run->footer(usage_with_program("run", "--pool, --workers, --set, --stats and --json"));
  return run;
}

CLI::App* add_compare(CLI::App& app, arguments& into) {
  CLI::App* const compare =
      app.add_subcommand("compare",
                         "run a workload, or behind -- an OpenMP program and gcc's own runtime first, on several "
                         "pools, in turn, and say which is best and why");
  add_common(*compare, into);
  add_comparison(*compare, into, "1 and the usable processors");
  add(*compare, "--repeat", into.repeat, "how often (5)", "NUMBER");
  add(*compare, "--threads", into.threads, "a program with each of these numbers of threads, separated by commas", "LIST");
  compare->footer(usage_with_program("compare", "--pools, --workers or --threads, --set, --repeat and --json"));
  return compare;
}

CLI::App* add_simulate(CLI::App& app, arguments& into) {
  CLI::App* const simulate =
      app.add_subcommand("simulate", "the same comparison in virtual time, on a machine that is described");
  add_common(*simulate, into);
  add_comparison(*simulate, into, "1,2,4,8,16,32,64");
  add(*simulate, "--repeat", into.repeat,
      "how often: the first run is of the machine as described, the others of ones whose costs differ by up to 1 %, as --seed "
      "draws it (1)",
      "NUMBER");
  add(*simulate, "--sweep", into.sweep,
      "one cost of the machine takes several values in turn, as remote_transfer=100..1000:100 or park=0,2000,8000",
      "COST=VALUES");
  simulate->add_flag("--why", into.why,
                     "simulate again with one cost after the other set to nothing, and show by how much that narrows the gap "
                     "between the best and each of the others");
  add_machine(
      *simulate, into,
      "first a machine, see 'teff list machines', or a file that describes one (generic); then costs of it, see 'teff list "
      "machine'; may be repeated");
  return simulate;
}

CLI::App* add_calibrate(CLI::App& app, arguments& into) {
  CLI::App* const calibrate = app.add_subcommand(
      "calibrate", "measure this machine, describe it for the simulator as 'this', and show how far simulated times are off");
  add(*calibrate, "--output", into.output, "write the machine to this file (teff/this.toml in $XDG_CONFIG_HOME or ~/.config)",
      "FILE");
  add(*calibrate, "--json", into.json_file, "also write the table to this file; - for standard output", "FILE");
  calibrate->add_flag("--quick", into.quick, "few repetitions of small cases: to see what it does, not to keep");
  return calibrate;
}

CLI::App* add_doctor(CLI::App& app, arguments& into) {
  CLI::App* const doctor = app.add_subcommand(
      "doctor", "what teff sees on this machine, and advice on what may hurt; the exit code is 0 with advice too");
  doctor->add_option("program", into.subject, "look at this program instead: what runs in parallel in it, and what is in charge")
      ->type_name("PROG");
  doctor->add_flag("--json", into.doctor_as_json, "as a JSON object");
  return doctor;
}

std::vector<std::string> option_names(const CLI::App& of) {
  std::vector<std::string> names;
  for (const CLI::Option* each : of.get_options()) {
    for (const std::string& name : each->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& of) {
  std::vector<std::string> names;
  for (const CLI::App* each : of.get_subcommands([](const CLI::App*) { return true; })) names.push_back(each->get_name());
  return names;
}

std::string exit_codes_text() {
  std::string text = "Exit codes:";
  for (const auto& [code, what] : exit_codes) text += "\n  " + std::to_string(static_cast<int>(code)) + "  " + what;
  return text + "\n'teff run -- PROG' ends as PROG does: with its exit code, or by its signal.";
}

/// Returns: the names of the commands that have this option, as "run or compare"; empty if none has.
std::string commands_with(const CLI::App& app, const std::string& option) {
  std::string names;
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; })) {
    const auto options = option_names(*each);
    if (std::find(options.begin(), options.end(), option) == options.end()) continue;
    names += (names.empty() ? "" : " or ") + each->get_name();
  }
  return names;
}

/// Effect: takes the help of a command, or that of all, for an answer, or finds the name unknown. `asked` is what stands behind
/// 'help', if that is a command: the library takes it for one.
void find_help(const CLI::App& app, const CLI::App* asked, const std::string& overview, arguments& into) {
  into.which = command::none;
  if (asked != nullptr) {
    into.text = asked->help(app.get_name());
  } else if (into.subject.empty() || into.subject == "help") {
    into.text = overview;
  } else {
    into.unknown_kind = "command";
    into.unknown = into.subject;
    into.allowed = command_names(app);
  }
}

/// Options that people look for elsewhere, too.
struct simulated_option {
  const char* name;
  const char* why;
};
constexpr simulated_option simulated_only[] = {
    {"--why", "only the simulator can take a cost of the machine away and look again"},
    {"--sweep", "only the simulator can change a cost of the machine"},
};

/// Finds the first word that nobody took.
void find_unknown(const CLI::App& app, const CLI::App* chosen, arguments& into) {
  const CLI::App& asked = chosen != nullptr ? *chosen : app;
  std::vector<std::string> rest = asked.remaining();
  if (rest.empty()) rest = app.remaining();
  std::erase(rest, "--");  // ends the options; the library leaves it among the words
  if (rest.empty()) return;
  into.unknown = rest.front();
  const bool is_option = into.unknown.starts_with("-"), is_early = is_option && (chosen == nullptr || asked.remaining().empty());
  const std::string option = into.unknown.substr(0, into.unknown.find('='));
  if (const std::string owners = is_early ? commands_with(app, option) : ""; !owners.empty()) {
    const std::string command = chosen != nullptr ? chosen->get_name() : owners.substr(0, owners.find(' '));
    into.wrong = "'" + option + "' stands before the command, but is an option of " + owners + ": write it behind, as 'teff " +
                 command + " ... " + into.unknown + "'";
    return;
  }
  const auto only = std::find_if(std::begin(simulated_only), std::end(simulated_only),
                                 [&](const simulated_option& each) { return option == each.name; });
  if (is_option && chosen != nullptr && only != std::end(simulated_only)) {
    into.wrong = "'" + chosen->get_name() + "' has no '" + option + "', which is an option of simulate: " + only->why;
    return;
  }
  if (is_option || chosen == nullptr) {
    into.unknown_kind = is_option ? "option" : "command";
    into.allowed = is_option ? option_names(asked) : command_names(app);
  } else {
    into.wrong = "'" + into.unknown + "' is one word too many: see 'teff " + chosen->get_name() + " --help'";
  }
}

/// Effect: takes what stands behind '--' after run and compare. Returns: how many words are left.
int take_program(int count, const char* const* words, arguments& into) {
  const std::string name = count > 1 ? words[1] : "";
  if (name != "run" && name != "compare") return count;
  for (int i = 2; i < count; ++i) {
    if (std::string_view(words[i]) != "--") continue;
    into.has_program = true;
    into.program.assign(words + i + 1, words + count);
    return i;
  }
  return count;
}

/// Returns: what the library says of an option that is given again, as others say it.
std::string sentence_of(const std::string& from_library) {
  constexpr std::string_view again = ": At Most 1 required but received ";
  const std::size_t at = from_library.find(again);
  if (at == std::string::npos) return from_library;
  return "'" + from_library.substr(0, at) + "' is given " + from_library.substr(at + again.size()) + " times; allowed: once";
}

/// Effect: says what is wrong with words that the library takes: a name that is empty, a second command behind 'help'.
void find_wrong(const CLI::App& app, const CLI::App& doctor, const CLI::App& help, arguments& into) {
  if (doctor.parsed() && doctor.get_option("program")->count() > 0 && into.subject.empty())
    into.wrong = "the name of the program is empty: 'teff doctor' without one looks at this machine";
  if (!help.parsed()) return;
  const auto commands = app.get_subcommands();
  std::vector<std::string> behind;
  for (const CLI::App* each : commands) behind.push_back(each->get_name());
  if (commands.size() > 1 && !into.subject.empty()) behind.push_back(into.subject);
  for (const CLI::App* each : commands) {
    for (const std::string& word : each->remaining()) behind.push_back(word);
  }
  if (behind.size() > 2) into.wrong = "'" + behind[2] + "' is one word too many: see 'teff help'";
}

}  // namespace

std::string introduction() {
  return R"(teff runs irregular parallel programs on task pools, verifies the result, and says which pool is best and why.

  teff compare WORKLOAD    run it on several pools, in turn, and compare them
  teff run WORKLOAD        run it on one pool
  teff simulate WORKLOAD   compare pools on up to 1,024 virtual processors, in virtual time
  teff list WHAT           pools, managers, workloads, settings, variables, machines or machine
  teff calibrate           measure this machine, so that it can be simulated
  teff doctor              what this machine has for it, and what may hurt

  teff run -- PROG ARGS       run a program that gcc built with -fopenmp on Teff instead of gcc's runtime
  teff compare -- PROG ARGS   run it on gcc's runtime and on several pools, and compare
  teff doctor PROG            what runs in parallel in it

Try:
  teff compare synthetic
  teff run quicksort --size n=5000000 --pool dq5 --workers 2 --stats
  teff simulate synthetic --size k=18,f=5 --workers 1,8,64

'teff COMMAND --help' lists the options of a command.
)";
}

std::string arguments_version() { return CLI11_VERSION; }

arguments parse_arguments(int count, const char* const* words) {
  arguments result;
  bool version = false;
  CLI::App app("Teff: irregular parallel programs on task pools", "teff");
  app.add_flag("--version", version, "print the version");
  const std::pair<command, CLI::App*> commands[] = {
      {command::list, add_list(app, result)},           {command::run, add_run(app, result)},
      {command::compare, add_compare(app, result)},     {command::simulate, add_simulate(app, result)},
      {command::calibrate, add_calibrate(app, result)}, {command::doctor, add_doctor(app, result)}};
  CLI::App* const help = app.add_subcommand("help", "this text, or the options of a command");
  help->add_option("command", result.subject, "the options of this one; without it: this text")->type_name("COMMAND");
  app.footer(exit_codes_text());  // behind the commands, which would take it for theirs
  app.allow_extras();
  for (const auto& each : commands) each.second->allow_extras();
  const std::string overview = app.help();  // once a command is parsed, the library gives its help instead
  const CLI::App* chosen = nullptr;
  try {
    app.parse(take_program(count, words, result), words);
    for (const auto& [which, parser] : commands) {
      if (!parser->parsed()) continue;
      result.which = which;
      chosen = parser;
    }
    if (help->parsed()) find_help(app, chosen, overview, result);
    else find_unknown(app, chosen, result);
    find_wrong(app, *app.get_subcommand("doctor"), *help, result);
    if (version) result.text = std::string("teff ") + version_text + " (" + commit_text + ")\n";
  } catch (const CLI::CallForHelp&) {
    result.text = app.help();
  } catch (const CLI::ArgumentMismatch& error) {
    result.wrong = sentence_of(error.what());
  } catch (const CLI::ParseError& error) {
    result.wrong = error.what();
  }
  return result;
}

}  // namespace teff::cli
