// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tasks whose runs are counted, for tests of teams below the public API.
#pragma once

#include "platform/platform.h"
#include "task/context.h"
#include "task/worker.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::conformance {

/// A task that outlives its run: it may run twice, or not at all, without harm.
struct step {
  std::function<void(worker&)> body;
  std::size_t id = 0;
  platform::statistic runs;       ///< written by whoever runs it
  platform::statistic discarded;  ///< times it was told that it will never run

  task as_task() { return {&enter, this}; }

  static void enter(worker& current, void* argument) {
    auto& self = *static_cast<step*>(argument);
    if (head(current).discarding()) return self.discarded.add(1);
    head(current).here->frame->begin(nullptr);
    self.runs.add(1);
    if (self.body) self.body(current);
  }
};

/// Puts for a task that keeps a handle on its worker: it may be set aside meanwhile, and goes on there.
inline void put(worker& current, task next) {
  context& here = *head(current).here;
  ++here.kept_handles;
  head(current).operations->put(current, next);
  --here.kept_handles;
}
inline void put(worker& current, step& next) { put(current, next.as_task()); }

/// The tasks of one program. Invariants: none is added while others run.
class script {
 public:
  step& add(std::function<void(worker&)> body = {}) {
    step& added = steps_.emplace_back();
    added.body = std::move(body);
    added.id = steps_.size() - 1;
    return added;
  }

  /// Effect: adds a tree of tasks, each of which puts `branching` children. Returns: its root.
  step& add_tree(unsigned levels, unsigned branching) {
    step& root = add();
    if (levels == 1) return root;
    std::vector<step*> children;
    for (unsigned child = 0; child < branching; ++child) children.push_back(&add_tree(levels - 1, branching));
    root.body = [children](worker& current) {
      for (step* each : children) put(current, *each);
    };
    return root;
  }

  step& operator[](std::size_t id) { return steps_[id]; }
  std::size_t size() const { return steps_.size(); }

  /// Returns: an empty text if each has run so often, else a sentence.
  std::string not_run(std::uint64_t times) const {
    for (const step& each : steps_) {
      if (each.runs.value() != times) {
        return "task " + std::to_string(each.id) + " of " + std::to_string(steps_.size()) + " ran " +
               std::to_string(each.runs.value()) + " times instead of " + std::to_string(times);
      }
    }
    return {};
  }

 private:
  std::deque<step> steps_;
};

}  // namespace TEFF_NAMESPACE::conformance
