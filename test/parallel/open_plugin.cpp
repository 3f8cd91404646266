// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens a library that uses Teff, calls it, closes it, again and again; afterwards nothing is left of it: no thread, no handler,
// no code.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  const char* const reason = dlerror();
  std::printf("%s: not so %s\n", what, reason != nullptr ? reason : "");
  std::exit(1);
}

long threads() {
  long count = 0;
  for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator("/proc/self/task")) ++count;
  return count;
}

/// Returns: how many mappings have this in their lines.
unsigned mappings(const char* name) {
  std::ifstream maps("/proc/self/maps");
  unsigned count = 0;
  for (std::string line; std::getline(maps, line);) count += line.find(name) != std::string::npos;
  return count;
}

using sum_function = unsigned (*)(unsigned);

void open_call_close(const char* path) {
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  require(library != nullptr, "the library opens");
  const auto sum_below = reinterpret_cast<sum_function>(dlsym(library, "plugin_sum_below"));
  require(sum_below != nullptr, "it has its function");
  require(sum_below(1000) == 499'500, "it sums");
  require(threads() > 1, "it has threads");
  require(dlclose(library) == 0, "it closes");
  require(threads() == 1, "its threads are gone");
}

}  // namespace

int main(int, char** words) {
  open_call_close(words[1]);
  const unsigned before = mappings("");
  for (int round = 0; round < 50; ++round) open_call_close(words[1]);
  require(mappings("") < before + 20, "its stacks are gone");
  require(mappings("libteff.so") == 0, "its code is gone");
  struct sigaction now{};
  require(sigaction(SIGSEGV, nullptr, &now) == 0 && now.sa_handler == SIG_DFL, "its handler is gone");
  const pid_t child = fork();  // what it registered for forks is gone, too
  if (child == 0) _exit(0);
  int status = -1;
  require(waitpid(child, &status, 0) == child && status == 0, "fork goes on");
  open_call_close(words[1]);
  std::puts("opened and closed");
  return 0;
}
