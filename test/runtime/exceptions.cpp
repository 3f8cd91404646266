// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Exceptions that leave tasks: the first is rethrown by run, and nothing else is disturbed.
#include "helpers.h"

#include <stdexcept>

namespace TEFF_NAMESPACE::testing_runtime {
namespace {

/// Returns: what the exception that run throws says; empty if it throws none.
std::string message_of_run(team& on) {
  try {
    on.run();
  } catch (const std::exception& thrown) {
    return thrown.what();
  }
  return {};
}

TEST(exceptions, the_first_in_time_is_rethrown_whoever_ran_it) {
  on_this_side(2, [] {
    team on({.pool = "dq1", .workers = 2});  // each worker runs its own initial task
    platform::atomic<std::uint32_t> thrown{0};
    on.init([&](context&) {  // worker 0
      platform::spin_until(thrown, [](std::uint32_t is) { return is == 1; }, "the other task's exception");
      throw std::runtime_error("later");
    });
    on.init([](context&) { throw std::runtime_error("first"); });  // worker 1
    foreign_thread signal([&] {
      injector keeps_it_open(on);
      while (on.stats().value("exceptions") == 0) platform::pause();
      thrown.store(1, platform::release);
    });
    EXPECT_EQ(message_of_run(on), "first");
  });
}

TEST(exceptions, stop_nothing_and_the_next_run_is_clean) {
  on_this_side(4, [] {
    team on({.workers = 4});
    tree tasks(6);
    for (int i = 0; i < 8; ++i) on.init([i](context&) { throw std::runtime_error("planted " + std::to_string(i)); });
    tasks.start(on);
    EXPECT_EQ(message_of_run(on).substr(0, 8), "planted ");
    EXPECT_EQ(on.stats().value("exceptions"), 8u);
    EXPECT_EQ(tasks.first_not_run(1), 0u);
    tasks.start(on);
    EXPECT_EQ(message_of_run(on), "");
    EXPECT_EQ(tasks.first_not_run(2), 0u);
  });
}

TEST(exceptions, may_be_of_any_type) {
  on_this_side(1, [] {
    team on({.workers = 1});
    on.init([](context&) { throw 42; });
    EXPECT_THROW(on.run(), int);
  });
}

TEST(exceptions, from_injected_tasks_are_rethrown) {
  on_this_side(2, [] {
    team on({.workers = 2});
    {
      injector from(on);
      from.put([](context&) { throw std::runtime_error("injected"); });
    }
    EXPECT_EQ(message_of_run(on), "injected");
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_runtime
