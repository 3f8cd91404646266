// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/why.h"

#include <algorithm>

namespace teff::cli {

namespace {

/// A cost that is more than one number, or of which the least is not 0.
struct known_cost {
  const char* name;
  std::vector<const char*> numbers;
  const char* least;
  std::vector<std::string> parts;
};

/// What is left out: threads are started before a run, a pause is the price of waiting that ends by itself, clocks are read for
/// the account alone, and the clock rate is that of everything.
std::vector<known_cost> known_costs() {
  return {
      {"the program's own work", {"cycles_per_charge_unit"}, "0.001", {"own_work", "imbalance", "beside_tasks"}},
      {"hits of atomics", {"own_line_hit"}, "1", {"own_memory", "put_get", "lock_wait", "stealing"}},
      {"plain memory", {"plain_hit"}, "0", {"own_memory", "put_get", "stealing", "lock_wait"}},
      {"atomic operations and fences",
       {"read_modify_write_extra", "fence"},
       "0",
       {"put_get", "lock_wait", "stealing", "own_memory"}},
      {"fences of all processors", {"fence_everywhere"}, "0", {"beside_tasks", "stealing", "put_get"}},
      {"puts and gets", {"put_or_get"}, "0", {"put_get", "lock_wait"}},
      {"going to sleep and waking", {"park", "wake"}, "0", {"parked", "waking", "lock_wait"}},
      {"the way from a wake-up to running", {"wake_latency"}, "0", {"being_woken", "parked", "lock_wait"}},
      {"memory from the system",
       {"system_allocation", "system_release", "page_touch"},
       "0",
       {"system_memory", "lock_wait", "fibers"}},
  };
}

struct number {
  std::string name, value;
};

std::vector<number> numbers_of(const engine::side& side) {
  engine::text_table table;
  engine::problem wrong;
  side.list(engine::list_kind::machine, "", table, wrong);
  std::vector<number> all;
  for (std::size_t i = 0; i < table.cells.size(); i += table.columns.size()) all.push_back({table.cells[i], table.cells[i + 1]});
  return all;
}

/// Effect: one more number becomes that value, if it is not so already.
void change(knock_out_plan& made, const number& of, const std::string& to) {
  if (of.value == to) return;
  made.without.push_back(of.name + "=" + to);
  made.with.push_back(of.name + "=" + of.value);
}

std::string shown(const knock_out_plan& of) {
  std::string text;
  for (const std::string& each : of.without) {
    const std::size_t equals = each.find('=');
    text += (text.empty() ? "" : ", ") + each.substr(0, equals) + " = " + each.substr(equals + 1);
  }
  return text;
}

knock_out_plan plan_of(const known_cost& cost, const std::vector<number>& all) {
  knock_out_plan made{cost.name, {}, cost.parts, {}, {}};
  for (const number& each : all) {
    if (std::find(cost.numbers.begin(), cost.numbers.end(), each.name) != cost.numbers.end()) change(made, each, cost.least);
  }
  return made;
}

/// All lines from other processors for nothing; and all of them from as near as the nearest.
std::vector<knock_out_plan> plans_of_transfers(const std::vector<number>& all) {
  const std::vector<std::string> parts = {"own_memory", "put_get", "lock_wait", "stealing", "beside_tasks"};
  // A line that many read is handed out once more at this price.
  knock_out_plan transfers{"lines from other processors", {}, parts, {}, {}},
      distance{"distance between processors", {}, parts, {}, {}};
  const number* nearest = nullptr;
  for (const number& each : all) {
    if (each.name == "shared_read_occupancy") change(transfers, each, "0");
    if (!each.name.ends_with("_transfer")) continue;
    if (nearest == nullptr) nearest = &each;
    change(transfers, each, "0");
    change(distance, each, nearest->value);
  }
  return {transfers, distance};
}

}  // namespace

std::vector<knock_out_plan> knock_outs_of(const engine::side& side) {
  const std::vector<number> all = numbers_of(side);
  std::vector<knock_out_plan> made = plans_of_transfers(all);
  for (const known_cost& each : known_costs()) made.push_back(plan_of(each, all));
  std::erase_if(made, [](const knock_out_plan& each) { return each.without.empty(); });
  for (knock_out_plan& each : made) each.shown = shown(each);
  return made;
}

}  // namespace teff::cli
