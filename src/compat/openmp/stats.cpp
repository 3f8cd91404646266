// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/stats.h"

#include "base/region_count.h"
#include "compat/openmp/lock_word.h"
#include "compat/openmp/team.h"
#include "platform/foreign.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace TEFF_NAMESPACE::openmp {

namespace {

/// What the summary says of theft, in its order.
constexpr trace::counter theft_counters[] = {trace::counter::steals_got,     trace::counter::steals_remote,
                                             trace::counter::steals_on_chip, trace::counter::tasks_stolen,
                                             trace::counter::steals_lost,    trace::counter::steal_attempts,
                                             trace::counter::victim_locks,   trace::counter::reached_by_waits};

struct sums {
  std::uint64_t spent[activities] = {}, changes[activities] = {};
  std::uint64_t tasks = 0, tasks_own = 0, moved = 0, shared = 0, taken_back = 0;
  std::uint64_t parts[account_part_count] = {};
  std::uint64_t thefts[std::size(theft_counters)] = {};

  void remove(const sums& other) {
    for (unsigned which = 0; which < activities; ++which) changes[which] -= other.changes[which];
    // What is estimated may have been taken off since; and a wait that the parent had not ended may be something else by then.
    for (unsigned on = 0; on < activities; ++on) spent[on] -= std::min(spent[on], other.spent[on]);
    for (unsigned which = 0; which < account_part_count; ++which) parts[which] -= std::min(parts[which], other.parts[which]);
    for (unsigned which = 0; which < std::size(thefts); ++which) thefts[which] -= other.thefts[which];
    tasks -= other.tasks;
    tasks_own -= other.tasks_own;
    moved -= other.moved;
    shared -= other.shared;
    taken_back -= other.taken_back;
  }
  void add(const team& measured) {
    for (unsigned number = 0; number < measured.size; ++number) {
      const member& each = measured.members[number];
      // relaxed: statistics.
      tasks += each.finished.load(platform::relaxed);
      shared += each.stats.value(trace::counter::publications) + each.stats.value(trace::counter::forced);
      taken_back += each.stats.value(trace::counter::reclaims);
      for (unsigned which = 0; which < std::size(thefts); ++which) thefts[which] += each.stats.value(theft_counters[which]);
      if (each.clock == nullptr) continue;
      tasks += each.clock->at_once.value() - each.clock->beyond_one.value();
      tasks_own += each.clock->tasks_own.value();
      moved += each.clock->moved.value();
      for (unsigned on = 0; on < activities; ++on) {
        spent[on] += each.clock->spent(static_cast<activity>(on));
        changes[on] += each.clock->changes(static_cast<activity>(on));
      }
      std::uint64_t of_member[account_part_count];
      each.clock->read_account(of_member);
      for (unsigned which = 0; which < account_part_count; ++which) parts[which] += of_member[which];
    }
  }
};

/// Of the process. Trivially destroyed: it is read when the process ends.
struct statistics {
  lock_word lock;
  team* first = nullptr;  ///< linked by next_measured
  sums gone;              ///< of teams that are no more
  sums inherited;         ///< what a parent had counted when it forked this process
  char pool[32] = {};
  const char* why = "";
  std::uint64_t since = 0;
  platform::atomic<std::uint64_t> regions{0};
  platform::atomic<std::uint32_t> largest{0};
  platform::atomic<bool> asked{false}, said{false};
};
constinit statistics all;

/// Returns: what is left of a time when the looks at the clock in it are taken off.
double corrected(std::uint64_t ns, std::uint64_t looks) { return static_cast<double>(ns - std::min(ns, looks * look_ns())); }

/// Effect: text = a time with three digits, as lines of places have it.
void write_time(double ns, char* text, std::size_t bytes) {
  constexpr const char* units[] = {"ns", "us", "ms", "s"};
  unsigned unit = 0;
  for (; ns >= 999.5 && unit + 1 < std::size(units); ++unit) ns /= 1000;
  std::snprintf(text, bytes, "%.*f %s", ns < 9.995 ? 2 : ns < 99.95 ? 1 : 0, ns, units[unit]);
}

/// Effect: text = the parts of the time account, as shares of the members' time inside of regions.
void write_account(const sums& of, char* text, std::size_t bytes) {
  const auto last = static_cast<unsigned>(account_part::outside_runs);
  double total = 0;
  for (unsigned which = 0; which < last; ++which) total += static_cast<double>(of.parts[which]);
  std::size_t at = 0;
  for (unsigned which = 0; which < last && at < bytes; ++which) {
    if (of.parts[which] == 0 && which != 0) continue;
    const double share = total > 0 ? 100 * static_cast<double>(of.parts[which]) / total : 0;
    const int length = std::snprintf(text + at, bytes - at, "%s%.1f %% %s", which == 0 ? "" : ", ", share,
                                     account_part_descriptions[which].name);
    at += static_cast<std::size_t>(std::max(0, length));
  }
}

/// Effect: text = what was counted of theft.
void write_thefts(const sums& of, char* text, std::size_t bytes) {
  constexpr const char* words[] = {": ",        " remote, ", " on chip; ",          " tasks, ",
                                   " failed, ", " probes, ", " locks of victims, ", " reached by waits"};
  static_assert(std::size(words) == std::size(theft_counters));
  std::size_t at = 0;
  for (unsigned which = 0; which < std::size(words) && at < bytes; ++which) {
    const int length =
        std::snprintf(text + at, bytes - at, "%llu%s", static_cast<unsigned long long>(of.thefts[which]), words[which]);
    at += static_cast<std::size_t>(std::max(0, length));
  }
}

/// Effect: text = the twelve lines. Calls nothing that allocates: a signal may have come anywhere.
int write_lines(const sums& of, char* text, std::size_t bytes) {
  double spent[activities], total = 0;
  for (unsigned on = 0; on < activities; ++on) total += spent[on] = corrected(of.spent[on], of.changes[on]);
  const auto part = [&](activity on) { return total > 0 ? 100 * spent[static_cast<unsigned>(on)] / total : 0; };
  char mean[32] = "-";
  const double in_tasks = corrected(of.tasks_own, of.changes[static_cast<unsigned>(activity::task)]);
  if (of.tasks > 0) write_time(in_tasks / static_cast<double>(of.tasks), mean, sizeof mean);
  char account[512], thefts[256];
  write_account(of, account, sizeof account);
  write_thefts(of, thefts, sizeof thefts);
  return std::snprintf(
      text, bytes,
      "teff: pool: %s\nteff: workers: %u (%s)\nteff: run time: %.2f s\nteff: regions: %llu\nteff: tasks: %llu\n"
      "teff: mean task: %s\nteff: overhead: %.0f %%\nteff: steals: %llu (shared %llu, taken back %llu)\nteff: idle: %.0f %%\n"
      "teff: peak memory: %.1f MB\nteff: time: %s\n"
      "teff: stolen by the pool: %s\n",
      // relaxed: statistics.
      all.pool, all.largest.load(platform::relaxed), all.asked.load(platform::relaxed) ? "as the program asks" : all.why,
      static_cast<double>(platform::now_ns() - all.since) * 1e-9,
      static_cast<unsigned long long>(all.regions.load(platform::relaxed)), static_cast<unsigned long long>(of.tasks), mean,
      part(activity::runtime), static_cast<unsigned long long>(of.moved), static_cast<unsigned long long>(of.shared),
      static_cast<unsigned long long>(of.taken_back), part(activity::idle),
      static_cast<double>(platform::peak_memory_bytes()) / 1e6, account, thefts);
}

/// Returns: what was counted since the process began, and by its parents before. Numbers of members that still run are snapshots.
sums counted() {
  sums now = all.gone;
  for (const team* each = all.first; each != nullptr; each = each->next_measured) now.add(*each);
  return now;
}

/// Effect: nothing has been counted in this process. Its teams stay those of the parent, whose other threads have none here.
void begin_again() {
  all.lock.reset();
  all.inherited = counted();
  forget_sites(all.first);
  all.since = platform::now_ns();
  // relaxed: the child has one thread.
  all.regions.store(0, platform::relaxed);
  all.largest.store(0, platform::relaxed);
  all.asked.store(false, platform::relaxed);
  all.said.store(false, platform::relaxed);
}

/// Who holds the lock may be the thread that is here by a signal.
void say_statistics() {
  // relaxed: statistics; and it is said once.
  if (all.regions.load(platform::relaxed) == 0 || all.said.exchange(true, platform::relaxed)) return;
  const bool alone = all.lock.try_acquire();
  sums now = counted();
  leave_sites(all.first);
  if (alone) all.lock.release();
  now.remove(all.inherited);
  char text[1536];
  const int length = write_lines(now, text, sizeof text);
  platform::write_error(text, std::min(sizeof text - 1, static_cast<std::size_t>(std::max(0, length))));
}

/// Returns: what one part of the list names, by the file or, where that cannot be opened or is another one, by the segment;
/// nullptr if it is no more.
region_count* open_region_count(std::string named) {
  char* const number = std::strchr(named.data(), ',');
  if (number != nullptr) *number = 0;
  void* shared = platform::share_file(named.c_str(), sizeof(region_count), region_count_mark);
  if (shared == nullptr && number != nullptr)
    shared = platform::share_segment(std::atoi(number + 1), sizeof(region_count), region_count_mark);
  return static_cast<region_count*>(shared);
}

}  // namespace

void begin_statistics(const std::string& pool, const char* why) {
  std::snprintf(all.pool, sizeof all.pool, "%s", pool.c_str());
  all.why = why;
  all.since = platform::now_ns();
  measure_look();
  platform::in_forked_child(begin_again);
  std::atexit(say_statistics);
  platform::on_fatal_signal(say_statistics);
}

std::vector<platform::atomic<std::uint64_t>*> open_region_counts(std::string_view files) {
  using counter = platform::atomic<std::uint64_t>;
  static_assert(sizeof(counter) == sizeof(region_count::regions), "one may stand where the other is");
  std::vector<counter*> found;
  name_starters(files);
  while (!files.empty()) {
    const std::size_t end = std::min(files.find(':'), files.size());
    region_count* const counted = open_region_count(std::string(files.substr(0, end)));
    files.remove_prefix(std::min(end + 1, files.size()));
    if (counted == nullptr) continue;
    ticks.take(*counted);
    found.push_back(reinterpret_cast<counter*>(&counted->regions));
    reinterpret_cast<counter*>(&counted->callers)->fetch_add(1, platform::relaxed);  // only numbers go by it
  }
  return found;
}

void count_region(unsigned size, bool asked) {
  // relaxed, all of them: statistics.
  all.regions.fetch_add(1, platform::relaxed);
  for (auto* const each : process().regions_of_starters) each->fetch_add(1, platform::relaxed);  // only numbers go by it
  if (size <= all.largest.load(platform::relaxed)) return;
  all.largest.store(size, platform::relaxed);
  all.asked.store(asked, platform::relaxed);
}

void remember_team(team& measured) {
  lock_word_guard guard(all.lock);
  measured.next_measured = all.first;
  all.first = &measured;
}

void forget_team(team& measured) {
  lock_word_guard guard(all.lock);
  team** link = &all.first;
  while (*link != nullptr && *link != &measured) link = &(*link)->next_measured;
  if (*link == nullptr) return;
  *link = measured.next_measured;
  all.gone.add(measured);
  keep_sites(measured);
}

}  // namespace TEFF_NAMESPACE::openmp
