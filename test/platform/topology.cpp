// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/native/processors.h"
#include "platform/native/survey.h"
#include "platform/platform.h"
#include "test/support/fake_tree.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <optional>
#include <sched.h>
#include <set>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace TEFF_NAMESPACE::platform {
namespace {

using numbers = std::vector<unsigned>;

numbers indices(const topology& machine) {
  numbers result;
  for (const processor_place& place : machine.places) result.push_back(place.system_index);
  return result;
}

numbers domains(const topology& machine) {
  numbers result;
  for (const processor_place& place : machine.places) result.push_back(place.part(level::cache));
  return result;
}

TEST(topology, one_processor) {
  const topology machine = arrange_processors({{3, 0, 0, 0}}, std::nullopt);
  EXPECT_EQ(machine.usable_processors, 1U);
  EXPECT_EQ(indices(machine), numbers{3});
  for (const level each : {level::core, level::cache, level::package, level::machine}) EXPECT_EQ(machine.count(each), 1u);
  EXPECT_STREQ(machine.limited_by, "affinity");
}

TEST(topology, quota_limits_the_number_but_not_the_places) {
  const topology machine = arrange_processors({{0, 0, 0, 0}, {1, 1, 0, 0}, {2, 2, 0, 0}}, 2);
  EXPECT_EQ(machine.usable_processors, 2U);
  EXPECT_EQ(machine.places.size(), 3U);
  EXPECT_STREQ(machine.limited_by, "cgroup quota");
}

TEST(topology, quota_that_is_not_smaller_is_not_named) {
  const topology machine = arrange_processors({{0, 0, 0, 0}, {1, 1, 0, 0}}, 2);
  EXPECT_EQ(machine.usable_processors, 2U);
  EXPECT_STREQ(machine.limited_by, "affinity");
}

TEST(topology, consecutive_places_fill_one_cache_then_one_package) {
  // The system numbers processors across the caches: 0 and 4 share cache 0, 1 and 5 cache 1, 2 and 6 cache 2.
  const topology machine =
      arrange_processors({{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 2, 1}, {4, 4, 0, 0}, {5, 5, 1, 0}, {6, 6, 2, 1}}, std::nullopt);
  EXPECT_EQ(indices(machine), (numbers{0, 4, 1, 5, 2, 6}));
  EXPECT_EQ(domains(machine), (numbers{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(nearest_common(machine.places[0], machine.places[1]), level::cache);
  EXPECT_EQ(nearest_common(machine.places[0], machine.places[2]), level::package);
  EXPECT_EQ(nearest_common(machine.places[0], machine.places[4]), level::machine);
  EXPECT_EQ(machine.count(level::core), 6u);
  EXPECT_EQ(machine.count(level::package), 2u);
}

TEST(topology, each_core_gets_one_worker_before_its_second_hardware_thread) {
  const topology machine = arrange_processors({{0, 0, 0, 0}, {1, 0, 0, 0}, {2, 1, 0, 0}, {3, 1, 0, 0}}, std::nullopt);
  EXPECT_EQ(indices(machine), (numbers{0, 2, 1, 3}));
  EXPECT_EQ(nearest_common(machine.places[0], machine.places[2]), level::core);
  EXPECT_EQ(nearest_common(machine.places[0], machine.places[1]), level::cache);
  EXPECT_EQ(machine.count(level::core), 2u);
}

/// Adds a processor's files. Without a cache of the third level if nobody is named who shares it.
void add_processor(testing_support::fake_tree& tree, unsigned number, int package, unsigned core, const std::string& sharers) {
  const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(number);
  tree.file(folder + "/topology/physical_package_id", std::to_string(package) + "\n");
  tree.file(folder + "/topology/core_id", std::to_string(core) + "\n");
  tree.file(folder + "/cache/index0/level", "1\n").file(folder + "/cache/index0/shared_cpu_list", std::to_string(number) + "\n");
  if (sharers.empty()) return;
  tree.file(folder + "/cache/index1/level", "3\n").file(folder + "/cache/index1/shared_cpu_list", sharers + "\n");
}

TEST(topology, files_name_packages_caches_and_cores) {
  testing_support::fake_tree tree;
  add_processor(tree, 0, 0, 0, "0-3");
  add_processor(tree, 1, 0, 0, "0-3");
  add_processor(tree, 5, 0, 2, "4,5");
  add_processor(tree, 9, 1, 2, "8-11");
  numbers cores, caches, packages;
  for (const auto& location : locate_processors({0, 1, 5, 9}, tree.root())) {
    cores.push_back(location.core);
    caches.push_back(location.cache);
    packages.push_back(location.package);
  }
  EXPECT_EQ(cores, (numbers{0, 0, 2, 2}));
  EXPECT_EQ(caches, (numbers{0, 0, 4, 8}));
  EXPECT_EQ(packages, (numbers{0, 0, 0, 1}));
}

TEST(topology, what_processors_share_is_read_for_one_of_them) {
  testing_support::fake_tree tree;
  add_processor(tree, 1, -1, 1, "0,1,3-4");
  tree.file("/sys/devices/system/cpu/cpu1/node6/cpulist", "").file("/sys/devices/system/node/node6/cpulist", "1-3\n");
  std::vector<std::optional<unsigned>> nodes;
  numbers caches, packages;
  for (const auto& location : locate_processors({1, 2, 3, 4}, tree.root())) {
    nodes.push_back(location.memory_node);
    caches.push_back(location.cache);
    packages.push_back(location.package);
  }
  EXPECT_EQ(nodes, (std::vector<std::optional<unsigned>>{6, 6, 6, std::nullopt}));
  EXPECT_EQ(caches, (numbers{0, 6, 0, 0}));
  EXPECT_EQ(packages, (numbers{6, 6, 6, 0}));
}

TEST(topology, packages_stand_in_for_caches_that_the_files_do_not_know) {
  testing_support::fake_tree tree;
  for (const unsigned number : {0u, 1u, 2u, 3u}) add_processor(tree, number, number < 2 ? 0 : 1, number, "");
  const topology machine = arrange_processors(locate_processors({0, 1, 2, 3}, tree.root()), std::nullopt);
  EXPECT_EQ(domains(machine), (numbers{0, 0, 1, 1}));
  EXPECT_EQ(nearest_common(machine.places[0], machine.places[2]), level::machine);
}

TEST(topology, memory_nodes_stand_in_for_packages_that_the_files_do_not_know) {
  testing_support::fake_tree tree;
  for (const unsigned number : {0u, 1u, 2u, 3u}) {
    add_processor(tree, number, -1, number, "");
    tree.file("/sys/devices/system/cpu/cpu" + std::to_string(number) + "/node" + std::to_string(number % 2) + "/cpulist", "");
  }
  const topology machine = arrange_processors(locate_processors({0, 1, 2, 3}, tree.root()), std::nullopt);
  EXPECT_EQ(indices(machine), (numbers{0, 2, 1, 3}));
  EXPECT_EQ(domains(machine), (numbers{0, 0, 1, 1}));
}

TEST(topology, one_domain_if_there_are_no_files) {
  const testing_support::fake_tree tree;
  const topology machine = arrange_processors(locate_processors({5, 9}, tree.root()), std::nullopt);
  EXPECT_EQ(indices(machine), (numbers{5, 9}));
  EXPECT_EQ(domains(machine), (numbers{0, 0}));
}

TEST(topology, files_and_hwloc_count_the_same_packages_and_cores) {
  const machine_shape shape = read_shape();
  std::set<unsigned> packages;
  std::set<std::pair<unsigned, unsigned>> cores;
  for (const auto& location : locate_processors(processors_by_affinity())) {
    packages.insert(location.package);
    cores.emplace(location.package, location.core);
  }
  EXPECT_LE(packages.size(), std::max(1u, std::max(shape.packages, shape.memory_nodes)));
  EXPECT_LE(cores.size(), std::max(1u, shape.cores));
}

TEST(topology, shape_counts_and_names_the_caches) {
  const machine_shape shape = read_shape("pack:2 numa:1 l3:2(size=33554432) l2:4(size=1048576) core:1 pu:2");
  EXPECT_EQ(shape.packages, 2U);
  EXPECT_EQ(shape.memory_nodes, 2U);
  EXPECT_EQ(shape.cores, 16U);
  EXPECT_EQ(shape.processors, 32U);
  ASSERT_EQ(shape.caches.size(), 2U);
  EXPECT_EQ(shape.caches[0].level, 2U);
  EXPECT_EQ(shape.caches[0].processors, 2U);
  EXPECT_EQ(shape.caches[0].count, 16U);
  EXPECT_EQ(shape.caches[1].level, 3U);
  EXPECT_EQ(shape.caches[1].bytes, 32U << 20);
  EXPECT_EQ(shape.caches[1].processors, 8U);
  EXPECT_EQ(shape.caches[1].count, 4U);
}

TEST(topology, shape_of_no_machine_is_unknown) {
  const machine_shape shape = read_shape("no machine");
  EXPECT_EQ(shape.packages + shape.memory_nodes + shape.cores + shape.processors, 0U);
  EXPECT_TRUE(shape.caches.empty());
}

TEST(topology, survey_finds_the_quota_of_a_tree) {
  testing_support::fake_tree tree;
  tree.file("/proc/self/cgroup", "0::/\n").file("/proc/self/mountinfo", "30 23 0:26 / /g rw - cgroup2 cgroup2 rw\n");
  tree.file("/g/cpu.max", "150000 100000\n").file("/g/pids.max", "50\n");
  const survey found = survey_machine(tree.root());
  EXPECT_EQ(found.usable.usable_processors, 1U);
  ASSERT_TRUE(found.quota && found.threads);
  EXPECT_EQ(found.quota->file, "/g/cpu.max");
  EXPECT_EQ(found.threads->text, "50");
  EXPECT_EQ(found.mask, processors_by_affinity());
}

TEST(topology, survey_agrees_with_the_machine) {
  EXPECT_EQ(survey_machine().usable.usable_processors, machine().usable_processors);
  EXPECT_STREQ(survey_machine().usable.limited_by, machine().limited_by);
}

bool bind_to(unsigned processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
}

TEST(topology, affinity_of_the_calling_thread_counts) {
  const numbers before = processors_by_affinity();
  ASSERT_FALSE(before.empty());
  numbers pinned;
  std::thread([&] {
    if (bind_to(before.back())) pinned = processors_by_affinity();
  }).join();
  EXPECT_EQ(pinned, numbers{before.back()});
  EXPECT_EQ(processors_by_affinity(), before);
}

/// In a process of its own, which has asked nothing yet.
TEST(topology, machine_is_as_it_was_when_its_processors_were_counted) {
  const numbers all = processors_by_affinity();
  if (all.size() < 2) GTEST_SKIP() << "one processor is left in any case";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const unsigned counted = usable_processors();
        const bool bound = bind_to(all.back());
        _exit(bound && machine().places.size() == all.size() && machine().usable_processors == counted ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(topology, usable_processors_are_those_of_the_machine) { EXPECT_EQ(usable_processors(), machine().usable_processors); }

TEST(topology, machine_is_consistent_and_read_once) {
  const topology& here = machine();
  EXPECT_EQ(&here, &machine());
  EXPECT_GE(here.usable_processors, 1U);
  EXPECT_LE(here.usable_processors, here.places.size());
  EXPECT_GE(here.count(level::core), here.count(level::cache));
  EXPECT_GE(here.count(level::cache), here.count(level::package));
  for (const processor_place& each : here.places) {
    for (const processor_place& other : here.places) {
      const bool one_cache = each.part(level::cache) == other.part(level::cache);
      EXPECT_EQ(nearest_common(each, other) <= level::cache, one_cache);
      EXPECT_TRUE(!one_cache || each.part(level::package) == other.part(level::package)) << "a cache of two packages";
    }
  }
}

}  // namespace
}  // namespace TEFF_NAMESPACE::platform
