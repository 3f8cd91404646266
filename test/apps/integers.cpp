// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/quicksort/integers.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <limits>

namespace TEFF_NAMESPACE::apps {
namespace {

class string_sink final : public sink {
 public:
  explicit string_sink(std::size_t room = std::numeric_limits<std::size_t>::max()) : room_(room) {}
  bool write(const char* bytes, std::size_t count) override {
    if (count > room_) return false;
    text.append(bytes, count);
    return true;
  }
  std::string text;

 private:
  std::size_t room_;
};

std::string complaint(std::string_view text) {
  std::vector<std::int64_t> integers;
  return parse_integers(text, integers);
}

TEST(integers, white_space_separates) {
  std::vector<std::int64_t> integers;
  EXPECT_EQ(parse_integers(" 1\t-2\r\n+3\n\n4", integers), "");
  EXPECT_EQ(integers, (std::vector<std::int64_t>{1, -2, 3, 4}));
  EXPECT_EQ(complaint(""), "");
}

TEST(integers, the_whole_range_is_allowed) {
  std::vector<std::int64_t> integers;
  EXPECT_EQ(parse_integers("-9223372036854775808 9223372036854775807", integers), "");
  EXPECT_EQ(integers.front(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(integers.back(), std::numeric_limits<std::int64_t>::max());
}

TEST(integers, complaints_name_line_column_and_word) {
  EXPECT_EQ(complaint("1 2\n3 x4 5").substr(0, 23), "line 2, column 3: 'x4' ");
  EXPECT_EQ(complaint("0x10").substr(0, 25), "line 1, column 1: '0x10' ");
  for (const char* word : {"1.5", "-", "+", "--1", "+-1", "1e3", "9a"}) EXPECT_NE(complaint(word), "") << word;
  EXPECT_NE(complaint("\n\n 9223372036854775808").find("line 3, column 2: '9223372036854775808' does not fit 64 bits"),
            std::string::npos);
}

TEST(integers, complaints_hold_nothing_that_a_terminal_obeys) {
  const std::string text = complaint("\x1b[31m" + std::string(10'000, 'x'));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_LT(text.size(), 200u);
}

TEST(integers, formats_follow_the_name) {
  integer_format format;
  EXPECT_EQ(choose_format(format, "a.bin", ""), "");
  EXPECT_EQ(format, integer_format::binary);
  EXPECT_EQ(choose_format(format, "a.txt", ""), "");
  EXPECT_EQ(format, integer_format::text);
  EXPECT_EQ(choose_format(format, "a.txt", "binary"), "");
  EXPECT_EQ(format, integer_format::binary);
  EXPECT_NE(choose_format(format, "a.txt", "binry").find("did you mean 'binary'"), std::string::npos);
}

TEST(integers, what_is_written_is_read_again) {
  std::vector<std::int64_t> many(200'000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int64_t>(i * i * 0x9E3779B97F4A7C15u);
  for (const auto format : {integer_format::text, integer_format::binary}) {
    string_sink to;
    ASSERT_TRUE(write_integers(to, format, many.data(), many.size()));
    const std::string path = testing::TempDir() + "teff_integers_" TEFF_TEST_SIDE;
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    ASSERT_NE(file, nullptr);
    std::fwrite(to.text.data(), 1, to.text.size(), file);
    std::fclose(file);
    std::vector<std::int64_t> again;
    EXPECT_EQ(read_integers(path, format, again), "");
    EXPECT_EQ(again, many);
    std::remove(path.c_str());
  }
}

TEST(integers, nothing_is_written_for_nothing) {
  string_sink to;
  EXPECT_TRUE(write_integers(to, integer_format::text, nullptr, 0));
  EXPECT_EQ(to.text, "");
}

TEST(integers, a_sink_may_refuse) {
  string_sink full(3);
  const std::int64_t integers[] = {1, 2, 3};
  EXPECT_FALSE(write_integers(full, integer_format::text, integers, 3));
}

TEST(integers, unreadable_files_are_sentences) {
  std::vector<std::int64_t> integers;
  EXPECT_NE(read_integers("/nonexistent/file", integer_format::text, integers).find("No such file"), std::string::npos);
  EXPECT_NE(read_integers("/", integer_format::text, integers).find("directory"), std::string::npos);
}

}  // namespace
}  // namespace TEFF_NAMESPACE::apps
