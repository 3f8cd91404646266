// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/parts/advise.h"
#include "pool/parts/per_worker.h"
#include "pool/parts/share.h"
#include "pool/parts/victims.h"
#include "pool/pool.h"
#include "queue/inbox.h"
#include "queue/private_blocks.h"
#include "queue/shared_blocks.h"

namespace TEFF_NAMESPACE::pool {

/// A private queue per worker that nobody else touches, and a public one from which others steal whole blocks of tasks.
///
/// Source: Korch & Rauber 2002, §3.5 (private and public queues; greedy and generous owners), Table 2 (dq8).
/// Differs: the paper does not name its strategy. That the private queue is a small array of fixed size (§6.3) speaks for a
/// generous owner,
///   the default here. A greedy one keeps full blocks behind its private one, and publishes the oldest of them whenever it
///   reaches a block's edge and finds its public queue empty. The lists of blocks, single-linked in Table 2, have links both
///   ways: a greedy owner publishes the oldest block.
/// Idea: put and get touch the private block. Only at its edges (once in block-size operations) the owner looks at the public
///   queue: a generous one moves each full block there, a greedy one only while it is empty. With `wake=every-put` a private put
///   advises like any other, as the paper's (§6.3) signals.
/// Invariants: a private block is touched by its owner alone; a block is in one list; public lists are touched under their lock.
/// Cost: within a block: no atomic operation; at its edge, greedy: one load while nobody steals; generous: one lock.
/// Space: as the sum of the workers' serial spaces, rounded up to blocks. Order: LIFO per worker, by blocks.
/// Good for: short tasks in large numbers. Bad for: few long tasks: up to a block of them is out of reach for idle workers.
/// Considered: publishing the newest private block: thieves then get the smallest subtrees and come back sooner.
class private_public {
 public:
  static constexpr pool_traits traits{
      .uses = {"block", "strategy", "steal", "victims", "lock", "wake"},
      .task_block_bytes = [](const settings& set) { return queue::task_block::bytes(set.block); },
  };

  explicit private_public(const environment& from)
      : workers_(from.workers),
        set_(from.set),
        memory_(from.memory),
        victims_(from),
        private_put_(parts::advise_private(from.set)),
        places_(from.workers, from.memory, from.set) {
    for (unsigned id = 0; id < workers_; ++id) places_[id].shared.name(lock_label::of(guarded::queue, id));
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
  get_result take(worker& current, Predicate wanted, task& taken, reach how) {
    place& own = places_[current];
    if (own.kept.take_if(current, wanted, taken) || own.shared.take_if(current, memory_, wanted, taken)) return get_result::got;
    if (how == reach::own) return get_result::empty;
    return get_result::of(inbox_.take_if(wanted, taken) || victims_.for_each(current, [&](unsigned victim) {
      return places_[victim].shared.take_if(current, memory_, wanted, taken);
    }));
  }

  advice share(worker& current) {
    place& own = places_[current];
    return parts::share_blocks(current, own.kept, own.shared);
  }

  pool_statistics statistics() const {
    return {.peak_live_tasks = places_.sum([](const place& own) { return own.peak_blocks.value(); }) * set_.block,
            .lock_waits = places_.sum([](const place& own) { return own.shared.lock_waits(); })};
  }
  void reset_statistics() {
    places_.for_each([](place& own) {
      own.peak_blocks.clear();
      own.shared.reset_statistics();
    });
  }

  void close(worker& last) {
    places_.for_each([&](place& own) { own.kept.close(last); });
  }

 private:
  struct alignas(cache_line_bytes) place {
    place(mem::memory& memory, const settings& set) : kept(memory, set.block), shared(set.lock) {}
    queue::private_blocks kept;       // touched by the owner alone
    platform::statistic peak_blocks;  // written by the owner alone
    queue::shared_blocks shared;      // touched by everybody
  };

  [[gnu::noinline]] advice put_slow(worker& current, place& own, task ready) {
    if (!own.kept.push_slow(current, ready)) return advice::refused;
    note_peak(own);
    if (set_.strategy == sharing::generous || own.shared.length_estimate() == 0) return publish(current, own, private_put_);
    return private_put_;
  }

  static void note_peak(place& own) {
    const std::uint64_t blocks = own.kept.full_blocks() + 1 + own.shared.length_estimate();
    if (blocks > own.peak_blocks.value()) own.peak_blocks.set(blocks);
  }

  [[gnu::noinline]] get_result get_slow(worker& current, place& own, task& next) {
    if (own.kept.pop_slow(current, next)) {
      if (own.shared.length_estimate() > 0 || own.kept.full_blocks() == 0) return get_result::got;
      return {get_result::got, publish(current, own, advice::wake_none)};
    }
    std::uint64_t tasks = 0;
    auto found = take_blocks(current, own, own.shared, 1, next, tasks);
    if (found == queue::steal_result::got) return get_result::got;
    bool lost = found == queue::steal_result::lost;
    if (inbox_.pop(next)) return get_result::got;
    const bool stolen = victims_.for_each(current, [&](unsigned victim) {
      found = steal(current, own, victim, next);
      lost |= found == queue::steal_result::lost;
      return found == queue::steal_result::got;
    });
    if (stolen) return get_result::got;
    return lost ? get_result::retry : get_result::empty;
  }

  /// Effect: makes the oldest full private block public, if there is one; else advises `otherwise`.
  advice publish(worker& current, place& own, advice otherwise) {
    queue::task_block* block = own.kept.remove_oldest_full();
    if (block == nullptr) return otherwise;
    current.count(trace::counter::publications, block->count);
    return parts::advise(own.shared.push(block));
  }

  /// Effect: takes blocks from a shared queue, goes on with the first of them and keeps the others; `tasks` says how many.
  queue::steal_result take_blocks(worker& current, place& own, queue::shared_blocks& from, std::size_t count, task& next,
                                  std::uint64_t& tasks) {
    queue::task_block* first = nullptr;
    const auto found = from.pop(count, first, [&](queue::task_block* further) {
      tasks += further->count;
      own.kept.insert_full(further);
    });
    if (found != queue::steal_result::got) return found;
    tasks += first->count;
    own.kept.pop_from(current, first, next);
    note_peak(own);
    return found;
  }

  queue::steal_result steal(worker& thief, place& own, unsigned victim, task& next) {
    queue::shared_blocks& from = places_[victim].shared;
    std::uint64_t tasks = 0;
    const auto found = take_blocks(thief, own, from, set_.steal.of(from.length_estimate(), workers_), next, tasks);
    parts::count_attempt(thief, found);
    if (found == queue::steal_result::got) victims_.count_steal(thief, victim, tasks);
    return found;
  }

  const unsigned workers_;
  const settings set_;
  mem::memory& memory_;
  const parts::victims victims_;
  const advice private_put_;
  parts::per_worker<place> places_;
  queue::inbox inbox_;
};

}  // namespace TEFF_NAMESPACE::pool
