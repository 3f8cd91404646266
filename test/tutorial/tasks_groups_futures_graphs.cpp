// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The pieces of code of docs/howto/tasks-groups-futures-graphs.md, as they stand there, from a thread that is no worker.
/// snippets.py cuts them out of the page.
#include "platform/platform.h"
#include "teff/teff.hpp"

#include <gtest/gtest.h>
#include <cstddef>
#include <string>
#include <vector>

namespace {

namespace platform = teff::platform;

struct document {
  std::size_t size = 0;
  platform::atomic<int> times_read{0};
};

struct tree {
  std::vector<tree> children = {};
};

platform::atomic<int> counted{0};

void read(document& which) { which.times_read.fetch_add(1, platform::relaxed); }
void count(tree&) { counted.fetch_add(1, platform::relaxed); }

std::size_t total(const std::vector<document>& of) {
  std::size_t sum = 0;
  for (const document& each : of) sum += each.size;
  return sum;
}

std::vector<document> files_for_test() { return std::vector<document>(20); }

void expect_each_read_once(const std::vector<document>& files) {
  for (const document& each : files) EXPECT_EQ(each.times_read.load(platform::relaxed), 1);
}

#include "a_group_2.inc"

TEST(tasks_groups_futures_graphs, a_group) {
  std::vector<document> files = files_for_test();
#include "a_group_1.inc"
  expect_each_read_once(files);
}

TEST(tasks_groups_futures_graphs, a_group_that_grows) {
  tree root{.children = std::vector<tree>(3, tree{.children = std::vector<tree>(4)})};
  counted.store(0, platform::relaxed);
#include "a_group_3.inc"
  EXPECT_EQ(counted.load(platform::relaxed), 16);
}

TEST(tasks_groups_futures_graphs, a_group_that_is_cancelled) {
  std::vector<document> files = files_for_test();
  files[13].size = 7;
  document* found = nullptr;
  const auto matches = [](const document& file) { return file.size == 7; };
#include "a_group_4.inc"
  EXPECT_EQ(found, &files[13]);
  EXPECT_FALSE(search.is_cancelled());
}

TEST(tasks_groups_futures_graphs, a_future) {
  std::vector<document> files = files_for_test();
  files[3].size = 4;
  files[5].size = 5;
  int reports = 0;
  const auto report = [&] { ++reports; };
#include "a_future_1.inc"
  EXPECT_EQ(bytes, 9u);
  EXPECT_EQ(reports, 1);
  EXPECT_FALSE(size.valid());
}

TEST(tasks_groups_futures_graphs, a_graph) {
  std::string order;  // the dependences leave only one
  int input = 0;
  const auto read = [&](int&) { order += 'r'; };
  const auto check_types = [&](int&) { order += 'c'; };
  const auto write = [&](int&) { order += 'w'; };
#include "a_graph_1.inc"
  EXPECT_EQ(order, "rcwrcw");
}

TEST(tasks_groups_futures_graphs, tasks_that_nobody_waits_for) {
  std::vector<document> files = files_for_test();
#include "tasks_that_nobody_waits_for_1.inc"
  expect_each_read_once(files);
}

TEST(tasks_groups_futures_graphs, from_outside) {
  std::vector<document> files = files_for_test();
#include "from_outside_1.inc"
  expect_each_read_once(files);
}

}  // namespace
