// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/doctor/doctor.h"

#include "cli/doctor/advice.h"
#include "cli/doctor/listing.h"
#include "report/json.h"

namespace teff::cli {

exit_code examine_machine(const arguments& words, console& to) {
  const facts found = gather_facts();
  const auto lines = listing(found);
  const auto sentences = advice(found);
  if (words.doctor_as_json) {
    to.machine_readable(report::json(lines, sentences));
    return exit_code::success;
  }
  to.result(text_of(lines) + "\n");
  for (const std::string& each : sentences) to.result("advice: " + each + "\n");
  if (sentences.empty()) to.result("nothing to advise\n");
  return exit_code::success;
}

}  // namespace teff::cli
