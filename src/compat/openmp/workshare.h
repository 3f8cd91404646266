// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the members of a team share in a loop or in sections.
#pragma once

#include "base/cache_line.h"
#include "compat/openmp/batches.h"
#include "compat/openmp/doacross.h"
#include "compat/openmp/icv.h"
#include "compat/openmp/reductions.h"
#include "platform/platform.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace TEFF_NAMESPACE::openmp {

struct member;

/// A loop, as iterations 0 … count − 1.
struct loop {
  std::uint64_t count = 0;
  std::uint64_t chunk = 1;  ///< 0, for `fixed`: one piece for each member
  std::uint64_t first = 0;  ///< the value of iteration 0, modulo 2^64
  std::uint64_t step = 1;   ///< modulo 2^64
  std::uint64_t end = 0;    ///< the loop's bound, which the last piece is cut to
  schedule kind = schedule::dynamic;
  bool ordered = false;
  bool any_order = false;  ///< a member may get its pieces in any order
  /// Of a doacross loop: how many loops there are, and the iterations of each, the outermost one's first; for who describes it.
  unsigned depth = 0;
  const std::uint64_t* counts = nullptr;
  /// What gcc says of reductions that tasks take part in; nullptr: there are none. For who describes it.
  const std::uintptr_t* reductions = nullptr;
};

/// Returns: the loop from `start` to before `end` in steps of `step`, which is not 0. `up`: whether it goes up; if not, the step
/// is negative, or as much less than 2^64.
template <class Number>
loop loop_of(bool up, Number start, Number end, Number step) {
  loop made;
  made.first = static_cast<std::uint64_t>(start);
  made.end = static_cast<std::uint64_t>(end);
  made.step = static_cast<std::uint64_t>(step);
  if (up) made.count = start < end ? (made.end - made.first - 1) / made.step + 1 : 0;
  else made.count = start > end ? (made.first - made.end - 1) / (0 - made.step) + 1 : 0;
  return made;
}
inline loop loop_of(long start, long end, long step) { return loop_of(step > 0, start, end, step); }

/// One worksharing construct.
///
/// Invariants: whoever comes first describes it, and says `ready`; nothing of the description changes then, but for what a team
/// of one counts.
///
/// Members that are far behind pass by many of which nothing is left: all that they look at then lies in two lines, if the pace
/// is plain.
struct alignas(cache_line_bytes) workshare {
  platform::atomic<workshare*> next{nullptr};  ///< [next] release by who linked it
  enum : std::uint32_t { fresh, described_now, ready, ready_awaited };
  platform::atomic<std::uint32_t> state{fresh};  ///< [ready] release by who described it, acquire by the others
  /// How the next piece is found. plain: in line, as the loop is dynamic, not ordered, and does not run over. batched: of a
  /// dynamic loop in any order, of which members take several chunks at once.
  enum class pace : std::uint8_t { any, plain, plain_alone, batched };
  pace of_pieces = pace::any;
  bool may_run_over = false;  ///< the sum of what members take at once may pass 2^64
  bool is_alone = false;      ///< of a team of one: nobody else takes from it
  std::uint64_t span = 0;     ///< chunk times step: from the value of a piece's first iteration to that of the next one's
  loop what;
  /// Of a dynamic loop that is alone, instead of `taken`, its one member's own: how many iterations are not handed out; and, if
  /// it is plain, with which value they begin.
  std::uint64_t rest = 0, next_value = 0;
  /// Of a loop in batches: how many chunks it has; each member's batch, which is empty when all members have gone on: it stays
  /// for later loops.
  std::uint64_t chunks = 0;
  std::unique_ptr<batch[]> batches;

  /// Effect: is as a new one, but for its link and its batches. Pre: it has nothing of a construct; nobody uses it.
  void become_fresh();
  /// Effect: has nothing of the construct any more. Pre: all members have gone on.
  void give_back() {
    if (memory != nullptr) platform::system_release(memory, 0);
    memory = nullptr;
    dependences.reset();
    copies.reset();
  }

  /// Iterations handed out, by which only numbers go. Of a loop in batches, chunks, without the last one: [batch] release by who
  /// takes more than one, acquire by who finds nothing left.
  alignas(cache_line_bytes) platform::atomic<std::uint64_t> taken{0};
  platform::atomic<std::uint32_t> left{0};      ///< members that went on to the next one
  platform::atomic<bool> last_is_taken{false};  ///< the last chunk, of a loop in batches; only who has it goes by it
  platform::atomic<bool> in_batches{false};     ///< somebody has taken more than one chunk at once. [batch]
  void* memory = nullptr;                       ///< zeros for the program's own use
  shared_copies::handle copies;                 ///< of variables of reductions that tasks take part in
  std::unique_ptr<doacross> dependences;
  /// The iteration up to which `ordered` has come. [turn] release by who had it, acquire by who waits for it.
  alignas(cache_line_bytes) platform::atomic<std::uint64_t> turn{0};
};
static_assert(sizeof(workshare) == 4 * cache_line_bytes);

/// Where members sleep until their turn in an ordered loop has come, or a sink's iteration was posted: those for which one of a
/// few is due.
struct turn_bell {
  platform::atomic<std::uint32_t> rings{0};
  platform::atomic<std::uint32_t> sleepers{0};
};

/// The bells of a team. Those who sleep wait for different iterations, and mostly at different bells: the next one wakes alone.
class turn_bells {
 public:
  /// Errors: std::bad_alloc.
  explicit turn_bells(unsigned members)
      : shift_(63 - static_cast<unsigned>(std::bit_width(members))), bells_(new turn_bell[std::size_t{1} << (64 - shift_)]) {}
  /// A multiplicative hash: pieces of one size, as those that members wait for at a time nearly always are, hardly collide.
  turn_bell& operator[](std::uint64_t iteration) { return bells_[iteration * 0x9e3779b97f4a7c15u >> shift_]; }
  /// Effect: wakes all who sleep. Pre: a fence since what they are woken for was written. [bell]
  void ring_all();

 private:
  const unsigned shift_;
  const std::unique_ptr<turn_bell[]> bells_;
};

/// Where a member is in the row of workshares of its region, and in the one it works at.
struct workshare_position {
  workshare* at = nullptr;
  std::uint64_t trip = 0;          ///< pieces of a `fixed` loop it had
  std::uint64_t from = 0, to = 0;  ///< its piece
  bool has_piece = false;
  batch_taker batches;
};

/// The workshares of a region: linked as the first member comes to them, used again when all have gone on.
class workshare_chain {
 public:
  workshare_chain() = default;
  workshare_chain(const workshare_chain&) = delete;
  workshare_chain& operator=(const workshare_chain&) = delete;
  ~workshare_chain();

  /// Effect: the member goes on to its next workshare. Returns: it. Threads: any member of the team, of `size`.
  workshare& advance(workshare_position& position, unsigned size);
  /// Effect: all are free. Pre: no member uses one.
  void reset();
  /// Effect: forgets the free ones, and who has the lock or one of a batch. Pre: in a child of fork(), of a team of `size`.
  void begin_anew(unsigned size);

 private:
  workshare* make();
  void recycle(workshare* unused);

  platform::atomic<workshare*> first_{nullptr};  ///< [next]
  platform::lock lock_;
  workshare* free_ = nullptr;  // linked by next
  /// The same, of which who makes one takes all. [returned] release by who adds one, acquire by who takes them.
  platform::atomic<workshare*> returned_{nullptr};
};

/// Effect: the share, of a team of `size`, is what the first member that calls this says; `memory_bytes` of zeros come with it.
/// Returns: whether the caller was the first.
bool describe(workshare& share, const loop& what, unsigned size, std::size_t memory_bytes = 0);
/// Effect: waits until somebody described it.
void await_description(workshare& share);

/// Effect: the member takes its next piece of the workshare it is at. Returns: false if there is none.
bool next_piece(member& current);
/// Effect: waits until all iterations before the member's piece are done.
void await_turn(member& current, const wait_place& where);

}  // namespace TEFF_NAMESPACE::openmp
