// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/native/cgroup.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <optional>
#include <string>

namespace teff::inline TEFF_PLATFORM::platform {
namespace {

/// A tree of files like those of the kernel, in a temporary folder that goes away with it.
class fake_tree {
 public:
  fake_tree() {
    std::string pattern = (std::filesystem::temp_directory_path() / "teff-cgroup-XXXXXX").string();
    root_ = mkdtemp(pattern.data()) == nullptr ? "" : pattern;
    EXPECT_FALSE(root_.empty());
  }
  ~fake_tree() { std::filesystem::remove_all(root_); }
  fake_tree(const fake_tree&) = delete;
  fake_tree& operator=(const fake_tree&) = delete;

  fake_tree& file(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
    return *this;
  }
  fake_tree& groups(const std::string& text) { return file("/proc/self/cgroup", text); }
  fake_tree& mounts(const std::string& text) { return file("/proc/self/mountinfo", text); }
  fake_tree& quota_two(const std::string& folder, const std::string& text) { return file(folder + "/cpu.max", text + "\n"); }
  fake_tree& quota_one(const std::string& folder, const std::string& quota, const std::string& period) {
    return file(folder + "/cpu.cfs_quota_us", quota + "\n").file(folder + "/cpu.cfs_period_us", period + "\n");
  }

  std::optional<unsigned> processors() const { return processors_by_cgroup_quota(root_); }

 private:
  std::string root_;
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

TEST(cgroup, this_machine_can_be_read) {
  const auto processors = processors_by_cgroup_quota();
  EXPECT_TRUE(!processors || *processors >= 1);
}

}  // namespace
}  // namespace teff::inline TEFF_PLATFORM::platform
