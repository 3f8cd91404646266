// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/environment.h"

#include "base/region_count.h"
#include "compat/openmp/refuse.h"
#include "compat/openmp/stats.h"
#include "compat/openmp/words.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace TEFF_NAMESPACE::openmp {

namespace {

constexpr std::uint64_t numbers_at_most = std::numeric_limits<std::int32_t>::max();

bool take_threads(process_icvs& all, std::string_view text) {
  std::vector<unsigned> list;
  for (std::string_view rest = text; !rest.empty();) {
    const auto number = parse_number(trimmed(take_until(rest, ',')), 1, numbers_at_most);
    if (!number) return false;
    list.push_back(static_cast<unsigned>(*number));
  }
  if (list.empty() || text.back() == ',') return false;
  all.initial.threads = list[0];
  all.threads_by_variable = true;
  if (list.size() > 1) all.thread_list = list;
  return true;
}

bool take_schedule(process_icvs& all, std::string_view text) {
  std::string_view rest = text;
  std::optional<std::string_view> modifier;
  if (text.ends_with(',')) return false;
  if (rest.find(':') != rest.npos) modifier = trimmed(take_until(rest, ':'));
  if (modifier && !same(*modifier, "monotonic") && !same(*modifier, "nonmonotonic")) return false;
  const std::string_view kind = trimmed(take_until(rest, ','));
  int chunk = 0;
  if (!rest.empty()) {
    const auto number = parse_number(trimmed(rest), 0, numbers_at_most);
    if (!number) return false;
    chunk = static_cast<int>(*number);
  }
  constexpr std::pair<const char*, schedule> kinds[] = {
      {"static", schedule::fixed}, {"dynamic", schedule::dynamic}, {"guided", schedule::guided}, {"auto", schedule::automatic}};
  for (const auto& [name, value] : kinds) {
    if (!same(kind, name)) continue;
    all.initial.run_schedule = value;
    all.initial.run_chunk = chunk != 0 ? chunk : usual_chunk(value);
    // A static one is unless it says otherwise.
    all.initial.monotonic = modifier ? same(*modifier, "monotonic") : value == schedule::fixed;
    return true;
  }
  return false;
}

std::optional<std::uint8_t> bind_of(std::string_view word) {
  constexpr std::pair<const char*, std::uint8_t> names[] = {{"false", 0},   {"true", 1},  {"master", 2},
                                                            {"primary", 2}, {"close", 3}, {"spread", 4}};
  for (const auto& [name, value] : names) {
    if (same(word, name)) return value;
  }
  return std::nullopt;
}

bool take_bind(process_icvs& all, std::string_view text) {
  std::vector<std::uint8_t> list;
  if (text.ends_with(',')) return false;
  for (std::string_view rest = text; !rest.empty();) {
    const auto bind = bind_of(trimmed(take_until(rest, ',')));
    if (!bind || (*bind < 2 && text.find(',') != text.npos)) return false;
    list.push_back(*bind);
  }
  if (list.empty()) return false;
  all.initial.bind = list[0];
  if (list.size() > 1) all.bind_list = list;
  return true;
}

bool take_places(process_icvs& all, std::string_view text) {
  auto places = parse_places(text);
  if (places) all.places = std::move(*places);
  return places.has_value();
}

bool take_stack(process_icvs& all, std::string_view text) {
  const auto bytes = parse_bytes(text);
  if (bytes) all.stack_bytes = static_cast<std::size_t>(*bytes);
  return bytes.has_value();
}

bool take_policy(process_icvs& all, std::string_view text) {
  if (!same(text, "active") && !same(text, "passive")) return false;
  all.wait_policy = same(text, "active") ? 1 : 0;
  return true;
}

bool take_spin(process_icvs& all, std::string_view text) {
  const auto rounds = parse_count(text);
  if (rounds) all.spin_rounds = static_cast<std::int64_t>(*rounds);
  return rounds.has_value();
}

template <auto Member>
bool take_bool(process_icvs& all, std::string_view text) {
  const auto value = parse_bool(text);
  if (value) all.*Member = *value;
  return value.has_value();
}
bool take_dynamic(process_icvs& all, std::string_view text) {
  const auto value = parse_bool(text);
  if (value) all.initial.dynamic = *value;
  return value.has_value();
}
bool take_nested(process_icvs& all, std::string_view text) {
  const auto value = parse_bool(text);
  if (value) all.initial.active_levels = *value ? levels_at_most : 1;
  return value.has_value();
}

template <auto Member, std::uint64_t Least>
bool take_number(process_icvs& all, std::string_view text) {
  const auto number = parse_number(text, Least, numbers_at_most);
  if (number) all.*Member = static_cast<std::remove_reference_t<decltype(all.*Member)>>(*number);
  return number.has_value();
}
/// A limit above `Most` is that.
template <auto Member, std::uint64_t Least, std::uint64_t Most = numbers_at_most>
bool take_limit(process_icvs& all, std::string_view text) {
  const auto number = parse_number(text, Least, std::numeric_limits<std::uint64_t>::max());
  if (number) all.initial.*Member = static_cast<unsigned>(std::min(*number, Most));
  return number.has_value();
}
bool take_device(process_icvs& all, std::string_view text) {
  const auto number = parse_number(text, 0, numbers_at_most);
  if (number) all.initial.device = static_cast<int>(*number);
  return number.has_value();
}

bool take_cancellation(process_icvs&, std::string_view text) {
  const auto value = parse_bool(text);
  if (value && *value) say("the variable OMP_CANCELLATION is ignored; this version of Teff's OpenMP has no cancellation");
  return value.has_value();
}

bool take_format(process_icvs& all, std::string_view text) {
  all.affinity_format = text;
  return true;
}

bool take_allocator(process_icvs& all, std::string_view text) {
  std::uintptr_t number = 0;
  for (const char* name : allocator_names) {
    ++number;
    if (!same(text, name)) continue;
    all.initial.allocator = number;
    return true;
  }
  return false;
}

struct variable {
  const char* name;
  bool (*take)(process_icvs&, std::string_view);
  const char* allowed;
};

constexpr const char* positive = "positive numbers";
constexpr const char* not_negative = "0 and positive numbers";
constexpr const char* truth = "true, false";
constexpr const char* sizes = "a positive number, with B, K, M or G behind it if it is not of kilobytes";

/// A later one of two names for one thing is what holds.
constexpr variable variables[] = {
    {"OMP_NUM_THREADS", take_threads, "positive numbers, with commas between them"},
    {"OMP_DYNAMIC", take_dynamic, truth},
    {"OMP_NESTED", take_nested, truth},
    {"OMP_SCHEDULE", take_schedule,
     "static, dynamic, guided or auto, monotonic: or nonmonotonic: before it, a comma and a number, not negative, behind it"},
    {"OMP_PROC_BIND", take_bind, "true, false, or primary, master, close, spread, with commas between them"},
    {"OMP_PLACES", take_places, "threads, cores, sockets, or a list such as {0,1},{2:2},{4}:3:2"},
    {"GOMP_STACKSIZE", take_stack, sizes},
    {"OMP_STACKSIZE", take_stack, sizes},
    {"OMP_WAIT_POLICY", take_policy, "active, passive"},
    {"GOMP_SPINCOUNT", take_spin, "infinite, or a number with k, m or g behind it if there are so many"},
    {"OMP_MAX_ACTIVE_LEVELS", take_limit<&icvs::active_levels, 0, levels_at_most>, not_negative},
    {"OMP_THREAD_LIMIT", take_limit<&icvs::thread_limit, 1, ~0u>, positive},
    {"OMP_MAX_TASK_PRIORITY", take_number<&process_icvs::max_task_priority, 0>, not_negative},
    {"OMP_NUM_TEAMS", take_number<&process_icvs::teams, 1>, positive},
    {"OMP_TEAMS_THREAD_LIMIT", take_number<&process_icvs::teams_thread_limit, 1>, positive},
    {"OMP_DEFAULT_DEVICE", take_device, not_negative},
    {"OMP_CANCELLATION", take_cancellation, truth},
    {"OMP_DISPLAY_AFFINITY", take_bool<&process_icvs::display_affinity>, truth},
    {"OMP_AFFINITY_FORMAT", take_format, "a text"},
    {"OMP_ALLOCATOR", take_allocator, "the names of OpenMP's own allocators, such as omp_default_mem_alloc"},
};

void read_display(const process_icvs& all) {
  const char* const wish = std::getenv("OMP_DISPLAY_ENV");
  if (wish == nullptr) return;
  const auto shown = parse_bool(wish);
  const bool verbose = same(trimmed(wish), "verbose");
  if (shown || verbose) {
    if (verbose || *shown) display_environment(all, verbose);
  } else {
    say("the variable OMP_DISPLAY_ENV cannot be '%s'; allowed: true, false, verbose; it is ignored", wish);
  }
}

}  // namespace

void read_environment(process_icvs& all) {
  all.initial.threads = processors();
  for (const variable& each : variables) {
    const char* const value = std::getenv(each.name);
    if (value == nullptr || each.take(all, trimmed(value))) continue;
    say("the variable %s cannot be '%s'; allowed: %s; it is ignored", each.name, value, each.allowed);
  }
  read_own_variables(all);  // what is said to Teff holds against what is said to every OpenMP
  if ((all.thread_list.size() > 1 || all.bind_list.size() > 1) && std::getenv("OMP_MAX_ACTIVE_LEVELS") == nullptr &&
      std::getenv("OMP_NESTED") == nullptr)
    all.initial.active_levels = levels_at_most;
  if (all.initial.bind == 0 && std::getenv("OMP_PROC_BIND") == nullptr && !all.places.empty()) all.initial.bind = 1;
  if (all.initial.bind != 0 && all.places.empty()) all.places = *parse_places("threads");
  if (all.initial.bind == 0) all.places.clear();
  if (std::getenv("GOMP_CPU_AFFINITY") != nullptr)
    say("the variable GOMP_CPU_AFFINITY is ignored; OMP_PLACES and OMP_PROC_BIND say where threads run");
  if (const char* const files = std::getenv(region_count_variable)) all.regions_of_starters = open_region_counts(files);
  all.counts_regions = all.stats || !all.regions_of_starters.empty();
  if (all.stats) begin_statistics(all.pool, all.threads_by_variable ? "OMP_NUM_THREADS" : "processors this process may use");
  read_display(all);
}

}  // namespace TEFF_NAMESPACE::openmp
