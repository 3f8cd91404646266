// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the default pool promises to a put and to a thief, one operation at a time; and that each promise's test finds what is
/// left out. The promises to a whole team are in test/worker.
#include "trial.h"

#include "sim/exhaustive.h"
#include "test/support/sides.h"

namespace TEFF_NAMESPACE::pool {
namespace {

using testing_support::on_this_side;
using testing_support::run_on_each;
using trace::counter;

/// The pool with workers of some domains, and a number of sleepers that the test sets.
template <class Rules = split_deques_rules>
class asked_pool {
 public:
  explicit asked_pool(const std::vector<unsigned>& domains = {0, 0})
      : staff(domains.size()), places_(domains), tested(environment{staff.size(), memory_, set_, places_, 1, &sleepers}) {}
  ~asked_pool() {
    sleepers.store(0, platform::relaxed);
    for (unsigned id = 0; id < staff.size(); ++id) {
      while (get(id) != 0) {
      }
    }
  }

  advice put(unsigned id, std::uintptr_t number) { return tested.put(staff[id], numbered(number)); }
  /// Returns: 0 if there is nothing; `last` says how that was answered.
  int get(unsigned id) {
    task taken;
    return number(last[id] = tested.get(staff[id], taken, reach::whole), taken);
  }
  int get_by_force(unsigned id) {
    task taken;
    return number(last[id] = tested.get(staff[id], taken, reach::force), taken);
  }

  crew staff;
  platform::atomic<std::uint32_t> sleepers{0};
  std::array<get_result, 4> last = {get_result::empty, get_result::empty, get_result::empty, get_result::empty};

 private:
  static int number(get_result result, const task& taken) { return result.has_task() ? static_cast<int>(number_of(taken)) : 0; }

  const settings set_;
  const worker_places places_;
  mem::memory memory_{new mem::manager<mem::dlf>(2, mem::amounts{})};

 public:
  split_deques<Rules> tested;
};

struct no_requests : split_deques_rules {
  static constexpr bool notices_requests = false;
};
struct no_refill : split_deques_rules {
  static constexpr bool notices_an_empty_public_part = false;
};
struct never_asks : split_deques_rules {
  static constexpr bool asks_for_what_it_emptied = false;
};
struct forces_without_asking : split_deques_rules {
  static constexpr bool asks_where_it_forces = false;
};
struct answers_too_early : split_deques_rules {
  static constexpr bool looks_when_it_is_not_asked = false;
};
struct believes_a_closed_word : split_deques_rules {
  static constexpr bool stays_asked_beside_a_closer = false;
};
struct no_force : split_deques_rules {
  static constexpr bool serves_by_force = false;
};
struct all_cross : split_deques_rules {
  static constexpr bool crosses_alone = false;
};

/// What a wait that asks again and again finds: the newest own task, the ends of what others show, and by force of what they do
/// not.
TEST(default_pool, looks_at_the_ends) {
  on_this_side([] {
    asked_pool<> tried;
    const auto find = [&](unsigned id, std::uintptr_t wanted, reach how) {
      task taken;
      const auto is_it = [&](const task& candidate) { return number_of(candidate) == wanted; };
      return tried.tested.take(tried.staff[id], is_it, taken, how).has_task() && number_of(taken) == wanted;
    };
    for (std::uintptr_t number = 1; number <= 9; ++number) tried.put(0, number);  // 1 is public
    EXPECT_FALSE(find(0, 8, reach::passing));
    EXPECT_TRUE(find(0, 9, reach::passing));
    EXPECT_FALSE(find(1, 7, reach::whole));
    EXPECT_TRUE(find(1, 7, reach::force));  // all that is left is public now
    EXPECT_TRUE(find(1, 1, reach::passing));
    EXPECT_FALSE(find(1, 3, reach::passing));
    EXPECT_TRUE(find(1, 3, reach::whole));
    EXPECT_TRUE(find(1, 8, reach::passing));
    EXPECT_TRUE(find(0, 4, reach::own));
    EXPECT_FALSE(find(1, 9, reach::force));
    for (const int left : {6, 5, 2, 0}) EXPECT_EQ(tried.get(0), left);
  });
}

/// Who only takes, and puts nothing, shows the rest to a thief that has found nothing public.
TEST(default_pool, who_takes_the_newest_shows_the_rest_to_who_asks) {
  for (const bool sleeps : {false, true}) {
    on_this_side([&] {
      asked_pool<> tried;
      for (std::uintptr_t number = 1; number <= 9; ++number) tried.put(0, number);
      EXPECT_EQ(tried.get(1), 1);
      EXPECT_EQ(tried.get(1), 0);  // the others are private
      tried.sleepers.store(sleeps ? 1 : 0, platform::relaxed);
      task taken;
      const auto any = [](const task&) { return true; };
      EXPECT_EQ(tried.tested.take(tried.staff[0], any, taken, reach::whole),
                (sleeps ? got_and_wake_one : get_result(get_result::got)));
      EXPECT_EQ(number_of(taken), 9u);
      EXPECT_EQ(tried.get(1), 2);
    });
  }
}

/// (a) While somebody sleeps, each put makes a task public and advises to wake one.
template <class Rules>
bool answers_each_request() {
  bool holds = true;
  on_this_side([&] {
    asked_pool<Rules> tried;
    tried.put(0, 1);
    tried.sleepers.store(1, platform::relaxed);
    for (std::uintptr_t number = 2; number <= 4; ++number) holds &= tried.put(0, number) == advice::wake_one;
    tried.sleepers.store(0, platform::relaxed);
    holds &= tried.put(0, 5) == advice::wake_none && tried.staff.sum(counter::publications) == 4;
  });
  return holds;
}

TEST(default_pool, a_put_answers_the_request_of_a_sleeper) {
  EXPECT_TRUE(answers_each_request<split_deques_rules>());
  EXPECT_FALSE(answers_each_request<no_requests>());
}

/// Where no task is left, a put is heard of by who sleeps, also if that one has not looked by force (pool_traits).
template <class Rules>
bool is_asked_at_rest(unsigned last_taken_by) {
  bool holds = true;
  on_this_side([&] {
    asked_pool<Rules> tried;
    for (std::uintptr_t number = 1; number <= 2; ++number) tried.put(0, number);  // nobody asks behind the second one
    holds &= tried.get(0) == 2 && tried.get(last_taken_by) == 1;
    tried.sleepers.store(1, platform::relaxed);
    holds &= tried.put(0, 3) == advice::wake_one;
  });
  return holds;
}

TEST(default_pool, asks_itself_where_no_task_is_left) {
  for (const unsigned last : {0u, 1u}) EXPECT_TRUE(is_asked_at_rest<split_deques_rules>(last));
  EXPECT_FALSE(is_asked_at_rest<never_asks>(1));
}

/// (b) Whenever a put has returned, there is a public task, however many were stolen before.
template <class Rules>
bool keeps_something_public() {
  bool holds = true;
  on_this_side([&] {
    asked_pool<Rules> tried;
    for (std::uintptr_t number = 1; number <= 30; ++number) {
      tried.put(0, number);
      const int stolen = tried.get(1);
      holds &= stolen > 0 && static_cast<std::uintptr_t>(stolen) <= number;
    }
    // The second put of each three finds something public, and the third one does not.
    for (std::uintptr_t number = 31; number <= 60; ++number) {
      tried.put(0, number);
      holds &= number % 3 != 0 || tried.get(1) > 0;
    }
  });
  return holds;
}

TEST(default_pool, a_put_leaves_something_public) {
  EXPECT_TRUE(keeps_something_public<split_deques_rules>());
  EXPECT_FALSE(keeps_something_public<no_refill>());
  EXPECT_FALSE(keeps_something_public<never_asks>());
}

/// The same of a put behind one that is made beside what other workers do, each one of these. Returns: the report of a schedule
/// after which nothing is public.
template <class Rules, class... Operations>
std::string hides_beside(unsigned preemptions, std::uintptr_t tasks, Operations... does) {
  bool good = true;
  const auto body = [&] {
    asked_pool<Rules> tried(std::vector<unsigned>(1 + sizeof...(does), 0));
    for (std::uintptr_t number = 1; number <= tasks; ++number) tried.put(0, number);
    run_on_each(1 + sizeof...(does), [&](unsigned me) {
      if (me == 0) tried.put(0, 8);
      unsigned other = 0;
      ((++other == me ? does(tried) : void()), ...);
    });
    tried.put(0, 9);
    good = tried.get(1) != 0;
  };
  sim::options options;
  options.preemptions_at_most = preemptions;
  return sim::explore(options, body, [&] { return good; }).failure;
}

template <class Rules>
std::string hides_beside_a_thief() {
  return hides_beside<Rules>(3, 1, [](auto& tried) { tried.get(1); });
}
template <class Rules>
std::string hides_beside_a_closer() {
  return hides_beside<Rules>(3, 0, [](auto& tried) {
    task none;
    tried.tested.take(tried.staff[1], [](const task&) { return false; }, none, reach::force);
  });
}

TEST(default_pool, a_put_leaves_something_public_beside_others) {
  EXPECT_EQ(hides_beside_a_thief<split_deques_rules>(), "");
  EXPECT_EQ(hides_beside_a_closer<split_deques_rules>(), "");
  EXPECT_NE(hides_beside_a_thief<never_asks>(), "");
  EXPECT_NE(hides_beside_a_thief<answers_too_early>(), "");
  EXPECT_NE(hides_beside_a_closer<believes_a_closed_word>(), "");
}

/// A thief of the last public task, and one that closes the deque and takes nothing. Four preemptions, as an owner whose look
/// went by two values of the word was found by no fewer.
template <class Rules>
std::string hides_beside_a_thief_and_a_closer() {
  return hides_beside<Rules>(
      4, 1, [](auto& tried) { tried.get(1); },
      [](auto& tried) {
        task none;
        tried.tested.take(tried.staff[2], [](const task&) { return false; }, none, reach::whole);
      });
}

TEST(default_pool, a_put_leaves_something_public_beside_a_thief_and_a_closer) {
  EXPECT_EQ(hides_beside_a_thief_and_a_closer<split_deques_rules>(), "");
  EXPECT_NE(hides_beside_a_thief_and_a_closer<believes_a_closed_word>(), "");
}

/// A wait for a task by name asks whose deque it forces, and nobody else: what is put behind its look wakes it. Returns: the
/// report of a schedule after which it neither has the task nor is woken.
template <class Rules>
std::string hides_what_a_wait_wants() {
  bool good = true;
  const auto body = [&] {
    asked_pool<Rules> tried;
    tried.put(0, 1);
    tried.put(0, 2);  // 1 is public, and nobody asks
    bool wakes = false, found = false;
    run_on_each(2, [&](unsigned me) {
      if (me == 0) {
        wakes = tried.put(0, 9) == advice::wake_one;
      } else {
        tried.sleepers.store(1, platform::seq_cst);
        task taken;
        const auto is_it = [](const task& candidate) { return number_of(candidate) == 9; };
        found = tried.tested.take(tried.staff[1], is_it, taken, reach::force).has_task();
      }
    });
    good = found || wakes;
  };
  sim::options options;
  options.preemptions_at_most = 3;
  return sim::explore(options, body, [&] { return good; }).failure;
}

TEST(default_pool, a_wait_by_name_is_told_of_what_is_put_behind_its_look) {
  EXPECT_EQ(hides_what_a_wait_wants<split_deques_rules>(), "");
  EXPECT_NE(hides_what_a_wait_wants<forces_without_asking>(), "");
}

/// (c) What is private is found by force, half of it at a time, the oldest first.
template <class Rules>
bool forces() {
  bool holds = true;
  on_this_side([&] {
    asked_pool<Rules> tried;
    for (std::uintptr_t number = 1; number <= 9; ++number) tried.put(0, number);
    holds &= tried.get(1) == 1 && tried.get(1) == 0 && tried.last[1] == get_result::empty;
    holds &= tried.get_by_force(1) == 2 && tried.staff.sum(counter::forced) == 4;
    std::set<int> rest;
    const auto next = [&] {
      const int number = tried.get(1);
      return number != 0 ? number : tried.get_by_force(1);
    };
    while (const int number = next()) rest.insert(number);
    holds &= rest.size() == 7 && tried.get(0) == 0;
  });
  return holds;
}

TEST(default_pool, private_tasks_are_found_by_force) {
  EXPECT_TRUE(forces<split_deques_rules>());
  EXPECT_FALSE(forces<no_force>());
}

/// What worker 2 does in sleep_beside; each returns whether it wakes somebody.
struct nothing_else {
  static constexpr unsigned workers = 2;
  static bool play(auto&) { return false; }
};
struct a_thief {
  static constexpr unsigned workers = 3;
  static bool play(auto& tried) {
    tried.get(2);
    return false;
  }
};
/// Of a wait for another task than there is.
struct a_look_by_force {
  static constexpr unsigned workers = 3;
  static bool play(auto& tried) {
    task none;
    const auto nothing = [](const task&) { return false; };
    return tried.tested.take(tried.staff[2], nothing, none, reach::force).advised == advice::wake_one;
  }
};

/// Worker 0 of three does something to its tasks, 1 and so on, all public, while worker 1 falls asleep and worker 2 plays what
/// is `Beside` them. Returns: the report of a schedule after which worker 1 sleeps beside a waiting task and nobody is to be
/// woken; nothing if there is none.
template <class Rules, class Beside = nothing_else, class Operation>
std::string sleep_beside(Operation does, std::uintptr_t tasks = 3) {
  bool good = true;
  const auto body = [&] {
    asked_pool<Rules> tried({0, 0, 0});
    tried.sleepers.store(1, platform::relaxed);
    for (std::uintptr_t number = 1; number <= tasks; ++number) tried.put(0, number);
    tried.sleepers.store(0, platform::relaxed);
    bool wakes = false, wakes_too = false;
    int found = 0;
    run_on_each(Beside::workers, [&](unsigned me) {
      if (me == 0) wakes = does(tried);
      if (me == 2) wakes_too = Beside::play(tried);
      if (me != 1) return;
      tried.sleepers.store(1, platform::seq_cst);
      while ((found = tried.get(1)) == 0 && tried.last[1].what == get_result::retry) platform::pause();
      // A pause lets the others go on: not at once, as they may be in the middle of something.
      for (unsigned again = 0; found == 0 && (found = tried.get_by_force(1)) == 0 && tried.last[1].what == get_result::retry;
           ++again)
        if (again > 0) platform::pause();
    });
    good = found != 0 || wakes || wakes_too || (tried.get(0) == 0 && tried.get(2) == 0);
  };
  sim::options options;
  options.preemptions_at_most = 3;
  return sim::explore(options, body, [&] { return good; }).failure;
}

/// Two workers have a task each that nobody sees. A third one, about to sleep, forces that of worker 2 first, and may lose the
/// steal of it to a look of worker 0. Returns: the report of a schedule after which it has not got it, and does not say so.
template <class Rules>
std::string keeps_what_it_forced_to_itself() {
  bool good = true;
  const auto body = [&] {
    asked_pool<Rules> tried({0, 0, 0});
    for (const unsigned owner : {2u, 0u}) {
      tried.put(owner, 7);
      tried.put(owner, owner + 1);
      tried.get(1);  // the public one is gone
    }
    int got = 0;
    run_on_each(2, [&](unsigned me) {
      task none;
      const auto nothing = [](const task&) { return false; };
      if (me == 0) tried.tested.take(tried.staff[0], nothing, none, reach::whole);
      else got = tried.get_by_force(1);
    });
    good = got == 3 || (tried.staff.sum(counter::forced) != 0 && tried.last[1].advised == advice::wake_one);
  };
  sim::options options;
  options.preemptions_at_most = 3;
  return sim::explore(options, body, [&] { return good; }).failure;
}

struct looks_before_it_pushes : split_deques_rules {
  static constexpr bool pushes_before_it_looks = false;
};
struct looks_without_asking : split_deques_rules {
  static constexpr bool asks_before_it_looks = false;
};
struct hides_what_it_takes_back : split_deques_rules {
  static constexpr bool looks_after_taking_back = false;
};

struct hides_what_it_puts_back : split_deques_rules {
  static constexpr bool looks_after_putting_back = false;
};
struct hides_what_it_popped_in_vain : split_deques_rules {
  static constexpr bool looks_after_a_pop_in_vain = false;
};
struct hides_what_it_forced : split_deques_rules {
  static constexpr bool tells_of_what_it_forced = false;
};

template <class Rules>
std::string found_beside_a_put() {
  return sleep_beside<Rules, a_thief>([](auto& tried) { return tried.put(0, 4) == advice::wake_one; }, 1);
}
/// A wait makes the task public before its owner looks who sleeps.
template <class Rules>
std::string found_beside_a_force() {
  return sleep_beside<Rules, a_look_by_force>([](auto& tried) { return tried.put(0, 4) == advice::wake_one; }, 0);
}
/// The same of an owner that nobody asks any more, as its first put found nothing wanted.
template <class Rules>
std::string found_beside_an_unasked_put() {
  return sleep_beside<Rules, a_thief>(
      [](auto& tried) {
        const bool wakes = tried.put(0, 4) == advice::wake_one;
        tried.get(0);
        return tried.put(0, 5) == advice::wake_one || wakes;
      },
      1);
}
/// It takes its tasks back: for two its ring has room behind them, for three it has none, and they move to its begin.
template <class Rules>
std::string found_beside_a_get(std::uintptr_t tasks) {
  return sleep_beside<Rules>(
      [](auto& tried) {
        tried.get(0);
        return tried.last[0] == got_and_wake_one;
      },
      tasks);
}
template <class Rules>
std::string found_beside_a_look() {
  return sleep_beside<Rules>(
      [](auto& tried) {
        const bool wakes = tried.put(0, 4) == advice::wake_one;
        tried.get(2);  // the public one is gone
        task none;
        const auto nothing = [](const task&) { return false; };
        return tried.tested.take(tried.staff[0], nothing, none, reach::whole).advised == advice::wake_one || wakes;
      },
      1);
}

TEST(default_pool, nobody_sleeps_beside_a_task_that_comes_into_view) {
  EXPECT_EQ(found_beside_a_put<split_deques_rules>(), "");
  EXPECT_EQ(found_beside_a_force<split_deques_rules>(), "");
  EXPECT_EQ(keeps_what_it_forced_to_itself<split_deques_rules>(), "");
  EXPECT_EQ(found_beside_an_unasked_put<split_deques_rules>(), "");
  for (const std::uintptr_t tasks : {2, 3}) EXPECT_EQ(found_beside_a_get<split_deques_rules>(tasks), "");
  EXPECT_EQ(found_beside_a_look<split_deques_rules>(), "");
  EXPECT_EQ(sleep_beside<split_deques_rules>([](auto& tried) {  // a thief with several
              tried.get(2);
              return tried.last[2] == got_and_wake_one;
            }),
            "");
}

TEST(default_pool, what_is_left_out_beside_a_sleeper_is_found) {
  EXPECT_NE(found_beside_an_unasked_put<looks_before_it_pushes>(), "");
  EXPECT_NE(found_beside_an_unasked_put<looks_without_asking>(), "");
  EXPECT_NE(found_beside_a_get<hides_what_it_takes_back>(2), "");
  EXPECT_NE(found_beside_a_look<hides_what_it_puts_back>(), "");
  EXPECT_NE(found_beside_a_look<hides_what_it_popped_in_vain>(), "");
  EXPECT_NE(found_beside_a_force<hides_what_it_forced>(), "");
  EXPECT_NE(keeps_what_it_forced_to_itself<hides_what_it_forced>(), "");
}

TEST(default_pool, a_thief_takes_half_of_what_is_public_and_shares_it) {
  on_this_side([] {
    asked_pool<> tried({0, 0, 0});
    tried.sleepers.store(1, platform::relaxed);
    for (std::uintptr_t number = 1; number <= 6; ++number) tried.put(0, number);  // one after the other published
    tried.sleepers.store(0, platform::relaxed);
    EXPECT_EQ(tried.get(2), 1);
    EXPECT_EQ(tried.last[2], got_and_wake_one);
    EXPECT_EQ(tried.staff.sum(counter::tasks_stolen), 2u);  // half of six is three; a test's thief takes two at the most
    EXPECT_EQ(tried.get(1), 2);                             // from its neighbour, who published it
    EXPECT_EQ(tried.get(2), 3);
    EXPECT_EQ(tried.get(0), 6);
  });
}

TEST(default_pool, what_is_taken_back_is_shared_again) {
  on_this_side([] {
    asked_pool<> tried;
    tried.sleepers.store(1, platform::relaxed);
    for (std::uintptr_t number = 1; number <= 4; ++number) tried.put(0, number);
    EXPECT_EQ(tried.get(0), 4);
    EXPECT_EQ(tried.last[0], got_and_wake_one);
    EXPECT_EQ(tried.staff.sum(counter::reclaims), 1u);
    EXPECT_EQ(tried.get(1), 1);
    EXPECT_EQ(tried.get(0), 3);
  });
}

/// A machine of two domains.
sim::options two_domains() {
  sim::options options;
  options.machine.level[0].width = 4;
  return options;
}

/// Of two thieves of one domain, one visits the other domain, and the other is told to look again. Returns: whether some
/// schedule shows that.
template <class Rules>
bool bars_the_second_thief() {
  bool barred = false;
  const auto body = [&] {
    asked_pool<Rules> tried({0, 0, 1});
    run_on_each(2, [&](unsigned me) { tried.get(me); });
    barred |= tried.last[0] == get_result::retry || tried.last[1] == get_result::retry;
  };
  sim::options options = two_domains();
  options.preemptions_at_most = 2;
  EXPECT_EQ(sim::explore(options, body).failure, "");
  return barred;
}

TEST(default_pool, one_thief_of_a_domain_leaves_it) {
  EXPECT_TRUE(bars_the_second_thief<split_deques_rules>());
  EXPECT_FALSE(bars_the_second_thief<all_cross>());
}

TEST(default_pool, near_victims_come_first_and_need_no_permission) {
  const sim::outcome ended = sim::simulate(two_domains(), [] {
    asked_pool<> tried({0, 1, 0});
    tried.put(1, 11);
    tried.put(2, 22);
    EXPECT_EQ(tried.get(0), 22);
    EXPECT_EQ(tried.get(0), 11);
    EXPECT_EQ(tried.get(0), 0);
    EXPECT_EQ(tried.last[0], get_result::empty);
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
}

/// Whoever is next by number would be robbed by all of a domain, of what it has just stolen itself.
TEST(default_pool, a_thief_begins_anywhere_among_those_that_are_equally_far) {
  on_this_side([] {
    asked_pool<> tried({0, 1, 1, 1});
    std::array<unsigned, 4> first{};
    for (int turn = 0; turn < 300; ++turn) {
      for (unsigned id = 1; id < 4; ++id) tried.put(id, id);
      ++first[static_cast<unsigned>(tried.get(0))];
      for (unsigned id = 0; id < 4; ++id) {
        while (tried.get(id) != 0) {
        }
      }
    }
    for (unsigned id = 1; id < 4; ++id) EXPECT_GT(first[id], 60u) << "worker " << id;
  });
}

TEST(default_pool, without_fences_everywhere_every_task_is_public) {
  on_this_side([] {
    platform::planted_faults().no_fence_everywhere = true;
    {
      asked_pool<> tried;
      for (std::uintptr_t number = 1; number <= 5; ++number) EXPECT_EQ(tried.put(0, number), advice::wake_one);
      EXPECT_EQ(tried.get_by_force(1), 0);
      EXPECT_EQ(tried.get(0), 5);
      std::set<int> stolen;
      while (const int number = tried.get(1)) stolen.insert(number);
      EXPECT_EQ(stolen, (std::set<int>{1, 2, 3, 4}));
    }
    platform::planted_faults().no_fence_everywhere = false;
  });
}

TEST(default_pool, alone_publishes_nothing) {
  on_this_side([] {
    asked_pool<> tried(std::vector<unsigned>{0});
    tried.sleepers.store(1, platform::relaxed);
    for (std::uintptr_t number = 1; number <= 100; ++number) EXPECT_EQ(tried.put(0, number), advice::wake_none);
    for (int number = 100; number >= 1; --number) EXPECT_EQ(tried.get(0), number);
    EXPECT_EQ(tried.staff.sum(counter::publications) + tried.staff.sum(counter::reclaims), 0u);
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::pool
