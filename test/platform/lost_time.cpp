// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a ledger has as time without a processor: two threads share one, and each goes on only when the other one has run for so
/// long, so that either has lost as much. A thread that waits in the system, or loses its processor to others besides, in a
/// test's other moments has that there; so of some runs one has to be as it should.
/// The last ones are of one thread: when it is asked how long it ran.
#include "platform/platform.h"
#include "platform/tuning.h"

#include <algorithm>
#include <ctime>
#include <gtest/gtest.h>
#include <optional>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

/// How often the calling thread asked how long it has run.
thread_local unsigned asked_how_long = 0;

}  // namespace

/// Instead of the system's, for the whole program: counts.
extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (clock == CLOCK_THREAD_CPUTIME_ID) ++asked_how_long;
  return static_cast<int>(syscall(SYS_clock_gettime, clock, time));
}

namespace TEFF_NAMESPACE::platform {
namespace {

constexpr std::uint64_t enough_ns = 20'000'000, run_behind_ns = 2'000'000, slept_ns = 5'000'000;
constexpr std::uint64_t brief_ns = 2 * tuning::lost_at_least_ns;
/// What the neighbour had while both wanted the processor, but for some switches.
constexpr std::uint64_t least_lost_ns = enough_ns / 10 * 9;

std::uint64_t ran() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

void run_for(std::uint64_t ns) {
  const std::uint64_t since = ran();
  while (ran() - since < ns) {
  }
}

/// What was seen of a measured thread.
struct times_seen {
  std::uint64_t in_part, without_processor, lost, elapsed;
  std::uint64_t missing = 0;  ///< of the time since its neighbour wants the processor, what it did not run
};
/// Effect: the part `on` ends for the calling thread, which no ledger is bound to behind it.
times_seen end_part(ledger& account, account_part on, std::uint64_t begin) {
  account.enter(account_part::system_memory);  // in which it does nothing
  const times_seen seen{account.spent(on), account.spent(account_part::without_processor), account.lost(), account_now() - begin};
  bind_ledger(nullptr);
  return seen;
}

struct shared {
  account_part on = account_part::own_work;
  void (*before)(ledger&) = nullptr;  ///< what the measured thread does before its neighbour wants the processor
  bool carries = true;                ///< or it begins to, and works, when the neighbour has run
  std::optional<bool> is_in_line;     ///< of a scope of a lock, in which it is then
  bool yields = false;                ///< it does not run until the system takes its processor
  std::uint64_t neighbour_runs = enough_ns;
  ledger account;
  times_seen seen{};
  std::size_t processors = 0;
  atomic<std::uint32_t> asked{0};
  atomic<std::uint64_t> neighbour{0};  ///< for how long it has run

  void measured() {
    processors = places_of_caller().size();
    account.restart(account_now());
    const std::uint64_t begin = account_now();
    bind_ledger(&account);
    if (!carries) bind_ledger(nullptr);
    if (carries) account.enter(on);
    if (before != nullptr) before(account);
    const std::uint64_t since = account_now(), ran_before = ran();
    {
      std::optional<lock_wait> scope;  // around the wake-up, too, by which the neighbour may get the processor
      if (is_in_line) scope.emplace(this, lock_label::of(guarded::program_object), *is_in_line);
      asked.store(1, release);
      wake_one(asked);
      while (neighbour.load(relaxed) < neighbour_runs)
        if (yields) sched_yield();
    }
    if (!carries) work_behind();
    seen = end_part(account, on, begin);
    seen.missing = account_now() - since - (ran() - ran_before);
  }
  void work_behind() {
    account.restart(account_now());  // nobody has carried it for a moment alone: the thread's time before says nothing of it
    bind_ledger(&account);
    const std::uint64_t since = ran();
    while (ran() - since < run_behind_ns) {
    }
  }
  void run_beside() {
    while (asked.load(acquire) == 0) park(asked, 0, "to be asked");
    const std::uint64_t since = ran();
    while (neighbour.load(relaxed) < neighbour_runs) neighbour.store(ran() - since, relaxed);
  }
  void share_a_processor() {
    const unsigned one[] = {places_of_caller().front()};
    thread other, own;
    ASSERT_TRUE(other.start([](void* all) { static_cast<shared*>(all)->run_beside(); }, this, one));
    ASSERT_TRUE(own.start([](void* all) { static_cast<shared*>(all)->measured(); }, this, one));
    own.join();
    other.join();
    ASSERT_EQ(processors, 1u) << "the system does not bind threads";
  }
};

/// Returns: whether it is so once of some times.
template <class Measure, class Predicate>
testing::AssertionResult once(Measure measure, Predicate is_so, unsigned most_tries = 10) {
  times_seen seen{};
  for (unsigned tries = 0; tries < most_tries; ++tries) {
    seen = measure();
    if (testing::Test::HasFatalFailure() || is_so(seen)) return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << "the last time, in ns: in the part " << seen.in_part << ", without a processor "
                                     << seen.without_processor << ", lost " << seen.lost << ", in all " << seen.elapsed
                                     << ", did not run " << seen.missing;
}

times_seen beside_another(account_part on, void (*before)(ledger&) = nullptr, bool carries = true) {
  shared of;
  of.on = on;
  of.before = before;
  of.carries = carries;
  of.share_a_processor();
  return of.seen;
}

TEST(lost_time, of_who_has_work_is_a_part_of_its_own) {
  for (const account_part on : {account_part::own_work, account_part::put_get, account_part::waking, account_part::fibers}) {
    const auto is_so = [](const times_seen& seen) {
      return seen.without_processor >= least_lost_ns && seen.lost == seen.without_processor &&
             seen.in_part + seen.without_processor <= seen.elapsed;
    };
    EXPECT_TRUE(once([&] { return beside_another(on); }, is_so)) << static_cast<unsigned>(on);
  }
}

TEST(lost_time, of_who_searches_or_waits_for_a_lock_stays_there) {
  for (const account_part on :
       {account_part::searching_alone, account_part::searching_beside_tasks, account_part::stealing, account_part::lock_wait}) {
    const auto is_so = [](const times_seen& seen) {
      return seen.without_processor == 0 && seen.lost >= least_lost_ns && seen.in_part >= least_lost_ns;
    };
    EXPECT_TRUE(once([&] { return beside_another(on); }, is_so)) << static_cast<unsigned>(on);
  }
}

TEST(lost_time, of_who_wakes_the_next_one_at_a_lock_is_not_of_the_lock) {
  for (const bool is_in_line : {false, true}) {
    const auto measure = [is_in_line] {
      shared of;
      of.is_in_line = is_in_line;
      of.share_a_processor();
      return of.seen;
    };
    const auto is_so = [is_in_line](const times_seen& seen) {
      return seen.lost >= least_lost_ns && seen.without_processor == (is_in_line ? 0 : seen.lost);
    };
    EXPECT_TRUE(once(measure, is_so)) << is_in_line;
  }
}

TEST(lost_time, of_who_sleeps_is_none) {
  for (const account_part on : {account_part::parked, account_part::being_woken}) {
    const auto is_so = [](const times_seen& seen) { return seen.lost == 0 && seen.in_part >= least_lost_ns; };
    EXPECT_TRUE(once([&] { return beside_another(on); }, is_so)) << static_cast<unsigned>(on);
  }
}

TEST(lost_time, is_found_though_it_is_less_than_what_the_host_may_take) {
  const auto measure = [] {
    shared of;
    of.yields = true;
    of.neighbour_runs = brief_ns;
    of.share_a_processor();
    return of.seen;
  };
  const auto is_so = [](const times_seen& seen) {
    return seen.without_processor >= brief_ns / 10 * 9 && seen.elapsed < tuning::runs_unasked_ns;
  };
  EXPECT_TRUE(once(measure, is_so, 200));  // beside other programs most take longer
}

/// Whether the thread lost what its neighbour ran, and not what it slept besides.
bool is_the_neighbours(const times_seen& seen) {
  return seen.without_processor >= least_lost_ns && seen.without_processor <= seen.missing + slept_ns / 5;
}

TEST(lost_time, is_found_though_the_thread_slept_in_the_seam_before) {
  const auto sleep = [](ledger& account) {
    atomic<std::uint32_t> word{0};
    park_until(word, 0, now_ns() + slept_ns, "a while");
    account.enter(account_part::own_work);  // looks
  };
  EXPECT_TRUE(once([&] { return beside_another(account_part::own_work, sleep); }, &is_the_neighbours));
}

TEST(lost_time, is_found_behind_a_sleep_that_was_over_at_once) {
  const auto sleep = [](ledger&) {
    atomic<std::uint32_t> word{0};
    park_until(word, 0, 1, "a moment that has passed");
  };
  EXPECT_TRUE(once([&] { return beside_another(account_part::own_work, sleep); }, &is_the_neighbours));
}

TEST(lost_time, is_found_though_the_program_slept_before_it_had_work) {
  const auto sleep = [](ledger& account) {
    account.enter(account_part::outside_runs);
    usleep(tuning::runs_unasked_ns / 4 * 3 / 1000);
    account.enter(account_part::own_work);  // looks
  };
  EXPECT_TRUE(once([&] { return beside_another(account_part::own_work, sleep); }, &is_the_neighbours));
}

TEST(lost_time, is_not_what_a_thread_lost_before_it_carried_the_worker) {
  const auto is_so = [](const times_seen& seen) { return seen.in_part >= run_behind_ns / 10 * 9; };
  EXPECT_TRUE(once([] { return beside_another(account_part::own_work, nullptr, false); }, is_so));
}

/// Returns: what is seen of a thread that does this with work to do.
times_seen of_work(void (*work)()) {
  ledger account;
  account.restart(account_now());
  const std::uint64_t begin = account_now();
  bind_ledger(&account);
  work();
  return end_part(account, account_part::own_work, begin);
}

TEST(lost_time, is_not_what_a_thread_sleeps_in_the_seam) {
  const auto sleep = [] {
    atomic<std::uint32_t> word{0};
    park_until(word, 0, now_ns() + slept_ns, "a while");
  };
  EXPECT_TRUE(once([&] { return of_work(sleep); },
                   [](const times_seen& seen) { return seen.lost + slept_ns <= seen.elapsed && seen.in_part >= slept_ns; }));
}

/// The system is asked for a thread's waits, and the program's sleep is one.
TEST(lost_time, is_not_what_the_program_sleeps) {
  EXPECT_TRUE(once([] { return of_work([] { usleep(slept_ns / 1000); }); },
                   [](const times_seen& seen) { return seen.lost == 0 && seen.in_part >= slept_ns; }));
}

/// Returns: what is seen in a child of fork() of work that is by `run_behind_ns` longer than all that its parent's thread had
/// done.
times_seen of_child() {
  int ends[2];
  times_seen seen{};
  if (pipe(ends) != 0) return seen;
  ledger account;
  account.restart(account_now());
  bind_ledger(&account);
  run_for(run_behind_ns);
  account.enter(account_part::own_work);  // looks
  const std::uint64_t parents = ran();
  const pid_t child = fork();
  if (child == 0) {
    const std::uint64_t before = account.spent(account_part::own_work), begin = account_now();
    run_for(parents + run_behind_ns);
    seen = end_part(account, account_part::own_work, begin);
    seen.in_part -= std::min(seen.in_part, before + parents);
    _exit(write(ends[1], &seen, sizeof seen) == sizeof seen ? 0 : 1);
  }
  bind_ledger(nullptr);
  close(ends[1]);
  if (read(ends[0], &seen, sizeof seen) != sizeof seen) seen = {};
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return seen;
}

TEST(lost_time, is_not_what_a_parent_ran_before_it_forked) {
  EXPECT_TRUE(once(&of_child, [](const times_seen& seen) { return seen.in_part >= run_behind_ns; }));
}

/// Returns: how often the thread is asked how long it has run at the end of a part in which it runs so long, and sleeps so long.
/// The scheduler, which counts then, may take its processor.
unsigned asked_behind(std::uint64_t ns, std::uint64_t sleep_ns = 0) {
  ledger account;
  account.restart(account_now());
  bind_ledger(&account);
  atomic<std::uint32_t> word{0};
  if (sleep_ns != 0) park_until(word, 0, now_ns() + sleep_ns, "a while");
  const std::uint64_t since = now_ns();
  while (now_ns() - since < ns) {
  }
  const unsigned before = asked_how_long;
  account.enter(account_part::own_work);
  const unsigned asked = asked_how_long - before;
  bind_ledger(nullptr);
  return asked;
}

TEST(lost_time, is_not_asked_for_where_no_other_thread_had_the_processor) {
  asked_behind(brief_ns);  // the first look at a thread asks
  for (const std::uint64_t sleep_ns : {std::uint64_t{0}, slept_ns}) {
    unsigned least = 1;
    for (unsigned tries = 0; tries < 100 && least != 0; ++tries) least = std::min(least, asked_behind(brief_ns, sleep_ns));
    EXPECT_EQ(least, 0u) << sleep_ns;
  }
}

TEST(lost_time, is_asked_for_behind_a_long_time_as_the_host_may_have_taken_the_processor) {
  asked_behind(brief_ns);
  for (unsigned tries = 0; tries < 10; ++tries) ASSERT_EQ(asked_behind(2 * tuning::runs_unasked_ns), 1u);
}

TEST(lost_time, is_asked_for_behind_many_brief_times) {
  asked_behind(brief_ns);
  unsigned asked = 0;
  for (std::uint64_t passed = 0; passed < 2 * tuning::runs_unasked_ns; passed += brief_ns) asked += asked_behind(brief_ns);
  EXPECT_GE(asked, 1u);
}

}  // namespace
}  // namespace TEFF_NAMESPACE::platform
