// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/foreign.h"

#include "platform/native/atomic.h"
#include "platform/native/files.h"
#include "platform/native/processors.h"
#include "platform/system_stack.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

namespace TEFF_NAMESPACE::platform {

namespace {

/// Not in a block that the thread frees: for its first such call the C library sets up an arena.
void (*detached_entry)(void*);

void* detached_main(void* argument) {
  __atomic_load_n(&detached_entry, __ATOMIC_RELAXED)(argument);
  return nullptr;
}

cpu_set_t set_of(const std::vector<unsigned>& processors) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const unsigned processor : processors) CPU_SET(processor, &set);
  return set;
}

pthread_key_t end_key;
bool has_end_key = false;
constinit once_in_process end_once;

}  // namespace

bool start_detached(void (*entry)(void*), void* argument, std::size_t stack_bytes,
                    const std::vector<unsigned>& processors) noexcept {
  __atomic_store_n(&detached_entry, entry, __ATOMIC_RELAXED);  // always the same
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  if (stack_bytes != 0)
    pthread_attr_setstacksize(&attributes, std::max(stack_bytes, static_cast<std::size_t>(PTHREAD_STACK_MIN)));
  if (!processors.empty()) {
    const cpu_set_t set = set_of(processors);
    pthread_attr_setaffinity_np(&attributes, sizeof set, &set);
  }
  pthread_t handle;
  const bool started = pthread_create(&handle, &attributes, detached_main, argument) == 0;
  pthread_attr_destroy(&attributes);
  return started;
}

bool at_thread_end(void (*finish)(void*), void* argument) noexcept {
  static void (*wanted)(void*);
  __atomic_store_n(&wanted, finish, __ATOMIC_RELAXED);  // always the same
  end_once.run([] { has_end_key = pthread_key_create(&end_key, __atomic_load_n(&wanted, __ATOMIC_RELAXED)) == 0; });
  return has_end_key && pthread_setspecific(end_key, argument) == 0;
}

bool bind_this_thread(const std::vector<unsigned>& processors) noexcept {
  const cpu_set_t set = set_of(processors);
  return pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0;
}

std::vector<unsigned> processors_of_this_thread() { return processors_by_affinity(); }

unsigned count_processors_of_this_thread() noexcept {
  std::uint64_t mask[256] = {};  // of 16,384 processors
  const long bytes = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
  if (bytes <= 0) return 0;
  int count = 0;
  for (const std::uint64_t each : mask) count += std::popcount(each);
  return static_cast<unsigned>(count);
}

stack_bounds stack_of_this_thread() noexcept { return stack_of_system_thread(); }

long thread_number() noexcept { return syscall(SYS_gettid); }
long process_number() noexcept { return getpid(); }

void machine_name(char* name, std::size_t bytes) noexcept {
  if (gethostname(name, bytes) != 0) std::strncpy(name, "unknown", bytes);
  if (bytes > 0) name[bytes - 1] = 0;
}

double clock_tick() noexcept {
  timespec tick;
  clock_getres(CLOCK_MONOTONIC, &tick);
  return static_cast<double>(tick.tv_sec) + static_cast<double>(tick.tv_nsec) * 1e-9;
}

std::uint64_t peak_memory_bytes() noexcept {
  rusage used;
  return getrusage(RUSAGE_SELF, &used) == 0 ? static_cast<std::uint64_t>(used.ru_maxrss) * 1024 : 0;
}

void* share_file(const char* path, std::size_t bytes, std::uint64_t mark) noexcept {
  const int file = files::open(path, O_RDWR | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return nullptr;
  std::uint64_t first = 0;
  void* shared = MAP_FAILED;
  // Read before it is mapped: a file of somebody else's is left alone.
  if (files::size(file) >= static_cast<off_t>(bytes) && files::read_begin(file, &first, sizeof first) == sizeof first &&
      first == mark)
    shared = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  files::close(file);
  return shared == MAP_FAILED ? nullptr : shared;
}

void* share_segment(int number, std::size_t bytes, std::uint64_t mark) noexcept {
  struct shmid_ds found;
  if (shmctl(number, IPC_STAT, &found) != 0 || found.shm_segsz < bytes) return nullptr;
  void* const shared = shmat(number, nullptr, 0);
  if (shared == reinterpret_cast<void*>(-1)) return nullptr;
  if (*static_cast<const std::uint64_t*>(shared) == mark) return shared;
  shmdt(shared);
  return nullptr;
}

void append_to_file(const char* path, std::uint64_t mark, const char* text, std::size_t bytes) noexcept {
  const int file = files::open(path, O_RDWR | O_APPEND | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return;
  std::uint64_t first = 0;
  if (files::read_begin(file, &first, sizeof first) == sizeof first && first == mark && files::may_grow_by(file, bytes)) {
    // One call: other processes write there, too. What does not arrive is missed by who reads it.
    [[maybe_unused]] const ssize_t written = files::write(file, text, bytes);
  }
  files::close(file);
}

namespace {

/// Returns: whether the line, which ends with 0, is about a piece of a file: "begin-end rights offset device inode path".
bool read_mapping(char* line, mapping& piece) noexcept {
  char* at = line;
  piece.begin = std::strtoull(at, &at, 16);
  if (*at != '-') return false;
  piece.end = std::strtoull(at + 1, &at, 16);
  at = std::strchr(at + 1, ' ');  // behind the rights
  if (at == nullptr) return false;
  piece.offset = std::strtoull(at, &at, 16);
  at = std::strchr(at, '/');
  piece.path = at;
  return at != nullptr;
}

}  // namespace

void each_mapping(void (*visit)(const mapping& piece)) noexcept {
  const int file = files::open("/proc/self/maps", O_RDONLY);
  if (file < 0) return;
  char lines[2 * PATH_MAX];
  std::size_t kept = 0;
  for (ssize_t got; (got = files::read(file, lines + kept, sizeof lines - 1 - kept)) > 0;) {
    char* const end = lines + kept + got;
    char* begin = lines;
    *end = 0;
    for (char* newline; (newline = std::strchr(begin, '\n')) != nullptr; begin = newline + 1) {
      *newline = 0;
      mapping piece;
      if (read_mapping(begin, piece)) visit(piece);
    }
    kept = static_cast<std::size_t>(end - begin);
    std::memmove(lines, begin, kept);
    if (kept == sizeof lines - 1) kept = 0;  // no line is so long
  }
  files::close(file);
}

unsignalled::unsignalled() noexcept {
  static_assert(sizeof(sigset_t) <= sizeof before_ && alignof(sigset_t) <= alignof(std::uint64_t));
  sigset_t all;
  sigfillset(&all);
  // A fault whose signal waits ends the process.
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT}) sigdelset(&all, fault);
  pthread_sigmask(SIG_SETMASK, &all, reinterpret_cast<sigset_t*>(before_));
}
unsignalled::~unsignalled() { pthread_sigmask(SIG_SETMASK, reinterpret_cast<const sigset_t*>(before_), nullptr); }

void write_error(const char* text, std::size_t bytes) noexcept {
  while (bytes > 0) {
    const ssize_t written = files::write(STDERR_FILENO, text, bytes);
    if (written <= 0) return;
    text += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

namespace {

void (*at_fatal_signal)() = nullptr;

/// A terminal's Ctrl-C may come twice at once: from the terminal to the whole group, and from who passes it on. The last words of
/// the first may take so long.
constexpr std::uint64_t last_words_ns = 1'000'000'000;
constinit atomic<std::uint64_t> speaks_since{0};  ///< of the thread that has the first signal; 0: there was none

bool asks_to_end(int number) { return number == SIGHUP || number == SIGINT || number == SIGQUIT || number == SIGTERM; }

void end_by_signal(int number) {
  const std::uint64_t now = now_ns() + 1;  // at no time is it 0
  std::uint64_t since = 0;
  // relaxed: it elects one who speaks.
  if (speaks_since.compare_exchange(since, now, relaxed)) at_fatal_signal();
  else if (asks_to_end(number) && now < since + last_words_ns) return;  // who has the first one ends the process
  signal(number, SIG_DFL);
  raise(number);  // delivered when this handler returns
}

}  // namespace

void on_fatal_signal(void (*say)()) noexcept {
  at_fatal_signal = say;
  for (const int number : {SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGPIPE, SIGTERM}) {
    struct sigaction now;
    if (sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) signal(number, end_by_signal);
  }
}

std::uint64_t processor_time_of_process_ns() noexcept {
  timespec ran{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ran);
  return static_cast<std::uint64_t>(ran.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(ran.tv_nsec);
}

void yield_processor() noexcept { sched_yield(); }

/// Handlers are entered by way of this copy's table of registers, which it fills in when it looks at a stack for the first time.
void prepare_for_exceptions() noexcept {
  _Unwind_Backtrace([](_Unwind_Context*, void*) { return _URC_END_OF_STACK; }, nullptr);
}

}  // namespace TEFF_NAMESPACE::platform
