// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fiber/task_name.h"

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

}  // namespace
}  // namespace TEFF_NAMESPACE::fibers
