// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The shared queues behind one face, the sequential model of each, and threads whose calls are recorded.
#pragma once

#include "mem/memory.h"
#include "queue/deque_list.h"
#include "queue/inbox.h"
#include "queue/lifo_list.h"
#include "queue/locked.h"
#include "queue/loose_list.h"
#include "queue/noted_stack.h"
#include "queue/shared_blocks.h"
#include "queue/task_locked_list.h"
#include "queue/two_lock_fifo.h"
#include "test/support/linearizability.h"
#include "test/support/workers.h"

#include <atomic>
#include <compare>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace TEFF_NAMESPACE::queue {

using testing_support::call;
using testing_support::crew;
using testing_support::number_of;
using testing_support::numbered;
using testing_support::run_on_each;

/// What a call does; its argument is a task's number. Results: see model.
enum operation : int { push, pop, pop_opposite, pop_two, take };

/// What answers `none`: nothing was there.
constexpr int none = 0, refused = -1, done = 1, first_in = 2;
/// How two numbers are answered: the one that was given first, and a hundred times the other.
constexpr int both(int first, int further) { return first + 100 * further; }

enum class discipline { lifo, fifo };

/// What a queue is, one call at a time: its tasks, the newest last.
template <discipline Discipline, bool TellsFirst>
struct model {
  std::vector<int> tasks;

  bool apply(const call& made) {
    switch (made.what) {
      case push:
        if (made.result == refused) return true;
        tasks.push_back(made.argument);
        return !TellsFirst || made.result == (tasks.size() == 1 ? first_in : done);
      case pop:
        return made.result == remove(Discipline == discipline::lifo);
      case pop_opposite:
        return made.result == remove(Discipline != discipline::lifo);
      case pop_two: {
        const int newest = remove(true);
        return made.result == both(newest, newest == none ? none : remove(true));
      }
      case take:
        return made.result == (std::erase(tasks, made.argument) > 0 ? made.argument : none);
    }
    return false;
  }

  friend auto operator<=>(const model&, const model&) = default;

 private:
  int remove(bool newest) {
    if (tasks.empty()) return none;
    const auto removed = newest ? tasks.end() - 1 : tasks.begin();
    const int number = *removed;
    tasks.erase(removed);
    return number;
  }
};

inline mem::amounts block_sizes() {
  mem::amounts sizes;
  sizes.block_bytes[static_cast<std::size_t>(mem::block_kind::task)] = 64;
  return sizes;
}

/// Workers and the memory of their queue.
struct surroundings {
  explicit surroundings(unsigned workers) : staff(workers), memory(new mem::manager<mem::dlf>(workers, block_sizes())) {}
  crew staff;
  mem::memory memory;
};

inline int answer(push_result found) {
  return found == push_result::refused ? refused : found == push_result::first ? first_in : done;
}

inline auto is_number(int wanted) {
  return [wanted](const task& candidate) { return number_of(candidate) == static_cast<std::uintptr_t>(wanted); };
}

/// Any queue whose nodes come from the workers' memory.
template <class Queue, discipline Discipline, bool HasOppositeEnd, bool TellsFirst>
class list_subject {
 public:
  using model = queue::model<Discipline, TellsFirst>;
  static constexpr bool has_opposite_end = HasOppositeEnd;
  /// Blocks of memory that its first two tasks need.
  static constexpr int blocks_for_two = std::is_same_v<Queue, locked<array_storage>> ? 0 : 2;
  static std::vector<operation> operations() {
    if (HasOppositeEnd) return {push, pop, take, pop_opposite};
    return {push, pop, take};
  }

  list_subject(surroundings& around, platform::lock_kind kind)
      : around_(around),
        tested_({.memory = around.memory, .lock = kind, .capacity = 2, .workers = around.staff.size(), .queues = 2}) {}
  ~list_subject() {
    if constexpr (requires { tested_.close(around_.staff[0]); }) tested_.close(around_.staff[0]);
  }

  int make(unsigned id, const call& wanted) {
    worker& current = around_.staff[id];
    task taken;
    switch (wanted.what) {
      case push:
        return answer(tested_.push(current, numbered(static_cast<std::uintptr_t>(wanted.argument))));
      case pop:
        return answer_pop(tested_.template pop<end::working>(current, taken), taken);
      case pop_opposite:
        if constexpr (HasOppositeEnd) return answer_pop(tested_.template pop<end::opposite>(current, taken), taken);
        break;
      case take:
        return tested_.take_if(current, is_number(wanted.argument), taken) ? static_cast<int>(number_of(taken)) : none;
      default:
        break;
    }
    return none;
  }

  Queue& tested() { return tested_; }
  std::size_t length() const { return tested_.length_estimate(); }

 private:
  static int answer_pop(steal_result found, const task& taken) {
    return found == steal_result::got ? static_cast<int>(number_of(taken)) : none;
  }

  surroundings& around_;
  Queue tested_;
};

/// A stack of which each task, whose number is less than Numbers, is taken by the note of who has put it.
template <std::size_t Numbers>
class noted {
 public:
  using model = queue::model<discipline::lifo, true>;
  static constexpr bool has_opposite_end = false;
  static constexpr int blocks_for_two = 2;
  static std::vector<operation> operations() { return {push, pop, take}; }

  noted(surroundings& around, platform::lock_kind kind)
      : around_(around), notes_(Numbers), tested_({.memory = around.memory, .lock = kind}) {}

  int make(unsigned id, const call& wanted) {
    worker& current = around_.staff[id];
    note& where = notes_.at(static_cast<std::size_t>(wanted.argument)).where;
    task taken;
    if (wanted.what == push)
      return answer(tested_.push(current, numbered(static_cast<std::uintptr_t>(wanted.argument)), &where));
    const bool found = wanted.what == pop ? tested_.pop<end::working>(current, taken) == steal_result::got
                                          : tested_.take_noted(current, where, is_number(wanted.argument), taken);
    return found ? static_cast<int>(number_of(taken)) : none;
  }

  locked<list_storage<noted_stack>>& tested() { return tested_; }
  std::size_t length() const { return tested_.length_estimate(); }

 private:
  struct alignas(cache_line_bytes) entry {
    note where;
  };

  surroundings& around_;
  std::vector<entry> notes_;
  locked<list_storage<noted_stack>> tested_;
};

using locked_stack = list_subject<locked<list_storage<lifo_list>>, discipline::lifo, false, true>;
using locked_deque = list_subject<locked<list_storage<deque_list>>, discipline::lifo, true, true>;
using locked_loose = list_subject<locked<list_storage<loose_list>>, discipline::lifo, true, true>;
/// Arrays of two tasks, so that further ones are linked on.
using locked_array = list_subject<locked<array_storage>, discipline::lifo, false, true>;
using task_locked = list_subject<task_locked_list, discipline::lifo, true, true>;
/// Whether a task was the first is told from counts that the other end may just be changing.
using fifo = list_subject<two_lock_fifo, discipline::fifo, false, false>;

class injected {
 public:
  using model = queue::model<discipline::fifo, false>;
  static std::vector<operation> operations() { return {push, pop, take}; }

  injected(surroundings&, platform::lock_kind) {}

  int make(unsigned, const call& wanted) {
    task taken;
    switch (wanted.what) {
      case push:
        return tested_.push(numbered(static_cast<std::uintptr_t>(wanted.argument))) ? done : refused;
      case pop:
        return tested_.pop(taken) ? static_cast<int>(number_of(taken)) : none;
      default:
        return tested_.take_if(is_number(wanted.argument), taken) ? static_cast<int>(number_of(taken)) : none;
    }
  }

 private:
  inbox tested_;
};

/// Blocks of one task each, so that the order of blocks is the order of tasks.
class blocks {
 public:
  using model = queue::model<discipline::lifo, true>;
  static std::vector<operation> operations() { return {push, pop, take, pop_two}; }

  blocks(surroundings& around, platform::lock_kind kind) : around_(around), tested_(kind) {}
  ~blocks() {
    while (take_blocks(0, 1) != none) {
    }
  }

  int make(unsigned id, const call& wanted) {
    if (wanted.what == pop || wanted.what == pop_two) return take_blocks(id, wanted.what == pop ? 1 : 2);
    if (wanted.what == push) return add_block(id, wanted.argument);
    task taken;
    const bool found = tested_.take_if(around_.staff[id], around_.memory, is_number(wanted.argument), taken);
    return found ? static_cast<int>(number_of(taken)) : none;
  }

  std::size_t length() const { return tested_.length_estimate(); }

 private:
  int add_block(unsigned id, int number) {
    void* memory = around_.memory.allocate(around_.staff[id], mem::block_kind::task);
    if (memory == nullptr) return refused;
    auto* block = ::new (memory) task_block;
    block->slots()[block->count++] = numbered(static_cast<std::uintptr_t>(number));
    return answer(tested_.push(block));
  }

  int take_blocks(unsigned id, std::size_t count) {
    task_block* first = nullptr;
    int further_number = none;
    const auto found = tested_.pop(count, first, [&](task_block* further) { further_number = number_and_end(id, further); });
    return found == steal_result::got ? both(number_and_end(id, first), further_number) : none;
  }

  int number_and_end(unsigned id, task_block* block) {
    EXPECT_EQ(block->count, 1u);
    const auto number = static_cast<int>(number_of(block->newest()));
    around_.memory.release(around_.staff[id], mem::block_kind::task, block);
    return number;
  }

  surroundings& around_;
  shared_blocks tested_;
};

/// Calls of several threads on one queue, recorded.
template <class Subject>
class experiment {
 public:
  using scripts = std::vector<std::vector<call>>;  ///< what each thread calls

  experiment(unsigned threads, platform::lock_kind kind, int tasks_before) : around_(threads), tested_(around_, kind) {
    for (int i = 1; i <= tasks_before; ++i) initial_.apply(made_now(0, {push, i}));
  }

  void run(const scripts& wanted) {
    std::vector<std::vector<call>> seen(wanted.size());
    together(static_cast<unsigned>(wanted.size()), [&](unsigned me) {
      for (const call& each : wanted[me]) seen[me].push_back(made_now(me, each));
    });
    for (const auto& of_one : seen) history_.insert(history_.end(), of_one.begin(), of_one.end());
    drain();
  }

  bool is_explained() const { return testing_support::is_linearizable(history_, initial_); }
  const std::vector<call>& history() const { return history_; }

 private:
  /// In simulation the moment before a call is a shared access, too: a call that has not begun does not overlap others.
  call made_now(unsigned id, call made) {
    point_.load(platform::relaxed);
    // Relaxed: no edge here may hide a missing one of the queue from the thread sanitizer. On x86-64 it is a full barrier.
    made.begin = clock_.fetch_add(1, std::memory_order_relaxed);
    made.result = tested_.make(id, made);
    made.end = clock_.fetch_add(1, std::memory_order_relaxed);
    return made;
  }

  /// What is left is part of the history: a lost or doubled task shows. A queue whose links make a ring ends, too.
  void drain() {
    constexpr std::size_t calls_at_most = 40;
    do history_.push_back(made_now(0, {pop}));
    while (history_.back().result != none && history_.size() < calls_at_most);
  }

  /// Natively all begin at once, each on a thread that has its processor, which the caller's thread has not; in simulation when
  /// they do is the schedule's matter.
  void together(unsigned threads, const std::function<void(unsigned)>& work) {
#ifdef TEFF_SIMULATED
    run_on_each(threads, work);
#else
    run_on_each(threads + 1, [&](unsigned me) {
      if (me == 0) return;
      arrive(threads);
      work(me - 1);
    });
#endif
  }

  /// Spinning is long enough for a thread that is just being made, and gives the processor away to one that has none. Whoever
  /// comes back from that is late: so they meet twice.
  void arrive(unsigned threads) {
    constexpr int rounds_alone = 2'000;
    for (const unsigned meeting : {threads, 2 * threads}) {
      arrived_.fetch_add(1);
      for (int round = 0; arrived_.load() < meeting; ++round) {
        if (round < rounds_alone) {
          platform::pause();
        } else {
          std::this_thread::yield();
        }
      }
    }
  }

  surroundings around_;
  Subject tested_;
  typename Subject::model initial_;
  alignas(cache_line_bytes) platform::atomic<std::uint32_t> point_{0};
  alignas(cache_line_bytes) std::atomic<std::uint32_t> clock_{0};
  std::atomic<unsigned> arrived_{0};
  std::vector<call> history_;
};

inline std::string text_of(const std::vector<call>& history) {
  std::ostringstream text;
  text << "what(argument) = result, with 0 push, 1 pop, 2 pop_opposite, 3 pop_two, 4 take:\n";
  for (const call& each : history) text << "  " << each << '\n';
  return text.str();
}

}  // namespace TEFF_NAMESPACE::queue
