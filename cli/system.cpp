// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/system.h"

#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace teff::cli::os {

namespace {

constexpr int files_at_most = 4;
constexpr std::size_t path_bytes = 4096;

// Read by a signal handler: plain memory that is there from the start; a flag is set after its path and cleared before it
// changes.
volatile std::sig_atomic_t is_unfinished[files_at_most];
char unfinished_paths[files_at_most][path_bytes];

void write_error(const char* text) {
  const ssize_t ignored = ::write(STDERR_FILENO, text, std::strlen(text));
  static_cast<void>(ignored);  // there is nobody left to tell
}

extern "C" void teff_cli_interrupted(int signal) {
  for (int i = 0; i < files_at_most; ++i) {
    if (is_unfinished[i] != 0) ::unlink(unfinished_paths[i]);
  }
  if (::isatty(STDERR_FILENO) != 0) write_error("\n");
  write_error("teff: interrupted; no file was written\n");
  ::_exit(128 + signal);
}

void refuse_writes_if_closed(int descriptor) {
  if (::fcntl(descriptor, F_GETFD) != -1) return;
  // open takes the lowest free number, which is this one: they are looked at in rising order.
  ::open("/dev/null", O_RDONLY);
}

}  // namespace

void prepare_process() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) refuse_writes_if_closed(descriptor);
  // A pipe that nobody reads and a file that may not grow become errors of the write.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  struct sigaction action{};
  action.sa_handler = teff_cli_interrupted;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before{};
    // What the parent had ignored (nohup) stays ignored.
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
}

bool is_terminal(int descriptor) { return ::isatty(descriptor) != 0; }

long process_number() { return ::getpid(); }

bool may_write(const std::string& path) { return ::access(path.c_str(), F_OK) != 0 || ::access(path.c_str(), W_OK) == 0; }

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
