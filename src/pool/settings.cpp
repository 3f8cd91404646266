// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pool/settings.h"

#include "base/assert.h"
#include "base/nearest_name.h"
#include "pool/parts/run_queue_settings.h"

#include <algorithm>
#include <set>

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

using namespace parts;

constexpr std::uint32_t block_at_most = 1024;
constexpr std::uint32_t threshold_at_most = 1'000'000;
constexpr std::uint32_t capacity_at_most = 16'777'216;
constexpr std::uint32_t queues_at_most = 64;
constexpr std::uint32_t steal_at_most = 1'000'000;
constexpr std::uint32_t chunk_at_most = 1'048'576;
constexpr std::uint32_t list_at_most = 1'048'576;
constexpr std::uint32_t local_at_most = 1'000'000;
/// Half of a list of one is nothing.
constexpr std::uint32_t local_at_least = 2;

bool parse_block(settings& set, std::string_view text) { return choose(set.block, text, 1, block_at_most); }

bool parse_threshold(settings& set, std::string_view text) { return choose(set.threshold, text, 0, threshold_at_most); }

bool parse_capacity(settings& set, std::string_view text) { return choose(set.capacity, text, 1, capacity_at_most); }

bool parse_queues(settings& set, std::string_view text) { return choose(set.queues, text, 0, queues_at_most); }

bool parse_steal(settings& set, std::string_view text) {
  using rule = steal_amount::rule;
  if (text == "workers") {
    set.steal = {rule::workers, 1};
    return true;
  }
  const bool fraction = text.starts_with("1/");
  if (!choose(set.steal.value, fraction ? text.substr(2) : text, fraction ? 2 : 1, steal_at_most)) return false;
  set.steal.by = fraction ? rule::fraction : rule::number;
  return true;
}

bool parse_victims(settings& set, std::string_view text) {
  return choose(set.victims, text,
                {{"linear", victim_order::linear}, {"random", victim_order::random}, {"nearest", victim_order::nearest}});
}

bool parse_strategy(settings& set, std::string_view text) {
  return choose(set.strategy, text, {{"greedy", sharing::greedy}, {"generous", sharing::generous}});
}

bool parse_lock(settings& set, std::string_view text) {
  return choose(set.lock, text, {{"mutex", platform::lock_kind::mutex}, {"spin", platform::lock_kind::spin}});
}

bool parse_wake(settings& set, std::string_view text) {
  return choose(set.wake, text, {{"every-put", wake_policy::every_put}, {"empty-queue", wake_policy::empty_queue}});
}

bool parse_wait(settings& set, std::string_view text) {
  return choose(set.wait, text,
                {{"spin", wait_policy::spin}, {"park", wait_policy::park}, {"spin-then-park", wait_policy::spin_then_park}});
}

bool parse_chunk(settings& set, std::string_view text) { return choose(set.memory.elements_per_block, text, 1, chunk_at_most); }

bool parse_list(settings& set, std::string_view text) { return choose(set.memory.elements_per_list, text, 1, list_at_most); }

bool parse_local(settings& set, std::string_view text) {
  return choose(set.memory.local_limit, text, local_at_least, local_at_most);
}

constexpr std::uint32_t stack_at_least = 8 * 1024;
constexpr std::uint32_t stack_at_most = 1024 * 1024 * 1024;

bool parse_stack(settings& set, std::string_view text) {
  constexpr std::pair<const char*, std::uint32_t> units[] = {{"K", 1024}, {"M", 1024 * 1024}, {"G", 1024 * 1024 * 1024}};
  std::uint32_t unit = 1;
  if (!text.empty() && choose(unit, text.substr(text.size() - 1), units)) text.remove_suffix(1);
  std::uint32_t value = 0;
  if (!choose(value, text, 1, stack_at_most / unit) || value * unit < stack_at_least) return false;
  set.stack = value * unit;
  return true;
}

constexpr std::uint32_t outside_at_most = 30'000;

bool parse_outside(settings& set, std::string_view text) { return choose(set.outside, text, 1, outside_at_most); }

constexpr std::uint32_t domains_at_most = 1024;

bool parse_domains(settings& set, std::string_view text) {
  if (text == "machine") {
    set.domains = {};
    return true;
  }
  const std::size_t cross = text.find('x');
  domain_grid wanted;
  if (cross == text.npos || !choose(wanted.domains, text.substr(0, cross), 1, domains_at_most) ||
      !choose(wanted.workers_each, text.substr(cross + 1), 1, domains_at_most))
    return false;
  set.domains = wanted;
  return true;
}

constexpr setting settings_list[] = {
    {"block", "1 … 1024", "4", "tasks per block", parse_block},
    {"threshold", "0 … 1000000", "4", "tasks that a worker keeps besides its current block", parse_threshold},
    {"capacity", "1 … 16777216", "4096", "tasks that an array has room for from the start", parse_capacity},
    {"queues", "0 … 64", "0", "queues per worker; 0: as published, 4 (rq1, rq2, rq3) or 2 (dq4)", parse_queues},
    {"steal", "a number from 1 to 1000000, a fraction as 1/2, or workers", "1", "how much a thief takes in one step",
     parse_steal},
    {"victims", "linear, random, nearest", "nearest", "in which order a thief visits the others", parse_victims},
    {"strategy", "greedy, generous", "generous", "whether full blocks stay private while the public queue has tasks",
     parse_strategy},
    {"branching", "2 … 1024", "4", "workers that share a leaf of the tree of queues, and queues that share a parent",
     parse_branching},
    {"transfer", "0.001 … 1000", "1", "ready tasks that move one level down at once, for each worker below", parse_transfer},
    {"blocking", "static, dynamic", "dynamic",
     "where a task waits: in the queue of the worker that it leaves, or where that worker finds its next task", parse_blocking},
    {"entry", "root, leaf", "root", "where tasks enter a tree of queues", parse_entry},
    {"assign", "turn, random, shortest", "turn", "which of several queues a new task goes to", parse_assign},
    {"per_batch", "no, yes", "no",
     "whether of tasks put together no more move below a queue than it has workers, until they end or wait", parse_per_batch},
    {"climb", "free, charged", "free", "whether an empty queue on a worker's way up costs an access", parse_climb},
    {"access", "0 … 1000000000", "0", "cycles (natively: iterations) for which an access to a run queue holds its lock",
     parse_access},
    {"delay", "0 … 1000000000", "0", "cycles that an access to a run queue is under way, there and back each", parse_delay},
    {"reading", "held, outside", "held", "whether a run queue's lock is held during the delays of an access", parse_reading},
    {"lock", "mutex, spin", "mutex", "what a worker does at a lock that is taken", parse_lock},
    {"wake", "every-put, empty-queue", "empty-queue", "when a put wakes an idle worker", parse_wake},
    {"wait", "spin, park, spin-then-park", "spin-then-park", "what an idle worker does until it is woken", parse_wait},
    {"chunk", "1 … 1048576", "64", "elements that a memory manager asks the system for at once", parse_chunk},
    {"list", "1 … 1048576", "16384", "elements that a memory manager allocates for each list at initialisation", parse_list},
    {"local", "2 … 1000000", "128", "free elements above which a worker hands half of them to the central list", parse_local},
    {"stack", "8K … 1G (bytes, K, M or G behind the number)", "64K", "stack of a task that others run beside while it waits",
     parse_stack},
    {"outside", "1 … 30000", "256",
     "calls of teff::blocking that are under way at once, on a thread each; further ones wait their turn", parse_outside},
    {"domains", "machine, or two numbers from 1 to 1024 as 2x4", "machine",
     "which workers sit near each other: as the processors do, or in so many domains of so many workers each", parse_domains},
};

/// A setting that exists, but not here: no other name is meant.
std::string setting_of_others_sentence(const setting& asked, const std::string& whose, std::span<const char* const> uses) {
  std::string sentence =
      "unknown setting of " + whose + " '" + asked.name + "': only others have it (" + asked.what + "); allowed: ";
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
    if (!entry->parse(changed, value)) return "setting " + name + " cannot be '" + value + "'; allowed: " + entry->values;
  }
  return {};
}

namespace {

/// Returns: how a sentence about a text that is ignored ends: with the value that its setting has without it, if there is such a
/// setting. `taken`: those that hold.
template <class Check>
std::string what_holds_instead(std::vector<std::string> taken, std::string_view ignored, const Check& check) {
  const std::string name(ignored.substr(0, ignored.find('=')));
  for (const std::string& each : taken) {
    if (each.starts_with(name + "=")) return ", " + name + " is " + each.substr(name.size() + 1);
  }
  for (const setting& each : settings_list) {
    if (name != each.name) continue;
    taken.push_back(name + "=" + each.standard);
    return check(taken).empty() ? ", " + name + " is " + each.standard : "";
  }
  return {};
}

}  // namespace

void take_each(std::vector<std::string>& taken, std::span<const std::string> texts,
               const std::function<std::string(std::span<const std::string>)>& check, std::vector<std::string>& complaints) {
  for (const std::string& text : texts) {
    taken.push_back(text);
    const std::string wrong = check(taken);
    if (wrong.empty()) continue;
    taken.pop_back();
    complaints.push_back(wrong + "; it is ignored" + what_holds_instead(taken, text, check));
  }
}

}  // namespace TEFF_NAMESPACE::pool
