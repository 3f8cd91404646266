// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// worker_local: a value for each worker.
#include "scene.h"

#include <vector>

namespace TEFF_NAMESPACE::testing_parallel {
namespace {

TEST(worker_locals, count_together_what_all_workers_do) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    worker_local<unsigned> calls(0);
    parallel_for(here, 0, 100, [&](context& own, int) { ++calls.local(own); });
    parallel_for(here, 0, 50, [&](int) { ++calls.local(); });
    unsigned sum = 0, workers = 0;
    calls.for_each([&](unsigned each) {
      sum += each;
      ++workers;
    });
    EXPECT_EQ(sum, 150u);
    EXPECT_GE(workers, 1u);
    EXPECT_LE(workers, 8u);
    EXPECT_EQ(calls.combine([](unsigned a, unsigned b) { return a + b; }), 150u);
    calls.clear();
    EXPECT_EQ(calls.combine([](unsigned a, unsigned b) { return a + b; }), 0u);
  });
}

TEST(worker_locals, begin_as_copies) {
  in_a_task({.pool = "dq5", .workers = 2}, few_seeds, [](context& here) {
    worker_local<std::vector<int>> buffers(std::vector<int>{1, 2, 3});
    parallel_for(here, 0, 20, [&](context& own, int) { EXPECT_EQ(buffers.local(own).size(), 3u); });
    worker_local<int> standard;
    EXPECT_EQ(standard.local(here), 0);
  });
}

TEST(worker_locals, belong_to_one_team) {
  testing_runtime::on_this_side(3, [] {
    worker_local<int> shared;
    std::string sentence;
    for (int round = 0; round < 2; ++round) {
      team on({.workers = 1});
      team second({.workers = 1});
      on.init([&](context& here) { ++shared.local(here); });
      on.run();
      second.init([&](context& here) { sentence = sentence_of([&] { shared.local(here); }); });
      second.run();
      EXPECT_NE(sentence.find("second"), std::string::npos);
      shared.clear();
    }
    EXPECT_NE(sentence_of([&] { shared.local(); }).find("task"), std::string::npos);
  });
}

/// Inside, the caller is no task, whatever context it brings along.
TEST(worker_locals, are_refused_inside_a_blocking_call) {
  testing_runtime::on_this_side(4, [] {
    for (const bool had_one : {false, true}) {
      worker_local<int> cells;
      std::string sentence;
      int sum = -1;
      team on({.workers = 1});
      on.init([&](context& here) {
        if (had_one) cells.local(here) = 7;
        sentence = blocking([&] { return sentence_of([&] { cells.local(here); }); });
        sum = cells.combine([](int a, int b) { return a + b; });
      });
      on.run();
      EXPECT_NE(sentence.find("blocking"), std::string::npos) << sentence;
      EXPECT_EQ(sum, had_one ? 7 : 0);
    }
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_parallel
