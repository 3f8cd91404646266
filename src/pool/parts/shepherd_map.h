// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/pool.h"

#include <cstdint>
#include <vector>

namespace TEFF_NAMESPACE::pool::parts {

/// Who shares a queue (Olivier et al. 2012, Table 1, number of shepherds: one per core, one per chip, one).
enum class shared_by : std::uint8_t { worker, domain, all };

/// Which workers are of which shepherd, and which of them sit in one domain of the team. A shepherd is who shares a queue; they
/// are numbered by their first workers.
class shepherd_map {
 public:
  shepherd_map(shared_by by, const worker_places& places) : near_(places.workers()) {
    std::vector<unsigned> shepherd_of_domain(places.domains(), nobody);
    for (unsigned worker = 0; worker < places.workers(); ++worker) {
      unsigned& of_domain = shepherd_of_domain[by == shared_by::domain ? places.domain(worker) : 0];
      const bool is_first = by == shared_by::worker || of_domain == nobody;
      if (is_first) {
        of_domain = size();
        first_.push_back(worker);
        workers_of_.push_back(0);
      }
      shepherd_of_.push_back(by == shared_by::worker ? worker : of_domain);
      ++workers_of_[shepherd_of_.back()];
      near_[worker] = range_of(places.siblings(worker), places.workers());
    }
  }

  unsigned size() const { return static_cast<unsigned>(first_.size()); }
  unsigned of(const worker& current) const { return shepherd_of_[current.id]; }
  unsigned workers_of(unsigned shepherd) const { return workers_of_[shepherd]; }
  /// Returns: the first worker of each.
  const std::vector<unsigned>& first_workers() const { return first_; }

  /// Returns: the advice to wake first who sits in this worker's domain, then anybody. Where the others of the domain are not
  /// numbered one behind the other, or it has none or all, anybody.
  advice near(const worker& current, advice advised) const {
    const auto [first, end] = near_[current.id];
    return end == 0 ? advised : advice::near(advised.what, first, end);
  }
  /// Returns: the advice to wake who shares this worker's queue for `more` tasks that were brought for it.
  advice near_for(const worker& current, unsigned shepherd, std::size_t more) const {
    if (more == 0) return advice::wake_none;
    const advice nearest = near(current, advice::wake_one);
    return more > 1 && workers_of(shepherd) > 1 && nearest.end != 0 ? advice(advice::wake_all, nearest.first, nearest.end)
                                                                   : nearest;
  }

 private:
  static constexpr unsigned nobody = ~0u;
  struct range {
    unsigned first = 0, end = 0;
  };

  static range range_of(std::span<const unsigned> siblings, unsigned workers) {
    const auto count = static_cast<unsigned>(siblings.size());
    const unsigned first = siblings.front(), end = siblings.back() + 1;
    return count == 1 || count == workers || end - first != count ? range{} : range{first, end};
  }

  std::vector<unsigned> shepherd_of_;  ///< of each worker
  std::vector<unsigned> first_, workers_of_;
  std::vector<range> near_;  ///< of each worker
};

}  // namespace TEFF_NAMESPACE::pool::parts
