// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the run queues of Dandamudi & Cheng (1996) do that no other pool does, detail by detail: 64 workers under a tree of 21
/// queues. docs/design/run-queues.md has the details.
#include "trial.h"

#include "sim/sim.h"
#include "test/support/sides.h"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>

namespace TEFF_NAMESPACE::pool {
namespace {

using parts::organisation;
using parts::queue_rules;
using testing_support::on_this_side;
using testing_support::run_on_each;
using names = std::set<std::string>;
using numbers = std::vector<int>;

constexpr unsigned everybody = 64;

/// A machine on which hardly anything costs time but what is charged.
sim::options free_of_charge(unsigned processors, std::uint64_t seed = 1) {
  sim::options wanted;
  wanted.processors_at_most = processors;
  wanted.seed = seed;
  sim::machine_description& machine = wanted.machine;
  machine.cycles_per_ns = 1;
  machine.own_line_hit = 1;
  machine.level[0].transfer = machine.level[1].transfer = machine.read_modify_write_extra = 0;
  machine.shared_read_occupancy = machine.fence = machine.fence_everywhere = machine.clock_read = 0;
  machine.park = machine.wake = machine.wake_latency = machine.thread_start = 0;
  machine.plain_hit = machine.put_or_get = machine.system_allocation = machine.system_release = machine.page_touch = 0;
  return wanted;
}

/// A pool between 64 workers, whose tasks begin and wait when they are told to.
template <class Pool>
class organised : public trial<Pool> {
 public:
  explicit organised(const std::vector<std::string>& texts = {}, unsigned workers = everybody)
      : trial<Pool>(with(texts), workers) {}

  void block(unsigned id, started& who) {
    if constexpr (follows_waits<Pool>) this->tested.blocked(this->staff[id], who);
  }
  /// Returns: what the pool advises; pools that know nothing of tasks that wait put them.
  advice go_on(unsigned id, started& who, std::uintptr_t number) {
    if constexpr (tracks_started<Pool>) return this->tested.unblocked(&this->staff[id], who, numbered(number));
    else return this->put(id, number);
  }
};

/// Effect: calls question(trial) on each pool between 64 workers. Returns: the names of those that say yes.
template <class Question>
names pools_of_64_that_themselves(Question question, const std::vector<std::string>& texts) {
  return pools_for_which([&]<class Pool>() {
    bool answer = false;
    on_this_side([&] {
      organised<Pool> tried(texts);
      answer = question(tried);
    });
    return answer;
  });
}

names pools_of_64_that_any(const any_question& question, const std::vector<std::string>& texts) {
  return pools_of_64_that_themselves([&](tried_pool& tried) { return question(tried); }, texts);
}

template <class Question>
names pools_of_64_that(Question question, const std::vector<std::string>& texts = {}) {
  if constexpr (asks_any_pool<Question>) return pools_of_64_that_any(question, texts);
  else return pools_of_64_that_themselves(question, texts);
}

numbers from_to(int first, int last) {
  numbers all(static_cast<std::size_t>(last - first + 1));
  std::iota(all.begin(), all.end(), first);
  return all;
}

/// Effect: worker 0 takes one of 64 tasks. Returns: whether what it left behind is so many for all, so many for the workers of
/// its subtree, so many for those of its leaf.
bool leaves_behind(tried_pool& tried, int everywhere, int in_subtree, int in_leaf) {
  tried.inject_up_to(everybody);
  if (tried.get(0) != 1) return false;
  const int end_of_leaf = 1 + in_leaf, end_of_subtree = end_of_leaf + in_subtree;
  return tried.get_all(63) == (everywhere > 0 ? from_to(end_of_subtree + 1, everybody) : numbers{}) &&
         tried.get_all(15) == (in_subtree > 0 ? from_to(end_of_leaf + 1, end_of_subtree) : numbers{}) &&
         tried.get_all(3) == (in_leaf > 0 ? from_to(2, end_of_leaf) : numbers{});
}

TEST(run_queues, a_tree_moves_sets_of_16_then_4_then_1) {
  EXPECT_EQ(pools_of_64_that([](tried_pool& tried) { return leaves_behind(tried, 48, 12, 3); }), names{"hierarchical"});
}

TEST(run_queues, sets_are_as_large_as_the_transfer_factor_says) {
  const auto behind = [](const std::vector<std::string>& texts, int everywhere, int in_subtree, int in_leaf) {
    return pools_of_64_that([&](tried_pool& tried) { return leaves_behind(tried, everywhere, in_subtree, in_leaf); }, texts);
  };
  EXPECT_EQ(behind({"transfer=0.5"}, 56, 6, 1), names{"hierarchical"});
  EXPECT_EQ(behind({"transfer=2"}, 32, 24, 7), names{"hierarchical"});
  EXPECT_EQ(behind({"transfer=0.001"}, 63, 0, 0).count("hierarchical"), 1u);
  EXPECT_EQ(behind({"branching=8"}, 56, 0, 7), names{"hierarchical"});  // two levels
}

TEST(run_queues, where_branching_does_not_divide_the_last_queues_serve_the_rest) {
  on_this_side([] {
    organised<hierarchical_run_queues> tried({"branching=4"}, 22);  // leaves: five of 4, one of 2; above: 16 and 6; the root
    tried.inject_up_to(40);
    EXPECT_EQ(tried.get(21), 1);
    EXPECT_EQ(tried.get(20), 2);
    EXPECT_EQ(tried.get(19), 3);  // 6 came down, 4 of them are left
    EXPECT_EQ(tried.get(0), 7);
    numbers left;
    for (const unsigned id : {0u, 19u}) {
      for (const int each : tried.get_all(id)) left.push_back(each);
    }
    EXPECT_EQ(left.size(), 36u);
  });
}

TEST(run_queues, one_has_a_queue_per_worker_filled_in_turn) {
  EXPECT_EQ(pools_of_64_that([](tried_pool& tried) {
              tried.inject_up_to(2 * everybody);
              bool in_turn = true;
              for (unsigned id = 0; id < everybody; ++id) {
                const int first = static_cast<int>(id) + 1;
                in_turn &= tried.get_all(id) == numbers{first, first + static_cast<int>(everybody)};
              }
              return in_turn;
            }),
            names{"distributed"});
}

TEST(run_queues, a_tree_entered_at_its_leaves_is_filled_in_turn) {
  EXPECT_EQ(pools_of_64_that(
                [](tried_pool& tried) {
                  tried.inject_up_to(32);
                  bool in_turn = true;
                  for (unsigned leaf = 0; leaf < 16; ++leaf) {
                    const int first = static_cast<int>(leaf) + 1;
                    in_turn &= tried.get(4 * leaf + 3) == first && tried.get(4 * leaf) == first + 16;
                  }
                  return in_turn && tried.get(5) == 0;
                },
                {"entry=leaf"}),
            names{"hierarchical"});
}

TEST(run_queues, a_tree_is_entered_at_its_root_or_at_its_leaves) {
  const auto at_root = [](tried_pool& tried) { return leaves_behind(tried, 48, 12, 3); };
  const auto at_leaves = [](tried_pool& tried) {
    tried.inject_up_to(everybody);
    return tried.get_all(0) == numbers{1, 17, 33, 49} && tried.get_all(63) == numbers{16, 32, 48, 64};
  };
  EXPECT_EQ(pools_of_64_that(at_root, {"entry=root"}), names{"hierarchical"});
  EXPECT_EQ(pools_of_64_that(at_leaves, {"entry=root"}), names{});
  EXPECT_EQ(pools_of_64_that(at_root, {"entry=leaf"}), names{});
  EXPECT_EQ(pools_of_64_that(at_leaves, {"entry=leaf"}), names{"hierarchical"});
}

// --- assignment --------------------------------------------------------------------------------------------------------

/// How 200 tasks were dealt to 16 queues, and where the next ones went after two queues had given some of theirs.
struct dealing {
  std::vector<unsigned> first, then;

  bool is_in_turn() const {
    for (unsigned each = 0; each < first.size(); ++each) {
      if (first[each] != each % 16) return false;
    }
    return then == std::vector<unsigned>{8, 9, 10, 11};  // 200 is 8 more than 12 rounds
  }
  bool goes_where_fewest_are() const {
    std::vector<unsigned> of_each(16);
    for (const unsigned queue : first) ++of_each[queue];
    const auto [least, most] = std::minmax_element(of_each.begin(), of_each.end());
    return *most - *least == 1 && then == std::vector<unsigned>{13, 13, 13, 2};  // 13 has three fewer than it had, 2 has two
  }
  bool is_by_chance() const {
    std::vector<unsigned> of_each(16);
    for (const unsigned queue : first) ++of_each[queue];
    const auto [least, most] = std::minmax_element(of_each.begin(), of_each.end());
    return *least > 1 && *most < 30 && *most - *least > 3;
  }
};

/// `per_queue`: workers that share a queue.
template <class Pool>
dealing dealt(const std::vector<std::string>& texts, unsigned per_queue) {
  dealing how;
  on_this_side([&] {
    organised<Pool> tried(texts, 16 * per_queue);
    for (unsigned each = 1; each <= 200; ++each) how.first.push_back(tried.put(3, each).first / per_queue);
    for (const unsigned queue : {13u, 13u, 13u, 2u, 2u}) EXPECT_NE(tried.get(queue * per_queue), 0);
    for (unsigned each = 1; each <= 4; ++each) how.then.push_back(tried.put(3, each).first / per_queue);
  });
  return how;
}

TEST(run_queues, assign_says_to_which_queue_a_task_goes) {
  for (const std::string value : {"turn", "random", "shortest"}) {
    for (const bool in_a_tree : {false, true}) {
      const dealing how = in_a_tree ? dealt<hierarchical_run_queues>({"assign=" + value, "entry=leaf"}, 4)
                                    : dealt<distributed_run_queues>({"assign=" + value}, 1);
      EXPECT_EQ(how.is_in_turn(), value == "turn") << value << in_a_tree;
      EXPECT_EQ(how.is_by_chance(), value == "random") << value << in_a_tree;
      EXPECT_EQ(how.goes_where_fewest_are(), value == "shortest") << value << in_a_tree;
    }
  }
}

// --- workers that a task keeps waiting -------------------------------------------------------------------------------------

/// What lies where a kept worker alone would look is for others: what is there before, and what comes later, of which all hear.
TEST(run_queues, what_is_a_kept_workers_is_for_others_until_it_looks_again) {
  on_this_side([] {
    organised<distributed_run_queues> tried({}, 4);
    tried.inject_up_to(2);  // to 0 and 1
    EXPECT_EQ(tried.tested.share(tried.staff[1]), advice::wake_all);
    EXPECT_EQ(tried.get(3), 2);
    EXPECT_EQ(tried.get(3), 0);  // what is another worker's stays there

    EXPECT_EQ(tried.tested.share(tried.staff[2]), advice::wake_none);
    EXPECT_EQ(tried.put(0, 3), advice(advice::wake_all));  // to 2
    EXPECT_EQ(tried.get(3), 3);
    EXPECT_EQ(tried.get(2), 0);
    EXPECT_EQ(tried.get(1), 0);
    EXPECT_EQ(tried.put(0, 4), advice(advice::wake_one, 3, 4));
    EXPECT_EQ(tried.get(2), 0);
    EXPECT_EQ(tried.get(3), 4);
    EXPECT_EQ(tried.get(0), 1);
  });
}

/// A queue that all workers of which are kept is nobody's, as one of a single worker is; the root is everybody's.
TEST(run_queues, what_is_in_a_leaf_of_kept_workers_is_for_others) {
  on_this_side([] {
    organised<hierarchical_run_queues> tried({"entry=leaf"}, 16);
    tried.inject_up_to(4);
    EXPECT_EQ(tried.get(15), 4);
    EXPECT_EQ(tried.get(15), 0);
    EXPECT_EQ(tried.tested.share(tried.staff[2]), advice::wake_all);
    EXPECT_EQ(tried.get(15), 1);
    for (const unsigned id : {4u, 8u}) EXPECT_NE(tried.get(id), 0);
  });
}

// --- tasks that wait ---------------------------------------------------------------------------------------------------

/// Whether a task that waited comes before those that were ready before it went on.
template <class Tried>
bool has_blocked_first(Tried& tried) {
  started who;
  for (std::uintptr_t number = 1; number <= 4 * everybody; ++number) tried.put(0, number);
  if (tried.get(0) == 0) return false;
  tried.block(0, who);
  if (tried.get(0) == 0) return false;  // now it has its place
  tried.go_on(7, who, 1000);
  const bool is_first = tried.get(0) == 1000;
  for (unsigned id = 0; id < everybody; ++id) tried.get_all(id);
  return is_first;
}

TEST(run_queues, a_task_that_waited_comes_before_those_that_are_ready) {
  // Of pools that give the newest first this says nothing.
  EXPECT_EQ(pools_of_64_that([](auto& tried) {
              using pool_type = std::remove_cvref_t<decltype(tried.tested)>;
              return pool_type::traits.suspends_waiters && has_blocked_first(tried);
            }),
            (names{"centralised", "distributed", "hierarchical"}));
}

/// Who may go on with a task of worker 0 that waits, if 64 come together and worker 0 has got so many more since.
advice may_go_on(const std::vector<std::string>& texts, unsigned gets_before, bool looks_once_more) {
  advice advised = advice::wake_none;
  on_this_side([&] {
    organised<hierarchical_run_queues> tried(texts);
    tried.inject_up_to(everybody);
    for (unsigned each = 0; each < gets_before; ++each) EXPECT_NE(tried.get(0), 0);
    started who;
    tried.block(0, who);
    if (looks_once_more) tried.get(0);
    advised = tried.go_on(20, who, 1000);
    EXPECT_EQ(tried.get(advised.end - 1u), 1000);
    for (const unsigned id : {0u, 15u, 63u}) tried.get_all(id);
  });
  return advised;
}

const advice anybody{advice::wake_one, 0, 64}, the_subtree{advice::wake_one, 0, 16}, the_leaf{advice::wake_one, 0, 4};

TEST(run_queues, dynamic_a_task_waits_where_its_worker_finds_the_next_one) {
  EXPECT_EQ(may_go_on({}, 1, true), the_leaf);     // three are left there
  EXPECT_EQ(may_go_on({}, 4, true), the_subtree);  // the leaf is empty
  EXPECT_EQ(may_go_on({}, 16, true), anybody);     // so is what is above it
  EXPECT_EQ(may_go_on({}, 64, true), the_leaf);    // nothing is anywhere
  EXPECT_EQ(may_go_on({}, 16, false), the_leaf);   // it goes on before its worker looks
}

TEST(run_queues, static_a_task_waits_in_the_leaf_of_its_worker) {
  for (const unsigned gets : {1u, 4u, 16u, 64u}) EXPECT_EQ(may_go_on({"blocking=static"}, gets, true), the_leaf) << gets;
}

/// Whether those and no others may go on with a task of worker 0 that waits, after 4 and after 16 tasks.
template <class Tried>
bool waits_for(Tried& tried, advice after_4, advice after_16) {
  if constexpr (!follows_waits<std::remove_cvref_t<decltype(tried.tested)>>) return false;
  else {
    std::vector<advice> found;
    tried.inject_up_to(everybody);
    for (const unsigned gets : {4u, 11u}) {  // the first look after a wait is a get, too
      for (unsigned each = 0; each < gets; ++each) tried.get(0);
      started who;
      tried.block(0, who);
      tried.get(0);
      found.push_back(tried.go_on(20, who, 1000));
      tried.get(found.back().end - 1u);
    }
    return found == std::vector<advice>{after_4, after_16};
  }
}

TEST(run_queues, only_a_tree_has_both_places_for_a_task_that_waits) {
  const auto where_it_found_more = [](auto& tried) { return waits_for(tried, the_subtree, anybody); };
  const auto in_the_leaf = [](auto& tried) { return waits_for(tried, the_leaf, the_leaf); };
  EXPECT_EQ(pools_of_64_that(where_it_found_more, {"blocking=dynamic"}), names{"hierarchical"});
  EXPECT_EQ(pools_of_64_that(in_the_leaf, {"blocking=dynamic"}), names{});
  EXPECT_EQ(pools_of_64_that(where_it_found_more, {"blocking=static"}), names{});
  EXPECT_EQ(pools_of_64_that(in_the_leaf, {"blocking=static"}), names{"hierarchical"});
}

TEST(run_queues, those_that_wait_go_on_in_the_order_in_which_they_may) {
  on_this_side([] {
    organised<centralised_run_queue> tried;
    started who[4];
    for (started& each : who) tried.block(0, each);
    for (const unsigned each : {2u, 0u, 3u}) tried.go_on(5, who[each], 100 + each);
    EXPECT_EQ(tried.get(9), 102);
    tried.go_on(5, who[1], 101);
    EXPECT_EQ(tried.get_all(9), (numbers{100, 103, 101}));
  });
}

TEST(run_queues, who_waits_for_ever_or_goes_on_elsewhere_leaves_no_memory_behind) {
  on_this_side([] {
    organised<hierarchical_run_queues> tried;
    started who[3];
    for (started& each : who) tried.block(0, each);
    EXPECT_EQ(tried.tested.unblocked(nullptr, who[1], {}), advice::wake_none);
    EXPECT_EQ(who[1].word, nullptr);
    tried.block(0, who[1]);
    EXPECT_EQ(tried.tested.unblocked(nullptr, who[1], numbered(5)), the_leaf);  // by a thread from outside
    EXPECT_EQ(tried.get(3), 5);
  });
}

TEST(run_queues, without_memory_a_task_waits_all_the_same) {
  on_this_side([] {
    organised<hierarchical_run_queues> tried;
    started who, other;
    {
      const testing_support::memory_runs_out planted(0);
      tried.block(0, who);
      tried.block(0, other);
      EXPECT_EQ(tried.tested.unblocked(nullptr, other, numbered(6)), advice::refused);
    }
    EXPECT_EQ(tried.go_on(8, who, 5), advice(advice::wake_one, 8, 12));  // it has no place but that of who makes it go on
    EXPECT_EQ(tried.get(9), 5);
  });
}

// --- several workers at once -------------------------------------------------------------------------------------------

/// Two workers of one leaf look at the same time. Returns: how many of 64 tasks come down to them, at most in so many schedules.
template <class Pool>
std::size_t most_that_comes_down(std::uint64_t schedules) {
  std::size_t most = 0;
  for (std::uint64_t seed = 1; seed <= schedules; ++seed) {
    sim::options wanted;
    wanted.processors_at_most = 2;
    wanted.strategy = sim::strategy::random;
    wanted.seed = seed;
    const sim::outcome ended = sim::simulate(wanted, [&] {
      organised<Pool> tried({}, 16);
      tried.inject_up_to(everybody);
      run_on_each(2, [&](unsigned me) { EXPECT_NE(tried.get(me), 0); });
      most = std::max(most, everybody - tried.get_all(15).size());
      tried.get_all(0);
    });
    EXPECT_TRUE(ended.ok()) << ended.report;
  }
  return most;
}

TEST(run_queues, the_workers_of_a_leaf_fetch_one_set_together) {
  EXPECT_EQ(most_that_comes_down<hierarchical_run_queues>(300), 4u);
}

// --- the bound per job ---------------------------------------------------------------------------------------------------

/// Workers that begin tasks, each on a stack of its own, and end none before they are told to.
template <class Tried>
class beginners {
 public:
  explicit beginners(Tried& tried) : tried_(tried) {}

  /// Effect: the worker begins all that it gets. Returns: their numbers.
  numbers begin_all(unsigned id) {
    numbers begun;
    for (;;) {
      worker& current = tried_.staff[id];
      context& here = on_.emplace_back(current);
      current.here = &here;
      const int number = tried_.get(id);
      current.here = nullptr;
      if (number == 0) return begun;
      begun.push_back(number);
      words_[number] = &here.own;
    }
  }
  void end(unsigned id, int number) { tried_.tested.finished(tried_.staff[id], *words_[number]); }
  /// Effect: what has begun on this worker and not ended does so.
  void end(unsigned id, const numbers& all) {
    for (const int each : all) end(id, each);
  }
  void block(unsigned id, int number) { tried_.block(id, *words_[number]); }
  void go_on(int number) { tried_.go_on(0, *words_[number], 1000); }

 private:
  Tried& tried_;
  std::deque<context> on_;
  std::map<int, started*> words_;
};

/// Dandamudi & Cheng 1996, §5(a): of each job, a queue and what is below it have no more tasks than there are workers below. One
/// that ends, or is set aside, makes room for another one.
template <class Tried>
bool bounds_each_job(Tried& tried) {
  if constexpr (!follows_ends<std::remove_cvref_t<decltype(tried.tested)>>) return false;
  else {
    beginners workers(tried);
    tried.inject_up_to(everybody);  // the first job
    bool bounded = workers.begin_all(0) == from_to(1, 4) && workers.begin_all(5) == from_to(5, 8);
    if (!bounded) return false;
    std::vector<task> second;
    for (std::uintptr_t number = 101; number <= 120; ++number) second.push_back(numbered(number));
    tried.tested.inject(second);  // stands behind 48 of the first one that may not pass
    bounded &= workers.begin_all(0) == from_to(101, 104);
    workers.end(0, 2);
    bounded &= workers.begin_all(0) == numbers{9};
    workers.block(0, 103);
    bounded &= workers.begin_all(0) == numbers{105};
    workers.block(0, 3);
    bounded &= workers.begin_all(0) == numbers{10};
    for (const int waiting : {103, 3}) workers.go_on(waiting);
    bounded &= workers.begin_all(0) == numbers{1000, 1000};
    // The root's child has 16 of each job, of which each of its leaves gets four.
    bounded &= workers.begin_all(10) == numbers{11, 12, 13, 14, 106, 107, 108, 109};
    bounded &= workers.begin_all(15) == numbers{15, 16, 110, 111, 112, 113, 17, 18};
    bounded &= workers.begin_all(5) == from_to(114, 117);
    workers.end(0, {1, 4, 9, 10, 101, 102, 104, 105});
    workers.end(5, {5, 6, 7, 8, 114, 115, 116, 117});
    workers.end(10, {11, 12, 13, 14, 106, 107, 108, 109});
    workers.end(15, {15, 16, 17, 18, 110, 111, 112, 113});
    return bounded;
  }
}

TEST(run_queues, of_each_job_a_queue_has_no_more_tasks_than_workers) {
  EXPECT_EQ(pools_of_64_that([](auto& tried) { return bounds_each_job(tried); }, {"per_batch=yes"}), names{"hierarchical"});
  EXPECT_EQ(pools_of_64_that([](auto& tried) { return bounds_each_job(tried); }, {"per_batch=no"}), names{});
}

// --- costs ---------------------------------------------------------------------------------------------------------------

/// Returns: how many transfers of lines, beyond those of atomics, worker 1 of two pays for then(), after worker 0 did first().
template <class Pool, class First, class Then>
std::uint64_t plain_transfers(First first, Then then) {
  constexpr unsigned transfer = 1'000;  // more than all hits together
  const auto time = [&](unsigned plain_hit) {
    sim::options wanted = free_of_charge(2);
    wanted.machine.level[0].transfer = wanted.machine.level[1].transfer = transfer;
    wanted.machine.plain_hit = plain_hit;
    std::uint64_t took = 0;
    const sim::outcome ended = sim::simulate(wanted, [&] {
      std::vector<started> who(8);
      organised<Pool> tried({}, 2);
      platform::atomic<std::uint32_t> given{0};
      run_on_each(2, [&](unsigned me) {
        if (me == 0) {
          first(tried, who);
          given.store(1, platform::release);
          return;
        }
        platform::spin_until(given, [](std::uint32_t done) { return done != 0; }, "what is given");
        const std::uint64_t before = platform::now_ns();
        then(tried, who);
        took = platform::now_ns() - before;
      });
    });
    EXPECT_TRUE(ended.ok()) << ended.report;
    return took;
  };
  return (time(1) - time(0)) / transfer;
}

TEST(run_queues, who_looks_for_a_task_reads_all_before_it) {
  const auto taken = [](std::uintptr_t wanted, bool waited) {
    return plain_transfers<centralised_run_queue>(
        [&](auto& tried, auto& who) {
          if (!waited) return tried.put_up_to(0, 8);
          for (unsigned each = 0; each < 8; ++each) {
            tried.block(0, who[each]);
            tried.go_on(0, who[each], each + 1);
          }
          task other;  // those that may go on are in their list
          tried.tested.take(tried.staff[0], [](const task&) { return false; }, other, reach::whole);
        },
        [&](auto& tried, auto&) {
          task found;
          const auto is_it = [&](const task& each) { return number_of(each) == wanted; };
          EXPECT_TRUE(tried.tested.take(tried.staff[1], is_it, found, reach::whole).has_task());
        });
  };
  for (const bool waited : {false, true}) EXPECT_EQ(taken(8, waited) - taken(2, waited), 6u) << waited;
}

TEST(run_queues, a_task_that_goes_on_leaves_its_list_by_the_links_of_its_neighbours) {
  const auto go_on = [](unsigned which) {
    return plain_transfers<centralised_run_queue>(
        [](auto& tried, auto& who) {
          for (started& each : who) tried.block(0, each);
        },
        [&](auto& tried, auto& who) { tried.go_on(1, who[which], 1); });
  };
  EXPECT_EQ(go_on(4) - go_on(7), 1u) << "the newest one has one neighbour";
  EXPECT_EQ(go_on(4) - go_on(0), 1u) << "the oldest one likewise";
}

/// Returns: in thousands of cycles, when the last of these workers has got a task, all of which were there before they began to
/// look at once.
template <class Pool>
std::uint64_t time_of_gets(const std::vector<std::string>& texts, const std::vector<unsigned>& ids,
                           unsigned workers = everybody) {
  std::uint64_t taken = 0;
  const sim::outcome ended = sim::simulate(free_of_charge(static_cast<unsigned>(ids.size())), [&] {
    organised<Pool> tried(texts, workers);
    tried.inject_up_to(4 * workers);
    const std::uint64_t since = platform::now_ns();
    run_on_each(static_cast<unsigned>(ids.size()), [&](unsigned me) { EXPECT_NE(tried.get(ids[me]), 0); });
    taken = (platform::now_ns() - since + 500) / 1000;
    for (unsigned id = 0; id < workers; ++id) tried.get_all(id);
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
  return taken;
}

TEST(run_queues, an_access_costs_what_it_is_set_to) {
  const std::vector<std::string> held{"access=1000000", "delay=100000"},
      outside{"access=1000000", "delay=100000", "reading=outside"};
  EXPECT_EQ(time_of_gets<centralised_run_queue>({}, {0}), 0u);
  EXPECT_EQ(time_of_gets<centralised_run_queue>(held, {0}), 1200u);
  EXPECT_EQ(time_of_gets<centralised_run_queue>(outside, {0}), 1200u);
  // The next one waits for the lock, and meanwhile its delay passes, or not.
  EXPECT_EQ(time_of_gets<centralised_run_queue>(held, {0, 1, 2}), 3600u);
  EXPECT_EQ(time_of_gets<centralised_run_queue>(outside, {0, 1, 2}), 3200u);
  EXPECT_EQ(time_of_gets<distributed_run_queues>(held, {0, 1, 2}), 1200u);
  // A climb over two empty queues to the root; then three in the leaf.
  EXPECT_EQ(time_of_gets<hierarchical_run_queues>(held, {0}), 1200u);
  EXPECT_EQ(time_of_gets<hierarchical_run_queues>(held, {0, 1, 2}), 3600u);
}

TEST(run_queues, passing_an_empty_queue_costs_an_access_where_climbing_is_charged) {
  EXPECT_EQ(time_of_gets<hierarchical_run_queues>({"access=1000000", "delay=100000", "climb=charged"}, {0}), 3600u);
  EXPECT_EQ(time_of_gets<hierarchical_run_queues>({"access=1000000", "delay=100000", "climb=charged", "reading=outside"}, {0}),
            3400u);
}

TEST(run_queues, what_comes_together_costs_one_access) {
  for (const char* reading : {"reading=held", "reading=outside"}) {
    const sim::outcome ended = sim::simulate(free_of_charge(1), [&] {
      organised<hierarchical_run_queues> tree({"access=1000000", "delay=100000", reading});
      organised<distributed_run_queues> each({"access=1000000", "delay=100000", reading});
      const std::uint64_t start = platform::now_ns();
      const auto passed = [&] { return (platform::now_ns() - start + 5'000) / 10'000; };
      tree.inject_up_to(everybody);
      EXPECT_EQ(passed(), 100u);
      each.inject_up_to(everybody);
      EXPECT_EQ(passed(), 200u);
      tree.put(5, 1000);
      EXPECT_EQ(passed(), 320u);
      for (unsigned id = 0; id < everybody; ++id) tree.get_all(id), each.get_all(id);
    });
    EXPECT_TRUE(ended.ok()) << ended.report;
  }
}

// --- what tests find -----------------------------------------------------------------------------------------------------

template <class Rules>
using tree_by = run_queues<organisation::hierarchical, Rules>;

struct gives_childs_lock_back : queue_rules {
  static constexpr bool keeps_childs_lock = false;
};
struct has_ready_first : queue_rules {
  static constexpr bool blocked_first = false;
};
struct moves_one_more : queue_rules {
  static constexpr std::uint32_t set_surplus = 1;
};
struct goes_to_the_first : queue_rules {
  static constexpr bool takes_turns = false;
};

struct calls_neighbours_only : queue_rules {
  static constexpr bool calls_all_below = false;
};

template <class Pool, class Question>
bool ask(Question question, const std::vector<std::string>& texts = {}) {
  bool answer = false;
  on_this_side([&] {
    organised<Pool> tried(texts);
    answer = question(tried);
    for (unsigned id = 0; id < everybody; ++id) tried.get_all(id);
  });
  return answer;
}

constexpr auto is_in_turn = [](auto& tried) {
  tried.inject_up_to(everybody);
  bool in_turn = true;
  for (unsigned id = 0; id < everybody; ++id) in_turn &= tried.get(id) == static_cast<int>(id) + 1;
  return in_turn;
};

/// Who has moved a set calls all that are below it: none of them saw it on its way. A bound per job is no reason to call fewer.
constexpr auto calls_all_below_a_set = [](auto& tried) {
  tried.inject_up_to(16);
  tried.get(5);
  const bool below_the_middle = tried.last().advised == advice(advice::wake_all, 0, 16);
  tried.get_all(5);
  tried.inject_up_to(everybody);
  tried.get(40);
  return below_the_middle && tried.last().advised == advice(advice::wake_all, 0, 64);
};

TEST(run_queues, who_moves_a_set_calls_all_below_it) {
  for (const char* bounded : {"per_batch=no", "per_batch=yes"})
    EXPECT_TRUE(ask<tree_by<queue_rules>>(calls_all_below_a_set, {bounded})) << bounded;
}

TEST(run_queue_mutants, are_found) {
  EXPECT_FALSE(ask<tree_by<calls_neighbours_only>>(calls_all_below_a_set, {"per_batch=yes"}));
  EXPECT_EQ(most_that_comes_down<tree_by<gives_childs_lock_back>>(300), 8u);
  EXPECT_TRUE(ask<tree_by<queue_rules>>([](auto& tried) { return has_blocked_first(tried); }));
  EXPECT_FALSE(ask<tree_by<has_ready_first>>([](auto& tried) { return has_blocked_first(tried); }));
  EXPECT_TRUE(ask<tree_by<queue_rules>>([](tried_pool& tried) { return leaves_behind(tried, 48, 12, 3); }));
  EXPECT_FALSE(ask<tree_by<moves_one_more>>([](tried_pool& tried) { return leaves_behind(tried, 48, 12, 3); }));
  EXPECT_TRUE((ask<run_queues<organisation::distributed, queue_rules>>(is_in_turn)));
  EXPECT_FALSE((ask<run_queues<organisation::distributed, goes_to_the_first>>(is_in_turn)));
}

}  // namespace
}  // namespace TEFF_NAMESPACE::pool
