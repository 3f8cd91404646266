// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// README.md, *Tasks that ended before their children*.
#include "compat/openmp/execute.h"
#include "compat/openmp/pin.h"
#include "platform/tuning.h"

namespace TEFF_NAMESPACE::openmp {

namespace {

constexpr std::uint32_t golden_ratio = 0x9e3779b9;

/// Effect: nothing refers to the node any more; nor to those above it of which it was the last.
void dispose(member& current, node* unused) {
  for (;;) {
    node* const parent = unused->parent();
    if (current.in.of_nodes.have_moved()) current.retired.add(current, unused);
    else current.memory.give(unused->size_class, unused);
    if (parent->owner == current.id && !(parent->flags & node::closed)) {
      parent->here += node::one_gone;
      return;
    }
    const unsigned owner = parent->owner;
    const std::uint64_t now = parent->elsewhere.fetch_add(node::one_gone, platform::acq_rel) + node::one_gone;  // [child]
    if (now & node::awaited) current.in.wake(owner);
    if (now >> 32 != 0) return;
    unused = parent;
  }
}

/// Returns: whether it is the turn of one in so many. Adds multiples of the golden ratio: so one in so many, too, of each second
/// one, or third.
bool is_one_in(std::uint32_t& own, unsigned so_many) { return (own += golden_ratio) <= ~std::uint32_t{0} / so_many; }

/// Returns: whether at least so many closed tasks lie above it, one above the other, but for some that are about to end: a thread
/// may have lost its processor in one.
bool is_below_closed(const member& current, const node* lowest, unsigned least) {
  const pin nodes_stay(current);
  unsigned open_at_most = least / tuning::closed_between;
  for (const node* at = lowest->parent(); least != 0; at = at->parent()) {
    if (at->is_closed()) --least;
    else if (at->parent() == nullptr || at->is_group() || open_at_most-- == 0) return false;
  }
  return true;
}

/// Effect: whoever begins a task in the region knows from now on whether there are long rows of closed ones.
void tell_of_long_rows(team& all, bool are_there) {
  std::uint32_t word = all.at_begin.load(platform::relaxed);  // relaxed, both: a hint
  // Where another bit changes meanwhile, the next look says it.
  if (((word & team::long_rows) != 0) != are_there)
    all.at_begin.compare_exchange(word, word ^ team::long_rows, platform::relaxed);
}

}  // namespace

/// The owner is read before the addition, which may be the last that happens to the node. But for an implicit task, which is
/// there as long as the caller has not counted off what it has run: its thread writes next to it all the while
/// (member::implicit).
void child_elsewhere(member& current, node* parent, std::uint64_t what) {
  const bool is_implicit = parent->parent() == nullptr;
  const unsigned owner = is_implicit ? 0 : parent->owner;
  const std::uint64_t now = parent->elsewhere.fetch_add(what, platform::acq_rel) + what;  // [child]
  if (now & node::awaited) current.in.wake(is_implicit ? parent->owner : owner);
  else if (what >= node::one_gone && now >> 32 == 0) dispose(current, parent);
}

namespace {

struct way_up {
  node* outermost;   ///< of the closed ones above a task, or as far up as a look goes
  unsigned between;  ///< closed ones between it and the task
};
/// Pre: the task's parent is closed. What is closed keeps its parent, and is there as long as the task is.
way_up find_outermost(const node* below) {
  way_up found{below->parent(), 0};
  for (; found.between < tuning::closed_between_at_most && found.outermost->parent()->is_closed(); ++found.between)
    found.outermost = found.outermost->parent();
  return found;
}

/// Effect: the node is a child of the outermost one, and counts there. `left` is what is to be counted off of it.
void move_below(member& current, node* moved, node* outermost, std::uint64_t left) {
  node* const parent = moved->parent();
  // relaxed, both: who comes to count off the last one that is counted does so behind what follows.
  outermost->elsewhere.fetch_sub(left, platform::relaxed);
  moved->above.store(outermost, platform::relaxed);
  child_elsewhere(current, parent, left);
}

/// Effect: a task of a long row, which has ended and is about to be closed, becomes a child of one further up. Who comes up from
/// its children may have seen its parent: so what is gone by that is retired.
void move_up(member& current, task_block* ended) {
  if (!is_one_in(current.ended_beside_rows, tuning::closes_per_move) || !ended->parent()->is_closed()) return;
  const way_up found = find_outermost(ended);
  if (found.between == 0 || !current.in.of_nodes.let_move()) return;
  if (found.between >= tuning::closes_per_move) current.short_rows = 0;
  move_below(current, ended, found.outermost, node::one_gone);
}

}  // namespace

void close(member& current, task_block* ended) {
  if (is_one_in(current.closed, tuning::closed_per_look) && is_below_closed(current, ended, tuning::long_row)) {
    tell_of_long_rows(current.in, true);
    current.begun_beside_rows = 0 - golden_ratio;  // the next one that it begins, maybe of this row, looks
  }
  if (current.in.has_long_rows()) [[unlikely]]
    move_up(current, ended);
  const std::uint64_t left = ended->spawned - (ended->here >> 32);
  ended->flags |= node::closed;
  const std::uint64_t before = ended->elsewhere.fetch_sub((left << 32) - node::reparented_at_most, platform::acq_rel);  // [child]
  if (before >> 32 == left) dispose(current, ended);
}

void reparent(member& current, node* begins) {
  if (!is_one_in(current.begun_beside_rows, tuning::begins_per_reparent)) return;
  node* const parent = begins->parent();
  const way_up found = parent->is_closed() ? find_outermost(begins) : way_up{parent, 0};
  if (found.between < tuning::closed_between) {
    if (++current.short_rows % tuning::short_rows_in_a_row == 0) tell_of_long_rows(current.in, false);
    return;
  }
  current.short_rows = 0;
  move_below(current, begins, found.outermost, node::one_ended | node::one_gone);
}

}  // namespace TEFF_NAMESPACE::openmp
