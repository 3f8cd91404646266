// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/native/cgroup.h"
#include "platform/native/processors.h"
#include "platform/native/survey.h"
#include "platform/platform.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <hwloc.h>
#include <initializer_list>
#include <memory>
#include <pthread.h>
#include <sched.h>
#include <tuple>
#include <utility>

namespace teff::inline TEFF_PLATFORM::platform {

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

struct hwloc_deleter {
  void operator()(hwloc_topology* machine) const { hwloc_topology_destroy(machine); }
};
using hwloc_handle = std::unique_ptr<hwloc_topology, hwloc_deleter>;

using object_types = std::initializer_list<hwloc_obj_type_t>;

/// Loads only these kinds of objects. Returns: null if hwloc cannot read the machine.
hwloc_handle load_hwloc(const char* synthetic, object_types wanted) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return nullptr;
  hwloc_handle machine(raw);
  hwloc_topology_set_all_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_NONE);
  for (const hwloc_obj_type_t type : wanted) hwloc_topology_set_type_filter(raw, type, HWLOC_TYPE_FILTER_KEEP_ALL);
  if (synthetic != nullptr && hwloc_topology_set_synthetic(raw, synthetic) != 0) return nullptr;
  return hwloc_topology_load(raw) == 0 ? std::move(machine) : nullptr;
}

/// Returns: the number of the object of this type around `processor`, or `otherwise`.
unsigned number_around(hwloc_topology_t machine, hwloc_obj_t processor, hwloc_obj_type_t type, unsigned otherwise) {
  const hwloc_obj* around = hwloc_get_ancestor_obj_by_type(machine, type, processor);
  return around == nullptr ? otherwise : around->logical_index;
}

processor_location locate(hwloc_topology_t machine, unsigned processor) {
  hwloc_obj* unit = machine == nullptr ? nullptr : hwloc_get_pu_obj_by_os_index(machine, processor);
  if (unit == nullptr) return {processor, processor, 0, 0};
  const unsigned node = unit->nodeset == nullptr ? 0 : static_cast<unsigned>(std::max(0, hwloc_bitmap_first(unit->nodeset)));
  const unsigned package = number_around(machine, unit, HWLOC_OBJ_PACKAGE, node);
  return {processor, number_around(machine, unit, HWLOC_OBJ_CORE, processor),
          number_around(machine, unit, HWLOC_OBJ_L3CACHE, package), package};
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

topology* the_machine = nullptr;
pthread_once_t machine_once = PTHREAD_ONCE_INIT;

/// The result is never freed: threads that outlive main may still ask for it.
void read_machine() { the_machine = new topology(read_topology()); }

unsigned count(hwloc_topology_t machine, hwloc_obj_type_t type) {
  return static_cast<unsigned>(std::max(0, hwloc_get_nbobjs_by_type(machine, type)));
}

/// Effect: adds the caches of this type, those of the same size that serve the same number of processors together.
void add_caches(hwloc_topology_t machine, hwloc_obj_type_t type, std::vector<cache_kind>& caches) {
  for (hwloc_obj_t each = nullptr; (each = hwloc_get_next_obj_by_type(machine, type, each)) != nullptr;) {
    const cache_kind kind{each->attr->cache.depth, each->attr->cache.size,
                          static_cast<unsigned>(std::max(0, hwloc_bitmap_weight(each->cpuset))), 1};
    const auto same = std::find_if(caches.begin(), caches.end(), [&](const cache_kind& other) {
      return std::tuple(other.level, other.bytes, other.processors) == std::tuple(kind.level, kind.bytes, kind.processors);
    });
    if (same == caches.end()) caches.push_back(kind);
    else ++same->count;
  }
}

}  // namespace

machine_shape read_shape(const char* synthetic) {
  machine_shape shape;
  const hwloc_handle machine = load_hwloc(synthetic, {HWLOC_OBJ_PACKAGE, HWLOC_OBJ_CORE, HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE,
                                                      HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE});
  if (machine == nullptr) return shape;
  shape.packages = count(machine.get(), HWLOC_OBJ_PACKAGE);
  shape.memory_nodes = count(machine.get(), HWLOC_OBJ_NUMANODE);
  shape.cores = count(machine.get(), HWLOC_OBJ_CORE);
  shape.processors = count(machine.get(), HWLOC_OBJ_PU);
  for (const hwloc_obj_type_t type :
       {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE})
    add_caches(machine.get(), type, shape.caches);
  return shape;
}

std::vector<unsigned> processors_by_affinity() {
  for (unsigned capacity = CPU_SETSIZE; capacity <= processors_at_most; capacity *= 2) {
    const auto members = affinity_in(capacity);
    if (members) return members->empty() ? std::vector<unsigned>{0} : *members;
  }
  return {0};
}

std::vector<processor_location> locate_processors(const std::vector<unsigned>& processors, const char* synthetic) {
  const hwloc_handle machine = load_hwloc(synthetic, {HWLOC_OBJ_PACKAGE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_CORE});
  std::vector<processor_location> locations;
  for (const unsigned processor : processors) locations.push_back(locate(machine.get(), processor));
  return locations;
}

topology arrange_processors(std::vector<processor_location> locations, std::optional<unsigned> quota) {
  sort_by_nearness(locations);
  topology result;
  std::vector<unsigned> package_of_domain;
  for (std::size_t i = 0; i < locations.size(); ++i) {
    const processor_location& here = locations[i];
    const bool new_domain = i == 0 || here.cache != locations[i - 1].cache || here.package != locations[i - 1].package;
    if (new_domain) package_of_domain.push_back(here.package);
    result.places.push_back({here.system_index, static_cast<unsigned>(package_of_domain.size() - 1)});
  }
  for (const unsigned from : package_of_domain) {
    auto& row = result.domain_distance.emplace_back();
    for (const unsigned to : package_of_domain) row.push_back(from == to ? 1 : 2);
    row[result.domain_distance.size() - 1] = 0;
  }
  result.usable_processors = static_cast<unsigned>(locations.size());
  if (quota && *quota < result.usable_processors) {
    result.usable_processors = std::max(1u, *quota);
    result.limited_by = "cgroup quota";
  }
  return result;
}

topology read_topology(const std::string& root) {
  const std::optional<cgroup_limit> quota = cgroup_quota(root);
  const auto whole = quota ? std::optional(whole_processors(*quota)) : std::nullopt;
  return arrange_processors(locate_processors(processors_by_affinity()), whole);
}

survey survey_machine(const std::string& root) {
  return {processors_by_affinity(), cgroup_quota(root), cgroup_threads(root), read_topology(root), read_shape()};
}

const char* hwloc_version() { return HWLOC_VERSION; }

const topology& machine() {
  pthread_once(&machine_once, read_machine);
  return *the_machine;
}

}  // namespace teff::inline TEFF_PLATFORM::platform
