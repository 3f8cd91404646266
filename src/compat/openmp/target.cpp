// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/target.h"

#include "compat/openmp/refuse.h"

#include <cstring>
#include <functional>

namespace TEFF_NAMESPACE::openmp {

namespace {

/// In the lower 8 bits of a kind: the address of what is to be copied; that of where such an address stands, before whose copy's
/// begin belongs the one of the variable just before.
constexpr unsigned firstprivate = 12, attach = 80;

/// Before the addresses of the variables, which are before the copies.
struct target_head {
  task_function function;
  unsigned thread_limit;

  void** addresses() { return reinterpret_cast<void**>(this + 1); }
};
static_assert(sizeof(target_head) % alignof(void*) == 0);

bool is_copied(const target_region& region, std::size_t variable) {
  return region.kinds != nullptr && (region.kinds[variable] & 0xff) == firstprivate;
}

/// Effect: of a firstprivate array of Fortran's, which gcc from version 13 on passes as a descriptor, the elements and this: the
/// copy of the descriptor, which begins with their address, has that of the elements' copy.
void attach_elements(const target_region& region, std::size_t variable, void** addresses) {
  const bool is_attached = variable > 0 && (region.kinds[variable] & 0xff) == attach && region.sizes[variable] == 0;
  if (!is_attached || !is_copied(region, variable - 1)) return;
  void** const first = region.addresses;
  auto* const place = static_cast<void**>(region.addresses[variable]);
  const auto descriptor = static_cast<std::size_t>(place - first);
  if (std::less<>()(place, first) || descriptor >= variable || !is_copied(region, descriptor)) return;
  if (region.sizes[descriptor] >= sizeof(void*)) std::memcpy(addresses[descriptor], &addresses[variable - 1], sizeof(void*));
}

std::size_t alignment_of(const target_region& region, std::size_t variable) {
  const unsigned shift = region.kinds[variable] >> 8;
  if (shift >= 32)
    refuse("a firstprivate variable of a target region asks for an alignment of 2^%u bytes; allowed: below 2^32", shift);
  return std::size_t{1} << shift;
}

/// Returns: the bytes of the copies with what may lie between them; 0 if there are none.
std::size_t bytes_of_copies(const target_region& region) {
  std::size_t bytes = 0;
  for (std::size_t variable = 0; variable < region.count; ++variable)
    if (is_copied(region, variable)) bytes += region.sizes[variable] + alignment_of(region, variable) - 1;
  return bytes;
}

std::size_t bytes_of(const target_region& region) {
  return sizeof(target_head) + region.count * sizeof(void*) + bytes_of_copies(region);
}

/// Effect: the memory `to` has the region's function, and behind it its argument and the copies. For a task_request.
void copy_region(void* to, void* from) {
  const auto& region = *static_cast<const target_region*>(from);
  auto* const head = ::new (to) target_head{region.function, region.thread_limit};
  void** const addresses = head->addresses();
  auto at = reinterpret_cast<std::uintptr_t>(addresses + region.count);
  for (std::size_t variable = 0; variable < region.count; ++variable) {
    addresses[variable] = region.addresses[variable];
    if (region.kinds != nullptr) attach_elements(region, variable, addresses);
    if (!is_copied(region, variable) || region.addresses[variable] == nullptr) continue;  // an array without memory stays so
    const std::size_t alignment = alignment_of(region, variable);
    at = (at + alignment - 1) & ~(alignment - 1);
    addresses[variable] = reinterpret_cast<void*>(at);
    if (region.sizes[variable] != 0) std::memcpy(addresses[variable], region.addresses[variable], region.sizes[variable]);
    at += region.sizes[variable];
  }
}

void run_on_host(member& current, task_function function, void** addresses, unsigned thread_limit) {
  team& made = open_target(current, thread_limit);
  function(static_cast<void*>(addresses));
  close_region(made[0]);
}

/// The function of the task.
void run_copied(void* arguments) {
  auto& head = *static_cast<target_head*>(arguments);
  run_on_host(self(), head.function, head.addresses(), head.thread_limit);
}

void expect(bool host, int device) {
  if (host) return;
  constexpr const char* way = "OMP_TARGET_OFFLOAD is set to MANDATORY, but";
  if (process().target_offload != process_icvs::offload::mandatory) {
    if (device == invalid_device) fail("omp_invalid_device (%d) is no device; allowed: %d, the host", device, host_device);
    return;
  }
  if (device == invalid_device) fail("%s there is no device but the host, which has the number %d", way, host_device);
  fail("%s there is no device %d; allowed: %d, which is the host", way, device, host_device);
}

}  // namespace

void expect_host(int device) {
  const bool is_default = device == default_device || device == named_default_device;
  const int meant = is_default ? current_icvs().device : device;
  expect(meant == host_device || meant == host_by_if_clause, meant);
}

bool is_known_host(int device) {
  const int meant = device == named_default_device ? current_icvs().device : device;
  return meant == host_device || meant == initial_device;
}

bool is_host(int device) {
  const bool host = is_known_host(device);
  expect(host, device);
  return host;
}

void run_target(member& current, const target_region& region) {
  if (bytes_of_copies(region) == 0) return run_on_host(current, region.function, region.addresses, region.thread_limit);
  void* const whole = __builtin_alloca_with_align(bytes_of(region), 8 * alignof(target_head));
  copy_region(whole, const_cast<target_region*>(&region));
  run_copied(whole);
}

task_request task_of(target_region& region) {
  return {run_copied, &region, copy_region, bytes_of(region), alignof(target_head), 0};
}

}  // namespace TEFF_NAMESPACE::openmp
