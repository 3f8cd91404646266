// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The public objects one by one: the standard library's requirements, order, times, what they answer to bad input.
#include "scene.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <ratio>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace TEFF_NAMESPACE::testing_sync {
namespace {

using namespace std::chrono_literals;

/// A clock of the program's own, in simulation of virtual time.
struct own_clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<own_clock>;
  [[maybe_unused]] static constexpr bool is_steady = true;
  static time_point now() { return time_point(duration(static_cast<rep>(platform::now_ns()))); }
};

/// A first-in-first-out pool with one worker: tasks begin in the order in which they were put.
const team_options in_order{.pool = "sq4", .workers = 1};

TEST(objects, meet_the_standard_requirements) {
  in_a_task({.workers = 2}, some_seeds, [](context& here) {
    mutex one;
    recursive_mutex two;
    shared_timed_mutex three;
    recursive_timed_mutex four;
    condition_variable_any summed;
    unsigned sum = 0;
    task_group group;
    for (unsigned child = 0; child < 4; ++child) {
      group.put(here, [&] {
        std::scoped_lock all(one, two, three, four);
        ++sum;
        summed.notify_one();
      });
    }
    std::unique_lock any_lock(four, 1s);
    EXPECT_TRUE(any_lock.owns_lock());
    summed.wait(any_lock, [&] { return sum == 4; });
    EXPECT_TRUE(four.try_lock_until(own_clock::now() + 1s)) << "once more by its owner";
    four.unlock();
    any_lock.unlock();
    group.wait(here);
    EXPECT_EQ(sum, 4u);
    std::unique_lock first(three, 1s);
    EXPECT_TRUE(first.owns_lock());
    first.unlock();
    std::shared_lock reader(three, own_clock::now() + 1s);
    EXPECT_TRUE(reader.owns_lock());
    std::shared_lock other(three, std::try_to_lock);
    EXPECT_TRUE(other.owns_lock());
    EXPECT_FALSE(three.try_lock());
  });
}

/// While it lives, objects that are given no policy have this one.
struct with_default_policy {
  explicit with_default_policy(wait_policy policy) { set_default_policy(policy); }
  ~with_default_policy() { set_default_policy(wait_policy::block); }
};

/// Returns: how many tasks were set aside, where one waits and the other one ends the wait.
std::uint64_t suspensions(unsigned workers, const std::function<void()>& wait, const std::function<void()>& end) {
  team tested({.pool = "sq4", .workers = workers});
  tested.init([&](context&) { wait(); });
  tested.init([&](context&) { end(); });
  tested.run();
  return tested.stats().value("suspensions");
}

std::uint64_t suspensions_with(wait_policy by_default, unsigned workers) {
  const with_default_policy chosen(by_default);
  std::uint64_t found = 0;
  testing_runtime::on_this_side(workers + 2, [&] {
    event go;
    found = suspensions(workers, [&] { go.wait(); }, [&] { go.set(); });
  });
  return found;
}

TEST(objects, wait_by_the_default_policy_if_they_are_given_none) {
  EXPECT_EQ(default_policy(), wait_policy::block);
  EXPECT_EQ(suspensions_with(wait_policy::block, 1), 1u);
  EXPECT_EQ(suspensions_with(wait_policy::spin_then_block, 1), 1u);
  EXPECT_EQ(suspensions_with(wait_policy::spin, 2), 0u);
  EXPECT_EQ(default_policy(), wait_policy::block);
}

/// Effect: makes two T with these arguments and a policy that is not the default's, and sees which one is followed.
template <class T, class Wait, class End, class... Arguments>
void expect_own_policy(Wait wait, End end, Arguments... arguments) {
  const auto found = [&](wait_policy by_default, wait_policy own, unsigned workers) {
    const with_default_policy chosen(by_default);
    std::uint64_t count = 0;
    testing_runtime::on_this_side(workers + 2, [&] {
      T at(arguments..., own);
      count = suspensions(workers, [&] { wait(at); }, [&] { end(at); });
    });
    return count;
  };
  EXPECT_EQ(found(wait_policy::spin, wait_policy::block, 1), 1u);
  EXPECT_EQ(found(wait_policy::block, wait_policy::spin, 2), 0u);
}

TEST(objects, wait_by_the_policy_that_they_are_given) {
  expect_own_policy<event>([](event& at) { at.wait(); }, [](event& at) { at.set(); }, false);
  expect_own_policy<latch>([](latch& at) { at.wait(); }, [](latch& at) { at.count_down(); }, 1);
  expect_own_policy<binary_semaphore>([](auto& at) { at.acquire(); }, [](auto& at) { at.release(); }, 0);
  const auto arrive = [](barrier<>& at) { at.arrive_and_wait(); };
  expect_own_policy<barrier<>>(arrive, arrive, 2, detail::nothing_to_do());
  expect_own_policy<full_empty<int>>([](auto& at) { at.readFE(); }, [](auto& at) { at.writeEF(1); });
  expect_own_policy<channel<int>>([](auto& at) { at.receive(); }, [](auto& at) { at.send(1); }, std::size_t{1});
}

#ifdef TEFF_SIMULATED
/// Returns: how many tasks were set aside in a wait that had begun before it was ended: a notify ends no other. Two workers.
std::uint64_t suspensions_before_a_notify(wait_policy policy, std::uint64_t seed) {
  std::uint64_t found = 0;
  sim::options simulated;
  simulated.processors_at_most = 6;
  simulated.strategy = sim::strategy::random;
  simulated.seed = seed;
  const sim::outcome ended = sim::simulate(simulated, [&] {
    mutex guarded(wait_policy::spin);
    condition_variable told(policy);
    bool waits = false;
    found = suspensions(
        2,
        [&] {
          std::unique_lock guard(guarded);
          waits = true;
          told.wait(guard);
        },
        [&] {
          for (bool there = false; !there;) {
            const std::lock_guard guard(guarded);
            there = waits;
            if (there) told.notify_one();
          }
        });
  });
  EXPECT_TRUE(ended.ok()) << "seed " << seed << "\n" << ended.report;
  return found;
}

TEST(objects, that_spin_then_block_may_be_let_go_while_they_spin) {
  bool spun = false, blocked = false;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    EXPECT_EQ(suspensions_before_a_notify(wait_policy::block, seed), 1u) << "seed " << seed;
    (suspensions_before_a_notify(wait_policy::spin_then_block, seed) == 0 ? spun : blocked) = true;
  }
  EXPECT_TRUE(spun);
  EXPECT_TRUE(blocked);
}
#endif

TEST(objects, that_spin_do_so_until_their_times) {
  std::uint64_t count = 0;
  testing_runtime::on_this_side(2, [&] {
    event never(false, wait_policy::spin);
    team tested({.workers = 1});
    tested.init([&](context&) {
      const auto begin = own_clock::now();
      EXPECT_FALSE(never.wait_for(20us));
      EXPECT_GE(own_clock::now() - begin, 20us);
    });
    tested.run();
    count = tested.stats().value("suspensions");
  });
  EXPECT_EQ(count, 0u) << "the worker does nothing else";
}

TEST(objects, channels_that_memory_cannot_hold_are_refused_as_such) {
  EXPECT_THROW(channel<int>(std::size_t{1} << 62), std::bad_alloc);
  EXPECT_THROW(channel<int>(std::size_t{1} << 63), std::bad_alloc);
  EXPECT_THROW(channel<int>(~std::size_t{0}), std::bad_alloc);
}

TEST(objects, times_that_have_passed_mean_do_not_wait) {
  in_a_task({.workers = 1}, 1, [](context&) {
    timed_mutex free;
    EXPECT_TRUE(free.try_lock_for(-1s));
    free.unlock();
    shared_timed_mutex held;
    held.lock_shared();
    EXPECT_FALSE(held.try_lock_for(0s));
    EXPECT_FALSE(held.try_lock_until(own_clock::time_point::min()));
    EXPECT_FALSE(held.try_lock_until(std::chrono::time_point<own_clock, std::chrono::hours>::min()));
    EXPECT_TRUE(held.try_lock_shared_for(std::chrono::duration<double>(-0.5)));
    held.unlock_shared();
    held.unlock_shared();
    counting_semaphore<3> none(0);
    EXPECT_FALSE(none.try_acquire_for(-1ns));
    EXPECT_FALSE(none.try_acquire_until(own_clock::now() - 1s));
    event never;
    EXPECT_FALSE(never.wait_for(-1h));
    mutex guarded;
    condition_variable nobody;
    std::unique_lock guard(guarded);
    EXPECT_EQ(nobody.wait_for(guard, -1s), cv_status::timeout);
    EXPECT_FALSE(nobody.wait_until(guard, own_clock::now() - 1s, [] { return false; }));
    EXPECT_TRUE(nobody.wait_for(guard, -1s, [] { return true; }));
    EXPECT_TRUE(guard.owns_lock());
  });
}

TEST(objects, waits_end_at_their_times_and_not_before) {
  in_a_task({.workers = 2}, some_seeds, [](context&) {
    event never;
    const auto begin = own_clock::now();
    EXPECT_FALSE(never.wait_for(20us));
    EXPECT_GE(own_clock::now() - begin, 20us);
    const auto when = own_clock::now() + 20us;
    EXPECT_FALSE(never.wait_until(when));
    EXPECT_GE(own_clock::now(), when);
    binary_semaphore none(0);
    EXPECT_FALSE(none.try_acquire_for(1us));
    mutex guarded;
    condition_variable nobody;
    std::unique_lock guard(guarded);
    EXPECT_EQ(nobody.wait_until(guard, own_clock::now() + 1us), cv_status::timeout);
    EXPECT_FALSE(nobody.wait_for(guard, 1us, [] { return false; }));
  });
}

TEST(objects, a_time_beyond_all_clocks_is_no_time) {
  in_a_task({.workers = 2}, some_seeds, [](context& here) {
    event happens;
    here.put([&](context&) { happens.set(); });
    EXPECT_TRUE(happens.wait_for(std::chrono::hours::max()));
    EXPECT_TRUE(happens.wait_until(own_clock::time_point::max()));
    happens.reset();
    here.put([&](context&) { happens.set(); });
    EXPECT_TRUE(happens.wait_until(std::chrono::time_point<own_clock, std::chrono::hours>::max()));
    happens.reset();
    here.put([&](context&) { happens.set(); });
    EXPECT_TRUE(happens.wait_until(std::chrono::time_point<own_clock, std::chrono::duration<float>>::max()));
  });
}

/// A clock twenty years off, which units of picoseconds cannot say.
template <int Years>
struct far_clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<far_clock>;
  [[maybe_unused]] static constexpr bool is_steady = true;
  static time_point now() { return time_point(own_clock::now().time_since_epoch() + std::chrono::hours(Years * 8766)); }
  using in_picoseconds = std::chrono::time_point<far_clock, std::chrono::duration<std::int64_t, std::pico>>;
};

TEST(objects, times_in_finer_units_than_a_clock_can_have) {
  in_a_task({.workers = 2}, some_seeds, [](context& here) {
    timed_mutex held;
    held.lock();
    EXPECT_FALSE(held.try_lock_until(far_clock<20>::in_picoseconds::max()));
    held.unlock();
    event happens;
    here.put([&](context&) { happens.set(); });
    EXPECT_TRUE(happens.wait_until(far_clock<-20>::in_picoseconds::min()));
  });
}

/// A clock that stands still until it has been asked a hundred times, and what happens when it is asked for the second time.
struct slow_clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<slow_clock>;
  [[maybe_unused]] static constexpr bool is_steady = true;
  static inline unsigned asked;
  static inline bool happened;
  static time_point now() {
    happened = ++asked >= 2;
    return time_point(asked < 100 ? 0ns : 1h);
  }
};

TEST(objects, a_wait_by_a_slow_clock_sees_what_comes_when_it_begins_again) {
  in_a_task({.workers = 1}, 1, [](context&) {
    slow_clock::asked = 0;
    slow_clock::happened = false;
    mutex guarded;
    condition_variable told;
    std::unique_lock guard(guarded);
    EXPECT_TRUE(told.wait_until(guard, slow_clock::time_point(1us), [] { return slow_clock::happened; }));
    EXPECT_EQ(slow_clock::asked, 2u);
    slow_clock::asked = 0;
    EXPECT_FALSE(told.wait_until(guard, slow_clock::time_point(1us), [] { return false; }));
    EXPECT_EQ(slow_clock::asked, 100u);
  });
}

TEST(objects, a_wait_with_a_lock_that_holds_nothing_is_refused_and_leaves_nothing_behind) {
  in_a_task({.workers = 1}, 1, [](context& here) {
    mutex guarded;
    condition_variable told;
    std::unique_lock nothing(guarded, std::defer_lock);
    EXPECT_THROW(told.wait(nothing), std::system_error);
    EXPECT_THROW(static_cast<void>(told.wait_for(nothing, 1us)), std::system_error);
    told.notify_all();
    bool changed = false;
    task_group group;
    group.put(here, [&] {
      const std::lock_guard guard(guarded);
      changed = true;
      told.notify_one();
    });
    std::unique_lock guard(guarded);
    told.wait(guard, [&] { return changed; });
    guard.unlock();
    group.wait(here);
  });
}

/// Effect: tasks 0 … 3 come to `wait(i)` in that order, and `let_go` lets them go. Returns: the order in which they went.
template <class Wait, class LetGo>
std::vector<unsigned> order_of_going(Wait wait, LetGo let_go) {
  std::vector<unsigned> went;
  in_a_task(in_order, 1, [&](context& here) {
    went.clear();
    task_group group;
    event all_wait;
    for (unsigned child = 0; child < 4; ++child) {
      group.put(here, [&, child] {
        wait(child);
        went.push_back(child);
      });
    }
    group.put(here, [&] { all_wait.set(); });
    all_wait.wait();
    let_go();
    group.wait(here);
  });
  return went;
}

const std::vector<unsigned> as_they_came{0, 1, 2, 3};

TEST(objects, serve_those_who_wait_in_their_order) {
  counting_semaphore units(0);
  EXPECT_EQ(order_of_going([&](unsigned) { units.acquire(); }, [&] { units.release(4); }), as_they_came);
  event opens;
  EXPECT_EQ(order_of_going([&](unsigned) { opens.wait(); }, [&] { opens.set(); }), as_they_came);
  full_empty<int> cell;
  EXPECT_EQ(order_of_going([&](unsigned) { cell.readFE(); },
                           [&] {
                             for (int value = 0; value < 4; ++value) cell.writeEF(value);
                           }),
            as_they_came);
  channel<int> values(1);
  EXPECT_EQ(order_of_going([&](unsigned) { values.receive(); }, [&] { values.close(); }), as_they_came);
}

TEST(objects, notify_the_longest_wait_first) {
  mutex guarded;
  condition_variable told;
  const auto wait = [&](unsigned) {
    std::unique_lock guard(guarded);
    told.wait(guard);
  };
  const auto notify = [&](unsigned times, bool all) {
    const std::lock_guard guard(guarded);
    for (unsigned i = 0; i < times; ++i) all ? told.notify_all() : told.notify_one();
  };
  EXPECT_EQ(order_of_going(wait, [&] { notify(4, false); }), as_they_came);
  EXPECT_EQ(order_of_going(wait, [&] { notify(1, true); }), as_they_came);
}

TEST(objects, serve_those_who_fill_in_their_order) {
  full_empty<unsigned> full;
  full.writeEF(100);
  std::vector<unsigned> read;
  const auto read_all = [&] {
    for (unsigned i = 0; i < 5; ++i) read.push_back(full.readFE());
  };
  EXPECT_EQ(order_of_going([&](unsigned value) { full.writeEF(value); }, read_all), as_they_came);
  EXPECT_EQ(read, (std::vector<unsigned>{100, 0, 1, 2, 3}));
  channel<unsigned> has_no_room(1);
  has_no_room.send(100);
  read.clear();
  const auto receive_all = [&] {
    for (unsigned i = 0; i < 5; ++i) read.push_back(has_no_room.receive().value_or(200));
  };
  EXPECT_EQ(order_of_going([&](unsigned value) { has_no_room.send(value); }, receive_all), as_they_came);
  EXPECT_EQ(read, (std::vector<unsigned>{100, 0, 1, 2, 3}));
}

/// The first one's call fails when the others wait, and so does each further one's.
TEST(objects, call_once_lets_the_longest_wait_try_after_an_exception) {
  once_flag flag;
  event others_wait;
  std::vector<unsigned> tried;
  const auto attempt = [&](unsigned child) {
    tried.push_back(child);
    if (child == 0) others_wait.wait();
    throw std::runtime_error("planted");
  };
  const auto wait = [&](unsigned child) { EXPECT_THROW(call_once(flag, attempt, child), std::runtime_error); };
  EXPECT_EQ(order_of_going(wait, [&] { others_wait.set(); }), as_they_came);
  EXPECT_EQ(tried, as_they_came);
}

/// The same for what is held: the first to come is the holder's next.
template <class Mutex>
void expect_fair() {
  in_a_task(in_order, 1, [](context& here) {
    Mutex guarded;
    std::vector<unsigned> went;
    task_group group;
    event all_wait;
    guarded.lock();
    for (unsigned child = 0; child < 4; ++child) {
      group.put(here, [&, child] {
        std::lock_guard guard(guarded);
        went.push_back(child);
      });
    }
    group.put(here, [&] { all_wait.set(); });
    all_wait.wait();
    guarded.unlock();
    EXPECT_FALSE(guarded.try_lock()) << "nobody overtakes those who wait";
    group.wait(here);
    EXPECT_EQ(went, as_they_came);
  });
}

TEST(objects, hand_over_in_the_order_of_arrival) {
  expect_fair<mutex>();
  expect_fair<recursive_mutex>();
  expect_fair<shared_mutex>();
}

TEST(objects, readers_that_come_together_go_together_and_overtake_no_writer) {
  in_a_task(in_order, 1, [](context& here) {
    shared_mutex guarded;
    std::string seen;
    task_group group;
    event all_wait;
    barrier both(2);
    const auto read = [&](const char* name, bool waits_for_other) {
      std::shared_lock guard(guarded);
      if (waits_for_other) both.arrive_and_wait();
      seen += name;
    };
    guarded.lock();
    group.put(here, [&] { read("r", true); });
    group.put(here, [&] { read("r", true); });
    group.put(here, [&] {
      std::lock_guard guard(guarded);
      seen += "w";
    });
    group.put(here, [&] { read("R", false); });
    group.put(here, [&] { all_wait.set(); });
    all_wait.wait();
    guarded.unlock();
    group.wait(here);
    EXPECT_EQ(seen, "rrwR");
  });
}

TEST(objects, a_barrier_completes_each_phase_once_before_anybody_goes_on) {
  in_a_task({.workers = 2}, some_seeds, [](context& here) {
    unsigned phases = 0;
    const auto next = [&phases]() noexcept { ++phases; };
    barrier<decltype(next)> between(3, next);
    task_group group;
    for (unsigned child = 0; child < 2; ++child) {
      group.put(here, [&] {
        for (unsigned phase = 1; phase <= 3; ++phase) {
          between.arrive_and_wait();
          EXPECT_EQ(phases, phase);
        }
        between.arrive_and_drop();
      });
    }
    between.wait(between.arrive());
    EXPECT_EQ(phases, 1u);
    between.arrive_and_drop();
    group.wait(here);
    EXPECT_EQ(phases, 4u);
  });
}

TEST(objects, a_latch_opens_once) {
  latch opens(3);
  EXPECT_FALSE(opens.try_wait());
  opens.count_down(2);
  opens.arrive_and_wait();
  EXPECT_TRUE(opens.try_wait());
  latch open(0);
  open.wait();
}

TEST(objects, call_once_tries_again_after_an_exception) {
  once_flag flag;
  unsigned calls = 0;
  const auto attempt = [&](unsigned failures) {
    if (++calls <= failures) throw std::runtime_error("planted");
  };
  EXPECT_THROW(call_once(flag, attempt, 1), std::runtime_error);
  call_once(flag, attempt, 1);
  call_once(flag, attempt, 1);
  EXPECT_EQ(calls, 2u);
}

TEST(objects, an_event_stays_until_it_is_reset) {
  event happened(true);
  happened.wait();
  EXPECT_TRUE(happened.is_set());
  happened.reset();
  EXPECT_FALSE(happened.wait_for(0s));
  happened.set();
  EXPECT_TRUE(happened.wait_for(1s));
}

TEST(objects, a_full_empty_cell_keeps_its_mark) {
  full_empty<int> cell;
  EXPECT_FALSE(cell.is_full());
  cell.writeEF(1);
  EXPECT_EQ(cell.readFF(), 1);
  EXPECT_TRUE(cell.is_full());
  cell.writeF(2);
  EXPECT_EQ(cell.readFE(), 2);
  EXPECT_FALSE(cell.is_full());
  cell.fill();
  EXPECT_EQ(cell.readFF(), 2) << "fill changes the mark, not the value";
  cell.empty();
  cell.writeEF(3);
  EXPECT_EQ(cell.readFE(), 3);
}

TEST(objects, fill_and_empty_let_go_who_waits_for_them) {
  in_a_task({.workers = 2}, some_seeds, [](context& here) {
    full_empty<int> cell;
    task_group group;
    group.put(here, [&] { EXPECT_EQ(cell.readFF(), 0); });
    group.put(here, [&] { cell.fill(); });
    group.wait(here);
    group.put(here, [&] { cell.writeEF(7); });
    group.put(here, [&] { cell.empty(); });
    group.wait(here);
    EXPECT_EQ(cell.readFE(), 7);
    group.put(here, [&] { EXPECT_EQ(cell.readFE(), 8); });
    group.put(here, [&] { cell.writeF(8); });
    group.wait(here);
    EXPECT_FALSE(cell.is_full());
  });
}

TEST(objects, a_cell_and_a_channel_carry_what_can_only_be_moved) {
  full_empty<std::unique_ptr<int>> cell;
  cell.writeEF(std::make_unique<int>(1));
  EXPECT_EQ(*cell.readFE(), 1);
  channel<std::unique_ptr<int>> values(1);
  EXPECT_TRUE(values.send(std::make_unique<int>(2)));
  auto kept = std::make_unique<int>(3);
  EXPECT_FALSE(values.try_send(std::move(kept)));
  EXPECT_EQ(*kept, 3) << "what was not sent is left as it was";
  EXPECT_EQ(**values.receive(), 2);
  EXPECT_FALSE(values.try_receive().has_value());
}

TEST(objects, a_closed_channel_gives_what_it_has_and_then_nothing) {
  channel<int> values(2);
  EXPECT_TRUE(values.send(1));
  EXPECT_TRUE(values.try_send(2));
  values.close();
  values.close();
  EXPECT_TRUE(values.is_closed());
  EXPECT_FALSE(values.send(3));
  EXPECT_FALSE(values.try_send(3));
  EXPECT_EQ(values.receive(), 1);
  EXPECT_EQ(values.try_receive(), 2);
  EXPECT_FALSE(values.receive().has_value());
}

TEST(objects, closing_lets_senders_go_who_wait) {
  in_a_task({.workers = 2}, some_seeds, [](context& here) {
    channel<int> values(1);
    EXPECT_TRUE(values.send(1));
    task_group group;
    group.put(here, [&] { EXPECT_FALSE(values.send(2)); });
    group.put(here, [&] { values.close(); });
    group.wait(here);
    EXPECT_EQ(values.receive(), 1);
    EXPECT_FALSE(values.receive().has_value());
  });
}

TEST(objects, numbers_that_they_cannot_be_made_for_are_named) {
  EXPECT_EQ(sentence_of([] { barrier wrong(0); }), "a barrier was made for 0: allowed are 1 and more");
  EXPECT_EQ(sentence_of([] { latch wrong(-1); }), "a latch was made for -1: allowed are 0 and more");
  EXPECT_EQ(sentence_of([] { binary_semaphore wrong(2); }), "a semaphore was made for 2: allowed are 0 … 1");
  EXPECT_EQ(sentence_of([] { channel<int> wrong(0); }), "a channel was made for 0: allowed are 1 and more");
}

/// Effect: leaves the scope of a T while a task waits at it, as waits(T&) does.
template <class T, class... Arguments>
void destroy_with_a_waiter(void (*waits)(T&), Arguments... arguments) {
  team tested(in_order);
  tested.init([&](context& here) {
    auto gone = std::make_unique<T>(arguments...);
    event waiting;
    here.put([&](context&) { waits(*gone); });
    here.put([&](context&) { waiting.set(); });
    waiting.wait();
    gone.reset();
  });
  tested.run();
}

TEST(objects_death, destroying_what_is_held_or_waited_at_is_said) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // in a process in which no run was stuck
  EXPECT_DEATH(
      {
        shared_mutex held;
        held.lock_shared();
      },
      "must not be destroyed while it is held");
#ifndef TEFF_SIMULATED
  const char* const sentence = "must not be destroyed while somebody waits at it";
  EXPECT_DEATH(destroy_with_a_waiter<full_empty<int>>([](full_empty<int>& cell) { cell.readFE(); }), sentence);
  EXPECT_DEATH(destroy_with_a_waiter<event>([](event& never) { never.wait(); }), sentence);
  EXPECT_DEATH(destroy_with_a_waiter<latch>([](latch& closed) { closed.wait(); }, 1), sentence);
  EXPECT_DEATH(destroy_with_a_waiter<channel<int>>([](channel<int>& empty) { empty.receive(); }, std::size_t{1}), sentence);
#endif
}

TEST(objects_death, what_breaks_their_rules_is_said) {
  EXPECT_DEATH(recursive_mutex().unlock(), "a recursive mutex is unlocked by the task or thread that locked it");
  EXPECT_DEATH(shared_mutex().unlock(), "unlocked by the task or thread that locked it");
  EXPECT_DEATH(shared_mutex().unlock_shared(), "nobody holds the mutex shared");
  EXPECT_DEATH(binary_semaphore(1).release(), "no more than its greatest value");
  EXPECT_DEATH(binary_semaphore(1).release(-1), "released by 0 or more");
  EXPECT_DEATH(latch(1).count_down(2), "a latch is counted down");
  EXPECT_DEATH(static_cast<void>(barrier(1).arrive(2)), "more arrived at a barrier");
}

#ifndef TEFF_SIMULATED
TEST(objects_death, unlocking_what_another_locked_is_said) {
  EXPECT_DEATH(
      {
        mutex held;
        held.lock();
        foreign_thread other([&] { held.unlock(); });
      },
      "a mutex is unlocked by the task or thread that locked it");
}
#endif

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_sync
