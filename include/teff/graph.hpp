// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tasks that name the tasks on which they depend.
#pragma once

#include "teff/detail/cpp20.hpp"
#if __cplusplus >= 202002L

#include "teff/group.hpp"

#include "sync/graph.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace TEFF_NAMESPACE {

/// Tasks in any order that their dependences allow, as often as wanted.
///
/// A task becomes ready when the last one before it has finished; until then it is in no pool and has no stack. If an exception
/// escapes from one, all that depend on it, directly or not, do not run (`skipped` counts them), and everything else does.
///
/// Threads: tasks and other threads, one at a time. Run by a thread that is no worker, its tasks are the default team's. It is destroyed
/// when no run goes on. Owns: the functions.
///
/// Example:
///   teff::task_graph build;
///   auto parse = build.add([&] { read(input); }, "parse");
///   auto check = build.add([&] { check_types(); }, "check");
///   auto emit = build.add([&](teff::context& here) { write(here); }, "emit");
///   check.after(parse);
///   emit.after(parse).after(check);
///   build.run(here);
class task_graph {
 public:
  /// A task of a graph, as a name for it: copied freely, valid as long as the graph.
  class node {
   public:
    node() = default;
    /// Effect: this task begins after `earlier` has finished. Returns: this one. Errors: as task_graph::add_edge.
    node after(node earlier) const;

   private:
    friend class task_graph;
    node(task_graph& of, sync::graph::vertex* which) : of_(&of), which_(which) {}

    task_graph* of_ = nullptr;
    sync::graph::vertex* which_ = nullptr;
  };

  task_graph() = default;
  task_graph(const task_graph&) = delete;
  task_graph& operator=(const task_graph&) = delete;
  /// Pre: it does not run: else the program ends with a sentence.
  ~task_graph() = default;

  /// Effect: adds a task, which calls function() or function(context&) once in each run. `name` is for messages; without one it
  /// is called by its number. Errors: usage_error during a run; std::bad_alloc.
  template <class Function>
    requires detail::task_function<std::decay_t<Function>>
  node add(Function&& function, std::string name = {}) {
    return add_task(std::make_unique<calling<std::decay_t<Function>>>(std::forward<Function>(function)), std::move(name));
  }
  /// Effect: `after` begins after `before` has finished. Errors: usage_error during a run, and for nodes that are empty or of
  /// another graph.
  void add_edge(node before, node after);

  /// Effect: runs every task once, each after all that it depends on; returns when all have finished. May be called again.
  /// Errors: the first exception that escaped from a task, after all have finished; usage_error, before anything runs, if tasks
  /// wait for one another in a
  ///   cycle, which the sentence names ("a → b → a"), or if the graph is running; in simulation if the caller is no task.
  /// Threads: any; the form that is given the context: the task. Blocks: the fiber; a thread that is no worker. Cost: for a task context::put, for an edge one read-modify-write; no memory but the
  /// pool's.
  void run();
  void run(context& here);

  /// Returns: how many exceptions escaped in the last run; and how many tasks did not run because of them.
  std::uint64_t exceptions() const { return exceptions_; }
  std::uint64_t skipped() const { return state_.skipped(); }
  std::size_t size() const { return state_.size(); }

 private:
  template <class Function>
  struct calling final : sync::graph_task {
    explicit calling(Function&& called) : function(std::move(called)) {}
    explicit calling(const Function& called) : function(called) {}
    void call(context& here) override { detail::call(function, here); }

    Function function;
  };

  node add_task(std::unique_ptr<sync::graph_task> what, std::string name);

  sync::graph state_;
  std::uint64_t exceptions_ = 0;
};

namespace detail {
inline constexpr std::uint32_t graph_layout = layout_of<sync::graph_task, sync::graph, task_graph>();
[[gnu::visibility("hidden")]] inline const bool has_the_librarys_graphs = require_layout(layout_part::graphs, graph_layout);
}  // namespace detail

}  // namespace TEFF_NAMESPACE

#endif
