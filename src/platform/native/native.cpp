// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/native/processor_time.h"
#include "platform/platform.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <memory>
#include <pthread.h>
#include <sched.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace TEFF_NAMESPACE::platform {

/// Reached by native.h alone, which names it so, and by the calls that stand in for its instructions.
struct of_thread {
  void* pointer;
  void* here;  ///< not nullptr where the mark holds
  const atomic<std::uint64_t>* mark;
};
static_assert(offsetof(of_thread, here) == 8 && offsetof(of_thread, mark) == 16, "as native.h has it");
extern constinit thread_local of_thread current_ones asm("teff_native_current") __attribute__((tls_model("initial-exec")));
static constinit atomic<std::uint64_t> no_mark{0};
[[gnu::used, gnu::tls_model("initial-exec")]] constinit thread_local of_thread current_ones = {nullptr, nullptr, &no_mark};

/// Not in line, so that no caller keeps the thread's address across a change of threads.
[[gnu::noinline]] void set_current_here(void* pointer, const process_mark* made_in) noexcept {
  // In this order, also for a signal handler on this thread: where a mark holds, there is a pointer.
  current_ones.mark = &no_mark;
  fence_of_compiler();
  current_ones.here = pointer;
  fence_of_compiler();
  if (pointer != nullptr && made_in != nullptr) current_ones.mark = &made_in->place();
}

#if !defined(__x86_64__)
void* current() noexcept { return current_ones.pointer; }
void set_current(void* pointer) noexcept { current_ones.pointer = pointer; }
void* current_here() noexcept {
  return current_ones.mark->load(relaxed) != 0 ? current_ones.here : nullptr;  // relaxed: as process_mark has it
}
const void* this_thread() noexcept { return reinterpret_cast<const void*>(pthread_self()); }
#endif

namespace {

long futex(void* word, int operation, std::uint32_t value, const timespec* timeout) noexcept {
  return syscall(SYS_futex, word, operation, value, timeout, nullptr, FUTEX_BITSET_MATCH_ANY);
}

/// Returns: false if the deadline has passed.
bool sleep(atomic<std::uint32_t>& word, std::uint32_t expected, const timespec* deadline) noexcept {
  const std::uint64_t before = now_ns();
  const int error = futex(word.address(), FUTEX_WAIT_BITSET_PRIVATE, expected, deadline) == 0 ? 0 : errno;
  if (error != EAGAIN) count_sleep(now_ns() - before);
  return error != ETIMEDOUT;
}

faults the_faults;

/// Counts a planted refusal down. Returns: whether this request is the one to refuse.
bool refused(std::int64_t& remaining) noexcept {
  if (__atomic_load_n(&remaining, __ATOMIC_RELAXED) < 0) return false;
  if (__atomic_fetch_sub(&remaining, 1, __ATOMIC_RELAXED) > 0) return false;
  __atomic_store_n(&remaining, 0, __ATOMIC_RELAXED);
  return true;
}

}  // namespace

void fence_slow() noexcept {
  static std::atomic<unsigned> word{0};
  // a read-modify-write of one word by all who fence: one of two is before the other
  word.fetch_add(1, std::memory_order_seq_cst);
}

namespace {

/// What fence_everywhere needs takes microseconds in a process of one thread, milliseconds later.
void register_fences() { syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0); }

/// A program may start threads of its own before anything here.
[[gnu::constructor]] void register_fences_when_loaded() {
  if (__libc_single_threaded) register_fences();
}

}  // namespace

bool fence_everywhere() noexcept {
  if (__atomic_load_n(&the_faults.no_fence_everywhere, __ATOMIC_RELAXED)) return false;
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0) return true;
  // A process whose threads others started, the child of fork(), or a kernel that has the slow one only.
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0 &&
      syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0) {
    return true;
  }
  return syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) == 0;
}

void park(atomic<std::uint32_t>& word, std::uint32_t expected, const char*) noexcept { sleep(word, expected, nullptr); }

bool park_until(atomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t deadline_ns, const char*) noexcept {
  const timespec deadline{static_cast<time_t>(deadline_ns / 1'000'000'000), static_cast<long>(deadline_ns % 1'000'000'000)};
  return sleep(word, expected, &deadline);
}

void wake_one(atomic<std::uint32_t>& word) noexcept { futex(word.address(), FUTEX_WAKE_PRIVATE, 1, nullptr); }
void wake_all(atomic<std::uint32_t>& word) noexcept { futex(word.address(), FUTEX_WAKE_PRIVATE, INT_MAX, nullptr); }

namespace {

std::uint64_t read_clock(clockid_t which) noexcept {
  timespec now;
  clock_gettime(which, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace

std::uint64_t now_ns() noexcept { return read_clock(CLOCK_MONOTONIC); }
std::uint64_t recent_ns() noexcept { return read_clock(CLOCK_MONOTONIC_COARSE); }

unsigned processor_here() noexcept { return static_cast<unsigned>(sched_getcpu()); }

void* thread::enter(void* self) {
  const uncancelled while_it_lives;  // who cancels what a task called pthread_self would take a worker from everybody
  static_cast<thread*>(self)->entry_(static_cast<thread*>(self)->argument_);
  return nullptr;
}

namespace {

/// Effect: who is started with the attributes runs at these places, if there is memory to say so.
void confine(pthread_attr_t& attributes, std::span<const unsigned> places) noexcept {
  unsigned count = 0;
  for (const unsigned place : places) count = std::max(count, machine().places[place].system_index + 1);
  const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set(CPU_ALLOC(count), [](cpu_set_t* of) { CPU_FREE(of); });
  if (set == nullptr) return;
  const std::size_t bytes = CPU_ALLOC_SIZE(count);
  CPU_ZERO_S(bytes, set.get());
  for (const unsigned place : places) CPU_SET_S(machine().places[place].system_index, bytes, set.get());
  pthread_attr_setaffinity_np(&attributes, bytes, set.get());
}

bool create(pthread_t& made, std::span<const unsigned> places, void* (*enter)(void*), void* argument) noexcept {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (!places.empty()) confine(attributes, places);
  const bool done = pthread_create(&made, &attributes, enter, argument) == 0;
  pthread_attr_destroy(&attributes);
  return done;
}

}  // namespace

bool thread::start(entry_function entry, void* argument, std::span<const unsigned> places) noexcept {
  static constinit once_in_process registered;
  registered.run(register_fences);
  if (refused(planted_faults().threads_until_refusal)) return false;
  entry_ = entry;
  argument_ = argument;
  pthread_t handle;
  // The processors of a mask may have been taken from the process since it was asked for them.
  started_ = create(handle, places, enter, this) || (!places.empty() && create(handle, {}, enter, this));
  if (started_) handle_ = handle;
  return started_;
}

void thread::join() noexcept {
  if (started_) pthread_join(handle_, nullptr);
  started_ = false;
}

bool thread::is_current() const noexcept { return started_ && pthread_equal(handle_, pthread_self()) != 0; }

namespace {

/// For the scope of a call for memory: the worker's account has it. Small blocks, whose calls take no longer than looks at the
/// clock, are measured now and then, and each stands for all since the last.
class timed_allocation {
 public:
  explicit timed_allocation(std::size_t bytes) noexcept : own_(ledger_here()) {
    constexpr std::size_t large = 4096;
    if (own_ == nullptr) return;
    if (bytes < large && !own_->measures_event) {
      if (--own_->until_allocation_is_timed != 0) {
        own_ = nullptr;
        return;
      }
      own_->until_allocation_is_timed = stands_for_ = one_in;
    }
    spent_before_ = own_->spent(account_part::system_memory);
    before_ = own_->enter(account_part::system_memory);
  }
  ~timed_allocation() {
    if (own_ == nullptr) return;
    own_->enter(before_);
    const std::uint64_t clock = account_clock_cost();
    // A measured event has had a look at the clock more for this block, in the part that goes on: there it is no cost of the
    // event.
    if (own_->measures_event) own_->move(before_, account_part::system_memory, clock);
    if (stands_for_ == 1) return;
    const std::uint64_t spent = own_->spent(account_part::system_memory) - spent_before_;
    if (own_->allocations.is(spent) && spent > clock) own_->add_estimated_memory((stands_for_ - 1) * (spent - clock));
  }
  timed_allocation(const timed_allocation&) = delete;
  timed_allocation& operator=(const timed_allocation&) = delete;

 private:
  static constexpr unsigned one_in = tuning::account_allocations_one_in;

  ledger* own_;
  account_part before_ = ledger::base;
  unsigned stands_for_ = 1;
  std::uint64_t spent_before_ = 0;
};

}  // namespace

void* system_allocate(std::size_t bytes, std::size_t alignment) noexcept {
  if (refused(the_faults.allocations_until_refusal)) return nullptr;
  const timed_allocation timed(bytes);
  if (alignment <= alignof(std::max_align_t)) return std::malloc(bytes);
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void system_release(void* block, std::size_t bytes) noexcept {
  const timed_allocation timed(bytes);
  std::free(block);
}

faults& planted_faults() noexcept { return the_faults; }

}  // namespace TEFF_NAMESPACE::platform
