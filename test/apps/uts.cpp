// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/uts/uts.h"

#include "apps/uts/sha1.h"
#include "helpers.h"

#include <string_view>
#include <vector>

namespace TEFF_NAMESPACE::apps {
namespace {

std::string hexadecimal(const sha1_digest& digest) {
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += "0123456789abcdef"[byte / 16];
    text += "0123456789abcdef"[byte % 16];
  }
  return text;
}

std::string digest_of(std::string_view message) {
  const std::vector<std::uint8_t> bytes(message.begin(), message.end());
  return hexadecimal(sha1(bytes));
}

/// The examples of the standard and of its validation suite.
TEST(sha1, gives_the_standards_digests) {
  EXPECT_EQ(digest_of(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(digest_of("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(digest_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(
      digest_of(
          "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
      "a49b2446a02c645bf419f995b67091253a04a259");
  EXPECT_EQ(digest_of(std::string(1'000'000, 'a')), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST(sha1, pads_messages_of_every_length_differently) {
  std::vector<std::string> seen;
  for (std::size_t length = 0; length < 200; ++length) seen.push_back(digest_of(std::string(length, 'x')));
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
}

#ifndef TEFF_SIMULATED
TEST(uts, walks_the_published_trees) {
  for (const char* tree : {"T1", "T3"}) {
    const auto some = make_uts();
    ASSERT_EQ(some->choose_size("tree=" + std::string(tree) + ",depth=0,by=put"), "");
    some->prepare(1, 1);
    some->serial();
    EXPECT_EQ(some->verify(), "");
    EXPECT_EQ(some->tasks_run(), uts_published(tree).nodes);
  }
  EXPECT_EQ(uts_published("T1").nodes, 4'130'071u);
}

TEST(uts, walks_the_published_tree_in_tasks) {
  const auto some = make_uts();
  ASSERT_EQ(some->choose_size("medium"), "");
  some->prepare(1, 2);
  team made({.pool = "dq8", .workers = 2});
  some->tasks(made);
  EXPECT_EQ(some->verify(), "");
}
#endif

TEST(uts, is_right_on_every_pool) {
  for (const catalogue_line& each : list_pools()) {
    for (const unsigned workers : {1u, 2u, 8u, 64u}) {
      for (const char* by : {"put", "group", "loop"}) {
        expect_both_versions_right(*make_uts(), "tree=T1,depth=4,by=" + std::string(by), each.name, workers);
      }
    }
  }
}

TEST(uts, a_run_that_did_nothing_is_wrong) {
  const auto some = make_uts();
  EXPECT_EQ(some->choose_size("tiny"), "");
  some->prepare(1, 1);
  EXPECT_NE(some->verify(), "");
}

TEST(uts, sizes_are_checked) {
  const auto some = make_uts();
  EXPECT_NE(some->choose_size("tree=T9").find("T9"), std::string::npos);
  EXPECT_NE(some->choose_size("depth=21").find("21"), std::string::npos);
  EXPECT_NE(some->choose_size("tree=T3,depth=4").find("binomial"), std::string::npos);
  EXPECT_EQ(some->choose_size("tree=T3,depth=0"), "");
  EXPECT_EQ(some->choose_size("tree=T1,depth=3"), "");
  EXPECT_EQ(some->size(), "tree=T1,depth=3,by=group");
}

}  // namespace
}  // namespace TEFF_NAMESPACE::apps
