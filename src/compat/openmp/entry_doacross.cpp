// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Doacross loops, as gcc calls them: what it passes of each loop is the number of its iterations, and an iteration is told by
/// how many come before it in each.
#include "compat/openmp/doacross.h"
#include "compat/openmp/refuse.h"
#include "compat/openmp/worksharing.h"

#include <cstdarg>

namespace TEFF_NAMESPACE::openmp {

namespace {

loop doacross_of(unsigned depth, const number* counts) {
  loop what = loop_of(true, number{0}, counts[0], number{1});
  static_assert(sizeof(number) == sizeof(std::uint64_t));
  what.counts = reinterpret_cast<const std::uint64_t*>(counts);
  what.depth = depth;
  for (unsigned each = 0; each < depth; ++each) {
    if (counts[each] == 0) what.count = 0;
  }
  if (what.count != 0 && !doacross::has_numbers(what)) [[unlikely]]
    refuse("a doacross loop of %u loops with more than 2^63 iterations is not supported by this version of Teff's OpenMP", depth);
  return what;
}
loop doacross_of(unsigned depth, const long* counts) { return doacross_of(depth, reinterpret_cast<const number*>(counts)); }

template <class Number>
bool start(unsigned depth, const Number* counts, handing_out how, Number* from, Number* to) {
  loop what = doacross_of(depth, counts);
  come_to_loop(hand_out(what, how, icvs_of(self())), 0);
  return next_of_loop(bits_of(from), bits_of(to));
}
template <class Number>
bool start(unsigned depth, const Number* counts, handing_out how, Number* from, Number* to, std::uintptr_t* reductions,
           void** memory) {
  loop what = doacross_of(depth, counts);
  come_to_loop(hand_out(what, how, icvs_of(self())), reductions, memory);
  return next_of_loop(bits_of(from), bits_of(to));
}

/// Returns: the dependences of the member's loop; nullptr if it has none, as in a team of one, or there is no member.
doacross* dependences_of(const member* current) {
  const workshare* const share = current != nullptr ? current->shared.at : nullptr;
  return share != nullptr ? share->dependences.get() : nullptr;
}

template <class Number>
void post(const Number* iteration) {
  member* const current = known_self();
  doacross* const all = dependences_of(current);
  if (all == nullptr) return;
  const auto outer = static_cast<std::uint64_t>(iteration[0]);
  std::uint64_t place = outer;
  for (unsigned each = 1; each < all->depth(); ++each)
    place = place * all->iterations(each) + static_cast<std::uint64_t>(iteration[each]);
  all->post(*current, outer, place);
}

/// Returns: how many iterations of its loop come before an iteration that a sink names; as many as there are, or more, if it lies
/// outside. Where the loop's variable has 8, 16 or 32 bits and no sign gcc adds the distance in that type, without a sign, too: so
/// the number of an earlier iteration is too large by what that type cannot hold. There are no more iterations than that, and no
/// sink of a loop with so few may be so far ahead.
std::uint64_t place_in_loop(std::uint64_t passed, std::uint64_t iterations) {
  if (passed < iterations) return passed;
  for (const unsigned bits : {8u, 16u, 32u}) {
    const std::uint64_t too_much = std::uint64_t{1} << bits;
    if (iterations <= too_much && passed / too_much == 1) return passed - too_much;
  }
  return passed;
}

/// `others`: as many numbers, of 64 bits, as the loop has loops inside.
void await(member& current, doacross* all, std::uint64_t passed, std::va_list others, const void* caller) {
  // What lies outside of the loop is ignored: of numbers without a sign gcc does not see that it does.
  const std::uint64_t outer = place_in_loop(passed, all->iterations(0));
  if (outer >= all->iterations(0)) return;
  std::uint64_t place = outer;
  for (unsigned each = 1; each < all->depth(); ++each) {
    const std::uint64_t inner = place_in_loop(va_arg(others, std::uint64_t), all->iterations(each));
    if (inner >= all->iterations(each)) return;
    place = place * all->iterations(each) + inner;
  }
  all->await(current, outer, place, {caller, wait_kind::sink});
}

}  // namespace

TEFF_ENTRY bool GOMP_loop_doacross_static_start(unsigned depth, long* counts, long chunk, long* from, long* to) {
  return start(depth, counts, {schedule::fixed, chunk}, from, to);
}
TEFF_ENTRY bool GOMP_loop_doacross_dynamic_start(unsigned depth, long* counts, long chunk, long* from, long* to) {
  return start(depth, counts, {schedule::dynamic, chunk}, from, to);
}
TEFF_ENTRY bool GOMP_loop_doacross_guided_start(unsigned depth, long* counts, long chunk, long* from, long* to) {
  return start(depth, counts, {schedule::guided, chunk}, from, to);
}
TEFF_ENTRY bool GOMP_loop_doacross_runtime_start(unsigned depth, long* counts, long* from, long* to) {
  return start(depth, counts, {schedule::runtime}, from, to);
}
TEFF_ENTRY bool GOMP_loop_doacross_start(unsigned depth, long* counts, long kind, long chunk, long* from, long* to,
                                         std::uintptr_t* reductions, void** memory) {
  constexpr const char* name = "GOMP_loop_doacross_start";
  return start(depth, counts, way_of(kind, chunk, name), from, to, reductions, memory);
}

TEFF_ENTRY bool GOMP_loop_ull_doacross_static_start(unsigned depth, number* counts, number chunk, number* from, number* to) {
  return start(depth, counts, {schedule::fixed, chunk_of(chunk)}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_doacross_dynamic_start(unsigned depth, number* counts, number chunk, number* from, number* to) {
  return start(depth, counts, {schedule::dynamic, chunk_of(chunk)}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_doacross_guided_start(unsigned depth, number* counts, number chunk, number* from, number* to) {
  return start(depth, counts, {schedule::guided, chunk_of(chunk)}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_doacross_runtime_start(unsigned depth, number* counts, number* from, number* to) {
  return start(depth, counts, {schedule::runtime}, from, to);
}
TEFF_ENTRY bool GOMP_loop_ull_doacross_start(unsigned depth, number* counts, long kind, number chunk, number* from, number* to,
                                             std::uintptr_t* reductions, void** memory) {
  constexpr const char* name = "GOMP_loop_ull_doacross_start";
  return start(depth, counts, way_of(kind, chunk_of(chunk), name), from, to, reductions, memory);
}

TEFF_ENTRY void GOMP_doacross_post(long* iteration) { post(iteration); }
TEFF_ENTRY void GOMP_doacross_ull_post(number* iteration) { post(iteration); }
TEFF_ENTRY void GOMP_doacross_wait(long outer, ...) {
  member* const current = known_self();
  doacross* const all = dependences_of(current);
  if (all == nullptr) return;
  std::va_list others;
  va_start(others, outer);
  await(*current, all, static_cast<std::uint64_t>(outer), others, __builtin_return_address(0));
  va_end(others);
}
TEFF_ENTRY void GOMP_doacross_ull_wait(number outer, ...) {
  member* const current = known_self();
  doacross* const all = dependences_of(current);
  if (all == nullptr) return;
  std::va_list others;
  va_start(others, outer);
  await(*current, all, outer, others, __builtin_return_address(0));
  va_end(others);
}

}  // namespace TEFF_NAMESPACE::openmp
