// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fiber/task_name.h"

#include "base/utf8.h"

namespace TEFF_NAMESPACE::fibers {

namespace {

/// Closures inside of closures have long names, which begin with where they stand.
constexpr std::size_t name_at_most = 120;

/// Namespaces that every name here would begin with.
constexpr std::string_view left_out[] = {"teff::native::", "teff::simulated::", "teff::", "{anonymous}::",
                                         "(anonymous namespace)::"};

std::size_t left_out_at(std::string_view text) noexcept {
  for (const std::string_view each : left_out) {
    if (text.starts_with(each)) return each.size();
  }
  return 0;
}

/// Effect: adds the text, or its begin; `type`: without what every type here has in common.
void add_shortened(platform::line& to, std::string_view text, bool type = false) noexcept {
  std::size_t added = 0;
  while (!text.empty() && added < name_at_most) {
    if (const std::size_t skipped = type ? left_out_at(text) : 0; skipped != 0) {
      text.remove_prefix(skipped);
      continue;
    }
    std::size_t bytes = 1;  // of the next character
    while (bytes < text.size() && continues_character(text[bytes])) ++bytes;
    if (added + bytes > name_at_most) break;
    to.add(text.substr(0, bytes));
    text.remove_prefix(bytes);
    added += bytes;
  }
  if (!text.empty()) to.add("…");
}

}  // namespace

std::string_view readable(const char* label) noexcept {
  const std::string_view text = label;
  // label_of<main()::<lambda()> >, as g++ and clang++ write it in __PRETTY_FUNCTION__.
  constexpr std::string_view before = "Function = ";
  const std::size_t found = text.find("label_of() [");
  const std::size_t begin = text.find(before);
  if (found == std::string_view::npos || begin == std::string_view::npos || !text.ends_with(']')) return text;
  const std::size_t first = begin + before.size();
  return text.substr(first, text.size() - 1 - first);
}

void add_task_name(platform::line& to, const char* name, const char* label, const void* code, entry_function entry) noexcept {
  to.add("'");
  if (name != nullptr) add_shortened(to, name);
  else if (label == task_frame::c_function) platform::add_code(to, code);
  else if (label != nullptr) add_shortened(to, readable(label), readable(label).data() != label);
  else platform::add_code(to, reinterpret_cast<const void*>(entry));
  to.add("'");
}

void add_task_name(platform::line& to, const task_frame& frame) noexcept {
  if (const full_frame* const full = frame.full()) add_task_name(to, full->name, full->label(), full->code, full->what.entry);
  else add_task_name(to, nullptr, frame.label(), nullptr, nullptr);
}

}  // namespace TEFF_NAMESPACE::fibers
