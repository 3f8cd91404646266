// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pool/worker_places.h"

#include "base/assert.h"

namespace TEFF_NAMESPACE::pool {

namespace {

platform::processor_place alone_in(unsigned domain, unsigned worker) { return {worker, {worker, domain, 0}}; }

}  // namespace

worker_places::worker_places(unsigned workers, domain_grid wanted) {
  TEFF_REQUIRE(wanted.is_machines() || workers <= wanted.places(), "ask for at least as many places as workers");
  const auto& of_machine = platform::machine().places;
  for (unsigned worker = 0; worker < workers; ++worker) {
    places_.push_back(wanted.is_machines() ? of_machine[worker % of_machine.size()]
                                           : alone_in(worker / wanted.workers_each, worker));
  }
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
