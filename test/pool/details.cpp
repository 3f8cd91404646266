// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a name promises and no other pool does. Each property is asked of all pools; the one that must have it is named.
#include "trial.h"

#include "sim/exhaustive.h"
#include "test/support/sides.h"

#include <numeric>
#include <typeindex>

namespace TEFF_NAMESPACE::pool {
namespace {

using testing_support::memory_runs_out;
using testing_support::on_this_side;
using testing_support::run_on_each;
using names = std::set<std::string>;
using numbers = std::vector<int>;
using trace::counter;

/// Effect: calls question(trial) on a fresh pool in a run of the simulator. Returns: its answer.
template <class Pool, class Question>
bool ask(const settings& set, Question question) {
  bool answer = false;
  on_this_side([&] {
    trial<Pool> tried(set);
    answer = question(tried);
  });
  return answer;
}

names pools_that_any(const any_question& question, const settings& set) {
  return pools_for_which([&]<class Pool>() { return ask<Pool>(set, [&](tried_pool& tried) { return question(tried); }); });
}

template <class Question>
names pools_that(Question question, const settings& set = {}) {
  if constexpr (asks_any_pool<Question>) return pools_that_any(question, set);
  else return pools_for_which([&]<class Pool>() { return ask<Pool>(set, question); });
}

// The two workers are of one domain.
TEST(details, sq1_and_sq2_and_those_of_a_shepherd_are_one_stack) {
  EXPECT_EQ(pools_that([](tried_pool& tried) {
              tried.put_up_to(0, 5);
              return tried.get(1) == 5 && tried.get(0) == 4 && tried.get(1) == 3 && tried.get_all(0) == numbers{2, 1} &&
                     tried.count(counter::steal_attempts) == 0;
            }),
            (names{"sq1", "sq2", "cq", "mts"}));
}

TEST(details, sq2_dq3_and_dq7_are_arrays_of_a_stated_size_and_refuse_nothing) {
  const auto overflows = [](tried_pool& tried) {
    if (tried.statistics().array_bytes == 0) return false;
    tried.put_up_to(0, 16);
    const auto within = tried.statistics().overflows;
    tried.put(0, 17);
    return within == 0 && tried.statistics().overflows == 1 && tried.get_all(0).size() == 17;
  };
  EXPECT_EQ(pools_that(overflows, with({"capacity=16"})), (names{"sq2", "dq3", "dq7"}));
}

TEST(details, those_of_first_come_first_served_suspend_at_once) {
  EXPECT_EQ(pools_for_which([]<class Pool>() { return Pool::traits.suspends_waiters; }),
            (names{"sq3", "sq4", "centralised", "distributed", "hierarchical", "q"}));
}

// The tree is one queue for two workers.
TEST(details, sq3_sq4_and_a_central_run_queue_are_one_line) {
  EXPECT_EQ(pools_that([](tried_pool& tried) {
              tried.put_up_to(0, 5);
              return tried.get(1) == 1 && tried.get(0) == 2 && tried.get_all(1) == numbers{3, 4, 5};
            }),
            (names{"sq3", "sq4", "centralised", "hierarchical"}));
}

TEST(details, dq1_and_dq3_exchange_nothing) {
  EXPECT_EQ(pools_that([](tried_pool& tried) {
              tried.put_up_to(0, 20);
              return tried.get(1) == 0 && tried.count(counter::steal_attempts) == 0 && tried.get_all(0).size() == 20;
            }),
            (names{"dq1", "dq3"}));
}

TEST(details, dq2_and_dq7_steal_what_their_owner_would_run_next) {
  EXPECT_EQ(pools_that([](tried_pool& tried) {
              tried.put_up_to(0, 6);
              return tried.get(1) == 6 && tried.get(0) == 5 && tried.get(1) == 4 && tried.count(counter::steals_got) == 2 &&
                     tried.get_all(0) == numbers{3, 2, 1};
            }),
            (names{"dq2", "dq7"}));
}

TEST(details, dq5_and_dq6_and_ws_steal_the_oldest) {
  EXPECT_EQ(pools_that([](tried_pool& tried) {
              tried.put_up_to(0, 6);
              return tried.get(1) == 1 && tried.get(0) == 6 && tried.get(1) == 2 && tried.count(counter::steals_got) == 2 &&
                     tried.get_all(0) == numbers{5, 4, 3};
            }),
            (names{"dq5", "dq6", "ws"}));
}

TEST(details, dq8_steals_a_whole_public_block_at_once_and_leaves_private_ones) {
  EXPECT_EQ(pools_that(
                [](tried_pool& tried) {
                  tried.put_up_to(0, 10);
                  const numbers stolen = tried.get_all(1), kept = tried.get_all(0);
                  return stolen == numbers{4, 3, 2, 1} && kept == numbers{10, 9, 8, 7, 6, 5} &&
                         tried.count(counter::steals_got) == 1 && tried.count(counter::tasks_stolen) == 4;
                },
                with({"strategy=greedy"})),
            names{"dq8"});
}

TEST(details, sdq1_hands_its_surplus_to_the_centre) {
  EXPECT_EQ(pools_that([](tried_pool& tried) {
              tried.put_up_to(0, 10);
              const numbers taken = tried.get_all(1), kept = tried.get_all(0);
              return taken == numbers{4, 3, 2, 1} && kept == numbers{10, 9, 8, 7, 6, 5} &&
                     tried.count(counter::publications) == 4 && tried.count(counter::steal_attempts) == 0;
            }),
            names{"sdq1"});
}

TEST(details, dq8_publishes_each_full_block_if_it_is_told_nothing) {
  EXPECT_EQ(pools_that([](tried_pool& tried) {
              tried.put_up_to(0, 10);
              const numbers stolen = tried.get_all(1), kept = tried.get_all(0);
              return stolen == numbers{8, 7, 6, 5, 4, 3, 2, 1} && kept == numbers{10, 9} &&
                     tried.count(counter::steals_got) == 2 && tried.count(counter::tasks_stolen) == 8;
            }),
            names{"dq8"});
}

/// What a put answers that comes to lie among private tasks.
advice of_a_private_put(tried_pool& tried) {
  tried.put(0, 1);
  return tried.put(0, 2);
}

TEST(details, private_puts_signal_where_every_put_does) {
  const auto signals = [](tried_pool& tried) { return of_a_private_put(tried) == advice::wake_if_every; };
  const auto silent = [](tried_pool& tried) { return of_a_private_put(tried) == advice::wake_none; };
  const names with_private_blocks{"dq8", "sdq1"};
  const names at_every_put = pools_that(signals, with({"wake=every-put"})), by_default = pools_that(silent);
  EXPECT_TRUE(std::includes(at_every_put.begin(), at_every_put.end(), with_private_blocks.begin(), with_private_blocks.end()));
  EXPECT_TRUE(std::includes(by_default.begin(), by_default.end(), with_private_blocks.begin(), with_private_blocks.end()));
}

TEST(details, only_pools_with_private_blocks_keep_tasks_from_others) {
  EXPECT_EQ(pools_that([](tried_pool& tried) {
              tried.put_up_to(0, 4);
              return tried.get(1) == 0;
            }),
            (names{"dq1", "dq3", "dq8", "sdq1"}));
}

TEST(details, pools_with_private_blocks_share_them_and_call_somebody) {
  EXPECT_EQ(pools_that([](auto& tried) {
              if constexpr (!shares<decltype(tried.tested)>) return false;
              else {
                tried.put_up_to(0, 6);
                const bool advised = tried.tested.share(tried.staff[0]) == advice::wake_one &&
                                     tried.tested.share(tried.staff[0]) == advice::wake_none;
                const int own = tried.get(0);
                tried.put(0, 7);
                const bool again = tried.tested.share(tried.staff[0]) == advice::wake_one;
                tried.put(0, 8);
                const numbers kept = tried.get_all(0), taken = tried.get_all(1);
                return advised && own == 6 && again && kept.size() + taken.size() == 7 && kept.front() == 8 &&
                       tried.count(counter::publications) == 8;
              }
            }),
            (names{"dq8", "sdq1"}));
}

/// Returns: what a worker gets if it asks at once first; `told` counts the answers.
template <class Pool>
numbers get_all_asking_at_once(trial<Pool>& tried, unsigned id, unsigned& told) {
  numbers all;
  for (;;) {
    task next;
    if (tried.tested.get(tried.staff[id], next, reach::own).has_task()) {
      ++told;
      all.push_back(static_cast<int>(number_of(next)));
    } else if (const int number = tried.get(id)) {
      all.push_back(number);
    } else {
      return all;
    }
  }
}

TEST(details, who_tells_at_once_tells_what_get_would_give) {
  const auto agrees = [](auto& tried) {
    using pool_type = std::remove_cvref_t<decltype(tried.tested)>;
    trial<pool_type> twin(with({"block=4"}));
    tried.put_up_to(0, 23);
    twin.put_up_to(0, 23);
    unsigned told = 0;
    const numbers all = get_all_asking_at_once(tried, 0, told);
    if (told == 0) return false;
    EXPECT_EQ(all.size(), 23u);
    EXPECT_EQ(all, twin.get_all(0));
    EXPECT_GE(told, 16u) << "it can tell but at the edges of blocks";
    return true;
  };
  EXPECT_EQ(pools_that(agrees, with({"block=4"})),
            (names{"sq1", "sq2", "dq1", "dq2", "dq3", "dq5", "dq7", "dq8", "sdq1", "cq", "ws", "mts", "teff"}));
}

TEST(details, who_tells_at_once_does_not_look_at_other_workers) {
  const auto tells_of_others = [](auto& tried) {
    task next;
    tried.put_up_to(0, 40);
    const bool told = tried.tested.get(tried.staff[1], next, reach::own).has_task();
    EXPECT_EQ(tried.count(counter::steal_attempts), 0u);
    return told;
  };
  EXPECT_EQ(pools_that(tells_of_others), (names{"sq1", "sq2", "cq", "mts"}));
}

TEST(details, every_pool_leaves_a_refused_task_to_its_caller) {
  const auto refuses = [](tried_pool& tried) {
    const memory_runs_out planted(1);
    std::uintptr_t put = 0;
    while (tried.put(0, put + 1) != advice::refused) ++put;
    const bool unchanged = tried.statistics().peak_live_tasks >= put && tried.put(0, 99) == advice::refused;
    numbers left = tried.get_all(0);
    for (const int others : tried.get_all(1)) left.push_back(others);
    return unchanged && left.size() == put && std::accumulate(left.begin(), left.end(), 0u) == put * (put + 1) / 2;
  };
  EXPECT_EQ(pools_that(refuses), pools_for_which([]<class>() { return true; }));
}

TEST(details, no_two_names_are_the_same_pool) {
  std::set<std::type_index> types;
  std::set<std::string> all_names;
  for_each_pool([&]<class Pool>(const entry& each) {
    EXPECT_TRUE(types.insert(typeid(Pool)).second) << each.name << " is another name's pool";
    EXPECT_TRUE(all_names.insert(each.name).second) << each.name << " is there twice";
  });
}

// --- what overlaps in time ---------------------------------------------------------------------------------------------

/// One call each by two workers, after so many tasks. Returns: whether in some schedule one of them waits for a lock.
template <class Pool, class First, class Second>
bool can_disturb_each_other(unsigned tasks_before, First first, Second second) {
  bool disturbed = false;
  const sim::exploration found = sim::explore({}, [&] {
    trial<Pool> tried{settings{}};
    tried.put_up_to(0, tasks_before);
    run_on_each(2, [&](unsigned me) { me == 0 ? first(tried, me) : second(tried, me); });
    disturbed |= tried.tested.statistics().lock_waits > 0;
  });
  EXPECT_EQ(found.failure, "");
  EXPECT_TRUE(found.complete);
  return disturbed;
}

constexpr auto puts = [](auto& tried, unsigned me) { tried.put(me, 9); };
constexpr auto gets = [](auto& tried, unsigned me) { tried.get(me); };

TEST(details, sq4_puts_and_gets_at_once_and_sq1_never_does) {
  EXPECT_FALSE((can_disturb_each_other<sq4>(1, puts, gets)));
  EXPECT_TRUE((can_disturb_each_other<sq1>(1, puts, gets)));
  // Each end of sq4 is for one at a time.
  EXPECT_TRUE((can_disturb_each_other<sq4>(0, puts, puts)));
  EXPECT_TRUE((can_disturb_each_other<sq4>(2, gets, gets)));
}

TEST(details, sq3_puts_and_gets_at_once_but_for_its_last_tasks) {
  EXPECT_FALSE((can_disturb_each_other<sq3>(3, puts, gets)));
  EXPECT_TRUE((can_disturb_each_other<sq3>(1, puts, gets)));  // sq4's empty node is what spares it that
  EXPECT_TRUE((can_disturb_each_other<sq3>(0, puts, puts)));
}

TEST(details, dq6_gets_at_both_ends_at_once_and_dq5_never_does) {
  // Worker 1 has no task and steals.
  EXPECT_FALSE((can_disturb_each_other<dq6>(5, gets, gets)));
  EXPECT_TRUE((can_disturb_each_other<dq6>(2, gets, gets)));
  EXPECT_TRUE((can_disturb_each_other<dq5>(5, gets, gets)));
}

TEST(details, dq4_takes_its_other_queue_when_one_is_locked) {
  EXPECT_FALSE((can_disturb_each_other<dq4>(2, puts, gets)));
  EXPECT_TRUE((can_disturb_each_other<dq2>(2, puts, gets)));
}

TEST(details, private_blocks_and_private_queues_need_no_lock) {
  EXPECT_FALSE((can_disturb_each_other<dq1>(1, puts, gets)));
  EXPECT_FALSE((can_disturb_each_other<dq8>(1, puts, gets)));
  EXPECT_FALSE((can_disturb_each_other<sdq1>(1, puts, gets)));
  EXPECT_TRUE((can_disturb_each_other<dq2>(1, puts, gets)));
  EXPECT_TRUE((can_disturb_each_other<dq5>(1, puts, gets)));
}

TEST(details, dq8_never_loses_a_private_task_to_a_thief_in_any_schedule) {
  sim::options wanted;
  wanted.preemptions_at_most = 4;
  numbers stolen, kept;
  const auto body = [&] {
    trial<dq8> tried(with({"block=2", "strategy=generous"}));
    tried.put_up_to(0, 4);
    run_on_each(2, [&](unsigned me) {
      if (me == 1) {
        stolen = tried.get_all(1);
        return;
      }
      tried.put(0, 5);
      kept = {tried.get(0), tried.get(0)};
    });
    const numbers left = tried.get_all(0);
    kept.insert(kept.end(), left.begin(), left.end());
  };
  const auto good = [&] {
    // Blocks are (1, 2), (3, 4) and (5): 5 stays private; of the others whole blocks go.
    const bool whole_blocks = stolen == numbers{} || stolen == numbers{2, 1} || stolen == numbers{4, 3} ||
                              stolen == numbers{4, 3, 2, 1} || stolen == numbers{2, 1, 4, 3};
    return whole_blocks && kept.front() == 5 &&
           stolen.size() + static_cast<std::size_t>(std::count_if(kept.begin(), kept.end(), [](int n) { return n != 0; })) == 5;
  };
  const sim::exploration found = sim::explore(wanted, body, good);
  EXPECT_EQ(found.failure, "") << ::testing::PrintToString(stolen) << " stolen, kept " << ::testing::PrintToString(kept);
  EXPECT_TRUE(found.complete);
}

}  // namespace
}  // namespace TEFF_NAMESPACE::pool
