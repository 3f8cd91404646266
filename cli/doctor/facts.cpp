// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/doctor/facts.h"

#include "platform/platform.h"
#include "platform/tuning.h"

#include <algorithm>
#include <limits>

namespace teff::cli {

namespace {

/// The shortest of several rounds: the others were interrupted.
double measure_clock_read_ns() {
  constexpr int rounds = 20, reads = 50;
  std::uint64_t shortest = std::numeric_limits<std::uint64_t>::max();
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t start = platform::now_ns();
    std::uint64_t end = start;
    for (int i = 0; i < reads; ++i) end = platform::now_ns();
    shortest = std::min(shortest, end - start);
  }
  return static_cast<double>(shortest) / reads;
}

void lower(std::optional<limit>& lowest, std::uint64_t amount, const std::string& source) {
  if (!lowest || amount < lowest->amount) lowest = limit{amount, source};
}

}  // namespace

unsigned facts::default_workers() const { return std::min(machine.usable.usable_processors, tuning::workers_at_most); }

unsigned facts::processors() const {
  return std::max(kernel.online.value_or(machine.shape.processors), static_cast<unsigned>(machine.mask.size()));
}

bool facts::limited_by_quota() const {
  return machine.quota.has_value() && machine.usable.usable_processors < machine.mask.size();
}

std::optional<limit> facts::threads() const {
  std::optional<limit> lowest;
  if (user_threads) lower(lowest, *user_threads, "ulimit -u");
  if (machine.threads) lower(lowest, static_cast<std::uint64_t>(machine.threads->amount), machine.threads->file);
  if (kernel.threads) lower(lowest, static_cast<std::uint64_t>(*kernel.threads), "kernel.threads-max");
  if (kernel.process_numbers) lower(lowest, static_cast<std::uint64_t>(*kernel.process_numbers), "kernel.pid_max");
  return lowest;
}

facts gather_facts(const std::string& root) {
  facts found;
  found.build = describe_build();
  found.machine = platform::survey_machine(root);
  found.kernel = read_kernel(root, found.machine.mask);
  found.kernel_release = os::kernel_release();
  found.clock_read_ns = measure_clock_read_ns();
  found.cycles = os::try_counter(os::processor_event::cycles);
  found.cache_misses = os::try_counter(os::processor_event::cache_misses);
  found.user_threads = os::limit_of(os::resource::user_threads);
  found.stack_bytes = os::limit_of(os::resource::stack_bytes);
  found.teff_variables = os::environment_variables("TEFF_");
  return found;
}

}  // namespace teff::cli
