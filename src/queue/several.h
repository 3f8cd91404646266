// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/assert.h"
#include "base/cache_line.h"
#include "platform/generators.h"
#include "queue/lifo_list.h"
#include "queue/options.h"
#include "queue/results.h"
#include "task/worker.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace TEFF_NAMESPACE::queue {

/// How a worker draws the queue that it uses: its own generator, the C library's with floating point, or the Mersenne Twister
/// with integer or with floating-point arithmetic (Korch & Rauber 2002, §6.3: rq1, rq2, rq3; the paper names none for dq4).
enum class draw { own, c_library, twister_integer, twister_float };

/// What to do when the drawn queue's lock is taken: wait for it, or use another queue and wait only if all are taken.
enum class when_taken { wait, alter };

/// What a worker draws with, if not with its own generator.
template <draw Draw>
struct generator {
  explicit generator(std::uint64_t seed) : drawing(seed) {}
  std::uint32_t below(std::uint32_t bound) {
    if constexpr (Draw == draw::c_library) return drawing.below(bound);
    else if constexpr (Draw == draw::twister_integer) return drawing.below_by_integer(bound);
    else return drawing.below_by_float(bound);
  }
  std::conditional_t<Draw == draw::c_library, platform::c_library_random, platform::mersenne_twister> drawing;
};

/// Several queues that act as one: a task goes into a queue drawn at random; a removal asks all of them in random order.
///
/// Source: Korch & Rauber 2002, §3.2 (rq1, rq2, rq3), §3.5 "randomized local pools" (dq4).
/// Idea: with more queues than workers, two of them seldom meet at one lock.
/// Invariants: each queue's own. An order of visits is drawn step by step as in a shuffle (Fisher and Yates): one number a queue.
/// Cost: push: one number and the queue's lock; pop: one number per queue visited. With when_taken::alter a removal waits for no
///   lock (it answers `lost`), an insertion only if all are taken.
/// Space: with a generator other than the worker's own: per worker two bytes a queue and its state (the twister's: 2.5 KiB).
/// Order: none over the queues; within each its own.
/// Good for: many workers at central queues. Bad for: locality: a worker seldom gets what it put.
/// Considered: a random start and then the next ones: cheaper, but workers then follow one another from queue to queue.
template <class Queue, draw Draw, when_taken Taken>
class alignas(cache_line_bytes) several {
 public:
  static constexpr bool has_opposite_end = Queue::has_opposite_end;
  static constexpr auto uses = joined_names(std::array{"queues"}, Queue::uses);
  static constexpr std::size_t block_bytes() { return Queue::block_bytes(); }

  explicit several(const options& from) {
    for (std::uint32_t made = 0; made < from.queues; ++made) queues_.push_back(std::make_unique<Queue>(from));
    if constexpr (Draw == draw::own) {
      TEFF_REQUIRE(from.queues <= drawn_on_the_stack_at_most, "so many queues need a list of them for each worker");
    } else {
      for (unsigned id = 0; id < from.workers; ++id) shuffles_.push_back(std::make_unique<shuffle>(from.seed + id, from.queues));
    }
  }

  push_result push(worker& current, task added) {
    auto prepared = queues_.front()->prepare(current, added);
    if (!prepared) return push_result::refused;
    if constexpr (Taken == when_taken::alter) {
      std::optional<push_result> done;
      visit(current, [&](Queue& each) { return (done = each.try_insert(prepared)).has_value(); });
      if (done) return *done;
    }
    return drawn(current).insert(prepared);
  }

  /// `lost`: some queue showed tasks that were then gone, or its lock was taken.
  template <end From>
  steal_result pop(worker& current, task& taken) {
    bool lost = false;
    const bool got = visit(current, [&](Queue& each) {
      const steal_result found = pop_one<From>(each, current, taken);
      lost |= found == steal_result::lost;
      return found == steal_result::got;
    });
    return got ? steal_result::got : lost ? steal_result::lost : steal_result::empty;
  }

  template <class Predicate>
  bool take_if(worker& current, Predicate wanted, task& taken) {
    return std::any_of(queues_.begin(), queues_.end(), [&](auto& each) { return each->take_if(current, wanted, taken); });
  }

  /// Effect: moves up to `count` tasks, queue by queue, each into a queue of `receiver` that `current` draws.
  template <end From>
  std::size_t move_to(worker& current, several& receiver, std::size_t count) {
    std::size_t moved = 0;
    visit(current, [&](Queue& each) {
      moved += each.template move_to<From>(current, receiver.drawn(current), count - moved);
      return moved == count;
    });
    return moved;
  }

  /// Effect: the time account calls the queues' locks so, numbered from `label`'s number, or 0, on.
  void name(lock_label label) {
    unsigned number = label.number() == lock_label::no_number ? 0 : label.number() * count();
    for (auto& each : queues_) each->name(lock_label::of(guarded::queue, number++));
  }

  std::size_t length_estimate() const {
    return sum([](const Queue& each) { return each.length_estimate(); });
  }
  /// The sum of each queue's own peak.
  std::uint64_t peak() const {
    return sum([](const Queue& each) { return each.peak(); });
  }
  std::size_t array_bytes() const {
    return sum([](const Queue& each) { return each.array_bytes(); });
  }
  std::uint64_t overflows() const {
    return sum([](const Queue& each) { return each.overflows(); });
  }
  std::uint64_t lock_waits() const {
    return sum([](const Queue& each) { return each.lock_waits(); });
  }
  void reset_statistics() {
    for (auto& each : queues_) each->reset_statistics();
  }

 private:
  static constexpr std::uint32_t drawn_on_the_stack_at_most = 64;

  /// A worker's own: in lines of its own, used by that worker alone.
  struct alignas(cache_line_bytes) shuffle {
    /// Neighbouring seeds are far apart once a generator of another kind has mixed them.
    shuffle(std::uint64_t seed, std::uint32_t queues) : drawing(platform::random(seed).next()), order(queues) {
      std::iota(order.begin(), order.end(), std::uint16_t{0});
    }
    generator<Draw> drawing;
    std::vector<std::uint16_t> order;
  };

  std::uint32_t count() const { return static_cast<std::uint32_t>(queues_.size()); }

  std::uint32_t draw_below(worker& current, std::uint32_t bound) {
    if constexpr (Draw == draw::own) return current.random.below(bound);
    else return shuffles_[current.id]->drawing.below(bound);
  }
  Queue& drawn(worker& current) { return *queues_[draw_below(current, count())]; }

  /// Effect: calls visitor(queue) for the queues in random order until it returns true. Returns: whether it did.
  template <class Visitor>
  bool visit(worker& current, Visitor visitor) {
    if constexpr (Draw == draw::own) {
      std::array<std::uint16_t, drawn_on_the_stack_at_most> order;
      std::iota(order.begin(), order.begin() + count(), std::uint16_t{0});
      return visit_shuffled(current, order.data(), visitor);
    } else {
      return visit_shuffled(current, shuffles_[current.id]->order.data(), visitor);
    }
  }

  template <class Visitor>
  bool visit_shuffled(worker& current, std::uint16_t* order, Visitor& visitor) {
    for (std::uint32_t at = 0; at < count(); ++at) {
      std::swap(order[at], order[at + draw_below(current, count() - at)]);
      if (visitor(*queues_[order[at]])) return true;
    }
    return false;
  }

  template <end From>
  static steal_result pop_one(Queue& from, worker& current, task& taken) {
    if constexpr (Taken == when_taken::alter) return from.template try_pop<From>(current, taken);
    else return from.template pop<From>(current, taken);
  }

  template <class Value>
  std::uint64_t sum(Value value) const {
    return std::accumulate(queues_.begin(), queues_.end(), std::uint64_t{0},
                           [&](std::uint64_t total, const auto& each) { return total + value(*each); });
  }

  std::vector<std::unique_ptr<Queue>> queues_;
  std::vector<std::unique_ptr<shuffle>> shuffles_;
};

}  // namespace TEFF_NAMESPACE::queue
