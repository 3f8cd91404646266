// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/system.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <iterator>

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace teff::cli::os {

namespace {

constexpr int files_at_most = 4;
constexpr std::size_t path_bytes = 4096;

// Read by a signal handler: plain memory that is there from the start; a flag is set after its path and cleared before it
// changes.
volatile std::sig_atomic_t is_unfinished[files_at_most];
char unfinished_paths[files_at_most][path_bytes];

constexpr int prepared_signals[] = {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP};
struct sigaction signals_before[std::size(prepared_signals)];
bool was_closed[STDERR_FILENO + 1];

void write_error(const char* text) {
  const ssize_t ignored = ::write(STDERR_FILENO, text, std::strlen(text));
  static_cast<void>(ignored);  // there is nobody left to tell
}

volatile std::sig_atomic_t notes_interrupt, was_interrupted;

extern "C" void teff_cli_interrupted(int signal) {
  if (signal == SIGINT && notes_interrupt != 0 && was_interrupted == 0) {
    was_interrupted = 1;
    if (::isatty(STDERR_FILENO) != 0) write_error("\n");
    write_error("teff: interrupted; what was finished follows when this run is over. Another interrupt ends at once\n");
    return;
  }
  for (int i = 0; i < files_at_most; ++i) {
    if (is_unfinished[i] != 0) ::unlink(unfinished_paths[i]);
  }
  if (::isatty(STDERR_FILENO) != 0) write_error("\n");
  write_error("teff: interrupted; no file was written\n");
  ::_exit(128 + signal);
}

void refuse_writes_if_closed(int descriptor) {
  if (::fcntl(descriptor, F_GETFD) != -1) return;
  was_closed[descriptor] = true;
  // open takes the lowest free number, which is this one: they are looked at in rising order.
  ::open("/dev/null", O_RDONLY);
}

counting reason(int error) {
  switch (error) {
    case EACCES:
    case EPERM:
      return counting::forbidden;
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
      return counting::no_counter;
    case ENOSYS:
      return counting::no_support;
    case EBUSY:
      return counting::busy;
    default:
      return counting::failed;
  }
}

/// Effect: opens a counter of what this thread does in user mode. Returns: a descriptor, or -1.
int open_counter(processor_event event) {
  perf_event_attr wanted{};
  wanted.type = PERF_TYPE_HARDWARE;
  wanted.size = sizeof wanted;
  wanted.config = event == processor_event::cycles ? PERF_COUNT_HW_CPU_CYCLES : PERF_COUNT_HW_CACHE_MISSES;
  wanted.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  wanted.exclude_kernel = 1;
  wanted.exclude_hv = 1;
  return static_cast<int>(::syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

void prepare_process() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) refuse_writes_if_closed(descriptor);
  for (std::size_t i = 0; i < std::size(prepared_signals); ++i) ::sigaction(prepared_signals[i], nullptr, &signals_before[i]);
  // A pipe that nobody reads and a file that may not grow become errors of the write.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  struct sigaction action{};
  action.sa_handler = teff_cli_interrupted;
  action.sa_flags = SA_RESTART;  // for one that is noted
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before{};
    // What the parent had ignored (nohup) stays ignored.
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
}

void note_next_interrupt() { notes_interrupt = 1; }
bool is_interrupted() { return was_interrupted != 0; }

void give_back_streams() {
  for (int descriptor = 0; descriptor <= STDERR_FILENO; ++descriptor) {
    if (was_closed[descriptor]) ::close(descriptor);
  }
}

void give_back_signals() {
  for (std::size_t i = 0; i < std::size(prepared_signals); ++i) ::sigaction(prepared_signals[i], &signals_before[i], nullptr);
}

bool is_terminal(int descriptor) { return ::isatty(descriptor) != 0; }

long process_number() { return ::getpid(); }

bool may_write(const std::string& path) { return ::access(path.c_str(), F_OK) != 0 || ::access(path.c_str(), W_OK) == 0; }

bool is_standard_stream(const std::string& path) {
  const auto same = [](const struct stat& one, const struct stat& other) {
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
  };
  struct stat named{}, nobodys{}, stream{};
  if (::stat(path.c_str(), &named) != 0 || (::stat("/dev/null", &nobodys) == 0 && same(named, nobodys))) return false;
  return (::fstat(STDOUT_FILENO, &stream) == 0 && same(named, stream)) ||
         (::fstat(STDERR_FILENO, &stream) == 0 && same(named, stream));
}

std::string date_today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char text[16] = "";
  if (::localtime_r(&now, &parts) != nullptr) std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return text;
}

std::string kernel_release() {
  utsname names{};
  return ::uname(&names) == 0 ? names.release : "";
}

std::optional<std::uint64_t> limit_of(resource what) {
  rlimit limit{};
  if (::getrlimit(what == resource::user_threads ? RLIMIT_NPROC : RLIMIT_STACK, &limit) != 0) return std::nullopt;
  return limit.rlim_cur == RLIM_INFINITY ? std::nullopt : std::optional<std::uint64_t>(limit.rlim_cur);
}

counting try_counter(processor_event event) {
  constexpr int moment = 100'000;
  const int descriptor = open_counter(event);
  if (descriptor < 0) return reason(errno);
  volatile int work = 0;  // kept although nobody reads it
  while (work < moment) {
    const int next = work + 1;
    work = next;
  }
  struct {
    std::uint64_t value, enabled_ns, running_ns;
  } counted{};
  const bool is_read = ::read(descriptor, &counted, sizeof counted) == static_cast<ssize_t>(sizeof counted);
  ::close(descriptor);
  if (!is_read) return counting::failed;
  if (counted.running_ns == 0) return counting::busy;
  // Some virtual machines hand out a counter that stands still.
  return event == processor_event::cycles && counted.value == 0 ? counting::no_counter : counting::works;
}

std::vector<std::pair<std::string, std::string>> environment_variables(const std::string& beginning) {
  std::vector<std::pair<std::string, std::string>> found;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    const std::string text = *each;
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos && text.starts_with(beginning))
      found.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  std::sort(found.begin(), found.end());
  return found;
}

unfinished_file::unfinished_file(const std::string& path) {
  if (path.size() >= path_bytes) return;
  for (int i = 0; i < files_at_most; ++i) {
    if (is_unfinished[i] != 0) continue;
    std::memcpy(unfinished_paths[i], path.c_str(), path.size() + 1);
    is_unfinished[i] = 1;
    slot_ = i;
    return;
  }
}

unfinished_file::~unfinished_file() {
  if (slot_ >= 0) is_unfinished[slot_] = 0;
}

}  // namespace teff::cli::os
