// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Parking, timers and spinning in virtual time.
#include "helpers.h"

#include <algorithm>

namespace TEFF_NAMESPACE::sim {
namespace {

/// Events of a run in which so many processors spin while one works for so long.
std::uint64_t events_with_spinners(unsigned spinners, std::uint64_t work) {
  const outcome ended = simulate({}, [&] {
    padded<std::uint32_t> done;
    run_on_each(spinners + 1, [&](unsigned me) {
      if (me == 0) {
        platform::charge(work);
        done.word.store(1, platform::release);
      } else {
        platform::spin_until(done.word, [](std::uint32_t value) { return value == 1; }, "the work");
      }
    });
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
  return ended.events;
}

TEST(waiting, spinning_costs_no_events) { EXPECT_EQ(events_with_spinners(7, 1'000'000), events_with_spinners(7, 1'000'000'000)); }

TEST(waiting, a_spinner_goes_on_after_the_write_and_not_before) {
  simulate({}, [] {
    padded<std::uint32_t> done;
    run_on_each(2, [&](unsigned me) {
      if (me == 0) {
        platform::charge(3'000'000);
        done.word.store(1, platform::release);
        return;
      }
      platform::spin_until(done.word, [](std::uint32_t value) { return value == 1; }, "the work");
      const std::uint64_t now = platform::now_ns();
      EXPECT_GE(now, 1'000'000u);
      EXPECT_LE(now, 1'010'000u);
    });
  });
}

TEST(waiting, a_spin_with_a_bound_gives_up_after_its_rounds) {
  simulate({}, [] {
    padded<std::uint32_t> never;
    const auto is_set = [](std::uint32_t value) { return value != 0; };
    const std::uint64_t begin = platform::now_ns();
    EXPECT_FALSE(platform::spin_until_for(never.word, is_set, 300, "nothing"));
    const std::uint64_t took = platform::now_ns() - begin;
    EXPECT_GE(took, 300u * 40 / 3);
    EXPECT_LE(took, 300u * 40 / 3 + 50);
    EXPECT_FALSE(platform::spin_until_for(never.word, is_set, 0, "nothing"));
    never.word.store(1, platform::relaxed);
    EXPECT_TRUE(platform::spin_until_for(never.word, is_set, 1, "something"));
  });
}

/// Returns: ns that a wait took whose word is written while its predicate looks at another one.
template <class Spin>
std::uint64_t waited_for_what_came_meanwhile(Spin spin) {
  std::uint64_t took = 0;
  const outcome ended = simulate({}, [&] {
    padded<std::uint32_t> word, looks;
    run_on_each(2, [&](unsigned me) {
      if (me == 0) {
        platform::spin_until(looks.word, [](std::uint32_t value) { return value == 1; }, "a look");
        word.word.store(1, platform::release);
        return;
      }
      const std::uint64_t begin = platform::now_ns();
      spin(word.word, [&](std::uint32_t value) {
        looks.word.store(1, platform::release);
        platform::charge(value == 0 ? 3'000 : 0);  // the other one writes now
        return looks.word.load(platform::acquire) == 1 && value == 1;
      });
      took = platform::now_ns() - begin;
    });
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
  return took;
}

/// So was the end of a run: who waits for the others asks how many took part.
TEST(waiting, a_write_is_not_missed_while_the_predicate_looks_at_another_word) {
  const auto with_bound = [](auto& word, auto predicate) { platform::spin_until_for(word, predicate, 10'000, "the word"); };
  const auto without = [](auto& word, auto predicate) { platform::spin_until(word, predicate, "the word"); };
  EXPECT_LE(waited_for_what_came_meanwhile(with_bound), 2'000u);
  EXPECT_LE(waited_for_what_came_meanwhile(without), 2'000u);
}

/// Each look finds that the word has changed meanwhile.
TEST(waiting, a_bound_holds_beside_a_word_that_is_always_written) {
  std::uint64_t took = 0;
  const outcome ended = simulate({}, [&] {
    padded<std::uint32_t> word, over;
    run_on_each(2, [&](unsigned me) {
      if (me == 0) {
        for (std::uint32_t number = 2; over.word.load(platform::acquire) == 0 && number < 1'000; ++number) {
          word.word.store(number, platform::release);
          platform::charge(1'000);
        }
        return;
      }
      const std::uint64_t begin = platform::now_ns();
      const auto never = [&](std::uint32_t) {
        platform::charge(3'000);
        return over.word.load(platform::acquire) == 1;  // what is written meanwhile comes before this
      };
      EXPECT_FALSE(platform::spin_until_for(word.word, never, 10, "the word"));
      took = platform::now_ns() - begin;
      over.word.store(1, platform::release);
    });
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
  EXPECT_LE(took, 10'000u);
}

TEST(waiting, timers_end_in_the_order_of_their_deadlines) {
  for (const strategy strategy : {strategy::virtual_time, strategy::random, strategy::pct}) {
    options wanted = with(strategy, 7);
    wanted.spurious_wakeup_period = 0;
    std::vector<unsigned> order;
    const outcome ended = simulate(wanted, [&] {
      padded<std::uint32_t> word;
      const std::uint64_t begin = platform::now_ns() + 1'000'000;
      run_on_each(4, [&](unsigned me) {
        const std::uint64_t deadline = begin + 100'000 * (4 - me);
        EXPECT_FALSE(platform::park_until(word.word, 0, deadline, "a timer"));
        EXPECT_GE(platform::now_ns(), deadline);
        order.push_back(me);
      });
    });
    ASSERT_TRUE(ended.ok()) << ended.report;
    EXPECT_EQ(order, (std::vector<unsigned>{3, 2, 1, 0}));
  }
}

TEST(waiting, a_wake_before_the_deadline_ends_the_park_and_the_timer_is_forgotten) {
  const outcome ended = simulate({}, [] {
    padded<std::uint32_t> word;
    run_on_each(2, [&](unsigned me) {
      if (me == 0) {
        platform::charge(300'000);
        word.word.store(1, platform::release);
        platform::wake_one(word.word);
        return;
      }
      EXPECT_TRUE(platform::park_until(word.word, 0, 10'000'000, "a wake"));
      EXPECT_LT(platform::now_ns(), 200'000u);
      platform::charge(90'000'000);  // past the old deadline
    });
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
}

TEST(waiting, the_timer_of_an_earlier_wait_does_not_end_a_later_one) {
  const outcome ended = simulate({}, [] {
    padded<std::uint32_t> first, second;
    run_on_each(2, [&](unsigned me) {
      if (me == 0) {
        platform::charge(300'000);
        platform::wake_one(first.word);
        platform::charge(1'000'000);  // the other one is parked again when this has passed
        platform::charge(90'000'000);
        platform::wake_one(second.word);
        return;
      }
      EXPECT_TRUE(platform::park_until(first.word, 0, 10'000'000, "the first wake"));
      platform::park(second.word, 0, "the second wake");
      EXPECT_GE(platform::now_ns(), 30'000'000u);
    });
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
}

TEST(waiting, a_wake_is_not_spent_on_a_park_that_its_timer_has_ended) {
  const outcome ended = simulate({}, [] {
    padded<std::uint32_t> word;
    run_on_each(3, [&](unsigned me) {
      if (me == 0) {
        platform::charge(90'000'000);
        platform::wake_one(word.word);
      } else if (me == 1) {
        EXPECT_FALSE(platform::park_until(word.word, 0, 1'000'000, "its timer"));
      } else {
        platform::charge(100'000);
        platform::park(word.word, 0, "the only wake");
      }
    });
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
}

TEST(waiting, park_returns_at_once_if_the_word_changed_or_the_deadline_passed) {
  const outcome ended = simulate({}, [] {
    padded<std::uint32_t> word;
    platform::park(word.word, 1, "nothing");
    EXPECT_FALSE(platform::park_until(word.word, 0, 0, "nothing"));
    EXPECT_TRUE(platform::park_until(word.word, 1, 0, "nothing"));
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
}

/// Returns: how many of four parked processors run again after the waking.
unsigned woken_by(bool all) {
  unsigned woken = 0, seen = 0;
  simulate({}, [&] {
    padded<std::uint32_t> word;
    run_on_each(5, [&](unsigned me) {
      if (me != 0) {
        platform::park(word.word, 0, "a wake");
        ++woken;
        return;
      }
      platform::charge(10'000'000);
      if (all) platform::wake_all(word.word);
      else platform::wake_one(word.word);
      platform::charge(10'000'000);
      word.word.load(platform::relaxed);
      seen = woken;
      platform::wake_all(word.word);
    });
  });
  return seen;
}

TEST(waiting, wake_one_wakes_one_and_wake_all_wakes_all) {
  EXPECT_EQ(woken_by(false), 1u);
  EXPECT_EQ(woken_by(true), 4u);
}

TEST(waiting, words_on_one_line_are_woken_apart) {
  struct alignas(cache_line_bytes) pair {
    platform::atomic<std::uint32_t> left{0}, right{0};
  };
  std::vector<unsigned> order;
  const outcome ended = simulate({}, [&] {
    pair words;
    run_on_each(3, [&](unsigned me) {
      if (me != 0) {
        platform::park(me == 1 ? words.left : words.right, 0, "a wake");
        order.push_back(me);
        return;
      }
      platform::charge(10'000'000);
      platform::wake_one(words.right);
      platform::charge(10'000'000);
      platform::wake_one(words.left);
    });
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
  EXPECT_EQ(order, (std::vector<unsigned>{2, 1}));
}

TEST(waiting, parks_return_early_now_and_then_if_asked_for) {
  unsigned early = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    options wanted = with(strategy::random, seed);
    wanted.spurious_wakeup_period = 8;
    const outcome ended = simulate(wanted, [&] {
      padded<std::uint32_t> word;
      early += platform::park_until(word.word, 0, platform::now_ns() + 10'000, "a timer") ? 1 : 0;
    });
    ASSERT_TRUE(ended.ok()) << ended.report;
  }
  EXPECT_GT(early, 5u);
  EXPECT_LT(early, 100u);
}

TEST(waiting, a_loop_that_waits_for_a_moment_ends) {
  simulate({}, [] {
    const std::uint64_t end = platform::now_ns() + 1000;
    while (platform::now_ns() < end) {
    }
  });
}

/// The first thread is woken long before its nap would end, and ends; the second one has its processor.
TEST(waiting, a_nap_that_was_over_ends_no_wait_of_a_later_thread) {
  constexpr std::uint64_t nap_ns = 1'000'000;
  struct sleeper {
    padded<std::uint32_t> word;
    std::uint64_t until = 0;
    bool woken = false;
    const void* by = nullptr;
    static void sleep(void* own) {
      auto& its = *static_cast<sleeper*>(own);
      its.by = platform::this_thread();
      its.woken = platform::park_until(its.word.word, 0, its.until, "who wakes it");
    }
  };
  const outcome run = simulate({}, [] {
    const std::uint64_t begin = platform::now_ns();
    sleeper first{.word = {}, .until = begin + nap_ns}, second{.word = {}, .until = begin + 10 * nap_ns};
    padded<std::uint32_t> never;
    for (sleeper* const each : {&first, &second}) {
      platform::thread other;
      ASSERT_TRUE(other.start(sleeper::sleep, each, {}));
      EXPECT_FALSE(platform::park_until(never.word, 0, begin + (each == &first ? nap_ns / 2 : 2 * nap_ns), "nothing"));
      each->word.word.store(1, platform::release);
      platform::wake_one(each->word.word);
      other.join();
      EXPECT_TRUE(each->woken);
    }
    EXPECT_EQ(first.by, second.by);
  });
  EXPECT_TRUE(run.ok()) << run.report;
}

}  // namespace
}  // namespace TEFF_NAMESPACE::sim
