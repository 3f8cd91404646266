// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Files of the kernel, made up.
#include "cli/kernel.h"

#include "test/support/fake_tree.h"

#include <gtest/gtest.h>

namespace teff::cli {
namespace {

using testing_support::fake_tree;
using words = std::vector<std::string>;

std::optional<unsigned> online(const std::string& text) {
  fake_tree tree;
  tree.file("/sys/devices/system/cpu/online", text + "\n");
  return read_kernel(tree.root(), {}).online;
}

TEST(kernel, nothing_is_known_without_files) {
  const fake_tree empty;
  const kernel_facts facts = read_kernel(empty.root(), {0, 1});
  EXPECT_FALSE(facts.proc || facts.sys);
  EXPECT_EQ(facts.processor, "");
  EXPECT_EQ(read_processor_name(empty.root()), "unknown");
  EXPECT_FALSE(facts.online || facts.hypervisor || facts.load || facts.stolen);
  EXPECT_TRUE(facts.clock_source.empty() && facts.huge_pages.empty() && facts.governors.empty());
  EXPECT_FALSE(facts.counters_paranoid || facts.mappings || facts.overcommit || facts.threads || facts.process_numbers);
}

TEST(kernel, counts_the_processors_online) {
  EXPECT_EQ(online("0"), 1U);
  EXPECT_EQ(online("0-3"), 4U);
  EXPECT_EQ(online("0-3,8,10-11"), 7U);
  for (const char* text : {"", "x", "3-1", "0-", "0+2", ","}) EXPECT_EQ(online(text), std::nullopt) << "'" << text << "'";
}

TEST(kernel, reads_how_far_nodes_of_memory_are) {
  fake_tree tree;
  EXPECT_TRUE(read_kernel(tree.root(), {}).nodes.empty());
  tree.file("/sys/devices/system/node/online", "0,2-3\n");
  tree.file("/sys/devices/system/node/node0/distance", "10 21 31\n");
  tree.file("/sys/devices/system/node/node2/distance", "21 10 21\n");
  const std::vector<memory_node> nodes = read_kernel(tree.root(), {}).nodes;
  ASSERT_EQ(nodes.size(), 3u);
  EXPECT_EQ(nodes[1].number, 2u);
  EXPECT_EQ(nodes[0].distances, (std::vector<unsigned>{10, 21, 31}));
  EXPECT_EQ(nodes[1].distances, (std::vector<unsigned>{21, 10, 21}));
  EXPECT_TRUE(nodes[2].distances.empty()) << "a node without a file";
  tree.file("/sys/devices/system/node/online", "0-4000000000\n");
  EXPECT_TRUE(read_kernel(tree.root(), {}).nodes.empty()) << "no machine has so many";
}

TEST(kernel, names_the_processor_and_sees_a_hypervisor) {
  fake_tree tree;
  tree.file("/proc/cpuinfo", "processor\t: 0\nmodel\t\t: 2\nmodel name\t: Some CPU @ 2: fast\nflags\t\t: fpu hypervisor lm\n");
  EXPECT_EQ(read_processor_name(tree.root()), "Some CPU @ 2: fast");
  EXPECT_EQ(read_kernel(tree.root(), {}).hypervisor, true);
  tree.file("/proc/cpuinfo", "model name\t:\nflags\t\t: fpu hypervisors\n");
  EXPECT_EQ(read_processor_name(tree.root()), "");
  EXPECT_EQ(read_kernel(tree.root(), {}).hypervisor, false);
}

TEST(kernel, takes_the_word_in_brackets) {
  fake_tree tree;
  tree.file("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  EXPECT_EQ(read_kernel(tree.root(), {}).huge_pages, "madvise");
  tree.file("/sys/kernel/mm/transparent_hugepage/enabled", "] always [never\n");
  EXPECT_EQ(read_kernel(tree.root(), {}).huge_pages, "");
}

TEST(kernel, lists_the_governors_of_our_processors_once) {
  fake_tree tree;
  const auto set = [&](const std::string& processor, const std::string& governor) {
    tree.file("/sys/devices/system/cpu/cpu" + processor + "/cpufreq/scaling_governor", governor + "\n");
  };
  set("0", "performance");
  set("1", "powersave");
  set("2", "performance");
  set("3", "schedutil");
  EXPECT_EQ(read_kernel(tree.root(), {0, 1, 2, 7}).governors, (words{"performance", "powersave"}));
}

TEST(kernel, stolen_time_is_a_part_of_the_whole) {
  fake_tree tree;
  tree.file("/proc/stat", "cpu  10 0 20 50 0 5 5 10 7 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
  EXPECT_DOUBLE_EQ(*read_kernel(tree.root(), {}).stolen, 0.1);
  for (const char* text : {"", "cpu 1 2 3\n", "cpu 0 0 0 0 0 0 0 0\n", "intr 1 2 3 4 5 6 7 8\n"}) {
    tree.file("/proc/stat", text);
    EXPECT_FALSE(read_kernel(tree.root(), {}).stolen) << "'" << text << "'";
  }
}

TEST(kernel, numbers_may_be_negative_but_must_be_numbers) {
  fake_tree tree;
  tree.file("/proc/self/status", "").file("/proc/loadavg", "1.81 1.01 0.79 1/87 1117\n");
  tree.file("/proc/sys/kernel/perf_event_paranoid", "-1\n").file("/proc/sys/vm/max_map_count", "many\n");
  tree.file("/proc/sys/vm/overcommit_memory", "2\n").file("/proc/sys/kernel/pid_max", "99999999999999999999\n");
  const kernel_facts facts = read_kernel(tree.root(), {});
  EXPECT_TRUE(facts.proc);
  EXPECT_DOUBLE_EQ(*facts.load, 1.81);
  EXPECT_EQ(facts.counters_paranoid, -1);
  EXPECT_EQ(facts.overcommit, 2);
  EXPECT_FALSE(facts.mappings || facts.process_numbers);
}

}  // namespace
}  // namespace teff::cli
