// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How threads and processes leave while they are inside of the runtime: cancellation, longjmp, fork.
#pragma once

#include "base/namespace.h"
#include "platform/native/atomic.h"

#include <cstdint>

namespace TEFF_NAMESPACE::platform {

/// While it lives, the calling thread is not cancelled; who asks for it waits until then. Cost: some nanoseconds.
class uncancelled {
 public:
  uncancelled() noexcept;
  ~uncancelled();
  uncancelled(const uncancelled&) = delete;
  uncancelled& operator=(const uncancelled&) = delete;

 private:
  int before_;
};

/// While it lives, a longjmp of the calling thread to a frame outside of this one's ends the program with a sentence.
///
/// How: the C library calls, before it jumps, the cleanup functions of the frames that it leaves (its older interface for
/// them, whose records lie on the stack). A jump from one fiber's stack to a place on the same leaves none.
/// Limits: nothing is seen of a thread that jumps to another one's frame; POSIX leaves that undefined. Where the C library
/// has no such functions nothing happens.
/// Threads: the one that made it destroys it. Cost: some instructions.
class no_jump_across {
 public:
  /// `sentence` outlives it.
  explicit no_jump_across(const char* sentence) noexcept;
  ~no_jump_across();
  no_jump_across(const no_jump_across&) = delete;
  no_jump_across& operator=(const no_jump_across&) = delete;

 private:
  /// As the C library declares it: a function, its argument, a cancellation type, the record before.
  struct record {
    void (*function)(void*);
    void* argument;
    int type;
    record* before;
  };
  record record_;
};

/// Changes in a child of fork(), also one of _Fork() or of clone() without shared memory: whoever remembers an older value
/// belongs to the parent process. Cost: two loads, one of a page that the kernel clears in children; on kernels before 4.14 only
/// fork() is seen.
std::uint64_t process_generation() noexcept;

/// Tells one process from its children: it holds in the process that made it, and in no child of fork(), of _Fork() or of clone()
/// without shared memory. (On kernels before 4.14 it holds there, too, until somebody clears it: in_forked_child.)
///
/// How: it lies on a page that the kernel clears in children, in a line of its own. Errors: std::bad_alloc.
class process_mark {
 public:
  process_mark();
  ~process_mark();
  process_mark(const process_mark&) = delete;
  process_mark& operator=(const process_mark&) = delete;

  void clear() noexcept { at_.store(0, relaxed); }  // relaxed: for the thread that reads it
  const atomic<std::uint64_t>& place() const noexcept { return at_; }

 private:
  atomic<std::uint64_t>& at_;
};

/// Something that a process does once, in whichever thread asks first; others that ask meanwhile sleep until it is done. In a
/// child of fork(), in whose parent another thread was just at it, it begins again: a lock, or what guards a static local object,
/// would be held there for ever. (How: who is at it leaves its process_generation().)
///
/// Cost: once it is done, a load.
class once_in_process {
 public:
  constexpr once_in_process() = default;
  once_in_process(const once_in_process&) = delete;
  once_in_process& operator=(const once_in_process&) = delete;

  /// `what` throws nothing, and does not ask for itself. A child may have the first part of it twice: what it registers, too.
  void run(void (*what)()) noexcept {
    if (word_.load(acquire) != done) [[unlikely]]  // acquire: what was done is visible
      run_slowly(what);
  }

 private:
  static constexpr std::uint32_t not_begun = 0, done = 1, least_generation = 2;
  [[gnu::cold]] void run_slowly(void (*what)()) noexcept;

  atomic<std::uint32_t> word_{not_begun};  ///< else the generation of the process that is at it
};

/// Effect: `repair` is called in every child of fork(), on its thread; not in one of _Fork().
void in_forked_child(void (*repair)()) noexcept;

/// Natively processes may fork.
inline constexpr bool has_forks = true;

/// Whether the calling thread is the only one of its process: who holds a lock that it waits for is a thread of the parent's
/// then. Returns: false also where the system does not tell (no /proc). Cost: a file of the system is read, without memory.
bool is_only_thread() noexcept;

/// What ends the process.
using end_of_process = void (*)();
/// Effect: `look` is called by each thread that is about to wait long for a lock of lock.h: in a child of fork() the holder may
/// be a thread of the parent, and the wait for ever. It returns what is to be called if the lock is held even then; else nullptr.
/// Pre: nobody has given another one: a look takes current() for its own kind of worker, so that a program has workers of one
/// kind.
void before_waits_for_locks(end_of_process (*look)()) noexcept;
/// Returns: what that function says; nullptr if there is none.
end_of_process about_to_wait_for_lock() noexcept;

/// Effect: ends the process without anything that is to be done at its end.
[[noreturn]] void end_process_at_once(int code) noexcept;

}  // namespace TEFF_NAMESPACE::platform
