// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sync/group.h"
#include "task/context.h"
#include "task/frame.h"

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::sync {

/// What a vertex of a graph does. Owned by the graph; called once in each run.
class graph_task {
 public:
  virtual ~graph_task() = default;
  virtual void call(context& here) = 0;
};

/// Tasks that name the tasks on which they depend: the state behind task_graph.
///
/// Source: Korch & Rauber 2002, class D∞ (each task may wait for any number of tasks that exist).
/// Idea: each vertex counts those before it that have not finished; who makes the count 0 makes the vertex a ready task, a child
///   of one group. So a task never blocks because of its dependences, and needs no stack before it begins.
/// Invariants: the group has an unfinished child until all vertices that can be reached have finished, since a vertex ends after
///   those behind it were made ready. Vertices and edges change between runs only.
/// Cost: a vertex: one put, and one read-modify-write for each edge; no memory is allocated in a run. The search for a cycle:
///   once after each change, O(vertices + edges). Space: about 100 bytes for a vertex, 8 for an edge.
/// Considered: futures that a task waits for first: each such task is a fiber, and its stack, before it could do anything.
class graph {
 public:
  struct vertex;

  graph();
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;
  /// Pre: no run is going on.
  ~graph();

  /// Returns: the vertex, which lives as long as the graph. An empty name becomes "task <number>". Pre: not running.
  vertex* add(std::unique_ptr<graph_task> what, std::string name);
  /// Pre: not running; both are of this graph.
  void add_edge(vertex& before, vertex& after);
  bool owns(const vertex& asked) const;

  /// Returns: the names along a cycle, the first one again at the end ("a → b → a"); an empty text if there is none. Pre: not
  /// running.
  std::string cycle();
  /// Effect: from now on the graph does not change. Returns: false if it is running already.
  // release by who ends a run, acquire by who begins the next one or asks: what the run did is visible.
  bool begin_run() { return !running_.exchange(true, platform::acq_rel); }
  void end_run() { running_.store(false, platform::release); }
  bool running() const { return running_.load(platform::acquire); }

  /// Effect: runs every vertex once, after all that it depends on, but for those behind one from which an exception escaped.
  /// Blocks: the fiber. Pre: begun, without a cycle; `current` runs the caller's task.
  void run(worker& current);
  /// Returns: as group's, of the last run; and how many did not run because of an exception.
  std::exception_ptr take_exception() { return children_.take_exception(); }
  std::uint64_t take_exception_count() { return children_.take_exception_count(); }
  // relaxed: asked after the run, whose end is ordered by [group].
  std::uint64_t skipped() const { return skipped_.load(platform::relaxed); }
  std::size_t size() const { return vertices_.size(); }

 private:
  static void run_vertex(worker& current, child_head* head);
  void execute(context& here, vertex& self);
  void finish(context& here, vertex& finished);

  std::vector<std::unique_ptr<vertex>> vertices_;
  group children_;
  bool known_acyclic_ = true;
  platform::atomic<bool> running_{false};
  platform::atomic<std::uint64_t> skipped_{0};
};

}  // namespace TEFF_NAMESPACE::sync
