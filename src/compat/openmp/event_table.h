// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The events that are open: README.md, *Events*.
#pragma once

#include "compat/openmp/node.h"

#include <cstddef>
#include <cstdint>

namespace TEFF_NAMESPACE::openmp {

struct dependent;
struct team;

/// What must happen besides a task's end, which is another child of the task's parent. Ownership: the table's while it is open;
/// then of who fulfils it.
struct event {
  node* parent;
  team* of;
  task_function task;            ///< for a sentence alone
  std::uint64_t number = 0;      ///< what the program knows it by
  event* next = nullptr;         ///< in the table; then in the team's list
  dependent* of_task = nullptr;  ///< the task, if others may depend on it
  bool is_told = false;          ///< that nobody has fulfilled it for long; under the table's lock
};

/// All events of the process that nobody has fulfilled, by their numbers. No number comes twice, so that an event which is
/// fulfilled a second time is never taken for another one, and no address, so that what is none is not read.
///
/// Cost: a lock and a constant number of steps, amortised. Space: a pointer for each one that is open at once, none beyond
/// some where none is. Threads: any.
class event_table {
 public:
  /// Effect: the event is open, and has a number. `who`: calls of different threads with different ones seldom meet.
  void add(event& made, unsigned who);
  /// Returns: the event of that number, which is open no more; nullptr if none is open.
  event* take(std::uint64_t number);
  /// Effect: look(event) for each that is open, under a lock that `take` needs.
  template <class Look>
  void for_each(Look look) {
    for (part& each : parts_) {
      const platform::lock_guard guard(each.guard);
      for (std::size_t at = 0; at <= each.mask; ++at) {
        for (event* open = each.first[at]; open != nullptr; open = open->next) look(*open);
      }
    }
  }
  /// Effect: where another thread of the parent process was changing it, its events are forgotten. Pre: in a forked child, which
  /// has one thread.
  void begin_anew();

  /// Whether it may be a number of an event, and is no address.
  static bool is_number(std::uint64_t word) { return word >> serial_and_part_bits == mark; }

 private:
  static constexpr unsigned part_bits = 4, serial_and_part_bits = 48;
  static constexpr std::uint64_t mark = 0x7ef0;  // no address of a program begins so
  static constexpr std::size_t few = 64;

  /// `first`: rows of events, by their serial numbers; `some`, or as many as there are events, and at most twice that.
  struct part {
    platform::lock guard;
    std::uint64_t serial = 0;
    std::size_t open = 0, mask = few - 1;
    event* some[few] = {};
    event** first = some;

    event*& row_of(std::uint64_t number) { return first[(number >> part_bits) & mask]; }
    void grow();
    void shrink();
  };

  part parts_[1 << part_bits];
};

event_table& open_events();

}  // namespace TEFF_NAMESPACE::openmp
