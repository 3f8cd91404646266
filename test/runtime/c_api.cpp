// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The C interface: what it does, and that every misuse that it can see is answered and does nothing.
#include "teff/teff.h"

#include "platform/faults.h"
#include "platform/platform.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

struct counted {
  std::atomic<int> runs{0};
  std::atomic<int> wrong{0};
};

struct node {
  counted* all;
  int depth;
};

void expect_ok(counted& all, teff_status found) {
  if (found != TEFF_OK) ++all.wrong;
}

void split(teff_worker* self, void* argument) {
  const node own = *static_cast<node*>(argument);
  expect_ok(*own.all, teff_free(self, argument));
  ++own.all->runs;
  for (int child = 0; child < 2 && own.depth > 0; ++child) {
    void* block = nullptr;
    expect_ok(*own.all, teff_alloc(self, sizeof(node), &block));
    *static_cast<node*>(block) = {own.all, own.depth - 1};
    expect_ok(*own.all, teff_put(self, split, block));
  }
}

class c_api : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(teff_create(&team_, "dq5", "clb", 3, sizeof(node), "steal=1/2", nullptr, 0), TEFF_OK);
    ASSERT_EQ(teff_worker_of(team_, 0, &first_), TEFF_OK);
  }
  void TearDown() override {
    if (team_ == nullptr) return;
    EXPECT_EQ(teff_finalize(&team_), TEFF_OK);
  }

  teff_team* team_ = nullptr;
  teff_worker* first_ = nullptr;
};

TEST_F(c_api, runs_every_task_once) {
  for (int run = 1; run <= 2; ++run) {
    counted all;
    for (int number = 0; number < teff_workers(team_); ++number) {
      teff_worker* worker = nullptr;
      void* block = nullptr;
      ASSERT_EQ(teff_worker_of(team_, number, &worker), TEFF_OK);
      EXPECT_EQ(teff_number(worker), number);
      ASSERT_EQ(teff_alloc(worker, sizeof(node), &block), TEFF_OK);
      *static_cast<node*>(block) = {&all, 9};
      ASSERT_EQ(teff_init(worker, split, block), TEFF_OK);
    }
    EXPECT_EQ(teff_run(team_), TEFF_OK);
    EXPECT_EQ(all.runs, 3 * 1023);
    EXPECT_EQ(all.wrong, 0);
  }
}

/// More tasks than may wait: the one that puts them goes on where its handle is valid.
struct loop {
  std::atomic<int> refused{0}, ran{0};
  static constexpr int tasks = 30'000;
  static void leaf(teff_worker*, void* argument) { ++static_cast<loop*>(argument)->ran; }
  static void run(teff_worker* self, void* argument) {
    auto& own = *static_cast<loop*>(argument);
    for (int i = 0; i < tasks; ++i) {
      if (teff_put(self, leaf, &own) != TEFF_OK) ++own.refused;
    }
  }
};

TEST(c_api_bound, a_task_that_puts_very_many_keeps_its_handle) {
  for (const int workers : {1, 2, 4}) {
    loop tasks;
    teff_team* made = nullptr;
    teff_worker* first = nullptr;
    ASSERT_EQ(teff_create(&made, nullptr, nullptr, workers, 0, nullptr, nullptr, 0), TEFF_OK);
    ASSERT_EQ(teff_worker_of(made, 0, &first), TEFF_OK);
    ASSERT_EQ(teff_init(first, loop::run, &tasks), TEFF_OK);
    EXPECT_EQ(teff_run(made), TEFF_OK);
    EXPECT_EQ(tasks.refused, 0);
    EXPECT_EQ(tasks.ran, loop::tasks);
    EXPECT_EQ(teff_finalize(&made), TEFF_OK);
  }
}

/// A mutex of the system that the creator holds and its tasks take: at the bound they must not run first.
struct held_over_puts {
  std::mutex held;
  int ran = 0;
  teff_status ends[3] = {};
  static void leaf(teff_worker*, void* argument) {
    auto& own = *static_cast<held_over_puts*>(argument);
    const std::lock_guard alone(own.held);
    ++own.ran;
  }
  static void run(teff_worker* self, void* argument) {
    auto& own = *static_cast<held_over_puts*>(argument);
    own.ends[0] = teff_no_suspend_begin(self);
    {
      const std::lock_guard alone(own.held);
      for (int i = 0; i < loop::tasks; ++i) teff_put(self, leaf, &own);
    }
    own.ends[1] = teff_no_suspend_end(self);
    own.ends[2] = teff_no_suspend_end(self);
  }
};

/// Two tasks in a row on one worker: the first one begins, and the second one ends.
struct begun_only {
  teff_status ends[2] = {TEFF_EXCEPTION, TEFF_EXCEPTION};
  static void ending(teff_worker* self, void* argument) {
    static_cast<begun_only*>(argument)->ends[1] = teff_no_suspend_end(self);
  }
  static void beginning(teff_worker* self, void* argument) {
    teff_put(self, ending, argument);
    static_cast<begun_only*>(argument)->ends[0] = teff_no_suspend_begin(self);
  }
};

TEST(c_api_bound, a_begin_without_an_end_holds_until_its_task_ends) {
  begun_only tasks;
  teff_team* made = nullptr;
  teff_worker* first = nullptr;
  ASSERT_EQ(teff_create(&made, nullptr, nullptr, 1, 0, nullptr, nullptr, 0), TEFF_OK);
  ASSERT_EQ(teff_worker_of(made, 0, &first), TEFF_OK);
  ASSERT_EQ(teff_init(first, begun_only::beginning, &tasks), TEFF_OK);
  EXPECT_EQ(teff_run(made), TEFF_OK);
  EXPECT_EQ(tasks.ends[0], TEFF_OK);
  EXPECT_EQ(tasks.ends[1], TEFF_NOT_NOW);
  EXPECT_EQ(teff_finalize(&made), TEFF_OK);
}

TEST(c_api_bound, a_task_that_holds_a_mutex_of_the_system_goes_beyond_it) {
  for (const int workers : {1, 2}) {
    held_over_puts tasks;
    teff_team* made = nullptr;
    teff_worker* first = nullptr;
    ASSERT_EQ(teff_create(&made, nullptr, nullptr, workers, 0, nullptr, nullptr, 0), TEFF_OK);
    ASSERT_EQ(teff_worker_of(made, 0, &first), TEFF_OK);
    EXPECT_EQ(teff_no_suspend_begin(nullptr), TEFF_NULL_POINTER);
    EXPECT_EQ(teff_no_suspend_begin(first), TEFF_NOT_NOW);
    ASSERT_EQ(teff_init(first, held_over_puts::run, &tasks), TEFF_OK);
    EXPECT_EQ(teff_run(made), TEFF_OK);
    EXPECT_EQ(tasks.ran, loop::tasks);
    EXPECT_EQ(tasks.ends[0], TEFF_OK);
    EXPECT_EQ(tasks.ends[1], TEFF_OK);
    EXPECT_EQ(tasks.ends[2], TEFF_NOT_NOW);
    EXPECT_EQ(teff_finalize(&made), TEFF_OK);
  }
}

TEST(c_api_settings, of_the_pool_and_of_the_memory_manager_are_one_list) {
  char message[200];
  teff_team* made = nullptr;
  EXPECT_EQ(teff_create(&made, "dq8", "cgbk", 1, 16, "block=2 chunk=3 local=4", message, sizeof message), TEFF_OK);
  EXPECT_EQ(teff_finalize(&made), TEFF_OK);
  EXPECT_EQ(teff_create(&made, "dq8", "cgbk", 1, 16, "chunk=0", message, sizeof message), TEFF_UNKNOWN_NAME);
  EXPECT_STREQ(message, "setting chunk cannot be '0'; allowed: 1 … 1048576");
  EXPECT_EQ(teff_create(&made, "dq1", "dlf", 1, 16, "chunk=3", message, sizeof message), TEFF_UNKNOWN_NAME);
  EXPECT_STREQ(message,
               "unknown setting of pool dq1 and memory manager dlf 'chunk': only others have it (elements that a memory manager "
               "asks the system for at once); allowed: wake, wait, stack, outside, domains, pin");
}

TEST(c_api_messages, are_cut_between_characters) {
  const std::string pool = "aé…𝄞aé…𝄞";
  char whole[1000], part[1000];
  teff_team* made = nullptr;
  ASSERT_EQ(teff_create(&made, pool.c_str(), nullptr, 1, 0, nullptr, whole, sizeof whole), TEFF_UNKNOWN_NAME);
  ASSERT_NE(std::strstr(whole, pool.c_str()), nullptr);
  const std::size_t length = std::strlen(whole);
  for (std::size_t bytes = 1; bytes <= length + 1; ++bytes) {
    EXPECT_EQ(teff_create(&made, pool.c_str(), nullptr, 1, 0, nullptr, part, bytes), TEFF_UNKNOWN_NAME);
    const std::size_t kept = std::strlen(part);
    EXPECT_EQ(std::strncmp(part, whole, kept), 0);
    EXPECT_TRUE(kept < bytes && kept + 4 >= std::min(bytes, length));
    EXPECT_NE(static_cast<unsigned char>(whole[kept]) & 0xc0, 0x80) << bytes << " bytes: the next one goes on with a character";
  }
}

TEST(c_api_messages, quote_the_begin_of_a_name_of_megabytes) {
  char message[2000];
  teff_team* made = nullptr;
  for (const char* begin : {"", "dq8"}) {
    const std::string name = begin + std::string(16 << 20, 'x');
    EXPECT_EQ(teff_create(&made, name.c_str(), nullptr, 1, 0, nullptr, message, sizeof message), TEFF_UNKNOWN_NAME);
    EXPECT_EQ(std::string(message).find("unknown pool '" + name.substr(0, 200) + "…'; allowed: "), 0u) << message;
  }
}

TEST_F(c_api, null_pointers_are_answered) {
  void* block = nullptr;
  teff_team* none = nullptr;
  teff_worker* worker = nullptr;
  const teff_function nothing = [](teff_worker*, void*) {};
  EXPECT_EQ(teff_create(nullptr, "dq8", "dlf", 1, 0, nullptr, nullptr, 0), TEFF_NULL_POINTER);
  EXPECT_EQ(teff_finalize(nullptr), TEFF_NULL_POINTER);
  EXPECT_EQ(teff_finalize(&none), TEFF_NULL_POINTER);
  EXPECT_EQ(teff_run(nullptr), TEFF_NULL_POINTER);
  EXPECT_EQ(teff_worker_of(nullptr, 0, &worker), TEFF_NULL_POINTER);
  EXPECT_EQ(teff_worker_of(team_, 0, nullptr), TEFF_NULL_POINTER);
  EXPECT_EQ(teff_init(nullptr, nothing, nullptr), TEFF_NULL_POINTER);
  EXPECT_EQ(teff_init(first_, nullptr, nullptr), TEFF_NULL_POINTER);
  EXPECT_EQ(teff_put(nullptr, nothing, nullptr), TEFF_NULL_POINTER);
  EXPECT_EQ(teff_put(first_, nullptr, nullptr), TEFF_NULL_POINTER);
  EXPECT_EQ(teff_alloc(nullptr, 1, &block), TEFF_NULL_POINTER);
  EXPECT_EQ(teff_alloc(first_, 1, nullptr), TEFF_NULL_POINTER);
  EXPECT_EQ(teff_free(nullptr, &block), TEFF_NULL_POINTER);
  EXPECT_EQ(teff_free(first_, nullptr), TEFF_NULL_POINTER);
  EXPECT_EQ(teff_workers(nullptr), 0);
  EXPECT_EQ(teff_number(nullptr), -1);
}

TEST_F(c_api, names_and_numbers_that_do_not_exist_are_named) {
  char message[300] = "";
  teff_team* made = team_;
  EXPECT_EQ(teff_create(&made, "dq9", nullptr, 1, 0, nullptr, message, sizeof message), TEFF_UNKNOWN_NAME);
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(std::string(message).substr(0, 18), "unknown pool 'dq9'");
  EXPECT_EQ(teff_create(&made, nullptr, "dlg", 1, 0, nullptr, message, sizeof message), TEFF_UNKNOWN_NAME);
  EXPECT_NE(std::strstr(message, "'dlg'"), nullptr);
  EXPECT_EQ(teff_create(&made, nullptr, nullptr, -1, 0, nullptr, message, sizeof message), TEFF_UNKNOWN_NAME);
  EXPECT_NE(std::strstr(message, "-1"), nullptr);
  EXPECT_EQ(teff_create(&made, nullptr, nullptr, 300, 0, nullptr, message, sizeof message), TEFF_UNKNOWN_NAME);
  EXPECT_EQ(teff_create(&made, "dq8", nullptr, 1, 0, "block=0", message, sizeof message), TEFF_UNKNOWN_NAME);
  EXPECT_NE(std::strstr(message, "block"), nullptr);
  char short_message[8];
  EXPECT_EQ(teff_create(&made, "dq9", nullptr, 1, 0, nullptr, short_message, sizeof short_message), TEFF_UNKNOWN_NAME);
  EXPECT_EQ(std::strlen(short_message), 7u);
  teff_worker* worker = first_;
  for (const int number : {-1, 3, 1000}) {
    EXPECT_EQ(teff_worker_of(team_, number, &worker), TEFF_NO_SUCH_WORKER);
    EXPECT_EQ(worker, nullptr);
  }
}

TEST_F(c_api, an_argument_has_the_announced_size_at_most) {
  void* block = first_;
  EXPECT_EQ(teff_alloc(first_, 17, &block), TEFF_TOO_LARGE);
  EXPECT_EQ(block, nullptr);
}

TEST_F(c_api, finalizing_twice_is_answered) {
  EXPECT_EQ(teff_finalize(&team_), TEFF_OK);
  EXPECT_EQ(team_, nullptr);
  EXPECT_EQ(teff_finalize(&team_), TEFF_NULL_POINTER);
}

TEST_F(c_api, what_is_called_at_the_wrong_time_is_answered) {
  struct place {
    teff_team* team;
    teff_status of_run = TEFF_OK, of_finalize = TEFF_OK, of_init = TEFF_OK, of_put_elsewhere = TEFF_OK;
  } here{team_};
  const teff_function nothing = [](teff_worker*, void*) {};
  EXPECT_EQ(teff_put(first_, nothing, nullptr), TEFF_NOT_NOW);
  ASSERT_EQ(teff_init(
                first_,
                [](teff_worker* self, void* argument) {
                  auto& seen = *static_cast<place*>(argument);
                  teff_team* copy = seen.team;
                  seen.of_run = teff_run(seen.team);
                  seen.of_finalize = teff_finalize(&copy);
                  seen.of_init = teff_init(self, [](teff_worker*, void*) {}, nullptr);
                  std::thread([&] { seen.of_put_elsewhere = teff_put(self, [](teff_worker*, void*) {}, nullptr); }).join();
                },
                &here),
            TEFF_OK);
  EXPECT_EQ(teff_run(team_), TEFF_OK);
  EXPECT_EQ(here.of_run, TEFF_NOT_NOW);
  EXPECT_EQ(here.of_finalize, TEFF_NOT_NOW);
  EXPECT_EQ(here.of_init, TEFF_NOT_NOW);
  EXPECT_EQ(here.of_put_elsewhere, TEFF_NOT_THIS_WORKER);
  EXPECT_EQ(teff_put(first_, nothing, nullptr), TEFF_NOT_NOW);
}

TEST_F(c_api, an_exception_is_answered) {
  ASSERT_EQ(teff_init(first_, [](teff_worker*, void*) { throw std::runtime_error("planted"); }, nullptr), TEFF_OK);
  EXPECT_EQ(teff_run(team_), TEFF_EXCEPTION);
  EXPECT_EQ(teff_run(team_), TEFF_OK);
}

TEST(c_api_refusals, fewer_threads_are_a_smaller_team_and_a_message) {
  teff_team* team = nullptr;
  char message[200];
  teff::platform::planted_faults().threads_until_refusal = 2;
  EXPECT_EQ(teff_create(&team, nullptr, nullptr, 8, 0, nullptr, message, sizeof message), TEFF_OK);
  teff::platform::planted_faults().threads_until_refusal = -1;
  EXPECT_STREQ(message, "the system refused a thread: this team has 3 workers instead of 8");
  EXPECT_EQ(teff_workers(team), 3);
  teff_worker* worker = nullptr;
  EXPECT_EQ(teff_worker_of(team, 2, &worker), TEFF_OK);
  EXPECT_EQ(teff_worker_of(team, 3, &worker), TEFF_NO_SUCH_WORKER);
  EXPECT_EQ(teff_finalize(&team), TEFF_OK);
}

TEST_F(c_api, an_initial_task_without_memory_is_answered_and_left_out) {
  int initial = 0;
  static std::atomic<int> ran;
  ran = 0;
  teff_status found = TEFF_OK;
  teff::platform::planted_faults().allocations_until_refusal = 0;
  for (; found == TEFF_OK && initial < 100'000; ++initial) found = teff_init(first_, [](teff_worker*, void*) { ++ran; }, nullptr);
  teff::platform::planted_faults().allocations_until_refusal = -1;
  EXPECT_EQ(found, TEFF_NO_MEMORY);
  EXPECT_EQ(teff_run(team_), TEFF_OK);
  EXPECT_EQ(ran, initial - 1);
}

TEST_F(c_api, a_child_process_is_told_that_the_team_is_its_parent_s) {
  const pid_t child = fork();
  if (child == 0) {
    const bool told =
        teff_run(team_) == TEFF_OTHER_PROCESS &&
        teff_init(first_, [](teff_worker*, void*) {}, nullptr) == TEFF_OTHER_PROCESS && teff_finalize(&team_) == TEFF_OK;
    _exit(told ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(c_api_texts, every_status_has_a_sentence) {
  for (int status = TEFF_OK; status <= TEFF_BAD_DEALING; ++status) {
    EXPECT_STRNE(teff_status_text(static_cast<teff_status>(status)), "no such status");
  }
  EXPECT_STREQ(teff_status_text(static_cast<teff_status>(99)), "no such status");
}

}  // namespace
