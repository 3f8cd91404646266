// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The amounts and orders that a user may set, of pools and of the memory managers below them; read on slow paths only.
#pragma once

#include "mem/spec.h"
#include "platform/platform.h"
#include "pool/worker_places.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace TEFF_NAMESPACE::pool {

/// In which order a thief visits the others.
enum class victim_order : std::uint8_t { linear, random, nearest };

struct victim_choice {
  victim_order order = victim_order::nearest;
  bool is_set = false;  ///< by the user; else it is as published, where a publication has one

  /// Returns: what was set, or that order.
  victim_order or_if_not_set(victim_order published) const { return is_set ? order : published; }
};

/// How many tasks (blocks where the unit is a block) a thief takes in one step (Korch & Rauber 2002, §3.5).
struct steal_amount {
  enum class rule : std::uint8_t { number, fraction, workers };
  rule by = rule::number;
  std::uint32_t value = 1;  ///< the number, or the fraction's denominator
  bool is_set = false;      ///< by the user; else it is as published, which for some pools is not one

  /// Returns: what was set, or that rule.
  steal_amount or_if_not_set(rule published) const { return is_set ? *this : steal_amount{published, 1}; }

  /// Returns: at least 1. Pre: the victim shows `available` units.
  std::size_t of(std::size_t available, unsigned workers) const;
};

/// When a worker that put a task wakes another one.
enum class wake_policy : std::uint8_t { every_put, empty_queue };

/// What an idle worker does until it is woken.
enum class wait_policy : std::uint8_t { spin, park, spin_then_park };

/// Which full blocks a worker of dq8 makes public (Korch & Rauber 2002, §3.5).
enum class sharing : std::uint8_t { greedy, generous };

/// In which of several queues a task is put (Dandamudi & Cheng 1996, §3).
enum class assignment : std::uint8_t { turn, random, shortest };

/// Where tasks enter a tree of queues.
enum class entry_queue : std::uint8_t { root, leaf };

/// In which queue of a tree a task waits: in the leaf of the worker that it leaves, or where that finds its next one (ibid., §5).
enum class blocking_policy : std::uint8_t { at_leaf, dynamic };

/// Whether a run queue's lock is held while the network delays an access.
enum class access_reading : std::uint8_t { held, outside };

/// Whether a queue that a worker passes on its way up, because it is empty, costs an access.
enum class climb_cost : std::uint8_t { free, charged };

struct settings {
  std::uint32_t block = 4;
  std::uint32_t threshold = 4;
  std::uint32_t capacity = 4096;
  std::uint32_t queues = 0;  ///< per worker; 0: as many as the pool's publication has
  steal_amount steal;
  victim_choice victims;
  sharing strategy = sharing::generous;
  std::uint32_t branching = 4;
  double transfer = 1;  ///< ready tasks moved down at once, for each worker below
  blocking_policy blocking = blocking_policy::dynamic;
  entry_queue entry = entry_queue::root;
  assignment assign = assignment::turn;
  bool per_batch = false;
  climb_cost climb = climb_cost::free;
  std::uint32_t access = 0;  ///< units of platform::charge
  std::uint32_t delay = 0;   ///< likewise
  access_reading reading = access_reading::held;
  platform::lock_kind lock = platform::lock_kind::mutex;
  wake_policy wake = wake_policy::empty_queue;
  wait_policy wait = wait_policy::spin_then_park;
  mem::amounts memory;              ///< of the team's memory manager, not of the pool; the sizes of blocks are no settings
  std::uint32_t stack = 64 * 1024;  ///< bytes
  std::uint32_t outside = 256;      ///< calls of teff::blocking at once
  domain_grid domains;
  std::optional<pinning> pin;  ///< nothing: as the pool has it
};

/// Those that every team has, whatever its pool.
inline constexpr const char* team_settings[] = {"wait", "stack", "outside", "domains", "pin"};
/// Those that the teams of OpenMP programs have.
inline constexpr const char* openmp_settings[] = {"domains"};

/// One setting, for parsing and for those who list them.
struct setting {
  const char* name;
  const char* values;    ///< allowed values, as the user reads them
  const char* standard;  ///< the value if it is not set
  const char* what;
  bool (*read)(settings& changed, std::string_view text, std::string_view values);
  const char* but = "";  ///< which pool has another value then, as a sentence adds it

  /// Returns: false if the text is not an allowed value: then the settings are unchanged.
  bool parse(settings& changed, std::string_view text) const { return read(changed, text, values); }
};

/// All settings that any pool or memory manager has.
std::span<const setting> all_settings();

/// Effect: applies "name=value" texts. `uses` are the names of the settings that there are, `whose` says whose they are.
/// Returns: an empty text, or a sentence that says which value is wrong and which are allowed.
std::string apply(settings& changed, std::span<const std::string> texts, std::span<const char* const> uses,
                  const std::string& whose);

/// Effect: adds to `taken` each of the texts that `check` accepts behind them; for each other one, to `complaints` a sentence
/// that says what is wrong and what is used instead. `check(texts)` returns: an empty text, or what apply says of them.
void take_each(std::vector<std::string>& taken, std::span<const std::string> texts,
               const std::function<std::string(std::span<const std::string>)>& check, std::vector<std::string>& complaints);

}  // namespace TEFF_NAMESPACE::pool
