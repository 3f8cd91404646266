// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/batches.h"

#include "compat/openmp/forked.h"
#include "compat/openmp/team.h"
#include "platform/foreign.h"
#include "platform/tuning.h"

#include <algorithm>

namespace TEFF_NAMESPACE::openmp {

static_assert(tuning::chunks_per_batch.standard <= batch::amount_at_most);

bool batch::take_shown(std::uint64_t& number) {
  std::uint64_t seen = shown_.load(platform::relaxed);  // relaxed: only numbers go by it
  while ((seen & amount_at_most) != 0) {
    number = seen >> bits_of_amount;
    // The next number, and one less.
    if (shown_.compare_exchange(seen, seen + amount_at_most, platform::relaxed)) return true;  // only numbers go by it
  }
  return false;
}

bool batch::take_slowly(std::uint64_t& number) {
  {
    platform::lock_guard guard(lock_);
    number = next_.load(platform::relaxed);  // under the lock nobody forces, and what is written is seen
    if (number < end_.load(platform::relaxed)) {
      next_.store(number + 1, platform::relaxed);  // its own
      return true;
    }
  }
  return take_shown(number);
}

void batch::fill(std::uint64_t first, std::uint64_t end) {
  next_.store(first, platform::relaxed);  // relaxed: others wait for the store that comes last
  end_.store(end, platform::relaxed);
  shown_.store(first << bits_of_amount, platform::release);  // [batch] the others see the own part by it
}

/// [force] Either the member sees the end that is written here, and comes to the lock; or its number is seen here, which it wrote
/// before it looked at the end. So what lies from that number on it has not taken. The one before that it has, or takes it when
/// the lock is free. Returns: false if the system has no such fence.
bool batch::force() {
  platform::lock_guard guard(lock_);
  const std::uint64_t was_shown = shown_.load(platform::relaxed);  // under the lock
  const std::uint64_t end = end_.load(platform::relaxed);
  const std::uint64_t next = next_.load(platform::relaxed);  // a hint
  if ((was_shown & amount_at_most) != 0 || next >= end) return true;
  shown_.store(being_filled, platform::relaxed);
  end_.store(next, platform::release);  // [batch] who sees it sees before that something is on its way
  const bool passed = platform::fence_everywhere();
  // relaxed: ordered by [force].
  const std::uint64_t first = passed ? std::min(next_.load(platform::relaxed), end) : end;
  end_.store(first, platform::relaxed);  // the member sees it under the lock, or takes nothing
  shown_.store(passed ? first << bits_of_amount | (end - first) : was_shown, platform::release);  // [batch]
  return passed;
}

bool batch::rob(member& robber, std::uint64_t& number) {
  const auto is_filled = [](std::uint64_t seen) { return seen != being_filled; };
  for (;;) {
    const std::uint64_t shown = shown_.load(platform::acquire);  // [batch]
    const std::uint64_t end = end_.load(platform::acquire);      // [batch]
    const bool has_own = next_.load(platform::relaxed) < end;    // a hint, if it is filled or forced meanwhile
    if (shown != shown_.load(platform::acquire)) continue;       // [batch]
    if (!is_filled(shown)) {
      // Its thread is between a few stores: not for long, unless the system has taken the processor from it.
      if (platform::spin_until_for(shown_, is_filled, tuning::lock_spin_rounds, "a batch of chunks")) continue;
      if (robber.in.is_left_behind()) end_forked_child();
      platform::yield_processor();
      continue;
    }
    if (take_shown(number)) return true;
    if (!has_own) return false;
    // Short ones their member has done sooner than somebody takes them from it.
    const auto is_empty = [end](std::uint64_t next) { return next >= end; };
    if (!platform::spin_until_for(next_, is_empty, tuning::patience_with_chunks, "chunks of another member") && !force())
      return false;
  }
}

/// Short ones: more at once. Longer than that, for whatever reason: fewer. Where they are long one by one, a look at the clock
/// for each would be for nothing.
void batch_taker::look() {
  const std::uint64_t now = platform::now_ns();
  if (since_ns != 0) {
    const std::uint64_t each = (now - since_ns) / apart;
    if (each < tuning::batch_ns) {
      amount = std::min<std::uint32_t>(2 * amount, tuning::chunks_per_batch);
      apart = 1;
    } else if (amount == 1) {
      apart = std::min<std::uint32_t>(2 * apart, tuning::looks_at_chunks_apart);
    } else if (each >= tuning::long_batch * std::uint64_t{tuning::batch_ns}) {
      amount = 1;
    }
  }
  since_ns = now;
  to_look = apart;
}

std::uint64_t batch_taker::wanted(std::uint64_t chunks, unsigned members) {
  if (to_look == 0) look();
  --to_look;
  return std::clamp<std::uint64_t>((chunks - taken) / members, 1, amount);
}

namespace {

/// Effect: takes a batch from those that nobody has: the first chunk for now, the others for later. Returns: whether there was
/// one.
bool take_batch(workshare& share, batch& own, batch_taker& how, unsigned members, std::uint64_t& number) {
  const std::uint64_t chunks = share.chunks - 1, wanted = how.wanted(chunks, members);  // without the last one
  if (wanted > 1) {
    // relaxed: who finds nothing left sees both of them by [batch].
    if (!share.in_batches.load(platform::relaxed)) share.in_batches.store(true, platform::relaxed);
    own.begin_to_fill();
  }
  // [batch] release: who adds later, and so gets nothing, sees that this one is being filled; acquire: is the other end.
  number = share.taken.fetch_add(wanted, platform::acq_rel);
  how.taken = std::min(number + wanted, chunks);
  how.is_over = number >= chunks;
  how.holds = number + 1 < how.taken;
  if (wanted > 1) own.fill(number + 1, std::max(number + 1, how.taken));
  return !how.is_over;
}

/// Effect: takes a chunk that another member has taken and not begun. Pre: the loop has no others.
bool rob(workshare& share, batch_taker& how, member& current, std::uint64_t& number) {
  const unsigned members = current.in.size;
  for (; how.robbed + 1 < members; ++how.robbed) {
    if (share.batches[(current.id + 1 + how.robbed) % members].rob(current, number)) return true;
  }
  return false;
}

/// Effect: takes the loop's last chunk. Returns: false if somebody has it.
bool take_last(workshare& share, std::uint64_t& number) {
  number = share.chunks - 1;
  return !share.last_is_taken.exchange(true, platform::relaxed);  // only who has it goes by it
}

/// Who has asked for the last chunk gets nothing more: README.md, *The last chunk*.
bool take_chunk(member& current, std::uint64_t& number) {
  workshare& share = *current.shared.at;
  batch& own = share.batches[current.id];
  batch_taker& how = current.shared.batches;
  if (how.has_asked_for_last) return false;
  if (how.holds && own.take_slowly(number)) return true;
  how.holds = false;
  if (!how.is_over && take_batch(share, own, how, current.in.size, number)) return true;
  // relaxed: seen by [batch].
  if (share.in_batches.load(platform::relaxed) && rob(share, how, current, number)) return true;
  how.has_asked_for_last = true;
  return take_last(share, number);
}

}  // namespace

bool take_of_batches(member& current) {
  std::uint64_t number = 0;
  if (!take_chunk(current, number)) return false;
  workshare_position& position = current.shared;
  const workshare& share = *position.at;
  position.from = number * share.what.chunk;
  position.to = number + 1 == share.chunks ? share.what.count : position.from + share.what.chunk;
  return true;
}

}  // namespace TEFF_NAMESPACE::openmp
