// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/depend_table.h"

#include "compat/openmp/refuse.h"

#include <algorithm>
#include <functional>
#include <new>
#include <utility>

namespace TEFF_NAMESPACE::openmp {

edge* linking::next_edge() {
  if (spare != nullptr) return std::exchange(spare, nullptr);
  if (later.more == nullptr || later.more->used == more_edges::at_most) {
    void* const memory = current_.memory.take(blocks::class_of(sizeof(more_edges)), sizeof(more_edges));
    if (memory == nullptr) fail("no memory for the dependences of a task");
    auto* const made = ::new (memory) more_edges;
    made->next = later.more;
    made->used = 0;
    later.more = made;
  }
  edge& found = later.more->at[later.more->used++];
  found.later = &later;
  return &found;
}

/// Until it is linked an edge's `next` is the one that it is to be behind.
void linking::put_behind(dependent& before) {
  if (&before == &later || before.is_complete()) return;
  if (collected_ == tuning::edges_collected) link_collected();
  edge* const made = next_edge();
  made->next = reinterpret_cast<edge*>(&before);
  all_[collected_++] = made;
}

/// Returns: whether it is behind that one, which was not complete.
bool linking::link(edge* made) {
  dependent& before = *reinterpret_cast<dependent*>(made->next);
  std::uintptr_t seen = before.later.load(platform::acquire);  // [edge] acquire: it may be complete
  do {
    made->next = reinterpret_cast<edge*>(seen & ~dependent::complete);
    if (seen & dependent::complete) return false;
  } while (!before.later.compare_exchange(seen, reinterpret_cast<std::uintptr_t>(made), platform::acq_rel));  // [edge]
  crosses |= before.parent != later.parent;
  return true;
}

void linking::link_collected() {
  for (unsigned each = 0; each < collected_; ++each) earlier_ += link(all_[each]) ? 1 : 0;
  collected_ = 0;
}

bool linking::arm() {
  if (is_behind_none()) return true;
  if (earlier_ != 0) {
    link_collected();
    const std::uint32_t rest = dependent::not_armed - earlier_;
    return later.before.fetch_sub(rest, platform::acq_rel) == rest;  // [edge]
  }
  later.before.store(collected_, platform::relaxed);  // relaxed: nobody knows of it before the first edge, which releases it
  std::uint32_t missed = 0;
  for (unsigned each = 0; each < collected_; ++each) missed += link(all_[each]) ? 0 : 1;
  return missed != 0 && later.before.fetch_sub(missed, platform::acq_rel) == missed;  // [edge]
}

/// Returns: where the address is looked for first.
std::uint32_t dependences::first_place_of(const void* address) const {
  const std::uint64_t mixed = reinterpret_cast<std::uintptr_t>(address) * 0x9e3779b97f4a7c15;
  return static_cast<std::uint32_t>(mixed >> 32) & (entries_.room - 1);
}

/// Returns: the address's entry, or the free one where it would be.
dependences::entry& dependences::place_of(void* address) const {
  std::uint32_t at = first_place_of(address);
  while (entries_.at[at].group != nullptr && entries_.at[at].address != address) at = (at + 1) & (entries_.room - 1);
  return entries_.at[at];
}

/// Effect: sees the members of a group, until it says that it is enough: then true. Those that are complete leave the group, so
/// that they cost later looks nothing; but for the newest: an entry without a group would be free.
template <class See>
bool dependences::see_group(entry& at, See& see) {
  use** link = &at.group;
  while (use* const member_of = *link) {
    if (link != &at.group && task_of(*member_of).is_complete()) {
      *link = member_of->next;
      --at.members;
      continue;
    }
    if (see(task_of(*member_of))) return true;
    link = &member_of->next;
  }
  return false;
}

/// Effect: sees all that one with this list would depend on, also some that are complete, until it says that it is enough.
template <class See>
void dependences::see_earlier(const dependence_list& list, See see) const {
  if (everything_ != nullptr && see(*everything_)) return;
  for (std::uint32_t number = 0; number < list.size(); ++number) {
    const dependence_list::item wanted = list[number];
    if (wanted.is_all_memory()) {
      for (std::uint32_t each = all_.length; each != 0 && all_.at[each - 1] != everything_; --each)
        if (see(*all_.at[each - 1])) return;
      continue;
    }
    entry& at = place_of(wanted.address);
    if (at.group != nullptr && at.how == wanted.how && wanted.how != access::out) {
      if (at.before != nullptr && see(*at.before)) return;
      continue;
    }
    if (see_group(at, see)) return;
  }
}

bool dependences::has_earlier(const dependence_list& list) const {
  bool found = false;
  see_earlier(list, [&](const dependent& before) { return found = !before.is_complete(); });
  return found;
}

void dependences::look(const dependence_list& list, dependent& made, linking& to) const {
  see_earlier(list, [&](dependent& before) {
    to.put_behind(before);
    return false;
  });
  for (std::uint32_t number = 0; number < list.size(); ++number) {
    const dependence_list::item wanted = list[number];
    if (wanted.how != access::mutexinoutset) continue;
    const entry& at = place_of(wanted.address);
    if (at.group == nullptr || at.exclusive == nullptr) continue;
    at.exclusive->users.fetch_add(1, platform::relaxed);  // the entry is a user, so it is there
    made.gates_begin()[made.gates++] = at.exclusive;
  }
  std::sort(made.gates_begin(), made.gates_begin() + made.gates, std::less<>{});
}

void dependences::add(member& current, const dependence_list& list, dependent& made, linking& to) {
  make_room(current, list.size());
  if (everything_ != nullptr) to.put_behind(*everything_);
  for (std::uint32_t number = 0; number < list.size(); ++number) {
    const dependence_list::item wanted = list[number];
    if (wanted.is_all_memory()) follow_all(current, made, to, list.size());
    else join(current, place_of(wanted.address), wanted, *made.use_at(number), to);
  }
  // In one order for all, so that they do not get in the way of each other.
  std::sort(made.gates_begin(), made.gates_begin() + made.gates, std::less<>{});
  append(made);
}

/// Effect: it is behind all that there are, and they are of no account any more.
/// `more`: there is room for so many addresses.
void dependences::follow_all(member& current, dependent& made, linking& to, std::uint32_t more) {
  for (std::uint32_t each = all_.length; each != 0 && all_.at[each - 1] != everything_; --each) to.put_behind(*all_.at[each - 1]);
  everything_ = &made;
  if (entries_.length != 0) forget_addresses(current, more);
}

void dependences::leave_gate(member& current, entry& at) {
  if (at.exclusive != nullptr) leave_for_ever(current, at.exclusive);
  at.exclusive = nullptr;
}

void dependences::join(member& current, entry& at, dependence_list::item wanted, use& own, linking& to) {
  own.behind.later = &to.later;
  to.spare = to.spare != nullptr ? to.spare : &own.behind;
  if (at.group != nullptr && &task_of(*at.group) == &to.later) {  // it names the address twice: so it is alone with it
    if (at.how == wanted.how || at.how == access::out) return;
    for (const use* each = at.group->next; each != nullptr; each = each->next) to.put_behind(task_of(*each));
    leave_gate(current, at);
    at.group->next = nullptr;
    at.before = nullptr;
    at.members = 1;
    at.how = access::out;
    return;
  }
  if (at.group != nullptr && at.how == wanted.how && wanted.how != access::out) {
    if (at.before != nullptr) to.put_behind(*at.before);
    ++at.members;
  } else {
    if (at.group == nullptr) {
      ++entries_.length;
      at = {
          .address = wanted.address, .before = nullptr, .group = nullptr, .exclusive = nullptr, .members = 0, .how = wanted.how};
    }
    close_group(current, at, wanted.how, to);
  }
  own.next = at.group;
  at.group = &own;
  if (wanted.how != access::mutexinoutset) return;
  enter_gate_of(current, at, to.later);
  // Those before the newest one with this gate have told by then of another parent.
  if (own.next != nullptr) to.crosses |= task_of(*own.next).parent != to.later.parent;
}

/// Effect: the group is over: the next one, of which this is the first, is behind it.
void dependences::close_group(member& current, entry& at, access next, linking& to) {
  leave_gate(current, at);
  dependent* before = nullptr;
  if (next != access::out && at.members > 1) {
    // Else each of the next group would be behind each of this one.
    before = joint_behind(current, at);
    if (before != nullptr) to.put_behind(*before);
  } else {
    for (const use* each = at.group; each != nullptr; each = each->next) to.put_behind(task_of(*each));
    if (at.group != nullptr) before = &task_of(*at.group);
  }
  at.before = next != access::out ? before : nullptr;
  at.group = nullptr;
  at.members = 1;
  at.how = next;
}

/// Returns: one that is complete when all of the group are; nullptr if they are.
dependent* dependences::joint_behind(member& current, const entry& at) {
  dependent* const made = make_dependent(current, 0, 0);
  made->in = number;
  linking to(current, *made);
  for (const use* each = at.group; each != nullptr; each = each->next) to.put_behind(task_of(*each));
  if (to.is_behind_none()) {
    free_dependent(current, made);
    return nullptr;
  }
  append(*made);
  if (to.arm()) complete_dependent(current, made);
  return made;
}

void dependences::enter_gate_of(member& current, entry& at, dependent& made) {
  if (at.exclusive == nullptr) at.exclusive = make_gate(current);
  at.exclusive->users.fetch_add(1, platform::relaxed);  // the entry is a user, so it is there
  made.gates_begin()[made.gates++] = at.exclusive;
}

}  // namespace TEFF_NAMESPACE::openmp
