// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The numbers that every machine has: under which name, between which bounds.
#pragma once

#include "sim/machine_description.h"

namespace TEFF_NAMESPACE::sim {

inline constexpr unsigned cost_at_most = 1'000'000'000;
/// Of an access to memory: how long waits back off fits real machines. Where an access takes longer than that, processors take
/// lines from under one another's hands for ever.
inline constexpr unsigned access_cost_at_most = 10'000;

struct whole_cost {
  const char* name;
  unsigned machine_description::* member;
  unsigned least, most;
  const char* what;
};

inline constexpr whole_cost whole_costs[] = {
    {"own_line_hit", &machine_description::own_line_hit, 1, access_cost_at_most, "cycles: a line that the processor holds"},
    {"plain_hit", &machine_description::plain_hit, 0, access_cost_at_most,
     "cycles: memory that is no atomic, in a line that the processor holds; 0: such memory takes no time, wherever it is"},
    {"read_modify_write_extra", &machine_description::read_modify_write_extra, 0, access_cost_at_most,
     "cycles beyond those of a write"},
    {"shared_read_occupancy", &machine_description::shared_read_occupancy, 0, access_cost_at_most,
     "cycles that a shared line is busy with one copy"},
    {"fence", &machine_description::fence, 0, cost_at_most, "cycles: a full fence"},
    {"fence_everywhere", &machine_description::fence_everywhere, 0, cost_at_most, "cycles: having every processor pass a fence"},
    {"pause", &machine_description::pause, 1, cost_at_most, "cycles: one round of a waiting loop"},
    {"clock_read", &machine_description::clock_read, 0, cost_at_most, "cycles: reading the clock"},
    {"park", &machine_description::park, 0, cost_at_most, "cycles: going to sleep"},
    {"wake", &machine_description::wake, 0, cost_at_most, "cycles: waking somebody"},
    {"wake_latency", &machine_description::wake_latency, 0, cost_at_most, "cycles until the woken one runs"},
    {"thread_start", &machine_description::thread_start, 0, cost_at_most, "cycles: creating a thread"},
    {"put_or_get", &machine_description::put_or_get, 0, cost_at_most,
     "cycles: a put or a get of a task, beside its accesses to memory"},
    {"system_allocation", &machine_description::system_allocation, 0, cost_at_most, "cycles: memory from the system"},
    {"system_release", &machine_description::system_release, 0, cost_at_most, "cycles: memory back to the system"},
    {"page_touch", &machine_description::page_touch, 0, cost_at_most, "cycles: the first access to a page of 4 KiB in a run"},
};

/// What a machine states of its caches: all of them or none; those of a domain where a level shares a cache, and only there.
struct cache_number {
  whole_cost number;
  bool of_domain, is_size;
};
inline constexpr unsigned cache_kib_at_most = 1 << 20;
inline constexpr cache_number cache_numbers[] = {
    {{"own_cache_kib", &machine_description::own_cache_kib, 1, cache_kib_at_most,
      "KiB: the largest cache that a processor has for itself"},
     false,
     true},
    {{"domain_cache_kib", &machine_description::domain_cache_kib, 1, cache_kib_at_most,
      "KiB: the cache that the processors of a domain share"},
     true,
     true},
    {{"domain_hit", &machine_description::domain_hit, 1, access_cost_at_most,
      "cycles: a line of the program's memory from the domain's cache"},
     true,
     false},
    {{"domain_next_line", &machine_description::domain_next_line, 0, access_cost_at_most,
      "cycles: each further line of a piece of memory from there"},
     true,
     false},
    {{"memory_next_line", &machine_description::memory_next_line, 0, access_cost_at_most,
      "cycles: each further line of a piece of memory from a memory or another domain"},
     false,
     false},
    {{"memory_occupancy", &machine_description::memory_occupancy, 0, access_cost_at_most,
      "cycles that a memory is busy with a line"},
     false,
     false},
};

/// Listed with them and changed like them, but in no file.
inline constexpr whole_cost jitter_cost = {"access_jitter", &machine_description::access_jitter, 0, access_cost_at_most,
                                           "cycles: up to so many more for an access, drawn from the seed; 0: seeds differ only "
                                           "in what the pool or the workload draws at "
                                           "random"};

struct real_cost {
  const char* name;
  double machine_description::* member;
  double least, most;
  const char* what;
};

inline constexpr real_cost real_costs[] = {
    {"cycles_per_ns", &machine_description::cycles_per_ns, 0.001, 1000, "clock rate in GHz"},
    {"cycles_per_charge_unit", &machine_description::cycles_per_charge_unit, 0.001, 1'000'000,
     "cycles: one unit of charged work, natively a round of an empty loop"},
};

}  // namespace TEFF_NAMESPACE::sim
