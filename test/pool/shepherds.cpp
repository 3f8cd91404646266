// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the schedulers of Olivier et al. (2012) do that no other pool does, detail by detail, and how they are the same where
/// they should be. docs/design/shepherds.md has the details.
#include "trial.h"

#include "runtime/make_team.h"
#include "sim/exhaustive.h"
#include "sim/sim.h"
#include "teff/task.hpp"
#include "teff/teff.hpp"
#include "test/support/sides.h"
#include "worker/loop.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace TEFF_NAMESPACE::pool {
namespace {

using parts::shared_by;
using parts::shepherd_rules;
using testing_support::on_this_side;
using testing_support::run_on_each;
using names = std::set<std::string>;
using numbers = std::vector<int>;
using trace::counter;

const std::vector<unsigned> two_by_two{0, 0, 1, 1};

/// Effect: calls question(trial) on a fresh pool of four workers in two domains. Returns: its answer.
template <class Pool, class Question>
bool ask_four(Question question, const std::vector<std::string>& texts = {}, const std::vector<unsigned>& domains = two_by_two) {
  bool answer = false;
  on_this_side([&] {
    trial<Pool> tried(with(texts), domains, 1);
    answer = question(tried);
    for (unsigned id = 0; id < tried.staff.size(); ++id) tried.get_all(id);
  });
  return answer;
}

names pools_of_four_that(const any_question& question, const std::vector<std::string>& texts = {}) {
  return pools_for_which([&]<class Pool>() { return ask_four<Pool>([&](tried_pool& tried) { return question(tried); }, texts); });
}

// --- what a name promises ------------------------------------------------------------------------------------------------

TEST(shepherds, q_places_in_turn_and_gives_the_oldest) {
  EXPECT_EQ(pools_of_four_that([](tried_pool& tried) {
              tried.put_up_to(0, 8);
              return tried.get_all(1) == numbers{1, 5} && tried.get_all(3) == numbers{3, 7} &&
                     tried.get_all(0) == numbers{4, 8} && tried.get_all(2) == numbers{2, 6} &&
                     tried.count(counter::steal_attempts) == 0;
            }),
            names{"q"});
}

TEST(shepherds, l_places_in_turn_and_gives_the_newest) {
  EXPECT_EQ(pools_of_four_that([](tried_pool& tried) {
              tried.put_up_to(0, 8);
              return tried.get_all(1) == numbers{5, 1} && tried.get_all(3) == numbers{7, 3} &&
                     tried.get_all(0) == numbers{8, 4} && tried.get_all(2) == numbers{6, 2} &&
                     tried.count(counter::steal_attempts) == 0;
            }),
            names{"l"});
}

constexpr auto calls_its_domain_first = [](tried_pool& tried) {
  return tried.put(0, 1) == advice::near(advice::wake_one, 0, 2) && tried.put(2, 2) == advice::near(advice::wake_if_every, 2, 4);
};

TEST(shepherds, cq_is_one_stack_whose_puts_call_the_own_domain_first) {
  EXPECT_EQ(pools_of_four_that([](tried_pool& tried) {
              const bool calls = calls_its_domain_first(tried);
              tried.put_up_to(3, 3);
              return calls && tried.get(1) == 3 && tried.get(2) == 2 && tried.get_all(0) == numbers{1, 2, 1};
            }),
            names{"cq"});
}

TEST(shepherds, ws_steals_from_everybody_and_keeps_the_order_of_a_chunk) {
  EXPECT_EQ(pools_of_four_that(
                [](tried_pool& tried) {
                  tried.put_up_to(0, 6);
                  return tried.get(1) == 1 && tried.get(0) == 6 && tried.get_all(1) == numbers{3, 2, 4, 5} &&
                         tried.count(counter::victim_locks) == 2;
                },
                {"steal=3"}),
            names{"ws"});
  EXPECT_TRUE(ask_four<ws>([](tried_pool& tried) {
    tried.put_up_to(0, 4);
    return tried.get(2) == 1 && tried.count(counter::tasks_stolen) == 1;
  })) << "one, if it is not told otherwise";
}

constexpr auto steals_for_its_domain = [](tried_pool& tried) {
  tried.put_up_to(0, 6);
  const bool shares = tried.get(1) == 6 && tried.count(counter::steal_attempts) == 0;
  // A chunk for two: the oldest, and the next one for the other worker of the domain, who is called.
  const bool brings = tried.get(2) == 1 && tried.last() == get_result{get_result::got, advice::near(advice::wake_one, 2, 4)} &&
                      tried.count(counter::steals_got) == 1 && tried.count(counter::tasks_stolen) == 2;
  return shares && brings && tried.get(3) == 2 && tried.count(counter::steals_got) == 1 && tried.get(3) == 3;
};

TEST(shepherds, mts_steals_between_domains_for_all_of_its_own) {
  EXPECT_EQ(pools_of_four_that(steals_for_its_domain), names{"mts"});
}

TEST(shepherds, a_chunk_is_what_steal_says) {
  for (const auto& [text, tasks] : {std::pair("1", 1u), {"5", 5u}, {"40", 12u}, {"1/3", 4u}, {"workers", 2u}}) {
    EXPECT_TRUE(ask_four<mts>(
        [&](auto& tried) {
          tried.put_up_to(1, 12);
          return tried.get(2) == 1 && tried.count(counter::tasks_stolen) == tasks && tried.count(counter::victim_locks) == 1;
        },
        {std::string("steal=") + text}))
        << text;
  }
}

/// Returns: how often each queue was the first to be robbed, in 240 runs, by a thief that all three others have something for.
template <class Pool>
std::map<std::string, unsigned> first_victims(const std::vector<std::string>& texts) {
  std::map<std::string, unsigned> first;
  for (std::uint64_t seed = 1; seed <= 240; ++seed) {
    on_this_side([&] {
      trial<Pool> tried(with(texts), {0, 1, 2, 3}, seed * 97);
      for (unsigned id = 0; id < 3; ++id) tried.put(id, id + 1);
      ++first[std::to_string(tried.get(3))];
      for (unsigned id = 0; id < 4; ++id) tried.get_all(id);
    });
  }
  return first;
}

/// 240 runs would give each of three victims 80, and 120, 60 and 60 where one is twice as likely as the others.
template <class Pool>
void expect_anybody_alike(const std::vector<std::string>& texts) {
  const auto first = first_victims<Pool>(texts);
  EXPECT_EQ(first.size(), 3u);
  for (const auto& [victim, times] : first) EXPECT_TRUE(times >= 65 && times <= 95) << times << " times " << victim;
}

TEST(shepherds, thieves_begin_with_anybody_if_they_are_not_told_otherwise) {
  for (const auto& texts : {std::vector<std::string>{}, {"victims=random"}}) {
    expect_anybody_alike<ws>(texts);
    expect_anybody_alike<mts>(texts);
  }
  EXPECT_EQ(first_victims<dq5>({}).size(), 1u);
  for (const char* order : {"victims=nearest", "victims=linear"}) {
    EXPECT_EQ(first_victims<ws>({order}).size(), 1u) << order;
    EXPECT_EQ(first_victims<mts>({order}).size(), 1u) << order;
  }
}

TEST(shepherds, all_of_the_domain_are_called_for_a_chunk_of_several) {
  EXPECT_TRUE(ask_four<mts>(
      [](auto& tried) {
        tried.put_up_to(0, 6);
        return tried.get(3) == 1 && tried.last().advised == advice(advice::wake_all, 2, 5);
      },
      {}, {0, 0, 1, 1, 1}));
}

TEST(shepherds, whom_a_put_in_turn_names_is_who_gets_it) {
  const auto names_whom = [](auto& tried) {
    bool right = true;
    for (unsigned turn = 0; turn < 8; ++turn) {
      const advice advised = tried.put(1, turn + 1);
      const unsigned whom = (2 + turn) % 4;
      right &= advised == advice(advice::wake_one, whom, whom + 1) && tried.get(whom) == static_cast<int>(turn) + 1;
    }
    return right;
  };
  EXPECT_TRUE(ask_four<q>(names_whom));
  EXPECT_TRUE(ask_four<l>(names_whom));
}

template <class Pool>
void expect_even_placement() {
  for (const unsigned workers : {1u, 3u, 5u}) {
    for (const unsigned tasks : {1u, 7u, 8u, 30u}) {
      on_this_side([&] {
        trial<Pool> tried(settings{}, workers);
        tried.put_up_to(workers - 1, tasks);
        for (unsigned id = 0; id < workers; ++id) {
          const std::size_t got = tried.get_all(id).size();
          EXPECT_TRUE(got == tasks / workers || got == (tasks + workers - 1) / workers)
              << got << " of " << tasks << " on " << workers;
        }
      });
    }
  }
}

TEST(shepherds, in_turn_each_worker_gets_as_many_as_the_others_but_for_one) {
  expect_even_placement<q>();
  expect_even_placement<l>();
}

TEST(shepherds, what_a_kept_worker_has_others_get) {
  const auto is_for_others = [](auto& tried) {
    tried.put_up_to(0, 4);
    bool right = tried.get(1) == 1 && tried.get(1) == 0;
    right &= tried.tested.share(tried.staff[2]) == advice::wake_all && tried.get(1) == 2;
    right &= tried.put(1, 5) == advice::wake_all && tried.get(3) != 0;
    tried.get_all(2);  // it looks again
    return right && tried.put(1, 6) != advice::wake_all;
  };
  EXPECT_TRUE(ask_four<q>(is_for_others));
  EXPECT_TRUE(ask_four<l>(is_for_others));
}

TEST(shepherds, of_a_kept_worker_others_are_called_once_and_for_each_put_to_it) {
  const auto calls = [](auto& tried) {
    tried.put_up_to(1, 4);  // one for each
    bool right = tried.tested.share(tried.staff[2]) == advice::wake_all;
    right &= tried.tested.share(tried.staff[2]) == advice::wake_none;
    right &= tried.put(1, 5) == advice::wake_all && tried.put(1, 6) == advice(advice::wake_one, 3, 4);
    tried.get(2);
    right &= tried.tested.share(tried.staff[2]) == advice::wake_all;
    tried.get_all(2);
    return right && tried.tested.share(tried.staff[2]) == advice::wake_none;
  };
  EXPECT_TRUE(ask_four<q>(calls));
  EXPECT_TRUE(ask_four<l>(calls));
}

/// The queue of `l`, which counts how often somebody takes its lock to look for a task.
struct counts_takes : queue::locked<noted> {
  using queue::locked<noted>::locked;
  template <class Predicate>
  bool take_if(worker& current, Predicate wanted, task& taken) {
    ++takes;
    return queue::locked<noted>::take_if(current, wanted, taken);
  }
  using queue::locked<noted>::take_if;
  static inline unsigned takes = 0;
};

TEST(shepherds, of_a_kept_worker_that_has_nothing_no_lock_is_taken) {
  using counted = shepherds<shared_by::worker, placement::in_turn, counts_takes>;
  counts_takes::takes = 0;
  EXPECT_TRUE(ask_four<counted>([](auto& tried) {
    tried.tested.share(tried.staff[2]);
    const bool nothing = tried.get(1) == 0 && tried.get(3) == 0 && counts_takes::takes == 0;
    tried.put(1, 5);
    return nothing && tried.get(3) == 5 && counts_takes::takes == 1;
  }));
}

template <class Pool>
bool take(trial<Pool>& tried, unsigned id, std::uintptr_t number) {
  task taken;
  const auto is_it = [=](const task& each) { return number_of(each) == number; };
  return tried.tested.take(tried.staff[id], is_it, taken, reach::whole).has_task();
}

/// Returns: how much memory there is after so many tasks that were put and taken behind one that stays.
std::uint64_t bytes_after_takes(std::uintptr_t count, unsigned who) {
  std::uint64_t bytes = 0;
  on_this_side([&] {
    trial<q> tried(settings{}, {0, 0}, 1);
    tried.put_up_to(0, 2);
    for (std::uintptr_t number = 3; number <= count; ++number) {
      tried.put(who, number);  // as the manager keeps what is freed for who frees it
      EXPECT_TRUE(take(tried, who, number));
    }
    EXPECT_EQ(tried.get_all(1), numbers{1});
    EXPECT_EQ(tried.get_all(0), numbers{2});
    bytes = tried.peak_bytes();
  });
  return bytes;
}

TEST(shepherds, a_queue_of_q_from_which_waits_take_does_not_grow) {
  for (const unsigned who : {0u, 1u}) EXPECT_EQ(bytes_after_takes(200, who), bytes_after_takes(20'000, who));
}

TEST(shepherds, a_queue_of_q_keeps_its_order_when_tasks_are_taken_out_of_its_middle) {
  for (unsigned step = 2; step < 9; ++step) {
    on_this_side([&] {
      trial<q> tried(settings{}, 1);
      numbers left;
      tried.put_up_to(0, 100);
      for (int number = 1; number <= 60; ++number) {
        if (number % step == 0) left.push_back(number);
        else EXPECT_TRUE(take(tried, 0, static_cast<std::uintptr_t>(number)));
      }
      for (int number = 100; number > 60; --number) EXPECT_TRUE(take(tried, 0, static_cast<std::uintptr_t>(number)));
      tried.put(0, 101);
      left.push_back(101);
      EXPECT_EQ(tried.get_all(0), left) << step;
    });
  }
}

/// One more take makes the nodes without a task too many, while the owner removes, another one takes and one puts.
TEST(shepherds, of_q_each_task_is_had_once_while_nodes_are_unlinked) {
  sim::options wanted;
  wanted.preemptions_at_most = 2;
  const sim::exploration found = sim::explore(wanted, [&] {
    trial<q> tried(settings{}, {0, 0, 0}, 1);
    for (std::uintptr_t number = 1; number <= 12 * 3; ++number) tried.put(2, number);  // the first goes to worker 0
    for (std::uintptr_t each = 1; each < 11; ++each) EXPECT_TRUE(take(tried, 1, 1 + 3 * each));
    // Of worker 0 there are 1 and 34 yet.
    int had[3] = {};
    run_on_each(3, [&](unsigned me) {
      if (me == 0) had[0] = tried.get(0);
      if (me == 1) had[1] = take(tried, 1, 34) ? 34 : 0;
      if (me == 2) tried.put(2, 37), had[2] = take(tried, 2, 1) ? 1 : 0;
    });
    numbers all{had[0], had[1], had[2]};
    for (const int each : tried.get_all(0)) all.push_back(each);
    std::sort(all.begin(), all.end());
    all.erase(all.begin(), std::find_if(all.begin(), all.end(), [](int each) { return each != 0; }));
    EXPECT_EQ(all, (numbers{1, 34, 37}));
  });
  EXPECT_EQ(found.failure, "");
}

// --- waits that are tied ---------------------------------------------------------------------------------------------------

/// Two workers' tasks in the queues of four. Worker 0 waits for the last eight that it has put.
template <class Pool>
class among_others {
 public:
  explicit among_others(std::uintptr_t others) : tried_(settings{}, {0, 0, 0, 0}, 1, true) {
    put(1, others);
    for (std::uintptr_t each = 0; each < children; ++each) tried_.put(0, first_child + each);
    put(1, others);
  }

  /// Returns: 0 if it finds none.
  int take_child(reach how) {
    task taken;
    const auto is_child = [&](const task& each) {
      ++looked_at_;
      return number_of(each) >= first_child;
    };
    return tried_.tested.take(tried_.staff[0], is_child, taken, how).has_task() ? static_cast<int>(number_of(taken)) : 0;
  }
  /// Effect: looks until it has all of them. Returns: how many tasks it looked at.
  unsigned take_children(reach how) {
    for (std::uintptr_t had = 0; had < children;) had += take_child(how) != 0 ? 1 : 0;
    return looked_at_;
  }
  unsigned looked_at() const { return looked_at_; }

  static constexpr std::uintptr_t children = 8, first_child = 1'000'000;

 private:
  void put(unsigned id, std::uintptr_t others) {
    for (std::uintptr_t number = 1; number <= others; ++number) tried_.put(id, number);
  }

  trial<Pool> tried_;
  unsigned looked_at_ = 0;
};

struct notes_nothing : shepherd_rules {
  static constexpr bool notes_puts = false;
};
template <class Rules>
using q_by = shepherds<shared_by::worker, placement::in_turn, queue::lock_free_fifo, Rules>;
template <class Rules>
using l_by = shepherds<shared_by::worker, placement::in_turn, queue::locked<noted>, Rules>;

/// Returns: how many tasks a wait for eight children looks at, in passing.
template <class Pool>
unsigned looked_at_by_a_wait(std::uintptr_t others) {
  unsigned seen = 0;
  on_this_side([&] { seen = among_others<Pool>(others).take_children(reach::passing); });
  return seen;
}

TEST(shepherds, a_tied_wait_looks_at_its_own_children_alone_however_many_others_lie_there) {
  for (const std::uintptr_t others : {0u, 40u, 4'000u}) {
    EXPECT_EQ(looked_at_by_a_wait<q>(others), 8u) << others;
    EXPECT_EQ(looked_at_by_a_wait<l>(others), 8u) << others;
  }
  EXPECT_GT(looked_at_by_a_wait<q_by<notes_nothing>>(4'000), 4'000u);
  EXPECT_GT(looked_at_by_a_wait<l_by<notes_nothing>>(4'000), 4'000u);
}

TEST(shepherds, a_tied_wait_takes_its_children_the_newest_first) {
  on_this_side([] {
    among_others<q> of_q(10);
    among_others<l> of_l(10);
    for (int each = 7; each >= 0; --each) {
      EXPECT_EQ(of_q.take_child(reach::passing), 1'000'000 + each);
      EXPECT_EQ(of_l.take_child(reach::force), 1'000'000 + each);
    }
    EXPECT_EQ(of_q.take_child(reach::force), 0);
    EXPECT_EQ(of_l.take_child(reach::force), 0);
  });
}

/// What there is no note of: a look in passing goes through a few tasks, one that may miss none through all.
template <class Pool>
void expect_looks_of_each_kind() {
  on_this_side([] {
    among_others<Pool> tried(1'000);
    EXPECT_EQ(tried.take_child(reach::passing), 0);
    const unsigned few = tried.looked_at();
    EXPECT_LE(few, 4 * tuning::newest_per_look);
    EXPECT_EQ(tried.take_child(reach::passing), 0);
    EXPECT_EQ(tried.looked_at() - few, 2 * few) << "after one in vain";
    EXPECT_NE(tried.take_child(reach::whole), 0);
    EXPECT_NE(tried.take_child(reach::force), 0);
  });
}

TEST(shepherds, looks_in_passing_keep_off_what_lies_deep_and_go_further_each_time) {
  expect_looks_of_each_kind<q_by<notes_nothing>>();
  expect_looks_of_each_kind<l_by<notes_nothing>>();
}

/// Notes are as many as there is room for, and there is room again: also while the newest task, or the oldest one, stays.
template <class Pool>
void expect_room_for_notes() {
  on_this_side([] {
    trial<Pool> tried(settings{}, {0, 0}, 1, true);
    const auto put = 3 * std::uintptr_t{tuning::notes_at_most};
    unsigned looked_at = 0;
    const auto take = [&](std::uintptr_t number) {
      const auto is_it = [&](const task& each) { return ++looked_at, number_of(each) == number; };
      task taken;
      return tried.tested.take(tried.staff[0], is_it, taken, reach::passing).has_task();
    };
    for (std::uintptr_t number = 1; number <= put; ++number) {
      tried.put(0, number);
      if (number > 4) tried.get(number % 2 == 0 ? 1 : 0);  // the oldest of q, the newest but one of l
    }
    tried.put(0, put + 1);
    looked_at = 0;
    EXPECT_TRUE(take(put + 1));
    EXPECT_EQ(looked_at, 1u);
    while (tried.get(0) != 0 || tried.get(1) != 0) continue;
    for (std::uintptr_t number = 1; number <= put; ++number) tried.put(0, number);
    looked_at = 0;
    EXPECT_TRUE(take(tuning::notes_at_most)) << "the newest with a note";
    EXPECT_EQ(looked_at, 1u);
    while (!take(put)) continue;  // one without
  });
}

TEST(shepherds, there_are_notes_as_long_as_there_is_room) {
  expect_room_for_notes<q>();
  expect_room_for_notes<l>();
}

/// A worker takes what it has put, where it lies, while its owner removes that, a third worker takes it, and others come and go.
template <class Pool>
void expect_that_each_is_had_once() {
  sim::options wanted;
  wanted.preemptions_at_most = 2;
  const sim::exploration found = sim::explore(wanted, [&] {
    trial<Pool> tried(settings{}, {0, 0, 0}, 1, true);
    for (std::uintptr_t number = 1; number <= 6; ++number) tried.put(2, number);  // 1 and 4 go to worker 0
    int had[4] = {};
    const auto take = [&](unsigned me, std::uintptr_t number) {
      task taken;
      const auto is_it = [=](const task& each) { return number_of(each) == number; };
      return tried.tested.take(tried.staff[me], is_it, taken, reach::force).has_task() ? static_cast<int>(number) : 0;
    };
    run_on_each(3, [&](unsigned me) {
      if (me == 0) had[0] = tried.get(0);
      if (me == 1) had[1] = take(1, 4);
      if (me == 2) had[2] = take(2, 4), tried.put(2, 7), had[3] = take(2, 1);
    });
    numbers all(had, had + 4);
    for (const unsigned each : {0u, 1u, 2u})
      for (const int number : tried.get_all(each)) all.push_back(number);
    std::sort(all.begin(), all.end());
    all.erase(all.begin(), std::find_if(all.begin(), all.end(), [](int each) { return each != 0; }));
    EXPECT_EQ(all, (numbers{1, 2, 3, 4, 5, 6, 7}));
  });
  EXPECT_EQ(found.failure, "");
  EXPECT_TRUE(found.complete);
}

TEST(shepherds, each_task_is_had_once_though_its_putter_knows_where_it_lies) {
  expect_that_each_is_had_once<q>();
  expect_that_each_is_had_once<l>();
}

TEST(shepherds, a_wait_reaches_others_queues_only_if_it_cannot_be_set_aside) {
  const auto stays_at_home = [](auto& tried) {
    tried.put_up_to(0, 6);
    task taken;
    const auto is_first = [](const task& each) { return number_of(each) == 1; };
    const bool at_home = tried.tested.take(tried.staff[2], is_first, taken, reach::own).has_task();
    const bool anywhere = tried.tested.take(tried.staff[2], is_first, taken, reach::whole).has_task();
    return !at_home && anywhere && tried.count(counter::reached_by_waits) == 1 && tried.count(counter::steal_attempts) == 0;
  };
  for (const bool right :
       {ask_four<q>(stays_at_home), ask_four<l>(stays_at_home), ask_four<ws>(stays_at_home), ask_four<mts>(stays_at_home)})
    EXPECT_TRUE(right);
  EXPECT_EQ(pools_for_which([]<class Pool>() { return Pool::traits.waits_at_home; }), (names{"teff", "q", "l", "cq", "ws", "mts"}));
}

// --- locks and the gate --------------------------------------------------------------------------------------------------

constexpr auto spares_the_locks_of_the_empty = [](tried_pool& tried) {
  for (unsigned id = 0; id < 4; ++id) tried.get(id);
  return tried.count(counter::steal_attempts) > 0 && tried.count(counter::victim_locks) == 0;
};

TEST(shepherds, no_lock_is_taken_of_a_queue_that_shows_nothing) {
  EXPECT_TRUE(ask_four<ws>(spares_the_locks_of_the_empty));
  EXPECT_TRUE(ask_four<mts>(spares_the_locks_of_the_empty));
}

/// Two workers of a domain look for tasks at once, while another domain has some. Returns: how often at most one of them stole.
template <class Pool>
std::uint64_t most_steals_of_two(bool& had_to_look_again) {
  std::uint64_t most = 0;
  sim::options wanted;
  wanted.preemptions_at_most = 3;
  const sim::exploration found = sim::explore(wanted, [&] {
    trial<Pool> tried(with({"steal=2"}), two_by_two, 1);
    tried.put_up_to(0, 4);
    get_result seen[2] = {get_result::empty, get_result::empty};
    run_on_each(2, [&](unsigned me) {
      task next;
      seen[me] = tried.tested.get(tried.staff[2 + me], next, reach::whole);
    });
    for (const get_result& each : seen) had_to_look_again |= each.what == get_result::retry;
    most = std::max(most, tried.count(counter::steals_got));
    EXPECT_EQ(tried.count(counter::victim_locks), tried.count(counter::steals_got) + tried.count(counter::steals_lost));
  });
  EXPECT_EQ(found.failure, "");
  return most;
}

template <class Rules>
using mts_by = shepherds<shared_by::domain, placement::own, queue::locked<loose>, Rules>;

struct has_no_gate : shepherd_rules {
  static constexpr bool has_gate = false;
};
struct keeps_gate_while_task_runs : shepherd_rules {
  static constexpr bool opens_gate_before_task = false;
};
struct locks_before_it_looks : shepherd_rules {
  static constexpr bool probes_first = false;
};
struct takes_one_by_one : shepherd_rules {
  static constexpr bool takes_chunk_at_once = false;
};
struct counts_domains_only : shepherd_rules {
  static constexpr bool goes_by_domains = false;
};
struct calls_anybody : shepherd_rules {
  static constexpr bool calls_near_first = false;
};

TEST(shepherds, of_a_domain_one_steals_at_a_time_and_the_others_look_again) {
  bool had_to_look_again = false;
  EXPECT_EQ(most_steals_of_two<mts>(had_to_look_again), 1u);
  EXPECT_TRUE(had_to_look_again);
  EXPECT_EQ(most_steals_of_two<mts_by<has_no_gate>>(had_to_look_again), 2u);
}

constexpr auto next_one_steals_while_a_task_runs = [](tried_pool& tried) {
  tried.put_up_to(0, 6);
  return tried.get(2) == 1 && tried.get(3) == 2 && tried.get(3) == 3;
};

constexpr auto calls_ones_domain_first = [](tried_pool& tried) { return tried.put(2, 1) == advice::near(advice::wake_one, 2, 4); };

constexpr auto takes_one_lock_for_three = [](tried_pool& tried) {
  tried.put_up_to(0, 6);
  return tried.get(2) == 1 && tried.count(counter::tasks_stolen) == 3 && tried.count(counter::victim_locks) == 1;
};

TEST(shepherd_mutants, are_found) {
  EXPECT_TRUE(ask_four<mts>(next_one_steals_while_a_task_runs));
  EXPECT_FALSE(ask_four<mts_by<keeps_gate_while_task_runs>>(next_one_steals_while_a_task_runs));
  EXPECT_FALSE(ask_four<mts_by<locks_before_it_looks>>(spares_the_locks_of_the_empty));
  EXPECT_TRUE(ask_four<mts>(takes_one_lock_for_three, {"steal=3"}));
  EXPECT_FALSE(ask_four<mts_by<takes_one_by_one>>(takes_one_lock_for_three, {"steal=3"}));
  EXPECT_FALSE(ask_four<mts_by<counts_domains_only>>(steals_for_its_domain));
  EXPECT_TRUE(ask_four<mts>(calls_ones_domain_first));
  EXPECT_FALSE(ask_four<mts_by<calls_anybody>>(calls_ones_domain_first));
}

// --- runs ----------------------------------------------------------------------------------------------------------------

template <class Pool>
std::unique_ptr<workers::team_of<Pool>> team_on(unsigned count, const std::vector<std::string>& texts, std::uint64_t seed = 1) {
  const workers::team_shape shape{.workers = count, .seed = seed, .pin = {}, .argument_bytes = 64, .wake = {}, .wait = {}};
  return std::make_unique<workers::team_of<Pool>>(
      shape, with(texts), [](unsigned real, std::size_t bytes) { return runtime::make_memory("dlf", real, bytes, 64); },
      [](const environment& from) { return Pool(from); });
}

std::uint64_t mixed(std::uint64_t x) {
  x = (x + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// Tasks of up to four children each, that take some time.
void irregular(context& here, std::uint64_t id, int depth) {
  this_task::charge(200 + mixed(id) % 1'800);
  if (depth == 0) return;
  for (std::uint64_t child = 0; child < mixed(id ^ 77) % 5; ++child)
    here.put([=](context& next) { irregular(next, id * 5 + child + 1, depth - 1); });
}
/// Calls that wait for theirs.
void calls(context& here, int n) {
  this_task::charge(100);
  if (n < 2) return;
  task_group both;
  both.put(here, [=](context& next) { calls(next, n - 1); });
  both.put(here, [=](context& next) { calls(next, n - 2); });
  both.wait(here);
}
/// A village whose hospital waits for those of the six below it; what it does then takes some time.
void village(context& here, std::uint64_t id, int level) {
  if (level > 0) {
    task_group below;
    for (std::uint64_t each = 1; each <= 6; ++each)
      below.put(here, [=](context& next) { village(next, id * 7 + each, level - 1); });
    below.wait(here);
  }
  this_task::charge(300 + mixed(id) % 3'000);
}
void flat(context& here) {
  for (int each = 0; each < 300; ++each) here.put([each](context&) { this_task::charge(500 + each % 7 * 300); });
}

enum class workload { trees, calls, flat };

/// Returns: what happened in the run, event by event, as one number.
template <class Pool>
std::uint64_t hash_of_run(workload what, const std::vector<std::string>& texts, std::uint64_t seed) {
  constexpr unsigned count = 32;
  sim::options wanted;
  wanted.processors_at_most = count;
  wanted.strategy = sim::strategy::virtual_time;
  wanted.seed = seed;
  wanted.machine.level[0].width = 8;
  const sim::outcome ended = sim::simulate(wanted, [&] {
    const auto on = team_on<Pool>(count, texts, seed);
    auto body = [&](context& here) {
      if (what == workload::trees) irregular(here, seed, 8);
      else if (what == workload::calls) calls(here, 9);
      else flat(here);
    };
    EXPECT_TRUE(on->init(detail::make_outside_task(body)));
    EXPECT_EQ(on->run(), workers::run_result::finished);
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
  return ended.hash;
}

TEST(shepherds, are_the_same_where_a_domain_is_a_worker_or_all) {
  for (const workload what : {workload::trees, workload::calls, workload::flat}) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const std::vector<std::string> single{"domains=32x1", "steal=1"}, whole{"domains=1x32"};
      EXPECT_EQ(hash_of_run<mts>(what, single, seed), hash_of_run<ws>(what, single, seed)) << seed;
      EXPECT_EQ(hash_of_run<mts>(what, whole, seed), hash_of_run<cq>(what, whole, seed)) << seed;
    }
  }
  EXPECT_NE(hash_of_run<mts>(workload::trees, {"domains=4x8"}, 1), hash_of_run<ws>(workload::trees, {"domains=4x8"}, 1));
}

/// Returns: how often a domain of 4 × 8 workers took from another one, over three runs of villages.
template <class Pool>
std::uint64_t remote_steals() {
  std::uint64_t sum = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    sim::options wanted;
    wanted.processors_at_most = 32;
    wanted.strategy = sim::strategy::virtual_time;
    wanted.seed = seed;
    wanted.machine.level[0].width = 8;
    const sim::outcome ended = sim::simulate(wanted, [&] {
      const auto on = team_on<Pool>(32, {"domains=4x8"}, seed);
      auto body = [&](context& here) { village(here, seed, 4); };
      EXPECT_TRUE(on->init(detail::make_outside_task(body)));
      EXPECT_EQ(on->run(), workers::run_result::finished);
      sum += on->totals().counters[static_cast<std::size_t>(counter::steals_remote)];
    });
    EXPECT_TRUE(ended.ok()) << ended.report;
  }
  return sum;
}

TEST(shepherds, a_domains_one_thief_steals_less_often_than_all_of_its_workers_do) {
  const std::uint64_t with_gate = remote_steals<mts>();
  EXPECT_LE(with_gate * 3, remote_steals<mts_by<has_no_gate>>());
  EXPECT_LE(with_gate * 3, remote_steals<ws>());
}

/// Of four workers in two domains number 1 or 3 has a task that puts another one while all others sleep. Returns: whether that
/// runs in the same domain; the next one by number is of the other.
template <class Pool>
bool runs_in_the_domain() {
  unsigned first = 0, second = 0;
  sim::options wanted;
  wanted.processors_at_most = 4;
  wanted.strategy = sim::strategy::virtual_time;
  const sim::outcome ended = sim::simulate(wanted, [&] {
    const auto on = team_on<Pool>(4, {"domains=2x2"});
    const auto put_another = [&](context& here) {
      first = here.worker_id();
      this_task::charge(5'000'000);
      here.put([&](context& last) { second = last.worker_id(); });
      this_task::charge(5'000'000);
    };
    auto body = [&](context& here) {
      if (here.worker_id() % 2 == 1) return put_another(here);
      here.put(put_another);
      this_task::charge(1'000'000);  // the other one of the domain gets it
    };
    EXPECT_TRUE(on->init(0, detail::make_outside_task(body)));
    EXPECT_EQ(on->run(), workers::run_result::finished);
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
  EXPECT_EQ(first % 2, 1u);
  return first / 2 == second / 2;
}

TEST(shepherds, a_put_wakes_in_its_own_domain) {
  EXPECT_TRUE(runs_in_the_domain<mts>());
  EXPECT_FALSE(runs_in_the_domain<mts_by<calls_anybody>>());
}

/// Returns: most fibers that there were on one worker.
std::uint64_t fibers_of_calls(const char* pool) {
  std::uint64_t most = 0;
  on_this_side([&] {
    team made({.pool = pool, .workers = 1});
    made.init([](context& here) { calls(here, 12); });
    made.run();
    most = made.stats().peak_fibers;
  });
  return most;
}

TEST(shepherds, q_sets_aside_as_many_as_sq4_and_l_none) {
  EXPECT_EQ(fibers_of_calls("q"), fibers_of_calls("sq4"));
  EXPECT_GT(fibers_of_calls("q"), 100u);
  for (const char* stack : {"l", "cq", "ws", "mts"}) EXPECT_EQ(fibers_of_calls(stack), 1u) << stack;
}

}  // namespace
}  // namespace TEFF_NAMESPACE::pool
