// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Words on which threads sleep, under every schedule of one that goes to sleep and of those who wake it: nobody sleeps on, one
/// waker has each wake-up, and who is told that the thread is not asleep need not call the system. Simulated only.
#include "worker/idle/sleepers.h"
#include "sim/exhaustive.h"
#include "test/support/workers.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace TEFF_NAMESPACE::workers {
namespace {

/// What one schedule showed.
struct seen {
  std::vector<std::uint32_t> told;  ///< to each waker, of what the word was
  bool took_back = false;
  std::uint32_t left = 0;  ///< words that are still counted as sleepy

  auto woke() const {
    return std::count_if(told.begin(), told.end(), [](std::uint32_t was) { return was != sleepers::awake; });
  }
};

/// Effect: a thread announces itself, looks, and sleeps if it sees nothing; as many others make something visible, and wake it.
seen sleep_and_wake(unsigned wakers) {
  seen all;
  all.told.resize(wakers);
  sleepers idle;
  sleepers::word word{sleepers::awake};
  platform::atomic<std::uint32_t> visible{0};
  testing_support::run_on_each(wakers + 1, [&](unsigned me) {
    if (me == 0) {
      idle.announce(word);
      if (visible.load(platform::relaxed) == 0) sleepers::sleep(word, "a sleeper: to be woken");
      else all.took_back = idle.take_back(word);
      return;
    }
    visible.store(1, platform::relaxed);
    if (!idle.any()) return;
    all.told[me - 1] = idle.wake(word);
    if (all.told[me - 1] == sleepers::asleep) platform::wake_one(word);
  });
  all.left = idle.count().load(platform::relaxed);
  return all;
}

/// Expects each schedule to end well; each answer that a waker may be given is given in some.
void expect_all_woken(unsigned wakers, std::uint32_t preemptions) {
  seen last;
  bool heard[3] = {};
  sim::options wanted;
  wanted.preemptions_at_most = preemptions;
  wanted.steps_without_progress_at_most = 10'000;
  const sim::exploration found = sim::explore(
      wanted, [&] { last = sleep_and_wake(wakers); },
      [&] {
        for (const std::uint32_t was : last.told) heard[was] = true;
        return last.left == 0 && last.woke() <= 1 && !(last.took_back && last.woke() != 0);
      });
  EXPECT_TRUE(found.failure.empty()) << found.failure.substr(0, 1'000);
  EXPECT_TRUE(found.complete);
  EXPECT_TRUE(heard[sleepers::awake] && heard[sleepers::sleepy] && heard[sleepers::asleep]);
}

TEST(sleepers, of_one_waker_are_woken_in_every_schedule) { expect_all_woken(1, ~std::uint32_t{0}); }
TEST(sleepers, of_two_wakers_are_woken_by_one_in_every_schedule) { expect_all_woken(2, 3); }

/// Who sleeps takes no processor: with nobody to wake it nothing can go on.
TEST(sleepers, are_asleep_in_the_system) {
  sim::options wanted;
  wanted.expects_failure = true;
  wanted.steps_without_progress_at_most = 10'000;
  const sim::outcome ended = sim::simulate(wanted, [] {
    sleepers idle;
    sleepers::word word{sleepers::awake};
    idle.announce(word);
    sleepers::sleep(word, "a sleeper: nobody");
  });
  EXPECT_EQ(ended.how, sim::outcome::end::deadlock) << ended.report;
  EXPECT_NE(ended.report.find("a sleeper: nobody"), std::string::npos) << ended.report;
}

}  // namespace
}  // namespace TEFF_NAMESPACE::workers
