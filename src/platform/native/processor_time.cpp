// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Idea: a thread that neither runs nor sleeps has lost its processor. The system says for how long it ran, and how often it
/// waited; what it slept in the seam is counted there. If it waited more often the program did, nobody knows for how long.
///
/// Asked how long a thread ran, the scheduler counts at once, and takes the processor from one that has used its slice up; not
/// asked it does so at the next tick. So it is asked only if the thread was switched for another one or has waited, as the
/// numbers of these say, or has run unasked for so long that a tick has come. What the host of a virtual machine takes of less
/// time, and what is lost in a look itself, comes out when it is asked next, at the part that ends then.
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
  long waits;             ///< in the system, but those of the seam
  long switches;          ///< to other threads while it was ready
  std::uint64_t unasked;  ///< for how long it is supposed to have run since it was asked
};
/// Reached by calls alone.
struct of_thread {
  known last;
  std::uint64_t slept;
  long sleeps;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local of_thread here = {};

/// Returns: for how long the calling thread has run.
std::uint64_t ran_until_now() noexcept {
  timespec ran{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran);
  return static_cast<std::uint64_t>(ran.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(ran.tv_nsec);
}

constinit once_in_process child_is_told;

/// In the child of a fork() the thread has not run yet. The clock comes last: a thread loses its processor in a call of the
/// system most easily.
known look(std::uint64_t now) noexcept {
  child_is_told.run([] { in_forked_child([] { here = {}; }); });
  const known& before = here.last;
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  known found{0, 0, here.slept, used.ru_nvcsw - here.sleeps, used.ru_nivcsw, 0};
  const std::uint64_t slept = found.slept - before.slept;
  const bool ran_all_the_time = before.at != 0 && found.waits == before.waits && found.switches == before.switches &&
                                before.unasked + (now - before.at - slept) < tuning::runs_unasked_ns;
  if (!ran_all_the_time) found.ran = ran_until_now();
  found.at = now_ns();
  if (!ran_all_the_time) return found;
  const std::uint64_t supposed = found.at - before.at - slept;
  found.ran = before.ran + supposed;
  found.unasked = before.unasked + supposed;
  return found;
}

}  // namespace

void count_sleep(std::uint64_t ns) noexcept {
  here.slept += ns;
  ++here.sleeps;
}

void forget_lost_time(std::uint64_t& now) noexcept {
  if (now - here.last.at < tuning::lost_at_least_ns) return;
  here.last = look(now);
  now = here.last.at;
}

std::uint64_t lost_time(std::uint64_t begin, std::uint64_t& now) noexcept {
  const known before = std::exchange(here.last, look(now));
  const known& last = here.last;
  now = last.at;
  // A sleep of the seam that was over at once is none for the system, so there may be fewer.
  if (before.at == 0 || last.waits > before.waits) return 0;
  // Where it was not asked how long the thread ran, it may have run for less.
  const std::uint64_t had = (last.ran - before.ran) + (last.slept - before.slept), passed = now - before.at;
  const auto lost = static_cast<std::int64_t>(passed - had);
  return lost > 0 ? std::min(static_cast<std::uint64_t>(lost), now - begin) : 0;
}

}  // namespace TEFF_NAMESPACE::platform
