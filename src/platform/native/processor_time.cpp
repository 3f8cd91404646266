// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Idea: a thread that neither runs nor sleeps has lost its processor. The system says for how long it ran, and how often it
/// waited; what it slept in the seam is counted there. If it waited more often the program did, nobody knows for how long.
#include "platform/native/processor_time.h"

#include "platform/platform.h"
#include "platform/tuning.h"

#include <algorithm>
#include <ctime>
#include <sys/resource.h>
#include <utility>

namespace TEFF_NAMESPACE::platform {

namespace {

/// What is known of the calling thread at some time.
struct known {
  std::uint64_t at, ran, slept;
  long waits;  ///< in the system, but those of the seam
};
/// Reached by calls alone.
struct of_thread {
  known last;
  std::uint64_t slept;
  long sleeps;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local of_thread here = {};

/// In the child of a fork() the thread has not run yet. The clock comes last: a thread loses its processor in a call of the
/// system most easily.
known look() noexcept {
  [[maybe_unused]] static const bool told = (in_forked_child([] { here = {}; }), true);
  timespec ran{};
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran);
  const auto ran_ns = static_cast<std::uint64_t>(ran.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(ran.tv_nsec);
  return {now_ns(), ran_ns, here.slept, used.ru_nvcsw - here.sleeps};
}

}  // namespace

void count_sleep(std::uint64_t ns) noexcept {
  here.slept += ns;
  ++here.sleeps;
}

void forget_lost_time(std::uint64_t& now) noexcept {
  if (now - here.last.at < tuning::lost_at_least_ns) return;
  here.last = look();
  now = here.last.at;
}

std::uint64_t lost_time(std::uint64_t begin, std::uint64_t& now) noexcept {
  const known before = std::exchange(here.last, look());
  const known& last = here.last;
  now = last.at;
  // A sleep of the seam that was over at once is none for the system, so there may be fewer.
  if (before.at == 0 || last.waits > before.waits) return 0;
  const std::uint64_t had = (last.ran - before.ran) + (last.slept - before.slept), passed = now - before.at;
  return passed > had ? std::min(passed - had, now - begin) : 0;
}

}  // namespace TEFF_NAMESPACE::platform
