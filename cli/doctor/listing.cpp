// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/doctor/listing.h"

#include "cli/doctor/words.h"
#include "report/text.h"
#include "teff/stats.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>

namespace teff::cli {

namespace {

using report::counted;
using report::fact_value;
using report::format;
using report::grouped;

constexpr const char* unknown = "unknown";
constexpr std::int64_t mappings_per_stack = 2;  // the stack and its guard page

fact_value word_or_null(const std::string& word) { return word.empty() ? fact_value(nullptr) : fact_value(word); }

/// Collects the facts, one group after the other.
class list {
 public:
  void group(const char* name) { group_ = name; }

  void add(const char* name, fact_value value, std::string text, std::string source = "") {
    facts_.push_back({group_, name, std::move(value), std::move(text), std::move(source)});
  }
  void add_word(const char* name, const std::string& word, const char* source) {
    add(name, word_or_null(word), word.empty() ? unknown : word, source);
  }
  void for_scripts(const char* name, fact_value value, const char* source = "") { add(name, std::move(value), "", source); }

  std::vector<report::fact> take() { return std::move(facts_); }

 private:
  const char* group_ = "";
  std::vector<report::fact> facts_;
};

template <class Number>
fact_value number(Number of) {
  if constexpr (std::is_integral_v<Number> && !std::is_same_v<Number, bool>) return static_cast<std::int64_t>(of);
  else return of;
}

template <class Number>
fact_value number_or_null(const std::optional<Number>& of) {
  return of ? number(*of) : nullptr;
}

void list_build(const build_facts& of, list& to) {
  std::vector<std::string> libraries;
  for (const auto& [name, version] : of.libraries) libraries.push_back(format("{} {}", name, version));
  to.group("teff");
  to.add("version", of.version, of.version + " (" + of.commit + ")");
  to.for_scripts("commit", of.commit);
  to.add("compiler", of.compiler, of.compiler);
  to.add("build_type", of.type,
         format("{}: {}, {} assertions, {} sanitizers{}", of.type.empty() ? "without a name" : of.type,
                of.optimised ? "optimised" : "not optimised", of.assertions ? "with" : "without",
                of.sanitizers.empty() ? "without" : "with", of.sanitizers.empty() ? "" : " (" + of.sanitizers + ")"));
  to.for_scripts("optimised", of.optimised);
  to.for_scripts("assertions", of.assertions);
  to.for_scripts("sanitizers", of.sanitizers);
  to.add("libraries", of.libraries, report::joined(libraries));
}

std::string why_so_many(const facts& of) {
  if (of.limited_by_quota()) return "by the cgroup quota";
  const bool all = of.kernel.online && of.machine.mask.size() >= *of.kernel.online;
  return all ? "all that are online" : "by the affinity mask";
}

void list_limits_of_processors(const facts& of, list& to) {
  const std::vector<unsigned>& mask = of.machine.mask;
  const auto& quota = of.machine.quota;
  const unsigned usable = of.machine.usable.usable_processors;
  to.add("online", number_or_null(of.kernel.online), of.kernel.online ? std::to_string(*of.kernel.online) : unknown,
         "/sys/devices/system/cpu/online");
  to.add("affinity_mask", mask, format("{} (numbers {})", mask.size(), ranges_text(mask)), "sched_getaffinity");
  if (quota) to.add("quota", quota->amount, format("{:.4g}", quota->amount), "cgroup quota " + quota->file + " " + quota->text);
  else to.add("quota", nullptr, of.kernel.proc ? "none" : unknown, "cgroups");
  to.add("usable", number(usable), format("{}, so {} by default", usable, counted(of.default_workers(), "worker")),
         why_so_many(of));
  to.for_scripts("default_workers", number(of.default_workers()));
}

std::string cores_text(const platform::machine_shape& shape) {
  if (shape.cores == 0) return unknown;
  return format("{} with {}, {}, {}", shape.cores, counted(shape.processors, "hardware thread"),
                counted(shape.packages, "package"), counted(shape.memory_nodes, "memory node"));
}

void list_shape(const platform::machine_shape& shape, list& to) {
  const auto count = [](unsigned amount) { return amount == 0 ? nullptr : number(amount); };
  to.add("cores", count(shape.cores), cores_text(shape), "hwloc");
  to.for_scripts("hardware_threads", count(shape.processors), "hwloc");
  to.for_scripts("packages", count(shape.packages), "hwloc");
  to.for_scripts("memory_nodes", count(shape.memory_nodes), "hwloc");
  std::vector<std::map<std::string, std::uint64_t>> kinds;
  std::vector<std::string> texts;
  for (const auto& [level, bytes, processors, amount] : shape.caches) {
    kinds.push_back({{"level", level}, {"bytes", bytes}, {"processors", processors}, {"count", amount}});
    texts.push_back(format("L{} {} for {}", level, bytes_text(bytes), counted(processors, "processor")));
  }
  to.add("caches", kinds, kinds.empty() ? unknown : report::joined(texts), "hwloc");
}

/// Each node's distances, as "node 0: 10, 21; node 1: 21, 10".
std::string distances_text(const std::vector<memory_node>& nodes) {
  std::string text;
  for (const memory_node& each : nodes) {
    std::vector<std::string> distances;
    for (const unsigned distance : each.distances) distances.push_back(std::to_string(distance));
    text +=
        format("{}node {}: {}", text.empty() ? "" : "; ", each.number, distances.empty() ? unknown : report::joined(distances));
  }
  return text.empty() ? unknown : text;
}

void list_distances(const std::vector<memory_node>& nodes, list& to) {
  std::vector<std::map<std::string, std::uint64_t>> rows;
  for (const memory_node& each : nodes) {
    rows.push_back({{"node", each.number}});
    for (std::size_t i = 0; i < each.distances.size() && i < nodes.size(); ++i)
      rows.back()["to_" + std::to_string(nodes[i].number)] = each.distances[i];
  }
  to.add("distances", rows, distances_text(nodes), "/sys/devices/system/node");
}

/// Returns: how many of the first workers each part has that `part_of` says of their places.
template <class PartOf>
std::vector<unsigned> members_of_parts(unsigned workers, PartOf part_of) {
  std::map<unsigned, unsigned> members;
  for (unsigned each = 0; each < workers; ++each) ++members[part_of(each)];
  std::vector<unsigned> counts;
  for (const auto& [part, count] : members) counts.push_back(count);
  return counts;
}

/// What the setting `domains` makes of a team of as many workers as there are by default.
void list_team(const facts& of, list& to) {
  const platform::topology& machine = of.machine.usable;
  const auto workers = std::min(of.default_workers(), static_cast<unsigned>(machine.places.size()));
  std::string text;
  const auto add = [&](const char* name, const char* by, bool known, const auto& part_of) {
    const auto members = known ? members_of_parts(workers, part_of) : std::vector<unsigned>();
    to.for_scripts(name, members.empty() ? fact_value(nullptr) : members, "setting domains");
    if (members.empty()) return;
    std::vector<std::string> counts;
    for (const unsigned count : members) counts.push_back(std::to_string(count));
    text += format("{}by {}: {}", text.empty() ? "" : "; ", by, report::joined(counts));
  };
  using platform::level;
  add("team_by_cache", "cache", true, [&](unsigned each) { return machine.places[each].part(level::cache); });
  add("team_by_socket", "socket", machine.names_packages,
      [&](unsigned each) { return machine.places[each].part(level::package); });
  add("team_by_node", "node", machine.memory_nodes.size() >= workers, [&](unsigned each) { return machine.memory_nodes[each]; });
  to.add("team", number(workers), format("workers of each domain, {}", text.empty() ? unknown : text), "setting domains");
}

void list_processors(const facts& of, list& to) {
  const std::optional<bool>& guest = of.kernel.hypervisor;
  to.group("processors");
  to.add_word("name", printable(of.kernel.processor), "/proc/cpuinfo");
  list_limits_of_processors(of, to);
  list_shape(of.machine.shape, to);
  list_distances(of.kernel.nodes, to);
  to.for_scripts("domains", number(of.machine.usable.count(platform::level::cache)), "/sys");
  list_team(of, to);
  to.add("virtual", number_or_null(guest),
         !guest   ? unknown
         : *guest ? "yes: other guests of the host may disturb"
                  : "no",
         "hypervisor flag of /proc/cpuinfo");
}

void list_system(const facts& of, list& to) {
  const kernel_facts& kernel = of.kernel;
  to.group("system");
  to.add_word("kernel", of.kernel_release, "uname");
  to.add("clock_source", word_or_null(kernel.clock_source),
         format("{}, {} to read it", kernel.clock_source.empty() ? unknown : kernel.clock_source,
                report::duration(of.clock_read_ns * 1e-9)),
         "/sys/devices/system/clocksource");
  to.for_scripts("clock_read_ns", of.clock_read_ns, "measured");
  to.add_word("huge_pages", kernel.huge_pages, "/sys/kernel/mm/transparent_hugepage/enabled");
  to.add_word("frequency", report::joined(kernel.governors), "cpufreq/scaling_governor");
  to.add("load", number_or_null(kernel.load), kernel.load ? format("{:.2f} in the last minute", *kernel.load) : unknown,
         "/proc/loadavg");
  to.add("stolen", number_or_null(kernel.stolen),
         kernel.stolen ? format("{:.1f} % of the time since the start", *kernel.stolen * 100) : unknown, "/proc/stat");
}

void list_counters(const facts& of, list& to) {
  const auto& paranoid = of.kernel.counters_paranoid;
  const std::string source = "perf_event_open, kernel.perf_event_paranoid " + (paranoid ? std::to_string(*paranoid) : unknown);
  to.group("counters");
  to.add("cycles", of.cycles == os::counting::works, counting_text(of.cycles), source);
  to.add("cache_misses", of.cache_misses == os::counting::works, counting_text(of.cache_misses), source);
  to.for_scripts("paranoid", number_or_null(paranoid), "kernel.perf_event_paranoid");
}

std::string overcommit_text(const std::optional<std::int64_t>& mode) {
  if (!mode) return unknown;
  return *mode == 0   ? "0: by estimate"
         : *mode == 1 ? "1: granted always"
         : *mode == 2 ? "2: counted strictly"
                      : std::to_string(*mode);
}

void list_limits(const facts& of, list& to) {
  const std::optional<limit> threads = of.threads();
  const auto& mappings = of.kernel.mappings;
  to.group("limits");
  if (threads) to.add("threads", number(threads->amount), grouped(threads->amount), threads->source);
  else to.add("threads", nullptr, "no limit known");
  to.add("stack", number_or_null(of.stack_bytes), of.stack_bytes ? bytes_text(*of.stack_bytes) : "unlimited", "ulimit -s");
  to.add("mappings", number_or_null(mappings),
         mappings ? format("{}: for about {} stacks with a guard page", grouped(static_cast<std::uint64_t>(*mappings)),
                           grouped(static_cast<std::uint64_t>(*mappings / mappings_per_stack)))
                  : unknown,
         "vm.max_map_count");
  to.add("overcommit", number_or_null(of.kernel.overcommit), overcommit_text(of.kernel.overcommit), "vm.overcommit_memory");
}

void list_environment(const facts& of, list& to) {
  std::map<std::string, std::string> set, known;
  std::vector<std::string> texts;
  for (const auto& [name, value] : of.teff_variables) {
    set[name] = value;
    texts.push_back(printable(format("{}={}", name, value)));
  }
  std::vector<std::string> names;
  for (const variable_line& each : list_variables()) {
    known[each.name] = each.what;
    names.emplace_back(each.name);
  }
  to.group("environment");
  to.add("variables", set, texts.empty() ? "none set; known: " + report::joined(names) : report::joined(texts));
  to.for_scripts("known", known);
}

}  // namespace

std::vector<report::fact> listing(const facts& of) {
  list facts;
  list_build(of.build, facts);
  list_processors(of, facts);
  list_system(of, facts);
  list_counters(of, facts);
  list_limits(of, facts);
  list_environment(of, facts);
  return facts.take();
}

std::string text_of(const std::vector<report::fact>& facts) {
  std::vector<std::vector<std::string>> rows;
  std::string group;
  for (const report::fact& each : facts) {
    if (each.text.empty()) continue;
    std::string name = each.name;
    std::replace(name.begin(), name.end(), '_', ' ');
    rows.push_back(
        {each.group == group ? "" : each.group, name, each.text + (each.source.empty() ? "" : "  [" + each.source + "]")});
    group = each.group;
  }
  return report::columns(rows, std::vector(3, report::align::left));
}

}  // namespace teff::cli
