// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the workloads of the task suite have in common (apps/in_tasks.h).
#include "apps/alignment/alignment.h"
#include "apps/fft/fft.h"
#include "apps/floorplan/floorplan.h"
#include "apps/health/health.h"
#include "apps/in_tasks.h"
#include "apps/knapsack/knapsack.h"
#include "apps/sort/sort.h"
#include "apps/sparselu/sparselu.h"
#include "apps/strassen/strassen.h"
#include "helpers.h"

namespace TEFF_NAMESPACE::apps {
namespace {

constexpr const char* suite[] = {"alignment", "health", "sort", "sparselu", "strassen", "fft", "floorplan", "knapsack"};

bool is_search(const std::string& name) { return name == "floorplan" || name == "knapsack"; }

void expect_right(const std::string& name, workload& some, const std::string& pool, unsigned workers) {
  some.prepare(1, workers);
  on_this_side(workers, [&] {
    team made({.pool = pool, .workers = workers});
    some.tasks(made);
  });
  EXPECT_EQ(some.verify(), "") << pool << " on " << workers;
  if (is_search(name)) {
    ASSERT_EQ(some.metrics().size(), 2u);
    EXPECT_GE(some.metrics()[0].value.value(), 1.0);
  }
}

TEST(task_suite, is_right_on_every_pool) {
  for (const char* name : suite) {
    const auto some = make_workload(name);
    ASSERT_EQ(some->choose_size("tiny"), "");
    for (const catalogue_line& each : list_pools()) {
      for (const unsigned workers : {1u, 2u, 3u, 8u}) expect_right(name, *some, each.name, workers);
    }
  }
}

TEST(task_suite, has_as_many_tasks_as_the_serial_version_has_calls) {
  for (const char* size : {"", "by=for", "cutoff=manual"}) {
    for (const char* name : suite) {
      const auto some = make_workload(name);
      ASSERT_EQ(some->choose_size("tiny"), "");
      if (is_search(name) || (*size != '\0' && some->choose_size(size) != "")) continue;
      expect_both_versions_right(*some, some->size(), "teff", 3);
      expect_both_versions_right(*some, some->size(), "sq4", 2);
    }
  }
}

/// The cut-off of size tiny leaves no level out: of these it does.
TEST(task_suite, a_cut_off_leaves_tasks_out) {
  expect_both_versions_right(*make_workload("strassen"), "n=32,base=4,cutoff=manual", "teff", 3);
  expect_both_versions_right(*make_workload("health"), "levels=4,cities=3,steps=4,cutoff=manual", "teff", 3);
}

/// Searches run as many tasks as it happens: in order, on one worker, always as many.
TEST(task_suite, searches_are_right_with_a_cut_off_and_by_calls) {
  for (const char* name : {"floorplan", "knapsack"}) {
    const auto some = make_workload(name);
    ASSERT_EQ(some->choose_size("n=7,cutoff=manual"), "");
    for (const unsigned workers : {1u, 4u}) expect_right(name, *some, "teff", workers);
    some->prepare(1, 1);
    on_this_side(1, [&] { some->serial(); });
    EXPECT_EQ(some->verify(), "");
  }
}

TEST(task_suite, a_run_that_did_nothing_is_wrong) {
  for (const char* name : suite) {
    const auto some = make_workload(name);
    ASSERT_EQ(some->choose_size("tiny"), "");
    some->prepare(1, 1);
    EXPECT_NE(some->verify(), "") << name;
  }
}

TEST(task_suite, sizes_say_what_they_are) {
  for (const char* name : suite) {
    const auto some = make_workload(name);
    for (const named_size& each : list_sizes(name)) {
      EXPECT_EQ(some->choose_size(each.name), "") << name;
      EXPECT_EQ(some->size(), each.text) << name;
      EXPECT_EQ(some->choose_size(some->size()), "") << name;
    }
    EXPECT_NE(some->choose_size("n=x"), "") << name;
  }
}

TEST(task_suite, numbers_that_do_not_fit_are_refused) {
  const auto refused = [](const char* name, const char* size, const char* part) {
    const auto some = make_workload(name);
    const std::string before = some->size(), sentence = some->choose_size(size);
    EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
    EXPECT_EQ(some->size(), before);
  };
  refused("strassen", "n=100", "size key n cannot be '100', which is no power of two; allowed: 1, 2, 4 ... 16384");
  refused("sparselu", "n=400,m=1000", "which are too many rows; allowed: n times m is 1 ... 40000");
  refused("fft", "n=48", "size key n cannot be '48', which is no power of two");
  refused("sort", "threshold=3", "threshold cannot be '3'");
  refused("alignment", "n=1", "n cannot be '1'");
  refused("sparselu", "by=double", "double");
  refused("floorplan", "n=21", "allowed: whole numbers 1 ... 20");
  refused("knapsack", "cutoff=automatic", "automatic");
}

TEST(task_suite, the_seed_decides_the_input) {
  for (const char* name : suite) {
    if (is_search(name)) continue;
    const auto some = make_workload(name);
    ASSERT_EQ(some->choose_size("tiny"), "");
    some->prepare(1, 1);
    on_this_side(1, [&] { some->serial(); });
    EXPECT_EQ(some->verify(), "");
    some->prepare(2, 1);
    EXPECT_NE(some->verify(), "") << name;
    on_this_side(1, [&] { some->serial(); });
    EXPECT_EQ(some->verify(), "") << name;
  }
}

TEST(fingerprints, differ_where_a_byte_does) {
  unsigned char bytes[19] = {};
  const std::uint64_t before = fingerprint(bytes, sizeof bytes);
  for (unsigned char& each : bytes) {
    each = 1;
    EXPECT_NE(fingerprint(bytes, sizeof bytes), before);
    each = 0;
  }
  EXPECT_NE(fingerprint(bytes, sizeof bytes - 1), before);
}

}  // namespace
}  // namespace TEFF_NAMESPACE::apps
