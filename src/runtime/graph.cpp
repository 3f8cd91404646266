// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The public task graph (include/teff/graph.hpp) on the internal one.
#include "teff/teff.hpp"

#include <utility>

namespace TEFF_NAMESPACE {

namespace {

void refuse_change(const char* what) {
  throw usage_error(std::string("a task graph that runs does not change: ") + what +
                    " before run is called or after it has returned");
}

/// Ends a graph's run, however that comes about.
struct running_graph {
  sync::graph& state;
  ~running_graph() { state.end_run(); }
};

}  // namespace

task_graph::node task_graph::add_task(std::unique_ptr<sync::graph_task> what, std::string name) {
  if (state_.running()) refuse_change("add tasks");
  return {*this, state_.add(std::move(what), std::move(name))};
}

void task_graph::add_edge(node before, node after) {
  if (state_.running()) refuse_change("add edges");
  if (before.which_ == nullptr || after.which_ == nullptr)
    throw usage_error("an edge needs two tasks: this node is empty; nodes come from task_graph::add");
  if (!state_.owns(*before.which_) || !state_.owns(*after.which_)) {
    throw usage_error("an edge joins two tasks of one graph: this node was made by another task_graph");
  }
  state_.add_edge(*before.which_, *after.which_);
}

task_graph::node task_graph::node::after(node earlier) const {
  if (of_ == nullptr) throw usage_error("this node is empty: nodes come from task_graph::add");
  of_->add_edge(earlier, *this);
  return *this;
}

void task_graph::run() {
  detail::in_task([this](context& here) { run(here); });
}

void task_graph::run(context& here) {
  if (here.current().carrier == nullptr) detail::refuse_outside();
  if (!state_.begin_run()) throw usage_error("this task graph is running: one run at a time");
  std::exception_ptr first;
  {
    const running_graph now{state_};
    if (const std::string cycle = state_.cycle(); !cycle.empty()) {
      throw usage_error("these tasks wait for one another, so that none can begin: " + cycle);
    }
    state_.run(here.current());
    exceptions_ = state_.take_exception_count();
    first = state_.take_exception();
  }
  if (first != nullptr) std::rethrow_exception(first);
}

}  // namespace TEFF_NAMESPACE
