// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Threads that nobody joins, and what threads do at their end.
#include "helpers.h"

#include "platform/foreign.h"

namespace TEFF_NAMESPACE::sim {
namespace {

void add_one(void* to) { ++*static_cast<unsigned*>(to); }

TEST(detached, threads_have_ended_when_the_run_has) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    unsigned ended = 0;
    const outcome run = simulate(with(strategy::random, seed), [&] {
      for (unsigned each = 0; each < 3; ++each) ASSERT_TRUE(platform::start_detached(add_one, &ended, 0, {}));
    });
    EXPECT_TRUE(run.ok()) << run.report;
    EXPECT_EQ(ended, 3u) << "seed " << seed;
  }
}

/// A thread that nobody joins says which it is.
struct visit {
  platform::atomic<const void*> by{nullptr};
  static void pay(void* to) { static_cast<visit*>(to)->by.store(platform::this_thread(), platform::release); }
};

/// Returns: the processor of a thread that nobody joins. Effect: it has ended.
const void* processor_of_next() {
  visit next;
  EXPECT_TRUE(platform::start_detached(visit::pay, &next, 0, {}));
  platform::spin_until(next.by, [](const void* who) { return who != nullptr; }, "the thread");
  platform::charge(1'000'000);
  platform::pause();
  return next.by.load(platform::relaxed);  // relaxed: its last value
}

TEST(detached, threads_leave_their_processor_to_later_ones) {
  const outcome run = simulate({}, [] {
    const void* const first = processor_of_next();
    EXPECT_NE(first, platform::this_thread());
    EXPECT_EQ(processor_of_next(), first);
    EXPECT_EQ(processor_of_next(), first);
  });
  EXPECT_TRUE(run.ok()) << run.report;
}

/// The second starts a third one where the first has been: the end of the run waits for that, too.
TEST(detached, a_thread_that_another_one_starts_late_has_ended_when_the_run_has) {
  struct chain {
    platform::atomic<std::uint32_t> first_is_over{0};
    unsigned ended = 0;
  };
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    chain of;
    const outcome run = simulate(with(strategy::random, seed), [&of] {
      const auto first = [](void* all) { static_cast<chain*>(all)->first_is_over.store(1, platform::release); };
      const auto second = [](void* all) {
        auto& its = *static_cast<chain*>(all);
        platform::spin_until(its.first_is_over, [](std::uint32_t value) { return value == 1; }, "the first");
        for (unsigned round = 0; round < 20; ++round) platform::pause();
        ASSERT_TRUE(platform::start_detached(add_one, &its.ended, 0, {}));
      };
      ASSERT_TRUE(platform::start_detached(first, &of, 0, {}));
      ASSERT_TRUE(platform::start_detached(second, &of, 0, {}));
    });
    ASSERT_TRUE(run.ok()) << run.report;
    ASSERT_EQ(of.ended, 1u) << "seed " << seed;
  }
}

TEST(detached, a_thread_that_does_not_end_is_told_of) {
  options wanted;
  wanted.expects_failure = true;
  platform::atomic<std::uint32_t> never{0};
  const outcome run = simulate(wanted, [&] {
    const auto wait = [](void* word) { platform::park(*static_cast<platform::atomic<std::uint32_t>*>(word), 0, "nothing"); };
    ASSERT_TRUE(platform::start_detached(wait, &never, 0, {}));
  });
  EXPECT_EQ(run.how, outcome::end::deadlock);
  EXPECT_NE(run.report.find("'nothing'"), std::string::npos) << run.report;
}

TEST(detached, each_thread_does_at_its_end_what_it_last_asked_for) {
  unsigned of_body = 0, of_thread = 0, replaced = 0;
  struct both {
    unsigned &finished, &replaced;
  } of{of_thread, replaced};
  const outcome run = simulate({}, [&] {
    platform::at_thread_end(add_one, &of_body);
    platform::thread other;
    const auto body = [](void* pointer) {
      both& own = *static_cast<both*>(pointer);
      platform::at_thread_end(add_one, &own.replaced);
      platform::at_thread_end(add_one, &own.finished);
    };
    ASSERT_TRUE(other.start(body, &of, {}));
    other.join();
    EXPECT_EQ(of_thread, 1u);
    EXPECT_EQ(of_body, 0u);
  });
  EXPECT_TRUE(run.ok()) << run.report;
  EXPECT_EQ(of_thread, 1u);
  EXPECT_EQ(of_body, 1u);
  EXPECT_EQ(replaced, 0u);
}

}  // namespace
}  // namespace TEFF_NAMESPACE::sim
