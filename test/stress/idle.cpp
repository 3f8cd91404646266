// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A team of 8 that has nothing to do, watched for a while: it uses no processor time and its threads never leave their sleep.
/// usage: stress_idle park|spin-then-park after-run|open-run SECONDS
/// idle.py runs it, also under strace: the system calls between the two marks are those of the idle team.
#include "teff/teff.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>

namespace {

constexpr unsigned workers = 8;
constexpr double cpu_share_at_most = 0.01;

/// What the kernel says of the threads of this process, the main thread left out.
struct thread_state {
  bool asleep = false;
  long switches = 0;
  bool operator==(const thread_state&) const = default;
};

thread_state state_of(const std::filesystem::path& thread) {
  thread_state found;
  std::ifstream status(thread / "status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("State:")) found.asleep = line.find('S', 6) != std::string::npos;
    // "voluntary_ctxt_switches:" and "nonvoluntary_ctxt_switches:"
    if (line.find("voluntary_ctxt_switches:") != std::string::npos) found.switches += std::atol(&line[line.find(':') + 1]);
  }
  return found;
}

std::map<std::string, thread_state> other_threads() {
  std::map<std::string, thread_state> all;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    const std::string id = thread.path().filename();
    if (id != std::to_string(getpid())) all[id] = state_of(thread.path());
  }
  return all;
}

void pass_time(long milliseconds) {
  const timespec time{milliseconds / 1000, milliseconds % 1000 * 1'000'000};
  nanosleep(&time, nullptr);
}

/// Effect: returns once all other threads sleep and did so at the last look; ends the program if that takes 20 s.
std::map<std::string, thread_state> all_asleep() {
  auto before = other_threads();
  for (int look = 0; look < 1000; ++look) {
    pass_time(20);
    auto now = other_threads();
    bool asleep = now == before && !now.empty();
    for (const auto& [id, state] : now) asleep = asleep && state.asleep;
    if (asleep) return now;
    before = std::move(now);
  }
  std::puts("stress_idle: the workers do not fall asleep");
  std::exit(1);
}

double cpu_seconds() {
  timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

/// A system call that strace shows and that does nothing.
void mark(const char* name) { static_cast<void>(access(name, F_OK)); }

/// Returns: whether the team stayed idle.
bool watch(const char* wait, const char* where, long seconds) {
  const auto before = all_asleep();
  const double cpu_before = cpu_seconds();
  mark("/idle-begins");
  pass_time(seconds * 1000);
  mark("/idle-ends");
  const double share = (cpu_seconds() - cpu_before) / static_cast<double>(seconds);
  const auto after = other_threads();
  std::printf("wait=%s, %s: %zu threads for %ld s: %.4f %% of one processor, %s\n", wait, where, before.size(), seconds,
              100 * share, before == after ? "no thread was switched to" : "THREADS WERE SWITCHED TO");
  return before == after && share < cpu_share_at_most;
}

void split(teff::context& here, int depth) {
  if (depth == 0) return;
  for (int child = 0; child < 2; ++child) here.put([depth](teff::context& c) { split(c, depth - 1); });
}

bool test(const std::string& wait, const std::string& where, long seconds) {
  teff::team team({.workers = workers, .settings = {"wait=" + wait}});
  team.init([](teff::context& here) { split(here, 14); });
  if (where == "after-run") {
    team.run();
    return watch(wait.c_str(), where.c_str(), seconds);
  }
  auto keeps_it_open = std::make_unique<teff::injector>(team);
  std::thread runs_it([&] { team.run(); });
  const bool idle = watch(wait.c_str(), where.c_str(), seconds);
  keeps_it_open.reset();
  runs_it.join();
  return idle;
}

}  // namespace

int main(int count, char** words) {
  const std::string wait = count == 4 ? words[1] : "", where = count == 4 ? words[2] : "";
  const long seconds = count == 4 ? std::atol(words[3]) : 0;
  if ((wait != "park" && wait != "spin-then-park") || (where != "after-run" && where != "open-run") || seconds < 1) {
    std::fputs("usage: stress_idle park|spin-then-park after-run|open-run SECONDS\n", stderr);
    return 2;
  }
  return test(wait, where, seconds) ? 0 : 1;
}
