// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite.h"

#include "platform/tuning.h"

#include "test/support/workers.h"

#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>
#include <utility>

namespace TEFF_NAMESPACE::conformance {

namespace {

#ifdef TEFF_SIMULATED
constexpr unsigned growth_tasks = 2'000, growth_tasks_alone = growth_tasks;
constexpr unsigned tree_levels = 6;
constexpr unsigned spinning_workers_at_most = ~0u;
#else
/// More than the bounds of eight workers together; who is alone counts beyond 16 bits.
constexpr unsigned growth_tasks = tuning::small ? 10'000 : 40'000, growth_tasks_alone = 100'000;
constexpr unsigned tree_levels = 9;
/// Many more spinning threads than processors only pass their time slices.
constexpr unsigned spinning_workers_at_most = 4;
#endif

/// More than any pool of the catalogue keeps to its owner.
constexpr unsigned more_than_kept = 64;

/// A pool without a team, between two workers, the first of which has put many tasks. Effect of its end: they are taken out.
class between_two {
 public:
  between_two(const trial& of, const std::string& manager)
      : memory_(runtime::make_memory(manager, 2, of.traits->block_bytes(set_), 64)),
        alone_(of.make_pool(pool::environment{2, memory_, set_, places_})) {
    for (unsigned i = 0; i < more_than_kept; ++i) note(pool().put(staff[0], tasks.add().as_task()));
  }
  between_two(const between_two&) = delete;
  between_two& operator=(const between_two&) = delete;
  ~between_two() {
    for (task taken; gets(0, taken) || gets(1, taken);) {
    }
    pool().close(staff[0]);
  }

  pool_face& pool() { return alone_->face(); }
  bool gets(unsigned taker, task& taken) {
    for (;;) {
      const pool::get_result result = pool().get(staff[taker], taken);
      if (result.what != pool::get_result::retry) return result.has_task();
    }
  }

  void inject() { note(pool().inject(tasks.add().as_task())); }
  /// Returns: how many of the tasks are for the first worker, as far as the pool has said whose they are.
  unsigned for_the_first() const { return for_the_first_; }

  testing_support::crew staff{2};
  script tasks;

 private:
  void note(pool::advice advised) { for_the_first_ += advised.end == 0 || advised.first == 0 ? 1 : 0; }

  unsigned for_the_first_ = 0;
  const pool::worker_places places_{std::vector<unsigned>{0, 0}};
  const pool::settings set_;
  mem::memory memory_;
  const std::unique_ptr<any_pool> alone_;
};

class suite {
 public:
  suite(const trial& of, const plan& how) : of_(of), how_(how) {}

  /// Returns: the first problem, with the scenario that found it; an empty text if there is none.
  std::string run() {
    for (const scenario& each : scenarios) {
      const std::string problem = on_this_side(how_, [&](findings& found) { (this->*each.play)(found); });
      if (!problem.empty()) return std::string(each.name) + ": " + problem;
    }
    return {};
  }

 private:
  struct scenario {
    const char* name;
    void (suite::*play)(findings&);
  };

  // --- each task exactly once ----------------------------------------------------------------------------------------------

  void several_runs(findings& found) {
    script tasks;
    step& root = tasks.add_tree(tree_levels, 2);
    subject here(of_, how_, found);
    for (std::uint64_t run = 1; run <= 3; ++run) {
      here.init(root);
      here.run();
      found.expect_none(tasks.not_run(run));
      if (found.count() > 0) return;
    }
    here.run();  // without any task
    found.expect_none(tasks.not_run(3));
  }

  template <pool::wake_policy Wake, pool::wait_policy Wait>
  void policies(findings& found) {
    if (Wait == pool::wait_policy::spin && how_.workers > spinning_workers_at_most) return;
    script tasks;
    step& root = tasks.add_tree(3, 5);
    subject here(of_, how_, found, Wake, Wait);
    here.init(root);
    here.run();
    found.expect_none(tasks.not_run(1));
  }

  void many_tasks_from_one(findings& found) {
    const unsigned count = how_.workers == 1 ? growth_tasks_alone : growth_tasks;
    script tasks;
    for (unsigned i = 0; i < count; ++i) tasks.add();
    step& root = tasks.add();
    root.body = [&](worker& current) {
      for (unsigned i = 0; i < count; ++i) put(current, tasks[i]);
    };
    subject here(of_, how_, found);
    here.init(root);
    here.run();
    found.expect_none(tasks.not_run(1));
    const auto peak = here.team().totals().peak_live_tasks;
    if (of_.traits->bounded) {
      // Beside the bound: what thieves have moved, and the root when it goes on.
      found.expect(peak <= (tuning::live_tasks_per_worker + 64u) * here.workers(), "more tasks waited than the pool's bound");
      const std::uint64_t at_bound = here.value(trace::counter::run_first) + here.value(trace::counter::steals_got);
      found.expect(at_bound > 0, "the bound was not reached");
    } else if (here.workers() == 1 && here.took_every_task()) {
      found.expect(peak >= count, "peak_live_tasks forgets tasks that waited: " + std::to_string(peak));
    }
  }

  void initial_tasks_from_threads(findings& found) {
    constexpr unsigned threads = 3, each_inits = 7;
    script tasks;
    for (unsigned i = 0; i < threads * each_inits; ++i) tasks.add_tree(2, 2);
    subject here(of_, how_, found);
    testing_support::run_on_each(threads, [&](unsigned me) {
      for (unsigned i = 0; i < each_inits; ++i) here.init(tasks[3 * (me * each_inits + i)]);
    });
    here.run();
    found.expect_none(tasks.not_run(1));
  }

  void arguments(findings& found) {
    struct node {
      platform::atomic<std::uint64_t>* ran;
      unsigned levels;
      static void enter(worker& current, void* block) {
        const node self = *static_cast<node*>(block);
        const worker_operations& team = *head(current).operations;
        team.release_argument(current, block);
        self.ran->fetch_add(1, platform::relaxed);
        for (unsigned child = 0; child < 2 && self.levels > 1; ++child) {
          put(current, {&enter, ::new (team.allocate_argument(current)) node{self.ran, self.levels - 1}});
        }
      }
    };
    platform::atomic<std::uint64_t> ran{0};
    script tasks;
    step& root = tasks.add([&](worker& current) {
      node::enter(current, ::new (head(current).operations->allocate_argument(current)) node{&ran, tree_levels});
    });
    subject here(of_, how_, found);
    here.init(root);
    here.run();
    found.expect(ran.load(platform::relaxed) == (1u << tree_levels) - 1, "not each task with an argument block ran once");
  }

  void several_teams(findings& found) {
    constexpr unsigned teams = 2;
    script tasks[teams];
    {
      std::unique_ptr<subject> here[teams];
      for (unsigned i = 0; i < teams; ++i) {
        here[i] = std::make_unique<subject>(of_, how_, found);
        here[i]->init(tasks[i].add_tree(tree_levels - 1, 2));
      }
      testing_support::run_on_each(teams, [&](unsigned me) { here[me]->run(); });
    }
    for (const script& each : tasks) found.expect_none(each.not_run(1));
  }

  // --- order ---------------------------------------------------------------------------------------------------------------

  void order_of_one_worker(findings& found) {
    if (how_.workers != 1) return;
    script tasks;
    std::vector<std::size_t> order;
    std::vector<std::vector<step*>> children;
    const auto noting = [&](std::size_t id) {
      return [&, id](worker& current) {
        order.push_back(id);
        for (step* child : children[id]) put(current, *child);
      };
    };
    constexpr std::size_t fan = 12;  // 1 + 12 + 144: over several blocks, and back
    for (std::size_t id = 0; id < 1 + fan + fan * fan; ++id) {
      tasks.add(noting(id));
      children.emplace_back();
      if (id > 0) children[(id - 1) / fan].push_back(&tasks[id]);
    }
    subject here(of_, how_, found);
    here.init(tasks[0]);
    here.run();
    found.expect_none(tasks.not_run(1));
    if (here.took_every_task() && how_.alone != pool::order::none)
      found.expect(order == promised_order(children), "a single worker ran its tasks in another order than promised");
  }

  std::vector<std::size_t> promised_order(const std::vector<std::vector<step*>>& children) const {
    std::deque<std::size_t> waiting{0};
    std::vector<std::size_t> order;
    while (!waiting.empty()) {
      const bool newest = how_.alone == pool::order::lifo;
      order.push_back(newest ? waiting.back() : waiting.front());
      newest ? waiting.pop_back() : waiting.pop_front();
      for (const step* child : children[order.back()]) waiting.push_back(child->id);
    }
    return order;
  }

  // --- taking back -----------------------------------------------------------------------------------------------------------

  /// What whoever takes a task back does, in place of the loop: the task is finished without having run.
  static void finish_unrun(worker& current) {
    auto& self = static_cast<workers::member&>(current);
    self.finished.store(self.finished.load(platform::relaxed) + 1, platform::release);
  }

  void take_back(findings& found) {
    constexpr unsigned count = 10;  // across the edges of blocks
    script tasks;
    for (unsigned i = 0; i < count; ++i) tasks.add();
    step& never_put = tasks.add();
    std::vector<bool> taken(count, false);
    subject here(of_, how_, found);
    step& root = tasks.add();
    root.body = [&](worker& current) {
      for (unsigned i = 0; i < count; ++i) put(current, tasks[i]);
      for (unsigned i = 0; i < count; i += 2) {
        taken[i] = here.pool().take_back(current, tasks[i].as_task());
        if (!taken[i]) {
          found.expect(how_.workers > 1 || !here.took_every_task(), "take_back fails for an own task that was not taken");
          // Another worker may have moved it to where this look finds it (run queues: down the tree). If it has run, the count
          // tells.
          taken[i] = here.pool().take_back(current, tasks[i].as_task());
        }
        if (!taken[i]) continue;
        finish_unrun(current);
        found.expect(!here.pool().take_back(current, tasks[i].as_task()), "take_back gives a task that is gone");
      }
      found.expect(!here.pool().take_back(current, root.as_task()), "take_back gives the task that runs");
      found.expect(!here.pool().take_back(current, never_put.as_task()), "take_back gives a task that was never put");
    };
    here.init(root);
    here.run();
    for (unsigned i = 0; i < count; ++i) {
      found.expect(tasks[i].runs.value() == (taken[i] ? 0u : 1u), "a task that was taken back ran, or one that was not did not");
    }
  }

  void take(findings& found) {
    constexpr unsigned count = 11;
    script tasks;
    for (unsigned i = 0; i < count; ++i) tasks.add();
    std::vector<bool> taken(count, false);
    subject here(of_, how_, found);
    step& root = tasks.add([&](worker& current) {
      for (unsigned i = 0; i < count; ++i) put(current, tasks[i]);
      task out;
      found.expect(!here.pool().take(current, [](const task&) { return false; }, out), "take gives what is not wanted");
      const auto is_odd = [&](const task& candidate) { return static_cast<step*>(candidate.argument)->id % 2 == 1; };
      unsigned got = 0;
      for (; here.pool().take(current, is_odd, out); ++got) {
        const std::size_t id = static_cast<step*>(out.argument)->id;
        found.expect(id % 2 == 1 && id < count && !taken[id], "take gives a task that is not wanted, or gone");
        taken[id] = true;
        finish_unrun(current);
      }
      found.expect(got == count / 2 || how_.workers > 1 || !here.took_every_task(), "take does not find all that is wanted");
    });
    here.init(root);
    here.run();
    for (unsigned i = 0; i < count; ++i) {
      found.expect(tasks[i].runs.value() == (taken[i] ? 0u : 1u), "a task that was taken ran, or one that it left did not");
    }
  }

  /// A task that another worker has taken is out of take_back's reach, however long it runs there.
  void take_back_after_a_theft(findings& found) {
    if (how_.workers == 1 || !shares()) return;
    script tasks;
    platform::atomic<std::uint32_t> stolen{0}, asked{0};
    unsigned first = 0;
    for (unsigned i = 0; i < more_than_kept; ++i) {
      tasks.add([&, i](worker& current) {
        std::uint32_t nobody = 0;
        if (current.id == first || !stolen.compare_exchange(nobody, i + 1, platform::acq_rel)) return;
        platform::wake_all(stolen);
        while (asked.load(platform::acquire) == 0) platform::park(asked, 0, "a stolen task: the question");
      });
    }
    subject here(of_, how_, found);
    step& root = tasks.add([&](worker& current) {
      first = current.id;
      for (unsigned i = 0; i < more_than_kept; ++i) put(current, tasks[i]);
      const auto refused = here.value(trace::counter::in_place_for_memory);
      if (refused > more_than_kept / 2) return;
      while (stolen.load(platform::acquire) == 0) platform::park(stolen, 0, "a task: another worker to run what it put");
      const task taken = tasks[stolen.load(platform::acquire) - 1].as_task();
      found.expect(!here.pool().take_back(current, taken), "take_back gives a task that another worker has taken");
      task out;
      const auto is_taken = [&](const task& candidate) { return candidate == taken; };
      found.expect(!here.pool().take(current, is_taken, out), "take gives a task that another worker has taken");
      asked.store(1, platform::release);
      platform::wake_all(asked);
    });
    here.init(root);
    here.run();
    found.expect_none(tasks.not_run(1));
  }

  /// Which of the tasks that worker 0 put, and of one from outside, `taker` gets by asking for them one by one, newest or oldest
  /// first.
  std::set<std::size_t> got_by(unsigned taker, bool newest_first, bool by_take, unsigned* for_the_first = nullptr) const {
    between_two tried(of_, how_.memory);
    tried.inject();
    if (for_the_first != nullptr) *for_the_first = tried.for_the_first();
    std::set<std::size_t> got;
    task out;
    for (unsigned turn = 0; turn <= more_than_kept; ++turn) {
      const unsigned wanted = newest_first ? more_than_kept - turn : turn;
      const auto is_wanted = [&](const task& candidate) { return candidate == tried.tasks[wanted].as_task(); };
      if (by_take ? tried.pool().take(tried.staff[taker], is_wanted, out) : tried.gets(taker, out)) {
        got.insert(static_cast<step*>(out.argument)->id);
      }
    }
    return got;
  }

  void take_finds_whatever_get_does(findings& found) {
    if (how_.workers > 2) return;  // of the pool alone: teams of other sizes add nothing
    for (const unsigned taker : {0u, 1u}) {
      unsigned own = 0;
      const auto reachable = got_by(taker, true, false, &own);
      found.expect(taker == 1 || reachable.size() == own, "get does not find all that is for a worker");
      for (const bool newest_first : {true, false}) {
        // It may find more: what the pool has given to another worker.
        const auto taken = got_by(taker, newest_first, true);
        found.expect(std::includes(taken.begin(), taken.end(), reachable.begin(), reachable.end()),
                     "take does not find a task that get finds, wherever it lies");
      }
    }
  }

  /// Each task takes another one, its own child or any, out of the pool and runs it, while all workers get.
  void taking_from_everywhere(findings& found) {
    script tasks;
    step& root = tasks.add_tree(tree_levels - 1, 3);
    subject here(of_, how_, found);
    for (unsigned i = 0; i < tasks.size(); ++i) {
      tasks[i].body = [&, i, puts = std::move(tasks[i].body)](worker& current) {
        if (puts) puts(current);
        task out = tasks[i + 1 < tasks.size() ? i + 1 : i].as_task();
        const auto is_wanted = [i](const task& candidate) { return static_cast<step*>(candidate.argument)->id % 4 == i % 4; };
        const bool taken = i % 2 == 0 ? here.pool().take_back(current, out) : here.pool().take(current, is_wanted, out);
        if (taken) head(current).operations->execute(current, out);
      };
    }
    here.init(root);
    here.run();
    found.expect_none(tasks.not_run(1));
  }

  // --- from outside ------------------------------------------------------------------------------------------------------------

  void injection(findings& found) {
    constexpr unsigned threads = 2, each_injects = 12;
    script tasks;
    for (unsigned i = 0; i < threads * each_injects; ++i) tasks.add_tree(2, 2);
    subject here(of_, how_, found);
    for (unsigned i = 0; i < threads; ++i) here.team().open_source();
    testing_support::run_on_each(threads + 1, [&](unsigned me) {
      if (me == threads) return here.run();
      // One of them injects its tasks one by one, the other one several together.
      std::vector<task> together;
      for (unsigned i = 0; i < each_injects; ++i) {
        together.push_back(tasks[3 * (me * each_injects + i)].as_task());
        if (together.size() < (me == 0 ? 1 : 4)) continue;
        found.expect(here.team().inject(together), "injected tasks were refused");
        together.clear();
      }
      here.team().close_source();
    });
    found.expect_none(tasks.not_run(1));
  }

  void bound_tasks(findings& found) {
    script tasks;
    subject here(of_, how_, found);
    for (unsigned i = 0; i < 2 * here.workers(); ++i) {
      tasks.add([&found, i, workers = here.workers()](worker& current) {
        found.expect(current.id == i % workers, "a bound task ran on another worker");
      });
    }
    here.team().open_source();
    testing_support::run_on_each(2, [&](unsigned me) {
      if (me == 1) return here.run();
      for (unsigned i = 0; i < tasks.size(); ++i) {
        found.expect(here.team().make_ready(i % here.workers(), tasks[i].as_task()), "a bound task was refused");
      }
      here.team().close_source();
    });
    found.expect_none(tasks.not_run(1));
  }

  // --- what is not the usual end -----------------------------------------------------------------------------------------

  void exceptions(findings& found) {
    script tasks;
    step& root = tasks.add_tree(4, 2);
    step& throwing = tasks.add([](worker&) { throw std::runtime_error("planted"); });
    subject here(of_, how_, found);
    here.init(throwing);
    here.init(root);
    here.run();
    found.expect_none(tasks.not_run(1));
    found.expect(here.team().take_exception() != nullptr, "an exception was lost");
    found.expect(here.team().take_exception() == nullptr, "an exception was kept for the next run");
    found.expect(here.value(trace::counter::exceptions) == 1, "exceptions are not counted right");
  }

  void tasks_that_never_run(findings& found) {
    script tasks;
    for (unsigned i = 0; i < 20; ++i) tasks.add();
    {
      subject here(of_, how_, found);
      for (unsigned i = 0; i < tasks.size(); ++i) here.init(tasks[i]);
    }
    found.expect_none(tasks.not_run(0));
    for (unsigned i = 0; i < tasks.size(); ++i) {
      found.expect(tasks[i].discarded.value() == 1, "a task that never ran was not told so exactly once");
    }
  }

  // --- waking --------------------------------------------------------------------------------------------------------------

  /// Whether a second worker can get any of many tasks that the first one put.
  bool shares() const {
    task taken;
    return between_two(of_, how_.memory).gets(1, taken);
  }

  /// While all others sleep, a task puts many and waits until another worker has run one. If nobody comes, that is a deadlock.
  void somebody_comes(findings& found) {
    if (how_.workers == 1 || !shares()) return;
    script tasks;
    platform::atomic<std::uint32_t> helped{0};
    unsigned first = 0;
    for (unsigned i = 0; i < more_than_kept; ++i) {
      tasks.add([&](worker& current) {
        if (current.id == first) return;
        helped.store(1, platform::release);
        platform::wake_all(helped);
      });
    }
    subject here(of_, how_, found, pool::wake_policy::empty_queue, pool::wait_policy::park);
    step& root = tasks.add([&](worker& current) {
      while (here.value(trace::counter::parks) + 1 < here.workers()) platform::pause();
      first = current.id;
      for (unsigned i = 0; i < more_than_kept; ++i) put(current, tasks[i]);
      const auto refused = here.value(trace::counter::in_place_for_memory);
      if (refused > more_than_kept / 2) return;  // what ran here at once is out of everybody's reach
      while (helped.load(platform::acquire) == 0) platform::park(helped, 0, "a task: another worker to run what it put");
    });
    here.init(root);
    // So all others come, and sleep then.
    for (unsigned other = 1; of_.traits->workers_come_by_need && other < here.workers(); ++other) here.init(tasks.add(), other);
    here.run();
    found.expect_none(tasks.not_run(1));
  }

  static constexpr scenario scenarios[] = {
      {"several runs", &suite::several_runs},
      {"order of one worker", &suite::order_of_one_worker},
      {"wake at every put, spin", &suite::policies<pool::wake_policy::every_put, pool::wait_policy::spin>},
      {"wake at every put, park", &suite::policies<pool::wake_policy::every_put, pool::wait_policy::park>},
      {"wake at every put, spin then park", &suite::policies<pool::wake_policy::every_put, pool::wait_policy::spin_then_park>},
      {"wake into an empty queue, spin", &suite::policies<pool::wake_policy::empty_queue, pool::wait_policy::spin>},
      {"wake into an empty queue, park", &suite::policies<pool::wake_policy::empty_queue, pool::wait_policy::park>},
      {"wake into an empty queue, spin then park",
       &suite::policies<pool::wake_policy::empty_queue, pool::wait_policy::spin_then_park>},
      {"many tasks from one", &suite::many_tasks_from_one},
      {"initial tasks from threads", &suite::initial_tasks_from_threads},
      {"injection", &suite::injection},
      {"bound tasks", &suite::bound_tasks},
      {"take_back", &suite::take_back},
      {"take", &suite::take},
      {"take_back after a theft", &suite::take_back_after_a_theft},
      {"take finds whatever get does", &suite::take_finds_whatever_get_does},
      {"taking from everywhere", &suite::taking_from_everywhere},
      {"exceptions", &suite::exceptions},
      {"tasks that never run", &suite::tasks_that_never_run},
      {"several teams", &suite::several_teams},
      {"arguments", &suite::arguments},
      {"somebody comes", &suite::somebody_comes},
  };

  const trial& of_;
  const plan how_;
};

}  // namespace

std::string run_suite(const trial& of, const plan& how) { return suite(of, how).run(); }

}  // namespace TEFF_NAMESPACE::conformance
