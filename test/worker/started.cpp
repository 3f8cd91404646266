// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the loop, fibers and waits tell a pool of tasks that have begun: enough to keep them in the order of a depth-first run,
/// with those that wait in their places, on any number of workers.
#include "depth_first.h"
#include "script.h"

#include "pool/wrap/checking.h"
#include "pool/wrap/counting.h"
#include "runtime/make_team.h"
#include "teff/group.hpp"
#include "teff/sync.hpp"
#include "teff/task.hpp"
#include "test/support/sides.h"
#include "worker/loop.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::conformance {
namespace {

using pool::wrap::violations;
using dressed = pool::wrap::checking<pool::wrap::counting<depth_first>>;
static_assert(pool::wrap::is_forwarded_by<dressed, depth_first>);
static_assert(pool::forks<dressed> && pool::follows_waits<dressed> && pool::follows_ends<dressed> && pool::has_quota<dressed>);

/// A task with a context, for which `body` is enough.
class told {
 public:
  explicit told(std::function<void(context&)> body) : body_(std::move(body)) {}
  task as_task() { return {&enter, this}; }

 private:
  static void enter(worker& current, void* self) {
    if (head(current).discarding()) return;
    head(current).here->frame->begin(nullptr);
    static_cast<told*>(self)->body_(*head(current).here);
  }
  std::function<void(context&)> body_;
};

/// Effect: runs the body as a task of a team of so many. Returns: what was wrong with the calls that the pool saw.
template <class Pool>
std::string problem_of(unsigned workers, const std::function<void(context&, workers::team_base&)>& body) {
  violations found;
  {
    const pool::wrap::instruments with{.found = &found};
    workers::team_of<Pool> on(
        {.workers = workers, .seed = 1, .pin = {}, .argument_bytes = 64, .wake = {}, .wait = pool::wait_policy::park},
        pool::settings{}, [](unsigned real, std::size_t bytes) { return runtime::make_memory("dlf", real, bytes, 64); },
        [&](const pool::environment& from) { return Pool(from, with); });
    told root([&](context& here) { body(here, on); });
    on.init(root.as_task());
    if (on.run() != workers::run_result::finished) found.add("the run is stuck");
    if (on.take_exception() != nullptr) found.add("an exception escaped");
  }
  return found.first();
}

/// Under several schedules in simulation.
template <class Pool = dressed>
void expect_no_problem(unsigned workers, const std::function<void(context&, workers::team_base&)>& body) {
#ifdef TEFF_SIMULATED
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    sim::options options;
    options.processors_at_most = workers + 1;
    options.strategy = sim::strategy::random;
    options.seed = seed;
    std::string problem;
    const sim::outcome ended = sim::simulate(options, [&] { problem = problem_of<Pool>(workers, body); });
    ASSERT_TRUE(ended.ok()) << "seed " << seed << "\n" << ended.report;
    ASSERT_EQ(problem, "") << "seed " << seed;
  }
#else
  for (int round = 0; round < 10; ++round) ASSERT_EQ(problem_of<Pool>(workers, body), "");
#endif
}

/// A tree that notes each task when it begins and when it ends.
void grow(context& here, unsigned levels, int number, std::vector<int>& order) {
  order.push_back(number);
  for (int child = 1; levels > 1 && child <= 2; ++child)
    here.put([levels, number, child, &order](context& own) { grow(own, levels - 1, 10 * number + child, order); });
  order.push_back(-number);
}

TEST(started, one_worker_alone_runs_depth_first) {
  std::vector<int> order;
  expect_no_problem(1, [&](context& here, workers::team_base&) {
    order.clear();
    grow(here, 3, 1, order);
  });
  EXPECT_EQ(order, (std::vector<int>{1, 11, 111, -111, 112, -112, -11, 12, 121, -121, 122, -122, -12, -1}));
}

TEST(started, who_waited_goes_on_in_its_place) {
  std::vector<char> order;
  expect_no_problem(1, [&](context& here, workers::team_base&) {
    order.clear();
    event opened;
    task_group both;
    both.put(here, [&](context& own) {
      order.push_back('a');
      opened.wait();  // its creator goes on, and opens
      order.push_back('b');
      own.put([&](context&) { order.push_back('c'); });
      order.push_back('d');
    });
    order.push_back('1');
    opened.set();  // the first child is ready, and in front of this task; nothing asks the pool yet
    order.push_back('2');
    both.put(here, [&](context&) { order.push_back('x'); });  // begins at once; when it ends, the first one is next
    order.push_back('3');
    both.wait(here);
  });
  EXPECT_EQ(std::string(order.begin(), order.end()), "a12xbcd3");
}

TEST(started, who_has_used_up_its_quota_lets_those_before_it_go_first) {
  std::vector<char> order;
  expect_no_problem(1, [&](context& here, workers::team_base& on) {
    order.clear();
    event opened;
    task_group group;
    group.put(here, [&](context&) {
      opened.wait();
      order.push_back('b');
    });
    opened.set();
    on.allocated(here.current(), depth_first::quota);
    order.push_back('1');
    on.allocated(here.current(), 1);
    order.push_back('2');
    on.allocated(here.current(), depth_first::quota);
    order.push_back('3');
    group.wait(here);
  });
  EXPECT_EQ(std::string(order.begin(), order.end()), "1b23");
}

/// Tasks that fork, wait for children, events and a mutex, and fork while they hold it.
unsigned live_through_all(context& here, unsigned levels, mutex& one_at_a_time, unsigned& inside) {
  if (levels == 0) return 1;
  task_group children;
  event go;
  unsigned sums[2] = {};
  for (unsigned& sum : sums) {
    children.put(here, [&, levels](context& own) {
      go.wait();
      sum = live_through_all(own, levels - 1, one_at_a_time, inside);
    });
  }
  go.set();
  children.wait(here);
  one_at_a_time.lock();
  const bool alone = inside++ == 0;
  children.put(here, [](context&) {});
  --inside;
  one_at_a_time.unlock();
  children.wait(here);
  return alone ? sums[0] + sums[1] : 1'000'000;
}

TEST(started, a_program_that_waits_everywhere_tells_each_step_in_turn) {
  for (const unsigned workers : {1u, 2u, 4u}) {
    expect_no_problem(workers, [](context& here, workers::team_base&) {
      mutex one_at_a_time;
      unsigned inside = 0;
      EXPECT_EQ(live_through_all(here, 4, one_at_a_time, inside), 16u);
    });
  }
}

TEST(started, what_goes_on_past_the_pool_is_told_too) {
  expect_no_problem(2, [](context& here, workers::team_base&) {
    task_group group;
    event opened;
    for (int waiting = 0; waiting < 3; ++waiting) {
      group.put(here, [&](context& own) {
        own.pin();  // it goes on on its worker
        opened.wait();
        own.unpin();
      });
    }
    opened.set();
    group.wait(here);
  });
}

TEST(started, a_task_of_one_worker_alone_begins_without_a_word) {
  expect_no_problem(1, [](context& here, workers::team_base& on) {
    event ran;
    told bound([&](context& own) {
      EXPECT_EQ(own.own.word, nullptr);
      ran.set();
    });
    task_group before;
    before.put(here, [](context& own) { own.put([](context&) {}); });  // their loops have had words
    on.open_source();
    EXPECT_TRUE(on.make_ready(0, bound.as_task()));
    on.close_source();
    ran.wait();
    before.wait(here);
  });
}

#ifdef TEFF_SIMULATED
/// Forgets one of the calls. Each is needed. Natively such a run might never end.
template <int Call>
class deaf : public depth_first {
 public:
  using depth_first::depth_first;
  void fork(worker& current, started& parent, started& child) {
    if (Call != 0) depth_first::fork(current, parent, child);
  }
  void blocked(worker& current, started& who) {
    if (Call != 1) depth_first::blocked(current, who);
  }
  void finished(worker& current, started& who) {
    if (Call != 2) depth_first::finished(current, who);
  }
  pool::advice unblocked(worker* current, started& who, task again) {
    return Call == 3 && again.entry == nullptr ? pool::advice(pool::advice::wake_none)
                                               : depth_first::unblocked(current, who, again);
  }
};

template <int Call>
std::string what_a_deaf_pool_sees() {
  std::string problem;
  sim::options options;
  options.expects_failure = true;
  const sim::outcome ended = sim::simulate(options, [&] {
    problem = problem_of<deaf<Call>>(1, [](context& here, workers::team_base&) {
      task_group group;
      event opened;
      group.put(here, [&](context& own) {
        own.pin();
        opened.wait();
        own.unpin();
      });
      opened.set();
      group.wait(here);
    });
  });
  return ended.ok() ? problem : ended.report;
}

/// Two tasks wait, and may go on in the order in which they were created. Returns: in which they do.
template <int Call>
std::string order_by_a_deaf_pool() {
  std::string order;
  sim::options options;
  options.expects_failure = true;
  sim::simulate(options, [&] {
    problem_of<deaf<Call>>(1, [&](context& here, workers::team_base&) {
      event go[2];
      task_group both;
      for (const int child : {0, 1}) {
        both.put(here, [&, child](context&) {
          go[child].wait();
          order.push_back(static_cast<char>('a' + child));
        });
      }
      for (event& each : go) each.set();
      both.wait(here);
    });
  });
  return order;
}

TEST(started, a_call_that_is_left_out_is_found) {
  EXPECT_EQ(order_by_a_deaf_pool<-1>(), "ab");
  EXPECT_EQ(order_by_a_deaf_pool<0>(), "ba");  // it knows no place of theirs
  EXPECT_EQ(what_a_deaf_pool_sees<-1>(), "");
  EXPECT_NE(what_a_deaf_pool_sees<1>(), "");
  EXPECT_NE(what_a_deaf_pool_sees<2>(), "");
  EXPECT_NE(what_a_deaf_pool_sees<3>(), "");
}
#endif

}  // namespace
}  // namespace TEFF_NAMESPACE::conformance
