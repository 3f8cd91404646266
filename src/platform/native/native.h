// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The seam on this machine: std::atomic, futex, pthreads.
#pragma once

#include "platform/faults.h"
#include "platform/native/atomic.h"
#include "platform/native/departures.h"
#include "platform/topology.h"
#include "platform/touch.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace TEFF_NAMESPACE::platform {

inline void pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Effect: parks the calling thread while `word` holds `expected`; may return early. `what` names what it waits for.
void park(atomic<std::uint32_t>& word, std::uint32_t expected, const char* what) noexcept;
/// Returns: false if `deadline_ns` (of now_ns) passed.
bool park_until(atomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t deadline_ns, const char* what) noexcept;
void wake_one(atomic<std::uint32_t>& word) noexcept;
void wake_all(atomic<std::uint32_t>& word) noexcept;

/// Effect: busy-waits until `predicate` holds for the word's value (read with acquire order).
template <class T, class Predicate>
void spin_until(const atomic<T>& word, Predicate predicate, const char* /*what*/) {
  while (!predicate(word.load(acquire))) pause();
}

/// As spin_until, for at most `rounds` looks. Returns: whether the predicate held.
template <class T, class Predicate>
bool spin_until_for(const atomic<T>& word, Predicate predicate, unsigned rounds, const char* /*what*/) {
  for (unsigned round = 0; round < rounds; ++round) {
    if (predicate(word.load(acquire))) return true;  // acquire: as spin_until
    pause();
  }
  return false;
}

/// As spin_until_for, with looks ever further apart: each takes the line from who writes it, as who holds a lock again and again.
template <class T, class Predicate>
bool spin_ever_slower_for(const atomic<T>& word, Predicate predicate, unsigned rounds, const char* /*what*/) {
  for (unsigned apart = 1, spun = 0; spun < rounds; spun += apart, apart *= 2) {
    if (predicate(word.load(acquire))) return true;  // acquire: as spin_until
    for (unsigned round = 0; round < apart; ++round) pause();
  }
  return predicate(word.load(acquire));  // acquire: likewise
}

std::uint64_t now_ns() noexcept;
std::uint64_t recent_ns() noexcept;
inline constexpr bool clock_is_free = false;
/// A round is taken for 40 ns, which is what it lasts where a pause takes long (published: 10 to 140 cycles by model).
inline constexpr std::uint64_t time_of_rounds_ns(unsigned rounds) noexcept { return std::uint64_t{rounds} * 40; }

/// A thread of control, which nobody can cancel. Owned by one thread; joined before it is destroyed.
class thread {
 public:
  using entry_function = void (*)(void*);
  /// Effect: starts `entry(argument)`. `places` are indices into machine().places: it runs on these alone. None are given, or the
  /// system refuses them: it may run where the caller may.
  /// Returns: false if the system refuses another thread. Post: this object stays where it is until the thread is joined.
  [[nodiscard]] bool start(entry_function entry, void* argument, std::span<const unsigned> places) noexcept;
  void join() noexcept;
  bool started() const noexcept { return started_; }
  /// Whether the caller is on it. Pre: nobody starts or joins it meanwhile.
  bool is_current() const noexcept;

 private:
  static void* enter(void* self);

  entry_function entry_ = nullptr;
  void* argument_ = nullptr;
  unsigned long handle_ = 0;
  bool started_ = false;
};

/// The machine as this process may use it; read once, at the first call. Errors: std::bad_alloc, once it was refused the memory.
const topology& machine();
/// Returns: machine().usable_processors. Cost: does not read where processors sit, which takes some files for each.
unsigned usable_processors();
/// Returns: the places of machine() on which the calling thread may run, ascending; all, if it may on none of them.
std::vector<unsigned> places_of_caller();
/// Returns: the system's number of the processor on which the calling thread runs; of another one as soon as it is moved. Cost: about
/// 5 ns.
unsigned processor_here() noexcept;

/// Memory from the system (malloc). Returns: nullptr if refused (or planted so).
void* system_allocate(std::size_t bytes, std::size_t alignment = alignof(std::max_align_t)) noexcept;
void system_release(void* block, std::size_t bytes) noexcept;

/// Effect: that many iterations of an empty loop.
inline void charge(std::uint64_t units) noexcept {
  for (std::uint64_t each = 0; each < units; ++each) asm volatile("" :::);
}

/// Here memory and instructions take the time that they take.
inline void touch(const void*, std::size_t, touched) noexcept {}
inline void charge_put() noexcept {}
inline void charge_get() noexcept {}

inline void progress() noexcept {}

/// One pointer per thread of the system, and one that the thread has only in the process of a mark: nullptr else, or if one of
/// the two is not given. Its value is loaded beside the look at the mark: what a join without a context begins with does not wait
/// for that. A fiber may continue on another thread after any call that suspends, and compilers keep the address of a
/// thread-local variable over calls (they may: the language has no such fibers). So these go by the thread's base register in one
/// instruction each, and the compiler never sees the variable; on other processors they are calls into a file of which it sees
/// nothing.
#if defined(__x86_64__)
inline void* current() noexcept {
  void* pointer;
  asm volatile(
      "movq teff_native_current@GOTTPOFF(%%rip), %0\n\t"
      "movq %%fs:(%0), %0"
      : "=r"(pointer));
  return pointer;
}
inline void set_current(void* pointer) noexcept {
  void* offset;
  asm volatile(
      "movq teff_native_current@GOTTPOFF(%%rip), %0\n\t"
      "movq %1, %%fs:(%0)"
      : "=&r"(offset)
      : "r"(pointer)
      : "memory");
}

inline void* current_here() noexcept {
  void* pointer;
  const void* mark;
  bool holds;
  asm volatile(
      "movq teff_native_current@GOTTPOFF(%%rip), %1\n\t"
      "movq %%fs:8(%1), %0\n\t"
      "movq %%fs:16(%1), %1\n\t"
      "cmpq $0, (%1)"
      : "=&r"(pointer), "=&r"(mark), "=@ccne"(holds));
  if (!holds) [[unlikely]]
    return nullptr;
  if (pointer == nullptr) __builtin_unreachable();  // set_current_here
  return pointer;
}

/// Returns: a pointer that no other living thread gets.
inline const void* this_thread() noexcept {
  const void* pointer;
  asm volatile("movq %%fs:0, %0" : "=r"(pointer));
  return pointer;
}
#else
void* current() noexcept;
void set_current(void* pointer) noexcept;
void* current_here() noexcept;
const void* this_thread() noexcept;
#endif
void set_current_here(void* pointer, const process_mark* made_in) noexcept;

faults& planted_faults() noexcept;

}  // namespace TEFF_NAMESPACE::platform
