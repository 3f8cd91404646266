// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Threads of control keep what is theirs across switches: stacks, exceptions, the current worker.
#include "helpers.h"

#include "platform/context.h"

#include <exception>
#include <stdexcept>
#include <string>

namespace TEFF_NAMESPACE::sim {
namespace {

TEST(contexts, an_exception_of_the_body_is_rethrown) {
  EXPECT_THROW(simulate({}, [] { throw std::runtime_error("from the body"); }), std::runtime_error);
  EXPECT_TRUE(simulate({}, [] {}).ok());
}

TEST(contexts, switches_inside_catch_blocks_do_not_mix_exceptions_up) {
  padded<std::uint32_t> word;
  const outcome ended = simulate(with(strategy::random, 11), [&] {
    run_on_each(4, [&](unsigned me) {
      const std::string mine = "of " + std::to_string(me);
      for (int round = 0; round < 20; ++round) {
        try {
          word.word.fetch_add(1, platform::relaxed);
          throw std::runtime_error(mine);
        } catch (const std::exception&) {
          word.word.fetch_add(1, platform::relaxed);
          try {
            std::rethrow_exception(std::current_exception());
          } catch (const std::runtime_error& caught) {
            word.word.fetch_add(1, platform::relaxed);
            EXPECT_EQ(caught.what(), mine);
          }
          EXPECT_EQ(std::uncaught_exceptions(), 0);
        }
        EXPECT_EQ(std::current_exception(), nullptr);
      }
    });
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
}

/// Touches shared memory while it is destroyed by an exception on its way.
struct switching_destructor {
  platform::atomic<std::uint32_t>& word;
  ~switching_destructor() {
    EXPECT_EQ(std::uncaught_exceptions(), 1);
    word.fetch_add(1, platform::relaxed);
    EXPECT_EQ(std::uncaught_exceptions(), 1);
  }
};

TEST(contexts, switches_while_the_stack_unwinds_keep_the_count_of_exceptions) {
  padded<std::uint32_t> word;
  const outcome ended = simulate(with(strategy::random, 12), [&] {
    run_on_each(3, [&](unsigned) {
      for (int round = 0; round < 20; ++round) {
        try {
          const switching_destructor unwound{word.word};
          throw round;
        } catch (int caught) {
          EXPECT_EQ(caught, round);
        }
      }
    });
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
}

TEST(contexts, the_current_worker_belongs_to_the_processor) {
  int outside = 0;
  platform::set_current(&outside);
  const outcome ended = simulate(with(strategy::random, 13), [] {
    padded<std::uint32_t> word;
    EXPECT_EQ(platform::current(), nullptr);
    run_on_each(4, [&](unsigned) {
      int mine = 0;
      platform::set_current(&mine);
      for (int round = 0; round < 50; ++round) {
        word.word.fetch_add(1, platform::relaxed);
        ASSERT_EQ(platform::current(), &mine);
      }
      platform::set_current(nullptr);
    });
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
  EXPECT_EQ(platform::current(), &outside);
  platform::set_current(nullptr);
}

/// A fiber of the simulated program itself, on a stack of its own inside a virtual processor.
struct fiber {
  platform::stack stack = platform::stack::map(64 * 1024);
  platform::context own, carrier;
  platform::atomic<std::uint32_t>* word = nullptr;
  unsigned steps = 0;

  static void run(void* pointer) {
    auto& self = *static_cast<fiber*>(pointer);
    for (; self.steps < 10; ++self.steps) {
      self.word->fetch_add(1, platform::relaxed);
      self.own.switch_to(self.carrier);
    }
    self.own.leave_to(self.carrier);
  }
};

TEST(contexts, fibers_of_the_program_nest_in_virtual_processors) {
  padded<std::uint32_t> word;
  const outcome ended = simulate(with(strategy::random, 14), [&] {
    run_on_each(3, [&](unsigned) {
      fiber nested;
      nested.word = &word.word;
      nested.own.make(nested.stack, fiber::run, &nested);
      for (int i = 0; i < 11; ++i) {
        nested.carrier.switch_to(nested.own);
        word.word.fetch_add(1, platform::relaxed);
      }
      EXPECT_EQ(nested.steps, 10u);
    });
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
  EXPECT_EQ(word.word.load(platform::relaxed), 3u * 21);
}

TEST(contexts, more_threads_than_processors_run) {
  options wanted;
  wanted.processors_at_most = 2;
  unsigned ran = 0;
  const outcome ended = simulate(wanted, [&] { run_on_each(300, [&](unsigned) { ++ran; }); });
  EXPECT_TRUE(ended.ok()) << ended.report;
  EXPECT_EQ(ran, 300u);
}

TEST(contexts, threads_one_after_the_other_are_not_limited) {
  const outcome ended = simulate({}, [] {
    for (int i = 0; i < 5000; ++i) run_on_each(2, [](unsigned) {});
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
}

}  // namespace
}  // namespace TEFF_NAMESPACE::sim
