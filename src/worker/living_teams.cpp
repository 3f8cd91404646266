// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/living_teams.h"

#include "platform/platform.h"
#include "worker/team.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace TEFF_NAMESPACE::workers {

namespace {

/// Those of one process.
struct list {
  explicit list(list* of_parent_process) : of_parent_process(of_parent_process) {}

  const std::uint64_t made_in = platform::process_generation();
  list* const of_parent_process;  ///< stays reachable: it is no leak
  platform::lock lock;
  std::vector<team_base*> teams;         ///< under the lock
  std::uint64_t made_by_those_gone = 0;  ///< tasks; under the lock
};

constinit platform::atomic<list*> newest{nullptr};

/// Returns: this process's list; nullptr if it has none yet.
list* list_here() noexcept {
  // acquire: pairs with the exchange below: who finds a list sees it as it was made.
  list* const seen = newest.load(platform::acquire);
  return seen != nullptr && seen->made_in == platform::process_generation() ? seen : nullptr;
}

list& list_for_this_process() {
  for (;;) {
    if (list* const own = list_here(); own != nullptr) return *own;
    list* seen = newest.load(platform::acquire);  // acquire: as in list_here
    auto made = std::make_unique<list>(seen);
    if (newest.compare_exchange(seen, made.get(), platform::acq_rel)) return *made.release();  // release: for list_here
  }
}

}  // namespace

void living_teams::add(team_base& made) {
  if constexpr (!platform::has_forks) return;
  list& own = list_for_this_process();
  platform::lock_guard guard(own.lock);
  own.teams.push_back(&made);
}

void living_teams::remove(team_base& gone) noexcept {
  if constexpr (!platform::has_forks) return;
  list* const own = list_here();
  if (own == nullptr) return;
  platform::lock_guard guard(own->lock);
  if (std::erase(own->teams, &gone) != 0) own->made_by_those_gone += gone.made();
}

bool living_teams::parent_had_some() noexcept {
  // acquire: as in list_here.
  const list* const seen = newest.load(platform::acquire);
  return seen != nullptr && (seen->made_in != platform::process_generation() || seen->of_parent_process != nullptr);
}

bool living_teams::only_stuck_ones_have_tasks() {
  list* const own = list_here();
  if (own == nullptr) return false;
  platform::lock_guard guard(own->lock);
  const auto is_stuck = [](const team_base* each) { return each->host::is_stuck() && each->live() != 0; };
  const auto runs = [&](const team_base* each) { return each->running() && each->live() != 0 && !is_stuck(each); };
  return std::any_of(own->teams.begin(), own->teams.end(), is_stuck) && std::none_of(own->teams.begin(), own->teams.end(), runs);
}

std::optional<std::uint64_t> living_teams::tasks_if_none_is_left() {
  list* const own = list_here();
  if (own == nullptr) return 0;
  platform::lock_guard guard(own->lock);
  const auto has_tasks = [](const team_base* each) {
    // [stuck] A run that begins says so before it is no longer stuck, and one that ends stuck says that before it is over.
    return (each->host::is_stuck() || each->running() || each->host::is_stuck()) && each->live() != 0;
  };
  if (std::any_of(own->teams.begin(), own->teams.end(), has_tasks)) return std::nullopt;
  std::uint64_t sum = own->made_by_those_gone;
  for (const team_base* each : own->teams) sum += each->made();
  return sum;
}

}  // namespace TEFF_NAMESPACE::workers
