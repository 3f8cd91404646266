// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/native/survey.h"

#include "platform/native/processors.h"

#include <algorithm>
#include <hwloc.h>
#include <initializer_list>
#include <memory>
#include <tuple>
#include <utility>

namespace TEFF_NAMESPACE::platform {

namespace {

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

survey survey_machine(const std::string& root) {
  return {processors_by_affinity(), cgroup_quota(root), cgroup_threads(root), read_topology(root), read_shape()};
}

const char* hwloc_version() { return HWLOC_VERSION; }

}  // namespace TEFF_NAMESPACE::platform
