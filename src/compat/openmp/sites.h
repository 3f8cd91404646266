// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What TEFF_STATS=1 measures by place in the program: regions, kinds of tasks, and where its threads wait for locks, for turns
/// and at barriers. SITES.md says what is measured and what is left for who started the process.
///
/// *Idea* A place is an address of code: the function that gcc made of a region's or task's text; of a wait, where the call
/// returns to. Each member counts in tables of its own, which are added up when its team is gone or the process ends.
/// *Cost* Nothing unless TEFF_STATS is set. Then what clock.h says.
/// *Space* 13 KB for each member, and 160 KB for each team. A table holds a bounded number of places; what comes beyond is summed
/// up as one: the others.
#pragma once

#include "compat/openmp/sampling.h"
#include "platform/platform.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace TEFF_NAMESPACE::openmp {

struct member;
struct team;
struct task_block;

/// A place, and the region in which it is met: the same task may be too fine in one and just right in another.
struct site_key {
  const void* code;
  const void* region;  ///< nullptr: outside of all regions, or in a target region
  bool operator==(const site_key&) const = default;
};

/// Where threads of the program wait for one another, and what it calls that.
enum class wait_kind : std::uint8_t { none, critical, atomic, lock, ordered, sink, barrier };
struct wait_place {
  const void* code = nullptr;
  wait_kind kind = wait_kind::none;
};

/// Numbers of one place. Written by the thread of one member, or under the lock of the statistics; read by who prints.
/// `Numbers` says what they are: those before `summed` are summed up, the others merged.
template <class Numbers>
struct site {
  /// [site] release by who takes the slot, acquire by who reads it: `region` is written.
  platform::atomic<const void*> code{nullptr};
  const void* region = nullptr;
  platform::statistic numbers[Numbers::count];

  site_key key() const { return {code.load(platform::acquire), region}; }  // [site]
  platform::statistic& operator[](typename Numbers::which number) { return numbers[number]; }
  std::uint64_t operator[](typename Numbers::which number) const { return numbers[number].value(); }
  void raise(typename Numbers::which number, std::uint64_t value) {
    if (value > numbers[number].value()) numbers[number].set(value);
  }
  void add(const site& other) {
    Numbers::merge(*this, other);
    for (unsigned number = 0; number < Numbers::summed; ++number) numbers[number].add(other.numbers[number].value());
  }
  void clear() {
    for (auto& each : numbers) each.clear();
  }
};

/// Of a region. Times in ns, summed over its calls; `own` and `longest_own` without what looks at the clock cost.
///
/// The first five are of all calls, as are the parts of the account that are known of each. The others are of those that were
/// measured, or took too long to be like others; and, from `sampled` on, of those of them that stand for others
/// (region_calls.h), each times the calls for which it stands.
struct region_numbers {
  enum which : unsigned {
    calls,
    members,      ///< of all calls
    elapsed,      ///< from when it is about to begin until all have ended
    capacity,     ///< … times the members
    tasks,        ///< run in it
    own,          ///< the members' own work, and `inner`
    longest_own,  ///< … of the member with most of it, in each call
    long_task,    ///< the longest task of each call, itself without its children
    chains,       ///< the longest chain of tasks that depend on one another, of each call: the sum of their times
    overhead,  ///< in the runtime at one go, as for one task, waits left out; not if it took long: its thread lost its processor
    overhead_looks,  ///< at the clock, which are in that
    lost_idle,       ///< time without a processor while it searched, which is in the parts of that
    own_looks,       ///< at the clock, which are in own_work
    other_looks,     ///< … in put_get
    inner,           ///< from when a member opened a region inside until that was over
    implicit,        ///< own work outside of explicit tasks
    implicit_looks,  ///< at the clock, which are in that
    idle_looks,      ///< … in short searches
    short_searches,  ///< of searching_alone: those that found a task at once, and what a member has not looked at
    short_thefts,    ///< of stealing: those that ended no search in vain
    parts,           ///< of the time account
    of_call = parts + account_part_count,
    sampled = of_call,                    ///< the same again, of calls that stand for others
    counted_divided = sampled + of_call,  ///< of calls that were only counted: time that is divided
    counted_tasks,                        ///< in them
    summed,
    longest_task = summed,  ///< of all calls
    longest_code,           ///< where that one comes from: an address
    longest_chain,          ///< of all calls
    chain_code,             ///< where its last task comes from
    brief_calls,            ///< of this team: so many in a row were brief, or taken to be so
    unmeasured_calls,       ///< since the last one that was measured
    last_elapsed,           ///< of the last one that was measured
    last_tasks,             ///< that the last one had, measured or not, for each member in the mean
    count
  };
  static constexpr const char* names[] = {
      "calls",  "members",        "elapsed_ns",    "capacity_ns", "tasks",
      "own_ns", "longest_own_ns", "long_tasks_ns", "chains_ns",   "overhead_ns"};  ///< those before overhead_looks
  /// `what`: a longest time; behind it stands where that comes from.
  static void raise(site<region_numbers>& to, which what, std::uint64_t ns, std::uint64_t code) {
    if (ns <= to.numbers[what].value()) return;
    to.numbers[what].set(ns);
    to.numbers[what + 1].set(code);
  }
  static void merge(site<region_numbers>& to, const site<region_numbers>& from) {
    raise(to, longest_task, from[longest_task], from[longest_code]);
    raise(to, longest_chain, from[longest_chain], from[chain_code]);
  }
};

/// Of a kind of tasks; `time` is that of tasks themselves, without their children and without what looks at the clock cost.
struct task_numbers {
  enum which : unsigned {
    tasks,
    iterations,  ///< of a taskloop
    measured,    ///< tasks
    weight,      ///< for how many they stand; so do the next three
    time,
    short_tasks,  ///< less than short_ns, and without regions inside: of fine tasks those whose threads kept their processors
    short_time,
    summed,
    longest = summed,  ///< of those that were measured
    squares,           ///< of the times, as they stand for others: the bits of a double
    count
  };
  static void merge(site<task_numbers>& to, const site<task_numbers>& from);
};

/// Of a place where threads wait for one another; of a barrier, without the tasks that they run meanwhile.
struct wait_numbers {
  enum which : unsigned { waits, time, summed, longest = summed, kind, count };  ///< kind: but for barriers
  static constexpr const char* names[] = {"waits", "time_ns", "longest_ns", "kind"};
  static void merge(site<wait_numbers>& to, const site<wait_numbers>& from) {
    to.raise(longest, from[longest]);
    to.raise(kind, from[kind]);
  }
};

/// Places by address. Threads: one writes.
template <class Numbers, unsigned Slots>
class site_table {
 public:
  using element = site<Numbers>;

  /// Returns: the numbers of that place; those of all others if there is no slot for it. Cost: a few comparisons, 16 at most.
  element& at(site_key key) {
    for (unsigned step = 0; step < probes_at_most; ++step) {
      element& found = slots_[(hash_of(key) + step) % Slots];
      // relaxed: its own thread writes it.
      const void* const code = found.code.load(platform::relaxed);
      if (code == key.code && found.region == key.region) return found;
      if (code != nullptr) continue;
      found.region = key.region;
      found.code.store(key.code, platform::release);  // [site]
      return found;
    }
    return others_;
  }
  element& others() { return others_; }

  template <unsigned Others>
  void add(const site_table<Numbers, Others>& from) {
    from.each([&](const element& one) { at(one.key()).add(one); });
    others_.add(from.rest());
  }
  const element& rest() const { return others_; }
  template <class Visit>
  void each(Visit visit) const {
    for (const element& one : slots_)
      if (one.key().code != nullptr) visit(one);
  }
  /// Effect: all numbers are 0; the places stay, as tasks of them may be running.
  void clear() {
    for (element& one : slots_) one.clear();
    others_.clear();
  }

 private:
  static constexpr unsigned probes_at_most = 16;
  static unsigned hash_of(site_key key) {
    const auto bits = reinterpret_cast<std::uintptr_t>(key.code) + 31 * reinterpret_cast<std::uintptr_t>(key.region);
    return static_cast<unsigned>((bits * 0x9E3779B97F4A7C15) >> 40);
  }

  element slots_[Slots];
  element others_;
};

/// So many places of each kind. Most loops have a barrier: those are not to take the room of locks.
template <unsigned Tasks, unsigned Locks, unsigned Barriers>
struct sites_of {
  site_table<task_numbers, Tasks> tasks;
  site_table<wait_numbers, Locks> locks;  ///< and turns
  site_table<wait_numbers, Barriers> barriers;

  template <class Sites>
  void add(const Sites& from) {
    tasks.add(from.tasks);
    locks.add(from.locks);
    barriers.add(from.barriers);
  }
  void clear() {
    tasks.clear();
    locks.clear();
    barriers.clear();
  }
};
/// What one member counts, and beside that member 0; and a process, as each of them may meet others.
using member_sites = sites_of<64, 32, 64>;
using opened_sites = site_table<region_numbers, 256>;
struct process_sites : sites_of<256, 64, 256> {
  site_table<region_numbers, 512> regions;
  void clear() {
    sites_of::clear();
    regions.clear();
  }
};

/// Effect: what is counted by place is written to these files at the end (a list as base/region_count.h describes it).
void name_starters(std::string_view files);
// Threads, of the following: under the lock of the statistics.
/// Effect: what the members of a team have counted is kept when it is gone.
void keep_sites(const team& measured);
/// Effect: nothing has been counted, neither in teams that are gone, nor in this one and those behind it (next_measured).
void forget_sites(team* first);
/// Effect: writes what was counted to those files, as SITES.md describes it. Calls nothing that allocates.
void leave_sites(const team* first);

}  // namespace TEFF_NAMESPACE::openmp
