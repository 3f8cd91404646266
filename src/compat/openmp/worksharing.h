// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the functions for loops have in common.
#pragma once

#include "compat/openmp/entry.h"
#include "compat/openmp/workshare.h"

namespace TEFF_NAMESPACE::openmp {

/// What gcc's calls count in, and where they want an iteration's number: this, or `long`, which has the same bits.
using number = unsigned long long;
static_assert(sizeof(number) == sizeof(long));

/// Where the program wants an iteration's number, whichever type it has there: the bits are the same.
inline number* bits_of(long* at) { return reinterpret_cast<number*>(at); }
inline number* bits_of(number* at) { return at; }

/// How a loop is handed out. A chunk below 1 is as the kind has it; `runtime`: as run-sched-var says.
struct handing_out {
  schedule kind;
  long chunk = 0;
  bool ordered = false;
  bool any_order = false;  ///< `runtime`: unless run-sched-var says otherwise
};

/// Returns: the kind that the newer calls write as a number, and whether the order matters, which its top bit says. gcc writes
/// no automatic loop so: that number means `runtime`, in any order. Errors: ends the program, in the name of its function, if it
/// is none of these.
handing_out way_of(long number, long chunk, const char* name);
/// Returns: a chunk as a number with a sign; one that is larger is as good as the largest.
inline long chunk_of(number chunk) {
  constexpr number most = ~number{0} >> 1;
  return static_cast<long>(chunk < most ? chunk : most);
}

/// Effect: the loop is handed out so under the variables of the current task. Returns: it.
const loop& hand_out(loop& what, handing_out how, const icvs& under);

/// Effect: the calling thread comes to its next loop. Returns: the zeros that came with it.
void* come_to_loop(const loop& what, std::size_t memory_bytes);
/// Effect: the same, with what newer calls bring: `memory`, if not null, points to a number of bytes, and then to as many zeros;
/// of `reductions`, if not null, the member has copies in a taskgroup that begins.
void come_to_loop(loop what, std::uintptr_t* reductions, void** memory);
/// Effect: the calling thread gets its next piece. Returns: whether there is one. Never in line: next_of_loop has no frame then.
[[gnu::noinline]] bool next_of_any_loop(number* from, number* to);
/// The same: a plain dynamic loop is in line, and needs no frame; but for the last piece of a team of one, and for what begins a
/// batch. Pre: the thread has begun a loop.
[[gnu::always_inline]] inline bool next_of_loop(number* from, number* to) {
  member& current = *known_self();
  workshare& share = *current.shared.at;
  const std::uint64_t chunk = share.what.chunk, span = share.span;
  if (share.of_pieces == workshare::pace::plain_alone) [[likely]] {
    if (share.rest <= chunk) [[unlikely]]
      return next_of_any_loop(from, to);
    share.rest -= chunk;
    const std::uint64_t first = share.next_value;
    share.next_value = first + span;
    *from = first;
    *to = first + span;
    return true;
  }
  if (share.of_pieces == workshare::pace::batched) {
    std::uint64_t chunks_before = 0;
    if (!share.batches[current.id].take(chunks_before)) [[unlikely]]
      return next_of_any_loop(from, to);
    const std::uint64_t first = share.what.first + chunks_before * span;
    *from = first;
    *to = first + span;  // the last one is in no batch
    return true;
  }
  if (share.of_pieces == workshare::pace::any) return next_of_any_loop(from, to);
  // What is read of the loop is read before the atomic addition: reads behind it wait until it is done.
  const std::uint64_t count = share.what.count, step = share.what.step, first_of_all = share.what.first;
  const std::uint64_t begin = share.taken.fetch_add(chunk, platform::relaxed);
  if (begin >= count) return false;
  const std::uint64_t first = first_of_all + begin * step;
  *from = first;
  *to = begin + chunk >= count ? share.what.end : first + span;
  return true;
}

}  // namespace TEFF_NAMESPACE::openmp
