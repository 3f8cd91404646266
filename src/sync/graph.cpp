// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sync/graph.h"

#include "base/assert.h"
#include "platform/ends.h"
#include "platform/platform.h"
#include "task/worker.h"

#include <utility>

namespace TEFF_NAMESPACE::sync {

/// | field                     | written by                             | read by                     |
/// |---------------------------|----------------------------------------|-----------------------------|
/// | what, name, after, before | the owner of the graph, between runs   | everybody                   |
/// | missing, excluded         | run; who finishes one before this one  | who makes `missing` 0       |
/// | next                      | who made `missing` 0                   | the same                    |
/// | colour, position          | cycle, between runs                    | the same                    |
struct graph::vertex : child_head {
  enum class colour : std::uint8_t { white, grey, black };

  vertex(graph& of, std::unique_ptr<graph_task> what, std::string name)
      : child_head{&of.children_, &run_vertex}, of(of), what(std::move(what)), name(std::move(name)) {}

  graph& of;
  const std::unique_ptr<graph_task> what;
  const std::string name;
  std::vector<vertex*> after;  ///< those that depend on this one
  unsigned before = 0;         ///< how many this one depends on
  /// [dependence] release: the end of one before; acquire: the last of them, who makes this one ready.
  platform::atomic<unsigned> missing{0};
  platform::atomic<bool> excluded{false};  ///< ordered by [dependence]: something before it failed
  vertex* next = nullptr;
  colour search = colour::white;
  std::size_t position = 0;  ///< in `after`: up to where the search came
};

namespace {

/// So that a cycle through thousands of tasks stays a sentence.
constexpr std::size_t names_of_a_cycle_at_most = 12;

/// Returns: the names from `first` on, and the first one again.
std::string names_along(const std::vector<graph::vertex*>& path, std::size_t first) {
  const std::size_t length = path.size() - first;
  std::string text;
  for (std::size_t at = 0; at < length; ++at) {
    if (length > names_of_a_cycle_at_most && at == names_of_a_cycle_at_most - 2) {
      text += "… (" + std::to_string(length - names_of_a_cycle_at_most + 1) + " more) → ";
      at = length - 1;
    }
    text += path[first + at]->name + " → ";
  }
  return text + path[first]->name;
}

}  // namespace

graph::graph() = default;

graph::~graph() { TEFF_REQUIRE(!running() || platform::is_static(this), "a task graph must not be destroyed while it runs"); }

graph::vertex* graph::add(std::unique_ptr<graph_task> what, std::string name) {
  if (name.empty()) name = "task " + std::to_string(vertices_.size());
  vertices_.push_back(std::make_unique<vertex>(*this, std::move(what), std::move(name)));
  return vertices_.back().get();
}

void graph::add_edge(vertex& before, vertex& after) {
  before.after.push_back(&after);
  ++after.before;
  known_acyclic_ = false;
}

bool graph::owns(const vertex& asked) const { return &asked.of == this; }

/// Depth first, with a path of its own instead of recursion: a chain may be as long as memory allows.
std::string graph::cycle() {
  if (known_acyclic_) return {};
  using colour = vertex::colour;
  for (const auto& each : vertices_) {
    each->search = colour::white;
    each->position = 0;
  }
  std::vector<vertex*> path;
  for (const auto& root : vertices_) {
    for (vertex* at = root->search == colour::white ? root.get() : nullptr; at != nullptr;) {
      if (at->search == colour::white) {
        at->search = colour::grey;
        path.push_back(at);
      }
      if (at->position == at->after.size()) {
        at->search = colour::black;
        path.pop_back();
        at = path.empty() ? nullptr : path.back();
        continue;
      }
      vertex* next = at->after[at->position++];
      if (next->search == colour::grey) {
        std::size_t first = path.size() - 1;
        while (path[first] != next) --first;
        return names_along(path, first);
      }
      if (next->search == colour::white) at = next;
    }
  }
  known_acyclic_ = true;
  return {};
}

void graph::run(worker& current) {
  context& here = *current.here;
  for (const auto& each : vertices_) {
    // relaxed: before the puts, which hand the vertices over; those behind them by [dependence].
    each->missing.store(each->before, platform::relaxed);
    each->excluded.store(false, platform::relaxed);
  }
  skipped_.store(0, platform::relaxed);
  for (const auto& each : vertices_) {
    if (each->before != 0) continue;
    children_.add();
    worker& now = here.current();
    now.operations->put(now, {&run_child, static_cast<child_head*>(each.get())});
  }
  children_.wait(here.current());
}

void graph::run_vertex(worker& current, child_head* head_of_child) {
  auto& self = *static_cast<vertex*>(head_of_child);
  if (current.discarding()) return;
  current.here->frame->begin(nullptr);
  self.of.children_.begin();
  self.of.execute(*current.here, self);
}

void graph::execute(context& here, vertex& self) {
  full_frame& frame = *here.frame->full();
  frame.name = self.name.c_str();
  frame.group = &children_;
  try {
    self.what->call(here);
  } catch (...) {
    children_.keep_exception();
    // relaxed: before finish, which hands it on by [dependence].
    self.excluded.store(true, platform::relaxed);
  }
  frame.name = nullptr;
  frame.group = nullptr;
  finish(here, self);
  children_.end();  // the graph may be gone
}

/// Effect: those behind are ready if nothing else is missing to them; behind a failed one they end here, and those behind them.
void graph::finish(context& here, vertex& finished) {
  finished.next = nullptr;
  for (vertex* ended = &finished; ended != nullptr;) {
    vertex* const self = std::exchange(ended, ended->next);
    // relaxed: ordered by [dependence].
    const bool failed = self->excluded.load(platform::relaxed);
    for (vertex* each : self->after) {
      if (failed) each->excluded.store(true, platform::relaxed);
      if (each->missing.fetch_sub(1, platform::acq_rel) != 1) continue;  // [dependence]
      if (each->excluded.load(platform::relaxed)) {
        skipped_.fetch_add(1, platform::relaxed);
        each->next = std::exchange(ended, each);
        continue;
      }
      children_.add();
      worker& now = here.current();
      now.operations->put(now, {&run_child, static_cast<child_head*>(each)});
    }
  }
}

}  // namespace TEFF_NAMESPACE::sync
