// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "platform/platform.h"
#include "queue/results.h"
#include "queue/ring.h"
#include "queue/split_rules.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace TEFF_NAMESPACE::queue {

/// A worker's tasks, oldest first: a public part, which thieves take from at its old end, and a private one, where the owner
/// pushes and pops. docs/design/default-pool.md says why it is as it is, and proves what its comments name.
///
///   top … split          split … bottom
///   public, in `word_`   private
///
/// Idea: top and split lie in one word, which every change of the public part compares and swaps. The top is a number that only
///   grows, and so does the split while it is the same: no value of the word comes back, and what a thief read before its swap is
///   still so when it succeeds. The owner's push and pop change `bottom_` alone, an address; the split is the lower half of one.
///   Who wants private tasks closes the word (its split is put out of every bottom's reach), so that thieves and the owner's pops
///   keep off, and has every processor pass a fence before it looks at the bottom.
/// Invariants: all tasks lie in one *lap*: their numbers, modulo the size, are those of the slots in which they lie. Where the
///   ring ends they move to its begin, to numbers of the next lap. Only who closed the word writes slots below the split.
/// Threads: the owner's end: one; all others: any. Numbers are modulo 2^32.
/// Cost: push: three stores and a flag load; pop: a store and a load; no read-modify-write, no fence. publish, taking back:
///   one compare-and-swap. Steal: two loads, the slots, one compare-and-swap. force: a lock, a swap, fence_everywhere.
/// Space: a ring, doubled if three quarters of it are in use where a lap ends. Order: LIFO for the owner, FIFO for thieves.
template <class Rules = split_rules>
class alignas(cache_line_bytes) split_deque {
 public:
  /// `shared`: whether there are thieves; without them nothing is ever published. `requests` is not 0 while a worker sleeps or is
  /// about to; it outlives the deque. `bound` is what is_full tells; `first` is the first number. Errors: std::bad_alloc.
  split_deque(bool shared, const platform::atomic<std::uint32_t>& requests, std::uint32_t size,
              std::uint32_t bound = size_at_most, std::uint32_t first = 0)
      : bound_(bound), asked_(shared ? 1 : 0), shared_(shared), ring_(ring::make(size, nullptr)), requests_(&requests) {
    ring* const made = ring_.load(platform::relaxed);  // relaxed: nobody else has it yet
    if (made == nullptr) throw std::bad_alloc();
    begin_lap(*made, first & ~(size - 1));
    limit_ = &(*made)[first];
    // relaxed: nobody else has it yet.
    bottom_.store(limit_, platform::relaxed);
    word_.store(pack(first, place_of(limit_)), platform::relaxed);
  }
  /// One that holds nothing: a push finds it full, and nothing is its newest task. push_slow is not for it.
  split_deque() : bottom_(&nothing_ + 1), bound_(0), shared_(false), word_(place_of(&nothing_ + 1)), requests_(nullptr) {}
  split_deque(const split_deque&) = delete;
  ~split_deque() { ring::release_all(ring_.load(platform::relaxed)); }  // relaxed: its own now

  // --- the owner's end -----------------------------------------------------------------------------------------------------
  [[gnu::always_inline]] pushed push(const task& added) {
    slot* const at = bottom_.load(platform::relaxed);  // relaxed: its own
    if (at >= limit_) [[unlikely]]
      return pushed::full;
    return push_at(at, added);
  }
  /// Effect: as push, of a task whose closure make(room) makes in its slot; not if push would be `full`.
  template <class Make>
  [[gnu::always_inline]] pushed push_made(entry_function entry, Make make) {
    slot* const at = bottom_.load(platform::relaxed);  // relaxed: its own
    if (at >= limit_) [[unlikely]]
      return pushed::full;
    make(at->room);
    return push_at(at, {entry, at->room});
  }
  /// Effect: pushes, also beyond the bound. Returns: `full` if memory is refused.
  pushed push_slow(const task& added);

  /// Returns: false if the private part is empty or closed (then pop_slow). A closure lies in its slot until the next push.
  [[gnu::always_inline]] bool pop(task& taken) {
    slot* const at = bottom_.load(platform::relaxed) - 1;  // relaxed: its own
    if (!lower_to(at, [this](auto address) { return word_.lower_half_is_at_most(address); })) [[unlikely]]
      return raise_above(at);
    at->read(taken);
    return true;
  }

  /// Effect: pops the newest task if it has this argument, which no other task has. Returns: false if not, or if pop would.
  [[gnu::always_inline]] bool pop_if_newest(const void* argument) {
    slot* const at = bottom_.load(platform::relaxed) - 1;  // relaxed: its own
    // One branch for both: docs/design/default-pool.md, "In line". No task has the deque as its argument.
    const auto look = [&](auto address) { return word_.if_lower_half_is_at_most(address, argument, this); };
    return at->argument.holds(const_cast<void*>(lower_to(at, look))) || raise_above(at);
  }

  /// What a push says, for who has popped, or has not pushed for a while.
  [[gnu::always_inline]] bool is_asked() const {
    // [request] The bottom is stored before this look, in the order of the program: who asks and then has this thread pass a
    // fence either sees the task, or this thread sees that it is asked.
    platform::fence_of_compiler();
    return !asked_.holds(0);
  }
  /// For who has seen that it is asked. Returns: whether the owner is to publish. Effect: else it is asked no more.
  bool is_still_wanted();
  /// Effect: counts a task that its creator popped and ran in place.
  [[gnu::always_inline]] void count_joined() { joined_.add(1); }
  std::uint64_t joined() const { return joined_.value(); }
  void clear_joined() { joined_.clear(); }
  [[nodiscard]] bool put_back();  ///< undoes the last pop, if nothing came since. Returns: whether the owner is to publish
  /// Returns: whether there are private tasks, and the owner is to publish. For who has popped in vain, and goes on.
  [[nodiscard]] bool is_wanted_after_all() const { return kept(open_word()) > 0 && look_for_demand() == demand::some; }
  /// Returns: how many tasks there are, as the owner sees it. A stale top only makes it larger. [steal]
  std::uint32_t length() const {
    return (place_of(bottom_.load(platform::relaxed)) - oldest(word_.load(platform::acquire))) / slot_bytes;
  }
  /// Returns: whether there are so many (one fewer if there are no thieves), and the owner is not to publish.
  bool has_unasked(std::uint32_t enough) const;
  /// Whether these are the requests. Else who asks gets nothing private by force.
  bool heeds(const platform::atomic<std::uint32_t>& requests) const { return requests_ == &requests; }

  /// Effect: takes the oldest task, of the public part or, if that is empty, of what it gets from the private one. Returns: false
  /// if there is none, or somebody else is at it. The task is in view of who forces until it is taken. Cost: a compare-and-swap.
  bool take_oldest(task& taken);
  /// Effect: pops, if need be after taking all of the public part back: `reclaimed` says how many that were.
  bool pop_slow(task& taken, std::uint32_t& reclaimed);
  /// Effect: makes the older half of the private part public, or all of it; fewer, if allocate() refuses a closure's block, of at
  /// least sizeof(moved_closure). Returns: how many tasks.
  template <class Allocate>
  std::uint32_t publish(bool all, Allocate allocate);
  std::uint32_t publish(bool all) { return publish(all, &no_block); }
  bool is_in_slot(const task& popped) const;
  /// Whether a popped task's closure lies in its slot; it goes to a block, to outlast the next push, unless that is refused.
  template <class Allocate>
  bool keep(task& popped, Allocate allocate);
  /// Whether there are as many tasks as the bound says. At the bound each push is `full` at first.
  bool is_full() const { return length() >= bound_; }
  /// Effect: takes the newest private task that is wanted; `wanted` may look at what a task's argument points to.
  template <class Predicate>
  bool take_private_if(Predicate wanted, task& taken);

  // --- the thieves' end ------------------------------------------------------------------------------------------------------
  /// Effect: takes up to half of the public part, and at most `count`, the oldest first: one into `first`, the others to the
  /// private end of `receiver`, in their order. `count` says how many. Pre: the caller owns `receiver`.
  steal_result steal(split_deque& receiver, task& first, std::uint32_t& count);
  /// Effect: publishes half of what is private for the owner; `refused`: for want of memory none. Returns: how many. Blocks.
  template <class Allocate>
  std::uint32_t force(Allocate allocate, bool* refused = nullptr);
  std::uint32_t force() { return force(&no_block); }
  /// Effect: its owner looks at the requests, and at the public part, until nothing is wanted. Who requests asks.
  void ask();
  void ask_behind_fence();
  /// Effect: as take_private_if, in the public part.
  template <class Predicate>
  bool take_public_if(Predicate wanted, task& taken);
  /// Effect: as take_public_if, but looks at the oldest and the newest only, and not while somebody else has closed it.
  template <class Predicate>
  bool take_public_end_if(Predicate wanted, task& taken);
  // --- anybody: snapshots ------------------------------------------------------------------------------------------------
  std::uint32_t public_estimate() const;
  /// What a look at a deque shows to who may force. After fence_everywhere: `nothing` was so since, or the owner pops in vain.
  enum class contents : std::uint8_t { nothing, public_tasks, private_tasks, closed };
  contents look() const;

  void name(unsigned number);  ///< in the time account
  /// Most tasks held at once, rounded up to sixteen. Statistics.
  std::uint64_t peak() const { return peak_.value(); }
  std::size_t array_bytes() const { return ring_.load(platform::acquire)->bytes_of_all(); }
  std::uint64_t overflows() const { return overflows_.value(); }
  std::uint64_t lock_waits() const { return closing_.waits(); }
  void reset_statistics();  ///< Pre: nobody uses the deque

 private:
  /// Added to the split of a closed word: no bottom is that near to it. Places of slots are even.
  static constexpr std::uint32_t closed = (Rules::stops_the_owner ? 1u << 30 : 0) + 1;
  static constexpr std::uint32_t size_at_most = (1u << 29) / slot_bytes, peak_step = 16;

  static constexpr std::uint64_t pack(std::uint32_t top, std::uint32_t split) { return std::uint64_t{top} << 32 | split; }
  static constexpr std::uint32_t top_of(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }
  static constexpr place split_of(std::uint64_t word) { return static_cast<place>(word); }
  static constexpr bool is_closed(std::uint64_t word) { return (word & 1) != 0; }
  place place_of_top(std::uint64_t word) const;
  /// How many are public. Who is not the owner knows it only if the word has not changed since.
  std::uint32_t public_in(std::uint64_t open_word) const { return (split_of(open_word) - place_of_top(open_word)) / slot_bytes; }
  bool is_still(std::uint64_t seen) const;
  place oldest(std::uint64_t word) const { return shared_ ? place_of_top(word) : split_of(word); }
  /// How many private tasks there are, at least; below 0 while the owner pops in vain.
  std::int32_t kept(std::uint64_t open_word) const;

  [[gnu::always_inline]] pushed push_at(slot* at, const task& added) {
    at->write(added);
    bool asked = !Rules::pushes_before_it_looks && is_asked();
    bottom_.store(at + 1, platform::release);  // [bottom] release: who forces sees the slots
    if constexpr (Rules::pushes_before_it_looks) asked = is_asked();
    return asked ? pushed::asked : pushed::kept;
  }
  /// Effect: the bottom is at `at`, one below where it was. Returns: what look(address of at) does, which reads the split.
  template <class Look>
  [[gnu::always_inline]] auto lower_to(slot* at, Look look) {
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    const auto too_early = Rules::pops_before_it_looks ? decltype(look(address)){} : look(address);
    // [pop] Before the look at the split, in the order of the program: who closes the word and then has this thread pass a fence
    // either sees the bottom without this task, or this thread sees the word closed.
    bottom_.store(at, platform::release);  // [bottom]: what was pushed below it is still to be seen
    platform::fence_of_compiler();
    return Rules::pops_before_it_looks ? look(address) : too_early;
  }
  /// Effect: undoes lower_to. Returns: false.
  [[gnu::always_inline]] bool raise_above(slot* at) {
    bottom_.store(at + 1, platform::release);  // [bottom]
    return false;
  }
  demand look_for_demand() const;
  std::uint32_t room() const;  ///< how many pushes are quick ones from here on
  std::uint64_t open_word() const;
  void take_over(slot* top, slot* split, slot* to, task& newest);
  std::uint32_t take_along();
  bool make_room(std::uint32_t wanted);
  bool begin_next_lap();
  std::uint32_t move_all(ring& after, bool stays_public);
  ring* ring_for(std::uint32_t held);
  template <class Allocate>
  std::uint32_t move_closures(place first, std::uint32_t count, Allocate allocate);
  template <class Allocate>
  std::uint32_t publish_closures(bool all, Allocate allocate);
  bool has_closures(place first, std::uint32_t count) const;
  static constexpr std::uint32_t part_of(std::int32_t tasks, bool all) {
    return static_cast<std::uint32_t>(all ? tasks : (tasks + 1) / 2);
  }
  void begin_lap(ring& in, std::uint32_t number);
  void set_limit(slot* first, std::ptrdiff_t quick);
  static void* no_block() { return nullptr; }
  std::uint64_t close();

  platform::atomic<slot*> bottom_{nullptr};  ///< behind the newest task; the owner's line, read by who forces
  slot *limit_ = nullptr, *lap_end_ = nullptr;  ///< a push to here or beyond is a slow one; behind the ring's last slot
  const std::uint32_t bound_;
  static inline slot nothing_;
  /// Not 0 from when on private tasks were wanted until the owner has seen that they no longer are. [ask]
  platform::atomic<std::uint32_t> asked_{0};
  platform::statistic joined_, peak_, overflows_;
  const bool shared_;

  /// [publish] release by who publishes, acquire by thieves: they see the slots. [steal] release by thieves, acquire by the owner
  /// before it writes a slot again: they have read it.
  alignas(cache_line_bytes) platform::atomic<std::uint64_t> word_{0};
  /// [ring] release by the owner before it publishes from it, acquire by thieves after they read the word.
  platform::atomic<ring*> ring_{nullptr};
  /// The place that the slot of number 0 would have, were it in the lap. Written while the word is closed. [lap]
  platform::atomic<place> origin_{0};
  const platform::atomic<std::uint32_t>* const requests_;
  mutable platform::lock closing_;  ///< held by who closes the word, changes private slots in the middle, or changes the ring
};

}  // namespace TEFF_NAMESPACE::queue

#include "queue/split_deque_slow.h"
