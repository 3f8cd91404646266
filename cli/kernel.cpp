// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/kernel.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace teff::cli {

namespace {

/// Returns: the first line; empty if the file cannot be read.
std::string read_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

template <class Number>
std::optional<Number> read_number(const std::string& path) {
  std::ifstream file(path);
  Number number{};
  return file >> number ? std::optional(number) : std::nullopt;
}

/// Returns: the value of the first line of /proc/cpuinfo with that key, "key : value"; nothing if there is none.
std::optional<std::string> read_processor_line(const std::string& root, const std::string& key) {
  std::ifstream file(root + "/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || !line.starts_with(key)) continue;
    if (line.find_first_not_of(" \t", key.size()) != colon) continue;
    return colon + 2 <= line.size() ? line.substr(colon + 2) : "";
  }
  return std::nullopt;
}

std::optional<bool> read_hypervisor(const std::string& root) {
  const auto flags = read_processor_line(root, "flags");
  if (!flags) return std::nullopt;
  std::istringstream words(*flags);
  for (std::string word; words >> word;) {
    if (word == "hypervisor") return true;
  }
  return false;
}

constexpr unsigned numbers_at_most = 1 << 20;

/// Reads a list of ranges as the kernel writes them: "0-3,8". Returns: nothing if it makes no sense.
std::vector<unsigned> numbers_in_ranges(const std::string& text) {
  std::istringstream ranges(text);
  std::vector<unsigned> all;
  for (std::string range; std::getline(ranges, range, ',');) {
    std::istringstream numbers(range);
    unsigned first = 0;
    if (!(numbers >> first)) return {};
    unsigned last = first;
    char dash = '-';
    if (numbers >> dash && (dash != '-' || !(numbers >> last) || last < first || last - first > numbers_at_most)) return {};
    for (; first <= last; ++first) all.push_back(first);
  }
  return all;
}

std::optional<unsigned> count_of_ranges(const std::string& text) {
  const auto count = static_cast<unsigned>(numbers_in_ranges(text).size());
  return count > 0 ? std::optional(count) : std::nullopt;
}

std::vector<memory_node> read_nodes(const std::string& folder) {
  std::vector<memory_node> nodes;
  for (const unsigned number : numbers_in_ranges(read_line(folder + "/online"))) {
    std::istringstream row(read_line(folder + "/node" + std::to_string(number) + "/distance"));
    nodes.push_back({number, {}});
    for (unsigned distance; row >> distance;) nodes.back().distances.push_back(distance);
  }
  return nodes;
}

/// The kernel puts the chosen word in brackets: "always [madvise] never".
std::string chosen_word(const std::string& line) {
  const std::size_t open = line.find('['), close = line.find(']', open);
  return close == std::string::npos ? "" : line.substr(open + 1, close - open - 1);
}

std::vector<std::string> read_governors(const std::string& root, const std::vector<unsigned>& processors) {
  std::vector<std::string> found;
  for (const unsigned each : processors) {
    const std::string folder = root + "/sys/devices/system/cpu/cpu" + std::to_string(each);
    const std::string governor = read_line(folder + "/cpufreq/scaling_governor");
    if (!governor.empty() && std::find(found.begin(), found.end(), governor) == found.end()) found.push_back(governor);
  }
  return found;
}

/// First line of /proc/stat: "cpu", then times of user, nice, system, idle, iowait, irq, softirq, steal. (The times of guests
/// that follow are in user and nice too.)
std::optional<double> read_stolen(const std::string& root) {
  std::istringstream words(read_line(root + "/proc/stat"));
  std::string name;
  double time = 0, sum = 0;
  if (!(words >> name) || name != "cpu") return std::nullopt;
  for (int i = 0; i < 8; ++i) {
    if (!(words >> time)) return std::nullopt;
    sum += time;
  }
  return sum > 0 ? std::optional(time / sum) : std::nullopt;
}

bool is_there(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

}  // namespace

std::string read_processor_name(const std::string& root) { return read_processor_line(root, "model name").value_or("unknown"); }

kernel_facts read_kernel(const std::string& root, const std::vector<unsigned>& processors) {
  const std::string devices = root + "/sys/devices/system", settings = root + "/proc/sys";
  kernel_facts facts;
  facts.proc = is_there(root + "/proc/self");
  facts.sys = is_there(devices + "/cpu");
  facts.processor = read_processor_line(root, "model name").value_or("");
  facts.online = count_of_ranges(read_line(devices + "/cpu/online"));
  facts.hypervisor = read_hypervisor(root);
  facts.clock_source = read_line(devices + "/clocksource/clocksource0/current_clocksource");
  facts.huge_pages = chosen_word(read_line(root + "/sys/kernel/mm/transparent_hugepage/enabled"));
  facts.governors = read_governors(root, processors);
  facts.nodes = read_nodes(devices + "/node");
  facts.load = read_number<double>(root + "/proc/loadavg");
  facts.stolen = read_stolen(root);
  facts.counters_paranoid = read_number<std::int64_t>(settings + "/kernel/perf_event_paranoid");
  facts.mappings = read_number<std::int64_t>(settings + "/vm/max_map_count");
  facts.overcommit = read_number<std::int64_t>(settings + "/vm/overcommit_memory");
  facts.threads = read_number<std::int64_t>(settings + "/kernel/threads-max");
  facts.process_numbers = read_number<std::int64_t>(settings + "/kernel/pid_max");
  return facts;
}

}  // namespace teff::cli
