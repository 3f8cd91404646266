// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/process.h"

#include "base/region_count.h"
#include "cli/system.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace teff::cli::os {

namespace {

constexpr int cannot_start = 127;

/// Returns: what the file has behind so many bytes. Not by way of the stack, which may be small (`ulimit -s`).
std::string text_from(int file, std::size_t begin) {
  std::string all;
  std::vector<char> part(65'536);
  for (ssize_t got; (got = ::pread(file, part.data(), part.size(), static_cast<off_t>(begin + all.size()))) > 0;)
    all.append(part.data(), static_cast<std::size_t>(got));
  return all;
}

/// A file in memory that a program writes to. -1: there is none.
class captured {
 public:
  explicit captured(const char* name) : descriptor_(::memfd_create(name, MFD_CLOEXEC)) {}
  ~captured() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  captured(const captured&) = delete;
  captured& operator=(const captured&) = delete;

  int descriptor() const { return descriptor_; }

  std::string text() const { return text_from(descriptor_, 0); }

 private:
  int descriptor_;
};

void set_environment(const command_line& program) {
  for (const auto& [name, value] : program.environment) {
    if (value) ::setenv(name.c_str(), value->c_str(), 1);
    else ::unsetenv(name.c_str());
  }
}

/// Returns: only if it fails.
void execute(const command_line& program) {
  std::vector<char*> words;
  for (const std::string& each : program.words) words.push_back(const_cast<char*>(each.c_str()));
  words.push_back(nullptr);
  ::execv(program.file.c_str(), words.data());
}

/// In the child: becomes the program, or tells the error to the parent through the pipe.
[[noreturn]] void become(const command_line& program, int failure) {
  give_back_signals();
  set_environment(program);
  execute(program);
  const int error = errno;
  const ssize_t ignored = ::write(failure, &error, sizeof error);
  static_cast<void>(ignored);
  ::_exit(cannot_start);
}

/// In the child: nothing to read, and two files to write to.
void redirect(const captured& output, const captured& errors) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // who is interrupted leaves nothing running
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output.descriptor(), STDOUT_FILENO);
  ::dup2(errors.descriptor(), STDERR_FILENO);
}

double seconds_of(const timeval& of) { return static_cast<double>(of.tv_sec) + 1e-6 * static_cast<double>(of.tv_usec); }

void wait_for(pid_t child, ending& how) {
  int status = 0;
  rusage used{};
  while (::wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  take_end(status, used, how);
}

}  // namespace

void take_end(int status, const ::rusage& used, ending& into) {
  into.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  into.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  into.processor_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  into.peak_bytes = static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
}

region_counter::region_counter()
    : descriptor_(::memfd_create("teff regions", MFD_CLOEXEC | MFD_ALLOW_SEALING)), error_(descriptor_ < 0 ? errno : 0) {
  region_count begin{};
  begin.mark = region_count_mark;
  errno = EFBIG;  // what a write does not say that is cut short
  if (descriptor_ >= 0 && ::pwrite(descriptor_, &begin, sizeof begin, 0) != sizeof begin) {
    error_ = errno;
    ::close(std::exchange(descriptor_, -1));
  }
  // What is mapped here stays: a program that makes the file shorter is refused.
  if (descriptor_ >= 0) ::fcntl(descriptor_, F_ADD_SEALS, F_SEAL_SHRINK);
  // For every user: the program may become another one.
  const int made = ::shmget(IPC_PRIVATE, sizeof begin, 0666);
  if (made < 0) return;
  void* const shared = ::shmat(made, nullptr, 0);
  ::shmctl(made, IPC_RMID, nullptr);  // it lives, and can be found, as long as somebody has it
  if (shared == reinterpret_cast<void*>(-1)) return;
  segment_ = made;
  in_segment_ = ::new (shared) region_count(begin);
  error_ = 0;  // it counts alone where files may not be so long (RLIMIT_FSIZE)
}

region_counter::~region_counter() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (in_segment_ != nullptr) ::shmdt(in_segment_);
  if (in_file_ != nullptr) ::munmap(in_file_, sizeof *in_file_);
}

void region_counter::tick() {
  if (in_file_ == nullptr) {
    void* const mapped = ::mmap(nullptr, sizeof(region_count), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (mapped != MAP_FAILED) in_file_ = static_cast<region_count*>(mapped);
  }
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  const auto now_ns = static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
  const std::uint64_t apart_ns = now_ns - std::exchange(ticked_ns_, now_ns);
  ++ticks_;
  for (region_count* const each : {in_file_, in_segment_}) {
    if (each == nullptr) continue;
    // release: who sees the second one sees the first one.
    std::atomic_ref(each->ticks.apart_ns[ticks_ % region_ticks::kept]).store(apart_ns, std::memory_order_release);
    std::atomic_ref(each->ticks.number).store(ticks_, std::memory_order_release);
  }
}

variable region_counter::entry() const {
  const std::string around = variable_of(region_count_variable).value_or("");
  const std::string own = "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(descriptor_) +
                          (segment_ >= 0 ? "," + std::to_string(segment_) : "");
  return {region_count_variable, around + (around.empty() ? "" : ":") + own};
}

std::uint64_t region_counter::sum_of(std::uint64_t region_count::* number) const {
  region_count now{};
  std::uint64_t sum = ::pread(descriptor_, &now, sizeof now, 0) == sizeof now ? now.*number : 0;
  if (in_segment_ != nullptr) sum += *const_cast<const volatile std::uint64_t*>(&(in_segment_->*number));
  return sum;
}

std::string region_counter::left() const {
  return text_from(descriptor_, sizeof(region_count));
}

long start(const command_line& program, const std::function<void()>& prepare, int& error) {
  int failure[2];
  if (::pipe2(failure, O_CLOEXEC) != 0) {
    error = errno;
    return -1;
  }
  pid_t child = ::fork();
  if (child == 0) {
    prepare();
    become(program, failure[1]);
  }
  if (child < 0) error = errno;
  ::close(failure[1]);
  // Ends when the child has become the program: the pipe is closed then.
  if (child > 0 && ::read(failure[0], &error, sizeof error) == sizeof error) {
    ::waitpid(child, nullptr, 0);
    child = -1;
  }
  ::close(failure[0]);
  return child;
}

ending run(const command_line& program) {
  ending how;
  const captured output("teff output"), errors("teff errors");
  if (output.descriptor() < 0 || errors.descriptor() < 0) {
    how.error = errno;
    return how;
  }
  const auto begin = std::chrono::steady_clock::now();
  const long child = start(program, [&] { redirect(output, errors); }, how.error);
  if (child < 0) return how;
  wait_for(static_cast<pid_t>(child), how);
  how.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  how.output = output.text();
  how.errors = errors.text();
  return how;
}

std::string own_path() {
  std::array<char, PATH_MAX> path;
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  if (length >= 0) return {path.data(), static_cast<std::size_t>(length)};
  // Without /proc: as it was started, from where it was.
  const auto* const name = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
  return name != nullptr && ::realpath(name, path.data()) != nullptr ? path.data() : "";
}

std::optional<std::string> find_executable(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const std::string folders = variable_of("PATH").value_or("/bin:/usr/bin");
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string folder = folders.substr(begin, end - begin);
    std::string path = (folder.empty() ? "." : folder) + "/" + name;
    const file_kind kind = kind_of(path);
    if (kind == file_kind::plain || kind == file_kind::other_owner) return path;
    begin = end + 1;
  }
  return std::nullopt;
}

file_kind kind_of(const std::string& path) {
  struct stat found{};
  if (::stat(path.c_str(), &found) != 0) return file_kind::missing;
  if (S_ISDIR(found.st_mode)) return file_kind::directory;
  if (!S_ISREG(found.st_mode) || ::access(path.c_str(), X_OK) != 0) return file_kind::not_executable;
  return (found.st_mode & (S_ISUID | S_ISGID)) != 0 ? file_kind::other_owner : file_kind::plain;
}

std::optional<std::string> variable_of(const std::string& name) {
  const char* const value = ::getenv(name.c_str());
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

std::string error_text(int number) { return std::strerror(number); }

std::string signal_name(int number) {
  const char* const name = ::sigabbrev_np(number);
  return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(number);
}

}  // namespace teff::cli::os
