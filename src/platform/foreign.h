// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the drop-ins ask of the platform beyond the seam, as they live in other people's processes. The simulator has threads
/// for them; it refuses what concerns the system's processors and files, and knows no signals.
#pragma once

#include "platform/platform.h"
#include "platform/stack_bounds.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace TEFF_NAMESPACE::platform {

/// Effect: starts a thread that nobody joins; in simulation the end of the run waits for it. `stack_bytes` 0 means the system's
/// limit. `processors` are the system's numbers of those that it may run on; none means those of its creator. All calls
/// of a process name the same entry; in simulation they need not. Returns: false if the system refuses it.
[[nodiscard]] bool start_detached(void (*entry)(void*), void* argument, std::size_t stack_bytes,
                                  const std::vector<unsigned>& processors) noexcept;

/// Effect: `finish(argument)` is called when the calling thread ends; not when the process does. Replaces what this thread asked
/// for before. All calls name the same function. Returns: false if the system refuses.
bool at_thread_end(void (*finish)(void*), void* argument) noexcept;

/// Effect: binds the calling thread to these processors. Returns: false if the system refuses.
bool bind_this_thread(const std::vector<unsigned>& processors) noexcept;

/// Returns: the system's numbers of the processors that the calling thread may run on.
std::vector<unsigned> processors_of_this_thread();

/// Returns: how many processors these are; 0 if that is not known. Cost: a call of the system.
unsigned count_processors_of_this_thread() noexcept;

/// Returns: where the calling thread's stack lies; in simulation, a small one, most of which is free. Cost: natively that of
/// stack_of_system_thread.
stack_bounds stack_of_this_thread() noexcept;

/// Returns: the system's number of the calling thread.
long thread_number() noexcept;
/// Returns: the system's number of this process.
long process_number() noexcept;

/// While it lives, no handler of a signal runs on the calling thread, but for faults. Cost: two calls of the system.
class unsignalled {
 public:
  unsignalled() noexcept;
  ~unsignalled();  // NOLINT(performance-trivially-destructible): natively it does something
  unsignalled(const unsignalled&) = delete;
  unsignalled& operator=(const unsignalled&) = delete;

 private:
  std::uint64_t before_[16] = {};  ///< the signals that waited before
};

/// Effect: writes the name of this machine, cut to `bytes`.
void machine_name(char* name, std::size_t bytes) noexcept;
/// Returns: the resolution of now_ns in seconds.
double clock_tick() noexcept;
/// Returns: the largest resident memory that this process had.
std::uint64_t peak_memory_bytes() noexcept;
/// Effect: maps the first bytes of a file, for reading and writing, shared with every process that does the same; for good.
/// Returns: nullptr, with nothing mapped, if that cannot be, the file is shorter, or does not begin with the mark.
void* share_file(const char* path, std::size_t bytes, std::uint64_t mark) noexcept;
/// The same for a segment of shared memory of that number, as shmget gives it.
void* share_segment(int number, std::size_t bytes, std::uint64_t mark) noexcept;
/// Effect: adds to a file's end, at once, if it begins with the mark. Safe in a signal handler.
void append_to_file(const char* path, std::uint64_t mark, const char* text, std::size_t bytes) noexcept;
/// A piece of a file that is mapped, from `offset` in it on.
struct mapping {
  std::uintptr_t begin, end;
  std::uint64_t offset;
  const char* path;
};
/// Effect: visits those of this process. Safe in a signal handler.
void each_mapping(void (*visit)(const mapping& piece)) noexcept;
/// Effect: writes to standard error, past the C library's buffers.
void write_error(const char* text, std::size_t bytes) noexcept;
/// Effect: say() is called when a signal that the program does not handle now is about to end it; the signal ends it then, as it
/// would have; a further one that asks for the end waits a second for that. say() may call nothing that is not safe in
/// a signal handler.
void on_fatal_signal(void (*say)()) noexcept;
/// Returns: for how long the threads of this process have run, together; those that run on other processors up to the last tick
/// of the system's clock there. Cost: a call of the system, and more with many threads.
std::uint64_t processor_time_of_process_ns() noexcept;
/// Effect: lets another thread run.
void yield_processor() noexcept;
/// Effect: what programs throw may be caught here from now on. Without it, code of a library that has the unwinder linked in, as
/// the drop-ins have, aborts without a word when another library's unwinder comes to a handler or a destructor of its frames.
void prepare_for_exceptions() noexcept;

}  // namespace TEFF_NAMESPACE::platform
