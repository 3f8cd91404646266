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

#ifdef TEFF_SIMULATED

struct declared {
  std::uint64_t lines = 0, from_memory = 0, far = 0, time_ns = 0;
};

/// Returns: what a run declares on a small machine of two domains with caches of stated capacity.
declared run_declared(workload& some, const std::string& pool, unsigned workers, bool states = true) {
  sim::options options;
  options.processors_at_most = 8;
  options.machine.level[0].width = 4;
  options.machine.level[0].memory = 200;
  options.machine.level[1].memory = 400;
  options.machine.own_cache_kib = states ? 2 : 0;
  options.machine.domain_cache_kib = 8;
  options.machine.domain_hit = 40;
  options.machine.domain_next_line = 4;
  options.machine.memory_next_line = 20;
  options.machine.memory_occupancy = 5;
  declared told;
  some.prepare(1, workers);
  const sim::outcome outcome = sim::simulate(options, [&] {
    some.touch_input();
    team made({.pool = pool, .workers = workers});
    made.reset_stats();
    some.tasks(made);
    const statistics seen = made.stats();
    told.from_memory = seen.value("lines_from_memory");
    told.far = seen.value("lines_from_far_memory");
    told.lines =
        told.from_memory + seen.value("lines_from_own") + seen.value("lines_from_domain") + seen.value("lines_from_others");
  });
  EXPECT_TRUE(outcome.ok()) << outcome.report;
  EXPECT_EQ(some.verify(), "");
  told.time_ns = outcome.time_ns;
  return told;
}

/// What tasks touch follows from the algorithm, whoever runs them.
TEST(task_suite, declares_the_same_memory_in_every_schedule) {
  for (const char* name : suite) {
    SCOPED_TRACE(name);
    const auto some = make_workload(name);
    ASSERT_EQ(some->choose_size("tiny"), "");
    const declared alone = run_declared(*some, "dq5", 1);
    EXPECT_GT(alone.lines, 0u);
    EXPECT_EQ(alone.far, 0u) << "made by the first worker's thread, and used by it";
    const declared again = run_declared(*some, "dq5", 1);
    EXPECT_EQ(again.time_ns, alone.time_ns) << "whatever the host's heap looks like by now";
    EXPECT_EQ(again.from_memory, alone.from_memory);
    EXPECT_EQ(run_declared(*some, "dq5", 1, false).lines, 0u);
    for (const char* const pool : {"mts", "ws", "cq", "teff"}) {
      const declared eight = run_declared(*some, pool, 8);
      if (is_search(name)) continue;
      EXPECT_EQ(eight.lines, alone.lines) << pool;
    }
  }
}

/// Counted by hand.
TEST(task_suite, declares_what_the_algorithms_touch) {
  const auto lines = [](const char* name, const char* size) {
    const auto some = make_workload(name);
    EXPECT_EQ(some->choose_size(size), "");
    return run_declared(*some, "dq5", 2).lines;
  };
  // One part of 512 bytes, sorted in place.
  EXPECT_EQ(lines("sort", "n=64,threshold=64"), 8u);
  // Two factors and the result of 8 × 8 numbers each: 512 bytes, eight lines.
  EXPECT_EQ(lines("strassen", "n=8,base=8"), 24u);
  // 16 × 16: factors 2 · 32 lines and eight sums of 8; seven products of three parts, of which the quarters of the factors and of
  // the result have rows of 64 bytes, a line each; three products and the result.
  EXPECT_EQ(lines("strassen", "n=16,base=8"), 64u + 64 + 7 * 24 + 24 + 32);
  // Blocks of 16 × 16 floats, 16 lines: two of the diagonal, two beside and below, one product.
  EXPECT_EQ(lines("sparselu", "n=2,m=16"), 2u * 16 + 2 * 32 + 48);
  // Eight numbers of 16 bytes that are read one by one, in two lines of output.
  EXPECT_EQ(lines("fft", "n=8,threshold=8"), 8u + 2);
}

#endif

}  // namespace
}  // namespace TEFF_NAMESPACE::apps
