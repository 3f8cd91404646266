// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/line.h"

#include <gtest/gtest.h>
#include <string>

namespace TEFF_NAMESPACE::platform {
namespace {

std::string repeated(const std::string& text, unsigned times) {
  std::string all;
  for (unsigned i = 0; i < times; ++i) all += text;
  return all;
}

TEST(utf8, is_cut_between_characters) {
  const std::string text = "aé…𝄞";  // of 1, 2, 3 and 4 bytes
  const std::size_t ends[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
  for (std::size_t most = 0; most < std::size(ends); ++most) EXPECT_EQ(begin_of(text, most), text.substr(0, ends[most])) << most;
}

TEST(utf8, other_bytes_are_cut_where_they_are) {
  const std::string text(20, '\xbf');
  for (std::size_t most = 0; most <= 20; ++most) EXPECT_EQ(begin_of(text, most).size(), most);
}

TEST(line, ends_with_a_whole_character_and_adds_nothing_behind_what_did_not_fit) {
  for (const char* character : {"é", "…", "𝄞"}) {
    for (const char* before : {"", "a", "ab", "abc"}) {
      line full;
      full.add(before);
      full.add(repeated(character, 600));
      full.add("end");
      const std::string text(full.text());
      const auto times = (text.size() - std::string(before).size()) / std::string(character).size();
      EXPECT_EQ(text, before + repeated(character, static_cast<unsigned>(times)));
      EXPECT_GT(text.size(), 996u);
    }
  }
}

}  // namespace
}  // namespace TEFF_NAMESPACE::platform
