// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The seam on virtual processors: the same names as native.h, answered by the simulator (sim/sim.h).
///
/// Outside simulate() atomics and memory work as usual, because tests build and inspect their objects there; what needs a second
/// thread of control (start, a park or a spin that nobody could end) ends the program with a sentence.
#pragma once

#include "base/assert.h"
#include "platform/faults.h"
#include "platform/simulated/atomic.h"
#include "platform/topology.h"
#include "platform/touch.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace TEFF_NAMESPACE::platform {

void pause() noexcept;

/// Effect: parks the calling thread while `word` holds `expected`; may return early. `what` names what it waits for.
void park(atomic<std::uint32_t>& word, std::uint32_t expected, const char* what) noexcept;
/// Returns: false if `deadline_ns` (of now_ns) passed.
bool park_until(atomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t deadline_ns, const char* what) noexcept;
void wake_one(atomic<std::uint32_t>& word) noexcept;
void wake_all(atomic<std::uint32_t>& word) noexcept;

namespace detail {
/// Effect: sleeps until the word's line is written. Returns: false if the clock (cycles) passed `deadline` first.
bool watch(const void* word, std::uint64_t deadline, const char* what) noexcept;
/// Returns: the clock after that many rounds of a waiting loop.
std::uint64_t clock_after_rounds(unsigned rounds) noexcept;
inline constexpr std::uint64_t no_deadline = ~std::uint64_t{0};
}  // namespace detail

/// Effect: waits until `predicate` holds for the word's value. A look costs an access; between looks the processor sleeps until
/// the line is written, so that spinning costs no events. If the predicate looks at other words, the word may have another value
/// before it is done: then it is asked again at once, as natively. (One that has got its old value back meanwhile is not seen.)
template <class T, class Predicate>
void spin_until(const atomic<T>& word, Predicate predicate, const char* what) {
  // acquire, as natively: who waits sees what was written before the word.
  for (T seen; !predicate(seen = word.load(acquire));) {
    if (word.is_still(seen)) detail::watch(word.address(), detail::no_deadline, what);
  }
}

/// As spin_until, for at most the time of `rounds` looks. Returns: whether the predicate held.
template <class T, class Predicate>
bool spin_until_for(const atomic<T>& word, Predicate predicate, unsigned rounds, const char* what) {
  if (rounds == 0) return false;
  const std::uint64_t deadline = detail::clock_after_rounds(rounds);
  for (T seen; !predicate(seen = word.load(acquire));) {  // acquire: as spin_until
    if (word.is_still(seen) ? !detail::watch(word.address(), deadline, what) : detail::clock_after_rounds(0) >= deadline)
      return false;
  }
  return true;
}

/// The same, which has no looks in between.
template <class T, class Predicate>
bool spin_ever_slower_for(const atomic<T>& word, Predicate predicate, unsigned rounds, const char* what) {
  return spin_until_for(word, predicate, rounds, what);
}

/// Virtual time. Asking takes time, so that a loop that waits for a moment ends.
std::uint64_t now_ns() noexcept;
/// The same, and no time passes.
std::uint64_t recent_ns() noexcept;
inline constexpr bool clock_is_free = true;
/// On the simulated machine. No time passes.
std::uint64_t time_of_rounds_ns(unsigned rounds) noexcept;

/// A thread of control: a virtual processor. Owned by one thread; joined before it is destroyed.
class thread {
 public:
  using entry_function = void (*)(void*);
  /// Effect: starts `entry(argument)`. `places` are indices into machine().places: where it is one, the thread runs there, else
  /// anywhere.
  /// Returns: false if another thread is refused.
  [[nodiscard]] bool start(entry_function entry, void* argument, std::span<const unsigned> places) noexcept;
  void join() noexcept;
  /// Effect: nobody joins it but the end of the run. Pre: it has just been started.
  void detach() noexcept;
  bool started() const noexcept { return started_; }
  /// Whether the caller is on it.
  bool is_current() const noexcept;

 private:
  sim::processor_id number_ = sim::nobody;
  bool started_ = false;
};

/// The simulated machine; outside a run that of the last one.
const topology& machine();
unsigned usable_processors();
/// Returns: the places of machine() on which the calling thread may run, ascending; all, if it may on none of them.
std::vector<unsigned> places_of_caller();
/// Returns: the place at which the calling thread runs, on which others may. No time passes.
unsigned processor_here() noexcept;

/// In a run, memory whose layout is the same in every run; else malloc. Returns: nullptr if refused (or planted so).
/// What is allocated in a run is gone when the next one begins.
void* system_allocate(std::size_t bytes, std::size_t alignment = alignof(std::max_align_t)) noexcept;
void system_release(void* block, std::size_t bytes) noexcept;

/// Effect: that many cycles pass.
void charge(std::uint64_t units) noexcept;

/// Effect: by virtual time, the memory is accessed: the lines of it that lie in what system_allocate gave cost hits or transfers,
/// others, which lie wherever the host has room, cost hits. By other strategies: none.
inline void touch(const void* memory, std::size_t bytes, touched how) noexcept {
  if (sim::timed != nullptr) sim::touch_simulated(memory, bytes, how == touched::written);
}
/// Effect: by virtual time, on machines that state how large their caches are, the memory is accessed. Returns: where its lines
/// came from.
inline sim::line_origins touch_program(const void* memory, std::size_t bytes, touched how) noexcept {
  return sim::timed != nullptr ? sim::touch_program_simulated(memory, bytes, how == touched::written) : sim::line_origins();
}
/// Effect: this memory is given back: what gets its addresses next begins anew.
inline void forget_program(const void* memory, std::size_t bytes) noexcept {
  if (sim::timed != nullptr) sim::forget_program_simulated(memory, bytes);
}
/// Effect: by virtual time, the instructions of a put or a get take their time; and one task more, or less, waits to be begun.
inline void charge_put() noexcept {
  if (sim::timed != nullptr) sim::put_or_get_simulated(1);
}
inline void charge_get() noexcept {
  if (sim::timed != nullptr) sim::put_or_get_simulated(-1);
}

/// Effect: the count of steps that makes a livelock begins anew.
void progress() noexcept;

inline void* current() noexcept { return sim::current_pointer; }
inline void set_current(void* pointer) noexcept { sim::current_pointer = pointer; }

/// Returns: a pointer that no other living thread gets.
const void* this_thread() noexcept;

/// Nobody forks inside of a simulation, cancels a virtual processor, or jumps over its frames.
std::uint64_t process_generation() noexcept;
struct process_mark {
  void clear() noexcept {}
};
inline void* current_here() noexcept { return nullptr; }
inline void set_current_here(void*, const process_mark*) noexcept {}
/// Without a step of the simulation: so nobody can ask while somebody is at it.
class once_in_process {
 public:
  constexpr once_in_process() = default;
  once_in_process(const once_in_process&) = delete;
  once_in_process& operator=(const once_in_process&) = delete;

  void run(void (*what)()) noexcept {
    if (is_done_) return;
    TEFF_REQUIRE(!std::exchange(is_begun_, true), "what is done once in a process has a step of the simulation in it");
    what();
    is_done_ = true;
  }

 private:
  bool is_begun_ = false, is_done_ = false;
};
inline void in_forked_child(void (*)()) noexcept {}
inline constexpr bool has_forks = false;
inline bool is_only_thread() noexcept { return false; }
using end_of_process = void (*)();
inline void before_waits_for_locks(end_of_process (*)()) noexcept {}
inline end_of_process about_to_wait_for_lock() noexcept { return nullptr; }
[[noreturn]] void end_process_at_once(int code) noexcept;
struct uncancelled {
  uncancelled() noexcept {}
};
struct no_jump_across {
  explicit no_jump_across(const char*) noexcept {}
};

/// Counted anew in each run, from what is planted when it begins; what a run changes is forgotten at its end.
faults& planted_faults() noexcept;

}  // namespace TEFF_NAMESPACE::platform
