// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/line.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
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

std::string code_at(const void* address) {
  line shown;
  add_code(shown, address);
  return std::string(shown.text());
}

TEST(line, code_is_shown_by_its_symbol_and_its_file) {
  const void* const function = dlsym(RTLD_DEFAULT, "lrand48");
  ASSERT_NE(function, nullptr);
  const std::string of_library = code_at(function);
  EXPECT_TRUE(of_library.starts_with("lrand48 in libc.so.6+0x")) << of_library;
  const std::string inside = code_at(static_cast<const char*>(function) + 1);
  EXPECT_TRUE(inside.starts_with("libc.so.6+0x")) << inside;
}

TEST(line, code_of_no_file_is_shown_by_its_address) {
  char text[40];
  const char here = 0;
  std::snprintf(text, sizeof text, "code at %p", static_cast<const void*>(&here));
  EXPECT_EQ(code_at(&here), text);
}

}  // namespace
}  // namespace TEFF_NAMESPACE::platform
