// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// task_graph: every task once, after all that it depends on, on every pool; cycles, exceptions and changes at the wrong time.
#include "scene.h"

#include "test/support/workers.h"

#include <memory>
#include <stdexcept>
#include <vector>

namespace TEFF_NAMESPACE::testing_sync {
namespace {

/// A graph of random edges from earlier to later numbers, which notes who finished before whom.
class random_graph {
 public:
  random_graph(unsigned tasks, unsigned edges, std::uint64_t seed) : finished_(tasks), before_(tasks) {
    platform::random draw(seed);
    std::vector<task_graph::node> nodes;
    for (unsigned id = 0; id < tasks; ++id) nodes.push_back(graph.add([this, id] { run_task(id); }));
    for (unsigned edge = 0; edge < edges; ++edge) {
      const unsigned later = 1 + static_cast<unsigned>(draw.next() % (tasks - 1));
      const auto earlier = static_cast<unsigned>(draw.next() % later);
      before_[later].push_back(earlier);
      nodes[later].after(nodes[earlier]);
    }
  }

  void expect_runs(unsigned times) const {
    for (const auto& each : finished_) EXPECT_EQ(each.load(platform::relaxed), times);
  }

  task_graph graph;

 private:
  void run_task(unsigned id) {
    const unsigned run = finished_[id].load(platform::relaxed) + 1;
    for (const unsigned earlier : before_[id])
      EXPECT_EQ(finished_[earlier].load(platform::relaxed), run) << earlier << " before " << id;
    finished_[id].store(run, platform::relaxed);
  }

  std::vector<platform::atomic<unsigned>> finished_;
  std::vector<std::vector<unsigned>> before_;
};

TEST(graphs, respect_random_edges_in_each_run) {
  std::uint64_t graph_seed = 0;
  in_a_task_on_every_pool(few_seeds, [&](context& here) {
    random_graph tested(30, 60, ++graph_seed);
    for (unsigned run = 1; run <= 2; ++run) {
      tested.graph.run(here);
      tested.expect_runs(run);
    }
  });
}

TEST(graphs, a_diamond_s_last_task_sees_both_sides) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    unsigned source = 0, left = 0, right = 0, sum = 0;
    task_graph diamond;
    auto first = diamond.add([&] { source = 1; }, "first");
    auto one = diamond.add([&](context&) { left = source + 1; }, "left");
    auto other = diamond.add([&] { right = source + 2; }, "right");
    auto last = diamond.add([&] { sum = left + right; }, "last");
    last.after(one).after(other);
    diamond.add_edge(first, one);
    diamond.add_edge(first, other);
    EXPECT_EQ(diamond.size(), 4u);
    diamond.run(here);
    EXPECT_EQ(sum, 5u);
  });
}

TEST(graphs, tasks_of_a_graph_may_wait) {
  in_a_task_on_every_pool(few_seeds, [](context&) {
    unsigned sum = 0;
    task_graph outer;
    auto first = outer.add([&](context& own) {
      task_group children;
      unsigned parts[3] = {};
      for (unsigned& part : parts) children.put(own, [&part] { part = 1; });
      children.wait(own);
      sum = parts[0] + parts[1] + parts[2];
    });
    outer.add([&] { sum *= 2; }).after(first);
    outer.run();
    EXPECT_EQ(sum, 6u);
  });
}

TEST(graphs, ten_thousand_tasks) {
  for (const std::string& pool : pool_names()) {
    in_a_task({.pool = pool, .workers = 2}, 1, [](context& here) {
      random_graph wide(10'000, 20'000, 7);
      wide.graph.run(here);
      wide.expect_runs(1);
      unsigned length = 0;
      task_graph chain;
      task_graph::node last;
      for (unsigned id = 0; id < 10'000; ++id) {
        auto next = chain.add([&length, id] { EXPECT_EQ(length++, id); });
        if (id > 0) next.after(last);
        last = next;
      }
      chain.run(here);
      EXPECT_EQ(length, 10'000u);
    });
  }
}

TEST(graphs, the_same_edge_twice_is_one_dependence) {
  in_a_task({.workers = 2}, few_seeds, [](context& here) {
    unsigned order = 0;
    task_graph two;
    auto later = two.add([&] { EXPECT_EQ(order++, 1u); });
    auto earlier = two.add([&] { EXPECT_EQ(order++, 0u); });
    later.after(earlier).after(earlier);
    two.run(here);
    EXPECT_EQ(order, 2u);
  });
}

/// Returns: the sentence with which a ring of these tasks, between a task before and one behind it, is refused.
std::string refused_ring(context& here, const std::vector<std::string>& names) {
  platform::atomic<unsigned> runs{0};
  task_graph ring;
  const auto count = [&] { runs.fetch_add(1, platform::relaxed); };
  auto before = ring.add(count, "before"), behind = ring.add(count, "behind");
  std::vector<task_graph::node> nodes;
  for (const std::string& name : names) nodes.push_back(ring.add(count, name));
  for (std::size_t each = 0; each < nodes.size(); ++each) nodes[(each + 1) % nodes.size()].after(nodes[each]);
  nodes[0].after(before);
  behind.after(nodes[0]);
  std::string sentence = sentence_of([&] { ring.run(here); });
  EXPECT_EQ(runs.load(platform::relaxed), 0u) << "a cycle is found before anything runs";
  EXPECT_EQ(sentence_of([&] { ring.run(here); }), sentence) << "and again";
  return sentence;
}

TEST(graphs, a_cycle_is_named) {
  in_a_task({.workers = 2}, 1, [](context& here) {
    EXPECT_NE(refused_ring(here, {"a"}).find("begin: a → a"), std::string::npos);
    EXPECT_NE(refused_ring(here, {"a", "b"}).find("begin: a → b → a"), std::string::npos);
    EXPECT_NE(refused_ring(here, {"a", "b", "c"}).find("begin: a → b → c → a"), std::string::npos);
    EXPECT_NE(refused_ring(here, {"", ""}).find("begin: task 2 → task 3 → task 2"), std::string::npos);
    const std::string long_one = refused_ring(here, std::vector<std::string>(1000));
    EXPECT_NE(long_one.find("task 11 → … (989 more) → task 1001 → task 2"), std::string::npos) << long_one;
  });
}

TEST(graphs, what_depends_on_a_failed_task_does_not_run) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    bool fails = true;
    platform::atomic<unsigned> runs{0};
    task_graph some;
    const auto count = [&] { runs.fetch_add(1, platform::relaxed); };
    const auto fail = [&] {
      if (fails) throw std::runtime_error("planted");
    };
    auto failing = some.add(fail), failing_too = some.add(fail), fine = some.add(count);
    auto behind = some.add(count).after(failing).after(fine);
    some.add(count).after(behind).after(failing_too);
    some.add(count).after(fine);
    EXPECT_THROW(some.run(here), std::runtime_error);
    EXPECT_EQ(some.exceptions(), 2u);
    EXPECT_EQ(some.skipped(), 2u);
    EXPECT_EQ(runs.load(platform::relaxed), 2u);
    fails = false;
    EXPECT_NO_THROW(some.run(here));
    EXPECT_EQ(some.exceptions(), 0u);
    EXPECT_EQ(some.skipped(), 0u);
    EXPECT_EQ(runs.load(platform::relaxed), 6u);
  });
}

TEST(graphs, do_not_change_while_they_run) {
  in_a_task({.workers = 2}, few_seeds, [](context& here) {
    std::string edge, addition, second_run;
    task_graph some;
    auto other = some.add([] {});
    task_graph::node self = some.add([&] {
      edge = sentence_of([&] { self.after(other); });
      addition = sentence_of([&] { some.add([] {}); });
      second_run = sentence_of([&] { some.run(); });
    });
    some.run(here);
    EXPECT_NE(edge.find("add edges before run"), std::string::npos) << edge;
    EXPECT_NE(addition.find("add tasks before run"), std::string::npos) << addition;
    EXPECT_NE(second_run.find("one run at a time"), std::string::npos) << second_run;
    self.after(other);
    some.run(here);
  });
}

TEST(graphs, nodes_are_of_one_graph) {
  task_graph one, another;
  auto here = one.add([] {}), there = another.add([] {});
  EXPECT_NE(sentence_of([&] { here.after(there); }).find("another task_graph"), std::string::npos);
  EXPECT_NE(sentence_of([&] { here.after({}); }).find("empty"), std::string::npos);
  EXPECT_NE(sentence_of([&] { task_graph::node().after(here); }).find("empty"), std::string::npos);
}

#ifdef TEFF_SIMULATED
TEST(graphs, run_in_tasks_only) {
  task_graph empty;
  EXPECT_NE(sentence_of([&] { empty.run(); }).find("in simulation there is no default team"), std::string::npos);
  in_a_task({.workers = 1}, 1, [&](context& here) { empty.run(here); });
}
#endif

TEST(graphs, survive_refused_memory) {
  in_a_task({.workers = 2}, few_seeds, [](context& here) {
    random_graph tested(30, 60, 3);
    {
      const testing_support::memory_runs_out planted(0);
      tested.graph.run(here);
    }
    tested.expect_runs(1);
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_sync
