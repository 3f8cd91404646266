// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pool/settings.h"

#include "base/assert.h"
#include "base/decimal.h"
#include "base/nearest_name.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <type_traits>
#include <utility>

namespace TEFF_NAMESPACE::pool {

std::size_t steal_amount::of(std::size_t available, unsigned workers) const {
  switch (by) {
    case rule::number:
      return value;
    case rule::fraction:
      return std::max<std::size_t>(1, available / value);
    case rule::workers:
      return workers;
  }
  return 1;
}

namespace {

/// Effect: sets `target` to the number. Returns: false if the text is no number from `least` to `most`.
template <class Number>
bool choose(Number& target, std::string_view text, Number least, Number most) {
  Number value{};
  if constexpr (std::is_floating_point_v<Number>) {
    const auto read = parse_decimal(text);
    if (!read) return false;
    value = *read;
  } else {
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return false;
  }
  if (value < least || value > most) return false;
  target = value;
  return true;
}

/// The setting is a number, and `values` are the least and the greatest one. Path: from the settings to it.
template <auto... Path>
bool read_number(settings& set, std::string_view text, std::string_view values) {
  auto& target = (set.*....*Path);
  auto least = target, most = target;
  using limits = std::numeric_limits<std::remove_reference_t<decltype(target)>>;
  return choose(least, values.substr(0, values.find(' ')), limits::lowest(), limits::max()) &&
         choose(most, values.substr(values.rfind(' ') + 1), limits::lowest(), limits::max()) && choose(target, text, least, most);
}

/// Returns: a setting of numbers. `values`: "least … greatest", which read_number reads: a change of the words does not compile.
template <auto... Path>
consteval setting number(const char* name, const char* values, const char* standard, const char* what) {
  const std::string_view all = values;
  const auto is_digit = [](char each) { return each >= '0' && each <= '9'; };
  if (!is_digit(all.front()) || !is_digit(all.back()) || all.find(" … ") == all.npos) throw "no bounds";
  return {name, values, standard, what, read_number<Path...>};
}

/// The setting is one of Values, and `values` are their names, in the same order.
template <auto Member, auto... Values, class Set>
bool read_name(Set& set, std::string_view text, std::string_view values) {
  for (const auto each : {Values...}) {
    const std::string_view name = values.substr(0, values.find(','));
    if (name == text) {
      set.*Member = each;
      return true;
    }
    values.remove_prefix(std::min(values.size(), name.size() + 2));
  }
  return false;
}

/// Returns: a setting of names, with what each of them stands for. It does not compile if these are not as many.
template <auto Member, auto... Values>
consteval setting one_of(const char* name, const char* values, const char* standard, const char* what) {
  std::size_t names = 1;
  for (const char each : std::string_view(values)) names += each == ',';
  if (names != sizeof...(Values)) throw "as many values as names";
  return {name, values, standard, what, read_name<Member, Values...>};
}

constexpr std::uint32_t steal_at_most = 1'000'000, domains_at_most = 1024;
constexpr std::uint32_t stack_at_least = 8 * 1024, stack_at_most = 1024 * 1024 * 1024;

bool read_steal(settings& set, std::string_view text, std::string_view) {
  using rule = steal_amount::rule;
  if (text == "workers") {
    set.steal = {rule::workers, 1, true};
    return true;
  }
  const bool fraction = text.starts_with("1/");
  if (!choose(set.steal.value, fraction ? text.substr(2) : text, fraction ? 2u : 1u, steal_at_most)) return false;
  set.steal.by = fraction ? rule::fraction : rule::number;
  set.steal.is_set = true;
  return true;
}

bool read_victims(settings& set, std::string_view text, std::string_view values) {
  const bool known = read_name<&victim_choice::order, victim_order::linear, victim_order::random, victim_order::nearest>(
      set.victims, text, values);
  set.victims.is_set |= known;
  return known;
}

bool read_stack(settings& set, std::string_view text, std::string_view) {
  unsigned shift = 0;
  if (text.ends_with('K')) shift = 10;
  else if (text.ends_with('M')) shift = 20;
  else if (text.ends_with('G')) shift = 30;
  if (shift != 0) text.remove_suffix(1);
  std::uint32_t value = 0;
  if (!choose(value, text, 1u, stack_at_most >> shift) || value << shift < stack_at_least) return false;
  set.stack = value << shift;
  return true;
}

bool read_domains(settings& set, std::string_view text, std::string_view) {
  using shared = domain_grid::shared;
  if (text == "machine") text = "cache";  // as it was called when there was nothing else
  for (const auto& [name, by] : {std::pair("cache", shared::cache), {"socket", shared::socket}, {"node", shared::node}}) {
    if (text == name) return set.domains = {.by = by}, true;
  }
  const std::size_t cross = text.find('x');
  domain_grid wanted;
  if (cross == text.npos || !choose(wanted.domains, text.substr(0, cross), 1u, domains_at_most) ||
      !choose(wanted.workers_each, text.substr(cross + 1), 1u, domains_at_most))
    return false;
  set.domains = wanted;
  return true;
}

bool read_pin(settings& set, std::string_view text, std::string_view) {
  for (const auto& [name, what] :
       {std::pair("no", pinning::none), {"domain", pinning::domain}, {"processor", pinning::processor}}) {
    if (text == name) return set.pin = what, true;
  }
  return false;
}

constexpr setting settings_list[] = {
    number<&settings::block>("block", "1 … 1024", "4", "tasks per block"),
    number<&settings::threshold>("threshold", "0 … 1000000", "4", "tasks that a worker keeps besides its current block"),
    number<&settings::capacity>("capacity", "1 … 16777216", "4096", "tasks that an array has room for from the start"),
    number<&settings::queues>("queues", "0 … 64", "0", "queues per worker; 0: as published, 4 (rq1, rq2, rq3) or 2 (dq4)"),
    {"steal", "a number from 1 to 1000000, a fraction as 1/2, or workers", "1", "how much a thief takes in one step", read_steal,
     " (in mts as many as share its queue)"},
    {"victims", "linear, random, nearest", "nearest",
     "in which order a thief visits the others (random: from a random one on, as teff does among those equally far in other domains)",
     read_victims, " (in ws and mts random)"},
    one_of<&settings::strategy, sharing::greedy, sharing::generous>(
        "strategy", "greedy, generous", "generous", "whether full blocks stay private while the public queue has tasks"),
    number<&settings::branching>("branching", "2 … 1024", "4",
                                 "workers that share a leaf of the tree of queues, and queues that share a parent"),
    number<&settings::transfer>("transfer", "0.001 … 1000", "1",
                                "ready tasks that move one level down at once, for each worker below"),
    one_of<&settings::blocking, blocking_policy::at_leaf, blocking_policy::dynamic>(
        "blocking", "static, dynamic", "dynamic",
        "where a task waits: in the queue of the worker that it leaves, or where that worker finds its next task"),
    one_of<&settings::entry, entry_queue::root, entry_queue::leaf>("entry", "root, leaf", "root",
                                                                   "where tasks enter a tree of queues"),
    one_of<&settings::assign, assignment::turn, assignment::random, assignment::shortest>(
        "assign", "turn, random, shortest", "turn", "which of several queues a new task goes to"),
    one_of<&settings::per_batch, false, true>(
        "per_batch", "no, yes", "no",
        "whether of tasks put together no more move below a queue than it has workers, until they end or wait"),
    one_of<&settings::climb, climb_cost::free, climb_cost::charged>(
        "climb", "free, charged", "free", "whether an empty queue on a worker's way up costs an access"),
    number<&settings::access>("access", "0 … 1000000000", "0",
                              "cycles (natively: iterations) for which an access to a run queue holds its lock"),
    number<&settings::delay>("delay", "0 … 1000000000", "0",
                             "cycles that an access to a run queue is under way, there and back each"),
    one_of<&settings::reading, access_reading::held, access_reading::outside>(
        "reading", "held, outside", "held", "whether a run queue's lock is held during the delays of an access"),
    one_of<&settings::lock, platform::lock_kind::mutex, platform::lock_kind::spin>("lock", "mutex, spin", "mutex",
                                                                                   "what a worker does at a lock that is taken"),
    one_of<&settings::wake, wake_policy::every_put, wake_policy::empty_queue>("wake", "every-put, empty-queue", "empty-queue",
                                                                              "when a put wakes an idle worker"),
    one_of<&settings::wait, wait_policy::spin, wait_policy::park, wait_policy::spin_then_park>(
        "wait", "spin, park, spin-then-park", "spin-then-park", "what an idle worker does until it is woken"),
    number<&settings::memory, &mem::amounts::elements_per_block>("chunk", "1 … 1048576", "64",
                                                                 "elements that a memory manager asks the system for at once"),
    number<&settings::memory, &mem::amounts::elements_per_list>(
        "list", "1 … 1048576", "16384", "elements that a memory manager allocates for each list at initialisation"),
    number<&settings::memory, &mem::amounts::local_limit>(
        "local", "2 … 1000000", "128", "free elements above which a worker hands half of them to the central list"),
    {"stack", "8K … 1G (bytes, K, M or G behind the number)", "64K", "stack of a task that others run beside while it waits",
     read_stack},
    number<&settings::outside>(
        "outside", "1 … 30000", "256",
        "calls of teff::blocking that are under way at once, on a thread each; further ones wait their turn"),
    {"domains", "cache, socket, node, or two numbers from 1 to 1024 as 2x4", "cache",
     "which workers sit near each other: whose processors share that (a node of memory), or so many domains of so many workers "
     "each",
     read_domains},
    {"pin", "no, domain, processor", "no",
     "on which processors the threads of workers other than the caller may run, by a mask that is set before they run, once",
     read_pin, " (in q, l, cq, ws and mts domain)"},
};

/// A setting that exists, but not here: no other name is meant. What all teams of workloads have, only programs have not.
std::string setting_of_others_sentence(const setting& asked, const std::string& whose, std::span<const char* const> uses) {
  const bool is_of_teams =
      std::find(std::begin(team_settings), std::end(team_settings), std::string_view(asked.name)) != std::end(team_settings);
  std::string sentence = "unknown setting of " + whose + " '" + asked.name +
                         "': " + (is_of_teams ? "workloads have it, programs do not" : "only others have it") + " (" +
                         asked.what + "); allowed: ";
  for (std::size_t i = 0; i < uses.size(); ++i) sentence += (i > 0 ? ", " : "") + std::string(uses[i]);
  return sentence;
}

}  // namespace

std::span<const setting> all_settings() { return settings_list; }

std::string apply(settings& changed, std::span<const std::string> texts, std::span<const char* const> uses,
                  const std::string& whose) {
  std::set<std::string> seen;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) return "setting '" + text + "' has no value: write name=value";
    const std::string name = text.substr(0, equals), value = text.substr(equals + 1);
    if (!seen.insert(name).second) return "setting " + name + " is given twice";
    const auto found = std::find_if(uses.begin(), uses.end(), [&](const char* use) { return name == use; });
    const auto entry =
        std::find_if(std::begin(settings_list), std::end(settings_list), [&](const setting& s) { return name == s.name; });
    if (found == uses.end()) {
      if (entry != std::end(settings_list)) return setting_of_others_sentence(*entry, whose, uses);
      return unknown_name_sentence("setting of " + whose, name, std::vector<std::string>(uses.begin(), uses.end()));
    }
    TEFF_REQUIRE(entry != std::end(settings_list), "a pool or manager names a setting that settings.cpp does not list");
    if (!entry->parse(changed, value))
      return std::string("setting ").append(name).append(" cannot be '").append(value).append("'; allowed: ") + entry->values;
  }
  return {};
}

}  // namespace TEFF_NAMESPACE::pool
