// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The C library refuses memory from some request on, whoever asks: a status, and never a crash. A program of its own, because it
/// replaces malloc, also for the libraries below.
#include "teff/teff.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <functional>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
}

namespace {

// Negative: nothing is refused.
std::atomic<long> granted{-1};
std::atomic<bool> has_refused{false};

bool refuses() {
  if (granted < 0) return false;
  if (granted > 0) return --granted, false;
  has_refused = true;
  errno = ENOMEM;
  return true;
}

}  // namespace

extern "C" {
void* malloc(std::size_t bytes) { return refuses() ? nullptr : __libc_malloc(bytes); }
void* calloc(std::size_t count, std::size_t bytes) { return refuses() ? nullptr : __libc_calloc(count, bytes); }
void* realloc(void* block, std::size_t bytes) { return refuses() ? nullptr : __libc_realloc(block, bytes); }
}

namespace {

constexpr int was_refused = 1, went_through = 2, wrong_status = 3;

/// Returns: what the operation comes to in a process of its own in which so many requests for memory are granted: one of the
/// three, or -1 if that process was killed.
int outcome_with(long requests, const std::function<teff_status()>& operation) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(120);
    granted = requests;
    const teff_status found = operation();
    granted = -1;
    _exit(found == TEFF_NO_MEMORY && has_refused ? was_refused : found == TEFF_OK ? went_through : wrong_status);
  }
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

TEST(refused_malloc, ends_teff_create_with_a_status) {
  const auto create = [] {
    teff_team* made = nullptr;
    return teff_create(&made, nullptr, nullptr, 2, 16, nullptr, nullptr, 0);
  };
  int refusals = 0, outcome = was_refused;
  for (long requests = 0; requests < 10'000 && outcome != went_through; ++requests) {
    outcome = outcome_with(requests, create);
    ASSERT_TRUE(outcome == was_refused || outcome == went_through) << outcome << " with " << requests << " requests granted";
    refusals += outcome == was_refused;
  }
  EXPECT_EQ(outcome, went_through);
  EXPECT_GT(refusals, 10);
}

TEST(refused_malloc, is_what_teff_default_end_says) { EXPECT_EQ(outcome_with(0, teff_default_end), was_refused); }

TEST(refused_malloc, for_the_counts_of_the_default_team_leaves_the_team) {
  EXPECT_EQ(outcome_with(-1,
                         [] {
                           setenv("TEFF_STATS", "1", 1);
                           if (teff_default_workers() == 0) return TEFF_NULL_POINTER;
                           granted = 0;
                           const teff_status refused = teff_default_end();
                           granted = -1;
                           return refused == TEFF_NO_MEMORY ? teff_default_end() : TEFF_NOT_NOW;
                         }),
            went_through);
}

}  // namespace
