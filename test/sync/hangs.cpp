// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs that cannot end say why, and those that can say nothing.
#include "overheard.h"
#include "scene.h"

#include "platform/sanitizers.h"
#include "runtime/make_team.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>
#include <vector>

#ifndef TEFF_SIMULATED
#include "teff/teff.h"
#endif

namespace TEFF_NAMESPACE::testing_sync {
namespace {

constexpr std::size_t few_tasks = 16;
constexpr std::uint64_t second_ns = 1'000'000'000;

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in\n" << text;
}
void expect_no(const std::string& text, const std::string& part) {
  EXPECT_EQ(text.find(part), std::string::npos) << "'" << part << "' is in\n" << text;
}

/// Something that is never destroyed: tasks that wait for ever may hold it.
template <class T>
class undying {
 public:
  template <class... Arguments>
  explicit undying(Arguments&&... arguments) : value_(::new (memory_) T(std::forward<Arguments>(arguments)...)) {}
  T& operator*() { return *value_; }
  T* operator->() { return value_; }

 private:
  alignas(T) std::byte memory_[sizeof(T)];
  T* value_;
};

/// Effect: calls the body on either side, in simulation under some random schedules. Returns: what was written to standard error.
/// `kept`: most tasks that wait for ever; each keeps the block of its closure.
std::string overheard(unsigned workers, unsigned seeds, const std::function<void()>& body, std::size_t kept = 0) {
  ::testing::internal::CaptureStderr();
  on_random_schedules(workers + 4, seeds, body, kept);
  return ::testing::internal::GetCapturedStderr();
}

/// Returns: what run says, which has to be a deadlock; an empty text and a failure if it is none.
std::string explanation_of_run(team& stuck) {
  try {
    stuck.run();
  } catch (const deadlock_error& why) {
    return why.what();
  }
  ADD_FAILURE() << "the run ended";
  return {};
}

/// Effect: plants a deadlock in teams of several pools and sizes. Pre: `plant` adds initial tasks; what it captures lives until
/// the team's end.
/// `expected` has to be in the explanation, and on standard error.
void expect_stuck(const std::function<void(team&)>& plant, std::initializer_list<const char*> expected) {
  for (const char* pool : {"dq8", "sq1", "sq4", "rq3", "dq1"}) {
    for (const unsigned workers : {1u, 2u, 4u}) {
      SCOPED_TRACE(std::string(pool) + " on " + std::to_string(workers));
      std::string why;
      const std::string heard = overheard(workers, few_seeds, [&] {
        team stuck({.pool = pool, .workers = workers});
        plant(stuck);
        why = explanation_of_run(stuck);
      }, few_tasks);
      expect_part(why, "the run cannot end: every task that is left waits");
      expect_part(heard, "teff: the run cannot end");
      for (const char* part : expected) expect_part(why, part);
      expect_no(why, "no worker can get");
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(hangs, a_task_that_locks_twice) {
  expect_stuck(
      [](team& on) {
        on.init([](context&) {
          this_task::set_name("twice");
          undying<mutex> own;
          own->lock();
          own->lock();
        });
      },
      {"(1 task)", "task 1 'twice' waits for a mutex (0x", "which it holds itself", "a circle: task 1 'twice' → a mutex (0x",
       "→ task 1 'twice'\n"});
}

/// Each of so many tasks holds a mutex and wants the next one's.
struct ring {
  explicit ring(unsigned tasks) : all_hold(static_cast<std::ptrdiff_t>(tasks)), mutexes(tasks) {}
  void plant(team& on) {
    for (unsigned task = 0; task < mutexes.size(); ++task) {
      on.init([this, task](context&) {
        static constexpr const char* names[] = {"first", "second", "third"};
        this_task::set_name(names[task]);
        mutexes[task]->lock();
        all_hold->arrive_and_wait();
        mutexes[(task + 1) % mutexes.size()]->lock();
      });
    }
  }

  undying<barrier<>> all_hold;
  std::vector<undying<mutex>> mutexes;
};

TEST(hangs, two_tasks_that_lock_in_opposite_order) {
  expect_stuck(
      [made = std::shared_ptr<ring>()](team& on) mutable {
        made = std::make_shared<ring>(2u);
        made->plant(on);
      },
      {"(2 tasks)", "'first' waits for a mutex", "'second' waits for a mutex", "held by task ", "a circle: "});
}

TEST(hangs, three_tasks_in_a_ring) {
  expect_stuck(
      [made = std::shared_ptr<ring>()](team& on) mutable {
        made = std::make_shared<ring>(3u);
        made->plant(on);
      },
      {"(3 tasks)", "'first' waits for", "'second' waits for", "'third' waits for", "a circle: "});
}

TEST(hangs, a_wait_that_holds_what_a_child_needs) {
  expect_stuck(
      [](team& on) {
        on.init([](context& here) {
          this_task::set_name("parent");
          undying<mutex> needed;
          needed->lock();
          task_group children;
          children.put(here, [&] {
            this_task::set_name("child");
            needed->lock();
          });
          children.wait();
        });
      },
      {"(2 tasks)", "'child' waits for a mutex", "'parent' waits for its children while it holds a mutex (0x",
       "that its child, task ",
       "unlock it before the wait", "a circle: "});
}

TEST(hangs, a_join_that_holds_what_its_second_function_needs) {
  expect_stuck(
      [](team& on) {
        on.init([](context& here) {
          this_task::set_name("parent");
          undying<mutex> needed;
          needed->lock();
          join(here, [] {}, [&] {
            this_task::set_name("second");
            needed->lock();
          });
        });
      },
      {"(2 tasks)", "'second' waits for a mutex", "'parent' waits for its children while it holds a mutex (0x", "a circle: "});
}

TEST(hangs, a_wait_that_holds_what_a_grandchild_needs) {
  expect_stuck(
      [](team& on) {
        on.init([](context& here) {
          this_task::set_name("old");
          undying<mutex> needed;
          needed->lock();
          task_group children;
          children.put(here, [&](context& own) {
            task_group grandchildren;
            grandchildren.put(own, [&] { needed->lock(); });
            grandchildren.wait();
          });
          children.wait();
        });
      },
      {"(3 tasks)", "'old' waits for its children while it holds a mutex", "that its descendant, task "});
}

TEST(hangs, a_mutex_that_a_task_took_with_it) {
  expect_stuck(
      [](team& on) {
        on.init([](context& here) {
          this_task::set_name("late");
          undying<mutex> lost;
          task_group children;
          children.put(here, [&] { lost->lock(); });
          children.wait();
          lost->lock();
        });
      },
      {"'late' waits for a mutex", "held by a task that has ended\n"});
}

TEST(hangs, a_child_that_waits_for_its_own_group) {
  for (const bool parent_waits : {false, true}) {
    expect_stuck(
        [made = std::shared_ptr<undying<task_group>>(), parent_waits](team& on) mutable {
          made = std::make_shared<undying<task_group>>();
          on.init([group = &**made, parent_waits](context& here) {
            this_task::set_name("parent");
            group->put(here, [group](context& own) {
              this_task::set_name("child");
              group->wait(own);
            });
            if (parent_waits) group->wait(here);
          });
        },
        // The parent may be the first that is numbered, or the child.
        {"'child' waits for its children (0x", "a circle: task ", "'child' → its children (0x"});
  }
}

/// Waits for a group when it is destroyed, where it was not moved from.
class waiting_at_its_end {
 public:
  explicit waiting_at_its_end(task_group& group) : group_(&group) {}
  waiting_at_its_end(waiting_at_its_end&& other) noexcept : group_(std::exchange(other.group_, nullptr)) {}
  ~waiting_at_its_end() {
    if (group_ != nullptr) group_->wait();
  }

 private:
  task_group* group_;
};

/// A closure in an argument block, and one in memory of its own.
TEST(hangs, a_closure_whose_end_waits_for_its_own_child) {
  for (const bool large : {false, true}) {
    expect_stuck(
        [made = std::shared_ptr<undying<task_group>>(), large](team& on) mutable {
          made = std::make_shared<undying<task_group>>();
          on.init([group = &**made, large](context& here) {
            const std::array<char, 1000> much{};
            if (large) group->put(here, [much, last = waiting_at_its_end(*group)] { static_cast<void>(much); });
            else group->put(here, [last = waiting_at_its_end(*group)] {});
            group->wait(here);
          });
        },
        {"(2 tasks)", "waits for its children (0x", "a circle: task "});
  }
}

TEST(hangs, a_task_of_a_graph_that_waits_for_what_the_runner_holds) {
  expect_stuck(
      [](team& on) {
        on.init([](context&) {
          this_task::set_name("runner");
          undying<mutex> needed;
          undying<task_graph> graph;
          {
            const platform::sanitizers::leaks_allowed never_destroyed(true);
            graph->add([&] { needed->lock(); }, "needs it");
          }
          needed->lock();
          graph->run();
        });
      },
      {"(2 tasks)", "'needs it' waits for a mutex (0x", "'runner' waits for its children while it holds a mutex (0x",
       "a circle: "});
}

/// Each order in which the objects and the team may be destroyed, and a run in between.
TEST(hangs, objects_of_tasks_that_wait_for_ever_may_be_destroyed) {
  struct objects {
    mutex plain;
    recursive_mutex recursive;
    shared_mutex shared_alone, shared;
    once_flag once;
    mutex held_alone;

    void plant(team& on) {
      on.init([this](context& here) {
        held_alone.lock();
        plain.lock();
        recursive.lock();
        shared_alone.lock();
        shared.lock_shared();
        call_once(once, [&] {
          task_group group;
          group.put(here, [&] { plain.lock(); });
          group.put(here, [&] { recursive.lock(); });
          group.put(here, [&] { shared_alone.lock(); });
          group.put(here, [&] { call_once(once, [] {}); });
          group.wait(here);
        });
      });
    }
  };
  const std::string heard = overheard(2, few_seeds, [] {
    for (const bool objects_first : {false, true}) {
      auto all = std::make_unique<objects>();
      auto stuck = std::make_unique<team>(team_options{.pool = "sq4", .workers = 2});
      all->plant(*stuck);
      explanation_of_run(*stuck);
      if (objects_first) {
        all.reset();
        explanation_of_run(*stuck);
      }
      stuck.reset();
      if (all != nullptr) {
        const foreign_thread other([&] { EXPECT_FALSE(all->plain.try_lock_until(platform::now_ns() + 1'000)); });
      }
    }
  }, few_tasks);
  expect_part(heard, "waits for an object that was destroyed");
}

TEST(hangs, two_circles_at_once) {
  expect_stuck(
      [](team& on) {
        for (const char* name : {"one", "other"}) {
          on.init([name](context&) {
            this_task::set_name(name);
            undying<mutex> own;
            own->lock();
            own->lock();
          });
        }
      },
      {"a circle: task 1 'o", "a circle: task 2 'o"});
}

TEST(hangs, many_alike_are_summed_up) {
  static constexpr unsigned many = 2'000;
  const std::string heard = overheard(2, 1, [] {
    undying<mutex> held;
    team stuck({.workers = 2});
    stuck.init([&](context& here) {
      held->lock();
      for (unsigned i = 0; i < many; ++i) {
        here.put([&](context&) {
          this_task::set_name("alike");
          held->lock();
        });
      }
      held->lock();
    });
    explanation_of_run(stuck);
  }, many);
  expect_part(heard, "… and 1,997 more 'alike' that wait for a mutex\n");
  EXPECT_LT(heard.size(), 2'000u);
}

TEST(hangs, a_long_circle_is_cut) {
  static constexpr unsigned many = 15;
  std::string why;
  overheard(1, 1, [&] {
    undying<barrier<>> all_hold(std::ptrdiff_t{many});
    std::vector<undying<mutex>> mutexes(many);
    team stuck({.pool = "sq4", .workers = 1});
    for (unsigned task = 0; task < many; ++task) {
      stuck.init([&, task](context&) {
        this_task::set_name("alike");
        mutexes[task]->lock();
        all_hold->arrive_and_wait();
        mutexes[(task + 1) % many]->lock();
      });
    }
    why = explanation_of_run(stuck);
  }, few_tasks);
  const std::size_t begins = why.find("  a circle: "), ends = why.find('\n', begins);
  ASSERT_NE(begins, std::string::npos) << why;
  const std::string circle = why.substr(begins, ends - begins);
  expect_part(circle, " → … (3 more) → task ");
  std::size_t shown = 0;
  for (std::size_t at = 0; (at = circle.find("→ a mutex (0x", at)) != std::string::npos; ++at) ++shown;
  EXPECT_EQ(shown, many - 3) << circle;
}

/// Returns: why a team stands still in which so many tasks, each with a name of its own, wait for a mutex.
std::string explanation_of_names(std::size_t tasks) {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made;
    for (char each = 'a'; each <= 'z'; ++each) made.emplace_back(1, each);
    return made;
  }();
  std::string why;
  overheard(1, 1, [&] {
    undying<mutex> held;
    team stuck({.workers = 1});
    for (std::size_t task = 0; task < tasks; ++task) {
      stuck.init([&, task](context&) {
        this_task::set_name(names[task].c_str());
        held->lock();
        held->lock();
      });
    }
    why = explanation_of_run(stuck);
  }, 2 * few_tasks);
  return why;
}

TEST(hangs, many_kinds_are_summed_up) {
  const std::string of_twenty = explanation_of_names(20), of_one_more = explanation_of_names(21);
  const std::string of_more = explanation_of_names(24);
  expect_no(of_twenty, "…");
  expect_part(of_one_more, "  … and 1 task more that waits\n");
  expect_part(of_more, "  … and 4 tasks more that wait\n");
}

TEST(hangs, a_closure_is_called_by_its_type) {
  const platform::sanitizers::leaks_allowed of_the_stuck_task(true);
  const std::string heard = overheard(1, 1, [] {
    team stuck({.workers = 1});
    stuck.init([](context& here) {
      undying<mutex> own;
      own->lock();
      async(here, [&] { own->lock(); }).get();
    });
    explanation_of_run(stuck);
  }, few_tasks);
  expect_part(heard, "lambda");
  expect_no(heard, "async");
  expect_no(heard, "teff::native");
}

/// What a task waits for that only a task of the test ends.
struct friendly final : fibers::awaited {
  const char* kind() const noexcept override { return "a friend"; }
  bool only_tasks_end_it() const noexcept override { return true; }
};

TEST(hangs, a_stuck_team_stays_so_until_new_tasks_help_it) {
  overheard(2, few_seeds, [] {
    undying<task_group> outer;
    undying<mutex> held;
    fibers::fiber* aside = nullptr;
    const friendly kept;
    bool went_on = false;
    team stuck({.workers = 2});
    stuck.init([&](context& here) {
      aside = here.current().carrier->running();
      here.current().carrier->suspend(kept, [](void*) {}, nullptr);
      went_on = true;
    });
    expect_part(explanation_of_run(stuck), "waits for a friend");
    expect_part(explanation_of_run(stuck), "waits for a friend");
    stuck.init([&](context&) { aside->home.make_ready(*aside); });
    stuck.run();
    EXPECT_TRUE(went_on);
  });
}

TEST(hangs, a_task_that_is_woken_after_a_stuck_run_stays_where_it_is) {
  for (const char* pool : {"dq8", "sq1", "dq1"}) {
    overheard(2, few_seeds, [&] {
      const friendly kept;
      fibers::fiber* aside = nullptr;
      bool went_on = false;
      {
        team stuck({.pool = pool, .workers = 2});
        stuck.init([&](context& here) {
          aside = here.current().carrier->running();
          here.current().carrier->suspend(kept, [](void*) {}, nullptr);
          went_on = true;
        });
        explanation_of_run(stuck);
        aside->home.make_ready(*aside);
      }
      EXPECT_FALSE(went_on);
    });
  }
}

#ifdef TEFF_SIMULATED
void pass(std::uint64_t ns) {
  platform::atomic<std::uint32_t> nobody{0};
  const std::uint64_t late = platform::now_ns() + ns;
  while (platform::park_until(nobody, 0, late, "time to pass")) {
  }
}
#endif

TEST(hangs, a_call_of_call_once_within_itself) {
  expect_stuck(
      [](team& on) {
        on.init([](context&) {
          this_task::set_name("again");
          undying<once_flag> flag;
          call_once(*flag, [&] { call_once(*flag, [] {}); });
        });
      },
      {"task 1 'again' waits for the first call of call_once (0x", "which it holds itself",
       "a circle: task 1 'again' → the first call"});
}

#ifdef TEFF_SIMULATED
/// Returns: the milliseconds in "for 512 ms"; 0 if it says nothing of the kind.
unsigned long milliseconds_of(const std::string& text) {
  const std::size_t at = text.find(") for "), end = text.find(" ms", at);
  return at == std::string::npos || end == std::string::npos ? 0 : std::strtoul(text.c_str() + at + 6, nullptr, 10);
}

TEST(hangs, say_since_when) {
  overheard(1, few_seeds, [] {
    team stuck({.pool = "sq4", .workers = 1});  // in this order
    stuck.init([](context&) {
      pass(second_ns / 4);
      undying<mutex> own;
      own->lock();
      own->lock();
    });
    stuck.init([](context&) { pass(second_ns / 2); });
    const std::string why = explanation_of_run(stuck);
    EXPECT_GE(milliseconds_of(why), 490u) << why;
    EXPECT_LE(milliseconds_of(why), 600u) << why;
  }, few_tasks);
}

TEST(hangs, say_since_when_in_seconds_if_it_is_long_ago) {
  overheard(1, few_seeds, [] {
    team stuck({.pool = "sq4", .workers = 1});  // in this order
    stuck.init([](context&) {
      undying<mutex> own;
      own->lock();
      own->lock();
    });
    stuck.init([](context&) { pass(12 * second_ns + second_ns / 2); });
    expect_part(explanation_of_run(stuck), ") for 12 s, ");
  }, few_tasks);
}
#endif

// --- only somebody outside could go on ---------------------------------------------------------------------------------------

#ifdef TEFF_SIMULATED
/// Returns: how often it was said that one task waits for somebody outside.
std::size_t times_outsider_asked(const std::string& heard) {
  const std::string needle = "teff: nothing has run for 1 s: 1 task cannot go on, unless a thread outside of the team helps:";
  std::size_t times = 0;
  for (std::size_t at = 0; (at = heard.find(needle, at)) != std::string::npos; ++at) ++times;
  return times;
}
#endif

/// Effect: runs a team with one task, which waits; a foreign thread ends the wait once the explanation was written.
void expect_outsider_asked(const std::function<void()>& wait, const std::function<void()>& end, const char* kind) {
#ifdef TEFF_SIMULATED
  const std::string heard = overheard(2, few_seeds, [&] {
    team waiting({.workers = 2});
    waiting.init([&](context&) { wait(); });
    foreign_thread outsider([&] {
      pass(5 * second_ns);
      end();
    });
    waiting.run();
  });
  EXPECT_EQ(times_outsider_asked(heard), few_seeds) << "once in a run";
#else
  listener ear;
  team waiting({.workers = 2});
  waiting.init([&](context&) { wait(); });
  foreign_thread outsider([&] {
    ear.await("nothing has run for 1 s: 1 task cannot go on");
    end();
  });
  waiting.run();
  const std::string heard = ear.stop();
#endif
  expect_part(heard, std::string("waits for ") + kind);
}

TEST(hangs, a_lost_notify) {
  mutex held;
  condition_variable changed;
  bool told = false;
  expect_outsider_asked(
      [&] {
        std::unique_lock guard(held);
        changed.wait(guard, [&] { return std::exchange(told, false); });
      },
      [&] {
        const std::lock_guard guard(held);
        told = true;
        changed.notify_one();
      },
      "a condition");
}

TEST(hangs, a_forgotten_fill) {
  full_empty<int> cell;
  expect_outsider_asked([&] { cell.readFE(); }, [&] { cell.writeEF(1); }, "a full/empty cell");
}

TEST(hangs, a_writer_that_reads_itself) {
  shared_mutex read;
  expect_outsider_asked(
      [&] {
        read.lock_shared();
        read.lock();
        read.unlock();
      },
      [&] { read.unlock_shared(); }, "a shared mutex that readers hold (0x");
}

#ifdef TEFF_SIMULATED
TEST(hangs, name_what_is_waited_for) {
  std::optional<latch> later;  // which opens once
  expect_outsider_asked([&] { later.emplace(1).wait(); }, [&] { later->count_down(); }, "a latch (0x");
  counting_semaphore<> free(0);
  expect_outsider_asked([&] { free.acquire(); }, [&] { free.release(); }, "a semaphore (0x");
  channel<int> mail(1);
  expect_outsider_asked([&] { mail.receive(); }, [&] { mail.send(1); }, "a channel (0x");
}
#endif

/// A team of another thread, whose initial task calls `begin`; when that has called its argument, the constructor is over.
class other_team {
 public:
  explicit other_team(std::function<void(context&, const std::function<void()>& begun)> begin)
      : runs_([this, begin = std::move(begin)] {
          team running({.workers = 1});
          running.init([&](context& here) {
            begin(here, [&] {
              begun_.store(1, platform::release);
              platform::wake_all(begun_);
            });
          });
          running.run();
        }) {
    while (begun_.load(platform::acquire) == 0) platform::park(begun_, 0, "the other team to begin");
  }

 private:
  platform::atomic<std::uint32_t> begun_{0};
  foreign_thread runs_;
};

TEST(hangs, a_mutex_that_a_task_of_another_team_holds) {
  const auto wait_for_another_team = [](const std::function<void()>& hold) {
    mutex shared;
    const other_team holding([&](context&, const std::function<void()>& begun) {
      const std::lock_guard guard(shared);
      begun();
      hold();
    });
    team waiting({.workers = 2});
    waiting.init([&](context&) { const std::lock_guard guard(shared); });
    waiting.run();  // a deadlock_error would say that it cannot end
  };
#ifdef TEFF_SIMULATED
  const std::string heard = overheard(4, few_seeds, [&] { wait_for_another_team([] { pass(5 * second_ns); }); });
#else
  listener ear;
  wait_for_another_team([&] { ear.await("nothing has run for 1 s: 1 task cannot go on"); });
  const std::string heard = ear.stop();
#endif
  expect_part(heard, "waits for a mutex (0x");
  expect_part(heard, ", held by a task of another team, or by one that has ended\n");
}

/// Another team, one task of which puts a child into the group; `hold` is called in that.
class team_with_a_child : other_team {
 public:
  team_with_a_child(task_group& group, std::function<void()> hold)
      : other_team([&group, hold = std::move(hold)](context& here, const std::function<void()>& begun) {
          group.put(here, [begun, &hold] {  // the task that begins it may end first
            begun();
            hold();
          });
        }) {}
};

TEST(hangs, a_wait_for_children_that_another_team_runs) {
  const auto wait_for_another_team = [](const std::function<void()>& hold) {
    task_group shared;
    bool ended = false;
    const team_with_a_child other(shared, [&] {
      hold();
      ended = true;
    });
    team waiting({.workers = 2});
    waiting.init([&](context& here) {
      shared.put(here, [] {});
      shared.wait(here);
      EXPECT_TRUE(ended);
    });
    waiting.run();  // a deadlock_error would say that it cannot end
  };
#ifdef TEFF_SIMULATED
  const std::string heard = overheard(4, few_seeds, [&] { wait_for_another_team([] { pass(5 * second_ns); }); });
#else
  listener ear;
  wait_for_another_team([&] { ear.await("nothing has run for 1 s: 1 task cannot go on"); });
  const std::string heard = ear.stop();
#endif
  expect_part(heard,
              "unless a thread outside of the team helps, or another team, which may have children that are waited for:\n");
  expect_part(heard, "waits for its children (0x");
}

/// The last of them ends at any moment of the look that finds nothing else.
TEST(hangs, a_wait_for_children_that_another_team_ends) {
  const auto end_while_it_is_looked = [] {
    task_group shared;
    platform::atomic<unsigned> asleep{0};
    const team_with_a_child other(shared, [&] {
      while (asleep.load(platform::acquire) != few_tasks) platform::pause();
    });
    mutex held;
    team waiting({.pool = "sq1", .workers = 1});
    waiting.init([&](context& here) {
      const std::lock_guard guard(held);
      for (unsigned other_task = 0; other_task < few_tasks; ++other_task) {
        here.put([&](context&) {
          asleep.fetch_add(1, platform::acq_rel);
          const std::lock_guard behind(held);
        });
      }
      shared.wait(here);
    });
    waiting.run();  // a deadlock_error would say that it cannot end
  };
  constexpr unsigned seeds = 500;
  const std::string heard = overheard(4, seeds, [&] {
#ifndef TEFF_SIMULATED
    for (unsigned round = 1; round < seeds; ++round) end_while_it_is_looked();
#endif
    end_while_it_is_looked();
  });
  expect_no(heard, "cannot end");
}

TEST(hangs, a_child_that_waits_for_its_own_group_beside_another_teams) {
  std::string why;
  overheard(
      4, few_seeds,
      [&] {
        undying<task_group> shared;
        platform::atomic<std::uint32_t> told{0};
        const team_with_a_child other(*shared, [&] {
          while (told.load(platform::acquire) == 0) platform::park(told, 0, "the other team to be given up");
        });
        {
          team stuck({.workers = 2});
          stuck.init([&](context& here) {
            shared->put(here, [&](context& own) { shared->wait(own); });
            shared->wait(here);
          });
          why = explanation_of_run(stuck);
        }
        told.store(1, platform::release);
        platform::wake_all(told);
      },
      few_tasks);
  expect_part(why, "the run cannot end: every task that is left waits (2 tasks)");
}

#ifndef TEFF_SIMULATED
TEST(hangs, a_wait_for_a_task_that_the_default_team_runs) {
  listener ear;
  team waiting({.workers = 2});
  waiting.init([&](context&) {
    const auto wait_for_word = [&ear] { ear.await("or another team, which may have children that are waited for:"); };
    auto made = default_team::call([&](context& here) { return async(here, wait_for_word); });
    made.get();
  });
  waiting.run();
}

/// A thread cannot be told before the team has ended: tasks that come to it later might help. One that waits already is, too.
TEST(hangs, leave_futures_that_say_so) {
  const std::string said = "the tasks that this waits for are gone with their team, whose run could not end";
  const auto expect_gone = [&](auto wait) {
    try {
      wait();
      ADD_FAILURE() << "the wait ended";
    } catch (const usage_error& gone) {
      EXPECT_EQ(gone.what(), said);
    }
  };
  undying<mutex> lost;
  std::optional<foreign_thread> waits;
  task_group of_a_thread, wanted_by_both;
  event begun;
  future<void> early, dropped;
  future<int> wanted;
  {
    team stuck({.workers = 2});
    stuck.init([&](context& here) {
      lost->lock();
      const auto wait_for_ever = [&lost] { lost->lock(); };
      wanted = async(here, [wait_for_ever] { return wait_for_ever(), 1; });
      dropped = async(here, wait_for_ever);
      of_a_thread.put(here, wait_for_ever);
      // These have a task that waits, too, and is gone with the team.
      here.put([&](context& waiter) {
        wanted_by_both.put(waiter, [&](context& child) {
          wanted_by_both.put(child, [&] {
            wanted_by_both.cancel();
            begun.set();
            lost->lock();
          });
          throw std::runtime_error("of a child that has ended");
        });
        begun.wait();
        wanted_by_both.wait(waiter);
      });
      early = async(here, wait_for_ever);
      waits.emplace([&] { expect_gone([&] { early.get(); }); });
    });
    listener ear;
    explanation_of_run(stuck);
    ear.stop();
  }
  expect_gone([&] { wanted.get(); });
  EXPECT_FALSE(wanted.valid());
  waits.reset();
  dropped = {};
  // Such groups may be used again, and others are waited for as ever.
  for (task_group* each : {&of_a_thread, &wanted_by_both}) {
    expect_gone([&] { each->wait(); });
    bool ran = false;
    each->put([&ran] { ran = true; });
    each->wait();
    EXPECT_TRUE(ran);
  }
  EXPECT_EQ(default_team::call([] { return 7; }), 7);
}

#ifndef TEFF_SIMULATED
/// In vain, if it is that thread: here another one ends the team.
[[noreturn]] void wait_for_a_stuck_team() {
  alarm(120);  // nothing said is a failure, not a test that hangs
  undying<mutex> held;
  task_group left;
  std::optional<team> stuck(std::in_place, team_options{.workers = 2});
  stuck->init([&](context& here) {
    held->lock();
    left.put(here, [&] { const std::lock_guard guard(*held); });
    const std::lock_guard twice(*held);
  });
  listener ear;
  explanation_of_run(*stuck);
  const foreign_thread ends_it([&] {
    ear.await("teff: a thread waits for tasks, and only teams whose run could not end have any");
    stuck.reset();
  });
  try {
    left.wait();
  } catch (const usage_error&) {
    std::_Exit(0);
  }
  std::_Exit(1);
}

/// Said once: so in a process of its own.
TEST(hangs_death, of_the_thread_that_would_end_the_team_are_told_of) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(wait_for_a_stuck_team(), ::testing::ExitedWithCode(0), "");
}
#endif

TEST(hangs, are_told_of_in_a_later_run_too) {
  team waiting({.workers = 1});
  {
    event go;
    const foreign_thread outsider([&] {
      while (waiting.stats().value("parks") == 0) std::this_thread::yield();
      go.set();
    });
    waiting.init([&](context&) { go.wait(); });
    waiting.run();  // somebody outside was expected, and has come before that was told
  }
  listener ear;
  event go;
  const foreign_thread outsider([&] {
    ear.await("teff: nothing has run for 1 s: 1 task cannot go on");
    go.set();
  });
  waiting.init([&](context&) { go.wait(); });
  waiting.run();
}

void plant_wait_for_itself(team& in, task_group& group) {
  in.init([&group](context& here) {
    group.put(here, [&group](context& own) { group.wait(own); });
    group.wait(here);
  });
}

/// Whatever goes on in other teams: in the one whose task calls the run, and in one that hangs as well.
TEST(hangs, a_wait_for_children_in_a_run_that_a_task_calls) {
  const auto in_a_task = [](auto run) {
    undying<task_group> group;
    std::string why;
    run([&] {
      team stuck({.workers = 2});
      plant_wait_for_itself(stuck, *group);
      why = explanation_of_run(stuck);
    });
    expect_part(why, "the run cannot end: every task that is left waits (2 tasks)");
  };
  ::testing::internal::CaptureStderr();
  in_a_task([](const std::function<void()>& body) {
    team outer({.workers = 2});
    outer.init([&](context&) { body(); });
    outer.run();
  });
  in_a_task([](const std::function<void()>& body) { default_team::call([&] { body(); }); });
  ::testing::internal::GetCapturedStderr();
}

TEST(hangs, waits_for_children_in_two_teams_at_once) {
  ::testing::internal::CaptureStderr();
  std::string why[2];
  {
    const auto hang = [](std::string& text) {
      undying<task_group> group;
      team stuck({.workers = 2});
      plant_wait_for_itself(stuck, *group);
      text = explanation_of_run(stuck);
    };
    const foreign_thread one([&] { hang(why[0]); }), other([&] { hang(why[1]); });
  }
  for (const std::string& each : why) expect_part(each, "the run cannot end: every task that is left waits (2 tasks)");
  ::testing::internal::GetCapturedStderr();
}
#endif

// --- the watchdog ------------------------------------------------------------------------------------------------------------

/// Effect: runs a team whose watchdog waits for `ns` on these initial tasks.
void run_watched(std::uint64_t ns, const std::vector<std::function<void(context&)>>& tasks) {
  const team_options request{"dq8", "dlf", 2, {}, 64, 1, false};
  runtime::team_plan plan;
  ASSERT_EQ(runtime::understand(request, plan), "");
  plan.shape.watchdog_ns = ns;
  const auto watched = runtime::make_team(request, plan);
  for (const auto& each : tasks) watched->init(detail::make_outside_task([&each](context& here) { each(here); }));
  EXPECT_EQ(watched->run(), workers::run_result::finished);
}

/// A task that holds a mutex and does not give it back until `ended`, and one that waits for the mutex.
void run_spinning(std::uint64_t watchdog_ns, const std::function<bool()>& ended) {
  mutex held;
  platform::atomic<bool> locked{false};
  run_watched(watchdog_ns, {[&](context&) {
                              this_task::set_name("spinning");
                              const std::lock_guard guard(held);
                              locked.store(true, platform::release);
                              while (!ended()) platform::pause();
                            },
                            [&](context&) {
                              this_task::set_name("waiting");
                              while (!locked.load(platform::acquire)) platform::pause();
                              const std::lock_guard guard(held);
                            }});
}

const char* const no_progress = "no task has finished, waited or gone on for 0.1 s (TEFF_WATCHDOG); 2 tasks left:\n";

TEST(watchdog, finds_a_task_that_spins) {
#ifdef TEFF_SIMULATED
  const std::string heard = overheard(2, few_seeds, [] {
    const std::uint64_t late = platform::now_ns() + second_ns;
    run_spinning(second_ns / 10, [late] {
      platform::charge(1'000'000);
      return platform::now_ns() > late;
    });
  });
#else
  listener ear;
  run_spinning(second_ns / 10, [&] { return ear.has(no_progress); });
  const std::string heard = ear.stop();
#endif
  expect_part(heard, no_progress);
  expect_part(heard, "task 1 'waiting' waits for a mutex (0x");
  expect_part(heard, ", held by a task that runs or has ended\n");
  expect_part(heard, "  a task 'spinning' runs\n");
}

#ifdef TEFF_SIMULATED
TEST(watchdog, names_a_task_that_sleeps) {
  using namespace std::chrono_literals;
  const std::string heard = overheard(2, few_seeds, [] {
    const std::uint64_t late = platform::now_ns() + second_ns;
    run_watched(second_ns / 10, {[](context&) { this_task::sleep_for(1s); },
                                 [late](context&) {
                                   while (platform::now_ns() < late) platform::charge(1'000'000);
                                 }});
  });
  expect_part(heard, " waits for its time to wake (0x");
}

/// Each child takes half of the watchdog's time, all together ten times as much.
TEST(watchdog, says_nothing_while_tasks_finish) {
  const auto child = [] {
    const std::uint64_t end = platform::now_ns() + second_ns / 20;
    while (platform::now_ns() < end) platform::charge(1'000'000);
  };
  const auto counted = [&](context& here) {
    task_group group;
    for (unsigned round = 0; round < 20; ++round) {
      group.put(here, child);
      group.wait(here);
    }
  };
  const std::string heard = overheard(2, few_seeds, [&] {
    const std::uint64_t begin = platform::now_ns();
    run_watched(second_ns / 10, {counted, counted});
    EXPECT_GE(platform::now_ns() - begin, second_ns);
  });
  EXPECT_EQ(heard, "");
}
#endif

TEST(watchdog, is_asked_for_in_seconds) {
  EXPECT_EQ(runtime::watchdog_ns("5"), 5 * second_ns);
  EXPECT_EQ(runtime::watchdog_ns("0.5"), second_ns / 2);
  EXPECT_EQ(runtime::watchdog_ns("0.001"), second_ns / 1000);
  for (const char* wrong : {"", "0", "-1", "five", "5s", " 5", "1e3", "nan", "inf", "0.0001", "1000001"}) {
    EXPECT_EQ(runtime::watchdog_ns(wrong), std::nullopt) << wrong;
  }
}

#ifndef TEFF_SIMULATED
TEST(watchdog_death, a_wrong_value_is_said_once_and_ignored) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto make_teams = [] {
    setenv("TEFF_WATCHDOG", "soon", 1);
    team first({.workers = 1}), second({.workers = 1});
    first.run();
    std::_Exit(0);
  };
  EXPECT_EXIT(make_teams(), ::testing::ExitedWithCode(0),
              "^teff: the variable TEFF_WATCHDOG cannot be 'soon'; allowed: seconds from 0.001 to 1000000, as 5 or 0.5; it is "
              "ignored\n$");
}

TEST(watchdog, is_asked_for_by_the_environment) {
  setenv("TEFF_WATCHDOG", "0.1", 1);
  listener ear;
  team watched({.workers = 1});
  unsetenv("TEFF_WATCHDOG");
  watched.init([&](context&) {
    this_task::set_name("spinning");
    while (!ear.has("  a task 'spinning' runs\n")) platform::pause();
  });
  watched.run();
  expect_part(ear.stop(), "no task has finished, waited or gone on for 0.1 s (TEFF_WATCHDOG); 1 task left:\n");
}

TEST(hangs, are_a_status_in_c) {
  const std::string heard = overheard(1, 1, [] {
    teff_team* stuck = nullptr;
    ASSERT_EQ(teff_create(&stuck, "dq8", "dlf", 2, 0, "stack=16K", nullptr, 0), TEFF_OK);
    teff_worker* first = nullptr;
    ASSERT_EQ(teff_worker_of(stuck, 0, &first), TEFF_OK);
    const auto lock_twice = [](teff_worker*, void*) {
      undying<mutex> own;
      own->lock();
      own->lock();
    };
    ASSERT_EQ(teff_init(first, lock_twice, nullptr), TEFF_OK);
    EXPECT_EQ(teff_run(stuck), TEFF_STUCK);
    EXPECT_EQ(teff_run(stuck), TEFF_STUCK);
    EXPECT_EQ(teff_finalize(&stuck), TEFF_OK);
  });
  expect_part(heard, "task 1 'test_sync_native+0x");
  expect_part(heard, "which it holds itself");
}
#endif

// --- silence -----------------------------------------------------------------------------------------------------------------

#ifndef TEFF_SIMULATED
/// Longer than it takes until a wait that has no end would be mentioned.
TEST(silence, in_a_timed_wait_of_real_time) {
  listener ear;
  team waiting({.workers = 2});
  waiting.init([](context&) {
    event never;
    EXPECT_FALSE(never.wait_for(std::chrono::milliseconds(1'200)));
  });
  waiting.run();
  EXPECT_EQ(ear.stop(), "");
}
#endif

#ifdef TEFF_SIMULATED

void alone(const std::function<void(context&)>& body) {
  team on({.workers = 2});
  on.init([&](context& here) { body(here); });
  on.run();
}

TEST(silence, while_a_foreign_thread_sleeps_with_a_mutex) {
  EXPECT_EQ(overheard(2, few_seeds,
                      [] {
                        mutex held;
                        held.lock();
                        team waiting({.workers = 2});
                        waiting.init([&](context&) { const std::lock_guard guard(held); });
                        platform::atomic<std::uint32_t> locked{0};
                        held.unlock();
                        foreign_thread holder([&] {
                          const std::lock_guard guard(held);
                          locked.store(1, platform::release);
                          platform::wake_all(locked);
                          pass(5 * second_ns);
                        });
                        while (locked.load(platform::acquire) == 0) platform::park(locked, 0, "the mutex to be held");
                        waiting.run();
                      }),
            "");
}

TEST(silence, while_an_injector_is_open) {
  EXPECT_EQ(overheard(2, few_seeds,
                      [] {
                        event go;
                        team waiting({.workers = 2});
                        waiting.init([&](context&) { go.wait(); });
                        foreign_thread late([&, own = std::make_shared<injector>(waiting)]() mutable {
                          pass(5 * second_ns);
                          own->put([&](context&) { go.set(); });
                          own.reset();
                        });
                        waiting.run();
                      }),
            "");
}

TEST(silence, while_a_call_outside_is_on_its_way) {
  EXPECT_EQ(overheard(2, few_seeds,
                      [] {
                        alone([](context& here) {
                          event done;
                          task_group group;
                          group.put(here, [&] { done.wait(); });
                          blocking([&] { pass(5 * second_ns); });
                          done.set();
                          group.wait();
                        });
                      }),
            "");
}

/// The alarm strikes at the very time at which somebody outside helps after all: in one of some hundred schedules the words come
/// last.
TEST(silence, after_run_has_returned) {
  const std::string begin = "a run begins", end = "the run has returned";
  ::testing::internal::CaptureStderr();
  for (std::uint64_t seed = 1; seed <= 2'000; ++seed) {
    sim::options simulated;
    simulated.strategy = sim::strategy::pct;
    simulated.pct_length = 600;
    simulated.seed = seed;
    const sim::outcome outcome = sim::simulate(simulated, [&] {
      platform::say(begin + "\n");
      event go;
      team waiting({.workers = 1});
      waiting.init([&](context&) { go.wait(); });
      const foreign_thread late([&] {
        pass(second_ns);
        go.set();
      });
      waiting.run();
      platform::say(end + "\n");
      pass(second_ns);
    });
    EXPECT_TRUE(outcome.ok()) << "seed " << seed << "\n" << outcome.report;
  }
  std::istringstream lines(::testing::internal::GetCapturedStderr());
  std::size_t seed = 0;
  bool running = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == begin) ++seed;
    if (line == begin || line == end) running = line == begin;
    else EXPECT_TRUE(running) << "said after the run, seed " << seed << ": " << line;
  }
}

/// Effect: a task waits for two events, one after the other, which a foreign thread sets: the first one 0.6 s after all sleep, the
/// second one so much later. Returns: what was said.
std::string heard_between_two_events(std::uint64_t later_ns) {
  return overheard(2, few_seeds, [later_ns] {
    event first, second;
    team waiting({.workers = 2});
    waiting.init([&](context&) {
      first.wait();
      second.wait();
    });
    const foreign_thread outsider([&] {
      pass(second_ns * 6 / 10);
      first.set();
      pass(later_ns);
      second.set();
    });
    waiting.run();
  });
}

/// What happened since all fell asleep is found by the first look, a second after that; the next one is a second later.
TEST(silence, until_a_look_has_found_nothing_new) { EXPECT_EQ(heard_between_two_events(second_ns * 12 / 10), ""); }

TEST(hangs, are_looked_for_again_when_a_look_found_something_new) {
  EXPECT_EQ(times_outsider_asked(heard_between_two_events(5 * second_ns)), few_seeds) << "once in a run";
}

TEST(silence, in_timed_waits) {
  EXPECT_EQ(overheard(2, few_seeds,
                      [] {
                        alone([](context&) {
                          event never;
                          EXPECT_FALSE(never.wait_for(std::chrono::seconds(5)));
                        });
                      }),
            "");
}

TEST(silence, while_a_task_runs_long) {
  EXPECT_EQ(overheard(2, few_seeds,
                      [] {
                        alone([](context& here) {
                          task_group group;
                          group.put(here, [] { pass(5 * second_ns); });
                          group.wait();
                        });
                      }),
            "");
}

#endif

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_sync
