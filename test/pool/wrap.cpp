// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the decorators of pools say and do: around a good pool, and around pools that are wrong on purpose.
#include "trial.h"

#include "pool/wrap/checking.h"
#include "pool/wrap/counting.h"
#include "pool/wrap/faulty.h"
#include "pool/wrap/tracing.h"
#include "test/support/sides.h"

#include <algorithm>
#include <string>

namespace TEFF_NAMESPACE::pool::wrap {
namespace {

using testing_support::on_this_side;
using testing_support::run_on_each;

static_assert(task_pool<counting<sq1>> && task_pool<tracing<sq1>> && task_pool<checking<sq1>> && task_pool<faulty<sq1>>);
static_assert(task_pool<counting<tracing<checking<faulty<dq8>>>>>);

static_assert(closes<counting<dq8>> && !closes<counting<dq1>> && closes<checking<dq1>>, "only what is there is forwarded");
static_assert(is_forwarded_by<counting<sq4>, sq4> && is_forwarded_by<tracing<dq8>, dq8>);
static_assert(is_forwarded_by<checking<counting<default_pool>>, default_pool> &&
              is_forwarded_by<faulty<default_pool>, default_pool>);

/// Workers, memory and a pool that is given instruments.
template <class Pool>
class workbench {
 public:
  explicit workbench(const instruments& with, unsigned workers = 2)
      : staff(workers),
        places_(std::vector<unsigned>(workers, 0)),
        memory_(new mem::manager<mem::dlf>(workers, {.block_bytes = {256, 64, 16}})),
        tested(environment{workers, memory_, set_, places_}, with) {}
  ~workbench() {
    for (unsigned id = 0; id < staff.size(); ++id) {
      while (get(id) != 0) {
      }
    }
    if constexpr (closes<Pool>) tested.close(staff[0]);
  }

  advice put(unsigned id, std::uintptr_t number) { return tested.put(staff[id], numbered(number)); }
  advice inject(std::uintptr_t number) {
    const task ready = numbered(number);
    return tested.inject(std::span<const task>(&ready, 1));
  }
  int get(unsigned id) {
    task taken;
    for (;;) {
      const get_result found = tested.get(staff[id], taken, reach::whole);
      if (found.what != get_result::retry) return found.has_task() ? static_cast<int>(number_of(taken)) : 0;
    }
  }
  /// Returns: what one worker gets, until nothing is left.
  std::vector<int> get_all(unsigned id) {
    std::vector<int> numbers;
    while (const int number = get(id)) numbers.push_back(number);
    return numbers;
  }
  bool take_back(unsigned id, std::uintptr_t number) {
    task taken;
    return tested.take(staff[id], exactly{numbered(number)}, taken, reach::own).has_task();
  }

  crew staff;

 private:
  const settings set_;
  const worker_places places_;
  mem::memory memory_;

 public:
  Pool tested;
};

// --- counting --------------------------------------------------------------------------------------------------------------

TEST(counting, knows_every_operation_and_answer) {
  on_this_side([] {
    tally numbers;
    {
      workbench<counting<dq5>> bench({.numbers = &numbers});
      EXPECT_EQ(bench.tested.init(bench.staff[0], numbered(1)), advice::wake_one);
      bench.put(0, 2);
      bench.put(1, 3);
      bench.inject(4);
      EXPECT_EQ(numbers.add_up(4), "");
      EXPECT_TRUE(bench.take_back(0, 2));
      EXPECT_FALSE(bench.take_back(0, 2));
      task out;
      const auto is_four = [](const task& each) { return number_of(each) == 4; };
      EXPECT_EQ(bench.tested.take(bench.staff[1], is_four, out, reach::whole), get_result::got);
      EXPECT_EQ(bench.get(1), 3);
      EXPECT_EQ(numbers.add_up(1), "");
      EXPECT_EQ(numbers.add_up(2), "the pool accepted 4 tasks, but 3 were taken and 2 are left");
      EXPECT_EQ(bench.get(0), 1);
    }
    // They outlive the pool; its end looked once more for each worker.
    EXPECT_EQ(numbers.value(operation::init, answer::wake_one), 1u);
    EXPECT_EQ(numbers.value(operation::put, answer::wake_if_every), 1u);
    EXPECT_EQ(numbers.value(operation::put, answer::wake_one), 1u);
    EXPECT_EQ(numbers.value(operation::inject, answer::wake_one), 1u);
    EXPECT_EQ(numbers.value(operation::take, answer::got), 2u);
    EXPECT_EQ(numbers.value(operation::take, answer::empty), 1u);
    EXPECT_EQ(numbers.value(operation::get, answer::got), 2u);
    EXPECT_EQ(numbers.value(operation::get, answer::empty), 2u);
    EXPECT_EQ(numbers.calls(operation::get), 4u);
    EXPECT_EQ(numbers.add_up(0), "");
  });
}

TEST(counting, is_exact_when_all_workers_and_outsiders_count_at_once) {
  on_this_side([] {
    constexpr unsigned workers = 3, outsiders = 2, each_does = 200;
    tally numbers;
    {
      workbench<counting<sq1>> bench({.numbers = &numbers}, workers);
      run_on_each(workers + outsiders, [&](unsigned me) {
        for (unsigned i = 0; i < each_does; ++i) {
          if (me >= workers) bench.inject(7);
          else if (i % 2 == 0) bench.put(me, 8);
          else bench.get(me);
        }
      });
    }
    EXPECT_EQ(numbers.calls(operation::inject), outsiders * each_does);
    EXPECT_EQ(numbers.calls(operation::put), workers * each_does / 2);
    EXPECT_EQ(numbers.add_up(0), "");
  });
}

// --- tracing ---------------------------------------------------------------------------------------------------------------

TEST(tracing, shows_operations_in_order_of_time) {
  on_this_side([] {
    event_log events;
    workbench<tracing<sq4>> bench({.events = &events});
    bench.put(0, 0x11);
    bench.inject(0x12);
    EXPECT_EQ(bench.get(1), 0x11);
    EXPECT_FALSE(bench.take_back(0, 0x13));
    const auto all = events.in_order();
    ASSERT_EQ(all.size(), 4u);
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end(), [](const event& a, const event& b) { return a.time_ns < b.time_ns; }));
    EXPECT_EQ(events.dropped(), 0u);
    const std::string text = events.text();
    std::size_t at = 0;
    for (const char* word : {"worker 0", "put", "wake_one", "0x11", "outside", "inject", "0x12", "worker 1", "get", "got", "0x11",
                             "take", "empty"}) {
      at = text.find(word, at);
      ASSERT_NE(at, std::string::npos) << word << " is not in its place in\n" << text;
    }
  });
}

TEST(tracing, keeps_the_last_events_and_says_how_many_it_dropped) {
  on_this_side([] {
    event_log events(4);
    workbench<tracing<sq4>> bench({.events = &events});
    for (std::uintptr_t number = 1; number <= 7; ++number) bench.put(0, number);
    EXPECT_EQ(bench.get(1), 1);
    EXPECT_EQ(events.dropped(), 3u);
    std::vector<std::uintptr_t> numbers;
    for (const event& each : events.in_order()) numbers.push_back(reinterpret_cast<std::uintptr_t>(each.argument));
    EXPECT_EQ(numbers, (std::vector<std::uintptr_t>{4, 5, 6, 7, 1}));
    EXPECT_NE(events.text().find("3 older events were dropped"), std::string::npos);
  });
}

// --- checking --------------------------------------------------------------------------------------------------------------

/// Answers what it is told to.
class puppet {
 public:
  explicit puppet(const environment&) {}
  static constexpr pool_traits traits{.uses = {}};

  advice init(worker& first, task ready) { return put(first, ready); }
  advice put(worker& current, task) {
    if (reenter) reenter(current);
    return advised;
  }
  advice inject(std::span<const task>) { return advised; }
  get_result get(worker&, task& next, reach) {
    if (gives.entry == nullptr) return get_result::empty;
    next = gives;
    return get_result::got;
  }
  template <class Predicate>
  get_result take(worker&, Predicate, task& taken, reach) {
    taken = gives;
    return get_result::of(gives.entry != nullptr);
  }
  pool_statistics statistics() const { return {}; }
  void reset_statistics() {}

  inline static task gives{};
  inline static advice advised = advice::wake_one;
  inline static std::function<void(worker&)> reenter{};
};

class checking_finds : public ::testing::Test {
 protected:
  checking_finds() {
    puppet::gives = {};
    puppet::advised = advice::wake_one;
    puppet::reenter = nullptr;
  }

  /// Effect: plays with a puppet. Expects: the first violation.
  static void expect(const std::string& first, unsigned workers, const std::function<void(checking<puppet>&, crew&)>& play) {
    on_this_side([&] {
      violations found;
      crew staff(workers);
      const settings set;
      const worker_places domains(std::vector<unsigned>(workers, 0));
      mem::memory memory(new mem::manager<mem::dlf>(workers, {}));
      checking<puppet> tested(environment{workers, memory, set, domains}, {.found = &found});
      play(tested, staff);
      EXPECT_EQ(found.first(), first);
      EXPECT_EQ(found.count(), first.empty() ? 0u : 1u);
    });
  }
};

TEST_F(checking_finds, nothing_in_a_good_pool) {
  for (const unsigned workers : {1u, 3u}) {
    on_this_side([&] {
      violations found;
      {
        workbench<checking<dq8>> bench({.found = &found}, workers);
        run_on_each(workers, [&](unsigned me) {
          for (std::uintptr_t i = 1; i <= 30; ++i) {
            bench.put(me, i);
            if (i % 3 == 0) bench.get(me);
            if (i % 7 == 0) bench.take_back(me, i);
          }
        });
        EXPECT_GT(bench.tested.tasks_inside(), 0u);
      }
      EXPECT_EQ(found.first(), "");
    });
  }
}

TEST_F(checking_finds, a_task_that_was_never_inside_or_comes_twice) {
  expect("get by worker 1 gave the task with argument 0x5, which is not inside", 2, [](auto& tested, crew& staff) {
    task out;
    tested.put(staff[0], puppet::gives = numbered(5));
    EXPECT_EQ(tested.get(staff[0], out, reach::whole), get_result::got);
    EXPECT_EQ(tested.get(staff[1], out, reach::whole), get_result::got);
  });
}

TEST_F(checking_finds, a_taken_task_that_is_not_inside) {
  expect("take by worker 0 gave the task with argument 0x6, which is not inside", 1, [](auto& tested, crew& staff) {
    task out;
    puppet::gives = numbered(6);
    tested.take(staff[0], exactly{numbered(6)}, out, reach::own);
  });
}

TEST_F(checking_finds, a_taken_task_that_is_not_wanted) {
  expect("take by worker 0 gave the task with argument 0x7, which was not wanted", 1, [](auto& tested, crew& staff) {
    task out;
    tested.put(staff[0], puppet::gives = numbered(7));
    tested.take(staff[0], [](const task&) { return false; }, out, reach::whole);
  });
}

TEST_F(checking_finds, a_worker_in_two_operations_at_once) {
  expect("get by worker 0, who is inside another operation", 1, [](auto& tested, crew& staff) {
    puppet::reenter = [&](worker& current) {
      task out;
      tested.get(current, out, reach::whole);
    };
    tested.put(staff[0], numbered(8));
  });
}

TEST_F(checking_finds, a_worker_of_another_team) {
  expect("put by worker 2 of a team of 2", 2, [](auto& tested, crew&) {
    crew larger(3);
    EXPECT_EQ(tested.put(larger[2], numbered(1)), advice::refused);
  });
}

TEST_F(checking_finds, a_task_that_is_left_at_the_end) {
  expect("1 tasks are left at close", 1, [](auto& tested, crew& staff) {
    tested.put(staff[0], numbered(9));
    tested.close(staff[0]);
  });
}

TEST_F(checking_finds, an_operation_after_the_end) {
  expect("get by worker 0 after close", 1, [](auto& tested, crew& staff) {
    task out;
    tested.close(staff[0]);
    tested.get(staff[0], out, reach::whole);
  });
}

TEST_F(checking_finds, empty_answered_to_the_only_user) {
  expect("get answered empty to worker 1, who alone uses the pool", 2, [](auto& tested, crew& staff) {
    task out;
    tested.put(staff[1], numbered(10));
    tested.get(staff[1], out, reach::whole);
  });
}

TEST_F(checking_finds, nothing_if_another_worker_may_have_moved_the_task) {
  expect("", 2, [](auto& tested, crew& staff) {
    task out;
    tested.put(staff[1], numbered(10));
    tested.get(staff[0], out, reach::whole);
    tested.get(staff[1], out, reach::whole);
  });
}

TEST_F(checking_finds, nothing_wrong_in_a_refusal) {
  expect("", 1, [](auto& tested, crew& staff) {
    task out;
    puppet::advised = advice::refused;
    EXPECT_EQ(tested.put(staff[0], numbered(11)), advice::refused);
    EXPECT_EQ(tested.tasks_inside(), 0u);
    EXPECT_EQ(tested.get(staff[0], out, reach::whole), get_result::empty);
    tested.close(staff[0]);
  });
}

// --- faulty ----------------------------------------------------------------------------------------------------------------

/// Returns: what one worker gets of the tasks 1 … 6 that it put.
std::vector<int> passed_through(fault planted) {
  std::vector<int> got;
  on_this_side([&] {
    workbench<faulty<sq4>> bench({.planted = &planted}, 1);
    for (std::uintptr_t number = 1; number <= 6; ++number) bench.put(0, number);
    got = bench.get_all(0);
  });
  return got;
}

TEST(faulty, strikes_at_every_so_many_operations) {
  using enum fault::kind;
  using numbers = std::vector<int>;
  EXPECT_EQ(passed_through({refuses, 3}), (numbers{1, 2, 4, 5}));
  EXPECT_EQ(passed_through({loses, 2}), (numbers{1, 3, 5}));
  EXPECT_EQ(passed_through({doubles, 3}), (numbers{1, 2, 3, 3, 4, 5, 6, 6}));
  EXPECT_EQ(passed_through({reorders, 1}), (numbers{2, 1, 4, 3, 6, 5}));
  for (const fault::kind none : {retries, wakes_too_much, forgets_to_wake}) {
    EXPECT_EQ(passed_through({none, 2}), (numbers{1, 2, 3, 4, 5, 6})) << name_of(none);
  }
  for (const fault::kind each : {refuses, retries, wakes_too_much, loses, doubles, reorders, forgets_to_wake}) {
    EXPECT_EQ(passed_through({each, 0}), (numbers{1, 2, 3, 4, 5, 6})) << name_of(each);
  }
}

TEST(faulty, retries_and_changes_advice) {
  on_this_side([] {
    task out;
    const fault retrying{fault::kind::retries, 2}, waking{fault::kind::wakes_too_much, 1},
        silent{fault::kind::forgets_to_wake, 1};
    workbench<faulty<sq4>> one({.planted = &retrying}), two({.planted = &waking}), three({.planted = &silent});
    EXPECT_EQ(one.tested.get(one.staff[0], out, reach::whole), get_result::empty);
    EXPECT_EQ(one.tested.get(one.staff[0], out, reach::whole), get_result::retry);
    EXPECT_EQ(two.put(0, 1), advice::wake_all);
    EXPECT_EQ(two.tested.get(two.staff[0], out, reach::whole), get_result(get_result::got, advice::wake_one));
    EXPECT_EQ(three.put(0, 1), advice::wake_none);
  });
}

TEST(faulty, strikes_nothing_where_nothing_is_injected) {
  on_this_side([] {
    for (const fault::kind each : {fault::kind::loses, fault::kind::doubles, fault::kind::wakes_too_much}) {
      const fault planted{each, 1};
      workbench<faulty<sq4>> bench({.planted = &planted}, 1);
      EXPECT_EQ(bench.tested.inject({}), advice::wake_one) << name_of(each) << ", as the pool says";
      EXPECT_EQ(bench.get(0), 0);
    }
  });
}

TEST(faulty, finds_what_it_holds_back) {
  on_this_side([] {
    const fault planted{fault::kind::reorders, 1};
    workbench<faulty<sq4>> bench({.planted = &planted}, 1);
    bench.put(0, 1);
    bench.put(0, 2);
    EXPECT_EQ(bench.get(0), 2);
    EXPECT_TRUE(bench.take_back(0, 1));
    EXPECT_FALSE(bench.take_back(0, 1));
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::pool::wrap
