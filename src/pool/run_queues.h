// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/parts/advise.h"
#include "pool/parts/kept_queues.h"
#include "pool/parts/queue_climb.h"
#include "pool/parts/queue_entry.h"
#include "pool/parts/set_aside.h"
#include "pool/pool.h"
#include "queue/inbox.h"
#include "task/context.h"

#include <new>

namespace TEFF_NAMESPACE::pool {

/// Run queues: one for all workers, one for each, or a tree of them. A task that waits has its place in one, before the ready
/// ones.
///
/// Source: Dandamudi & Cheng 1996, §3 (organisations), §5 (bound per job, blocked queues), Figures 1, 2 (centralised,
///   distributed, hierarchical). Differs: docs/design/run-queues.md says what the paper leaves open, and what is read how.
/// Idea: what comes in goes to the root, or to a leaf in turn (queue_entry.h). A worker takes from its leaf, else from the
///   nearest queue above that has something; of ready tasks a set moves down, a smaller one at each level (queue_climb.h).
/// Invariants: a worker gets only what is on the way from its leaf to the root, and what is on that of a worker that a task keeps
///   waiting (kept_queues.h). A task below the root was moved or assigned there: then a worker below looks before it sleeps, or
///   is woken.
/// Cost: a lock per level up to where something is. Space: the breadth of the task tree. Order: FIFO.
/// Good for: tasks that come from outside, in jobs; studies of who waits where. Bad for: trees of tasks; short tasks.
/// Considered: keeping those that wait in the blocked queues themselves, as published: what makes one go on would need the
///   queue's lock, and a scan passes all that still wait.
template <parts::organisation Shape, class Rules = parts::queue_rules>
class run_queues {
 public:
  static constexpr pool_traits traits{
      .uses = Shape == parts::organisation::hierarchical
                  ? setting_names{"branching", "transfer", "blocking", "entry", "assign", "per_batch", "climb", "access", "delay",
                                  "reading", "wake"}
              : Shape == parts::organisation::distributed ? setting_names{"assign", "access", "delay", "reading", "wake"}
                                                          : setting_names{"access", "delay", "reading", "wake"},
      .task_block_bytes = [](const settings&) { return sizeof(parts::queued_task); },
      .suspends_waiters = true,
  };

  explicit run_queues(const environment& from)
      : set_(from.set),
        queues_(Shape, from.workers, from.set.branching),
        aside_(from.memory, from.workers),
        entry_(queues_, Shape, from.set, parts::access_cost(from.set), from.seed),
        climb_(queues_, from.workers, from.set, parts::access_cost(from.set)),
        kept_(queues_, from.workers) {}

  advice init(worker& first, task ready) { return put(first, ready); }

  advice put(worker& current, task ready) {
    queued_task* const made = aside_.make(current);
    if (made == nullptr) return advice::refused;
    copy_task(ready, made->held);
    const auto [into, was_empty] = [&] {
      const parts::access_time counted(current);
      return entry_.add(climb_.place_of(current), made);
    }();
    // Where only some may take it, whoever has put it may be none of them, and does not look after it.
    const bool is_everybodys = !entry_.is_at_leaf() || queues_.size() == 1;
    return for_those_below(was_empty || !is_everybodys ? advice::wake_one : advice::wake_if_every, into);
  }

  advice inject(std::span<const task> ready) {
    parts::task_chain added;
    if (!make_all(ready, added)) return parts::advise_injection(inbox_.push(ready));
    if (added.count == 0) return advice::wake_none;
    const run_queue& last = entry_.add_from_outside(added);
    return ready.size() > 1 ? advice(advice::wake_all) : for_those_below(advice::wake_one, last);
  }

  get_result get(worker& current, task& next, reach how) {
    if (how == reach::own) return get_result::empty;
    kept_.end(current);
    if (!climb_.sees_something(current)) {
      aside_.place_all(current, queues_.leaf_of(current.id));
      return get_result::of(get_elsewhere(current, next));
    }
    const auto found = look(current);
    const advice advised = climb_.call_others(current, found);
    if (found.found != nullptr) {
      hand_out(current, found.found, next, queues_.leaf_of(current.id), current.here != nullptr);
      return {get_result::got, advised};
    }
    if (found.lost || found.moved) return {get_result::retry, advised};
    return get_result::of(get_elsewhere(current, next));
  }

  template <class Predicate>
  get_result take(worker& current, Predicate wanted, task& taken, reach how) {
    for (run_queue* at = &queues_.leaf_of(current.id); at != nullptr; at = at->parent) {
      if (take_at(*at, current, wanted, taken)) return get_result::got;
    }
    // Children of a task that waits may have been assigned anywhere.
    for (unsigned each = 0; each < queues_.size() && how != reach::own; ++each) {
      if (take_at(queues_[each], current, wanted, taken)) return get_result::got;
    }
    return get_result::of(inbox_.take_if(wanted, taken));
  }

  /// Dynamic: its place is where this worker's next look finds something, else its leaf. A task that was moved to where it began
  /// counts there until it ends or waits: as long as it may keep its worker waiting.
  void blocked(worker& current, started& who) {
    give_part_back(current, who);
    const bool waits_for_place = is_tree && set_.blocking == blocking_policy::dynamic;
    aside_.add(current, who, waits_for_place ? nullptr : &queues_.leaf_of(current.id));
  }

  advice unblocked(worker* current, started& who, task again) {
    auto* entry = static_cast<queued_task*>(who.word);
    if (again.entry == nullptr) {
      if (entry != nullptr) aside_.drop(*entry);
      who.word = nullptr;
      return advice::wake_none;
    }
    if (entry != nullptr) aside_.remove(*entry);
    else if (current == nullptr || (entry = aside_.make_for(*current, who)) == nullptr) return advice::refused;
    platform::touch(&entry->held, sizeof entry->held, platform::to_write);
    copy_task(again, entry->held);
    const bool has_place = entry->place != nullptr;
    run_queue& place = has_place ? *entry->place : queues_.leaf_of(entry->left);
    place.activate(entry);
    if ((!Rules::calls_for_outsiders && current == nullptr) || (!Rules::calls_before_next_look && !has_place))
      return advice::wake_none;
    return for_those_below(advice::wake_one, place);
  }

  /// What is in the queues of a worker that a task keeps is for others, too, until that looks again.
  advice share(worker& current) { return kept_.begin(current) ? advice::wake_all : advice::wake_none; }

  void finished(worker& current, started& who) { give_part_back(current, who); }

  void close(worker& last) { aside_.close(last); }

  pool_statistics statistics() const {
    return {.peak_live_tasks = queues_.sum([](const run_queue& each) { return each.peak(); }),
            .lock_waits = queues_.sum([](const run_queue& each) { return each.lock.waits(); })};
  }
  void reset_statistics() {
    for (unsigned each = 0; each < queues_.size(); ++each) queues_[each].reset_statistics();
  }

 private:
  using run_queue = parts::run_queue;
  using queued_task = parts::queued_task;
  static constexpr bool is_tree = Shape == parts::organisation::hierarchical;

  advice for_those_below(advice::kind what, const run_queue& into) const {
    if (kept_.opens(into)) return advice::wake_all;
    return {what, into.first_worker, into.end_worker};
  }

  auto look(worker& current) {
    const parts::access_time counted(current);
    return climb_.look(current, [&](run_queue& where) { aside_.place_all(current, where); });
  }

  /// Effect: a look where a worker looks last.
  bool get_elsewhere(worker& current, task& next) {
    const auto any = [](const task&) { return true; };
    return kept_.for_each([&](run_queue& at) { return take_at(at, current, any, next); }) || inbox_.pop(next);
  }

  /// Effect: makes entries for all, as one batch if that is bounded; or none. Returns: false if memory is refused.
  bool make_all(std::span<const task> ready, parts::task_chain& made) {
    parts::batch* together = nullptr;
    if (is_tree && set_.per_batch && !entry_.is_at_leaf() && ready.size() > 1) {
      together = parts::batch::make(ready.size(), queues_.size());
      if (together == nullptr) return false;
    }
    for (const task& each : ready) {
      void* const block = platform::system_allocate(sizeof(queued_task));
      if (block == nullptr) {
        while (made.first != nullptr) platform::system_release(std::exchange(made.first, made.first->next), sizeof(queued_task));
        if (together != nullptr) together->release();
        return false;
      }
      platform::touch(block, sizeof(queued_task), platform::to_write);
      auto* const entry = ::new (block) queued_task{.held = each, .of = together};
      entry->of_system = true;
      made.add(entry);
    }
    return true;
  }

  template <class Predicate>
  TEFF_NOT_ANALYSED bool take_at(run_queue& at, worker& current, Predicate wanted, task& taken) {
    if (!at.offers(nullptr)) return false;
    const parts::access_time counted(current);
    auto& place = climb_.place_of(current);
    at.lock.acquire(place);
    queued_task* const found = at.take_if(wanted);
    at.lock.release(place);
    if (found != nullptr) hand_out(current, found, taken, at, false);
    return found != nullptr;
  }

  /// Effect: the task is the worker's; its entry is given back. One that does not begin here runs where another one waits, and
  /// keeps no worker waiting that this one does not.
  void hand_out(worker& current, queued_task* found, task& taken, run_queue& from, bool begins_here) {
    platform::touch(found, sizeof *found, platform::to_read);
    copy_task(found->held, taken);
    if (found->who != nullptr) found->who->word = nullptr;
    if (found->of != nullptr) {
      if (begins_here) current.here->own.word = found->of;
      else found->of->give_part_back(from);
    }
    aside_.release(current, found);
  }

  void give_part_back(worker& current, started& who) {
    if (!is_tree || who.word == nullptr) return;
    static_cast<parts::batch*>(who.word)->give_part_back(queues_.leaf_of(current.id));
    climb_.part_given_back(current);
    who.word = nullptr;
  }

  const settings set_;
  parts::run_queue_tree queues_;
  parts::set_aside aside_;
  parts::queue_entry<Rules> entry_;
  parts::queue_climb<Rules> climb_;
  parts::kept_queues kept_;
  queue::inbox inbox_;  ///< what came from outside while memory was refused, and brought its own
};

using centralised_run_queue = run_queues<parts::organisation::centralised>;
using distributed_run_queues = run_queues<parts::organisation::distributed>;
using hierarchical_run_queues = run_queues<parts::organisation::hierarchical>;

}  // namespace TEFF_NAMESPACE::pool
