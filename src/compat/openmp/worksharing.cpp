// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops in general, sections and ordered.
#include "compat/openmp/worksharing.h"

#include "compat/openmp/refuse.h"

#include <algorithm>

namespace TEFF_NAMESPACE::openmp {

handing_out way_of(long number, long chunk, const char* name) {
  constexpr long monotonic = 0x80000000L, kinds = static_cast<long>(schedule::automatic);
  const long kind = number & ~monotonic;
  if (kind < 0 || kind > kinds) [[unlikely]]
    refuse(
        "%s with the schedule %#lx is not supported by this version of Teff's OpenMP: it knows the schedules 0 to %#lx, "
        "and %#lx added to them",
        name, static_cast<unsigned long>(number), static_cast<unsigned long>(kinds), static_cast<unsigned long>(monotonic));
  return {.kind = kind == kinds ? schedule::runtime : static_cast<schedule>(kind),
          .chunk = chunk,
          .any_order = (number & monotonic) == 0};
}

const loop& hand_out(loop& what, handing_out how, const icvs& under) {
  what.ordered = how.ordered;
  what.kind = how.kind;
  what.any_order = how.any_order && (how.kind != schedule::runtime || !under.monotonic);
  if (how.kind == schedule::runtime) {
    what.kind = under.run_schedule;
    how.chunk = under.run_chunk;
  }
  if (what.kind == schedule::automatic) {
    what.kind = schedule::fixed;
    how.chunk = 0;
  }
  what.chunk = static_cast<std::uint64_t>(std::max<long>(how.chunk, usual_chunk(what.kind)));
  return what;
}

void* come_to_loop(const loop& what, std::size_t memory_bytes) {
  member& current = self();
  workshare& share = current.in.shares.advance(current.shared, current.in.size);
  describe(share, what, current.in.size, memory_bytes);
  return share.memory;
}

void come_to_loop(loop what, std::uintptr_t* reductions, void** memory) {
  what.reductions = reductions;
  void* const zeros = come_to_loop(what, memory != nullptr ? reinterpret_cast<std::size_t>(*memory) : 0);
  if (memory != nullptr) *memory = zeros;
  if (reductions != nullptr) join_reductions(self(), reductions);
}

bool next_of_any_loop(number* from, number* to) {
  member& current = self();
  workshare& share = *current.shared.at;
  if (!next_piece(current)) return false;
  const loop& what = share.what;
  *from = what.first + current.shared.from * what.step;
  *to = current.shared.to == what.count ? what.end : what.first + current.shared.to * what.step;
  return true;
}

namespace {

loop sections_of(unsigned count) {
  loop what;
  what.count = count;
  return what;
}

unsigned next_section() {
  member& current = self();
  if (!next_piece(current)) return 0;
  return static_cast<unsigned>(current.shared.from) + 1;
}

}  // namespace

TEFF_ENTRY unsigned GOMP_sections_start(unsigned count) {
  come_to_loop(sections_of(count), 0);
  return next_section();
}
TEFF_ENTRY unsigned GOMP_sections2_start(unsigned count, std::uintptr_t* reductions, void** memory) {
  come_to_loop(sections_of(count), reductions, memory);
  return next_section();
}
TEFF_ENTRY unsigned GOMP_sections_next() { return next_section(); }
TEFF_ENTRY void GOMP_parallel_sections(task_function function, void* data, unsigned threads, unsigned count, unsigned flags) {
  const loop what = sections_of(count);
  run_region(function, data, threads, flags, &what);
}
TEFF_ENTRY void GOMP_parallel_sections_start(task_function function, void* data, unsigned threads, unsigned count) {
  const loop what = sections_of(count);
  open_region(self(), function, data, threads, &what);
}

TEFF_ENTRY void GOMP_ordered_start() {
  member& current = self();
  const workshare* const share = current.shared.at;
  if (share != nullptr && share->what.ordered && current.shared.has_piece)
    await_turn(current, {__builtin_return_address(0), wait_kind::ordered});
}
/// The turn is passed on with the piece.
TEFF_ENTRY void GOMP_ordered_end() {}

}  // namespace TEFF_NAMESPACE::openmp
