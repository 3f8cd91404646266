// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fiber/task_name.h"

#include <cerrno>
#include <gtest/gtest.h>
#include <string>

namespace TEFF_NAMESPACE::fibers {
namespace {

TEST(task_names, are_cut_between_characters) {
  for (const char* character : {"x", "é", "…", "𝄞"}) {
    for (const std::string before : {"", "a", "ab", "abc"}) {
      std::string name = before;
      while (name.size() < 200) name += character;
      platform::line shown;
      add_task_name(shown, name.c_str(), nullptr, nullptr, nullptr);
      std::string kept(shown.text());
      ASSERT_TRUE(kept.starts_with("'" + before) && kept.ends_with("…'")) << kept;
      kept = kept.substr(1 + before.size(), kept.size() - 1 - before.size() - std::string("…'").size());
      EXPECT_EQ(kept.size() % std::string(character).size(), 0u) << kept;
      EXPECT_GT(kept.size(), 110u);
    }
  }
}

std::string shown(const char* label, entry_function entry = nullptr) {
  platform::line text;
  add_task_name(text, nullptr, label, nullptr, entry);
  return std::string(text.text());
}

TEST(task_names, of_types_leave_out_what_all_have_in_common) {
  EXPECT_EQ(shown("constexpr const char* teff::label_of() [with Function = teff::native::(anonymous namespace)::leaf]"),
            "'leaf'");
  EXPECT_EQ(shown("constexpr const char *teff::label_of() [Function = my::teff::native::leaf<teff::simulated::{anonymous}::of>]"),
            "'my::leaf<of>'");
  EXPECT_EQ(shown("teff::native::leaf"), "'teff::native::leaf'");  // somebody gave it this label
}

void some_entry(worker&, void*) {}

TEST(task_names, without_a_label_say_where_the_code_is) {
  const std::string text = shown(nullptr, &some_entry);
  EXPECT_TRUE(text.starts_with("'") && text.ends_with("'")) << text;
  EXPECT_NE(text.find(program_invocation_short_name), std::string::npos) << text;
  EXPECT_NE(text.find("+0x"), std::string::npos) << text;
}

}  // namespace
}  // namespace TEFF_NAMESPACE::fibers
