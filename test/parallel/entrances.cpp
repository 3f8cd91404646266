// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The entrance behind the default team: threads that are no workers call functions as tasks. Below the public interface, so that
/// the simulator can try it.
#include "scene.h"

#include "runtime/entrance.h"

#include <memory>

namespace TEFF_NAMESPACE::testing_parallel {
namespace {

/// Adds up numbers as tasks of the team.
struct sum {
  unsigned numbers;
  unsigned total = 0;

  static void add(context& here, void* pointer) {
    auto& self = *static_cast<sum*>(pointer);
    self.total = parallel_reduce(here, 0u, self.numbers, 0u, [](unsigned i) { return i; }, std::plus<>());
  }
};

void expect_sums(runtime::entrance& through, unsigned rounds) {
  for (unsigned round = 0; round < rounds; ++round) {
    sum wanted{10 + round};
    through.call(&sum::add, &wanted);
    EXPECT_EQ(wanted.total, wanted.numbers * (wanted.numbers - 1) / 2);
  }
}

class entrances : public ::testing::TestWithParam<std::string> {};

TEST_P(entrances, serve_several_threads_at_once) {
  testing_runtime::on_this_side(7, [&] {
    runtime::entrance open(made(GetParam(), 2));
    foreign_thread first([&] { expect_sums(open, 4); }), second([&] { expect_sums(open, 4); });
    expect_sums(open, 4);
  });
}

TEST_P(entrances, serve_tasks_of_other_teams_which_wait_as_fibers) {
  testing_runtime::on_this_side(6, [&] {
    runtime::entrance open(made(GetParam(), 2));
    team other({.pool = "dq5", .workers = 1});
    event gone_on;
    other.init([&](context& here) {
      task_group both;
      both.put(here, [&] {
        expect_sums(open, 2);
        gone_on.wait();
      });
      both.put(here, [&] { gone_on.set(); });
      both.wait(here);
    });
    other.run();
  });
}

TEST_P(entrances, may_close_without_a_call) {
  testing_runtime::on_this_side(5, [] { runtime::entrance open(made(GetParam(), 2)); });
}

TEST_P(entrances, need_no_memory_for_a_call) {
  testing_runtime::on_this_side(5, [] {
    runtime::entrance open(made(GetParam(), 2));
    bool ran = false;
    testing_runtime::plant({.allocations_until_refusal = 0});
    EXPECT_NO_THROW(open.call([](context&, void* pointer) { *static_cast<bool*>(pointer) = true; }, &ran));
    testing_runtime::plant(testing_runtime::no_faults);
    EXPECT_TRUE(ran);
  });
}

INSTANTIATE_TEST_SUITE_P(catalogue, entrances, ::testing::ValuesIn(pool_names()), [](const auto& each) { return each.param; });

TEST(entrances_without_threads, let_their_callers_run_alone) {
  testing_runtime::on_this_side(4, platform::faults{.threads_until_refusal = 0}, [&] {
    auto alone = made("dq5", 3);
    EXPECT_EQ(alone->workers(), 1u);
    runtime::entrance open(std::move(alone));
    platform::planted_faults() = {};
    foreign_thread other([&] { expect_sums(open, 3); });
    expect_sums(open, 3);
    platform::planted_faults().threads_until_refusal = 0;
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_parallel
