// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/make_team.h"

#include "base/assert.h"
#include "base/nearest_name.h"
#include "base/variables.h"
#include "platform/tuning.h"
#include "task/closure.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace TEFF_NAMESPACE::runtime {

namespace {

#ifdef TEFF_SIMULATED
constexpr unsigned workers_at_most = tuning::simulated_workers_at_most;
#else
constexpr unsigned workers_at_most = tuning::workers_at_most;
#endif
constexpr std::size_t argument_bytes_at_most = 4096;

std::size_t rounded_up(std::size_t bytes) {
  const std::size_t unit = alignof(std::max_align_t);
  return std::max(unit, (bytes + unit - 1) / unit * unit);
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Effect: sets what the pool or the manager has. Returns: an empty text, or a sentence that says which word is wrong.
std::string apply_settings(const team_options& wanted, pool::settings& set) {
  auto uses = settings_of_pool(wanted.pool);
  const auto managers = settings_of_manager(wanted.memory);
  uses.insert(uses.end(), managers.begin(), managers.end());
  return pool::apply(set, wanted.settings, uses, "pool " + wanted.pool + " and memory manager " + wanted.memory);
}

/// Whether this process has been told that there are fewer threads than it asked for, or other domains.
platform::atomic<bool> refusal_told{false}, domains_told{false};

void tell_other_domains(pool::domain_grid wanted, unsigned workers) {
  const std::string remark = wanted.remark(workers);
  // relaxed: it is said once, and nothing goes by it.
  if (remark.empty() || domains_told.exchange(true, platform::relaxed)) return;
  std::fprintf(stderr, "teff: %s (said once)\n", remark.c_str());
}

#ifndef TEFF_SIMULATED

/// Whether it has been told that its variables are of no use.
platform::atomic<bool> display_told{false}, watchdog_told{false};

/// Returns: the value of a variable that every team reads; empty if there is none, or one that cannot be used, which is said
/// once.
std::string wish_of_all(const char* name, platform::atomic<bool>& told) {
  const char* const wish = std::getenv(name);
  const std::string value = wish != nullptr ? wish : "", wrong = wrong_variable(name, value);
  // relaxed: it is said once, and nothing goes by it.
  if (!wrong.empty() && !told.exchange(true, platform::relaxed)) platform::say("teff: " + wrong + "\n");
  return wrong.empty() ? value : "";
}

/// Effect: with TEFF_DISPLAY=1 in the environment, says on standard error what the team is.
void display(const team_options& wanted, const workers::team_base& made) {
  if (wish_of_all("TEFF_DISPLAY", display_told) != "1") return;
  const auto& machine = platform::machine();
  const auto plural = [](unsigned count) { return count == 1 ? "" : "s"; };
  std::fprintf(stderr, "teff: pool %s, memory %s, %u worker%s; %u usable processor%s, by %s\n", wanted.pool.c_str(),
               wanted.memory.c_str(), made.workers(), plural(made.workers()), machine.usable_processors,
               plural(machine.usable_processors), machine.limited_by);
}

/// Returns: what TEFF_WATCHDOG asks for; 0 if it asks for nothing.
std::uint64_t watchdog_by_environment() { return watchdog_ns(wish_of_all("TEFF_WATCHDOG", watchdog_told)).value_or(0); }

#else

void display(const team_options&, const workers::team_base&) {}
std::uint64_t watchdog_by_environment() { return 0; }

#endif

/// Teams of parent processes, and those that ran when they should end, linked.
platform::atomic<workers::team_base*> abandoned{nullptr};

}  // namespace

std::optional<std::uint64_t> watchdog_ns(std::string_view text) {
  std::uint64_t ns = 0;
  return take_watchdog(ns, std::string(text)).empty() ? std::optional(ns) : std::nullopt;
}

void tell_refused_threads(const workers::team_base& made, const team_plan& plan) {
  const unsigned workers = made.workers(), wanted = plan.shape.workers;
  // relaxed: it is said once, and nothing goes by it.
  if (workers >= wanted || refusal_told.exchange(true, platform::relaxed)) return;
  std::fprintf(stderr, "teff: the system refused a thread: this team has %u %s instead of %u (said once; workers() tells)\n",
               workers, workers == 1 ? "worker" : "workers", wanted);
}

void end_or_abandon(std::unique_ptr<workers::team_base> ended) {
  const platform::uncancelled while_threads_end;
  if (ended->is_of_this_process() && !ended->running()) return ended.reset();
  workers::team_base* const kept = ended.release();
  // acq_rel: the next one sees this team whole, and this one those before it.
  kept->abandoned_before = abandoned.exchange(kept, platform::acq_rel);
}

std::vector<std::string> pool_names() { return pool::pool_names(); }

std::vector<std::string> manager_names() {
  std::vector<std::string> names;
  mem::for_each_manager([&]<mem::spec Spec>(const char* name, const char*, const char*) { names.emplace_back(name); });
  return names;
}

std::vector<const char*> settings_of_pool(const std::string& name) { return pool::settings_of(name, pool::team_settings); }

std::vector<const char*> settings_of_manager(const std::string& name) {
  std::vector<const char*> uses;
  mem::for_each_manager([&]<mem::spec Spec>(const char* each, const char*, const char*) {
    if (name == each) uses.assign(mem::uses<Spec>.begin(), mem::uses<Spec>.end());
  });
  return uses;
}

std::string understand(const team_options& wanted, team_plan& plan) {
  const platform::uncancelled while_files_are_read;
  const auto pools = pool_names(), managers = manager_names();
  if (!contains(pools, wanted.pool)) return unknown_name_sentence("pool", wanted.pool, pools);
  if (!contains(managers, wanted.memory)) return unknown_name_sentence("memory manager", wanted.memory, managers);
  if (wanted.workers > workers_at_most) {
    return "the number of workers cannot be " + std::to_string(wanted.workers) + "; allowed: 1 … " +
           std::to_string(workers_at_most) + ", or 0 for the usable processors";
  }
  if (wanted.argument_bytes > argument_bytes_at_most) {
    return "argument blocks cannot have " + std::to_string(wanted.argument_bytes) + " bytes; allowed: 0 … " +
           std::to_string(argument_bytes_at_most);
  }
  if (std::string wrong = apply_settings(wanted, plan.set); !wrong.empty()) return wrong;
  plan.shape.workers = wanted.workers > 0 ? wanted.workers : std::min(platform::machine().usable_processors, workers_at_most);
  if (std::string wrong = plan.set.domains.refusal(plan.shape.workers); !wrong.empty()) return wrong;
  if (plan.set.pin == pool::pinning::domain && !plan.set.domains.is_machines())
    return "setting pin cannot be 'domain' where domains are numbers, which say nothing of processors; allowed: no, processor";
  plan.shape.seed = wanted.seed;
  plan.shape.domains = plan.set.domains;
  plan.shape.argument_bytes = rounded_up(wanted.argument_bytes);
  plan.shape.wake = plan.set.wake;
  plan.shape.wait = plan.set.wait;
  plan.shape.stack_bytes = plan.set.stack;
  plan.shape.calls_outside = plan.set.outside;
  plan.shape.watchdog_ns = watchdog_by_environment();
  return {};
}

mem::memory make_memory(const std::string& name, unsigned workers, std::size_t task_block_bytes, std::size_t argument_bytes,
                        mem::amounts sizes) {
  sizes.block_bytes[static_cast<std::size_t>(mem::block_kind::task)] = rounded_up(task_block_bytes);
  sizes.block_bytes[static_cast<std::size_t>(mem::block_kind::argument)] =
      rounded_up(std::max(argument_bytes, sizeof(moved_closure)));
  std::optional<mem::memory> made;
  mem::for_each_manager([&]<mem::spec Spec>(const char* each, const char*, const char*) {
    if (name == each) made.emplace(new mem::manager<Spec>(workers, sizes));
  });
  TEFF_REQUIRE(made.has_value(), "a plan names a manager of the catalogue");
  return std::move(*made);
}

std::unique_ptr<workers::team_base> make_unseen_team(const team_options& wanted, const team_plan& plan) {
  const platform::uncancelled while_threads_start;
  std::unique_ptr<workers::team_base> made;
  pool::for_each_pool([&]<class Pool>(const pool::entry& each) {
    if (wanted.pool != each.name) return;
    workers::team_shape shape = plan.shape;
    shape.pin = plan.set.pin.value_or(wanted.pin ? pool::pinning::processor : Pool::traits.pin);
    made = std::make_unique<workers::team_of<Pool>>(
        shape, plan.set,
        [&](unsigned workers, std::size_t task_block_bytes) {
          return make_memory(wanted.memory, workers, task_block_bytes, plan.shape.argument_bytes, plan.set.memory);
        },
        [](const pool::environment& from) { return Pool(from); });
  });
  return made;
}

std::unique_ptr<workers::team_base> make_team(const team_options& wanted, const team_plan& plan) {
  auto made = make_unseen_team(wanted, plan);
  display(wanted, *made);
  tell_other_domains(plan.set.domains, made->workers());
  return made;
}

}  // namespace TEFF_NAMESPACE::runtime
