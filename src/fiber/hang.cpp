// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fiber/hang.h"

#include "base/grouped.h"
#include "fiber/circles.h"
#include "fiber/task_name.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace TEFF_NAMESPACE::fibers {

namespace {

/// Of tasks of one name that wait for the same kind of thing, so many have a line of their own.
constexpr std::size_t lines_of_a_kind = 3;
/// So many kinds have lines; the rest is counted.
constexpr std::size_t kinds_at_most = 20;
/// So that a circle through thousands of tasks stays readable.
constexpr std::size_t steps_at_most = 12;
constexpr std::size_t circles_at_most = 3;

constexpr std::size_t nobody = ~std::size_t{0};

std::string address(const void* object) {
  platform::line text;
  text.add("0x");
  text.add(reinterpret_cast<std::uintptr_t>(object), 16);
  return std::string(text.text());
}

/// The clock that is read when a task is set aside moves in steps of some milliseconds.
std::string duration(std::uint64_t ns) {
  constexpr std::uint64_t ms = 1'000'000;
  if (ns < 10 * ms) return "less than 10 ms";
  if (ns < 10'000 * ms) return std::to_string(ns / ms) + " ms";
  return grouped(ns / (1'000 * ms)) + " s";
}

/// "its children" of one are "their children" of several.
std::string of_several(std::string_view kind) {
  constexpr std::string_view its = "its ";
  return kind.starts_with(its) ? "their " + std::string(kind.substr(its.size())) : std::string(kind);
}

class explanation {
 public:
  explicit explanation(const situation& seen) : seen_(seen) {
    for (std::size_t at = 0; at < seen.fibers.size(); ++at) {
      const auto& each = seen.fibers[at];
      waiting_for_.try_emplace(each.object, at);
      for (std::size_t task = each.first; task < each.first + each.count; ++task) {
        places_.emplace(seen.tasks[task].id, place{at, task});
        if (seen.tasks[task].group != nullptr) children_[seen.tasks[task].group].push_back(at);
      }
    }
  }

  std::string text() {
    describe_waits();
    describe_running();
    describe_kept();
    const auto needed = [this](std::size_t fiber) { return needed_by(fiber); };
    for (const auto& circle : find_circles(seen_.fibers.size(), needed, circles_at_most)) describe_circle(circle);
    return std::move(text_);
  }

 private:
  struct place {
    std::size_t fiber, task;
  };

  // --- names ---------------------------------------------------------------------------------------------------------------

  std::string name(std::size_t task) const {
    const auto& one = seen_.tasks[task];
    platform::line text;
    add_task_name(text, one.name != nullptr ? one.name->c_str() : nullptr, one.label, one.code, one.entry);
    return std::string(text.text());
  }
  std::string numbered(std::size_t task) const { return "task " + grouped(task + 1) + " " + name(task); }

  const place* place_of(const task_frame* id) const {
    const auto found = places_.find(id);
    return id != nullptr && found != places_.end() ? &found->second : nullptr;
  }

  // --- one line for each wait ----------------------------------------------------------------------------------------------

  std::string holder(const situation::waiting& one) const {
    if (one.held_outside) return ", held by a thread outside of the team";
    if (one.holder == nullptr) return "";
    const place* const at = place_of(one.holder);
    if (at == nullptr && !seen_.stacks.hold(one.holder)) return ", held by a task of another team, or by one that has ended";
    if (at == nullptr) return std::string(", held by a task that ") + (seen_.running.empty() ? "has ended" : "runs or has ended");
    if (at->task == one.first) return ", which it holds itself";
    return ", held by " + numbered(at->task);
  }

  void describe(const situation::waiting& one) {
    text_ += "  " + numbered(one.first) + " waits for " + one.kind + " (" + address(one.object) + ") for " +
             duration(seen_.now_ns - std::min(seen_.now_ns, one.since_ns)) + holder(one) + "\n";
    for (std::size_t below = 1; below < one.count; ++below) {
      text_ += "    in place in the wait of " + numbered(one.first + below) + "\n";
    }
  }

  void describe_waits() {
    using key = std::pair<std::string, std::string_view>;
    std::map<key, std::vector<std::size_t>> kinds;
    std::vector<const std::pair<const key, std::vector<std::size_t>>*> in_order;
    for (std::size_t at = seen_.fibers.size(); at-- > 0;) {  // the oldest first
      const auto [found, first] = kinds.try_emplace(key{name(seen_.fibers[at].first), seen_.fibers[at].kind});
      found->second.push_back(at);
      if (first) in_order.push_back(&*found);
    }
    std::size_t left_out = 0;
    for (std::size_t kind = 0; kind < in_order.size(); ++kind) {
      const auto& [what, members] = *in_order[kind];
      if (kind >= kinds_at_most) {
        left_out += members.size();
        continue;
      }
      const std::size_t shown = std::min(members.size(), lines_of_a_kind), more = members.size() - shown;
      for (std::size_t at = 0; at < shown; ++at) describe(seen_.fibers[members[at]]);
      if (more == 0) continue;
      text_ += "  … and " + grouped(more) + " more " + what.first + " that wait for " + of_several(what.second) + "\n";
    }
    if (left_out == 0) return;
    text_ += "  … and " + grouped(left_out) + (left_out == 1 ? " task more that waits\n" : " tasks more that wait\n");
  }

  void describe_running() {
    std::map<std::string, std::size_t> counts;
    for (const char* label : seen_.running) {
      platform::line text;
      add_task_name(text, label == task_frame::c_function ? label : nullptr, label, nullptr, nullptr);
      ++counts[std::string(text.text())];
    }
    for (const auto& [name, count] : counts) {
      text_ += "  " + (count == 1 ? "a task " : grouped(count) + " tasks ") + name + (count == 1 ? " runs" : " run") + "\n";
    }
  }

  void describe_kept() {
    if (seen_.kept == 0) return;
    text_ += "  the system refused stacks, so " + grouped(seen_.kept) +
             (seen_.kept == 1 ? " of them kept its worker" : " of them kept their workers") +
             ": let fewer tasks wait at once, or lower the setting stack\n";
  }

  // --- the circle ----------------------------------------------------------------------------------------------------------

  /// The fibers that have to go on before this one can.
  std::vector<std::size_t> needed_by(std::size_t fiber) const {
    const auto& one = seen_.fibers[fiber];
    if (const place* const at = place_of(one.holder)) return {at->fiber};
    const auto found = children_.find(one.object);
    return found != children_.end() ? found->second : std::vector<std::size_t>{};
  }

  void describe_circle(const std::vector<std::size_t>& circle) {
    text_ += "  a circle: ";
    for (std::size_t at = 0; at < circle.size(); ++at) {
      if (circle.size() > steps_at_most && at == steps_at_most - 1) {
        text_ += "… (" + grouped(circle.size() - steps_at_most) + " more) → ";
        at = circle.size() - 1;
      }
      const auto& one = seen_.fibers[circle[at]];
      text_ += numbered(one.first) + " → " + one.kind + " (" + address(one.object) + ") → ";
      const place* const held_by = place_of(one.holder);
      const bool below_another = held_by != nullptr && held_by->task != seen_.fibers[held_by->fiber].first;
      if (below_another) text_ += numbered(held_by->task) + " → its children → ";
    }
    text_ += numbered(seen_.fibers[circle[0]].first) + "\n";
    for (const std::size_t fiber : circle) describe_held_wait(seen_.fibers[fiber]);
  }

  /// Returns: whose wait for its children a task is part of: the task below it, or the one that waits for its group; `nobody` if
  /// none.
  std::size_t parent(const place& child) const {
    const auto& on = seen_.fibers[child.fiber];
    if (child.task + 1 < on.first + on.count) return child.task + 1;
    const auto found = waiting_for_.find(seen_.tasks[child.task].group);
    return found != waiting_for_.end() ? seen_.fibers[found->second].first : nobody;
  }

  /// Effect: if who holds what this one waits for is a task that waits for this one to end, says so.
  void describe_held_wait(const situation::waiting& one) {
    const place* const held_by = place_of(one.holder);
    if (held_by == nullptr || held_by->task == one.first) return;
    std::size_t generations = 0;
    for (std::size_t task = one.first; task != held_by->task; ++generations) {
      task = parent(*place_of(seen_.tasks[task].id));
      if (task == nobody || generations > seen_.tasks.size()) return;
    }
    text_ += "  " + numbered(held_by->task) + " waits for its children while it holds " + one.kind + " (" + address(one.object) +
             ") that its " + (generations == 1 ? "child" : "descendant") + ", " + numbered(one.first) +
             ", needs: unlock it before the wait\n";
  }

  const situation& seen_;
  std::unordered_map<const task_frame*, place> places_;
  std::unordered_map<const void*, std::size_t> waiting_for_;            ///< an object → one fiber that waits for it
  std::unordered_map<const void*, std::vector<std::size_t>> children_;  ///< a group → the fibers with its tasks
  std::string text_;
};

}  // namespace

std::string explain(situation seen) {
  seen.stacks.sort();
  return explanation(seen).text();
}

}  // namespace TEFF_NAMESPACE::fibers
