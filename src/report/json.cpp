// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The one place that knows the JSON library.
#include "report/json.h"

#include "report/advice.h"
#include "report/program.h"
#include "report/sweep.h"
#include "report/why.h"

#include <nlohmann/json.hpp>

#include <variant>

namespace teff::report {

namespace {

using ordered = nlohmann::ordered_json;

ordered number_or_null(const std::optional<double>& value) { return value ? ordered(*value) : ordered(nullptr); }

/// Bytes that are no UTF-8 (a file's name may be anything) become replacement characters.
std::string text_of(const ordered& value) { return value.dump(2, ' ', false, ordered::error_handler_t::replace) + "\n"; }

ordered object_of(const resource& of) {
  return {{"name", of.name},
          {"kind", of.what == resource::kind::lock ? "lock" : "line"},
          {"busy_ns", of.busy_ns},
          {"uses", of.uses},
          {"waited_ns", of.waited_ns}};
}

ordered object_of(const record& of) {
  ordered account = ordered::object(), resources = ordered::array();
  for (const account_part& each : of.account) account[each.name] = each.ns_by_worker;
  for (const resource& each : of.resources) resources.push_back(object_of(each));
  ordered counters = ordered::object();
  for (const counter& each : of.counters) counters[each.name] = each.value;
  ordered metrics = ordered::object();
  for (const metric& each : of.metrics) metrics[each.name] = number_or_null(each.value);
  return {{"pool", of.pool},
          {"memory", of.memory},
          {"workers", of.workers},
          {"workers_asked", of.workers_asked},
          {"simulated", of.simulated},
          {"verified", of.verified},
          {"tasks", of.tasks},
          {"seed", of.seed},
          {"settings", of.settings},
          {"seconds", of.seconds},
          {"median_seconds", number_or_null(median_seconds(of))},
          {"serial_seconds", of.serial_seconds.empty() ? ordered(nullptr) : ordered(median(of.serial_seconds))},
          {"serial_samples", of.serial_seconds},
          {"speedup", number_or_null(speedup(of))},
          {"peak_live_tasks", of.peak_live_tasks},
          {"peak_bytes", of.peak_bytes},
          {"peak_fibers", of.peak_fibers},
          {"tasks_by_worker", of.tasks_by_worker},
          {"counters", counters},
          {"metrics", metrics},
          {"account_ns", of.account_ns},
          {"account", account},
          {"resources", resources}};
}

ordered knock_outs_of(const record_set& set) {
  ordered list = ordered::array();
  for (const narrowing& each : narrowings(set)) {
    list.push_back({{"pool", each.slow->pool},
                    {"memory", each.slow->memory},
                    {"workers_asked", each.slow->workers_asked},
                    {"best_pool", each.best->pool},
                    {"best_memory", each.best->memory},
                    {"without", each.without->shown},
                    {"gap_seconds", each.gap_seconds},
                    {"gap_without_seconds", each.gap_without}});
  }
  return list;
}

/// Returns: a place with its numbers, the parts of the account apart.
ordered object_of(const program_site& of) {
  constexpr std::string_view part = "part_";
  ordered object = {{"at", of.at}};
  if (!of.in.empty()) object["in"] = of.in;
  if (!of.longest_at.empty()) object["longest_at"] = of.longest_at;
  if (!of.chain_at.empty()) object["chain_at"] = of.chain_at;
  for (const auto& [name, value] : of.numbers) {
    if (name.starts_with(part)) object["account_ns"][name.substr(part.size())] = value;
    else object[name] = value;
  }
  return object;
}

ordered object_of(const program_sites& of) {
  const auto array_of = [](const std::vector<program_site>& some) {
    ordered array = ordered::array();
    for (const program_site& each : some) array.push_back(object_of(each));
    return array;
  };
  ordered found = ordered::array();
  for (const finding& each : findings(of)) found.push_back({{"cause", each.cause}, {"at", each.at}, {"sentence", each.text}});
  return {{"regions", array_of(of.regions)},
          {"tasks", array_of(of.tasks)},
          {"locks", array_of(of.locks)},
          {"barriers", array_of(of.barriers)},
          {"findings", found},
          {"remark", of.remark.empty() ? ordered(nullptr) : ordered(of.remark)}};
}

}  // namespace

std::string json(const record_set& set) {
  ordered machine = {{"processor", set.machine.processor}, {"usable_processors", set.machine.usable_processors}};
  if (!set.machine.name.empty()) machine["name"] = set.machine.name;
  for (const auto& [name, value] : set.machine.costs) machine["costs"][name] = value;
  ordered records = ordered::array();
  for (const record& each : set.records) {
    records.push_back(object_of(each));
    if (each.swept) records.back()["swept"] = *each.swept;
  }
  ordered object = {{"workload", set.workload}, {"size", set.size}, {"machine", machine}, {"commit", set.commit}};
  if (!set.sweep.empty()) object["sweep"] = set.sweep;
  object["records"] = records;
  object["advice"] = set.sweep.empty() ? advice(set) : sweep_sentences(set);
  if (!set.knock_outs.empty()) object["knock_outs"] = knock_outs_of(set);
  return text_of(object);
}

std::string json(const program_comparison& of) {
  ordered records = ordered::array();
  for (const program_record& each : of.records) {
    const bool is_known = each.output == sameness::same || each.output == sameness::differs;
    records.push_back({{"runtime", each.runtime},
                       {"threads", each.threads == 0 ? ordered(nullptr) : ordered(each.threads)},
                       {"settings", each.settings},
                       {"seconds", each.seconds},
                       {"processor_seconds", each.processor_seconds},
                       {"speedup", number_or_null(speedup_over_stock(of, each))},
                       {"peak_bytes", each.peak_bytes == 0 ? ordered(nullptr) : ordered(each.peak_bytes)},
                       {"failure", each.failure.empty() ? ordered(nullptr) : ordered(each.failure)},
                       {"same_output", is_known ? ordered(each.output == sameness::same) : ordered(nullptr)},
                       {"statistics", each.statistics},
                       {"sites", object_of(each.sites)}});
  }
  return text_of({{"command", of.command},
                  {"usable_processors", of.usable_processors},
                  {"commit", of.commit},
                  {"records", records},
                  {"advice", advice(of)}});
}

std::string json(const std::vector<std::string>& columns, const std::vector<std::string>& cells) {
  ordered rows = ordered::array();
  for (std::size_t i = 0; i < cells.size(); i += columns.size()) {
    ordered row = ordered::object();
    for (std::size_t j = 0; j < columns.size(); ++j) row[columns[j]] = cells[i + j];
    rows.push_back(row);
  }
  return text_of(rows);
}

std::string json(const std::vector<fact>& facts, const std::vector<std::string>& advice) {
  ordered object = ordered::object();
  for (const fact& each : facts) {
    ordered& entry = object[each.group][each.name];
    entry["value"] = std::visit([](const auto& value) { return ordered(value); }, each.of);
    if (!each.source.empty()) entry["source"] = each.source;
  }
  object["advice"] = advice;
  return text_of(object);
}

std::string json_version() {
  return std::to_string(NLOHMANN_JSON_VERSION_MAJOR) + "." + std::to_string(NLOHMANN_JSON_VERSION_MINOR) + "." +
         std::to_string(NLOHMANN_JSON_VERSION_PATCH);
}

}  // namespace teff::report
