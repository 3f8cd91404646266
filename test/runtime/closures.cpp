// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a task may be made of, and that each closure is destroyed once, whatever becomes of its task.
#include "helpers.h"

#include <array>
#include <cstddef>
#include <memory>
#include <stdexcept>

namespace TEFF_NAMESPACE::testing_runtime {
namespace {

/// A closure of at least `Bytes` bytes, whose last byte tells whether it was copied whole.
template <std::size_t Bytes>
struct of_size {
  census::token held;
  std::array<unsigned char, Bytes> bytes;

  explicit of_size(census& all) : held(all.make()) {
    for (std::size_t i = 0; i < Bytes; ++i) bytes[i] = static_cast<unsigned char>(i * 7);
  }
  void operator()(context&) const {
    for (std::size_t i = 0; i < Bytes; ++i) {
      if (bytes[i] != static_cast<unsigned char>(i * 7)) return;
    }
    held.ran();
  }
};

TEST(closures, of_every_size_arrive_whole) {
  for (const std::size_t argument_bytes : {std::size_t{0}, std::size_t{1}, std::size_t{64}, std::size_t{4096}}) {
    on_this_side(2, [argument_bytes] {
      census all;
      team on({.workers = 2, .argument_bytes = argument_bytes});
      on.init([&all](context& here) {
        here.put(of_size<1>(all));
        here.put(of_size<8>(all));
        here.put(of_size<55>(all));
        here.put(of_size<56>(all));
        here.put(of_size<57>(all));
        here.put(of_size<1000>(all));
        here.put(of_size<4088>(all));
        here.put(of_size<10'000>(all));
      });
      on.init(of_size<1000>(all));
      on.run();
      EXPECT_EQ(all.runs(), 9) << "argument blocks of " << argument_bytes;
      EXPECT_EQ(all.alive(), 0);
    });
  }
}

TEST(closures, that_cannot_be_copied_are_moved) {
  on_this_side(2, [] {
    platform::atomic<int> sum{0};
    team on({.workers = 2});
    on.init([number = std::make_unique<int>(40), &sum](context& here) {
      sum.fetch_add(*number, platform::relaxed);
      here.put([more = std::make_unique<int>(2), &sum](context&) { sum.fetch_add(*more, platform::relaxed); });
    });
    on.run();
    EXPECT_EQ(sum.load(platform::acquire), 42);
  });
}

/// Counts its calls in itself: who runs a copy leaves the original alone.
struct counting_itself {
  platform::atomic<int>* most;
  int calls = 0;
  void operator()(context&) { most->store(++calls, platform::relaxed); }
};

void put_one_closure_three_times(context& here, platform::atomic<int>& most) {
  counting_itself closure{&most};
  const counting_itself constant{&most};
  here.put(closure);
  here.put(closure);
  here.put(constant);
  EXPECT_EQ(closure.calls, 0);
}

TEST(closures, that_are_put_by_name_are_copied) {
  on_this_side(2, [] {
    platform::atomic<int> most{0};
    team on({.workers = 2});
    on.init([&](context& here) { put_one_closure_three_times(here, most); });
    on.run();
    EXPECT_EQ(most.load(platform::acquire), 1);
  });
}

TEST(closures, that_are_put_by_name_are_copied_also_without_memory) {
  on_this_side(1, {.allocations_until_refusal = 2}, [] {  // the initial task, and its node
    platform::atomic<int> most{0};
    team on({.pool = "sq1", .workers = 1});
    on.init([&](context& here) {
      for (int i = 0; i < 3; ++i) put_one_closure_three_times(here, most);
    });
    on.run();
    EXPECT_EQ(most.load(platform::acquire), 1);
    EXPECT_GT(on.stats().value("in_place_for_memory"), 0u);
  });
}

void free_function(context& here) {
  if (here.worker_id() > 1000) throw std::logic_error("no such worker");
}

TEST(closures, may_be_functions) {
  on_this_side(1, [] {
    team on({.workers = 1});
    on.init(free_function);
    on.init([](context& here) { here.put(&free_function); });
    on.run();
    EXPECT_EQ(on.stats().value("tasks_run"), 3u);
  });
}

/// Cannot be copied: the attempt throws.
struct uncopyable_at_run_time {
  explicit uncopyable_at_run_time(census& all) : held(all.make()) {}
  uncopyable_at_run_time(const uncopyable_at_run_time& other) : held(other.held) { throw std::runtime_error("no copy"); }
  void operator()(context&) const { held.ran(); }
  census::token held;
  unsigned char ballast[24] = {};
};

TEST(closures, whose_copy_throws_leave_nothing_behind) {
  on_this_side(2, [] {
    census all;
    team on({.workers = 2});
    const uncopyable_at_run_time closure(all);
    EXPECT_THROW(on.init(closure), std::runtime_error);
    on.init([&](context& here) { EXPECT_THROW(here.put(closure), std::runtime_error); });
    on.init([&](context& here) { here.put(closure); });
    EXPECT_THROW(on.run(), std::runtime_error);
    EXPECT_EQ(on.stats().value("tasks_run"), 2u);
    EXPECT_EQ(all.alive(), 1);
    EXPECT_EQ(all.runs(), 0);
  });
}

/// Its second move throws: it gets into memory and not out.
template <std::size_t Ballast>
struct moves_once {
  explicit moves_once(census& all) : held(all.make()) {}
  moves_once(moves_once&& other) : held(other.held), moved(other.moved + 1) {
    if (moved == 2) throw std::runtime_error("moved twice");
  }
  void operator()(context&) const { held.ran(); }
  census::token held;
  int moved = 0;
  std::array<char, Ballast> ballast{};
};

TEST(closures, run_where_they_lie_in_blocks) {
  on_this_side(2, [] {
    census all;
    team on({.workers = 2});
    on.init([&](context& here) { here.put(moves_once<1>(all)); });
    on.run();
    EXPECT_EQ(all.runs(), 1);
    EXPECT_EQ(all.alive(), 0);
  });
}

TEST(closures, whose_move_throws_are_an_exception_of_their_task) {
  on_this_side(2, [] {
    census all;
    team on({.workers = 2});
    on.init([&](context& here) { here.put(moves_once<100>(all)); });
    EXPECT_THROW(on.run(), std::runtime_error);
    EXPECT_EQ(on.stats().value("exceptions"), 1u);
    EXPECT_EQ(on.stats().value("tasks_run"), 2u);
    EXPECT_EQ(all.alive(), 0);
  });
}

/// Throws when it is destroyed; not if it was moved from.
template <std::size_t Ballast>
struct throws_at_the_end {
  explicit throws_at_the_end(census& all) : held(all.make()) {}
  throws_at_the_end(throws_at_the_end&& other) noexcept : held(other.held) { other.moved_from = true; }
  ~throws_at_the_end() noexcept(false) {
    if (!moved_from) throw std::runtime_error("planted");
  }
  void operator()(context&) const { held.ran(); }
  census::token held;
  bool moved_from = false;
  std::array<char, Ballast> ballast{};
};

TEST(closures, whose_destructor_throws_are_an_exception_of_their_task) {
  on_this_side(2, [] {
    census all;
    team on({.workers = 2});
    on.init([&](context& here) {
      for (int i = 0; i < 3; ++i) here.put(throws_at_the_end<1>(all));
      here.put(throws_at_the_end<100>(all));
    });
    EXPECT_THROW(on.run(), std::runtime_error);
    EXPECT_EQ(on.stats().value("exceptions"), 4u);
    EXPECT_EQ(all.runs(), 4);
    EXPECT_EQ(all.alive(), 0);
  });
}

class closures_in : public ::testing::TestWithParam<std::string> {};

/// Puts a small and a large closure per level, some of which throw.
void grow_and_throw(context& here, census& all, int levels) {
  if (levels == 0) return;
  here.put([&all, levels, held = all.make()](context& child) {
    held.ran();
    grow_and_throw(child, all, levels - 1);
    if (levels == 2) throw std::runtime_error("planted");
  });
  here.put([&all, levels, held = all.make(), ballast = std::array<char, 200>{}](context& child) {
    held.ran();
    grow_and_throw(child, all, levels - 1 - ballast[0]);
  });
}

TEST_P(closures_in, are_destroyed_once_when_they_ran) {
  on_this_side(4, [&] {
    census all;
    team on({.pool = GetParam(), .workers = 4});
    on.init([&all, held = all.make()](context& here) { grow_and_throw(here, all, 5); });
    EXPECT_THROW(on.run(), std::runtime_error);
    EXPECT_EQ(all.runs(), 62);
    EXPECT_EQ(all.alive(), 0);
  });
}

TEST_P(closures_in, are_destroyed_once_when_the_team_goes_before_they_ran) {
  on_this_side(4, [&] {
    census all;
    {
      team on({.pool = GetParam(), .workers = 4});
      for (int i = 0; i < 10; ++i) {
        on.init([held = all.make()](context&) { held.ran(); });
        on.init([held = all.make(), ballast = std::array<char, 200>{}](context&) { held.ran(), static_cast<void>(ballast); });
      }
      injector from(on);
      for (int i = 0; i < 10; ++i) from.put([held = all.make()](context&) { held.ran(); });
      EXPECT_EQ(all.alive(), 30);
    }
    EXPECT_EQ(all.alive(), 0);
    EXPECT_EQ(all.runs(), 0);
  });
}

INSTANTIATE_TEST_SUITE_P(catalogue, closures_in, ::testing::ValuesIn(pool_names()), [](const auto& each) { return each.param; });

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_runtime
