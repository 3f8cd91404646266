// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process.h"

#include <sys/resource.h>
#include <time.h>

#include <cstdint>
#include <cstdio>

double versus_cpu_seconds() {
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& of) { return static_cast<double>(of.tv_sec) + static_cast<double>(of.tv_usec) * 1e-6; };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

std::uint64_t versus_context_switches() {
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  return static_cast<std::uint64_t>(used.ru_nvcsw + used.ru_nivcsw);
}

// Not by getrusage: its figure survives exec, and so would be that of who started this program.
std::uint64_t versus_peak_bytes() {
  std::FILE* const status = std::fopen("/proc/self/status", "r");
  if (status == nullptr) return 0;
  unsigned long long kilobytes = 0;
  char line[256];
  while (std::fgets(line, sizeof line, status) != nullptr && std::sscanf(line, "VmHWM: %llu", &kilobytes) != 1) {
  }
  std::fclose(status);
  return kilobytes * 1024;
}

void versus_rest(std::uint64_t nanoseconds) {
  const timespec span{static_cast<time_t>(nanoseconds / 1'000'000'000), static_cast<long>(nanoseconds % 1'000'000'000)};
  nanosleep(&span, nullptr);
}
