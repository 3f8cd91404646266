// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the functions for loops have in common.
#pragma once

#include "compat/openmp/entry.h"
#include "compat/openmp/loop.h"

namespace TEFF_NAMESPACE::openmp {

/// How a loop is handed out. A chunk below 1 is as the kind has it; `runtime`: as run-sched-var says.
struct handing_out {
  schedule kind;
  long chunk = 0;
  bool ordered = false;
};

/// Returns: the kind that the newer calls write as a number; its top bit says whether the order matters, which it always
/// keeps. gcc writes no automatic loop so: that number means `runtime`, in any order. Errors: ends the program, in the name of
/// its function, if it is none of these.
schedule kind_of(long number, const char* name);
/// Returns: a chunk as a number with a sign; one that is larger is as good as the largest.
inline long chunk_of(unsigned long long chunk) {
  constexpr unsigned long long most = ~0ull >> 1;
  return static_cast<long>(chunk < most ? chunk : most);
}

/// Returns: the loop, handed out so under the variables of the current task.
loop handed_out(loop what, handing_out how, const icvs& under);

/// Effect: the calling thread comes to its next loop. Returns: the zeros that came with it.
void* come_to_loop(const loop& what, std::size_t memory_bytes);
/// Effect: the same, with what newer calls bring: `memory`, if not null, points to a number of bytes, and then to as many zeros.
/// `reductions` must be null. `name`: the caller's.
void come_to_loop(const loop& what, const void* reductions, void** memory, const char* name);
/// Effect: the calling thread gets its next piece. Returns: whether there is one.
bool next_of_any_loop(std::uint64_t& from, std::uint64_t& to);

/// The same, with `long` or `unsigned long long`, in which programs count.
template <class Number>
[[gnu::noinline]] bool next_of_loop_slowly(Number* from, Number* to) {
  std::uint64_t first, end;
  if (!next_of_any_loop(first, end)) return false;
  *from = static_cast<Number>(first);
  *to = static_cast<Number>(end);
  return true;
}
/// The same: a plain dynamic loop is in line, and needs no frame; but for the last piece of a team of one. Pre: the thread has
/// begun a loop.
template <class Number>
[[gnu::always_inline]] inline bool next_of_loop(Number* from, Number* to) {
  workshare& share = *known_self()->shared.at;
  const std::uint64_t chunk = share.what.chunk, span = share.span;
  if (share.of_pieces == workshare::pace::plain_alone) [[likely]] {
    if (share.rest <= chunk) [[unlikely]]
      return next_of_loop_slowly(from, to);
    share.rest -= chunk;
    const std::uint64_t first = share.next_value;
    share.next_value = first + span;
    *from = static_cast<Number>(first);
    *to = static_cast<Number>(first + span);
    return true;
  }
  if (share.of_pieces == workshare::pace::any) return next_of_loop_slowly(from, to);
  // What is read of the loop is read before the atomic addition: reads behind it wait until it is done.
  const std::uint64_t count = share.what.count, step = share.what.step, first_of_all = share.what.first;
  const std::uint64_t begin = share.taken.fetch_add(chunk, platform::relaxed);
  if (begin >= count) return false;
  const std::uint64_t first = first_of_all + begin * step;
  *from = static_cast<Number>(first);
  *to = static_cast<Number>(begin + chunk >= count ? share.what.end : first + span);
  return true;
}
template <class Number>
bool start_loop(const loop& what, Number* from, Number* to) {
  come_to_loop(what, 0);
  return next_of_loop(from, to);
}

}  // namespace TEFF_NAMESPACE::openmp
