// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Settings of which those that are wrong are ignored, and said.
#include "pool/settings.h"

namespace TEFF_NAMESPACE::pool {

namespace {

/// Returns: how a sentence about a text that is ignored ends: with the value that its setting has without it, if there is such a
/// setting. `taken`: those that hold.
template <class Check>
std::string what_holds_instead(std::vector<std::string> taken, std::string_view ignored, const Check& check) {
  const std::string name(ignored.substr(0, ignored.find('=')));
  for (const std::string& each : taken) {
    if (each.starts_with(name + "=")) return ", " + name + " is " + each.substr(name.size() + 1);
  }
  for (const setting& each : all_settings()) {
    if (name != each.name) continue;
    taken.push_back(name + "=" + each.standard);
    return check(taken).empty() ? ", " + name + " is " + each.standard + each.but : "";
  }
  return {};
}

}  // namespace

void take_each(std::vector<std::string>& taken, std::span<const std::string> texts,
               const std::function<std::string(std::span<const std::string>)>& check, std::vector<std::string>& complaints) {
  for (const std::string& text : texts) {
    taken.push_back(text);
    const std::string wrong = check(taken);
    if (wrong.empty()) continue;
    taken.pop_back();
    complaints.push_back(wrong + "; it is ignored" + what_holds_instead(taken, text, check));
  }
}

}  // namespace TEFF_NAMESPACE::pool
