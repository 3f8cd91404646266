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
#include <utility>

namespace TEFF_NAMESPACE::pool {

/// The default: a deque per worker, whose newer part is its owner's alone, and whose older part others steal from.
///
/// Source: own design, docs/design/default-pool.md. It unites private and public queues (Korch & Rauber 2002, dq8), a public part
///   that grows with demand (Hoffmann & Rauber 2008), and thieves of which one per domain leaves it (Olivier et al. 2012).
/// Idea: put and get touch the private part, and look whether they are asked: by who took the last public task, or is about to
///   sleep. If so, and (a) workers sleep or (b) nothing is public, half of what is private becomes public. (c) Before it sleeps a
///   worker asks all others, and looks at their private parts itself. So none sleeps beside a waiting task.
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
        deques_(from.workers, shared_, sleepers_, tuning::deque_slots, tuning::live_tasks_per_worker),
        gates_(from.places.domains()) {
    for (unsigned id = 0; id < from.workers; ++id) deques_[id].name(id);
    platform::name_line(&sleepers_, "line of the count of sleepers");
  }

  advice init(worker& first, task ready) { return put(first, ready, put_step::beyond); }

  advice put(worker& current, task ready, put_step step = put_step::whole) {
    deque& own = deques_[current];
    queue::pushed found = step == put_step::rest ? queue::pushed::asked : own.push(ready);
    if (found == queue::pushed::full) {
      if (step == put_step::whole && own.is_full()) return advice::full;
      found = own.push_slow(ready);
      if (found == queue::pushed::full) return advice::refused;
    }
    return wake_if(found == queue::pushed::asked && own.is_still_wanted() && publish(current, own));
  }

  advice inject(std::span<const task> ready) { return parts::advise_injection(inbox_.push(ready)); }

  get_result get(worker& current, task& next, reach how) {
    if (how != reach::force && deques_[current].pop(next)) [[likely]]
      return get_result::got;
    if (how == reach::own) return {get_result::empty, wake_if(is_wanted_after_pop(current, deques_[current]))};
    return how == reach::force ? get_by_force(current, next) : get_slow(current, next);
  }

  [[gnu::always_inline]] get_result take(worker& current, auto wanted, task& taken, reach how) {
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
    return deques_[current];
  }

  pool_statistics statistics() const {
    const auto sum = [&](auto of) { return deques_.sum([of](const deque& own) { return (own.*of)(); }); };
    return {sum(&deque::peak), sum(&deque::lock_waits), sum(&deque::array_bytes), sum(&deque::overflows)};
  }
  void reset_statistics() {
    deques_.for_each([](deque& own) { own.reset_statistics(); });
  }

 private:
  static advice wake_if(bool anybody) { return anybody ? advice::wake_one : advice::wake_none; }

  /// What get does when the newest own task is not private.
  [[gnu::noinline]] get_result get_slow(worker& current, task& next) {
    deque& own = deques_[current];
    std::uint32_t reclaimed = 0;
    if (own.pop_slow(next, reclaimed)) {
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
    // Who puts from here on, also who takes no part yet, sees that it is asked, and the request; earlier ones are seen below.
    platform::fence(platform::seq_cst);  // [ask] behind the request
    if (Rules::asks_before_it_looks) deques_.for_each([](deque& each) { each.ask_behind_fence(); });
    if (!platform::fence_everywhere()) return get_result::empty;
    bool saw_some = false, forced = false, left = false;  // left: of what it forced, maybe, as it lost the steal
    const get_result found = steal_from_any(current, next, [&](unsigned victim) {
      left |= std::exchange(forced, false);
      deque& from = deques_[victim];
      const typename deque::contents seen = from.look();
      bool refused = false;  // without memory for their closures, private tasks stay their owner's
      forced = seen == deque::contents::private_tasks && force(current, from, &refused);
      saw_some |= seen != deque::contents::nothing && !refused;
      return seen != deque::contents::nothing;
    });
    left |= forced && !found.has_task();
    // Others were faster, and may have left more than was seen.
    const get_result::kind what = saw_some && !found.has_task() ? get_result::retry : found.what;
    return {what, Rules::tells_of_what_it_forced && left ? advice::wake_one : found.advised};
  }
  /// Effect: shows half of the private tasks for their owner, which in the middle of a push, or behind a pop, finds nothing then
  /// that it could tell of: the caller has to, if it leaves some. Returns: whether there were any.
  bool force(worker& current, deque& from, bool* refused = nullptr) {
    const std::uint32_t given = from.force(blocks_of(current), refused);
    current.count(trace::counter::forced, given);
    return given != 0;
  }

  /// Effect: makes half of the private tasks public. Returns: whether somebody is to be woken.
  bool publish(worker& current, deque& own) {
    current.count(trace::counter::publications, own.publish(publishes_all_, blocks_of(current)));
    // [request] Behind the caller's change of the deque, as in push.
    return sleepers_.load(platform::relaxed) != 0;
  }

  /// Effect: behind a pop in vain, shows what it hid. For a moment the newest was out of sight, too, of who closed the deque, and
  /// saw nothing then. Returns: whether somebody is to be woken.
  bool is_wanted_after_pop(worker& current, deque& own) {
    return Rules::looks_after_a_pop_in_vain && own.is_wanted_after_all() && publish(current, own);
  }

  /// Effect: steals from the first victim that has something and of which `visits(victim)` holds.
  get_result steal_from_any(worker& thief, task& next, auto visits) {
    bool lost = false;
    std::uint32_t count = 0;
    const bool stolen = victims_.for_each(thief, [&](unsigned victim) {
      if (!visits(victim)) return false;
      count = tuning::stolen_at_most;
      const auto found = deques_[victim].steal(deques_[thief], next, count);
      parts::count_attempt(thief, found);
      lost |= found == queue::steal_result::lost;
      if (found == queue::steal_result::got) victims_.count_steal(thief, victim, count);
      return found == queue::steal_result::got;
    });
    if (!stolen) return lost ? get_result::retry : get_result::empty;
    if (count == 1) return get_result::got;
    publish(thief, deques_[thief]);
    return {get_result::got, advice::wake_one};
  }

  /// `shown`: there is something new to see: the rest, if somebody asks, or a task that was put back, as it is not wanted.
  [[gnu::always_inline]] bool take_newest(worker& current, auto wanted, task& taken, bool& shown) {
    deque& own = deques_[current];
    if (!own.pop(taken)) {
      shown = is_wanted_after_pop(current, own);
      return false;
    }
    if (wanted(taken)) {  // only what was taken may be looked into
      shown = own.is_asked() && put(current, {}, put_step::rest) == advice::wake_one;
      return true;
    }
    // Who looked by force meanwhile did not see it.
    shown = own.put_back() && Rules::looks_after_putting_back && publish(current, own);
    return false;
  }

  /// Keeps off the middle of queues.
  [[gnu::noinline]] bool take_at_ends(worker& current, auto wanted, task& taken) {
    return deques_[current].take_public_end_if(wanted, taken) ||
           victims_.for_each(current, [&](unsigned victim) { return deques_[victim].take_public_end_if(wanted, taken); });
  }

  /// The private tasks of others are out of its reach.
  [[gnu::noinline]] bool take_anywhere(worker& current, auto wanted, task& taken, bool own_alone) {
    deque& own = deques_[current];
    if (own.take_private_if(wanted, taken) || own.take_public_if(wanted, taken)) return true;
    return !own_alone && (inbox_.take_if(wanted, taken) || victims_.for_each(current, [&](unsigned victim) {
      return deques_[victim].take_public_if(wanted, taken);
    }));
  }

  /// `shown`: some of what it forced is there for others.
  [[gnu::noinline]] bool take_by_force(worker& current, auto wanted, task& taken, bool& shown) {
    return victims_.for_each(current, [&](unsigned victim) {
      deque& from = deques_[victim];
      bool forced = false;
      while (force(current, from)) forced = true;
      const bool found = from.take_public_if(wanted, taken);
      shown |= Rules::tells_of_what_it_forced && forced && from.look() != deque::contents::nothing;
      return found;
    });
  }

  const bool shared_, publishes_all_;
  platform::atomic<std::uint32_t> always_;  ///< what stands for the sleepers if there is no such number
  const platform::atomic<std::uint32_t>& sleepers_;
  const parts::victims victims_;
  mem::memory& memory_;
  parts::per_worker<deque> deques_;
  parts::per_worker<parts::gate> gates_;
  queue::inbox inbox_;
};

static_assert(task_pool<split_deques<>>);

}  // namespace TEFF_NAMESPACE::pool
