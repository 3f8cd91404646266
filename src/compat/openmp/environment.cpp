// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/environment.h"

#include "base/region_count.h"
#include "compat/openmp/refuse.h"
#include "compat/openmp/stats.h"
#include "compat/openmp/target.h"
#include "compat/openmp/words.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

namespace TEFF_NAMESPACE::openmp {

namespace {

constexpr std::uint64_t numbers_at_most = std::numeric_limits<std::int32_t>::max();

/// Effect: the variable is what was read. Returns: whether that is something.
template <class To, class Read>
bool keep(To& variable, const std::optional<Read>& read) {
  if (read) variable = static_cast<To>(*read);
  return read.has_value();
}

/// Effect: the list holds what `read` reads between the commas of a text. Returns: whether that is something everywhere.
template <class Value, class Read>
bool read_list(std::vector<Value>& list, std::string_view text, Read read) {
  for (std::string_view rest = text; !rest.empty();) {
    if (!keep(list.emplace_back(), read(trimmed(take_until(rest, ','))))) return false;
  }
  return !list.empty() && text.back() != ',';
}

bool take_threads(process_icvs& all, std::string_view text) {
  std::vector<unsigned> list;
  if (!read_list(list, text, [](std::string_view word) { return parse_number(word, 1, numbers_at_most); })) return false;
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
  const auto value = value_named<schedule>(
      kind,
      {{"static", schedule::fixed}, {"dynamic", schedule::dynamic}, {"guided", schedule::guided}, {"auto", schedule::automatic}});
  if (!keep(all.initial.run_schedule, value)) return false;
  all.initial.run_chunk = chunk != 0 ? chunk : usual_chunk(all.initial.run_schedule);
  // A static one is unless it says otherwise.
  all.initial.monotonic = modifier ? same(*modifier, "monotonic") : value == schedule::fixed;
  return true;
}

std::optional<std::uint8_t> bind_of(std::string_view word) {
  return value_named<std::uint8_t>(word, {{"false", bind_false},
                                          {"true", bind_true},
                                          {"master", bind_primary},
                                          {"primary", bind_primary},
                                          {"close", bind_close},
                                          {"spread", bind_spread}});
}

bool take_bind(process_icvs& all, std::string_view text) {
  std::vector<std::uint8_t> list;
  if (!read_list(list, text, bind_of)) return false;
  if (list.size() > 1 && *std::min_element(list.begin(), list.end()) < bind_primary) return false;
  all.initial.bind = list[0];
  if (list.size() > 1) all.bind_list = list;
  return true;
}

bool take_policy(process_icvs& all, std::string_view text) {
  return keep(all.wait_policy, value_named<int>(text, {{"passive", 0}, {"active", 1}}));
}
bool take_places(process_icvs& all, std::string_view text) { return keep(all.places, parse_places(text)); }
/// A thread cannot have less, and who asks for less most likely means another unit.
bool take_stack(process_icvs& all, std::string_view text) {
  const auto bytes = parse_bytes(text);
  return keep(all.stack_bytes, bytes && *bytes >= static_cast<std::size_t>(PTHREAD_STACK_MIN) ? bytes : std::nullopt);
}
bool take_spin(process_icvs& all, std::string_view text) { return keep(all.spin_rounds, parse_count(text)); }
bool take_dynamic(process_icvs& all, std::string_view text) { return keep(all.initial.dynamic, parse_bool(text)); }
bool take_display(process_icvs& all, std::string_view text) { return keep(all.display_affinity, parse_bool(text)); }
bool take_cancellation(process_icvs& all, std::string_view text) { return keep(all.cancellation, parse_bool(text)); }
/// Else a program would run on the host that is to run there on no account: OMP_DEFAULT_DEVICE is read behind this, and may say
/// otherwise (OpenMP 5.2, section 21.2.7).
bool take_offload(process_icvs& all, std::string_view text) {
  using offload = process_icvs::offload;
  const auto read = value_named<offload>(
      text, {{"default", offload::usual}, {"mandatory", offload::mandatory}, {"disabled", offload::disabled}});
  if (read == offload::mandatory) all.initial.device = invalid_device;
  return keep(all.target_offload, read);
}
bool take_device(process_icvs& all, std::string_view text) {
  return keep(all.initial.device, parse_number(text, 0, numbers_at_most));
}
bool take_nested(process_icvs& all, std::string_view text) {
  const auto value = parse_bool(text);
  return keep(all.initial.active_levels, value ? std::optional(*value ? levels_at_most : 1) : std::nullopt);
}

template <auto Member, std::uint64_t Least>
bool take_number(process_icvs& all, std::string_view text) {
  return keep(all.*Member, parse_number(text, Least, numbers_at_most));
}
/// A limit above `Most` is that.
template <auto Member, std::uint64_t Least, std::uint64_t Most = numbers_at_most>
bool take_limit(process_icvs& all, std::string_view text) {
  const auto number = parse_number(text, Least, std::numeric_limits<std::uint64_t>::max());
  return keep(all.initial.*Member, number ? std::optional(std::min(*number, Most)) : std::nullopt);
}

bool take_format(process_icvs& all, std::string_view text) {
  if (!is_affinity_format(text)) return false;
  all.affinity_format = text;
  return true;
}

bool take_allocator(process_icvs& all, std::string_view text) {
  const auto* const first = std::begin(allocator_names);
  const auto* const found = std::find_if(first, std::end(allocator_names), [&](const char* name) { return same(text, name); });
  if (found != std::end(allocator_names)) all.initial.allocator = static_cast<std::uintptr_t>(found - first) + 1;
  return found != std::end(allocator_names);
}

struct variable {
  const char* name;
  bool (*take)(process_icvs&, std::string_view);
  const char* allowed;
  bool has_all = false;  ///< with _ALL behind its name it says the same of every device (OpenMP 5.2, section 21.1)
};

constexpr const char* positive = "positive numbers";
constexpr const char* not_negative = "0 and positive numbers";
constexpr const char* truth = "true or 1, false or 0";
constexpr const char* sizes =
    "a number, with B, K, M or G behind it if it is not of kilobytes; at least what the system asks for, such as 16K";

/// A later one of two names for one thing is what holds.
constexpr variable variables[] = {
    {"OMP_NUM_THREADS", take_threads, "positive numbers, with commas between them", true},
    {"OMP_DYNAMIC", take_dynamic, truth, true},
    {"OMP_NESTED", take_nested, truth},
    {"OMP_SCHEDULE", take_schedule,
     "static, dynamic, guided or auto, monotonic: or nonmonotonic: before it, a comma and a number, not negative, behind it",
     true},
    {"OMP_PROC_BIND", take_bind, "true, false, or primary, master, close, spread, with commas between them", true},
    {"OMP_PLACES", take_places,
     "threads, cores, ll_caches, numa_domains or sockets, (number) behind it if not all; or a list such as {0,1},{2:2},{4}:3:2, "
     "or 0,1"},
    {"GOMP_STACKSIZE", take_stack, sizes},
    {"OMP_STACKSIZE", take_stack, sizes, true},
    {"OMP_WAIT_POLICY", take_policy, "active, passive", true},
    {"GOMP_SPINCOUNT", take_spin, "infinite, or a number with k, m or g behind it if there are so many"},
    {"OMP_MAX_ACTIVE_LEVELS", take_limit<&icvs::active_levels, 0, levels_at_most>, not_negative, true},
    {"OMP_THREAD_LIMIT", take_limit<&icvs::thread_limit, 1, ~0u>, positive, true},
    {"OMP_MAX_TASK_PRIORITY", take_number<&process_icvs::max_task_priority, 0>, not_negative},
    {"OMP_NUM_TEAMS", take_number<&process_icvs::teams, 1>, positive, true},
    {"OMP_TEAMS_THREAD_LIMIT", take_number<&process_icvs::teams_thread_limit, 1>, positive, true},
    {"OMP_TARGET_OFFLOAD", take_offload, "mandatory, default, disabled"},
    {"OMP_DEFAULT_DEVICE", take_device, not_negative, true},
    {"OMP_CANCELLATION", take_cancellation, truth},
    {"OMP_DISPLAY_AFFINITY", take_display, truth},
    {"OMP_AFFINITY_FORMAT", take_format,
     "a text, with %t, %T, %L, %n, %N, %a, %H, %P, %i, %A or their names in {} where values are to stand, and %% for %"},
    {"OMP_ALLOCATOR", take_allocator, "the names of OpenMP's own allocators, such as omp_default_mem_alloc"},
};

/// Effect: takes what a variable of that name says, or says that it is refused. Returns: whether it was taken.
bool take_as(const std::string& name, process_icvs& all, const variable& of) {
  const char* const given = std::getenv(name.c_str());
  if (given == nullptr) return false;
  const bool taken = of.take(all, trimmed(given));
  if (!taken) say("the variable %s cannot be '%s'; allowed: %s; it is ignored", name.c_str(), given, of.allowed);
  return taken;
}
/// The same of the one for all devices, if there is no such: this machine is one of them.
bool take(process_icvs& all, const variable& of) {
  return take_as(of.name, all, of) || (of.has_all && take_as(std::string(of.name) + "_ALL", all, of));
}

void read_display(const process_icvs& all) {
  const char* const wish = std::getenv("OMP_DISPLAY_ENV");
  if (wish == nullptr) return;
  const auto shown = parse_bool(wish);
  const bool verbose = same(trimmed(wish), "verbose");
  if (shown || verbose) {
    if (verbose || *shown) display_environment(all, verbose);
  } else {
    say("the variable OMP_DISPLAY_ENV cannot be '%s'; allowed: true or 1, false or 0, verbose; it is ignored", wish);
  }
}

}  // namespace

void read_environment(process_icvs& all) {
  all.initial.threads = platform::usable_processors();
  bool taken[std::size(variables)];
  std::transform(std::begin(variables), std::end(variables), taken, [&](const variable& each) { return take(all, each); });
  const auto is_set = [&taken](std::string_view name) {
    const auto named = [name](const variable& each) { return each.name == name; };
    return taken[std::find_if(std::begin(variables), std::end(variables), named) - std::begin(variables)];
  };
  read_own_variables(all);  // what is said to Teff holds against what is said to every OpenMP
  if ((all.thread_list.size() > 1 || all.bind_list.size() > 1) && !is_set("OMP_MAX_ACTIVE_LEVELS") && !is_set("OMP_NESTED"))
    all.initial.active_levels = levels_at_most;
  if (all.initial.bind == 0 && !is_set("OMP_PROC_BIND") && !all.places.empty()) all.initial.bind = 1;
  if (all.initial.bind != 0 && all.places.empty()) all.places = parse_places("threads").value_or(all.places);
  if (all.initial.bind == 0) all.places.clear();
  if (std::getenv("GOMP_CPU_AFFINITY") != nullptr)
    say("the variable GOMP_CPU_AFFINITY is ignored; OMP_PLACES and OMP_PROC_BIND say where threads run");
  if (const char* const files = std::getenv(region_count_variable)) all.regions_of_starters = open_region_counts(files);
  all.counts_regions = all.stats || !all.regions_of_starters.empty();
  if (all.stats) begin_statistics(all.pool, all.threads_by_variable ? "OMP_NUM_THREADS" : "processors this process may use");
  read_display(all);
}

}  // namespace TEFF_NAMESPACE::openmp
