// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which teams know that too many threads are in regions.
#include "compat/openmp/crowd.h"

#include "compat/openmp/entry.h"
#include "platform/sanitizers.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <thread>
#include <utility>

namespace TEFF_NAMESPACE::openmp {
namespace {

/// Effect: opens a region of so many threads; its first member runs the body.
void in_region(unsigned threads, std::function<void(bool crowded)> body) {
  const auto part = [](void* data) {
    member& current = self();
    if (current.id == 0) (*static_cast<std::function<void(bool)>*>(data))(current.in.crowded.load(platform::relaxed));
  };
  run_region(part, &body, threads, 0);
}

/// Effect: the same, by a thread of its own, as soon as it is there.
void in_region_of_another_thread(unsigned threads, const std::function<void(bool crowded)>& body) {
  std::thread another(in_region, threads, body);
  another.join();
}

/// Whether two threads that open regions of so many in turn, and never at once, see a crowd.
bool take_turns(unsigned threads) {
  platform::atomic<unsigned> turn{0};
  platform::atomic<bool> seen{false};
  const auto open_regions = [&](unsigned me) {
    for (unsigned round = 0; round < 100; ++round) {
      while (turn.load(platform::acquire) % 2 != me) platform::yield_processor();
      in_region(threads, [&](bool crowded) {
        if (crowded) seen.store(true, platform::relaxed);
      });
      turn.fetch_add(1, platform::release);
    }
  };
  std::thread other(open_regions, 1u);
  open_regions(0);
  other.join();
  return seen.load(platform::relaxed);
}

TEST(crowd, is_of_regions_that_threads_open_in_turn) { EXPECT_TRUE(take_turns(std::max(2u, processors()))); }

TEST(openers, count_together_while_they_open_regions) {
  openers tried;
  openers::own one, other;
  EXPECT_EQ(tried.open(one, 2), 2u);
  const auto open_both = [&](unsigned first, unsigned second) {
    tried.open(one, first);
    return tried.open(other, second);
  };
  // A period may end between the two.
  while (open_both(2, 3) != 5) {
  }
  while (open_both(4, 1) != 5) {
  }
  while (tried.open(one, 2) != 2) {
  }  // the other one stays away
  for (unsigned all = 0; all != 12;) {
    while (open_both(2, 3) != 5) {
    }
    {
      openers::own third;  // opens once: so it is of one period alone
      all = tried.open(third, 7);
    }
    EXPECT_LE(open_both(2, 3), 5u) << "the third one is gone";
  }
}

TEST(openers, of_a_child_are_none_of_its_parents) {
  openers tried;
  openers::own one, other;
  tried.open(one, 2);
  while (tried.open(other, 3) != 5) tried.open(one, 2);
  tried.begin_anew(one);
  EXPECT_EQ(tried.open(one, 2), 2u);
  openers::own third;
  EXPECT_LE(tried.open(third, 1), 1u + 2u) << "nobody's regions are left";
}

TEST(openers, one_alone_is_no_others) {
  openers tried;
  openers::own one;
  {
    openers::own other;
    tried.open(one, 2);
    tried.open(other, 3);
  }
  EXPECT_EQ(tried.open(one, 2), 2u);
}

TEST(crowd, is_of_all_teams_whose_regions_are_open) {
  const unsigned all = processors();
  unsigned calls = 0;
  in_region(all, [&](bool alone) {
    EXPECT_FALSE(alone);
    in_region_of_another_thread(std::max(2u, all), [&](bool crowded) {
      EXPECT_TRUE(crowded);
      ++calls;
    });
    in_region_of_another_thread(1, [&](bool crowded) {
      EXPECT_FALSE(crowded) << "a thread without others waits for nobody";
      ++calls;
    });
  });
  in_region(all, [&](bool crowded) {
    EXPECT_FALSE(crowded) << "the others are over";
    ++calls;
  });
  in_region(all + 1, [&](bool crowded) {
    EXPECT_TRUE(crowded);
    ++calls;
  });
  EXPECT_EQ(calls, 4u);
}

std::uint32_t threads() { return threads_in_regions.enter(0); }

/// Regions lie in regions while there is one.
class active_levels {
 public:
  explicit active_levels(unsigned levels) : before_(icvs_of(self()).active_levels) { set(levels); }
  ~active_levels() { set(before_); }
  active_levels(const active_levels&) = delete;
  active_levels& operator=(const active_levels&) = delete;

 private:
  static void set(unsigned levels) {
    change_icvs(self(), [&](icvs& own) { own.active_levels = levels; });
  }

  const unsigned before_;
};

TEST(crowd, has_the_opener_of_a_region_inside_once) {
  const unsigned outer = std::max(2u, processors());
  const active_levels two(2);
  in_region(outer, [&](bool) {
    EXPECT_EQ(threads(), outer);
    in_region(2, [&](bool crowded) {
      EXPECT_TRUE(crowded);
      EXPECT_EQ(threads(), outer + 1);
    });
    in_region(1, [&](bool) { EXPECT_EQ(threads(), outer); });
    team& of_target = open_target(self(), 0);
    in_region(2, [&](bool) { EXPECT_EQ(threads(), outer + 1) << "a target region lies in between"; });
    close_region(of_target[0]);
  });
  EXPECT_EQ(threads(), 0u);
}

TEST(crowd, has_nobody_of_a_region_in_which_a_thread_has_ended) {
  std::thread opener([] { in_region(2, [](bool) { pthread_exit(nullptr); }); });
  opener.join();
  EXPECT_EQ(threads(), 0u);
}

/// Nor of those around it, which are not over either.
TEST(crowd, has_nobody_of_regions_around_one_in_which_a_thread_has_ended) {
  platform::atomic<bool> is_there{false};
  std::thread outer([&] {
    const active_levels two(2);
    in_region(2, [&](bool) {
      const auto end = [](void* there) {
        if (self().id == 0) return;
        static_cast<platform::atomic<bool>*>(there)->store(true, platform::release);
        pthread_exit(nullptr);
      };
      run_region(end, &is_there, 2, 0);
    });
  });
  outer.detach();  // its region waits for ever for who has ended
  while (!is_there.load(platform::acquire) || threads() != 0) std::this_thread::yield();
}

TEST(crowd, of_a_child_has_nobody_of_its_parents) {
  int status = -1;
  in_region(2, [&](bool) {
    const pid_t child = fork();
    if (child == 0) {
      const active_levels two(2);
      bool knows = threads() == 0;
#ifndef TEFF_THREAD_SANITIZER  // which ends children with threads
      in_region(processors() + 1, [&](bool crowded) { knows = knows && crowded; });
#endif
      _exit(knows ? 0 : 1);
    }
    ASSERT_EQ(waitpid(child, &status, 0), child);
  });
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace TEFF_NAMESPACE::openmp
