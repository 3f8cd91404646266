// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "platform/platform.h"
#include "queue/results.h"
#include "queue/ring.h"

#include <cstddef>
#include <cstdint>

namespace TEFF_NAMESPACE::queue {

/// Steps that tests leave out to show that they are needed.
struct split_rules {
  /// A push that finds the public part empty says so.
  static constexpr bool notices_an_empty_public_part = true;
  /// A push looks at the requests.
  static constexpr bool notices_requests = true;
  /// A push stores the bottom before it looks at the requests.
  static constexpr bool pushes_before_it_looks = true;
  /// A pop takes its index down before it looks at the split.
  static constexpr bool pops_before_it_looks = true;
  /// Thieves take by compare-and-swap, and the owner its public part back, to where no index was used before.
  static constexpr bool steals_by_comparison = true;
  static constexpr bool takes_back_by_comparison = true;
  static constexpr bool takes_back_upwards = true;
  /// Who forces looks at the bottom when the owner can no longer miss that the word is closed.
  static constexpr bool looks_when_closed = true;
};

/// What a push found.
enum class pushed : std::uint8_t {
  kept,
  wanted,  ///< pushed; the owner is to publish: the public part is empty, or a request stands
  full,    ///< not pushed: push_slow
};

/// A worker's tasks, oldest first: a public part, which thieves take from at its old end, and a private one, where the owner
/// pushes and pops. docs/design/default-pool.md says why it is as it is, and proves what its comments name.
///
///   index:  top … split          split … bottom
///           public, in `word_`   private
///
/// Idea: top and split lie in one word, which every change of the public part compares and swaps. Both only grow, so no value
///   of the word comes back: what a thief read before its swap is still so when it succeeds. The owner's push and pop change
///   `bottom_` alone. Who wants private tasks closes the word (its split is put out of every index's reach), so that thieves and
///   the owner's pops keep off, and has every processor pass a fence before it looks at the bottom.
/// Invariants: bottom − top ≤ size; slots of indices below split are written by nobody, but by who has closed the word.
/// Threads: the owner's end: one; all others: any. Indices are numbers modulo 2^32.
/// Cost: push: three stores and two flag loads; pop: a store and a load; no read-modify-write, no fence. publish, taking back:
///   one compare-and-swap. Steal: two loads, the slots, one compare-and-swap. force: a lock, a swap, fence_everywhere.
/// Space: a ring, doubled when it is full. Order: LIFO for the owner, FIFO for thieves.
template <class Rules = split_rules>
class alignas(cache_line_bytes) split_deque {
 public:
  /// `shared`: whether there are thieves; without them nothing is ever published. `requests` is not 0 while a worker sleeps or is
  /// about to; it outlives the deque. `bound` is what is_full tells; `first` is the first index. Errors: std::bad_alloc.
  split_deque(bool shared, const platform::atomic<std::uint32_t>& requests, std::uint32_t size,
              std::uint32_t bound = size_at_most, std::uint32_t first = 0)
      : bottom_(first),
        requests_(&requests),
        bound_(bound),
        shared_(shared),
        word_(pack(first - (shared ? 0 : 1), first)),
        ring_(ring::make(size, nullptr)) {
    ring* const made = ring_.load(platform::relaxed);  // relaxed: nobody else has it yet
    if (made == nullptr) throw std::bad_alloc();
    slots_ = made->slots();
    mask_ = made->mask();
    limit_ = first;
  }
  /// One that holds nothing: a push finds it full, and nothing is its newest task. push_slow is not for it.
  split_deque() : slots_(&nothing_), mask_(0), requests_(nullptr), bound_(0), shared_(false) {}
  split_deque(const split_deque&) = delete;
  split_deque& operator=(const split_deque&) = delete;
  ~split_deque() { ring::release_all(ring_.load(platform::relaxed)); }  // relaxed: its own now

  // --- the owner's end -----------------------------------------------------------------------------------------------------

  [[gnu::always_inline]] pushed push(const task& added) {
    const std::uint32_t at = bottom_.load(platform::relaxed);  // relaxed: its own
    if (static_cast<std::int32_t>(at - limit_) >= 0) [[unlikely]]
      return pushed::full;
    return push_at(at, added);
  }
  /// Effect: pushes, also beyond the bound. Returns: `full` if memory is refused.
  pushed push_slow(const task& added) { return make_room() ? push_at(bottom_.load(platform::relaxed), added) : pushed::full; }

  /// Returns: false if the private part is empty or closed (then pop_slow).
  [[gnu::always_inline]] bool pop(task& taken) {
    const std::uint32_t at = bottom_.load(platform::relaxed) - 1;  // relaxed: its own
    if (!take_down(at)) [[unlikely]]
      return false;
    slots_[at & mask_].read(taken);
    return true;
  }

  /// Effect: pops the newest task if it has this argument, which no other task has. Returns: false if not, or if pop would.
  [[gnu::always_inline]] bool pop_if_newest(const void* argument) {
    const std::uint32_t at = bottom_.load(platform::relaxed) - 1;  // relaxed: its own
    // If the private part is empty, this is an old task of whoever, and the look at the split says so.
    if (slots_[at & mask_].argument.load(platform::relaxed) != argument) [[unlikely]]
      return false;
    return take_down(at);
  }

  /// Effect: counts a task that its creator popped and ran in place.
  [[gnu::always_inline]] void count_joined() { joined_.add(1); }
  std::uint64_t joined() const { return joined_.value(); }
  void clear_joined() { joined_.clear(); }

  /// Effect: undoes the last pop. Pre: nothing was pushed or popped since. Returns: whether the owner is to publish.
  [[nodiscard]] bool put_back() {
    bottom_.store(bottom_.load(platform::relaxed) + 1, platform::release);  // [bottom]
    return is_wanted();
  }
  /// Returns: whether there are private tasks, and the owner is to publish. For who has popped in vain, and goes on.
  [[nodiscard]] bool is_wanted_after_all() const { return kept(open_word()) > 0 && is_wanted(); }

  /// Returns: how many tasks there are, as the owner sees it. A stale top only makes it larger. [steal]
  std::uint32_t length() const { return bottom_.load(platform::relaxed) - oldest(word_.load(platform::acquire)); }

  /// Returns: whether there are so many (one fewer if there are no thieves), and the owner is not to publish.
  bool has_unasked(std::uint32_t enough) const;

  /// Effect: takes the oldest task, of the public part or, if that is empty, of what it gets from the private one. Returns: false
  /// if there is none, or somebody else is at it. The task is in view of who forces until it is taken.
  bool take_oldest(task& taken);
  /// Effect: pops, if need be after taking all of the public part back: `reclaimed` says how many that were.
  bool pop_slow(task& taken, std::uint32_t& reclaimed);
  /// Effect: makes the older half of the private part public, or all of it. Returns: how many tasks.
  std::uint32_t publish(bool all);
  /// Whether there are as many tasks as the bound says. At the bound each push is `full` at first.
  bool is_full() const { return length() >= bound_; }
  /// Effect: takes the newest private task that is wanted; `wanted` may look at what a task's argument points to.
  template <class Predicate>
  bool take_private_if(Predicate wanted, task& taken);

  // --- the thieves' end ------------------------------------------------------------------------------------------------------

  /// Effect: takes up to half of the public part, and at most `count`, the oldest first: one into `first`, the others to the
  /// private end of `receiver`, in their order. `count` says how many. Pre: the caller owns `receiver`.
  steal_result steal(split_deque& receiver, task& first, std::uint32_t& count);
  /// Effect: makes half of the private part public on behalf of the owner. Returns: how many tasks. Blocks: for others who do so.
  std::uint32_t force();
  /// Effect: as take_private_if, in the public part.
  template <class Predicate>
  bool take_public_if(Predicate wanted, task& taken);
  /// Effect: as take_public_if, but looks at the oldest and the newest only, and not while somebody else has closed it.
  template <class Predicate>
  bool take_public_end_if(Predicate wanted, task& taken);

  // --- anybody: snapshots ------------------------------------------------------------------------------------------------

  std::uint32_t public_estimate() const {
    const std::uint64_t seen = word_.load(platform::acquire);  // acquire: [publish]
    return is_closed(seen) ? 0 : split_of(seen) - top_of(seen);
  }
  /// What a look at a deque shows to who may force. After fence_everywhere: `nothing` was so since, or the owner pops in vain.
  enum class contents : std::uint8_t { nothing, public_tasks, private_tasks, closed };
  contents look() const;

  void name(unsigned number);  ///< in the time account
  /// Most tasks held at once, rounded up to sixteen. Statistics.
  std::uint64_t peak() const { return peak_.value(); }
  std::size_t array_bytes() const { return ring_.load(platform::acquire)->bytes_of_all(); }
  std::uint64_t overflows() const { return overflows_.value(); }
  std::uint64_t lock_waits() const { return closing_.waits(); }
  /// Pre: nobody uses the deque.
  void reset_statistics() {
    peak_.set(0);
    limit_ = bottom_.load(platform::relaxed);  // the next push counts anew
    closing_.reset_waits();
  }

 private:
  /// Added to the split of a closed word: no bottom and no top is that near to it.
  static constexpr std::uint32_t closed = std::uint32_t{1} << 30;
  static constexpr std::uint32_t size_at_most = std::uint32_t{1} << 28;
  static constexpr std::uint32_t peak_step = 16;

  static constexpr std::uint64_t pack(std::uint32_t top, std::uint32_t split) { return std::uint64_t{top} << 32 | split; }
  static constexpr std::uint32_t top_of(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }
  static constexpr std::uint32_t split_of(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
  static constexpr bool is_closed(std::uint64_t word) { return split_of(word) - top_of(word) >= closed; }
  std::uint32_t oldest(std::uint64_t word) const { return shared_ ? top_of(word) : split_of(word); }
  /// How many private tasks there are; −1 while the owner pops in vain.
  std::int32_t kept(std::uint64_t open_word) const;

  [[gnu::always_inline]] pushed push_at(std::uint32_t at, const task& added) {
    slots_[at & mask_].write(added);
    bool wanted = !Rules::pushes_before_it_looks && is_wanted();
    bottom_.store(at + 1, platform::release);  // [bottom] release: who forces sees the slots
    if constexpr (Rules::pushes_before_it_looks) wanted = is_wanted();
    return wanted ? pushed::wanted : pushed::kept;
  }
  /// Effect: the bottom is at `at`, one below where it was. Returns: false, and leaves it, if that is not private.
  [[gnu::always_inline]] bool take_down(std::uint32_t at) {
    std::uint32_t split = 0;
    if constexpr (!Rules::pops_before_it_looks) split = split_of(word_.load(platform::relaxed));
    // [pop] Before the look at the split, in the order of the program: who closes the word and then has this thread pass a fence
    // either sees the bottom without this task, or this thread sees the word closed.
    bottom_.store(at, platform::release);  // [bottom]: what was pushed below it is still to be seen
    platform::fence_of_compiler();
    if constexpr (Rules::pops_before_it_looks) split = split_of(word_.load(platform::relaxed));
    if (static_cast<std::int32_t>(at - split) >= 0) [[likely]]
      return true;
    bottom_.store(at + 1, platform::release);  // [bottom]
    return false;
  }

  [[gnu::always_inline]] bool is_wanted() const {
    // [request] The bottom is stored before the requests are looked at, in the order of the program: who requests and then has
    // this thread pass a fence either sees the task, or this thread sees the request.
    platform::fence_of_compiler();
    const std::uint64_t seen = word_.load(platform::relaxed);
    return (Rules::notices_requests && requests_->load(platform::relaxed) != 0) ||
           (Rules::notices_an_empty_public_part && top_of(seen) == split_of(seen));
  }
  /// How many pushes are quick ones from here on.
  std::uint32_t room() const;
  std::uint64_t open_word() const;
  void take_over(std::uint32_t top, std::uint32_t split, std::uint32_t to, task& newest);
  bool make_room();
  bool grow(std::uint32_t size);
  std::uint64_t close();

  // The owner's line.
  platform::atomic<std::uint32_t> bottom_{0};  ///< behind the newest task; written by the owner, read by who forces
  std::uint32_t limit_ = 0;                    ///< a push to this index or beyond is a slow one
  slot* slots_;                                ///< of the ring
  std::uint32_t mask_;
  static inline slot nothing_;
  const platform::atomic<std::uint32_t>* const requests_;
  const std::uint32_t bound_;
  const bool shared_;
  platform::statistic joined_, peak_, overflows_;

  /// [publish] release by who publishes, acquire by thieves: they see the slots. [steal] release by thieves, acquire by the owner
  /// before it writes a slot again: they have read it.
  alignas(cache_line_bytes) platform::atomic<std::uint64_t> word_{0};
  /// [ring] release by the owner before it publishes from it, acquire by thieves after they read the word.
  platform::atomic<ring*> ring_{nullptr};
  mutable platform::lock closing_;  ///< held by who closes the word, changes private slots in the middle, or changes the ring
};

}  // namespace TEFF_NAMESPACE::queue

#include "queue/split_deque_slow.h"
