// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/parts/kept_workers.h"
#include "pool/parts/run_queue_tree.h"

namespace TEFF_NAMESPACE::pool::parts {

/// Run queues of workers that a task keeps waiting: others take what is in them meanwhile.
///
/// Considered: moving what such a worker has to others' queues: it is put there with the price of a put, and later ones come to
///   it still.
class kept_queues {
 public:
  kept_queues(run_queue_tree& queues, unsigned workers) : queues_(queues), workers_(workers), kept_(workers) {}

  /// Effect: this worker is kept. Returns: whether something waits where hardly anybody else looks.
  bool begin(const worker& current) {
    kept_.begin(current);
    for (const run_queue* at = &queues_.leaf_of(current.id); is_for_some(*at); at = at->parent) {
      if (at->offers(nullptr)) return true;
      if (at->parent == nullptr) break;
    }
    return false;
  }
  void end(const worker& current) { kept_.end(current); }

  /// Of who has inserted something into a queue: whether more than those below it may take that. Cost: a fence.
  bool opens(const run_queue& into) const { return is_for_some(into) && kept_.opens(); }

  /// Effect: calls visit(queue) for the queues of those that are kept, but for those that all share, until it returns true.
  /// Returns: whether it did.
  template <class Visitor>
  bool for_each(Visitor visit) {
    return kept_.for_each([&](unsigned id) {
      for (run_queue* at = &queues_.leaf_of(id); at != nullptr && is_for_some(*at); at = at->parent) {
        if (visit(*at)) return true;
      }
      return false;
    });
  }

 private:
  bool is_for_some(const run_queue& of) const { return of.workers() != workers_; }

  run_queue_tree& queues_;
  const unsigned workers_;
  kept_workers kept_;
};

}  // namespace TEFF_NAMESPACE::pool::parts
