// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/native/cgroup.h"
#include "platform/native/processors.h"
#include "platform/platform.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <iterator>
#include <memory>
#include <new>
#include <numeric>
#include <sched.h>
#include <tuple>
#include <utility>

namespace TEFF_NAMESPACE::platform {

namespace {

/// Far above the kernel's own limit: the search for a mask that is large enough ends here.
constexpr unsigned processors_at_most = 1u << 20;

struct cpu_set_deleter {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};

/// Returns: the members of the mask of `capacity` processors; nothing if the kernel's mask is larger than that.
std::optional<std::vector<unsigned>> affinity_in(unsigned capacity) {
  const std::unique_ptr<cpu_set_t, cpu_set_deleter> set(CPU_ALLOC(capacity));
  const std::size_t bytes = CPU_ALLOC_SIZE(capacity);
  std::vector<unsigned> members;
  if (set == nullptr) return members;
  if (sched_getaffinity(0, bytes, set.get()) != 0) {
    if (errno == EINVAL) return std::nullopt;
    return members;
  }
  for (unsigned processor = 0; processor < capacity; ++processor) {
    if (CPU_ISSET_S(processor, bytes, set.get())) members.push_back(processor);
  }
  return members;
}

/// Sorts by package, then cache, then one hardware thread of each core before the second ones.
void sort_by_nearness(std::vector<processor_location>& locations) {
  const auto core_of = [](const processor_location& at) { return std::tuple(at.package, at.cache, at.core); };
  std::sort(locations.begin(), locations.end(), [&](const auto& a, const auto& b) {
    return std::tuple(core_of(a), a.system_index) < std::tuple(core_of(b), b.system_index);
  });
  std::vector<std::pair<unsigned, processor_location>> ranked;  // with the rank among the hardware threads of its core
  for (const processor_location& next : locations) {
    const bool same_core = !ranked.empty() && core_of(ranked.back().second) == core_of(next);
    ranked.emplace_back(same_core ? ranked.back().first + 1 : 0, next);
  }
  const auto key = [](const auto& entry) {
    const auto& [rank, at] = entry;
    return std::tuple(at.package, at.cache, rank, at.core);
  };
  std::sort(ranked.begin(), ranked.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  std::transform(ranked.begin(), ranked.end(), locations.begin(), [](const auto& entry) { return entry.second; });
}

/// What of the machine this process may use.
struct allowance {
  std::vector<unsigned> processors;  ///< the system's numbers of those in the affinity mask
  std::optional<unsigned> quota;
};

allowance read_allowance(const std::string& root) {
  const std::optional<cgroup_limit> quota = cgroup_quota(root);
  return {processors_by_affinity(), quota ? std::optional(whole_processors(*quota)) : std::nullopt};
}

topology arrange_allowed(const allowance& allowed, const std::string& root) {
  return arrange_processors(locate_processors(allowed.processors, root), allowed.quota);
}

bool is_limited(std::size_t processors, std::optional<unsigned> quota) { return quota && *quota < processors; }

unsigned usable_of(std::size_t processors, std::optional<unsigned> quota) {
  return is_limited(processors, quota) ? std::max(1u, *quota) : static_cast<unsigned>(processors);
}

// Each is never freed: threads that outlive main may still ask for it. None: the memory for it was refused.
const allowance* what_is_allowed = nullptr;
const topology* the_machine = nullptr;
constinit once_in_process allowed_once, machine_once;

template <class Known, class Read>
void keep(const Known*& known, Read read) noexcept {
  try {
    known = new Known(read());
  } catch (const std::bad_alloc&) {
    known = nullptr;
  }
}

template <class Known>
const Known& unless_refused(const Known* known) {
  if (known == nullptr) throw std::bad_alloc();
  return *known;
}

const allowance& allowed() {
  allowed_once.run([] { keep(what_is_allowed, [] { return read_allowance(""); }); });
  return unless_refused(what_is_allowed);
}

}  // namespace

std::vector<unsigned> processors_by_affinity() {
  for (unsigned capacity = CPU_SETSIZE; capacity <= processors_at_most; capacity *= 2) {
    const auto members = affinity_in(capacity);
    if (members) return members->empty() ? std::vector<unsigned>{0} : *members;
  }
  return {0};
}

topology arrange_processors(std::vector<processor_location> locations, std::optional<unsigned> quota) {
  sort_by_nearness(locations);
  topology result;
  // The system's numbers of parts may be few ones of many, and those of cores are of their package alone.
  using path = std::tuple<unsigned, unsigned, unsigned>;
  std::vector<path> cores, caches, packages, nodes;
  const auto number_of = [](std::vector<path>& seen, path which) {
    const auto found = std::find(seen.begin(), seen.end(), which);
    const auto number = static_cast<unsigned>(found - seen.begin());
    if (found == seen.end()) seen.push_back(which);
    return number;
  };
  for (const processor_location& here : locations) {
    result.places.push_back({here.system_index,
                             {number_of(cores, {here.package, here.cache, here.core}),
                              number_of(caches, {here.package, here.cache, 0}), number_of(packages, {here.package, 0, 0})}});
    result.names_packages &= here.has_package;
    if (here.memory_node) result.memory_nodes.push_back(number_of(nodes, {*here.memory_node, 0, 0}));
  }
  if (result.memory_nodes.size() != locations.size()) result.memory_nodes.clear();
  result.usable_processors = usable_of(locations.size(), quota);
  if (is_limited(locations.size(), quota)) result.limited_by = "cgroup quota";
  return result;
}

topology read_topology(const std::string& root) { return arrange_allowed(read_allowance(root), root); }

const topology& machine() {
  machine_once.run([] { keep(the_machine, [] { return arrange_allowed(allowed(), ""); }); });
  return unless_refused(the_machine);
}

unsigned usable_processors() { return usable_of(allowed().processors.size(), allowed().quota); }

std::vector<unsigned> places_of_caller() {
  const std::vector<processor_place>& places = machine().places;
  const std::vector<unsigned> allowed = processors_by_affinity();
  std::vector<unsigned> all(places.size()), found;
  std::iota(all.begin(), all.end(), 0u);
  std::copy_if(all.begin(), all.end(), std::back_inserter(found),
               [&](unsigned place) { return std::binary_search(allowed.begin(), allowed.end(), places[place].system_index); });
  return found.empty() ? all : found;
}

}  // namespace TEFF_NAMESPACE::platform
