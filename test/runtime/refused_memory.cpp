// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory that the system refuses: tasks run first, each once, and nothing is lost.
#include "helpers.h"

#include <memory>
#include <new>
#include <tuple>

namespace TEFF_NAMESPACE::testing_runtime {
namespace {

class refused_memory : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  team_options options() const { return {.pool = std::get<0>(GetParam()), .memory = std::get<1>(GetParam()), .workers = 4}; }
};

/// Puts one task of each storage per level; runs are counted by the tokens.
void grow(context& here, census& all, int levels) {
  if (levels == 0) return;
  here.put([&all, levels, held = all.make()](context& child) {
    held.ran();
    grow(child, all, levels - 1);
  });
  here.put([&all, levels, held = all.make(), ballast = std::string(100, 'x'), more = std::vector<char>(9)](context& child) {
    held.ran();
    grow(child, all, levels - 1);
  });
}
constexpr int levels = 5, tasks_below = 62;

/// Returns: the team, or nothing: a pool that allocates at its initialisation may be refused.
std::unique_ptr<team> made(const team_options& wanted) {
  try {
    return std::make_unique<team>(wanted);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

/// Returns: whether the team took it.
bool accepted(team& on, census& all) {
  try {
    on.init([&all, held = all.make()](context& here) { grow(here, all, levels); });
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

/// Effect: runs BODY with a team that may allocate GRANTED times; not at all if its pool needs more than that at its
/// initialisation.
template <class Body>
void on_a_team_granted(std::int64_t granted, const team_options& wanted, const Body& body) {
  on_this_side(4, {.allocations_until_refusal = granted}, [&] {
    census all;
    const auto on = made(wanted);
    if (on != nullptr) body(*on, all);
  });
}

TEST_P(refused_memory, runs_each_task_once) {
  std::uint64_t in_place = 0;
  for (const std::int64_t granted : {0, 1, 2, 3, 4, 5, 6, 8, 11, 15, 20, 30, 50, 100}) {
    on_a_team_granted(granted, options(), [&](team& on, census& all) {
      int initial = 0;
      for (int i = 0; i < 3; ++i) initial += accepted(on, all);
      EXPECT_EQ(all.alive(), initial) << granted;
      on.run();
      EXPECT_EQ(all.runs(), initial * tasks_below) << granted;
      EXPECT_EQ(all.alive(), 0) << granted;
      EXPECT_EQ(on.stats().value("tasks_run"), static_cast<unsigned>(initial * (tasks_below + 1))) << granted;
      in_place += on.stats().value("in_place_for_memory");
    });
    if (HasFailure()) return;
  }
  EXPECT_GT(in_place, 0u);
}

TEST_P(refused_memory, is_counted_and_a_later_run_is_clean) {
  on_a_team_granted(30, options(), [](team& on, census& all) {
    ASSERT_TRUE(accepted(on, all));
    on.run();
    EXPECT_EQ(all.runs(), tasks_below);
    on.run();
    EXPECT_EQ(all.runs(), tasks_below);
  });
}

TEST_P(refused_memory, throws_from_init_and_injector_and_destroys_the_argument) {
  on_a_team_granted(0, options(), [](team& on, census& all) {
    injector from(on);
    EXPECT_THROW(on.init([held = all.make()](context&) { held.ran(); }), std::bad_alloc);
    EXPECT_THROW(from.put([held = all.make()](context&) { held.ran(); }), std::bad_alloc);
    EXPECT_EQ(all.alive(), 0);
  });
}

TEST_P(refused_memory, of_several_together_none_is_put) {
  struct counted {
    census::token held;
    void operator()(context&) const { held.ran(); }
  };
  for (const int granted : {0, 1, 3}) {  // none for the first closure, or a later one, or the pool
    on_a_team_granted(granted, options(), [](team& on, census& all) {
      injector from(on);
      std::vector<counted> together;
      for (int i = 0; i < 3; ++i) together.push_back({all.make()});
      EXPECT_THROW(from.put_all(std::span(together)), std::bad_alloc);
      together.clear();
      EXPECT_EQ(all.alive(), 0);
    });
  }
}

TEST_P(refused_memory, for_the_queue_alone_destroys_the_argument) {
  on_a_team_granted(1, options(), [](team& on, census& all) {
    // The one block that is granted is the closure's, unless the pool needed it for itself.
    EXPECT_THROW(on.init([held = all.make()](context&) { held.ran(); }), std::bad_alloc);
    EXPECT_EQ(all.alive(), 0);
    on.run();
    EXPECT_EQ(all.runs(), 0);
    EXPECT_EQ(on.stats().value("inits"), 0u);
  });
}

TEST_P(refused_memory, in_place_tasks_may_throw) {
  on_a_team_granted(6, options(), [](team& on, census& all) {
    if (!accepted(on, all)) return;
    on.init([&all](context& here) {
      for (int i = 0; i < 20; ++i) {
        here.put([held = all.make()](context&) {
          held.ran();
          throw std::runtime_error("planted");
        });
      }
    });
    EXPECT_THROW(on.run(), std::runtime_error);
    EXPECT_EQ(all.runs(), tasks_below + 20);
    EXPECT_EQ(all.alive(), 0);
    EXPECT_EQ(on.stats().value("exceptions"), 20u);
    EXPECT_GT(on.stats().value("in_place_for_memory"), 0u);
  });
}

TEST_P(refused_memory, lets_a_creator_go_on_that_holds_what_its_tasks_lock) {
  on_a_team_granted(6, options(), [](team& on, census& all) {
    if (!accepted(on, all)) return;
    mutex held;
    int turns = 0;
    const auto take_a_turn = [&held, &turns] {
      held.lock();
      ++turns;
      held.unlock();
    };
    on.init([&](context& here) {
      task_group children;
      held.lock();
      for (int i = 0; i < 20; ++i) {
        here.put([take_a_turn, mine = all.make()](context&) { take_a_turn(); });
        children.put(here, take_a_turn);
      }
      held.unlock();
      children.wait(here);
    });
    on.run();
    EXPECT_EQ(turns, 40);
    EXPECT_EQ(all.alive(), 0);
    EXPECT_GT(on.stats().value("in_place_for_memory"), 0u);
  });
}

INSTANTIATE_TEST_SUITE_P(catalogue, refused_memory,
                         ::testing::Combine(::testing::ValuesIn(pool_names()),
                                            ::testing::Values("bs", "l", "dlf", "dbko", "dgbkof", "clb", "cgbk1")),
                         [](const auto& each) { return std::get<0>(each.param) + "_" + std::get<1>(each.param); });

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_runtime
