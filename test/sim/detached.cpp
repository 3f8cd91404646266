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

TEST(detached, threads_leave_their_processor_to_later_ones) {
  unsigned ended = 0;
  const outcome run = simulate({}, [&] {
    for (unsigned each = 0; each < 3; ++each) {
      platform::atomic<std::uint32_t> gone{0};
      const auto leave = [](void* word) { static_cast<platform::atomic<std::uint32_t>*>(word)->store(1, platform::release); };
      ASSERT_TRUE(platform::start_detached(leave, &gone, 0, {}));
      platform::spin_until(gone, [](std::uint32_t value) { return value == 1; }, "the thread");
      ++ended;
    }
  });
  EXPECT_TRUE(run.ok()) << run.report;
  EXPECT_EQ(ended, 3u);
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
    ASSERT_TRUE(other.start(body, &of, -1));
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
