// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/native/cgroup.h"

#include "test/support/fake_tree.h"

#include <gtest/gtest.h>
#include <optional>
#include <string>

namespace TEFF_NAMESPACE::platform {
namespace {

class fake_tree : public testing_support::fake_tree {
 public:
  fake_tree& groups(const std::string& text) { return with("/proc/self/cgroup", text); }
  fake_tree& mounts(const std::string& text) { return with("/proc/self/mountinfo", text); }
  fake_tree& quota_two(const std::string& folder, const std::string& text) { return with(folder + "/cpu.max", text + "\n"); }
  fake_tree& quota_one(const std::string& folder, const std::string& quota, const std::string& period) {
    return with(folder + "/cpu.cfs_quota_us", quota + "\n").with(folder + "/cpu.cfs_period_us", period + "\n");
  }
  fake_tree& with(const std::string& path, const std::string& text) {
    file(path, text);
    return *this;
  }

  std::optional<unsigned> processors() const {
    const auto quota = cgroup_quota(root());
    return quota ? std::optional(whole_processors(*quota)) : std::nullopt;
  }
};

constexpr const char* mount_two = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
constexpr const char* mount_one =
    "33 30 0:30 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:11 master:2 - cgroup cgroup rw,cpu,cpuacct\n"
    "34 30 0:31 / /sys/fs/cgroup/memory rw,nosuid shared:12 - cgroup cgroup rw,memory\n";
constexpr const char* folder_one = "/sys/fs/cgroup/cpu,cpuacct";

/// Version 2, the process in group /a, with this text in its cpu.max.
std::optional<unsigned> processors_for(const std::string& text) {
  return fake_tree().groups("0::/a\n").mounts(mount_two).quota_two("/sys/fs/cgroup/a", text).processors();
}

TEST(cgroup, no_tree_is_no_limit) { EXPECT_EQ(fake_tree().processors(), std::nullopt); }

TEST(cgroup, version_two_rounds_down_to_at_least_one) {
  EXPECT_EQ(processors_for("400000 100000"), 4U);
  EXPECT_EQ(processors_for("199999 100000"), 1U);
  EXPECT_EQ(processors_for("150000 100000"), 1U);
  EXPECT_EQ(processors_for("50000 100000"), 1U);
}

TEST(cgroup, version_two_max_is_no_limit) { EXPECT_EQ(processors_for("max 100000"), std::nullopt); }

TEST(cgroup, malformed_quota_is_no_limit) {
  for (const char* text : {"", "200000", "two 100000", "200000 0", "-5 100000", "200000 100000 1", "2e5 100000", "0 100000",
                           "99999999999999999999999 100000"}) {
    EXPECT_EQ(processors_for(text), std::nullopt) << "'" << text << "'";
  }
}

TEST(cgroup, enormous_quota_does_not_wrap) { EXPECT_EQ(processors_for("9223372036854775807 1"), 4294967295U); }

TEST(cgroup, version_two_takes_the_smallest_of_all_levels) {
  fake_tree tree;
  tree.groups("0::/a/b/c\n").mounts(mount_two);
  tree.quota_two("/sys/fs/cgroup/a/b/c", "800000 100000");
  tree.quota_two("/sys/fs/cgroup/a", "600000 100000");
  EXPECT_EQ(tree.processors(), 6U);
  tree.quota_two("/sys/fs/cgroup/a/b", "300000 100000");
  EXPECT_EQ(tree.processors(), 3U);
  tree.quota_two("/sys/fs/cgroup", "200000 100000");  // a container sees its own group as the root
  EXPECT_EQ(tree.processors(), 2U);
  tree.quota_two("/sys/fs/cgroup/a/other", "100000 100000");
  EXPECT_EQ(tree.processors(), 2U) << "a group that is not above this process does not count";
}

TEST(cgroup, version_one_takes_the_smallest_of_all_levels) {
  fake_tree tree;
  tree.groups("7:memory:/m\n4:cpu,cpuacct:/a/b\n").mounts(mount_one);
  tree.quota_one(folder_one, "-1", "100000");
  EXPECT_EQ(tree.processors(), std::nullopt);
  tree.quota_one(std::string(folder_one) + "/a/b", "500000", "100000");
  EXPECT_EQ(tree.processors(), 5U);
  tree.quota_one(std::string(folder_one) + "/a", "150000", "50000");
  EXPECT_EQ(tree.processors(), 3U);
}

TEST(cgroup, version_one_mount_that_shows_only_our_part_of_the_hierarchy) {
  fake_tree tree;
  tree.groups("4:cpu:/docker/f00\n").mounts("33 30 0:30 /docker/f00 /cpu rw - cgroup cgroup rw,cpu\n");
  tree.quota_one("/cpu", "200000", "100000");
  EXPECT_EQ(tree.processors(), 2U);
}

TEST(cgroup, group_that_no_mount_shows_falls_back_to_the_mount_points) {
  fake_tree tree;
  tree.groups("0::/../elsewhere\n").mounts(mount_two).quota_two("/sys/fs/cgroup", "200000 100000");
  EXPECT_EQ(tree.processors(), 2U);
}

TEST(cgroup, group_name_that_only_begins_like_the_mounted_one_is_not_below_it) {
  fake_tree tree;
  tree.groups("0::/ab\n").mounts("30 23 0:26 /a /a rw - cgroup2 cgroup2 rw\n31 23 0:26 / /all rw - cgroup2 cgroup2 rw\n");
  tree.quota_two("/a", "100000 100000").quota_two("/all/ab", "700000 100000");
  EXPECT_EQ(tree.processors(), 7U);
}

TEST(cgroup, hybrid_takes_the_smaller_of_both_versions) {
  fake_tree tree;
  tree.groups("4:cpu,cpuacct:/one\n1:name=systemd:/s\n0::/two\n");
  tree.mounts(std::string(mount_one) + "35 30 0:32 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  tree.quota_one(std::string(folder_one) + "/one", "400000", "100000");
  EXPECT_EQ(tree.processors(), 4U);
  tree.quota_two("/sys/fs/cgroup/unified/two", "300000 100000");
  EXPECT_EQ(tree.processors(), 3U);
}

TEST(cgroup, mount_point_with_a_blank_in_its_name) {
  fake_tree tree;
  tree.groups("0::/\n").mounts("30 23 0:26 / /my\\040groups rw - cgroup2 cgroup2 rw\n");
  tree.quota_two("/my groups", "200000 100000");
  EXPECT_EQ(tree.processors(), 2U);
}

TEST(cgroup, malformed_tables_are_no_limit) {
  fake_tree tree;
  tree.groups("nonsense\n::\n0:\n\n").mounts("1 2\n - \n- - - - - - - cgroup2\n").quota_two("/sys/fs/cgroup", "100000 100000");
  EXPECT_EQ(tree.processors(), std::nullopt);
}

TEST(cgroup, quota_says_where_it_stands) {
  fake_tree tree;
  tree.groups("0::/a/b\n").mounts(mount_two).quota_two("/sys/fs/cgroup/a", "150000 100000");
  const auto two = cgroup_quota(tree.root());
  ASSERT_TRUE(two);
  EXPECT_EQ(two->file, "/sys/fs/cgroup/a/cpu.max");
  EXPECT_EQ(two->text, "150000 100000");
  EXPECT_DOUBLE_EQ(two->amount, 1.5);
  tree.groups("4:cpu,cpuacct:/c\n").mounts(mount_one).quota_one(std::string(folder_one) + "/c", "70000", "20000");
  const auto one = cgroup_quota(tree.root());
  ASSERT_TRUE(one);
  EXPECT_EQ(one->file, "/sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_quota_us");
  EXPECT_EQ(one->text, "70000 20000");
  EXPECT_DOUBLE_EQ(one->amount, 3.5);
}

TEST(cgroup, threads_take_the_smallest_of_all_levels) {
  fake_tree tree;
  EXPECT_FALSE(cgroup_threads(tree.root()));
  tree.groups("0::/a/b\n").mounts(mount_two).with("/sys/fs/cgroup/a/b/pids.max", "max\n");
  EXPECT_FALSE(cgroup_threads(tree.root()));
  tree.with("/sys/fs/cgroup/a/pids.max", "100\n").with("/sys/fs/cgroup/pids.max", "4000\n");
  const auto limit = cgroup_threads(tree.root());
  ASSERT_TRUE(limit);
  EXPECT_DOUBLE_EQ(limit->amount, 100);
  EXPECT_EQ(limit->file, "/sys/fs/cgroup/a/pids.max");
}

TEST(cgroup, threads_of_version_one_have_a_hierarchy_of_their_own) {
  fake_tree tree;
  tree.groups("8:pids:/p\n4:cpu,cpuacct:/c\n");
  tree.mounts(std::string(mount_one) + "36 30 0:33 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n");
  tree.with("/sys/fs/cgroup/pids/p/pids.max", "64\n").quota_one(std::string(folder_one) + "/p", "100000", "100000");
  ASSERT_TRUE(cgroup_threads(tree.root()));
  EXPECT_EQ(cgroup_threads(tree.root())->text, "64");
  EXPECT_FALSE(cgroup_quota(tree.root()));
}

TEST(cgroup, this_machine_can_be_read) {
  const auto quota = cgroup_quota();
  EXPECT_TRUE(!quota || whole_processors(*quota) >= 1);
}

}  // namespace
}  // namespace TEFF_NAMESPACE::platform
