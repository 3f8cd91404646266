// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/parts/advise.h"
#include "pool/parts/per_worker.h"
#include "pool/parts/share.h"
#include "pool/pool.h"
#include "queue/inbox.h"
#include "queue/private_blocks.h"
#include "queue/shared_blocks.h"

namespace TEFF_NAMESPACE::pool {

/// A private queue per worker and one central queue for balance: what exceeds a threshold goes there.
///
/// Source: Korch & Rauber 2002, §3.4, Table 2 (sdq1). Differs: the paper does not publish its threshold.
/// Idea: put and get touch the private block. A worker that has filled it keeps up to `threshold` tasks in further full blocks
///   and hands what is more to the central queue, block by block; a worker without tasks takes a block from there. With
///   `wake=every-put` a private put advises like any other, as the paper's (§6.3) signals.
/// Invariants: a private block is touched by its owner alone; the central list is touched under its lock.
/// Cost: within a block: no atomic operation; at its edge, above the threshold: one lock.
/// Space: as the sum of the workers' serial spaces, rounded up to blocks. Order: LIFO per worker, by blocks.
/// Good for: short tasks and a moderate number of workers. Bad for: many workers: the central lock.
/// Considered: handing over the newest full block instead of the oldest: others then get the smallest subtrees.
class threshold {
 public:
  static constexpr pool_traits traits{
      .uses = {"block", "threshold", "steal", "lock", "wake"},
      .task_block_bytes = [](const settings& set) { return queue::task_block::bytes(set.block); },
  };

  explicit threshold(const environment& from)
      : workers_(from.workers),
        set_(from.set),
        memory_(from.memory),
        private_put_(parts::advise_private(from.set)),
        central_(from.set.lock),
        places_(from.workers, from.memory, from.set.block) {
    central_.name(lock_label::of(guarded::central_queue));
  }

  advice init(worker& first, task ready) { return put(first, ready); }

  advice put(worker& current, task ready) {
    place& own = places_[current];
    if (own.kept.try_push(ready)) [[likely]]
      return private_put_;
    return put_slow(current, own, ready);
  }

  advice inject(std::span<const task> ready) { return parts::advise_injection(inbox_.push(ready)); }

  get_result get(worker& current, task& next, reach how) {
    place& own = places_[current];
    if (own.kept.try_pop(next)) [[likely]]
      return get_result::got;
    return how == reach::own ? get_result(get_result::empty) : get_slow(current, own, next);
  }

  /// Tasks in another worker's private blocks are out of reach, until it calls `share`.
  template <class Predicate>
  get_result take(worker& current, Predicate wanted, task& taken, reach) {
    return get_result::of(places_[current].kept.take_if(current, wanted, taken) ||
                          central_.take_if(current, memory_, wanted, taken) || inbox_.take_if(wanted, taken));
  }

  advice share(worker& current) { return parts::share_blocks(current, places_[current].kept, central_); }

  pool_statistics statistics() const {
    const std::uint64_t blocks = places_.sum([](const place& own) { return own.peak_blocks.value(); }) + central_.peak();
    return {.peak_live_tasks = blocks * set_.block, .lock_waits = central_.lock_waits()};
  }
  void reset_statistics() {
    central_.reset_statistics();
    places_.for_each([](place& own) { own.peak_blocks.clear(); });
  }

  void close(worker& last) {
    places_.for_each([&](place& own) { own.kept.close(last); });
  }

 private:
  struct alignas(cache_line_bytes) place {
    place(mem::memory& memory, std::uint32_t block_size) : kept(memory, block_size) {}
    queue::private_blocks kept;
    platform::statistic peak_blocks;
  };

  [[gnu::noinline]] advice put_slow(worker& current, place& own, task ready) {
    if (!own.kept.push_slow(current, ready)) return advice::refused;
    note_peak(own);
    if (own.kept.full_blocks() * set_.block <= set_.threshold) return private_put_;
    queue::task_block* block = own.kept.remove_oldest_full();
    current.count(trace::counter::publications, block->count);
    return parts::advise(central_.push(block));
  }

  static void note_peak(place& own) {
    const std::uint64_t blocks = own.kept.full_blocks() + 1;
    if (blocks > own.peak_blocks.value()) own.peak_blocks.set(blocks);
  }

  [[gnu::noinline]] get_result get_slow(worker& current, place& own, task& next) {
    if (own.kept.pop_slow(current, next)) return get_result::got;
    queue::task_block* block = nullptr;
    const std::size_t amount = set_.steal.of(central_.length_estimate(), workers_);
    const auto found = central_.pop(amount, block, [&](queue::task_block* further) { own.kept.insert_full(further); });
    if (found == queue::steal_result::got) {
      own.kept.pop_from(current, block, next);
      note_peak(own);
      return get_result::got;
    }
    if (inbox_.pop(next)) return get_result::got;
    return found == queue::steal_result::lost ? get_result::retry : get_result::empty;
  }

  const unsigned workers_;
  const settings set_;
  mem::memory& memory_;
  const advice private_put_;
  queue::shared_blocks central_;
  parts::per_worker<place> places_;
  queue::inbox inbox_;
};

}  // namespace TEFF_NAMESPACE::pool
