// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/foreign.h"

#include "base/assert.h"
#include "platform/stack_pointer.h"
#include "sim/instance.h"
#include "sim/simulator.h"

#include <cstdio>

namespace TEFF_NAMESPACE::platform {

using sim::active;

bool start_detached(void (*entry)(void*), void* argument, std::size_t, const std::vector<unsigned>&) noexcept {
  TEFF_REQUIRE(active != nullptr, "start threads inside simulate() only");
  thread started;
  if (!started.start(entry, argument, {})) return false;
  started.detach();
  return true;
}

bool at_thread_end(void (*finish)(void*), void* argument) noexcept {
  TEFF_REQUIRE(active != nullptr, "threads end inside simulate() only");
  active->at_end(finish, argument);
  return true;
}

bool bind_this_thread(const std::vector<unsigned>&) noexcept { return false; }
std::vector<unsigned> processors_of_this_thread() { return {}; }
unsigned count_processors_of_this_thread() noexcept { return 0; }
long thread_number() noexcept { return active != nullptr ? 1 + long{active->running_number()} : 0; }
long process_number() noexcept { return 1; }
stack_bounds stack_of_this_thread() noexcept {
  constexpr std::size_t free = std::size_t{8} << 10, in_use = 512;
  return {stack_pointer() - free, free + in_use};
}

void machine_name(char* name, std::size_t bytes) noexcept { std::snprintf(name, bytes, "simulated"); }
double clock_tick() noexcept { return 1e-9; }
std::uint64_t peak_memory_bytes() noexcept { return 0; }
void* share_file(const char*, std::size_t, std::uint64_t) noexcept { return nullptr; }
void* share_segment(int, std::size_t, std::uint64_t) noexcept { return nullptr; }
void on_fatal_signal(void (*)()) noexcept {}
unsignalled::unsignalled() noexcept = default;
unsignalled::~unsignalled() = default;
std::uint64_t processor_time_of_process_ns() noexcept { return now_ns() * machine().usable_processors; }
void yield_processor() noexcept { pause(); }
void prepare_for_exceptions() noexcept {}

void append_to_file(const char*, std::uint64_t, const char*, std::size_t) noexcept {}
void each_mapping(void (*)(const mapping&)) noexcept {}
void write_error(const char* text, std::size_t bytes) noexcept { std::fwrite(text, 1, bytes, stderr); }

}  // namespace TEFF_NAMESPACE::platform
