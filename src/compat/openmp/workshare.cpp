// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/workshare.h"

#include "compat/openmp/forked.h"
#include "compat/openmp/refuse.h"
#include "compat/openmp/tasks.h"
#include "compat/openmp/timed.h"
#include "compat/openmp/turns.h"
#include "platform/tuning.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

namespace TEFF_NAMESPACE::openmp {

namespace {

/// Returns: whether members take several chunks at once, for which there is memory. Of few, that costs more than it spares.
/// Who leaves a cancelled loop would leave a batch behind.
bool can_be_batched(workshare& share, unsigned size) {
  const loop& what = share.what;
  if (!what.any_order || what.count == 0 || process().cancellation) return false;
  share.chunks = (what.count - 1) / what.chunk + 1;
  if (share.chunks <= std::uint64_t{tuning::chunks_without_batches} * size || share.chunks > batch::chunks_at_most) return false;
  if (share.batches == nullptr) share.batches.reset(new (std::nothrow) batch[size]);
  return share.batches != nullptr;
}

}  // namespace

bool describe(workshare& share, const loop& what, unsigned size, std::size_t memory_bytes) {
  std::uint32_t expected = workshare::fresh;
  // relaxed: a hint, that spares the exchange. Who is alone needs none.
  if (share.state.load(platform::relaxed) != expected ||
      (size > 1 && !share.state.compare_exchange(expected, workshare::described_now, platform::acquire))) {
    await_description(share);
    return false;
  }
  share.what = what;
  share.may_run_over =
      what.chunk > (std::numeric_limits<std::uint64_t>::max() - what.count) / (std::uint64_t{2} * tuning::workers_at_most);
  share.is_alone = size == 1;
  share.span = what.chunk * what.step;
  share.rest = what.count;
  share.next_value = what.first;
  if (what.kind != schedule::dynamic || what.ordered || what.depth != 0) share.of_pieces = workshare::pace::any;
  else if (share.is_alone) share.of_pieces = workshare::pace::plain_alone;
  else if (can_be_batched(share, size)) share.of_pieces = workshare::pace::batched;
  else share.of_pieces = share.may_run_over ? workshare::pace::any : workshare::pace::plain;
  if (what.depth != 0 && what.count != 0 && size > 1 && (share.dependences = doacross::make(what, size)) == nullptr)
    fail("no memory for a worksharing construct");
  if (what.reductions != nullptr) share.copies.reset(shared_copies::make(what.reductions, size));
  if (memory_bytes > 0) {
    share.memory = platform::system_allocate(memory_bytes);
    if (share.memory == nullptr) fail("no memory for a worksharing construct");
    std::memset(share.memory, 0, memory_bytes);
  }
  if (share.is_alone) {
    share.state.store(workshare::ready, platform::relaxed);  // relaxed: nobody else looks
    return true;
  }
  // [ready]
  if (share.state.exchange(workshare::ready, platform::acq_rel) == workshare::ready_awaited) platform::wake_all(share.state);
  return true;
}

void await_description(workshare& share) {
  const auto is_ready = [](std::uint32_t state) { return state == workshare::ready; };
  const member* const self = known_self();
  activity_clock* const clock = self != nullptr ? self->clock : nullptr;
  const timed_wait idle(clock);
  tell_search(clock);
  while (!platform::spin_until_for(share.state, is_ready, tuning::lock_spin_rounds, "the description of a loop")) {
    std::uint32_t expected = workshare::described_now;
    // [ready] acquire in the look that follows.
    share.state.compare_exchange(expected, workshare::ready_awaited, platform::acquire);
    if (self->in.is_left_behind()) end_forked_child();
    const platform::account_scope asleep(account_part::parked);
    platform::park(share.state, workshare::ready_awaited, "the description of a loop");
  }
}

namespace {

/// Effect: takes the next `wanted(rest)` iterations, at least one. Returns: false if there are none.
template <class Wanted>
bool take(workshare& share, workshare_position& position, Wanted wanted) {
  std::uint64_t from = share.taken.load(platform::relaxed);  // only numbers go by it
  for (;;) {
    if (from >= share.what.count) return false;
    const std::uint64_t to = from + std::min(wanted(share.what.count - from), share.what.count - from);
    if (share.is_alone) share.taken.store(to, platform::relaxed);  // relaxed: nobody else looks
    else if (!share.taken.compare_exchange(from, to, platform::relaxed)) continue;
    position.from = from;
    position.to = to;
    return true;
  }
}

/// As take, of a fixed amount. A team of one needs no atomic. Of others, each member takes once in vain; where the sum could run
/// over, it is compared.
bool take_chunk(workshare& share, workshare_position& position) {
  const loop& what = share.what;
  if (share.is_alone) {
    position.from = what.count - share.rest;
    share.rest -= std::min(what.chunk, share.rest);
    position.to = what.count - share.rest;
    return position.from < position.to;
  }
  if (share.may_run_over) [[unlikely]]
    return take(share, position, [&](std::uint64_t) { return what.chunk; });
  const std::uint64_t from = share.taken.fetch_add(what.chunk, platform::relaxed);  // relaxed: only numbers go by it
  if (from >= what.count) return false;
  position.from = from;
  position.to = std::min(from + what.chunk, what.count);
  return true;
}

/// The pieces of a static loop follow from the numbers alone. Who is alone has one, all chunks of it.
bool take_fixed(const loop& what, workshare_position& position, unsigned number, unsigned size) {
  const std::uint64_t trip = position.trip++;
  if (what.chunk == 0 || size == 1) {
    const std::uint64_t part = what.count / size, more = what.count % size;
    position.from = part * number + std::min<std::uint64_t>(number, more);
    position.to = position.from + part + (number < more ? 1 : 0);
    return trip == 0 && position.from < position.to;
  }
  std::uint64_t from = 0;
  if (__builtin_mul_overflow(trip * size + number, what.chunk, &from) || from >= what.count) return false;
  position.from = from;
  position.to = what.chunk > what.count - position.from ? what.count : position.from + what.chunk;
  return true;
}

/// Of a doacross loop it is whole chunks.
std::uint64_t guided_piece(const loop& what, std::uint64_t rest, unsigned size) {
  const std::uint64_t part = std::max(what.chunk, (rest - 1) / size + 1);
  return what.depth == 0 ? part : ((part - 1) / what.chunk + 1) * what.chunk;
}

bool take_piece(workshare& share, member& current) {
  if (share.what.count == 0) return false;
  if (share.of_pieces == workshare::pace::batched) return take_of_batches(current);
  workshare_position& position = current.shared;
  const unsigned size = current.in.size;
  switch (share.what.kind) {
    case schedule::guided:
      return take(share, position, [&](std::uint64_t rest) { return guided_piece(share.what, rest, size); });
    case schedule::fixed:
      return take_fixed(share.what, position, current.id, size);
    default:
      return take_chunk(share, position);
  }
}

/// Effect: the next piece has its turn.
void pass_turn(member& current) {
  await_turn(current, {});
  const std::uint64_t next = current.shared.to;
  current.shared.at->turn.store(next, platform::release);  // [turn]
  if (current.in.size > 1) ring(current.in.bells[next]);
}

}  // namespace

bool next_piece(member& current) {
  workshare& share = *current.shared.at;
  workshare_position& own = current.shared;
  if (own.has_piece && share.what.ordered) pass_turn(current);
  else if (own.has_piece && share.dependences != nullptr) share.dependences->complete_piece(current);
  return own.has_piece = take_piece(share, current);
}

void await_turn(member& current, const wait_place& where) {
  const std::uint64_t from = current.shared.from;
  const auto is_mine = [from](std::uint64_t due) { return due == from; };
  if (is_mine(current.shared.at->turn.load(platform::acquire))) return;  // [turn]: without a look at the bells
  await_word(current, current.shared.at->turn, is_mine, current.in.bells[from], "its turn in an ordered loop", where);
}

}  // namespace TEFF_NAMESPACE::openmp
