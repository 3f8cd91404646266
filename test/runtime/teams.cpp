// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Teams: many workers, several teams, wrong moments, wrong words.
#include "helpers.h"

#ifndef TEFF_SIMULATED
#include "platform/native/processors.h"
#endif

#include <memory>

namespace TEFF_NAMESPACE::testing_runtime {
namespace {

TEST(teams, of_every_size_work_on_few_processors) {
  for (const unsigned workers : {1u, 3u, 16u, 256u}) {
    for (const char* wait : {"wait=park", "wait=spin-then-park"}) {
      on_this_side(2, [&] {
        team on({.workers = workers, .settings = {wait}});
        EXPECT_EQ(on.workers(), workers);
        tree tasks(10);
        for (int run = 1; run <= 2; ++run) {
          tasks.start(on);
          on.run();
          EXPECT_EQ(tasks.first_not_run(run), 0u) << workers;
        }
      });
    }
  }
}

#ifdef TEFF_SIMULATED
unsigned processors_allowed() { return 1; }
#else
unsigned processors_allowed() { return static_cast<unsigned>(platform::processors_by_affinity().size()); }
#endif

/// Returns: on how many processors the thread of worker 1 of such a team may run.
unsigned processors_of_worker_1(const team_options& of) {
  unsigned seen = 0;
  on_this_side(2, [&] {
    team on(of);
    platform::atomic<std::uint32_t> met{0};
    const auto meet = [&](context& here) {  // two that wait for each other are on two workers
      if (here.worker_id() == 1) seen = processors_allowed();
      if (met.fetch_add(1, platform::acq_rel) == 1) return platform::wake_all(met);
      while (met.load(platform::acquire) < 2) platform::park(met, 1, "the other of two tasks");
    };
    on.init([&](context& here) {
      task_group both;
      both.put(here, meet);
      both.put(here, meet);
      both.wait(here);
    });
    on.run();
  });
  return seen;
}

TEST(teams, may_bind_their_workers) {
  const unsigned all = processors_allowed();
  for (const char* pool : {"teff", "mts", "q"}) {
    EXPECT_EQ(processors_of_worker_1({.pool = pool, .workers = 2, .settings = {"pin=processor"}}), 1u) << pool;
    EXPECT_EQ(processors_of_worker_1({.pool = pool, .workers = 2, .settings = {"pin=no"}}), all) << pool;
    EXPECT_GE(processors_of_worker_1({.pool = pool, .workers = 2, .settings = {"pin=domain"}}), 1u) << pool;
  }
  EXPECT_EQ(processors_of_worker_1({.workers = 2, .pin = true}), 1u);
  EXPECT_EQ(processors_of_worker_1({.workers = 2, .settings = {"pin=no"}, .pin = true}), all) << "the setting is the later word";
}

TEST(teams, several_run_at_once_from_several_threads) {
  on_this_side(9, [] {
    const auto work = [](const std::string& pool) {
      team on({.pool = pool, .workers = 3});
      tree tasks(6);
      for (int run = 1; run <= 3; ++run) {
        tasks.start(on);
        on.run();
        EXPECT_EQ(tasks.first_not_run(run), 0u) << pool;
      }
    };
    foreign_thread first([&] { work("dq8"); });
    foreign_thread second([&] { work("sq1"); });
    work("dq5");
  });
}

TEST(teams, run_inside_tasks_of_other_teams) {
  on_this_side(4, [] {
    team outer({.workers = 2});
    team inner({.workers = 2});
    tree tasks(5);
    outer.init([&](context& here) {
      const unsigned before = here.worker_id();
      tasks.start(inner);
      inner.run();
      EXPECT_EQ(here.worker_id(), before);
      here.put([](context&) {});
    });
    outer.run();
    EXPECT_EQ(tasks.first_not_run(1), 0u);
    EXPECT_EQ(outer.stats().value("tasks_run"), 2u);
  });
}

TEST(teams, may_be_used_by_one_thread_after_another) {
  on_this_side(3, [] {
    team on({.workers = 2});
    tree tasks(5);
    {
      foreign_thread other([&] {
        tasks.start(on);
        on.run();
      });
    }
    tasks.start(on);
    on.run();
    EXPECT_EQ(tasks.first_not_run(2), 0u);
  });
}

TEST(teams, take_initial_tasks_from_many_threads) {
  on_this_side(4, [] {
    census all;
    team on({.workers = 2});
    {
      const auto init = [&] {
        for (int i = 0; i < 20; ++i) on.init([held = all.make()](context&) { held.ran(); });
      };
      foreign_thread first(init), second(init);
      init();
    }
    on.run();
    EXPECT_EQ(all.runs(), 60);
  });
}

TEST(teams, tell_what_they_count_while_they_run) {
  for (const std::string& pool : pool_names()) {
    on_this_side(3, [&] {
      team on({.pool = pool, .workers = 2});
      tree tasks(8);
      tasks.start(on);
      auto source = std::make_unique<injector>(on);
      foreign_thread observer([&] {
        for (;;) {
          const statistics now = on.stats();
          EXPECT_LE(now.value("tasks_run"), tasks.tasks());
          if (now.value("tasks_run") == tasks.tasks()) break;
          platform::pause();
        }
        source.reset();
      });
      on.run();
    });
  }
}

TEST(wrong_moments, a_run_inside_a_task_of_the_same_team_is_refused) {
  on_this_side(2, [] {
    team on({.workers = 2});
    on.init([&](context&) {
      EXPECT_EQ(sentence_of([&] { on.run(); }),
                "run was called from a task of this team, or while another thread runs it: one run at a time");
    });
    on.run();
    tree tasks(4);
    tasks.start(on);
    on.run();
    EXPECT_EQ(tasks.first_not_run(1), 0u);
  });
}

TEST(wrong_moments, a_second_run_from_another_thread_is_refused) {
  on_this_side(3, [] {
    team on({.workers = 2});
    auto source = std::make_unique<injector>(on);
    platform::atomic<std::uint32_t> running{0};
    on.init([&](context&) {
      running.store(1, platform::release);
      platform::wake_all(running);
    });
    foreign_thread other([&] {
      while (running.load(platform::acquire) == 0) platform::park(running, 0, "the run to begin");
      EXPECT_NE(sentence_of([&] { on.run(); }), "");
      source.reset();
    });
    on.run();
  });
}

TEST(wrong_moments, an_init_during_a_run_is_refused_and_destroys_its_argument) {
  on_this_side(2, [] {
    census all;
    team on({.workers = 2});
    on.init([&](context&) {
      EXPECT_EQ(sentence_of([&] { on.init([held = all.make()](context&) { held.ran(); }); }),
                "init was called during a run: use an injector, or put from a task");
    });
    on.run();
    EXPECT_EQ(all.alive(), 0);
    EXPECT_EQ(all.runs(), 0);
    EXPECT_EQ(on.stats().value("tasks_run"), 1u);
  });
}

std::string refusal(const team_options& wanted) {
  return sentence_of([&] { team on(wanted); });
}

/// Returns: the names of a catalogue as a sentence lists them.
std::string listed(const auto& lines) {
  std::string text;
  for (const catalogue_line& each : lines) text += (text.empty() ? "" : ", ") + std::string(each.name);
  return text;
}

TEST(wrong_words, are_named_with_what_is_allowed) {
  EXPECT_EQ(refusal({.pool = "dq9"}), "unknown pool 'dq9'; did you mean 'dq1'? allowed: " + listed(list_pools()));
  EXPECT_EQ(refusal({.pool = ""}), "unknown pool ''; allowed: " + listed(list_pools()));
  EXPECT_EQ(refusal({.memory = "clg"}), "unknown memory manager 'clg'; did you mean 'cl'? allowed: " + listed(list_managers()));
  EXPECT_EQ(refusal({.argument_bytes = 4097}), "argument blocks cannot have 4097 bytes; allowed: 0 … 4096");
  EXPECT_EQ(
      refusal({.workers = 3, .settings = {"domains=1x2"}}),
      "setting domains names places for 2 workers, but there are 3; allowed: CxW with C times W at least the number of workers");
  EXPECT_EQ(refusal({.workers = 8, .settings = {"pin=domain", "domains=2x4"}}),
            "setting pin cannot be 'domain' where domains are numbers, which say nothing of processors; allowed: no, processor");
  EXPECT_EQ(refusal({.pool = "sq1", .settings = {"block=4"}}),
            "unknown setting of pool sq1 and memory manager clf 'block': only others have it (tasks per block); allowed: lock, "
            "wake, wait, stack, outside, domains, pin, local");
  EXPECT_EQ(refusal({.pool = "dq8", .settings = {"block=0"}}), "setting block cannot be '0'; allowed: 1 … 1024");
  EXPECT_EQ(refusal({.pool = "dq8", .settings = {"wait=parc"}}),
            "setting wait cannot be 'parc'; allowed: spin, park, spin-then-park");
}

TEST(wrong_words, numbers_of_workers_have_a_limit) {
#ifdef TEFF_SIMULATED
  EXPECT_EQ(refusal({.workers = 1025}),
            "the number of workers cannot be 1025; allowed: 1 … 1024, or 0 for the usable processors");
#else
  EXPECT_EQ(refusal({.workers = 257}), "the number of workers cannot be 257; allowed: 1 … 256, or 0 for the usable processors");
#endif
}

TEST(wrong_words, settings_without_a_value_are_named) {
  EXPECT_NE(refusal({.settings = {"block"}}).find("'block'"), std::string::npos);
  EXPECT_NE(refusal({.settings = {"=4"}}).find("allowed: "), std::string::npos);
}

TEST(wrong_words, of_lists_and_counters_are_named) {
  EXPECT_EQ(sentence_of([] { list_settings("dq88"); }),
            "unknown pool 'dq88'; did you mean 'dq8'? allowed: " + listed(list_pools()));
  on_this_side(1, [] {
    team on({.workers = 1});
    EXPECT_EQ(sentence_of([&] { on.stats().value("tasks_ran"); }).substr(0, 64),
              "unknown counter 'tasks_ran'; did you mean 'tasks_run'? allowed: ");
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_runtime
