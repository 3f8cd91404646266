// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Teams by name: the wiring of catalogue, settings, memory managers and worker loop.
#pragma once

#include "mem/memory.h"
#include "runtime/catalogue_teams.h"
#include "teff/runtime.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace TEFF_NAMESPACE::runtime {

/// Options whose words were understood.
struct team_plan {
  pool::settings set;
  workers::team_shape shape;
};

/// Returns: an empty text and the plan, or a sentence that says which word is wrong.
std::string understand(const team_options& wanted, team_plan& plan);

/// Returns: nanoseconds, from the seconds that TEFF_WATCHDOG was given; nothing if it cannot be given that.
std::optional<std::uint64_t> watchdog_ns(std::string_view text);

/// Returns: the manager of that name. Pre: the name is in the catalogue. Errors: std::bad_alloc.
mem::memory make_memory(const std::string& name, unsigned workers, std::size_t task_block_bytes, std::size_t argument_bytes,
                        mem::amounts sizes = {});

/// Returns: the team. Pre: understand accepted the options. Errors: std::bad_alloc.
std::unique_ptr<workers::team_base> make_team(const team_options& wanted, const team_plan& plan);

/// The same, and TEFF_DISPLAY says nothing of it: for measurements.
std::unique_ptr<workers::team_base> make_unseen_team(const team_options& wanted, const team_plan& plan);

/// Effect: if the team has fewer workers than were asked for, says so on standard error; once in a process.
void tell_refused_threads(const workers::team_base& made, const team_plan& plan);

/// Effect: destroys a team of this process that does not run. One of the parent process is given up: its threads are not in the
/// child of fork(), so nothing of it can be joined, locked or trusted. So is one that runs, as at an exit inside of its own task,
/// which nothing could wait for: its workers go on as long as the process. It stays reachable, because it is no leak.
void end_or_abandon(std::unique_ptr<workers::team_base> ended);

/// Names of the catalogues, in their order.
std::vector<std::string> pool_names();
std::vector<std::string> manager_names();
/// Returns: the settings that the pool or manager of that name has; empty if there is no such.
std::vector<const char*> settings_of_pool(const std::string& name);
std::vector<const char*> settings_of_manager(const std::string& name);

}  // namespace TEFF_NAMESPACE::runtime
