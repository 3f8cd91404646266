// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where the workers of a team sit in the machine's tree, for pools that go by it.
#pragma once

#include "platform/platform.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::pool {

/// The setting `domains`: so many domains of so many workers each; 0: as the machine has them.
struct domain_grid {
  /// What the workers of one of the machine's domains share.
  enum class shared : std::uint8_t { cache, socket, node };
  std::uint32_t domains = 0, workers_each = 0;
  shared by = shared::cache;

  bool is_machines() const { return domains == 0; }
  /// Whether the machine says which processors share that.
  bool is_known(const platform::topology& machine = platform::machine()) const;
  std::uint64_t places() const { return std::uint64_t{domains} * workers_each; }
  /// Returns: an empty text, or a sentence if there are no places for so many workers.
  std::string refusal(unsigned workers) const;
  /// Returns: what is other than the setting may make one think, for so many workers; empty: nothing.
  std::string remark(unsigned workers, const platform::topology& machine = platform::machine()) const;
};

/// On which processors a worker's thread may run: on all, on those of its domain, or on one.
enum class pinning : std::uint8_t { none, domain, processor };

/// Returns: the places of the machine at which a worker's thread is to run, of those that are usable; none: wherever it may.
/// By domain: those in the domain of the worker's place, unless all are, or the domains are not the machine's. Pre: some are
/// usable.
std::vector<unsigned> places_of_worker(unsigned worker, pinning how, domain_grid domains, std::span<const unsigned> usable,
                                       const platform::topology& machine = platform::machine());

/// The workers' places. A *domain* is the workers that share a cache of the last level, or what else the setting names; domains
/// are numbered from 0.
///
/// Cost: siblings and distances are reads of tables, of a size that grows with the workers. Threads: any; it does not change.
class worker_places {
 public:
  /// Worker i is of domain i / workers_each, each on a core of its own, or on the i-th place of the machine, in turn. Domains of
  /// what the machine does not know are those of caches. Pre: there are places for all.
  worker_places(unsigned workers, domain_grid wanted, const platform::topology& machine = platform::machine());
  /// Each worker on the place of the machine that is said, by number. Pre: the setting names none of its own.
  worker_places(std::span<const unsigned> places_of_machine, domain_grid wanted,
                const platform::topology& machine = platform::machine());
  /// Each worker of the domain that is said, on a core of its own.
  explicit worker_places(std::span<const unsigned> domain_of_worker);

  unsigned workers() const { return static_cast<unsigned>(places_.size()); }
  unsigned domains() const { return static_cast<unsigned>(members_.size()); }
  unsigned domain(unsigned of_worker) const { return places_[of_worker].part(platform::level::cache); }
  /// Returns: the workers of its domain, it too, by number.
  std::span<const unsigned> siblings(unsigned of_worker) const { return members_[domain(of_worker)]; }
  /// Returns: the nearest level that two workers share.
  platform::level common(unsigned a, unsigned b) const { return platform::nearest_common(places_[a], places_[b]); }
  /// Returns: 0 within a domain, 1 within a package, 2 beyond.
  unsigned distance(unsigned a, unsigned b) const {
    const auto shared = common(a, b);
    return shared <= platform::level::cache ? 0 : static_cast<unsigned>(shared) - static_cast<unsigned>(platform::level::cache);
  }

 private:
  void list_members();

  std::vector<platform::processor_place> places_;  // of each worker
  std::vector<std::vector<unsigned>> members_;     // of each domain
};

}  // namespace TEFF_NAMESPACE::pool
