// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pool/worker_places.h"

#include "base/assert.h"

#include <algorithm>
#include <iterator>

namespace TEFF_NAMESPACE::pool {

namespace {

platform::processor_place alone_in(unsigned domain, unsigned worker) { return {worker, {worker, domain, 0}}; }

/// Returns: the machine's place of that number; its domain is what it shares with others as the setting says.
platform::processor_place machine_place(const platform::topology& machine, unsigned number, domain_grid wanted) {
  platform::processor_place place = machine.places[number];
  unsigned& domain = place.parts[static_cast<std::size_t>(platform::level::cache)];
  if (!wanted.is_known(machine)) return place;
  if (wanted.by == domain_grid::shared::socket) domain = place.part(platform::level::package);
  if (wanted.by == domain_grid::shared::node) domain = machine.memory_nodes[number];
  return place;
}

}  // namespace

bool domain_grid::is_known(const platform::topology& machine) const {
  return by == shared::cache || (by == shared::socket ? machine.names_packages : !machine.memory_nodes.empty());
}

std::string domain_grid::refusal(unsigned workers) const {
  if (is_machines() || workers <= places()) return {};
  return "setting domains names places for " + std::to_string(places()) + (places() == 1 ? " worker" : " workers") +
         ", but there are " + std::to_string(workers) + "; allowed: CxW with C times W at least the number of workers";
}

std::string domain_grid::remark(unsigned workers, const platform::topology& machine) const {
  constexpr const char* names[] = {"cache", "socket", "node"};
  if (!is_known(machine)) {
    const std::string name = names[static_cast<unsigned>(by)];
    return "domains=" + name + ": the system names no " + name +
           "s; domains are the workers that share a cache of the last level";
  }
  if (is_machines() || domains <= workers) return {};
  std::string text = "domains=" + std::to_string(domains) + "x" + std::to_string(workers_each) + " are more domains than the " +
                     std::to_string(workers) + (workers == 1 ? " worker:" : " workers:");
  constexpr unsigned named_at_most = 8;
  for (unsigned first = 0; first < workers; first += workers_each) {
    if (first / workers_each == named_at_most) {
      text += ", and so on";
      break;
    }
    const unsigned last = std::min(workers, first + workers_each) - 1;
    text += (first > 0 ? ", " : " ") +
            (last > first ? std::to_string(first) + " … " + std::to_string(last) + " share "
                          : std::to_string(first) + " is alone in ") +
            "domain " + std::to_string(first / workers_each);
  }
  return text + "; the others are empty";
}

std::vector<unsigned> places_of_worker(unsigned worker, pinning how, domain_grid domains, std::span<const unsigned> usable,
                                       const platform::topology& machine) {
  if (how == pinning::processor) return {usable[worker % usable.size()]};
  std::vector<unsigned> found;
  if (how == pinning::none || !domains.is_machines()) return found;
  const auto domain_of = [&](unsigned place) { return machine_place(machine, place, domains).part(platform::level::cache); };
  const unsigned own = domain_of(worker % static_cast<unsigned>(machine.places.size()));
  std::copy_if(usable.begin(), usable.end(), std::back_inserter(found), [&](unsigned place) { return domain_of(place) == own; });
  if (found.size() == machine.places.size()) found.clear();
  return found;
}

worker_places::worker_places(unsigned workers, domain_grid wanted, const platform::topology& machine) {
  TEFF_REQUIRE(wanted.refusal(workers).empty(), "ask for at least as many places as workers");
  const auto of_machine = static_cast<unsigned>(machine.places.size());
  for (unsigned worker = 0; worker < workers; ++worker) {
    places_.push_back(wanted.is_machines() ? machine_place(machine, worker % of_machine, wanted)
                                           : alone_in(worker / wanted.workers_each, worker));
  }
  list_members();
}

worker_places::worker_places(std::span<const unsigned> places_of_machine, domain_grid wanted, const platform::topology& machine) {
  for (const unsigned place : places_of_machine) places_.push_back(machine_place(machine, place, wanted));
  list_members();
}

worker_places::worker_places(std::span<const unsigned> domain_of_worker) {
  for (const unsigned domain : domain_of_worker) places_.push_back(alone_in(domain, workers()));
  list_members();
}

void worker_places::list_members() {
  for (unsigned worker = 0; worker < workers(); ++worker) {
    if (domain(worker) >= members_.size()) members_.resize(domain(worker) + 1);
    members_[domain(worker)].push_back(worker);
  }
}

}  // namespace TEFF_NAMESPACE::pool
