// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/arguments.h"
#include "cli/calibrate/calibrate.h"
#include "cli/commands.h"
#include "cli/doctor/doctor.h"
#include "cli/engine.h"
#include "cli/output.h"
#include "cli/program/program.h"
#include "cli/system.h"

#include <exception>
#include <memory>
#include <new>
#include <string>

namespace teff::cli {

namespace {

exit_code dispatch(const arguments& words, console& to) {
  // Both sides list the same names, and the simulated one its machine too.
  const bool simulated = words.which == command::simulate || words.which == command::list;
  const std::unique_ptr<engine::side> side(simulated ? engine::make_simulated_side() : engine::make_native_side());
  if (!words.unknown.empty()) {
    to.complain(side->unknown_name(words.unknown_kind.c_str(), words.unknown, words.allowed));
    return exit_code::wrong_usage;
  }
  if (words.which == command::calibrate) {
    const std::unique_ptr<engine::laboratory> here(engine::make_native_laboratory());
    const std::unique_ptr<engine::model> model(engine::make_model());
    return calibrate(words, *here, *model, to);
  }
  if (words.which == command::list) return list_something(words, *side, to);
  if (words.which == command::doctor) return words.subject.empty() ? examine_machine(words, to) : examine_program(words, to);
  if (words.has_program) return words.which == command::run ? run_program(words, *side, to) : compare_program(words, *side, to);
  return run_something(words, *side, to);
}

exit_code answer(const arguments& words, console& to) {
  if (!words.wrong.empty()) {
    to.complain(words.wrong);
    return exit_code::wrong_usage;
  }
  const bool introduces = words.which == command::none && words.unknown.empty();
  if (words.text.empty() && !introduces) return dispatch(words, to);
  to.result(words.text.empty() ? introduction() : words.text);
  return exit_code::success;
}

int main_program(int count, const char* const* words) {
  const arguments parsed = parse_arguments(count, words);
  console to(parsed.json_file == "-" || parsed.html_file == "-");
  exit_code code = exit_code::wrong_usage;
  try {
    code = answer(parsed, to);
  } catch (const std::bad_alloc&) {
    to.complain("there is not enough memory for this");
  } catch (const std::exception& error) {
    to.complain(std::string("this cannot be done: ") + error.what());
  }
  if (const std::string sentence = to.finish(); !sentence.empty()) {
    to.complain(sentence);
    code = exit_code::wrong_usage;
  }
  return static_cast<int>(code);
}

}  // namespace

}  // namespace teff::cli

int main(int count, char** words) {
  teff::cli::os::prepare_process();
  return teff::cli::main_program(count, words);
}
