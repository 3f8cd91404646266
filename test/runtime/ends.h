// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Processes that end, or leave, inside of a task, and how they ended.
#pragma once

#include "helpers.h"

#include <csignal>
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

namespace TEFF_NAMESPACE::testing_runtime {

/// A process that hangs is killed after so many seconds, and the test fails.
inline constexpr unsigned seconds_to_live = 60;

/// How a process ended: its exit code, or 128 and the signal; what it said on standard error.
struct ending {
  int code = -1;
  std::string said;
};

/// Effect: calls what() in a process of its own, which ends with 97 if that returns.
inline ending ending_of(const std::function<void()>& what) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(seconds_to_live);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    what();
    _exit(97);
  }
  close(ends[1]);
  ending seen;
  char text[512];
  for (ssize_t count; (count = read(ends[0], text, sizeof text)) > 0;) seen.said.append(text, static_cast<std::size_t>(count));
  close(ends[0]);
  int status = -1;
  if (child > 0 && waitpid(child, &status, 0) == child)
    seen.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return seen;
}

inline bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

/// Tells that static objects are destroyed.
struct last_words {
  ~last_words() { std::fputs("static objects end\n", stderr); }
};

inline void expect_exit(const ending& seen) {
  EXPECT_EQ(seen.code, 5) << seen.said;
  EXPECT_TRUE(contains(seen.said, "static objects end")) << seen.said;
  EXPECT_FALSE(contains(seen.said, "teff:")) << seen.said;
}

/// The child of a child that the task forked has ended with the documented code, and its parent has gone on.
inline void expect_lost_child(const ending& seen) {
  EXPECT_TRUE(contains(seen.said, "teff: a child of fork() came back to the team of its parent")) << seen.said;
  EXPECT_TRUE(contains(seen.said, "the child ended with 70")) << seen.said;
  EXPECT_EQ(seen.code, 97) << seen.said;
}

inline void expect_abort(const ending& seen, const char* sentence) {
  EXPECT_EQ(seen.code, 128 + SIGABRT) << seen.said;
  EXPECT_TRUE(contains(seen.said, sentence)) << seen.said;
}

inline const char* const thread_ended = "teff: a thread ended inside of a task";
inline const char* const jumped = "teff: a task left the run of its team by longjmp";

inline void tell_how(pid_t child) {
  int status = -1;
  if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status))
    std::fprintf(stderr, "the child ended with %d\n", WEXITSTATUS(status));
}

}  // namespace TEFF_NAMESPACE::testing_runtime
