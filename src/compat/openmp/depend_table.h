// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Who uses which address, among the children of one task: README.md, *Dependences*.
#pragma once

#include "compat/openmp/depend.h"
#include "compat/openmp/depend_record.h"
#include "platform/tuning.h"

#include <cstdint>

namespace TEFF_NAMESPACE::openmp {

/// An array from the system, of which so many are in use.
template <class T>
struct row {
  T* at = nullptr;
  std::uint32_t length = 0, room = 0;
};

/// Puts one behind others. First it collects them: how many there are is then said before the first one knows of it, by a store;
/// of more than a few, which come one after the other, it is said last, by an addition.
class linking {
 public:
  linking(member& by, dependent& made) : later(made), current_(by) {}
  linking(const linking&) = delete;

  dependent& later;
  bool crosses = false;  ///< one of them, or one that shares a gate, has another parent: a taskgroup, or what that is in
  edge* spare = nullptr;

  /// Effect: it will be behind that one, unless that is complete.
  void put_behind(dependent& before);
  /// Whether put_behind was called of none that was not complete.
  bool is_behind_none() const { return collected_ == 0 && earlier_ == 0; }
  /// Effect: it is behind those, and nobody is added. Returns: whether it is ready: they are complete.
  bool arm();

 private:
  edge* next_edge();
  bool link(edge* made);
  void link_collected();

  member& current_;
  edge* all_[tuning::edges_collected.standard];
  unsigned collected_ = 0;
  std::uint32_t earlier_ = 0;  ///< those that it has been put behind
};

/// The children of a task that have dependences. Its own thread alone calls this.
///
/// Space: records of tasks that are complete stay until there are as many more as there were others, and then some; the row of
/// all, 16 bytes for each of the most that there were at once, until the parent ends.
class dependences {
 public:
  dependences(node* its_task, std::uint64_t its_number);
  dependences(const dependences&) = delete;
  dependences& operator=(const dependences&) = delete;

  /// Effect: it is behind those that it depends on, and before those that come later.
  void add(member& current, const dependence_list& list, dependent& made, linking& to);
  /// Effect: it is behind those that it depends on. Post: `made` has the gates that it needs.
  void look(const dependence_list& list, dependent& made, linking& to) const;
  /// Returns: whether somebody that it would depend on is not complete.
  bool has_earlier(const dependence_list& list) const;
  /// Effect: `needed` says which are waited for: the children of `of`, unless it is nullptr, and all before these, or before
  /// `last`; and those that share a gate with one of them.
  void mark(const node* of, const dependent* last);
  /// Effect: the same of those that share a gate with this one.
  void mark_at_gates(dependent& of_these);
  /// Effect: the task ends: its children are on their own.
  void forget(member& current);

  node* const of;
  dependences* below = nullptr;  ///< of a task further down on the thread's stack
  const std::uint64_t number;

 private:
  struct entry {
    void* address;
    dependent* before;  ///< of the group: it is behind this one
    use* group;         ///< those that use it in one way; nullptr: there is no such address
    gate* exclusive;    ///< of a group of mutexinoutset
    std::uint32_t members;
    access how;
  };
  static dependent& task_of(const use& at) { return *at.behind.later; }

  std::uint32_t first_place_of(const void* address) const;
  entry& place_of(void* address) const;
  template <class See>
  static bool see_group(entry& at, See& see);
  template <class See>
  void see_earlier(const dependence_list& list, See see) const;
  void join(member& current, entry& at, dependence_list::item wanted, use& own, linking& to);
  void close_group(member& current, entry& at, access next, linking& to);
  dependent* joint_behind(member& current, const entry& at);
  void enter_gate_of(member& current, entry& at, dependent& made);
  void follow_all(member& current, dependent& made, linking& to, std::uint32_t more);
  void forget_addresses(member& current, std::uint32_t more);
  void leave_gate(member& current, entry& at);
  void mark_awaited();
  void append(dependent& made) { all_.at[all_.length++] = &made; }
  void make_room(member& current, std::uint32_t addresses);
  void collect(member& current, std::uint32_t more);
  void move_entries(std::uint32_t addresses);
  void keep_entries(member& current);

  row<entry> entries_;              ///< open addressing; the room is a power of two
  row<dependent*> all_;             ///< in the order in which they were made
  std::uint32_t until_collection_;  ///< records and addresses
  std::uint32_t since_collection_;  ///< likewise: those that came
  dependent* everything_;           ///< the last one with omp_all_memory
};

}  // namespace TEFF_NAMESPACE::openmp
