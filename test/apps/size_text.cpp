// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/size_text.h"

#include <gtest/gtest.h>

namespace TEFF_NAMESPACE::apps {
namespace {

class size_text : public testing::Test {
 protected:
  std::string parse(const std::string& text) {
    return parse_size(text, {{"tiny", "k=2,kind=b"}, {"small", "k=5"}},
                      {{{"k", &k, 1, 45, " (for a reason)"}, {"f", &f, 0, 9, ""}},
                       {{"kind", &kind, {"a", "b"}}},
                       {{"share", &share, 0.25, 2, " (as well)"}}});
  }
  static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

  std::uint64_t k = 7, f = 8;
  double share = 1;
  std::string kind = "a";
};

TEST_F(size_text, names_stand_for_keys) {
  EXPECT_EQ(parse("tiny"), "");
  EXPECT_EQ(k, 2u);
  EXPECT_EQ(kind, "b");
  EXPECT_EQ(f, 8u);
}

TEST_F(size_text, keys_in_any_order) {
  EXPECT_EQ(parse("f=0,k=45"), "");
  EXPECT_EQ(k, 45u);
  EXPECT_EQ(f, 0u);
}

TEST_F(size_text, wrong_numbers_are_named_with_the_allowed_ones) {
  for (const char* wrong : {"k=0", "k=46", "k=-1", "k=", "k=1x", "k= 1", "k=+1", "k=1.0", "k=99999999999999999999999"}) {
    const std::string sentence = parse(wrong);
    EXPECT_TRUE(has(sentence, "allowed: whole numbers 1 ... 45 (for a reason)")) << wrong << ": " << sentence;
    EXPECT_TRUE(has(sentence, "'" + std::string(wrong).substr(2) + "'")) << sentence;
  }
}

TEST_F(size_text, numbers_may_have_fractions) {
  for (const char* right : {"share=0.5", "share=.5", "share=0.50"}) {
    share = 1;
    EXPECT_EQ(parse(right), "") << right;
    EXPECT_EQ(share, 0.5) << right;
  }
  for (const char* wrong :
       {"share=", "share=0.2", "share=3", "share=-1", "share=1x", "share= 1", "share=1e0", "share=nan", "share=inf"}) {
    EXPECT_TRUE(has(parse(wrong), "allowed: numbers 0.25 ... 2 (as well)")) << wrong << ": " << parse(wrong);
  }
  EXPECT_EQ(text_of(0.0005), "0.0005");
  EXPECT_EQ(text_of(100), "100");
}

TEST_F(size_text, wrong_words_are_named) {
  EXPECT_TRUE(has(parse("tinny"), "unknown size 'tinny'; did you mean 'tiny'?"));
  EXPECT_TRUE(has(parse("tinny"), "or k=...,f=...,share=...,kind=..."));
  EXPECT_TRUE(has(parse("knd=a"), "did you mean 'kind'?"));
  EXPECT_TRUE(has(parse("kind=c"), "allowed: a, b"));
  EXPECT_TRUE(has(parse(""), "unknown size ''"));
  EXPECT_TRUE(has(parse("k=1,"), "part '' of the size has no value"));
  EXPECT_TRUE(has(parse("k=1,f"), "part 'f' of the size has no value"));
  EXPECT_TRUE(has(parse("k=1,k=2"), "size key k is given twice"));
}

}  // namespace
}  // namespace TEFF_NAMESPACE::apps
