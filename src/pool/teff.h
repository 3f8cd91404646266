// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/tuning.h"
#include "pool/parts/advise.h"
#include "pool/parts/per_worker.h"
#include "pool/parts/split_deques_rules.h"
#include "pool/parts/victims.h"
#include "pool/pool.h"
#include "queue/inbox.h"
#include "queue/lane.h"

#include <cstdint>
#include <type_traits>

namespace TEFF_NAMESPACE::pool {

/// The default: a deque per worker, whose newer part is its owner's alone, and whose older part others steal from.
///
/// Source: own design, docs/design/default-pool.md. It unites private and public queues (Korch & Rauber 2002, dq8), a public part
///   that grows with demand (Hoffmann & Rauber 2008), and thieves of which one per domain leaves it (Olivier et al. 2012).
/// Idea: put and get touch the private part, and look whether they are asked: by who took the last public task, or is about to
///   sleep. (a) If so, and workers sleep, it publishes half of what is private and wakes one. (b) If so, and nothing is
///   public, it publishes half. (c) A worker whose request nobody answered asks all others, and looks at the private parts itself
///   before it sleeps, if any task is alive. So no worker sleeps beside a waiting task.
/// Invariants: split_deque's; whoever makes tasks visible in a deque looks at the number of sleepers afterwards.
/// Cost: put: three stores and a load of a flag; get: a store and two loads; no read-modify-write and no fence. Publishing and
///   taking back: one compare-and-swap, a few per steal. A search: one load per deque. Before a sleep: fence_everywhere.
/// Space: as the sum of the workers' serial spaces, and at most tuning::live_tasks_per_worker waiting tasks for each worker:
///   who puts one more lets it run first (advice::full, worker/loop.h). Order: LIFO per worker; thieves take the oldest.
/// Without fence_everywhere (a kernel without membarrier): every put publishes all, and costs a compare-and-swap and a fence.
/// Good for: everything, tasks of a few nanoseconds included. Bad for: a program that counts on FIFO order.
template <class Rules = split_deques_rules>
class split_deques {
  static constexpr bool is_mutant = !std::is_same_v<Rules, split_deques_rules>;
  using deque = std::conditional_t<is_mutant, queue::split_deque<Rules>, queue::lane>;

 public:
  static constexpr pool_traits traits{.uses = {"victims"},
                                      .returns_fibers = true,
                                      .waits_at_home = true,
                                      .looks_by_force = true,
                                      .workers_come_by_need = true,
                                      .bounded = true};

  explicit split_deques(const environment& from)
      : shared_(from.workers > 1),
        publishes_all_(shared_ && !platform::fence_everywhere()),
        always_(publishes_all_ ? 1 : 0),
        sleepers_(publishes_all_ || !shared_ || from.sleepers == nullptr ? always_ : *from.sleepers),
        victims_(from, parts::far_order::random_start),
        memory_(from.memory),
        places_(from.workers, shared_, sleepers_),
        gates_(from.places.domains()) {
    for (unsigned id = 0; id < from.workers; ++id) places_[id].tasks.name(id);
    platform::name_line(&sleepers_, "line of the count of sleepers");
  }

  advice init(worker& first, task ready) { return put(first, ready, put_step::beyond); }

  advice put(worker& current, task ready, put_step step = put_step::whole) {
    place& own = places_[current];
    queue::pushed found = step == put_step::rest ? queue::pushed::asked : own.tasks.push(ready);
    if (found == queue::pushed::full) {
      if (step == put_step::whole && own.tasks.is_full()) return advice::full;
      found = own.tasks.push_slow(ready);
      if (found == queue::pushed::full) return advice::refused;
    }
    return wake_if(found == queue::pushed::asked && own.tasks.is_still_wanted() && publish(current, own));
  }

  advice inject(std::span<const task> ready) { return parts::advise_injection(inbox_.push(ready)); }

  get_result get(worker& current, task& next, reach how) {
    if (how != reach::force && places_[current].tasks.pop(next)) [[likely]]
      return get_result::got;
    if (how == reach::own) return {get_result::empty, wake_if(is_wanted_after_pop(current, places_[current]))};
    return how == reach::force ? get_by_force(current, next) : get_slow(current, next);
  }

  template <class Predicate>
  [[gnu::always_inline]] get_result take(worker& current, Predicate wanted, task& taken, reach how) {
    bool shown = false;
    if (how != reach::force && take_newest(current, wanted, taken, shown)) [[likely]]
      return {get_result::got, wake_if(shown)};
    const bool found = how == reach::force     ? take_by_force(current, wanted, taken, shown)
                       : how == reach::passing ? take_at_ends(current, wanted, taken)
                                               : take_anywhere(current, wanted, taken, how == reach::own);
    return {found ? get_result::got : get_result::empty, wake_if(shown)};
  }

  /// The owner's end of its tasks, for code that has this pool's path in line.
  queue::lane& lane(const worker& current)
    requires(!is_mutant)
  {
    return places_[current].tasks;
  }

  pool_statistics statistics() const {
    const auto sum = [&](auto of) { return places_.sum([of](const place& own) { return (own.tasks.*of)(); }); };
    return {sum(&deque::peak), sum(&deque::lock_waits), sum(&deque::array_bytes), sum(&deque::overflows)};
  }
  void reset_statistics() {
    places_.for_each([](place& own) { own.tasks.reset_statistics(); });
  }

 private:
  struct alignas(cache_line_bytes) place {
    place(bool shared, const platform::atomic<std::uint32_t>& sleepers)
        : tasks(shared, sleepers, tuning::deque_slots, tuning::live_tasks_per_worker) {}
    deque tasks;
  };
  static advice wake_if(bool anybody) { return anybody ? advice::wake_one : advice::wake_none; }

  /// What get does when the newest own task is not private.
  [[gnu::noinline]] get_result get_slow(worker& current, task& next) {
    place& own = places_[current];
    std::uint32_t reclaimed = 0;
    if (own.tasks.pop_slow(next, reclaimed)) {
      if (reclaimed == 0) return get_result::got;
      current.count(trace::counter::reclaims);
      return {get_result::got, wake_if(reclaimed > 1 && publish(current, own) && Rules::looks_after_taking_back)};
    }
    if (inbox_.pop(next)) return get_result::got;
    parts::crossing<Rules::crosses_alone> right{gates_[victims_.domain_of(current)]};
    bool barred = false;
    const get_result found = steal_from_any(current, next, [&](unsigned victim) {
      const bool may = !victims_.is_far(current, victim) || right.may_cross();
      barred |= !may;
      return may;
    });
    return barred && found == get_result::empty ? get_result::retry : found;
  }

  /// For closures that lie in slots, before their tasks are public.
  auto blocks_of(worker& by) {
    return [&] { return memory_.allocate(by, mem::block_kind::argument); };
  }
  /// (c) Pre: the caller is counted as a sleeper, and get answered `empty` since.
  get_result get_by_force(worker& current, task& next) {
    if (!Rules::serves_by_force || !shared_) return get_result::empty;
    // Who puts from here on, also who takes no part yet, sees that it is asked, and the request; what was put before is below.
    platform::fence(platform::seq_cst);  // [ask] behind the request
    if (Rules::asks_before_it_looks) places_.for_each([](place& each) { each.tasks.ask_behind_fence(); });
    if (!platform::fence_everywhere()) return get_result::empty;
    bool saw_some = false;
    const get_result found = steal_from_any(current, next, [&](unsigned victim) {
      deque& from = places_[victim].tasks;
      const typename deque::contents seen = from.look();
      bool refused = false;  // without memory for their closures, private tasks stay their owner's
      if (seen == deque::contents::private_tasks) current.count(trace::counter::forced, from.force(blocks_of(current), &refused));
      saw_some |= seen != deque::contents::nothing && !refused;
      return seen != deque::contents::nothing;
    });
    // Others were faster, and may have left more than was seen.
    return saw_some && found == get_result::empty ? get_result::retry : found;
  }

  /// Effect: makes half of the private tasks public. Returns: whether somebody is to be woken.
  bool publish(worker& current, place& own) {
    current.count(trace::counter::publications, own.tasks.publish(publishes_all_, blocks_of(current)));
    // [request] Behind the caller's change of the deque, as in push.
    return sleepers_.load(platform::relaxed) != 0;
  }

  /// Effect: behind a pop in vain, shows what it hid. For a moment the newest was out of sight, too, of who closed the deque, and
  /// saw nothing then. Returns: whether somebody is to be woken.
  bool is_wanted_after_pop(worker& current, place& own) {
    return Rules::looks_after_a_pop_in_vain && own.tasks.is_wanted_after_all() && publish(current, own);
  }

  /// Effect: steals from the first victim that has something and of which `visits(victim)` holds.
  template <class Chooser>
  get_result steal_from_any(worker& thief, task& next, Chooser visits) {
    bool lost = false;
    std::uint32_t count = 0;
    const bool stolen = victims_.for_each(thief, [&](unsigned victim) {
      if (!visits(victim)) return false;
      count = tuning::stolen_at_most;
      const auto found = places_[victim].tasks.steal(places_[thief].tasks, next, count);
      parts::count_attempt(thief, found);
      lost |= found == queue::steal_result::lost;
      if (found == queue::steal_result::got) victims_.count_steal(thief, victim, count);
      return found == queue::steal_result::got;
    });
    if (!stolen) return lost ? get_result::retry : get_result::empty;
    if (count == 1) return get_result::got;
    publish(thief, places_[thief]);
    return {get_result::got, advice::wake_one};
  }

  /// `shown`: there is something new to see: the rest, if somebody asks, or a task that was put back, as it is not wanted.
  [[gnu::always_inline]] bool take_newest(worker& current, auto wanted, task& taken, bool& shown) {
    place& own = places_[current];
    if (!own.tasks.pop(taken)) {
      shown = is_wanted_after_pop(current, own);
      return false;
    }
    if (wanted(taken)) {  // only what was taken may be looked into
      shown = own.tasks.is_asked() && put(current, {}, put_step::rest) == advice::wake_one;
      return true;
    }
    // Who looked by force meanwhile did not see it.
    shown = own.tasks.put_back() && Rules::looks_after_putting_back && publish(current, own);
    return false;
  }

  /// Keeps off the middle of queues.
  [[gnu::noinline]] bool take_at_ends(worker& current, auto wanted, task& taken) {
    return places_[current].tasks.take_public_end_if(wanted, taken) ||
           victims_.for_each(current, [&](unsigned victim) { return places_[victim].tasks.take_public_end_if(wanted, taken); });
  }

  /// The private tasks of others are out of its reach.
  [[gnu::noinline]] bool take_anywhere(worker& current, auto wanted, task& taken, bool own_alone) {
    deque& own = places_[current].tasks;
    if (own.take_private_if(wanted, taken) || own.take_public_if(wanted, taken)) return true;
    return !own_alone && (inbox_.take_if(wanted, taken) || victims_.for_each(current, [&](unsigned victim) {
      return places_[victim].tasks.take_public_if(wanted, taken);
    }));
  }

  /// `shown`: what it forced is there for others. Its owner, in the middle of its put, finds nothing that it could show.
  [[gnu::noinline]] bool take_by_force(worker& current, auto wanted, task& taken, bool& shown) {
    return victims_.for_each(current, [&](unsigned victim) {
      deque& from = places_[victim].tasks;
      std::uint32_t forced = 0;
      while (const std::uint32_t given = from.force(blocks_of(current))) forced += given;
      current.count(trace::counter::forced, forced);
      const bool found = from.take_public_if(wanted, taken);
      shown |= Rules::tells_of_what_it_forced && forced != 0 && from.look() != deque::contents::nothing;
      return found;
    });
  }

  const bool shared_, publishes_all_;
  platform::atomic<std::uint32_t> always_;  ///< what stands for the sleepers if there is no such number
  const platform::atomic<std::uint32_t>& sleepers_;
  const parts::victims victims_;
  mem::memory& memory_;
  parts::per_worker<place> places_;
  parts::per_worker<parts::gate> gates_;
  queue::inbox inbox_;
};

static_assert(task_pool<split_deques<>>);

}  // namespace TEFF_NAMESPACE::pool
